"""What a measure says: a number, how it came about, and a reason where there is none."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.tables.score_cells import Cells
from rankwise.types.named import check_choice

AVERAGES = ("macro", "weighted")
UNDEFINED = ("skip", "zero")


@dataclass(frozen=True, slots=True)
class Value:
    """A value of agreement with what stands behind it.

    ``groups`` entered the mean; ``undefined`` groups have two cells or more but no value and were
    left out (or counted as 0, where that was asked for). ``cells`` had all scores, ``missing``
    lacked one. ``reason`` says why a value is nan.
    """

    value: float
    groups: int = 1
    undefined: int = 0
    cells: int = 0
    missing: int = 0
    reason: str = ""
    epsilon: float | None = None

    def __float__(self) -> float:
        return self.value


def averaged(
    values: NDArray[np.float64],
    cells: Cells,
    *,
    average: str = "macro",
    undefined: str = "skip",
    reason: str = "every group is constant",
) -> Value:
    """The mean of the values of groups, each counting once or (``weighted``) by its weight.

    The weight of a group is the number of its cells. Groups of one cell are no groups. *Undefined*
    values (nan) are left out, or 0 by ``undefined="zero"`` as some papers have it; both ways they
    are counted. The result is nan where nothing is left.
    """
    check_choice("measure", "average", average, AVERAGES)
    check_choice("measure", "undefined", undefined, UNDEFINED)
    is_group = cells.sizes >= 2
    is_defined = is_group & ~np.isnan(values)
    lacking = int(is_group.sum() - is_defined.sum())
    counted = is_group if undefined == "zero" else is_defined
    weight = np.where(counted, cells.sizes if average == "weighted" else 1, 0)
    counts = (lacking, len(cells), cells.missing)
    if not is_group.any():
        return Value(np.nan, 0, *counts, reason="no group has two scores")
    if not weight.sum():
        return Value(np.nan, 0, *counts, reason=reason)
    total = float((np.where(is_defined, values, 0.0) * weight).sum())
    return Value(total / int(weight.sum()), int(counted.sum()), *counts)
