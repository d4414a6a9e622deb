"""Permutation trees on BEER 1.1's numbers: all permutations of up to six, and some of up to 60."""

import json
from itertools import permutations

import numpy as np

from rankwise.text.trees.permutation import permutation_tree
from rankwise.text.trees.tree_counts import tree_counts
from shared_data import needs_shared, shared

pytestmark = needs_shared

PAPER = ("kendall_distance", "delta_count", "delta_mono", "delta_inv", "delta_eq4", "delta_gt4")
# What BEER calls our scores of reordering; it rounds those of the last row to single precision.
REORDERING = {
    **{"Kendall": "kendall", "Spearman": "spearman", "PEFsize_PETcount": "tree_count"},
    **{"PETsize": "tree_size", "PETarity": "tree_arity"},
    **{"PEFrecursive": "forest", "PETrecursiveViterbi": "best_tree"},
    **{"Hamming": "hamming", "Ulam": "ulam", "Fuzzy": "fuzzy"},
}
SOURCE = ("Kendall", "PETcount", "MonoNode", "InvNode", ".EQ.4", ".BT.4")


def golden():
    document = json.loads(shared("golden/pets.json").read_text())
    return document["permutations"] + document["extra"]


def test_trees_nodes_and_their_number():
    for entry in golden():
        tree, nodes = permutation_tree(entry["perm"]), entry["nodes"]
        assert tree.brackets == entry["tree"]
        assert tree.count == entry["pets"]
        assert tree.inversions == entry["inversions"]
        found = [tree.monotone, tree.inverted, tree.four, tree.larger]
        assert found == [nodes[kind] for kind in ("mono", "inv", "eq4", "gt4")]


def test_measures_of_both_conventions():
    entries = golden()
    values = np.concatenate([np.array(entry["perm"]) - 1 for entry in entries])
    starts = np.cumsum([0, *(len(entry["perm"]) for entry in entries)])
    counts = tree_counts(values, starts)
    paper = [[entry["paper"][name] for name in PAPER] for entry in entries]
    np.testing.assert_array_equal(counts.measures("paper"), paper)
    source = [[entry["source"][name] for name in SOURCE] for entry in entries]
    np.testing.assert_array_equal(counts.measures("beer-1.1"), source)


def test_how_many_permutations_of_each_length_have_which_nodes():
    document = json.loads(shared("golden/pets.json").read_text())
    for row in document["summary"]:
        trees = [permutation_tree(p) for p in permutations(range(row["n"]))]
        assert row["permutations"] == len(trees)
        assert row["sum_pets"] == sum(tree.count for tree in trees)
        assert row["with_gt4"] == sum(tree.larger > 0 for tree in trees)
