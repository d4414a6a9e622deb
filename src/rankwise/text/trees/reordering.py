"""Scores of word order, from 0 to 1 for words in order: one permutation at a time.

What BEER 1.1 offers as measures of reordering beside its features. Stanojević and Sima'an (2014),
Evaluating Word Order Recursively over Permutation-Forests, SSST.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rankwise.text.trees.permutation import PermutationTree, catalan, permutation_tree
from rankwise.text.trees.tree_counts import tree_counts

Floats = NDArray[np.float64]


def reordering_scores(values: Sequence[int], *, beta: float = 0.6) -> dict[str, float]:
    r"""Ten scores of a permutation by name.

    ``kendall`` and ``spearman`` are rank correlations moved to [0, 1], ``hamming`` the share of
    words in their place, ``ulam`` (l - 1) / (n - 1) for the longest l words in order, ``fuzzy`` the
    share of neighbours that stay neighbours in order. ``tree_count`` is the share of permutation
    trees, ``tree_size`` the share of tree nodes, ``tree_arity`` how few children nodes have on the
    average (rounded down, as in BEER). ``forest`` is recursive: *beta* for a monotone node, and
    1 - *beta* times the mean of its children weighted by their words; the average over all trees,
    scaled so that words in reverse have 0. ``best_tree`` is the best tree's instead.

    A single word has 1, but 0 where a score divides by n - 1; two words have ``tree_arity`` 0.

    >>> scores = reordering_scores([1, 2, 3, 5, 4])
    >>> round(scores["kendall"], 4), round(scores["fuzzy"], 4), round(scores["forest"], 4)
    (0.9, 0.5, 0.9346)
    """
    tree = permutation_tree(values)
    length = len(tree.values)
    ranks = np.argsort(np.argsort(tree.values))
    measures = tree_counts(ranks, np.array([0, length])).measures("beer-1.1")[0]
    return {
        "kendall": float(measures[0]),
        "spearman": _spearman(ranks),
        "hamming": float((ranks == np.arange(length)).mean()),
        "ulam": (_longest_rise(ranks.tolist()) - 1) / (length - 1) if length > 1 else 0.0,
        "fuzzy": _kept_neighbours(ranks.tolist()) / (length - 1) if length > 1 else 0.0,
        "tree_count": float(measures[1]),
        "tree_size": _size(tree),
        "tree_arity": _arity(tree),
        "forest": _scaled(tree, beta, _mean),
        "best_tree": _scaled(tree, beta, _highest),
    }


def _spearman(ranks: NDArray[np.intp]) -> float:
    length = len(ranks)
    if length < 2:
        return 0.0
    squares = ((ranks - np.arange(length)) ** 2).sum()
    return float(1 - 3 * squares / (length * (length**2 - 1)))


def _longest_rise(ranks: Sequence[int]) -> int:
    """The length of the longest rising subsequence."""
    ends: list[int] = []  # the smallest end of a rise of each length
    for rank in ranks:
        place = bisect_left(ends, rank)
        ends[place : place + 1] = [rank]
    return len(ends)


def _kept_neighbours(ranks: Sequence[int]) -> int:
    return sum(second == first + 1 for first, second in pairwise(ranks))


def _size(tree: PermutationTree) -> float:
    nodes, length = sum(step > 0 for step in tree.steps), len(tree.values)
    return (nodes - 1) / (length - 2) if length > 2 else 1.0


def _arity(tree: PermutationTree) -> float:
    arities, length = [step for step in tree.steps if step > 0], len(tree.values)
    if length < 3:
        return 1.0 if length == 1 else 0.0
    return (length - sum(arities) // len(arities)) / (length - 2)


# -- recursive scores ------------------------------------------------------------------------------

# From the values of all ways to split a run in two, and the number of children left of each.
_Choice = Callable[[Floats, int], float]


def _mean(values: Floats, children: int) -> float:
    """The average over all trees: a split has as many as both of its sides together."""
    ways = [catalan(left - 1) * catalan(children - left - 1) for left in range(1, children)]
    total = catalan(children - 1)
    return float(np.dot(values, [way / total for way in ways]))


def _highest(values: Floats, _: int) -> float:
    return float(values.max())


@dataclass(frozen=True)
class _Run:
    """A run of nodes of one operator: the scores and numbers of words of its children."""

    key: tuple[int, ...]
    scores: tuple[float, ...]
    words: tuple[int, ...]


def _scaled(tree: PermutationTree, beta: float, choice: _Choice) -> float:
    length = len(tree.values)
    if length == 1:
        return 1.0
    worst = _recursive(permutation_tree(range(length, 0, -1)), beta, choice)
    return (_recursive(tree, beta, choice) - worst) / (1 - worst)


def _recursive(tree: PermutationTree, beta: float, choice: _Choice) -> float:
    def joined(key: tuple[int, ...], children: Sequence[_Run]) -> _Run:
        first, *rest = children
        closed = [(_score(run, beta, choice), sum(run.words)) for run in rest]
        if len(key) == 2 and first.key == key:
            head = list(zip(first.scores, first.words, strict=True))
        else:
            head = [(_score(first, beta, choice), sum(first.words))]
        scores, words = zip(*head, *closed, strict=True)
        return _Run(key, scores, words)

    return _score(tree.fold(lambda _: _Run((), (1.0,), (1,)), joined), beta, choice)


def _score(run: _Run, beta: float, choice: _Choice) -> float:
    scores, words = np.array(run.scores), np.array(run.words)
    if len(run.key) != 2:
        return float(scores[0] if not run.key else (1 - beta) * (scores @ words) / words.sum())
    reward = beta if run.key == (1, 2) else 0.0
    before = np.concatenate([[0], words.cumsum()])
    count = len(words)
    best = np.zeros(
        (count + 1, count + 1)
    )  # weighted by words, from the first child to behind last
    for place in range(count):
        best[place, place + 1] = run.scores[place] * run.words[place]
    for children in range(2, count + 1):
        for first in range(count - children + 1):
            end = first + children
            splits = best[first, first + 1 : end] + best[first + 1 : end, end]
            size = before[end] - before[first]
            best[first, end] = reward * size + (1 - beta) * choice(splits, children)
    return float(best[0, count] / before[-1])
