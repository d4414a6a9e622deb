"""Krippendorff's alpha: agreement of any number of judges, with values missing, on any scale."""

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement.judges.label_tables import coded, label_table
from rankwise.errors import DataError
from rankwise.types.named import check_choice

Level = Literal["nominal", "ordinal", "interval"]
LEVELS: tuple[Level, ...] = get_args(Level)
#: Cells of units by values, for each value given, that are counted without looking for empty ones.
_DENSE = 8


def krippendorff_alpha(table: ArrayLike, *, level: Level = "nominal") -> float:
    r"""Agreement of judges beyond chance on a table of labels, judges by units.

    .. math:: \alpha = 1 - \frac{D_o}{D_e}, \quad
              D_o = \frac{1}{n} \sum_u \frac{1}{m_u - 1} \sum_{i \ne j} \delta^2(x_{ui}, x_{uj}),
              \quad D_e = \frac{1}{n (n - 1)} \sum_{x \ne y} \delta^2(x, y)

    over the n values of units with :math:`m_u \ge 2` values. :math:`\delta^2` is 0 or 1 on a
    ``nominal`` scale, the squared difference on an ``interval`` scale, and the squared difference
    of mid-ranks on an ``ordinal`` one. A missing label is ``None`` or nan; nominal labels may be
    texts. Undefined (nan) if no unit has two values or all values are equal. Krippendorff (2004),
    Content Analysis, chapter 11.

    >>> round(krippendorff_alpha([[1, 2, 3, None], [1, 2, 2, 5]]), 4)
    0.5455
    """
    check_choice("krippendorff_alpha", "level", level, LEVELS)
    labels, present = label_table(table)
    values = labels[present]
    if level == "nominal":
        values = coded(values)
    elif values.dtype == object:
        raise DataError(f"labels are not numbers; the {level} alpha needs numbers")
    return alpha_of_values(np.nonzero(present)[1], values, level=level)


def alpha_of_values(
    unit: NDArray[np.integer[Any]], value: NDArray[Any], *, level: Level = "nominal"
) -> float:
    """Alpha of ``value[k]`` given to ``unit[k]``; see :func:`krippendorff_alpha`.

    >>> round(alpha_of_values(np.array([0, 0, 1, 1, 2, 2]), np.array([1, 1, 2, 2, 3, 2])), 4)
    0.5455
    """
    check_choice("alpha", "level", level, LEVELS)
    size = np.bincount(unit)
    pairable = size[unit] > 1
    unit, value = (np.cumsum(size > 1) - 1)[unit[pairable]], value[pairable]
    if len(value) == 0 or (value == value[0]).all():
        return float("nan")
    if level == "nominal":
        observed, expected = _nominal(unit, value)
    else:
        observed, expected = _interval(unit, _mid_ranks(value) if level == "ordinal" else value)
    return 1 - (len(value) - 1) * observed / expected


def _nominal(unit: NDArray[Any], value: NDArray[Any]) -> tuple[float, float]:
    """Sums of disagreements of pairs within units, each over m - 1, and of all pairs."""
    values, code, totals = np.unique(value, return_inverse=True, return_counts=True)
    size = np.bincount(unit)
    cell = unit * len(values) + code
    if len(size) * len(values) <= _DENSE * len(value):
        counts = np.bincount(cell, minlength=len(size) * len(values)).astype(np.float64)
        alike = (counts**2).reshape(len(size), len(values)).sum(axis=1)
    else:  # many values: most cells are empty
        cells, some = np.unique(cell, return_counts=True)
        alike = np.bincount(cells // len(values), weights=some.astype(np.float64) ** 2)
    within = (size.astype(np.float64) ** 2 - alike) / (size - 1)
    total = float(len(value))
    return float(within.sum()), total**2 - float((totals.astype(np.float64) ** 2).sum())


def _interval(unit: NDArray[Any], value: NDArray[Any]) -> tuple[float, float]:
    """The same for squared differences, which follow from sums and sums of squares."""
    x = value.astype(np.float64)
    x = x - x.mean()
    size = np.bincount(unit)
    means = np.bincount(unit, weights=x) / size
    spread = np.bincount(unit, weights=(x - means[unit]) ** 2)
    return float((2 * size * spread / (size - 1)).sum()), 2 * len(x) * float(x @ x)


def _mid_ranks(value: NDArray[Any]) -> NDArray[np.float64]:
    """Half of the values that are equal come before, as Krippendorff's ordinal scale has it."""
    _, code, counts = np.unique(value, return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = (np.cumsum(counts) - counts / 2)[code]
    return ranks
