"""Judgments that were made elsewhere, as a campaign's finished judgments.

From ``records`` (another campaign's export, which loses nothing) or from any format of rankings or
assessments that ``io`` reads: WMT's CSV files, Appraise's XML and CSV exports, JCML, FastChat.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankwise.errors import DataError
from rankwise.io import read_assessments, read_judgments
from rankwise.io.files import StrPath, name_of
from rankwise.io.packed.bursting import must_not_burst
from rankwise.io.parts.record_lines import FORMAT
from rankwise.io.sniffing import read_head
from rankwise.server.campaign.exchange.judgment_lines import read_records
from rankwise.server.campaign.exchange.span_importing import spans_as_finished
from rankwise.server.campaign.plan.answer_parts import quoted
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.counted import EVERYTHING, kept
from rankwise.server.campaign.standings.evenness import IMPORTED
from rankwise.server.records import (
    FinishedJudgment,
    JudgeKind,
    PlannedScreen,
    Slot,
    StoredJudgment,
)
from rankwise.types import Assessments, Judgments, Ranking, TestSet

#: Seconds that a table may say a judgment took: a year; what is no such time counts as none.
_LONGEST = 366 * 86_400


@dataclass(frozen=True, slots=True)
class Imported:
    """The judgments to add, and how many of the file were left out and why."""

    finished: tuple[FinishedJudgment, ...]
    left_out: Mapping[str, int]


def read_finished(
    path: StrPath, plan: Plan, testset: TestSet, *, format: str | None = None
) -> Imported:
    """The judgments of a file for a campaign with this plan and test set.

    Segments and systems must be those of the test set. Judgments that were revised later, repeats,
    screens with a single text and control rows of tables are left out and counted.
    """
    must_not_burst(path)
    head = read_head(path)
    is_records = (head.first_object or {}).get("format") == FORMAT
    try:
        if format == "records" or (format is None and is_records):
            return _from_records(path, plan, testset)
        if plan.rules.is_scalar:
            return from_assessments(read_assessments(path, format=format), plan, testset)
        return from_judgments(read_judgments(path, format=format), plan, testset)
    except DataError as error:
        name = name_of(path)
        raise error if str(error).startswith(name) else DataError(f"{name}: {error}") from error


def _from_records(path: StrPath, plan: Plan, testset: TestSet) -> Imported:
    protocol, judgments = read_records(path, plan.rules)
    if protocol != plan.protocol:
        raise DataError(f"the judgments are of protocol {protocol!r}; expected {plan.protocol!r}")
    known = _Known.of(testset)
    chosen = kept(judgments, replace(EVERYTHING, superseded=False, roles=("work", "control")))
    screens = [(judgment, _screen(judgment, plan, known)) for judgment in chosen.judgments]
    finished = tuple(_finished(judgment, screen) for judgment, screen in screens)
    return Imported(finished, chosen.left_out)


def _screen(judgment: StoredJudgment, plan: Plan, known: "_Known") -> PlannedScreen:
    names = judgment.segments or (judgment.segment or "",)
    outputs = [slot.systems for slot in judgment.slots if slot.role == "TGT"]
    shown = [name for systems in outputs for name in systems]
    if not all(outputs) or len(set(shown)) < len(shown):
        said = "expected every text of a screen to have systems of its own"
        raise DataError(f"judgment {judgment.id} has the systems {quoted(outputs)}; {said}")
    for segment in names:
        known.check(segment, [name for slot in judgment.slots for name in slot.systems])
    if names[0] != judgment.segment or not known.follow(names):
        said = "expected segments that follow each other in the test set"
        raise DataError(f"judgment {judgment.id} has the segments {quoted(names)}; {said}")
    texts = [[known.text(slot, names, at) for slot in judgment.slots] for at in range(len(names))]
    if plan.rules.is_document and judgment.kind == "answer":
        try:
            plan.rules.fits(judgment.answer, texts)
        except DataError as error:
            raise DataError(f"judgment {judgment.id}: {error}") from error
    payload = {"segments": list(judgment.segments)} if judgment.segments else None
    return PlannedScreen(
        judgment.segment,
        judgment.slots,
        judgment.role,
        judgment.probability,
        judgment.strategy,
        judgment.seed,
        payload=payload,
    )


def _finished(judgment: StoredJudgment, screen: PlannedScreen) -> FinishedJudgment:
    return FinishedJudgment(
        judgment.judge,
        screen,
        judgment.kind,
        judgment.answer,
        judgment.active_ms,
        judgment.received_at,
        {**judgment.details, "shown": list(judgment.shown)},
        judgment.comment,
        judgment.judge_kind,
    )


def _kind(said: object) -> JudgeKind:
    """Whether a file's column ``judge_kind`` says that a machine judged."""
    return "machine" if said == "machine" else "person"


