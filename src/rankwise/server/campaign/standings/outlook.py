r"""Are we done? What separates neighbouring systems now, and what it would take.

All of it is read off the posterior of the strengths (``aggregate.posterior``): a gap m between two
neighbours with variance v. They are separated once :math:`|m| \ge z \sqrt{v}`. A further comparison
of the two adds the information q, so that n of them leave the variance

.. math:: v_n = \frac{1}{1/v + n q}, \qquad n^* = \frac{(z/m)^2 - 1/v}{q}

and the projected number of screens is :math:`n^* (k + 1) / 3`, because the k (k - 1) / 2 pairs of a
screen are worth fewer. The mean is taken to stay where it is, so a projection is a forecast, not a
promise; where the gap is next to nothing there is none. The expected gain of the next screens is

.. math:: \sum \Phi\left(\frac{m - z\sqrt{v'}}{\sqrt{v - v'}}\right)
          + \Phi\left(\frac{-m - z\sqrt{v'}}{\sqrt{v - v'}}\right)

over the open boundaries, with v' the variance after the screens that the strategy would choose.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from rankwise.aggregate.asking.posterior import Evidence, Posterior, posterior
from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import LEVEL, QUANTILE, plain
from rankwise.server.campaign.standings.contents import (
    BoardRow,
    Boundary,
    DonePanel,
    LiveBoard,
    StopState,
)
from rankwise.types import Judgments
from rankwise.types.named import parse

#: Beyond so many screens a projection says no more than "not with this test set".
FARTHEST = 1_000_000
METHOD = (
    "Two neighbours are separated when the gap between their strengths is 1.96 standard deviations "
    "of the posterior (Bradley-Terry with ties). Support: the probability that every system above "
    "the line is better than every system below it. Projected: the screens with both that separate "
    "them if the gap stays as it is; the range is that of a gap one deviation wider or smaller."
)
VALUE_METHOD = (
    "Two neighbours are separated when the gap between their means is 1.96 standard errors. "
    "Support: the share of resamples in which every system above the line is better than every "
    "system below it. Projected: the values of both together that separate them if the gap stays "
    "as it is."
)
#: How many screens ahead the expected gain looks.
AHEAD = 100


def ranking_outlook(
    plan: Plan, judgments: Judgments, systems: tuple[str, ...], *, done: int, seed: int
) -> DonePanel:
    """The panel "are we done?" of a campaign that ranks; *done* judgments count for its limit."""
    k = min(plan.k, len(systems))
    if len(systems) < 2:
        return _nothing(plan, done)
    known = posterior(Evidence.of(judgments, systems))
    board = known.leaderboard(level=LEVEL)
    boundaries = [
        _boundary(known, systems.index(above), systems.index(below), k)
        for above, below in pairwise(board.systems)
    ]
    support = [] if board.boundary_support is None else board.boundary_support.tolist()
    for found, share in zip(boundaries, support, strict=True):
        found["support"] = share
    for place, found in enumerate(boundaries):
        found["is_cluster_line"] = bool(board.clusters[place] != board.clusters[place + 1])
    panel: DonePanel = {
        "n": done,
        "level": LEVEL,
        "clusters": int(board.clusters.max(initial=0)),
        "systems": len(systems),
        "boundaries": boundaries,
        "next_100": _gain(plan, known, boundaries, k, seed),
        "stop": stop_state(plan, done, support),
        "method": METHOD,
    }
    return plain(panel)


def _nothing(plan: Plan, done: int) -> DonePanel:
    return {
        "n": done,
        "level": LEVEL,
        "clusters": 0,
        "systems": 0,
        "boundaries": [],
        "next_100": None,
        "stop": stop_state(plan, done, []),
        "method": METHOD,
    }


def _boundary(known: Posterior, above: int, below: int, k: int) -> Boundary:
    gap = float(known.mean[above] - known.mean[below])
    variance = float(known.variances[above, below])
    wide = QUANTILE * variance**0.5
    information = float(known.information[above, below])
    return {
        "above": known.systems[above],
        "below": known.systems[below],
        "gap": gap,
        "gap_low": gap - wide,
        "gap_high": gap + wide,
        "probability": float(ndtr(gap / variance**0.5)),
        "n": int(known.compared[above, below]),
        "is_separated": gap >= wide,
        "more": projected_screens(gap, variance, information, k),
        "low": projected_screens(gap + variance**0.5, variance, information, k),
        "high": projected_screens(gap - variance**0.5, variance, information, k),
        "support": None,
        "is_cluster_line": False,
    }


def projected_screens(gap: float, variance: float, information: float, k: int) -> int | None:
    """How many more screens separate two systems: 0 if they are, ``None`` if out of reach.

    >>> projected_screens(0.5, 0.01, 0.25, 5), projected_screens(0.1, 0.01, 0.25, 5)
    (0, 2274)
    """
    if gap >= QUANTILE * variance**0.5:
        return 0
    if gap <= 0:
        return None
    if gap * gap * FARTHEST * information < QUANTILE**2:
        return None
    comparisons = ((QUANTILE / gap) ** 2 - 1 / variance) / information
    screens = int(np.ceil(comparisons * (k + 1) / 3))
    return screens if screens <= FARTHEST else None


def _gain(plan: Plan, known: Posterior, boundaries: list[Boundary], k: int, seed: int) -> float:
    """How many open boundaries the next screens of the plan's strategy are expected to close."""
    strategy, random = parse(plan.strategy, STRATEGIES), np.random.default_rng((seed, 5))
    allowed: NDArray[np.bool_] = ~np.eye(len(known), dtype=np.bool_)
    later = known
    for _ in range(AHEAD):
        later = later.expecting_screens([strategy.screen(later, k, allowed, random)])
    expected = 0.0
    for found in (boundary for boundary in boundaries if not boundary["is_separated"]):
        pair = known.systems.index(found["above"]), known.systems.index(found["below"])
        expected += _chance(found["gap"], known.variances[pair], later.variances[pair])
    return expected


