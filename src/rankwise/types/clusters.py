"""From resampled scores to ranges of ranks, and from ranges of ranks to clusters of systems."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.leaderboard import Leaderboard

Ranks = NDArray[np.int64]


def leaderboard(
    systems: Sequence[str],
    scores: NDArray[Any],
    runs: NDArray[Any],
    *,
    level: float = 0.95,
    higher_is_better: bool = True,
    signature: str = "",
) -> Leaderboard:
    """Systems ordered by *scores*, with the rank ranges and clusters that *runs* leave to them.

    ``runs[r, s]`` is the score of system s in resample r. Systems with equal scores come in the
    order of their names.

    >>> runs = np.array([[3.0, 1.0, 2.0], [3.0, 2.0, 1.0], [3.0, 1.0, 2.0]])
    >>> board = leaderboard(["a", "b", "c"], np.array([3.0, 1.3, 1.7]), runs)
    >>> list(zip(board.systems, board.rank_low.tolist(), board.rank_high.tolist()))
    [('a', 1, 1), ('c', 2, 2), ('b', 3, 3)]
    """
    sign = -1.0 if higher_is_better else 1.0
    for system, score in zip(systems, scores, strict=True):
        if np.isnan(score):
            raise DataError(f"system {system!r} has no score and so no rank")
    better = -sign * runs
    low, high = rank_ranges(better, level=level)
    order = sorted(range(len(systems)), key=lambda s: (sign * scores[s], systems[s]))
    return Leaderboard(
        tuple(systems[s] for s in order),
        np.asarray(scores, np.float64)[order],
        low[order],
        high[order],
        clusters(low[order], high[order]),
        signature,
        deviations(runs[:, order]),
        boundary_support(better[:, order]),
        unsure_boundaries(better[:, order], level=level),
    )


def rank_ranges(runs: NDArray[Any], *, level: float = 0.95) -> tuple[Ranks, Ranks]:
    r"""The lowest and the highest rank of every system after cutting the extreme runs.

    ``runs[r, s]`` is the score of system s in run r; higher is better. At each end

    .. math:: \lceil R (1 - \text{level}) / 2 \rceil

    of the R runs are cut, at most so many that one run remains. *Ties*: systems with equal scores
    in a run share their ranks, the best of them counting for the lowest rank and the worst for the
    highest. A system without a score (nan) in a run may have any rank there. Koehn (2012), IWSLT;
    the number cut is that of the WMT scripts.

    >>> runs = np.array([[0.6, 0.4], [0.6, 0.4], [0.4, 0.6]] * 40)
    >>> rank_ranges(runs)
    (array([1, 1]), array([2, 2]))
    """
    if runs.ndim != 2 or runs.shape[0] == 0:
        raise DataError(f"resampled scores have shape {runs.shape}; expected (runs > 0, systems)")
    check_level(level)
    count = runs.shape[0]
    cut = min(math.ceil((count - count * level) / 2 - 1e-9), (count - 1) // 2)
    best, worst = _run_ranks(runs)
    return np.sort(best, axis=0)[cut], np.sort(worst, axis=0)[count - 1 - cut]


def _run_ranks(runs: NDArray[Any]) -> tuple[Ranks, Ranks]:
    """The best and the worst rank of every system in every run; equal scores share theirs."""
    best, worst = np.empty(runs.shape, np.int64), np.empty(runs.shape, np.int64)
    for system in range(runs.shape[1]):
        own = runs[:, system, np.newaxis]
        best[:, system] = 1 + (runs > own).sum(axis=1)
        worst[:, system] = runs.shape[1] - (runs < own).sum(axis=1)
    return best, worst


def clusters(rank_low: Ranks, rank_high: Ranks) -> Ranks:
    """Cluster numbers, from 1, of systems given best first with their rank ranges.

    A new cluster begins where every range above ends before every range below begins.

    >>> clusters(np.array([1, 2, 2, 4]), np.array([1, 3, 3, 4]))
    array([1, 2, 2, 3])
    """
    if len(rank_low) == 0:
        return np.empty(0, np.int64)
    worst_above = np.maximum.accumulate(rank_high)[:-1]
    best_below = np.minimum.accumulate(rank_low[::-1])[::-1][1:]
    return np.concatenate(([1], 1 + np.cumsum(worst_above < best_below))).astype(np.int64)


def deviations(runs: NDArray[Any]) -> NDArray[np.float64]:
    """Standard deviations of the systems' scores over runs; nan with fewer than two of them.

    Runs in which a system has no score (nan) are left out.

    >>> deviations(np.array([[1.0, 5.0], [3.0, 5.0]]))
    array([1.41421356, 0.        ])
    """
    counts = (~np.isnan(runs)).sum(axis=0)
    means = np.nansum(runs, axis=0) / np.maximum(1, counts)
    squares = np.nansum((runs - means) ** 2, axis=0)
    found: NDArray[np.float64] = np.full(runs.shape[1], np.nan)
    np.divide(squares, counts - 1, out=found, where=counts > 1)
    return np.sqrt(found)


def boundary_support(runs: NDArray[Any]) -> NDArray[np.float64]:
    """How often each boundary between systems, given best first, holds: a share of the runs.

    It holds in a run when no system above scores less than one below; *ties* do not break it, a
    system without a score (nan) does. Higher scores are better.

    >>> boundary_support(np.array([[3.0, 1.0, 2.0], [3.0, 2.0, 1.0]]))
    array([1. , 0.5])
    """
    worst_above = np.minimum.accumulate(runs, axis=1)[:, :-1]
    best_below = np.maximum.accumulate(runs[:, ::-1], axis=1)[:, ::-1][:, 1:]
    shares: NDArray[np.float64] = (worst_above >= best_below).mean(axis=0)
    return shares


def unsure_boundaries(runs: NDArray[Any], *, level: float = 0.95) -> NDArray[np.bool_]:
    r"""Which boundaries between systems, given best first, would come or go with another seed.

    A boundary is drawn where no system is on the wrong side of it in more than
    :math:`a = (1 - \text{level}) / 2` of the runs. The share :math:`c` of the system that crosses
    it most is known up to chance; the boundary is unsure where

    .. math:: |c - a| \le 2 \sqrt{a (1 - a) / R}

    with R runs: two standard errors of a share of :math:`a`. What no run crosses is sure. Higher
    scores are better.

    >>> runs = np.array([[3.0, 2.0, 1.0]] * 975 + [[3.0, 1.0, 2.0]] * 25)
    >>> unsure_boundaries(runs)
    array([False,  True])
    """
    cut = (1 - level) / 2
    best, worst = _run_ranks(runs)
    above = np.arange(1, runs.shape[1])  # so many systems stand above the boundary
    crossing = np.array(
        [
            max((worst[:, :n] > n).mean(axis=0).max(), (best[:, n:] <= n).mean(axis=0).max())
            for n in above.tolist()
        ],
        np.float64,
    )
    error = np.sqrt(cut * (1 - cut) / len(runs))
    unsure: NDArray[np.bool_] = (crossing > 0) & (np.abs(crossing - cut) <= 2 * error)
    return unsure


def check_level(level: float) -> None:
    """Raise unless *level* is the share of a central interval."""
    if not 0 < level < 1:
        raise DataError(f"level {level} is no share between 0 and 1; 0.95 means 95 %")
