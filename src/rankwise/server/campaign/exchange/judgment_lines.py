"""``records``: a campaign's judgments as JSON lines that lose nothing, and back.

The first line is ``{"format": "rankwise-campaign", "version": 1, "protocol": "ranking"}``, with
the ``weights`` of errors where some are marked and ``"by_document": true`` where rankings or values
are of documents; every other line is one stored judgment with
the keys of :class:`StoredJudgment`. ``io`` reads the same file as rankings or values.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines, write_text
from rankwise.io.parts.json_values import parse_object
from rankwise.io.parts.record_lines import FORMAT, VERSION
from rankwise.server.campaign.exchange.record_checks import JUDGMENT, SLOT, check_values
from rankwise.server.campaign.plan.answer_parts import Answer, quoted
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.outputs.whole_documents import rules_of
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocol_kinds import Protocol
from rankwise.server.campaign.plan.protocols import PROTOCOLS, validate_skip
from rankwise.server.records import Json, Slot, StoredJudgment

#: Bytes of a line; judgments of the longest documents have a tenth of it.
LONGEST_LINE = 4 << 20


def line_of(judgment: StoredJudgment) -> str:
    """One judgment as a line of JSON, keys in the order of the record."""
    return json.dumps(asdict(judgment), ensure_ascii=False)


def write_records(plan: Plan, judgments: Iterable[StoredJudgment], path: StrPath) -> int:
    """Write judgments; how many."""
    count = 0
    with write_text(path) as stream:
        header: dict[str, object] = {"format": FORMAT, "version": VERSION}
        header["protocol"] = plan.protocol
        if plan.by_document:
            header["by_document"] = True
        if isinstance(plan.rules, Documented):
            header["weights"] = dict(plan.spans.weights)
        stream.write(json.dumps(header) + "\n")
        for count, judgment in enumerate(judgments, 1):  # noqa: B007 - the last one counts
            stream.write(line_of(judgment) + "\n")
    return count


def read_records(path: StrPath, rules: Protocol | None = None) -> tuple[str, list[StoredJudgment]]:
    """The protocol and the judgments of a file, exactly as they were written.

    *rules* are those of a plan, which decide what may be marked in a text.
    """
    lines = read_lines(path, longest=LONGEST_LINE)
    protocol, by_document = _protocol(path, lines)
    known = rules_of(protocol, by_document=by_document)
    if rules is not None and rules.name == protocol:
        if rules.is_document != known.is_document:
            what = ("single segments", "documents")
            found, expected = what[known.is_document], what[rules.is_document]
            raise DataError(f"{name_of(path)}:1: judgments of {found}; expected {expected}")
        known = rules
    judgments: dict[int, StoredJudgment] = {}
    for number, text in lines:
        if text:
            judgment = _judgment(path, number, text, known)
            if judgments.setdefault(judgment.id, judgment) is not judgment:
                said = f"judgment {judgment.id} occurs twice; expected it once"
                raise DataError(f"{name_of(path)}:{number}: {said}")
    return protocol, list(judgments.values())


def _protocol(path: StrPath, lines: Iterator[tuple[int, str]]) -> tuple[str, bool]:
    number, text = next(lines, (1, ""))
    header = parse_object(text, path, number) if text.startswith("{") else {}
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        expected = f"the header of {FORMAT}, version {VERSION}"
        raise DataError(f"{name_of(path)}:1: found {text[:60]!r}; expected {expected}")
    protocol = header.get("protocol")
    if not isinstance(protocol, str) or protocol not in PROTOCOLS:
        known = ", ".join(PROTOCOLS)
        raise DataError(
            f"{name_of(path)}:1: protocol is {quoted(protocol)}; expected one of {known}"
        )
    return protocol, header.get("by_document") is True


def _judgment(path: StrPath, number: int, text: str, rules: Protocol) -> StoredJudgment:
    row = {"judge_kind": "person", **parse_object(text, path, number)}
    try:
        check_values(row, JUDGMENT)
        row |= {"slots": tuple(map(_slot, row["slots"])), "shown": tuple(row["shown"])}
        row["segments"] = tuple(row["segments"])
        row["answer"] = _answer(row, rules)
    except (DataError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        said = str(error) if isinstance(error, DataError) else f"the answer is no {rules.name}"
        raise DataError(f"{name_of(path)}:{number}: {said}; expected a judgment") from error
    return StoredJudgment(**row)


def _slot(row: Json) -> Slot:
    check_values(row, SLOT)
    texts = row["texts"]
    return Slot(
        tuple(row["systems"]), row["role"], row["text"], None if texts is None else tuple(texts)
    )


def _answer(row: Json, rules: Protocol) -> Answer:
    if sorted(row["shown"]) != list(range(len(row["slots"]))):
        raise DataError(f"the order shown is {quoted(row['shown'])} of {len(row['slots'])} texts")
    if row["kind"] == "skip":
        return validate_skip(row["answer"])
    answer = rules.validate(row["answer"], len(row["slots"]))
    if rules.is_document and len(answer["segments"]) != len(row["segments"]):
        raise DataError(f"an answer to {len(answer['segments'])} of {quoted(row['segments'])}")
    return answer
