r"""Judgments over time, their pace, and when the goal is reached if it stays as it is.

With :math:`c_1 \ldots c_m` screens in the last m whole hours, days or weeks, the pace is
their mean, and what is left takes :math:`\text{remaining} / \bar c` of them. The interval draws the
m counts with replacement. It is a forecast of the same judges at the same pace, no more: nothing is
known about who stops tomorrow.
"""

from collections.abc import Sequence

import numpy as np

from rankwise.server.campaign.ask.document_windows import windows
from rankwise.server.campaign.launch.estimate import estimate
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import LEVEL, plain
from rankwise.server.campaign.standings.contents import PacePanel
from rankwise.server.campaign.standings.evenness import IMPORTED
from rankwise.server.records import StoredJudgment
from rankwise.types import TestSet

_HOUR = 3_600_000
_DAY = 24 * _HOUR
#: How long a unit is, and up to what length of the campaign it is used.
_UNITS = (("hour", _HOUR, 3 * _DAY), ("day", _DAY, 120 * _DAY), ("week", 7 * _DAY, None))
#: Milliseconds of every unit.
UNIT_MS = {name: length for name, length, _ in _UNITS}
#: The pace is that of so many units at most, and of so many at least.
RECENT, ENOUGH = {"hour": 72, "day": 14, "week": 4}, 3
_RUNS = 1000
_CENTURY = 36_525 * _DAY


def pace(
    plan: Plan, testset: TestSet, current: Sequence[StoredJudgment], *, seed: int
) -> PacePanel:
    """The panel; *current* are judgments of people that were not revised.

    Tutorials and imported judgments are left out. The goal is that of the check list: a limit of
    the stop rule, or the estimate for this plan.
    """
    times = [
        judgment.received_at
        for judgment in current
        if judgment.role != "tutorial" and judgment.strategy != IMPORTED
    ]
    active = [one.active_ms for one in current if one.role != "tutorial"]
    asked = estimate(plan, len(testset.systems), segments=_segments(plan, testset))
    left = max(0, asked.judgments - len(active))
    panel: PacePanel = {
        "n": len(times),
        "unit": "hour",
        "start": None,
        "last": None,
        "counts": [],
        "recent": 0,
        "rate": None,
        "target": asked.judgments,
        "goal": asked.goal,
        "remaining": left,
        "finish": None,
        "finish_low": None,
        "finish_high": None,
        "hours_done": sum(active) / _HOUR,
        "hours_left": left * sum(active) / len(active) / _HOUR if active else None,
    }
    return plain(_over_time(panel, sorted(times), left, seed))


def _segments(plan: Plan, testset: TestSet) -> float:
    """How many segments a screen has, in the mean."""
    if not plan.rules.is_document:
        return 1.0
    return len(testset) / max(1, len(windows(testset, plan.window).testset))


def _over_time(panel: PacePanel, times: Sequence[int], left: int, seed: int) -> PacePanel:
    if not times:
        return panel
    span = times[-1] - times[0]
    unit, length = next((name, size) for name, size, most in _UNITS if most is None or span < most)
    start = times[0] // length * length
    counts = np.bincount((np.array(times) - start) // length)
    whole = counts[:-1] if len(counts) > ENOUGH else counts  # the last one is not over
    recent = whole[-RECENT[unit] :]
    found: PacePanel = {
        **panel,
        "unit": unit,
        "start": start,
        "last": times[-1],
        "counts": counts.tolist(),
        "recent": len(recent),
        "rate": float(recent.mean() * _DAY / length),
    }
    if left == 0 or len(recent) < ENOUGH or not recent.any():  # after a break there is no pace
        return found
    random = np.random.default_rng((seed, 11))
    drawn = random.choice(recent, (_RUNS, len(recent))).mean(axis=1)
    slow, fast = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    found["finish"] = _after(times[-1], left * length, recent.mean())
    if found["finish"] is not None:
        found["finish_low"] = _after(times[-1], left * length, fast)
        found["finish_high"] = _after(times[-1], left * length, slow)
    return found


def _after(last: int, way: int, speed: float) -> int | None:
    """When a way is done; None where it takes over a century, of which nobody can speak."""
    return last + int(way / speed) if way < speed * _CENTURY else None
