"""Intra-set features: how a translation compares with the others that are ranked with it.

Duh (2008) gave 1 to the best translation of a set and 0 to the others: however hard the sentence,
such a feature has the same scale. Rank and z-score do the same with more to tell.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Every kind of comparison, and how its descriptions begin.
KINDS = {
    "best": "1 for the best of its group (all of them if tied), else 0",
    "rank": "the share of the others of its group that it beats, ties half, 0.5 alone",
    "z": "standard deviations above the mean of its group, 0 where all are equal",
}


@dataclass(frozen=True)
class Group:
    """Which items belong together: ``of_item`` is the number of each item's group."""

    of_item: NDArray[np.intp]
    sizes: NDArray[np.intp]

    @classmethod
    def of(cls, groups: Sequence[Hashable]) -> "Group":
        """Groups by their names; items of a group need not be neighbours."""
        numbers: dict[Hashable, int] = {}
        of_item = np.array([numbers.setdefault(g, len(numbers)) for g in groups], np.intp)
        return cls(of_item, np.bincount(of_item, minlength=len(numbers)))

    def sums(self, values: Floats) -> Floats:
        """The sum of each group, at each of its items."""
        totals: Floats = np.bincount(self.of_item, values, len(self.sizes)).astype(np.float64)
        return totals[self.of_item]

    @property
    def size_at(self) -> NDArray[np.intp]:
        """The size of each item's group."""
        return self.sizes[self.of_item]


def goodness(values: Floats, ideal: float) -> Floats:
    """Values turned so that more is better: as they are, negated, or by distance from *ideal*."""
    if np.isinf(ideal):
        return values if ideal > 0 else -values
    return -np.abs(values - ideal)


def relative(values: Floats, group: Group, kind: str, ideal: float = np.inf) -> Floats:
    """How each value compares with those of its group; ``KINDS`` says what the kinds are.

    >>> group = Group.of(["s1", "s1", "s1", "s2"])
    >>> values = np.array([0.2, 0.5, 0.5, 0.9])
    >>> relative(values, group, "best"), relative(values, group, "rank")
    (array([0., 1., 1., 1.]), array([0.  , 0.75, 0.75, 0.5 ]))
    >>> relative(values, group, "z").round(3)
    array([-1.414,  0.707,  0.707,  0.   ])
    """
    compared = values if kind == "z" else goodness(values, ideal)
    return _COMPARE[kind](compared, group)


def _best(values: Floats, group: Group) -> Floats:
    highest = np.full(len(group.sizes), -np.inf)
    np.maximum.at(highest, group.of_item, values)
    return np.asarray(values == highest[group.of_item], np.float64)


def _rank(values: Floats, group: Group) -> Floats:
    """From the places of equal values in the sorted group: the first and the last of a run."""
    order = np.lexsort((values, group.of_item))
    sorted_values, sorted_groups = values[order], group.of_item[order]
    changes = np.flatnonzero(
        (sorted_values[1:] != sorted_values[:-1]) | (sorted_groups[1:] != sorted_groups[:-1])
    )
    first = np.concatenate([[0], changes + 1])
    lengths = np.diff(np.concatenate([first, [len(values)]]))
    middle = np.repeat(first + (lengths - 1) / 2, lengths)
    group_first = np.concatenate([[0], np.cumsum(group.sizes)[:-1]])
    beaten = np.empty(len(values))
    beaten[order] = middle - group_first[sorted_groups]
    others = group.size_at - 1
    return np.where(others == 0, 0.5, beaten / np.maximum(others, 1))


def _z(values: Floats, group: Group) -> Floats:
    size = group.size_at
    centred = values - group.sums(values) / size
    deviation = np.sqrt(group.sums(centred**2) / size)
    # Rounding leaves crumbs where all values are equal; they must not become whole deviations.
    tiny = 1e-12 * np.maximum(1.0, np.abs(values))
    return np.where(deviation > tiny, centred / np.where(deviation > 0, deviation, 1.0), 0.0)


_COMPARE: dict[str, Callable[[Floats, Group], Floats]] = {"best": _best, "rank": _rank, "z": _z}
