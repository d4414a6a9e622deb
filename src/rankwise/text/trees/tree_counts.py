"""Measures of word order from the trees of many permutations at once.

Two conventions. ``paper`` is what Stanojević and Sima'an (2014) print: nodes over the length of the
permutation, trees over those of the monotone permutation, Kendall's tau as a distance. ``beer-1.1``
is what their program computes: nodes over all nodes, trees without the one that every permutation
has, Kendall's tau as a similarity.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.errors import DataError
from rankwise.text.alignment import Aligned
from rankwise.types.named import check_choice

Convention = Literal["paper", "beer-1.1"]
CONVENTIONS = ("paper", "beer-1.1")

#: The columns of :meth:`TreeCounts.measures`.
MEASURES = ("kendall", "count", "monotone", "inverted", "four", "larger")

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]


@dataclass(frozen=True)
class TreeCounts:
    """What is counted of permutations, a row each; the number of trees is mantissa * 2^exponent.

    ``rows`` has the length, the inversions and the monotone, inverted, four-way and larger nodes.

    >>> counts = tree_counts(np.array([4, 6, 3, 5, 2, 0, 1, 0, 1]), np.array([0, 7, 9]))
    >>> counts.rows.tolist()
    [[7, 17, 1, 2, 1, 0], [2, 0, 1, 0, 0, 0]]
    >>> np.ldexp(counts.mantissas, counts.exponents)
    array([2., 1.])
    """

    rows: _Ints
    mantissas: _Floats
    exponents: _Ints

    def measures(self, convention: Convention = "paper") -> _Floats:
        """Kendall's tau, then the tree measures: a row per permutation, the columns ``MEASURES``.

        ``paper``: i / (n (n - 1) / 2) for i inversions of n words, T / C(n - 1) for T trees and
        Catalan's numbers C, and each kind of node / n; a single word has distance 0 and count 1.
        ``beer-1.1``: 1 - i / (n (n - 1) / 2), (T - 1) / (C(n - 1) - 1), and each kind of node / all
        nodes; what divides by zero is 0, but the count is 1 for one word and for two in order.
        A permutation of nothing has only zeros.

        >>> counts = tree_counts(np.array([0, 1, 2, 4, 3]), np.array([0, 5]))
        >>> counts.measures().round(4)
        array([[0.1   , 0.3571, 0.6   , 0.2   , 0.    , 0.    ]])
        >>> counts.measures("beer-1.1").round(4)
        array([[0.9   , 0.3077, 0.75  , 0.25  , 0.    , 0.    ]])
        """
        check_choice("tree measures", "convention", convention, CONVENTIONS)
        length, inversions, nodes = self.rows[:, :1], self.rows[:, 1:2], self.rows[:, 2:]
        distance = _ratio(inversions, length * (length - 1) / 2)
        if convention == "paper":
            columns = [distance, self._count_ratio[:, None], _ratio(nodes, length)]
        else:
            kendall = np.where(length > 1, 1 - distance, 0.0)
            total = nodes.sum(axis=1, keepdims=True)
            columns = [kendall, self._count_beyond_one[:, None], _ratio(nodes, total)]
        return np.hstack(columns)

    @cached_property
    def _most(self) -> "TreeCounts":
        """The counts of monotone permutations as long as these."""
        lengths, places = np.unique(self.rows[:, 0], return_inverse=True)
        starts = np.concatenate([[0], lengths.cumsum()])
        values = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        counts = tree_counts(values, starts)
        return TreeCounts(counts.rows[places], counts.mantissas[places], counts.exponents[places])

    @property
    def _count_ratio(self) -> _Floats:
        most = self._most
        ratio = np.ldexp(self.mantissas / most.mantissas, _shifts(self.exponents - most.exponents))
        return np.where(self.rows[:, 0] > 0, ratio, 0.0)

    @property
    def _count_beyond_one(self) -> _Floats:
        ours, our_shifts = _less_one(self)
        most, most_shifts = _less_one(self._most)
        length, monotone = self.rows[:, 0], self.rows[:, 2]
        ratio = np.ldexp(_ratio(ours, most), _shifts(our_shifts - most_shifts))
        in_order = (length == 1) | ((length == 2) & (monotone == 1))
        return np.where(length > 2, ratio, in_order.astype(np.float64))


def tree_counts(values: NDArray[np.integer], starts: NDArray[np.integer]) -> TreeCounts:
    """Counts of many permutations: the k-th is ``values[starts[k]:starts[k + 1]]``, from 0."""
    try:
        counts = _core.permutation_counts(
            np.ascontiguousarray(values, np.int32), np.ascontiguousarray(starts, np.int64)
        )
    except ValueError as error:
        raise DataError(f"tree counts: {error}") from None
    return TreeCounts(*counts)


def aligned_counts(aligned: Aligned) -> tuple[TreeCounts, _Ints]:
    """Counts of the orders of matched words, and the runs of unmatched words of each hypothesis.

    A permutation has the matched words of the reference, in the order of the hypothesis; all other
    words are left out, as in BEER.
    """
    lengths = np.ascontiguousarray(aligned.rows[:, 0])
    values, starts, runs = _core.word_orders(aligned.matches, aligned.match_starts, lengths)
    return tree_counts(values, starts), runs


def _ratio(numerator: NDArray[np.number], denominator: NDArray[np.number]) -> _Floats:
    """The quotient, 0 where it divides by zero."""
    zero = denominator == 0
    return np.where(zero, 0.0, numerator / np.where(zero, 1, denominator))


def _less_one(counts: TreeCounts) -> tuple[_Floats, _Ints]:
    """The number of trees but one; beyond 2^60 one makes no difference to a float."""
    small = counts.exponents <= 60
    exact = np.ldexp(counts.mantissas, _shifts(np.where(small, counts.exponents, 0))) - 1
    return np.where(small, exact, counts.mantissas), np.where(small, 0, counts.exponents)


def _shifts(exponents: _Ints) -> NDArray[np.int32]:
    """Exponents as numpy's ldexp takes them; a float ends long before these do."""
    return np.clip(exponents, -100_000, 100_000).astype(np.int32)
