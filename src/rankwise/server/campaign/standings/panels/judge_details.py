"""What the page of one judge shows: how values and times are spread, and how much was marked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.span_rules import UNSPACED
from rankwise.server.campaign.shares import plain
from rankwise.server.campaign.standings.contents import DetailsPanel, JudgeDetail
from rankwise.server.campaign.standings.verdicts import slot_values
from rankwise.server.records import StoredJudgment
from rankwise.types import TestSet

#: The seconds between which times of screens are counted.
TIMES = (5, 10, 20, 40, 80, 160, 320, 640, 1280)
#: Up to so many different values each has a bin of its own.
_FEW, _BINS = 12, 10


@dataclass(slots=True)
class _Answers:
    """What one judge answered, screens of work and repeats."""

    values: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    units: int = 0

    def add(self, other: "_Answers") -> None:
        self.values += other.values
        self.seconds += other.seconds
        self.errors += other.errors
        self.units += other.units


def judge_details(plan: Plan, testset: TestSet, current: Sequence[StoredJudgment]) -> DetailsPanel:
    """Every judge in detail; ranks are values, 1 is best. Controls and tutorials are left out."""
    unit = "character" if plan.target_language.split("-")[0] in UNSPACED else "word"
    sizes = _sizes(plan, testset, unit)
    judges: dict[str, _Answers] = {}
    for judgment in current:
        if judgment.kind == "answer" and judgment.role in ("work", "repeat"):
            _count(plan, judgment, judges.setdefault(judgment.judge, _Answers()), sizes)
    everybody = _Answers()
    for answers in judges.values():
        everybody.add(answers)
    bins = _Bins.of(everybody.values)
    panel: DetailsPanel = {
        "unit": unit,
        "value_bins": bins.names,
        "time_bins": _time_names(),
        "everybody": _detail(everybody, bins),
        "judges": {name: _detail(own, bins) for name, own in sorted(judges.items())},
    }
    return plain(panel)


def _sizes(plan: Plan, testset: TestSet, unit: str) -> Mapping[tuple[str, str], int]:
    """How many words or characters every output has, where errors are marked."""
    if not plan.rules.is_document:
        return {}
    return {
        (system, segment.id): len(text.split()) if unit == "word" else len(text)
        for system, column in testset.outputs.items()
        for segment, text in zip(testset.segments, column, strict=True)
        if text is not None
    }


def _count(
    plan: Plan,
    judgment: StoredJudgment,
    found: _Answers,
    sizes: Mapping[tuple[str, str], int],
) -> None:
    rules = plan.rules
    found.seconds.append(judgment.active_ms / 1000)
    for part in rules.parts(judgment):
        values = slot_values(rules, part)
        found.values += [abs(value) for value in values] if not rules.is_scalar else values
        if isinstance(rules, Documented):
            for slot, spans in zip(part.slots, part.answer["spans"], strict=True):
                found.errors.update(span["severity"] for span in spans)
                found.units += sizes.get((slot.systems[0], part.segment or ""), 0)


@dataclass(frozen=True, slots=True)
class _Bins:
    """Single values where there are few, else ranges between ``ends``; the last holds its end."""

    ends: tuple[float, ...]
    are_values: bool

    @classmethod
    def of(cls, values: Sequence[float]) -> "_Bins":
        known = sorted(set(values))
        if len(known) <= _FEW:
            return cls(tuple(known), are_values=True)
        low, high = known[0], known[-1]
        if low >= 0 and 10 < high <= 100:
            low, high = 0.0, 100.0
        return cls(tuple(np.linspace(low, high, _BINS + 1).tolist()), are_values=False)

    @property
    def names(self) -> list[str]:
        if self.are_values:
            return [f"{value:g}" for value in self.ends]
        return [f"{low:g}–{high:g}" for low, high in pairwise(self.ends)]

    def shares(self, values: Sequence[float]) -> list[float]:
        """The share of values in every bin."""
        if self.are_values:
            counts = Counter(values)
            return [counts[value] / max(1, len(values)) for value in self.ends]
        counted = np.histogram(values, self.ends)[0] / max(1, len(values))
        return [float(share) for share in counted]


def _time_names() -> list[str]:
    between = [f"{low}–{high} s" for low, high in pairwise(TIMES)]
    return [f"< {TIMES[0]} s", *between, f"> {TIMES[-1]} s"]


def _detail(found: _Answers, bins: _Bins) -> JudgeDetail:
    values, seconds = found.values, found.seconds
    slots = np.bincount(np.digitize(seconds, TIMES), minlength=len(TIMES) + 1)
    return {
        "n": len(values),
        "mean": float(np.mean(values)) if values else None,
        "deviation": float(np.std(values, ddof=1)) if len(values) > 1 else None,
        "values": bins.shares(values),
        "times": [float(share) for share in slots / max(1, len(seconds))],
        "screens": len(seconds),
        "errors": dict(found.errors),
        "units": found.units,
    }
