"""Resamples of few items scatter too little; Student's t says by how much.

A bootstrap knows the deviation of n items as if it were that of all there are: resamples scatter by
the root of (n - 1) / n less than they should, and normal quantiles stand where those of t with
n - 1 degrees of freedom should. From 20 items on it hardly matters.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Of so many items or more resamples are taken as they are.
FEW = 20


def level_of_few(level: float, items: int) -> float:
    r"""The share of the resampled scores of few items that makes an interval of *level*.

    .. math:: 1 - 2\,\Phi\bigl(-\sqrt{n / (n - 1)}\; t_{(1 + \text{level}) / 2,\, n - 1}\bigr)

    The expanded percentile interval of Hesterberg (2015), The American Statistician.

    >>> level_of_few(0.95, 20), round(level_of_few(0.95, 10), 4)
    (0.95, 0.9829)
    """
    if not 2 <= items < FEW:
        return level
    from scipy import special  # slow to import, and most test sets are larger

    student = special.stdtrit(items - 1, (1 + level) / 2)
    outside = 2 * special.ndtr(-np.sqrt(items / (items - 1)) * student)
    return float(1 - max(outside, 1e-9))  # of two items everything that was drawn


def p_values_of_few(p_values: ArrayLike, items: int) -> NDArray[np.float64]:
    """Two-sided p-values of a bootstrap of few items, below a level where its interval says so.

    >>> p_values_of_few([0.05, 1.0], 20), p_values_of_few([1 - level_of_few(0.95, 6)], 6).round(6)
    (array([0.05, 1.  ]), array([0.05]))
    """
    given = np.asarray(p_values, np.float64)
    if not 2 <= items < FEW:
        return given
    from scipy import special

    normal = -special.ndtri(given / 2)
    student = normal / np.sqrt(items / (items - 1))
    return np.asarray(2 * special.stdtr(items - 1, -student), np.float64)
