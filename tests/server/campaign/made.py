"""Campaigns made up from a seed: a plan, a test set and judgments of simulated judges."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import ScreenRole, Slot, StoredJudgment
from rankwise.types import Segment, TestSet


def make_plan(**keys: Any) -> Plan:
    base = {"name": "Made up", "source_language": "de", "target_language": "en"}
    return Plan.from_json(base | keys)


def make_testset(systems: int = 4, segments: int = 6, *, references: bool = True) -> TestSet:
    """Every system says something of its own about every segment."""
    texts = [
        Segment(
            str(n),
            f"quelle {n} mit worten",
            (f"reference number {n} is here",) if references else (),
            document=f"d{n // 3}",
            domain="news" if n % 2 else "talk",
        )
        for n in range(1, segments + 1)
    ]
    names = [f"s{n:02}" for n in range(systems)]
    outputs = {
        name: tuple(f"text {i} says {name[1:]} things of {n} kinds" for n in range(segments))
        for i, name in enumerate(names)
    }
    return TestSet(tuple(texts), outputs, "made", "de", "en")


def stored(
    number: int,
    systems: Sequence[str | Slot],
    answer: Mapping[str, Any],
    *,
    segment: str | None = "1",
    judge: str = "ann",
    role: ScreenRole = "work",
    **more: Any,
) -> StoredJudgment:
    """One judgment; systems are slots of their own unless slots are given."""
    slots = tuple(s if isinstance(s, Slot) else Slot((s,)) for s in systems)
    values: dict[str, Any] = {
        "id": number,
        "receipt": f"r{number:06}",
        "screen": number,
        "role": role,
        "repeats": None,
        "segment": segment,
        "slots": slots,
        "shown": tuple(range(len(slots))),
        "judge": judge,
        "is_excluded": False,
        "kind": "skip" if "reason" in answer else "answer",
        "answer": answer,
        "comment": None,
        "surplus": False,
        "supersedes": None,
        "shown_at": 1_700_000_000_000 + number * 60_000,
        "received_at": 1_700_000_030_000 + number * 60_000,
        "active_ms": 30_000,
        "probability": None,
        "strategy": "uniform",
        "seed": 1,
        "details": {},
    }
    return StoredJudgment(**(values | more))


def simulated(
    testset: TestSet,
    count: int,
    *,
    k: int = 5,
    judges: int = 6,
    protocol: str = "ranking",
    spread: float = 1.0,
    seed: int = 1,
    segments: Sequence[int] | None = None,
) -> list[StoredJudgment]:
    """Judges who see the true order of the systems (first is best) through noise."""
    random = np.random.default_rng(seed)
    size, places = len(testset.systems), segments if segments is not None else range(len(testset))
    truth = np.linspace(spread, -spread, size)
    chosen = random.random((count, size)).argsort(axis=1)[:, :k]
    noisy = truth[chosen] + random.gumbel(size=chosen.shape)
    ranks = (-noisy).argsort(axis=1).argsort(axis=1) + 1
    where = random.choice(np.asarray(list(places)), count)
    shown = random.random((count, k)).argsort(axis=1)
    active = random.gamma(4.0, 8000.0, count).astype(int) + 2000
    return [
        stored(
            row + 1,
            [testset.systems[code] for code in chosen[row]],
            _answer(protocol, ranks[row], noisy[row]),
            segment=testset.segments[where[row]].id,
            judge=f"j{random.integers(judges):02}",
            shown=tuple(shown[row].tolist()),
            active_ms=int(active[row]),
        )
        for row in range(count)
    ]


def _answer(protocol: str, ranks: Any, noisy: Any) -> dict[str, Any]:
    if protocol == "ranking":
        return {"ranks": ranks.tolist()}
    if protocol == "pairwise":
        return {"choice": "left" if ranks[0] < ranks[1] else "right"}
    if protocol == "direct-assessment":
        return {"scores": np.clip(50 + 12 * noisy, 0, 100).round().astype(int).tolist()}
    values = np.clip(3 + noisy, 1, 5).round().astype(int).tolist()
    return {"fluency": values, "adequacy": values}
