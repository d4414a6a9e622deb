"""The rows of several systems over the same items, as integers whose sums are exact."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types import ScoreTable

Rows = NDArray[Any]
Groups = Sequence[Hashable] | NDArray[Any]
_BITS = 62  # of an int64, what sums may use


class RowScorer(Protocol):
    """What a metric must offer here: a score of rows, vectorised over leading axes."""

    def score(self, rows: Rows, /) -> Any:
        """Scores of rows: a float for one row, an array for a stack of rows."""


@dataclass(frozen=True)
class MeanScore:
    r"""The mean of segment scores of any origin, as rows ``[score, 1]``.

    .. math:: \text{score} = \sum_i x_i / \sum_i 1

    A missing score (nan) is the row ``[0, 0]``; the mean of nothing is nan.

    >>> table = ScoreTable(("A",), ("1", "2", "3"), np.array([[0.5, np.nan, 1.0]]))
    >>> MeanScore().score(MeanScore.rows(table)["A"].sum(axis=0))
    0.75
    """

    higher_is_better: bool = True
    signature: ClassVar[str] = "mean"

    @staticmethod
    def rows(table: ScoreTable) -> dict[str, NDArray[np.float64]]:
        """Rows by system; what the functions of this stage take."""
        present = ~np.isnan(table.values)
        rows = np.stack([np.where(present, table.values, 0.0), present], axis=-1)
        return dict(zip(table.systems, rows, strict=True))

    def score(self, rows: Rows) -> Any:
        """Means of (sums of) rows, nan where nothing was counted."""
        rows = np.asarray(rows, np.float64)
        total, count = rows[..., 0], rows[..., 1]
        means = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
        return float(means) if means.ndim == 0 else means


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """Rows of systems, ``integers[item, system, column] * 2**-exponent``.

    Sums of integers are exact in any order, so that equal resamples have equal scores and results
    do not depend on the number of threads. Whole numbers are kept as they are (exponent 0); others
    are rounded to the finest power of two that leaves room for their sum.
    """

    systems: tuple[str, ...]
    integers: NDArray[np.int64]
    exponent: int
    is_whole: bool
    totals: Rows

    @classmethod
    def of(cls, rows: Mapping[str, Rows], groups: Groups | None = None) -> "Statistics":
        """The rows of named systems, added up within *groups* (one label per row) if given."""
        stacked = _stack(rows)
        is_whole = bool(np.issubdtype(stacked.dtype, np.integer))
        exponent = 0 if is_whole else _exponent(stacked)
        integers = _integers(stacked, exponent)
        if groups is not None:
            integers = _grouped(integers, groups)
        return cls(tuple(rows), integers, exponent, is_whole, stacked.sum(axis=0))

    @property
    def flat(self) -> NDArray[np.int64]:
        """One long row per item, all systems side by side."""
        return np.ascontiguousarray(self.integers.reshape(len(self.integers), -1))

    def shaped(self, sums: NDArray[np.int64]) -> NDArray[np.int64]:
        """Sums of long rows as (..., systems, columns)."""
        return sums.reshape(*sums.shape[:-1], *self.integers.shape[1:])

    def rescaled(self, sums: NDArray[np.int64]) -> Rows:
        """Sums of integers in the scale of the rows that were given."""
        return sums if self.is_whole else np.ldexp(sums.astype(np.float64), -self.exponent)


def _stack(rows: Mapping[str, Rows]) -> Rows:
    """Checked rows of all systems, (items, systems, columns)."""
    if not rows:
        raise DataError("no system to resample; expected rows of at least one")
    arrays = {name: np.asarray(array) for name, array in rows.items()}
    first, shape = next((name, array.shape) for name, array in arrays.items())
    for name, array in arrays.items():
        if array.ndim != 2 or array.shape[0] == 0:
            raise DataError(f"rows of {name!r} have shape {array.shape}; expected (items > 0, k)")
        if array.shape != shape:
            raise DataError(
                f"rows of {name!r} have shape {array.shape} but those of {first!r} {shape}; "
                "expected the same items for every system"
            )
        if array.dtype.kind not in "biuf":
            raise DataError(f"rows of {name!r} are {array.dtype}; expected numbers")
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            item = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
            raise DataError(f"row {item + 1} of {name!r} is not finite: {array[item].tolist()}")
    stacked = np.stack(list(arrays.values()), axis=1)
    return stacked.astype(np.int64) if stacked.dtype.kind == "b" else stacked


def _exponent(rows: Rows) -> int:
    if np.array_equal(rows, np.rint(rows)):
        return 0
    _, bits = math.frexp(float(np.abs(rows).max()) * len(rows))
    return _BITS - bits


def _integers(rows: Rows, exponent: int) -> NDArray[np.int64]:
    largest = max(float(rows.max(initial=0)), -float(rows.min(initial=0)))
    if math.ldexp(largest * len(rows), exponent) > 2.0**_BITS:
        raise DataError(f"{len(rows)} rows with values up to {largest:g} are too large to sum")
    scaled = rows if exponent == 0 else np.rint(np.ldexp(rows.astype(np.float64), exponent))
    return scaled.astype(np.int64, copy=False)


def _grouped(integers: NDArray[np.int64], groups: Groups) -> NDArray[np.int64]:
    """Rows added up within groups, the groups in the order of their first rows."""
    if len(groups) != len(integers):
        raise DataError(f"{len(groups)} group labels for {len(integers)} rows; expected one each")
    numbers: dict[Hashable, int] = {}
    codes = np.array([numbers.setdefault(label, len(numbers)) for label in groups], np.intp)
    order = np.argsort(codes, kind="stable")
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return np.add.reduceat(integers[order], starts, axis=0)