@dataclass(frozen=True, slots=True)
class _Known:
    """The names of a test set, and its texts."""

    testset: TestSet
    segments: Mapping[str, int]
    systems: frozenset[str]

    @classmethod
    def of(cls, testset: TestSet) -> "_Known":
        segments = {segment.id: place for place, segment in enumerate(testset.segments)}
        return cls(testset, segments, frozenset(testset.systems))

    def follow(self, names: Sequence[str]) -> bool:
        """Whether segments stand one behind the other, as those of a document do."""
        first = self.segments[names[0]]
        return all(self.segments[name] == first + at for at, name in enumerate(names))

    def text(self, slot: Slot, segments: Sequence[str], at: int) -> str:
        """What a screen shows in a slot for its segment *at*; there must be something."""
        found: str | None = slot.text
        if slot.texts is not None:
            found = slot.texts[at] if len(slot.texts) == len(segments) else None
        elif found is None:
            place = self.segments[segments[at]]
            references = self.testset.segments[place].references or (None,)
            is_output = slot.role != "REF" and slot.systems
            found = self.testset.outputs[slot.systems[0]][place] if is_output else references[0]
        if found is None:
            whose = slot.systems[0] if slot.systems else slot.role
            raise DataError(f"the campaign has no text of {whose!r} for {segments[at]!r}")
        return found

    def check(self, segment: str, systems: list[str]) -> None:
        """Refuse a name that the test set does not have."""
        if segment not in self.segments:
            raise DataError(f"segment {quoted(segment)} is none of the test set's")
        for name in systems:
            if name not in self.systems:
                raise DataError(f"system {quoted(name)} is none of the test set's")


def from_judgments(judgments: Judgments, plan: Plan, testset: TestSet) -> Imported:
    """Rankings as finished judgments; systems that shared a text share a slot.

    Outputs that were shown but not ranked are dropped from their screen; a ranking without any
    rank is a skip.
    """
    known, left_out = _Known.of(testset), Counter[str]()
    found = []
    for ranking in judgments:
        known.check(ranking.segment, list(ranking.systems))
        slots, ranks = _slots(ranking)
        if len(slots) < 2 or not plan.rules.least <= len(slots) <= plan.rules.most:
            left_out[f"screens of {len(slots)} texts"] += 1
            continue
        found.append(_from_ranking(ranking, plan, slots, ranks))
    return Imported(tuple(found), dict(left_out))


def _slots(ranking: Ranking) -> tuple[tuple[Slot, ...], list[float]]:
    outputs = ranking.outputs or tuple(range(len(ranking.systems)))
    groups: dict[int, tuple[list[str], float | None]] = {}
    for name, rank, output in zip(ranking.systems, ranking.ranks, outputs, strict=True):
        groups.setdefault(output, ([], rank))[0].append(name)
    judged = [(names, rank) for names, rank in groups.values() if rank is not None]
    if not judged:
        return tuple(Slot(tuple(names)) for names, _ in groups.values()), []
    return tuple(Slot(tuple(names)) for names, _ in judged), [rank for _, rank in judged]


def _from_ranking(
    ranking: Ranking, plan: Plan, slots: tuple[Slot, ...], ranks: list[float]
) -> FinishedJudgment:
    order = {rank: place for place, rank in enumerate(sorted(set(ranks)), 1)}
    dense = [order[rank] for rank in ranks]
    answer: dict[str, Any] = {"ranks": dense}
    if plan.protocol == "pairwise" and dense:
        answer = {"choice": _CHOICES[dense[0] - dense[1]]}
    seconds = ranking.info.get("active_seconds", ranking.info.get("duration", 0.0))
    is_time = isinstance(seconds, int | float) and 0 <= seconds <= _LONGEST
    active = int(seconds * 1000) if is_time else 0
    screen = _one_segment(plan, ranking.segment, slots)
    kind = _kind(ranking.info.get("judge_kind"))
    if not dense:
        skip = {"reason": "other"}
        return FinishedJudgment(ranking.judge, screen, "skip", skip, active, judge_kind=kind)
    checked = _checked(plan, answer, len(slots))
    return FinishedJudgment(ranking.judge, screen, "answer", checked, active, judge_kind=kind)


def _one_segment(plan: Plan, segment: str, slots: tuple[Slot, ...]) -> PlannedScreen:
    """The screen of one segment; a table does not say what else of its document was on it."""
    payload = {"segments": [segment]} if plan.rules.is_document else None
    return PlannedScreen(segment, slots, strategy=IMPORTED, payload=payload)


def _checked(plan: Plan, answer: dict[str, Any], size: int) -> dict[str, Any]:
    """An answer to one segment in the normal form of the plan's protocol."""
    whole = {"segments": [answer]} if plan.rules.is_document else answer
    return plan.rules.validate(whole, size)


_CHOICES = {-1: "left", 0: "equal", 1: "right"}


def from_assessments(values: Assessments, plan: Plan, testset: TestSet) -> Imported:
    """Values of direct assessment as finished judgments, a screen of one text for each.

    Those of a campaign that marks errors come in with their spans; see ``spans_as_finished``.

    Rows of controls and rows without a value are left out.
    """
    if isinstance(plan.rules, Documented):
        finished, without = spans_as_finished(values, plan, testset)
        return Imported(tuple(finished), dict(without))
    if plan.protocol != "direct-assessment":
        raise DataError(f"a table of values is no {plan.protocol}; import records instead")
    known, left_out = _Known.of(testset), Counter[str]()
    found = []
    kinds = values.info.get("judge_kind", [None] * len(values))
    for (system, segment, judge, role, value), kind in zip(values.rows(), kinds, strict=True):
        if role in ("REF", "BAD", "CHK") or math.isnan(value):
            left_out["rows without a value" if math.isnan(value) else role] += 1
            continue
        known.check(segment, [system])
        if not value.is_integer():
            raise DataError(f"judge {judge!r} gave {value}; expected whole numbers from 0 to 100")
        answer = _checked(plan, {"scores": [int(value)]}, 1)
        screen = _one_segment(plan, segment, (Slot((system,)),))
        found.append(FinishedJudgment(judge, screen, "answer", answer, judge_kind=_kind(kind)))
    return Imported(tuple(found), dict(left_out))
