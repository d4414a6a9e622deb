"""How two lists of scores of the same things agree: correlations and pairwise accuracy.

In all of them a thing without both scores (nan) is left out, and the result is nan where it is
undefined; nothing is replaced by 0.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise import _core
from rankwise.errors import DataError

Vector = NDArray[np.float64]


def pearson(first: ArrayLike, second: ArrayLike) -> float:
    r"""Linear correlation.

    .. math:: r = \frac{\sum_i (x_i - \bar x)(y_i - \bar y)}
              {\sqrt{\sum_i (x_i - \bar x)^2 \sum_i (y_i - \bar y)^2}}

    Undefined (nan) for fewer than two things or when one list is constant. Pearson (1895).

    >>> round(pearson([1, 2, 3], [1, 2, 4]), 4)
    0.982
    """
    x, y = _both(first, second)
    if _is_constant(x) or _is_constant(y):
        return float("nan")
    x, y = _direction(x), _direction(y)
    return min(1.0, max(-1.0, float(x @ y)))


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Correlation of ranks: Pearson's of the ranks, where ties share the mean of their ranks.

    Undefined (nan) for fewer than two things or when one list is constant. Spearman (1904).

    >>> round(spearman([1, 2, 3, 4], [10, 20, 40, 30]), 4)
    0.8
    """
    x, y = _both(first, second)
    return pearson(_mid_ranks(x), _mid_ranks(y))


def kendall(first: ArrayLike, second: ArrayLike) -> float:
    r"""Kendall's tau-b over all pairs of things.

    .. math:: \tau_b = \frac{C - D}{\sqrt{(P - T_x)(P - T_y)}}

    of P pairs C are ordered alike, D oppositely, and :math:`T_x`, :math:`T_y` are tied in the first
    and in the second list. *Ties* in either list are neither in C nor in D. Undefined (nan) for
    fewer than two things or when one list is constant. Kendall (1945), Biometrika 33.

    >>> kendall([1, 2, 3, 4], [1, 2, 4, 3])
    0.6666666666666666
    """
    counts = _count_pairs(*_both(first, second))
    untied = counts.untied_first * counts.untied_second
    if untied == 0:
        return float("nan")
    return (counts.concordant - counts.discordant) / math.sqrt(untied)


def pairwise_accuracy(predicted: ArrayLike, gold: ArrayLike) -> float:
    r"""The share of pairs of systems that both lists put in the same order.

    .. math:: \text{acc} = |\{i < j : \text{sign}(x_i - x_j) = \text{sign}(y_i - y_j)\}| / P

    *Ties*: a pair tied in one list agrees only if it is tied in the other; pairs tied in *gold*
    count among the P. Undefined (nan) for fewer than two systems. Kocmi et al. (2021), WMT.

    >>> pairwise_accuracy([0.3, 0.2, 0.1], [70, 71, 50])
    0.6666666666666666
    """
    counts = _count_pairs(*_both(predicted, gold))
    if counts.pairs == 0:
        return float("nan")
    return (counts.concordant + counts.tied_in_both) / counts.pairs


@dataclass(frozen=True, slots=True)
class _PairCounts:
    pairs: int
    concordant: int
    discordant: int
    untied_first: int
    untied_second: int
    tied_in_both: int


def _count_pairs(x: Vector, y: Vector) -> _PairCounts:
    """Exact counts over all pairs, in O(n log n)."""
    starts = np.array([0, len(x)], np.int64)
    counts = _core.pair_counts(np.ascontiguousarray(x), np.ascontiguousarray(y), starts)[0]
    concordant, discordant, first_ties, second_ties, both = (int(n) for n in counts[1:6])
    ordered = concordant + discordant
    pairs = ordered + first_ties + second_ties + both
    return _PairCounts(
        pairs, concordant, discordant, ordered + second_ties, ordered + first_ties, both
    )


def _both(first: ArrayLike, second: ArrayLike) -> tuple[Vector, Vector]:
    """Two lists as vectors, without the things that lack a score in either."""
    x, y = _vector(first), _vector(second)
    if len(x) != len(y):
        raise DataError(f"{len(x)} and {len(y)} scores; expected two lists over the same things")
    present = ~(np.isnan(x) | np.isnan(y))
    return x[present], y[present]


def _vector(values: ArrayLike) -> Vector:
    array: NDArray[Any] = np.asarray(values, np.float64)
    if array.ndim != 1:
        raise DataError(f"scores have shape {array.shape}; expected one list of numbers")
    if np.isinf(array).any():
        raise DataError("a score is infinite; expected finite numbers, nan where there is none")
    return array


def _is_constant(values: Vector) -> bool:
    return len(values) < 2 or bool((values == values[0]).all())


def _direction(values: Vector) -> Vector:
    """The centred vector scaled to length 1, without overflow."""
    centred = values - values.mean()
    centred = centred / np.abs(centred).max()
    direction: Vector = centred / np.sqrt(centred @ centred)
    return direction


def _mid_ranks(values: Vector) -> Vector:
    """Ranks from 1; equal values share the mean of their ranks."""
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(sizes)
    ranks: Vector = (last - (sizes - 1) / 2)[group]
    return ranks
