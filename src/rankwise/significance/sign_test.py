"""The sign test: whether preferences for one of two systems are more than a fair coin's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.errors import DataError
from rankwise.significance.holm import holm


@dataclass(frozen=True, slots=True, eq=False)
class SignTests:
    """Every pair of systems: ``wins[p]`` times ``systems[left[p]]`` was better than ``right[p]``.

    ``ties`` were set aside. ``p_values`` are two-sided, nan for pairs that never met.
    """

    systems: tuple[str, ...]
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    wins: NDArray[np.int64]
    losses: NDArray[np.int64]
    ties: NDArray[np.int64]
    p_values: NDArray[np.float64]

    @property
    def holm(self) -> NDArray[np.float64]:
        """The p-values corrected for the number of pairs tested."""
        return holm(self.p_values)

    def matrix(self, *, corrected: bool = True) -> NDArray[np.float64]:
        """The p-values (S, S), the same above and below a diagonal of nan."""
        values = np.full((len(self.systems), len(self.systems)), np.nan)
        values[self.left, self.right] = self.holm if corrected else self.p_values
        values[self.right, self.left] = values[self.left, self.right]
        return values

    def __len__(self) -> int:
        return len(self.p_values)


def sign_test(wins: ArrayLike, losses: ArrayLike) -> NDArray[np.float64]:
    r"""Two-sided exact binomial p-value of *wins* against *losses*, elementwise.

    .. math:: p = \min\Bigl(1,\; 2 \sum_{k=0}^{\min(w, l)} \binom{w + l}{k} 2^{-(w + l)}\Bigr)

    *Ties* do not enter: set them aside, and report how many there were. Without wins and losses
    p = 1. The comparisons are taken for independent, which those of one screen are not.
    Dixon and Mood (1946), JASA 41; R's ``binom.test(59, 100)`` has p-value = 0.08863.

    >>> float(sign_test(59, 41).round(5))
    0.08863
    """
    # Slow to import, and most users of this package test scores of metrics.
    from scipy.special import bdtr  # type: ignore[import-untyped]  # scipy ships no types

    won, lost = np.asarray(wins), np.asarray(losses)
    _check_counts(won)
    _check_counts(lost)
    tail = bdtr(np.minimum(won, lost).astype(np.float64), (won + lost).astype(np.int64), 0.5)
    return np.asarray(np.minimum(1.0, 2 * tail))


def sign_tests(systems: Sequence[str], wins: NDArray[Any], ties: NDArray[Any]) -> SignTests:
    """The sign test of every pair of systems, with Holm's correction at hand.

    *wins* (S, S) says how often row beat column, *ties* how often the two were tied; the diagonals
    do not matter. See :func:`sign_test`.

    >>> wins, ties = np.array([[0, 9, 8], [1, 0, 5], [2, 5, 0]]), np.zeros((3, 3), int)
    >>> tests = sign_tests(("A", "B", "C"), wins, ties)
    >>> tests.p_values.round(3), tests.holm.round(3)
    (array([0.021, 0.109, 1.   ]), array([0.064, 0.219, 1.   ]))
    """
    count = len(systems)
    if count < 2:
        raise DataError(f"{count} system; a paired test needs two or more")
    for name, matrix in (("wins", wins), ("ties", ties)):
        if matrix.shape != (count, count):
            raise DataError(f"{name} have shape {matrix.shape}; expected ({count}, {count})")
    _check_counts(ties)
    left, right = np.triu_indices(count, 1)
    won, lost, tied = wins[left, right], wins[right, left], ties[left, right]
    p_values = np.where(won + lost + tied > 0, sign_test(won, lost), np.nan)
    return SignTests(tuple(systems), left, right, won, lost, tied, p_values)


def _check_counts(counts: NDArray[Any]) -> None:
    if (counts < 0).any() or (counts != np.floor(counts)).any():
        raise DataError("a sign test takes whole numbers of comparisons from 0")
