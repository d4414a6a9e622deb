"""Scores with error spans that were given elsewhere, as finished judgments of a campaign."""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rankwise.errors import DataError
from rankwise.server.campaign.plan.outputs.given_spans import as_marked
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.evenness import IMPORTED
from rankwise.server.records import FinishedJudgment, PlannedScreen, Slot
from rankwise.types import Assessments, TestSet

#: What readers keep of an answer besides its value and its errors.
_FURTHER = ("sliders", "comment", "edit", "given", "textfield")
#: What is said about one system's output.
Column = tuple[str, Mapping[str, Any]]


def spans_as_finished(
    values: Assessments, plan: Plan, testset: TestSet
) -> tuple[list[FinishedJudgment], Counter[str]]:
    """Judgments of one segment each, with the systems that a judge saw there; and what is left out.

    Outputs of one judge and segment stand side by side, as many as a screen may have. Rows of
    controls and rows without a value are left out. A span without a place gets the mark that its
    category names, or else the first of the plan.
    """
    texts = {segment.id: place for place, segment in enumerate(testset.segments)}
    groups: dict[tuple[str, str], list[Column]] = {}
    left_out: Counter[str] = Counter()
    spans = values.info.get("spans")
    for number, (system, segment, judge, role, value) in enumerate(values.rows()):
        if role in ("REF", "BAD", "CHK") or math.isnan(value):
            left_out["rows without a value" if math.isnan(value) else role] += 1
            continue
        where = f"judge {judge!r}, segment {segment!r}, system {system!r}"
        if segment not in texts or system not in testset.systems:
            raise DataError(f"{where}: not in the campaign; expected its segments and systems")
        if testset.outputs[system][texts[segment]] is None:
            raise DataError(f"{where}: the campaign has no such output")
        marked = json.loads(spans[number] or "[]") if spans is not None else []
        cell: dict[str, Any] = {"spans": [as_marked(span, plan.spans) for span in marked]}
        cell |= _further(values, number, plan)
        if plan.protocol == "esa":
            cell["score"] = _whole(value, where)
        groups.setdefault((judge, segment), []).append((system, cell))
    found = []
    for (judge, segment), columns in groups.items():
        for first in range(0, len(columns), plan.rules.most):
            part = columns[first : first + plan.rules.most]
            found.append(_finished(judge, segment, part, plan, testset, texts[segment]))
    return found, left_out


def _finished(
    judge: str, segment: str, columns: Sequence[Column], plan: Plan, testset: TestSet, place: int
) -> FinishedJudgment:
    try:
        answer = plan.rules.validate({"segments": [[cell for _, cell in columns]]}, len(columns))
        shown = [testset.outputs[system][place] or "" for system, _ in columns]
        plan.rules.fits(answer, [shown])
    except DataError as error:
        raise DataError(f"judge {judge!r}, segment {segment!r}: {error}") from error
    slots = tuple(Slot((system,)) for system, _ in columns)
    payload = {"segments": [segment]}
    screen = PlannedScreen(segment, slots, strategy=IMPORTED, payload=payload)
    return FinishedJudgment(judge, screen, "answer", answer)


def _further(values: Assessments, number: int, plan: Plan) -> dict[str, Any]:
    """What a row says besides, as far as the campaign asks for it.

    Pearmut has one field for texts, which is a correction where the campaign wants some.
    """
    further, info = plan.further, values.info
    given = {key: info[key][number] for key in _FURTHER if key in info and info[key][number]}
    field = given.pop("textfield", None)
    if field is not None:
        given.setdefault("edit" if further.post_edits else "comment", field)
    found: dict[str, Any] = {key: given[key] for key in further.keys if key in given}
    if "sliders" in found:
        found["sliders"] = json.loads(found["sliders"])
    if "given" in given:
        found["given"] = [as_marked(span, plan.spans) for span in json.loads(given["given"])]
    return found


def _whole(value: float, where: str) -> int:
    if not value.is_integer():
        raise DataError(f"{where}: the score is {value}; expected a whole number from 0 to 100")
    return int(value)
