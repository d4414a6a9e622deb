"""Permutation trees: how the words of a translation are moved, from small blocks to large ones.

A permutation tree (PET) takes a permutation apart into operators that cannot be taken apart: every
node covers neighbours whose values are neighbours too. A node has two children in order (monotone)
or swapped (inverted), four as <2,4,1,3> or <3,1,4,2>, or more; never three. Zhang and Gildea
(2007), SSST; Stanojević and Sima'an (2014), BEER.
"""

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.errors import DataError
from rankwise.text.trees.tree_drawing import DrawnTree, drawing, svg

T = TypeVar("T")

_MONOTONE, _INVERTED = (1, 2), (2, 1)


@dataclass(frozen=True)
class PermutationTree:
    """The tree of a permutation that branches to the left where there is a choice.

    ``labels`` are the leaves' names, the values unless words were given. ``steps`` builds the tree:
    0 takes the next leaf, k joins the last k nodes. Print it to see it.

    >>> tree = permutation_tree([5, 7, 4, 6, 3, 1, 2])
    >>> tree.monotone, tree.inverted, tree.four, tree.larger, tree.count
    (1, 2, 1, 0, 2)
    """

    values: tuple[int, ...]
    labels: tuple[str, ...]
    steps: tuple[int, ...]

    @property
    def monotone(self) -> int:
        """Nodes with two children in order."""
        return self._operators[_MONOTONE]

    @property
    def inverted(self) -> int:
        """Nodes with two children swapped."""
        return self._operators[_INVERTED]

    @property
    def four(self) -> int:
        """Nodes with four children."""
        return sum(count for key, count in self._operators.items() if len(key) == 4)

    @property
    def larger(self) -> int:
        """Nodes with more than four children."""
        return sum(count for key, count in self._operators.items() if len(key) > 4)

    @property
    def inversions(self) -> int:
        """Pairs in the wrong order."""
        ranks = _ranks(self.values)
        return int(_core.permutation_counts(ranks, _starts([len(ranks)]))[0][0, 1])

    @cached_property
    def count(self) -> int:
        """How many trees the permutation has.

        Runs of one binary operator may be bracketed in any way: c children in Catalan(c - 1) ways.

        >>> permutation_tree(range(500)).count == catalan(499)
        True
        """
        return self.fold(lambda _: _Forest(), _Forest.joined).total

    @property
    def brackets(self) -> str:
        """The tree on one line.

        >>> permutation_tree([2, 1, 4, 3]).brackets
        '<1,2>(<2,1>(2 1) <2,1>(4 3))'
        """
        return self.fold(
            lambda place: self.labels[place],
            lambda key, children: f"{_name(key)}({' '.join(children)})",
        )

    def __str__(self) -> str:
        """A drawing.

        >>> print(permutation_tree([5, 7, 4, 6, 3, 1, 2]))
                  <2,1>
                ┌───┴────┐
              <2,1>    <1,2>
            ┌───┴───┐   ┌┴─┐
        <2,4,1,3>   3   1  2
        ┌──┬┴─┬──┐
        5  7  4  6
        """
        return drawing(self._drawn)

    def svg(self) -> str:
        """A drawing as an SVG element."""
        return svg(self._drawn, title=f"Permutation tree of {' '.join(self.labels)}")

    @cached_property
    def _operators(self) -> Counter[tuple[int, ...]]:
        found: Counter[tuple[int, ...]] = Counter()
        self.fold(lambda _: None, lambda key, _: found.update([key]))
        return found

    @property
    def _drawn(self) -> DrawnTree:
        return self.fold(
            lambda place: DrawnTree(self.labels[place]),
            lambda key, children: DrawnTree(_name(key), tuple(children)),
        )

    def fold(
        self,
        leaf: Callable[[int], T],
        node: Callable[[tuple[int, ...], Sequence[T]], T],
    ) -> T:
        """The value of the root: *leaf* of a position, *node* of an operator and its children."""
        stack: list[tuple[int, T]] = []
        place = 0
        for children in self.steps:
            if children == 0:
                stack.append((self.values[place], leaf(place)))
                place += 1
                continue
            joined = stack[-children:]
            del stack[-children:]
            lowest = [low for low, _ in joined]
            order = sorted(lowest)
            key = (
                tuple(order.index(low) + 1 for low in lowest) if children < 64 else _pattern(lowest)
            )
            stack.append((order[0], node(key, [value for _, value in joined])))
        return stack[0][1]


@dataclass(frozen=True)
class _Forest:
    """All trees of a part of a permutation, without those of the run of one operator at its top."""

    key: tuple[int, ...] = ()
    run: int = 1
    below: int = 1

    @property
    def total(self) -> int:
        return self.below * catalan(self.run - 1)

    @staticmethod
    def joined(key: tuple[int, ...], children: Sequence["_Forest"]) -> "_Forest":
        first, *rest = children
        below = 1
        for child in rest:
            below *= child.total
        if len(key) == 2 and first.key == key:
            return _Forest(key, first.run + 1, first.below * below)
        return _Forest(key, 2 if len(key) == 2 else 1, first.total * below)


def catalan(n: int) -> int:
    """The number of ways to bracket n + 1 things in pairs.

    >>> [catalan(n) for n in range(6)]
    [1, 1, 2, 5, 14, 42]
    """
    return comb(2 * n, n) // (n + 1)


def permutation_tree(values: Iterable[int], labels: Sequence[str] | None = None) -> PermutationTree:
    """The tree of a permutation; *labels* name its leaves, the values unless given.

    Only the order of the values counts, so that they may begin anywhere and have gaps; a value that
    comes twice is an error, and so is no value at all.

    >>> permutation_tree([2, 4, 1, 3]).four
    1
    """
    numbers = tuple(operator.index(value) for value in values)
    if not numbers:
        raise DataError("a permutation without values has no tree; expected at least one")
    if len(set(numbers)) < len(numbers):
        twice = next(value for value, count in Counter(numbers).items() if count > 1)
        raise DataError(f"the permutation has {twice} more than once; expected different values")
    names = tuple(str(value) for value in numbers) if labels is None else tuple(labels)
    if len(names) != len(numbers):
        raise DataError(f"{len(names)} labels for {len(numbers)} values; expected one each")
    steps = _core.permutation_steps(_ranks(numbers))
    return PermutationTree(numbers, names, tuple(steps.tolist()))


def _name(key: tuple[int, ...]) -> str:
    return f"<{','.join(map(str, key))}>"


def _pattern(values: Sequence[int]) -> tuple[int, ...]:
    return tuple((_ranks(values) + 1).tolist())


def _ranks(values: Sequence[int]) -> NDArray[np.int32]:
    """Places among the values in order, from 0."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = np.empty(len(values), np.int32)
    ranks[order] = np.arange(len(values), dtype=np.int32)
    return ranks


def _starts(lengths: Any) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
