"""What judges said as answers of Pearmut (JSON lines); ``pearmut_answers`` reads them back."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_text
from rankwise.server.campaign.exchange.pearmut_export import document_runs, marked_error
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Json, StoredJudgment
from rankwise.types import TestSet


def write_answers(
    plan: Plan, testset: TestSet, judgments: Sequence[StoredJudgment], path: StrPath
) -> list[str]:
    """Write a line for every judgment; a sentence for what Pearmut's answers do not hold."""
    if not isinstance(plan.rules, Documented):
        raise DataError(f"Pearmut has no {plan.protocol}; it has error spans and scores (esa, mqm)")
    places = {segment.id: place for place, segment in enumerate(testset.segments)}
    numbers = {place: n for n, run in enumerate(document_runs(testset)) for place in run}
    held = [one for one in judgments if _is_held(one)]
    with write_text(path) as stream:
        for one in held:
            line = _line(one, plan, testset, [places[key] for key in one.segments], numbers)
            stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    lost = ["Of what judges did on the way, only when they began and when they submitted is held."]
    if len(held) < len(judgments):
        count = len(judgments) - len(held)
        lost.append(f"Pearmut's answers hold no skips, tutorials and controls ({count} left out).")
    seen = [
        (one.judge, s, slot.systems) for one in held for s in one.segments for slot in one.slots
    ]
    if len(set(seen)) < len(seen):
        again = len(seen) - len(set(seen))
        several = "Of several judgments of one output by one judge only the last is read"
        lost.append(f"{several} ({again} more).")
    if plan.further.comments and plan.further.post_edits:
        lost.append("Pearmut has one field for a text: the correction, not the comment.")
    return lost


def _is_held(judgment: StoredJudgment) -> bool:
    """Whether everything on the screen was an output of a system, and was judged."""
    is_work = judgment.role in ("work", "repeat") and judgment.kind == "answer"
    return is_work and all(slot.role == "TGT" for slot in judgment.slots)


def _line(
    judgment: StoredJudgment,
    plan: Plan,
    testset: TestSet,
    places: Sequence[int],
    numbers: Mapping[int, int],
) -> Json:
    rows = list(zip(places, judgment.answer["segments"], strict=True))
    said: dict[str, Any] = {
        "user_id": judgment.judge,
        "item_i": numbers[places[0]],
        "item": [_item(testset, place, _columns(judgment, row), plan) for place, row in rows],
        "annotation": [
            {
                system: _annotation(cell, testset.outputs[system][place] or "", plan)
                for system, cell in _columns(judgment, row)
            }
            for place, row in rows
        ],
        "actions": [
            {"time": judgment.shown_at / 1000, "action": "load"},
            {"time": judgment.received_at / 1000, "action": "submit"},
        ],
    }
    return said | ({"comment": judgment.comment} if judgment.comment else {})


def _columns(judgment: StoredJudgment, row: Sequence[Json]) -> list[tuple[str, Json]]:
    """What was said of every system, in the order shown; systems may share a text."""
    return [
        (system, row[slot]) for slot in judgment.shown for system in judgment.slots[slot].systems
    ]


def _item(
    testset: TestSet, place: int, columns: Sequence[tuple[str, Json]], plan: Plan
) -> dict[str, Any]:
    segment = testset.segments[place]
    texts = {system: testset.outputs[system][place] or "" for system, _ in columns}
    found: dict[str, Any] = {"item_id": segment.id, "src": segment.source, "tgt": texts}
    given = {
        system: [marked_error(span, texts[system], plan) for span in cell["given"]]
        for system, cell in columns
        if "given" in cell
    }
    return found | ({"error_spans": given} if given else {})


def _annotation(cell: Json, text: str, plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = {"score": cell["score"]} if "score" in cell else {}
    found["error_spans"] = [marked_error(span, text, plan) for span in cell["spans"]]
    if "sliders" in cell:
        found["sliders"] = dict(cell["sliders"])
    words = cell.get("edit") if plan.further.post_edits else cell.get("comment")
    return found | ({"textfield": words} if words else {})
