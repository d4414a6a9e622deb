"""Permutation trees: values worked out by hand, laws, and what is refused."""

import math
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankwise as rw
from rankwise.text.trees.permutation import catalan, permutation_tree
from rankwise.text.trees.tree_counts import MEASURES, tree_counts

some = st.integers(1, 40).flatmap(lambda n: st.permutations(range(n)))


def test_the_tree_of_the_specification():
    tree = rw.permutation_tree([5, 7, 4, 6, 3, 1, 2])
    assert (tree.monotone, tree.inverted, tree.four, tree.larger) == (1, 2, 1, 0)
    assert tree.count == 2
    assert tree.brackets == "<2,1>(<2,1>(<2,4,1,3>(5 7 4 6) 3) <1,2>(1 2))"


def test_the_drawn_trees_of_the_paper():
    """Figures 1b and 1c of Stanojević and Sima'an (2014)."""
    assert str(permutation_tree([2, 1, 4, 3])).splitlines() == [
        "   <1,2>",
        "  ┌──┴───┐",
        "<2,1>  <2,1>",
        " ┌┴─┐   ┌┴─┐",
        " 2  1   4  3",
    ]
    assert str(permutation_tree([4, 3, 2, 1])).splitlines() == [
        "     <2,1>",
        "    ┌──┴──┐",
        "  <2,1>   1",
        "  ┌─┴──┐",
        "<2,1>  2",
        " ┌┴─┐",
        " 4  3",
    ]


def test_one_word_is_its_own_tree():
    tree = permutation_tree([7])
    assert (str(tree), tree.brackets, tree.count, tree.monotone) == ("7", "7", 1, 0)


@pytest.mark.parametrize("length", [3, 4, 10, 500, 2000])
def test_a_sentence_in_order_or_turned_round_has_all_bracketings(length):
    for values in (range(length), range(length)[::-1]):
        tree = permutation_tree(values)
        assert tree.count == math.comb(2 * length - 2, length - 1) // length == catalan(length - 1)
        assert tree.monotone + tree.inverted == length - 1


def test_a_long_tree_is_drawn():
    lines = str(permutation_tree(range(300))).splitlines()
    assert len(lines) == 2 * 299 + 1
    assert all("<1,2>" in line for line in lines[:-1:2])


def test_an_svg_is_well_formed_and_names_every_node():
    tree = permutation_tree([2, 4, 1, 3], ["<b>", "a & b", "c", "d"])
    root = ElementTree.fromstring(tree.svg())
    texts = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert sorted(texts) == sorted(["<2,4,1,3>", "<b>", "a & b", "c", "d"])
    assert root.get("role") == "img"


@pytest.mark.parametrize(
    ("values", "message"),
    [([], "at least one"), ([1, 2, 1], "has 1 more than once"), ([3, 3], "has 3 more than once")],
)
def test_what_is_no_permutation_is_refused(values, message):
    with pytest.raises(rw.DataError, match=message):
        permutation_tree(values)


def test_labels_are_one_each():
    with pytest.raises(rw.DataError, match="1 labels for 2 values"):
        permutation_tree([1, 2], ["a"])


@pytest.mark.parametrize("values", [[0, 0], [1, 2], [-1, 0], [0, 2]])
def test_the_core_refuses_what_is_no_permutation(values):
    with pytest.raises(rw.DataError, match="permutation 1 has not every number from 0 once"):
        tree_counts(np.array([0, *values]), np.array([0, 1, 3]))


@pytest.mark.parametrize("starts", [[], [0, 1], [1, 2], [0, 3], [0, 2, 1, 2]])
def test_the_core_refuses_starts_that_do_not_fit(starts):
    with pytest.raises(rw.DataError, match="do not fit"):
        tree_counts(np.array([0, 1]), np.array(starts, np.int64))


def measures(values, convention):
    rows = tree_counts(np.array(values, np.int64), np.array([0, len(values)])).measures(convention)
    return dict(zip(MEASURES, rows[0].tolist(), strict=True))


def test_both_conventions_by_hand():
    """1 2 3 5 4 has 5 of 14 trees, 1 of 10 pairs inverted, 3 monotone nodes and 1 inverted."""
    paper = {"kendall": 0.1, "count": 5 / 14, "monotone": 0.6, "inverted": 0.2}
    assert measures([0, 1, 2, 4, 3], "paper") == {**paper, "four": 0.0, "larger": 0.0}
    source = {"kendall": 0.9, "count": 4 / 13, "monotone": 0.75, "inverted": 0.25}
    assert measures([0, 1, 2, 4, 3], "beer-1.1") == {**source, "four": 0.0, "larger": 0.0}


@pytest.mark.parametrize(
    ("values", "kendall", "count"), [([], 0, 0), ([0], 0, 1), ([0, 1], 1, 1), ([1, 0], 0, 0)]
)
def test_short_sentences_in_beer(values, kendall, count):
    found = measures(values, "beer-1.1")
    assert (found["kendall"], found["count"]) == (kendall, count)


@pytest.mark.parametrize("values", [[], [0]])
def test_short_sentences_in_the_paper(values):
    assert measures(values, "paper")["count"] == len(values)
    assert sum(measures(values, "paper").values()) == len(values)


def test_long_sentences_do_not_overflow():
    turned = list(range(5000))[::-1]
    assert measures(turned, "paper")["count"] == 1
    mess = np.random.default_rng(1).permutation(5000).tolist()
    assert measures(mess, "paper")["count"] == 0  # a few of about 10^3000 trees
    assert measures([*range(250, 500), *range(250)], "beer-1.1")["count"] == pytest.approx(
        float((catalan(249) ** 2 - 1) / (catalan(499) - 1)), rel=1e-13
    )


@given(some)
def test_reading_backwards_swaps_monotone_and_inverted(values):
    tree, turned = permutation_tree(values), permutation_tree(values[::-1])
    assert (tree.monotone, tree.inverted) == (turned.inverted, turned.monotone)
    assert (tree.four, tree.larger, tree.count) == (turned.four, turned.larger, turned.count)


@given(some)
def test_the_inverse_has_as_many_nodes(values):
    tree = permutation_tree(values)
    inverse = permutation_tree(np.argsort(values).tolist())
    assert (tree.monotone, tree.inverted, tree.count) == (
        inverse.monotone,
        inverse.inverted,
        inverse.count,
    )


@given(some, st.integers(-5, 5), st.integers(1, 9))
def test_only_the_order_of_values_counts(values, first, gap):
    moved = permutation_tree([first + gap * value for value in values])
    assert permutation_tree(values).steps == moved.steps


@given(some)
def test_leaves_are_the_values_in_order(values):
    brackets = permutation_tree(values).brackets
    for mark in "()":
        brackets = brackets.replace(mark, " ")
    assert [int(w) for w in brackets.split() if not w.startswith("<")] == list(values)
