"""The native parser against all trees there are, and against a search of the whole stack."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from rankwise.text.trees.permutation import permutation_tree
from rankwise.text.trees.tree_counts import tree_counts
from reference import permutation as slow


@st.composite
def reordered(draw, most=90):
    """Permutations with structure: blocks of a sentence turned round or swapped, or a mess."""
    values = list(range(draw(st.integers(1, most))))
    if draw(st.integers(0, 4)) == 0:
        return draw(st.permutations(values))
    for _ in range(draw(st.integers(0, 8))):
        a, b, c = sorted(draw(st.integers(0, len(values))) for _ in range(3))
        turned = values[a:c][::-1] if draw(st.booleans()) else values[b:c] + values[a:b]
        values[a:c] = turned
    return values


def native_steps(values):
    return _core.permutation_steps(np.array(values, np.int32)).tolist()


@pytest.mark.parametrize("length", range(1, 8))
def test_every_permutation_is_parsed_like_the_search_of_the_whole_stack(length):
    for values in permutations(range(length)):
        assert slow.steps(values) == native_steps(values)


@given(reordered())
def test_longer_ones_too(values):
    assert slow.steps(values) == native_steps(values)


@pytest.mark.parametrize("length", range(1, 7))
def test_all_trees_are_counted_and_have_the_same_operators(length):
    for values in permutations(range(1, length + 1)):
        every = slow.trees(values)
        tree = permutation_tree(values)
        assert tree.count == len(every)
        kinds = Counter(slow.operators(every[0]))
        assert all(Counter(slow.operators(other)) == kinds for other in every)
        assert tree.monotone == kinds[1, 2]
        assert tree.inverted == kinds[2, 1]
        assert tree.four == kinds[2, 4, 1, 3] + kinds[3, 1, 4, 2]
        assert tree.larger == sum(n for key, n in kinds.items() if len(key) > 4)


@given(st.lists(reordered(), max_size=6))
def test_many_at_once_give_what_each_gives_alone(rows):
    starts = np.cumsum([0, *map(len, rows)])
    counts = tree_counts(np.array([value for row in rows for value in row], np.int64), starts)
    for k, row in enumerate(rows):
        tree = permutation_tree(row)
        nodes = [tree.monotone, tree.inverted, tree.four, tree.larger]
        assert counts.rows[k].tolist() == [len(row), slow.inversions(row), *nodes]
        trees = int(counts.mantissas[k] * 2**53) * 2.0 ** (int(counts.exponents[k]) - 53)
        assert trees == pytest.approx(tree.count, rel=1e-14)
