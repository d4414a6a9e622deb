"""Resamples of few items scatter too little; Student's t says by how much.

A bootstrap knows the deviation of n items as if it were that of all there are: resamples scatter by
the root of (n - 1) / n less than they should, and normal quantiles stand where those of t with
n - 1 degrees of freedom should. From 40 items on the correction fades, so that no number jumps
where one item more is counted; from 60 on it hardly matters.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.significance.intervals import Intervals, percentile_intervals
from rankwise.significance.resample import Bootstrap

#: Of so many items or more resamples are taken as they are.
FEW = 60
#: So many items that agree are the least whose chance, two-sided, is below .05: 2 / 2 ** 6.
LEAST = 6
#: Up to so many the correction is that of Student's t; between the two it fades.
FADES_FROM = 40


def level_of_few(level: float, items: int) -> float:
    r"""The share of the resampled scores of few items that makes an interval of *level*.

    .. math:: 1 - 2\,\Phi\bigl(-\sqrt{n / (n - 1)}\; t_{(1 + \text{level}) / 2,\, n - 1}\bigr)

    The expanded percentile interval of Hesterberg (2015), The American Statistician.

    From ``FADES_FROM`` items on n is larger than their number, and without end at ``FEW``.

    >>> level_of_few(0.95, 60), round(level_of_few(0.95, 10), 4), round(level_of_few(0.95, 50), 4)
    (0.95, 0.9829, 0.9539)
    """
    if not 2 <= items < FEW:
        return level
    from scipy import special  # slow to import, and most test sets are larger

    count = _counted(items)
    student = special.stdtrit(count - 1, (1 + level) / 2)
    outside = 2 * special.ndtr(-np.sqrt(count / (count - 1)) * student)
    return float(1 - max(outside, 1e-9))  # of two items everything that was drawn


def p_values_of_few(p_values: ArrayLike, items: int) -> NDArray[np.float64]:
    """Two-sided p-values of a bootstrap of few items, below a level where its interval says so.

    >>> p_values_of_few([0.05, 1.0], 60), p_values_of_few([1 - level_of_few(0.95, 6)], 6).round(6)
    (array([0.05, 1.  ]), array([0.05]))
    """
    given = np.asarray(p_values, np.float64)
    return given if not 2 <= items < FEW else 2 * one_sided_of_few(given / 2, items)


def one_sided_of_few(p_values: ArrayLike, items: int) -> NDArray[np.float64]:
    """The same of one-sided p-values: further from 0 and from 1, nan where they are.

    >>> one_sided_of_few([0.05, 0.5], 60), one_sided_of_few([0.01, 0.5, 0.99], 10).round(3)
    (array([0.05, 0.5 ]), array([0.027, 0.5  , 0.973]))
    """
    given = np.asarray(p_values, np.float64)
    if not 2 <= items < FEW:
        return given
    from scipy import special

    count = _counted(items)
    student = special.ndtri(given) / np.sqrt(count / (count - 1))
    return np.asarray(special.stdtr(count - 1, student), np.float64)


def intervals_of_few(
    resamples: Bootstrap, items: Sequence[int], *, level: float = 0.95
) -> Intervals:
    """The intervals of resampled scores, each wide enough for so many items.

    *items* says for every score how many items it stands on.

    >>> drawn = Bootstrap(("A", "B"), np.zeros(2), np.tile(np.linspace(-1, 1, 1001), (2, 1)).T)
    >>> intervals_of_few(drawn, [10, 60]).high
    array([0.984, 0.95 ])
    """
    low, high = np.full(len(items), np.nan), np.full(len(items), np.nan)
    found = percentile_intervals(resamples, level=level)
    for count in set(items):
        part = percentile_intervals(resamples, level=level_of_few(level, count))
        chosen = np.array(items) == count
        low, high = np.where(chosen, part.low, low), np.where(chosen, part.high, high)
    return replace(found, low=low, high=high)


def few_draws(draws: int, level: float, what: str) -> str | None:
    """A sentence where so few draws cannot lie outside a range of *level* on both of its sides.

    >>> few_draws(39, 0.95, "runs")
    '39 runs: ranges look surer than they are, as those of level 0.95 need 40 or more'
    >>> few_draws(40, 0.95, "runs") or few_draws(19, 0.9, "runs")
    '19 runs: ranges look surer than they are, as those of level 0.9 need 20 or more'
    """
    needed = math.ceil(2 / (1 - level) - 1e-6)
    if draws >= needed:
        return None
    counted = f"{draws} {what}" if draws != 1 else f"1 {what.removesuffix('s')}"
    return (
        f"{counted}: ranges look surer than they are, as those of level {level:g} need {needed} "
        "or more"
    )


def _counted(items: int) -> float:
    """For how many items few ones count: for more and more once the correction fades."""
    if items <= FADES_FROM:
        return float(items)
    return items * (FEW - FADES_FROM) / (FEW - items)
