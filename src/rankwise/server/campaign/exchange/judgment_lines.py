"""``records``: a campaign's judgments as JSON lines that lose nothing, and back.

The first line is ``{"format": "rankwise-campaign", "version": 1, "protocol": "ranking"}``, with
the ``weights`` of errors where some are marked and ``"by_document": true`` where rankings or values
are of documents; every other line is one stored judgment with
the keys of :class:`StoredJudgment`. ``io`` reads the same file as rankings or values.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_lines, write_text
from rankwise.io.parts.json_values import parse_object
from rankwise.io.parts.record_lines import FORMAT, VERSION
from rankwise.server.campaign.plan.answer_parts import Answer
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.outputs.whole_documents import rules_of
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocol_kinds import Protocol
from rankwise.server.campaign.plan.protocols import PROTOCOLS, validate_skip
from rankwise.server.records import Json, Slot, StoredJudgment

_KEYS = tuple(field.name for field in fields(StoredJudgment))


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
    lines = read_lines(path)
    protocol, by_document = _protocol(path, lines)
    known = rules_of(protocol, by_document=by_document)
    if rules is not None and rules.name == protocol:
        if rules.is_document != known.is_document:
            what = ("single segments", "documents")
            found, expected = what[known.is_document], what[rules.is_document]
            raise DataError(f"{name_of(path)}:1: judgments of {found}; expected {expected}")
        known = rules
    return protocol, [_judgment(path, number, text, known) for number, text in lines if text]


def _protocol(path: StrPath, lines: Iterator[tuple[int, str]]) -> tuple[str, bool]:
    number, text = next(lines, (1, ""))
    header = parse_object(text, path, number) if text.startswith("{") else {}
    if header.get("format") != FORMAT or header.get("version") != VERSION:
        expected = f"the header of {FORMAT}, version {VERSION}"
        raise DataError(f"{name_of(path)}:1: found {text[:60]!r}; expected {expected}")
    protocol = header.get("protocol")
    if protocol not in PROTOCOLS:
        known = ", ".join(PROTOCOLS)
        raise DataError(f"{name_of(path)}:1: protocol is {protocol!r}; expected one of {known}")
    return str(protocol), header.get("by_document") is True


def _judgment(path: StrPath, number: int, text: str, rules: Protocol) -> StoredJudgment:
    row = {"judge_kind": "person", **parse_object(text, path, number)}
    odd = set(row) ^ set(_KEYS)
    if odd:
        what = "unknown" if odd & set(row) else "missing"
        raise DataError(f"{name_of(path)}:{number}: {what} key {min(odd)!r}")
    try:
        row |= {"slots": tuple(map(_slot, row["slots"])), "shown": tuple(row["shown"])}
        row["segments"] = tuple(row["segments"])
        if row["judge_kind"] not in ("person", "machine"):
            raise DataError(f"the judge is a {row['judge_kind']!r}")
        row["answer"] = _answer(row, rules)
    except (TypeError, KeyError, DataError) as error:
        raise DataError(f"{name_of(path)}:{number}: {error}; expected a judgment") from error
    return StoredJudgment(**row)


def _slot(row: Json) -> Slot:
    texts = row["texts"]
    return Slot(
        tuple(row["systems"]), row["role"], row["text"], None if texts is None else tuple(texts)
    )


def _answer(row: Json, rules: Protocol) -> Answer:
    if sorted(row["shown"]) != list(range(len(row["slots"]))):
        raise DataError(f"the order shown is {row['shown']!r} of {len(row['slots'])} texts")
    if row["kind"] == "skip":
        return validate_skip(row["answer"])
    answer = rules.validate(row["answer"], len(row["slots"]))
    if rules.is_document and len(answer["segments"]) != len(row["segments"]):
        raise DataError(f"an answer to {len(answer['segments'])} of {row['segments']!r}")
    return answer
