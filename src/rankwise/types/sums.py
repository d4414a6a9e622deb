"""Sums of statistics that do not depend on how the rows are ordered or cut into parts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rankwise._lazy import LazyModule

if TYPE_CHECKING:  # these take longer to import than many a corpus to score
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")

#: A sum without rounding: of whole numbers, or of floats, each of which is a binary fraction.
Exact: TypeAlias = "int | Fraction"

_MANTISSA = 53  # bits of a double
_GRAIN = 2.0**32


def column_sums(rows: "NDArray[Any]") -> "NDArray[Any]":
    """The sum (k,) of rows (n, k), rounded once, at the end.

    >>> rows = np.array([[1e16], [1.0], [1.0]])  # one by one, both ones get lost
    >>> column_sums(rows) - 1e16, rows.sum(axis=0) - 1e16
    (array([2.]), array([0.]))
    """
    if _adds_exactly(rows):
        found: NDArray[Any] = rows.sum(axis=0)
        return found
    return as_row(exact_sums(rows))


def exact_sums(rows: "NDArray[Any]") -> list[Exact]:
    """The sum of every column of rows (n, k), without rounding; ints for a table of ints.

    >>> exact_sums(np.array([[0.5, 2.0], [0.25, 3.0]]))
    [Fraction(3, 4), Fraction(5, 1)]
    """
    if np.issubdtype(rows.dtype, np.integer):
        return [int(cell) for cell in rows.sum(axis=0)]
    from fractions import Fraction

    if _adds_exactly(rows):
        return [Fraction(float(cell)) for cell in rows.sum(axis=0)]
    return [_exact_sum(column) for column in rows.T]


def as_row(sums: Sequence[Exact]) -> "NDArray[Any]":
    """Sums as a row of statistics: int64, or the nearest doubles."""
    if all(isinstance(cell, int) for cell in sums):
        return np.array(sums, np.int64)
    return np.array([float(cell) for cell in sums])


def _adds_exactly(rows: "NDArray[Any]") -> bool:
    """Whether every partial sum is held: ints, or multiples of a grain far below 2^53 of it."""
    if np.issubdtype(rows.dtype, np.integer):
        return True
    with np.errstate(over="ignore"):  # what is too large here is too large to add plainly
        scaled = rows * _GRAIN
        is_small = np.abs(scaled).sum() < 2.0 ** (_MANTISSA - 1)
    return bool(is_small and (scaled == np.rint(scaled)).all())


def _exact_sum(column: "NDArray[Any]") -> "Fraction":
    """Mantissas are whole numbers; those of one exponent add up in two halves of 32 bits."""
    from fractions import Fraction

    share, exponents = np.frexp(np.asarray(column, np.float64))
    mantissas = (share * 2.0**_MANTISSA).astype(np.int64)
    total = Fraction(0)
    for exponent in np.unique(exponents).tolist():
        chosen = mantissas[exponents == exponent]
        high, low = int((chosen >> 32).sum()), int((chosen & 0xFFFFFFFF).sum())
        total += Fraction(2) ** (exponent - _MANTISSA) * ((high << 32) + low)
    return total
