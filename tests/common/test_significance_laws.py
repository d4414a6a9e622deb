"""Laws of resampling that hold for any rows and any metric."""

from itertools import permutations

import numpy as np
import pytest

from rankwise.significance import (
    MeanScore,
    bootstrap,
    paired_bootstrap,
    paired_randomisation,
    percentile_intervals,
    ranked,
    resample,
)


class Ratio:
    """A corpus metric: 100 * matches / length."""

    signature = "ratio"

    def score(self, rows):
        return 100 * rows[..., 0] / rows[..., 1]


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(11)
    lengths = random.integers(5, 30, 120)
    rates = {"A": 0.5, "B": 0.52, "C": 0.6, "D": 0.5}
    return {name: np.stack([random.binomial(lengths, p), lengths], 1) for name, p in rates.items()}


def p_values_of(rows, **options):
    """p-values of both tests, by pair of names."""
    found = {}
    shared = {key: options[key] for key in ("seed", "groups") if key in options}
    drawn = bootstrap(rows, Ratio(), samples=200, **shared)
    for test in (
        paired_bootstrap(drawn),
        paired_randomisation(rows, Ratio(), samples=200, **options),
    ):
        for left, right, p in zip(test.left, test.right, test.p_values, strict=True):
            key = frozenset((test.systems[left], test.systems[right]))
            found.setdefault(key, []).append(p)
    return found


def test_the_order_of_systems_is_irrelevant(rows):
    expected, board = p_values_of(rows), ranked(bootstrap(rows, Ratio()))
    for order in list(permutations(rows))[::5]:
        shuffled = {name: rows[name] for name in order}
        assert expected == p_values_of(shuffled)
        other = ranked(bootstrap(shuffled, Ratio()))
        assert board.systems == other.systems
        np.testing.assert_array_equal(board.rank_low, other.rank_low)
        np.testing.assert_array_equal(board.rank_high, other.rank_high)


def test_other_systems_do_not_change_a_pair(rows):
    pair = frozenset("AB")
    assert p_values_of(rows)[pair] == p_values_of({name: rows[name] for name in "AB"})[pair]


def test_seeds_decide(rows):
    assert p_values_of(rows, seed=4) == p_values_of(rows, seed=4)
    assert p_values_of(rows, seed=4) != p_values_of(rows, seed=5)
    assert p_values_of(rows, seed=0) == p_values_of(rows, seed=0)  # sacreBLEU: 0 means no seed


def test_a_group_per_item_is_no_grouping(rows):
    alone = [f"document {number}" for number in range(120)]
    assert p_values_of(rows) == p_values_of(rows, groups=alone)


def test_rows_may_be_scattered_within_their_groups(rows):
    groups = np.repeat(np.arange(12), 10)
    # Each group's first row stays in front of the later groups' rows; all others move.
    order = np.concatenate(
        [np.arange(0, 120, 10), np.setdiff1d(np.arange(120)[::-1], np.arange(0, 120, 10))]
    )
    moved = {name: array[order] for name, array in rows.items()}
    assert p_values_of(rows, groups=groups) == p_values_of(moved, groups=groups[order])


def test_identical_systems_cannot_be_told_apart(rows):
    twins = {"A": rows["A"], "twin": rows["A"].copy(), "C": rows["C"]}
    assert p_values_of(twins)[frozenset(("A", "twin"))] == [1.0, 1.0]
    board = ranked(bootstrap(twins, Ratio()))
    place = {name: position for position, name in enumerate(board.systems)}
    low, high = (bound[[place["A"], place["twin"]]] for bound in (board.rank_low, board.rank_high))
    assert low[0] == low[1] < high[0] == high[1]
    assert board.clusters[place["A"]] == board.clusters[place["twin"]]


def test_inputs_are_unchanged(rows):
    before = {name: array.copy() for name, array in rows.items()}
    p_values_of(rows, groups=np.arange(120) // 7)
    for name, array in rows.items():
        np.testing.assert_array_equal(before[name], array)


def test_the_size_of_blocks_does_not_matter(rows, monkeypatch):
    expected = p_values_of(rows)
    monkeypatch.setattr(resample, "_BLOCK", 1)
    assert expected == p_values_of(rows)


def test_fractions_and_whole_numbers_agree(rows):
    eighths = {name: array / 8 for name, array in rows.items()}  # exact in binary
    assert p_values_of(rows) == p_values_of(eighths)
    floats = {name: array.astype(np.float32) for name, array in rows.items()}
    assert p_values_of(rows) == p_values_of(floats)


def test_every_result_says_where_it_comes_from(rows):
    drawn = bootstrap(rows, Ratio(), samples=10, seed=3)
    assert drawn.signature.startswith("ratio bootstrap:samples=10:seed=3:unit=item:version=")
    for result in (paired_bootstrap(drawn), percentile_intervals(drawn), ranked(drawn)):
        assert "samples=10:seed=3" in result.signature


# -- are the statements true? Simulated data, where the truth is known. -------------------------


def normal_rows(random, size, mean=0.0):
    return np.stack([random.normal(mean, 1, size), np.ones(size)], axis=1)


def test_intervals_cover_the_truth_as_often_as_they_say():
    random, covered = np.random.default_rng(1), 0
    for _ in range(400):
        drawn = bootstrap({"A": normal_rows(random, 60)}, MeanScore(), samples=400)
        found = percentile_intervals(drawn, level=0.9)
        covered += bool(found.low[0] <= 0 <= found.high[0])
    assert 0.85 < covered / 400 < 0.94  # 0.9 +- 3 standard deviations, slightly low by theory


def test_randomisation_rarely_sees_what_is_not_there():
    random, alarms = np.random.default_rng(2), 0
    for _ in range(400):
        rows = {name: normal_rows(random, 40) for name in "AB"}
        alarms += bool(paired_randomisation(rows, MeanScore(), samples=400).p_values[0] < 0.05)
    assert 0.017 < alarms / 400 < 0.083  # 0.05 +- 3 standard deviations


@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_a_clear_difference_is_found(test):
    random = np.random.default_rng(3)
    rows = {"A": normal_rows(random, 200), "B": normal_rows(random, 200, 0.5)}
    if test == "bootstrap":
        p_values = paired_bootstrap(bootstrap(rows, MeanScore())).p_values
    else:
        p_values = paired_randomisation(rows, MeanScore()).p_values
    assert p_values[0] < 0.005


def test_documents_that_hang_together_widen_the_interval():
    # Deviation 1 between documents of 10 and .1 within: the mean of 300 varies as that of 30.
    random = np.random.default_rng(4)
    values = np.repeat(random.normal(0, 1, 30), 10) + random.normal(0, 0.1, 300)
    rows = {"A": np.stack([values, np.ones(300)], axis=1)}
    found = (
        percentile_intervals(bootstrap(rows, MeanScore(), groups=groups))
        for groups in (None, np.repeat(np.arange(30), 10))
    )
    single, grouped = (float(one.high[0] - one.low[0]) for one in found)
    assert grouped / single == pytest.approx(10**0.5, rel=0.15)
