"""The tidy long table of a campaign: a row per judgment, segment and system, and what columns mean.

Judges are pseudonyms; nothing here can tell who somebody is.
"""

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from rankwise.io.files import StrPath, write_text
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocol_kinds import Ordered, Valued, slot_names, value_role
from rankwise.server.campaign.standings.counted import WORK, Keep, further_cells, kept, spans_json
from rankwise.server.records import StoredJudgment

#: What stands in a cell.
Cell = str | int | float
#: Every column and what it means; a value that does not apply is an empty cell.
COLUMNS = {
    "judgment": "number of the judgment; rows with the same number are one look",
    "receipt": "the receipt that the judge got",
    "screen": "number of the question; redundant judgments share it",
    "role": "work, repeat (the same judge again), control or tutorial",
    "repeats": "for a repeat: number of the screen it repeats",
    "judge": "pseudonym of the judge in this campaign",
    "judge_kind": "person or machine",
    "segment": "id of the segment in the test set",
    "document": "first segment of the document that was judged, where screens are documents",
    "system": "the system; #ref is the reference, NAME#bad a degraded output of NAME",
    "shown_as": "TGT a system's output, REF a reference, BAD a degraded output, CHK a repeat",
    "text": "number of the text on its screen, from 1; systems with one text share it",
    "place": "place of the text on the page, from 1",
    "kind": "answer or skip",
    "rank": "rank of the text, 1 is best, equal ranks are ties (ranking and pairwise)",
    "choice": "left, right, equal or both_bad, as the page showed it (pairwise)",
    "fluency": "1 to 5, 5 is best (adequacy and fluency)",
    "adequacy": "1 to 5, 5 is best (adequacy and fluency)",
    "score": "0 to 100, 100 is best (direct assessment, esa); minus the weights of errors (mqm)",
    "spans": "errors as JSON: start and end in code points, end exclusive, or null for what is not "
    "in the text; severity; category or mark (esa, mqm)",
    "given_spans": "errors that a machine had marked before the judge came, as JSON like spans",
    "span_changes": "how many of those were kept, changed and removed, and how many added, as JSON",
    "sliders": "values of the plan's sliders by name, as JSON (esa, mqm)",
    "output_comment": "what the judge wrote about this output (esa, mqm)",
    "post_edit": "the output as the judge corrected it; empty if it stays (esa, mqm)",
    "skip_reason": "why the screen was skipped",
    "comment": "what the judge wrote",
    "active_seconds": "time the page was visible and the judge active; a segment of a document has "
    "an even share",
    "shown_at": "when the screen was handed out, UTC by the server's clock",
    "received_at": "when the judgment arrived, UTC by the server's clock",
    "probability": "probability of choosing this screen, given all asked before; empty if there is "
    "no closed form (strategy, seed and the earlier judgments say how to choose it again)",
    "strategy": "how the screen was chosen; '(floor)' by the coverage floor",
    "seed": "seed of the batch that the screen was chosen in",
    "surplus": "1 if it came late and nobody needed it any more",
    "superseded": "1 if the judge revised it later",
    "excluded": "1 if the judge is excluded",
    "details": "further facts as JSON: all equal by one key, differences shown, device class",
}


def long_rows(
    plan: Plan, stored: Iterable[StoredJudgment], keep: Keep = WORK
) -> Iterator[dict[str, Cell]]:
    """The rows, in the order of the judgments, of what *keep* keeps."""
    every = stored if isinstance(stored, list | tuple) else list(stored)
    replaced = {judgment.supersedes for judgment in every if judgment.supersedes is not None}
    found = kept(every, keep).judgments
    for whole, judgment in ((one, part) for one in found for part in plan.rules.parts(one)):
        common = _common(judgment) | {"superseded": int(judgment.id in replaced)}
        if plan.rules.is_document:
            common["document"] = whole.segment or ""
        if plan.protocol == "pairwise" and judgment.kind == "answer":
            answer = plan.rules.reorder(judgment.answer, judgment.shown, back=False)
            common["choice"] = answer["choice"]
        for number, slot in enumerate(judgment.slots):
            values = _values(plan, judgment, number)
            place = judgment.shown.index(number) + 1
            names = slot_names(slot.systems, slot.role) or ("",)
            for name in names:
                row: dict[str, Cell] = {**dict.fromkeys(COLUMNS, ""), **common, **values}
                row |= {"system": name, "text": number + 1, "place": place}
                row["shown_as"] = value_role(judgment, slot.role)
                yield row


def _common(judgment: StoredJudgment) -> dict[str, Cell]:
    return {
        "judgment": judgment.id,
        "receipt": judgment.receipt,
        "screen": judgment.screen,
        "role": judgment.role,
        "repeats": "" if judgment.repeats is None else judgment.repeats,
        "judge": judgment.judge,
        "judge_kind": judgment.judge_kind,
        "segment": judgment.segment or "",
        "kind": judgment.kind,
        "skip_reason": judgment.answer.get("reason", "") if judgment.kind == "skip" else "",
        "comment": judgment.comment or "",
        "active_seconds": judgment.active_ms / 1000,
        "shown_at": utc(judgment.shown_at),
        "received_at": utc(judgment.received_at),
        "probability": "" if judgment.probability is None else repr(judgment.probability),
        "strategy": judgment.strategy,
        "seed": judgment.seed,
        "surplus": int(judgment.surplus),
        "excluded": int(judgment.is_excluded),
        "details": json.dumps(judgment.details, ensure_ascii=False, sort_keys=True)
        if judgment.details
        else "",
    }


def _values(plan: Plan, judgment: StoredJudgment, number: int) -> dict[str, Cell]:
    if judgment.kind == "skip":
        return {}
    rules = plan.rules
    if isinstance(rules, Ordered):
        return {"rank": rules.ranks(judgment.answer)[number]}
    if isinstance(rules, Valued):
        names = {"scores": "score"}
        values: dict[str, Cell] = {
            names.get(key, key): judgment.answer[key][number] for key in rules.scales
        }
        if isinstance(rules, Documented):
            values["spans"] = spans_json(judgment.answer["spans"][number])
            values |= further_cells(judgment.answer, number)
        return values
    return {}


def utc(milliseconds: int) -> str:
    """A time as ISO 8601 in UTC.

    >>> utc(1_700_000_000_123)
    '2023-11-14T22:13:20.123Z'
    """
    found = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_long(
    plan: Plan, stored: Iterable[StoredJudgment], path: StrPath, keep: Keep = WORK
) -> int:
    """Write the table as CSV with a header (RFC 4180); how many rows there are."""
    count = 0
    with write_text(path) as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\r\n")
        writer.writeheader()
        for row in long_rows(plan, stored, keep):
            writer.writerow(row)
            count += 1
    return count