def _chance(gap: float, now: float, then: float) -> float:
    wander, bar = max(now - then, 1e-12) ** 0.5, QUANTILE * then**0.5
    return float(ndtr((gap - bar) / wander) + ndtr((-gap - bar) / wander))


def stop_state(plan: Plan, done: int, support: list[float]) -> StopState:
    """Whether the plan's stop rule holds, and in words why, or what is missing."""
    rule, said, reached = plan.stop, [], False
    if rule.max_judgments is not None:
        said.append(f"{done:,} of at most {_counted(rule.max_judgments, 'judgment')}")
        reached |= done >= rule.max_judgments
    if rule.boundary_support is not None:
        weak = [share for share in support if share < rule.boundary_support]
        sure = len(support) - len(weak)
        said.append(
            f"{sure} of {_counted(len(support), 'boundary', 'boundaries')} "
            f"{'is' if 1 in (sure, len(support)) else 'are'} {100 * rule.boundary_support:g} % sure"
        )
        reached |= bool(support) and not weak and done > 0
    sentence = "; ".join(said) or "the plan has no stop rule"
    return {"is_met": reached, "sentence": sentence[0].upper() + sentence[1:] + "."}


def _counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun: ``1 judgment``, ``2 judgments``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def value_outlook(plan: Plan, board: LiveBoard, *, done: int) -> DonePanel:
    r"""The panel for values: neighbours by their intervals on the leaderboard.

    With standard errors a and b of two neighbours, both of n judgments, the gap m is expected to
    be :math:`z\sqrt{a^2 + b^2}` wide after :math:`n (z^2 (a^2 + b^2) / m^2 - 1)` more of each.
    """
    rows = board["rows"]
    boundaries = [_value_boundary(one, two) for one, two in pairwise(rows)]
    support = [row["support_below"] for row in rows[:-1] if row["support_below"] is not None]
    panel: DonePanel = {
        "n": done,
        "level": LEVEL,
        "clusters": board["clusters"],
        "systems": len(rows),
        "boundaries": boundaries,
        "next_100": None,
        "stop": stop_state(plan, done, support),
        "method": VALUE_METHOD,
    }
    return plain(panel)


def _value_boundary(above: BoardRow, below: BoardRow) -> Boundary:
    gap = above["score"] - below["score"]
    variance = _error(above) ** 2 + _error(below) ** 2
    n = min(above["n"], below["n"])
    more = np.nan
    if variance > 0 and gap > 0:
        more = max(0.0, n * (QUANTILE**2 * variance / gap**2 - 1))
    wide = QUANTILE * variance**0.5
    return {
        "above": above["system"],
        "below": below["system"],
        "gap": gap,
        "gap_low": gap - wide,
        "gap_high": gap + wide,
        "probability": float(ndtr(gap / variance**0.5)) if variance > 0 else None,
        "n": n,
        "is_separated": bool(gap >= wide),
        "more": None if np.isnan(more) or more > FARTHEST else int(np.ceil(2 * more)),
        "low": None,
        "high": None,
        "support": above["support_below"],
        "is_cluster_line": above["cluster"] != below["cluster"],
    }


def _error(row: BoardRow) -> float:
    """The standard error of a mean, from its interval; nan without one."""
    low, high = row["low"], row["high"]
    return float("nan") if low is None or high is None else (high - low) / (2 * QUANTILE)
