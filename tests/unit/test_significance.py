"""Values of the significance stage worked out by hand, and what it refuses."""

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.significance import (
    Bootstrap,
    MeanScore,
    bootstrap,
    holm,
    paired_bootstrap,
    paired_randomisation,
    percentile_intervals,
    ranked,
)
from rankwise.significance.resample import bootstraps
from rankwise.significance.statistics import Statistics
from rankwise.types import ScoreTable
from rankwise.types.clusters import clusters, leaderboard, rank_ranges


def column(*values):
    return np.array([[value, 1] for value in values])


def resamples(*columns, scores=None):
    table = np.array(columns, float).T
    names = tuple("ABCDEFG"[: table.shape[1]])
    return Bootstrap(names, table.mean(axis=0) if scores is None else np.array(scores), table)


def test_holm_by_hand():
    # m = 4: .005 * 4, .01 * 3, .03 * 2, .04 * 1 raised to .06
    np.testing.assert_allclose([0.03, 0.06, 0.06, 0.02], holm([0.01, 0.04, 0.03, 0.005]))


def test_holm_of_undefined_equal_and_large_values():
    np.testing.assert_array_equal([np.nan, 0.04, 0.04], holm([np.nan, 0.02, 0.02]))
    np.testing.assert_array_equal([1.0, 1.0], holm([0.6, 0.9]))
    assert holm([]).shape == (0,)


def test_the_interval_cuts_the_same_number_at_both_ends():
    # 1000 scores 0..999: 25 cut at each end, as sacreBLEU's n // 40
    found = percentile_intervals(resamples(range(1000)))
    assert (found.low[0], found.high[0], found.means[0]) == (25.0, 974.0, 499.5)
    assert percentile_intervals(resamples(range(100)), level=0.9).low[0] == 5.0
    assert percentile_intervals(resamples(range(39))).low[0] == 0.0


def test_the_interval_of_a_skewed_score_is_asymmetric():
    skewed = np.arange(100.0) ** 4
    found = percentile_intervals(resamples(skewed))
    assert found.high[0] - found.means[0] > 2 * (found.means[0] - found.low[0])


def test_an_undefined_resample_makes_interval_and_test_undefined():
    found = resamples([1.0, np.nan, 2.0], [1.0, 1.5, 1.0], scores=[1.5, 1.2])
    intervals = percentile_intervals(found)
    assert np.isnan([intervals.low[0], intervals.high[0], intervals.means[0]]).all()
    assert not np.isnan(intervals.low[1])
    assert np.isnan(paired_bootstrap(found).p_values).all()


def test_a_system_without_a_score_in_a_run_may_have_any_rank_there():
    runs = np.array([[3.0, 2.0, 1.0], [3.0, np.nan, 1.0], [3.0, 2.0, 1.0]])
    low, high = rank_ranges(runs, level=0.1)  # one of three cut at each end
    assert (low.tolist(), high.tolist()) == ([1, 2, 3], [1, 2, 3])
    low, high = rank_ranges(runs[1:], level=0.5)  # none of two cut
    assert (low.tolist(), high.tolist()) == ([1, 1, 2], [2, 3, 3])
    with pytest.raises(DataError, match="system 'B' has no score"):
        leaderboard("ABC", np.array([1.0, np.nan, 2.0]), runs)


def test_paired_bootstrap_by_hand():
    # differences 1, .5, 0; less the observed .2: .8, .3, -.2, all as far as .2: (1 + 3) / (3 + 1)
    drawn = resamples([1, 1, 1], [2, 1.5, 1], scores=[1.0, 1.2])
    found = paired_bootstrap(drawn)
    assert found.p_values.tolist() == [1.0]
    assert found.difference.tolist() == [pytest.approx(0.2)]
    # their mean is .5; .5, 0, -.5 are left, one of them above .2: (1 + 1) / (3 + 1)
    assert paired_bootstrap(drawn, compat="sacrebleu").p_values.tolist() == [0.5]


def test_randomisation_of_one_item_changes_nothing_but_the_sign():
    rows = {"A": column(1), "B": column(2)}
    assert paired_randomisation(rows, MeanScore(), samples=9).p_values.tolist() == [1.0]
    theirs = paired_randomisation(rows, MeanScore(), samples=9, compat="sacrebleu")
    assert theirs.p_values.tolist() == [0.1]


def test_few_documents_are_tested_inclusively():
    # All 4 documents favour B by 1: of 2^4 shuffles, 2 are as extreme: p near 2 / 16, not 1 / 10001
    rows = {"A": column(*[1] * 8), "B": column(*[2] * 8)}
    documents = ["d1", "d1", "d2", "d2", "d3", "d3", "d4", "d4"]
    found = paired_randomisation(rows, MeanScore(), groups=documents)
    assert found.p_values[0] == pytest.approx(0.125, abs=0.01)
    assert "unit=group:inclusive=true" in found.signature


def test_all_pairs_or_a_baseline():
    rows = {name: column(*values) for name, values in {"A": "12", "B": "34", "C": "57"}.items()}
    rows = {name: array.astype(int) for name, array in rows.items()}
    every = paired_randomisation(rows, MeanScore(), samples=5)
    assert list(zip(every.left, every.right, strict=True)) == [(0, 1), (0, 2), (1, 2)]
    some = paired_bootstrap(bootstrap(rows, MeanScore(), samples=5), baseline="B")
    assert list(zip(some.left, some.right, strict=True)) == [(1, 0), (1, 2)]
    assert some.difference.tolist() == [-2.0, 2.5]
    assert len(some.holm) == len(some) == 2


def test_missing_scores_are_left_out_of_the_mean():
    table = ScoreTable(("A", "B"), ("1", "2"), np.array([[0.5, np.nan], [np.nan, np.nan]]))
    rows = MeanScore.rows(table)
    assert rows["A"].tolist() == [[0.5, 1.0], [0.0, 0.0]]
    assert MeanScore().score(rows["A"].sum(axis=0)) == 0.5
    assert np.isnan(MeanScore().score(rows["B"].sum(axis=0)))
    found = bootstrap(rows, MeanScore(), samples=20)
    assert found.scores[0] == 0.5
    assert np.isnan(found.scores[1])


def test_fractions_are_summed_to_full_precision():
    values = np.random.default_rng(0).normal(size=(1000, 3)) * [1, 100, 1e-3]
    statistics = Statistics.of({"A": values})
    sums = statistics.rescaled(statistics.integers.sum(axis=0))[0]
    np.testing.assert_allclose(sums, values.sum(axis=0), rtol=1e-10)


def test_rank_ranges_share_ties_and_cut_runs():
    runs = np.array([[3.0, 2.0, 2.0]] * 100)
    low, high = rank_ranges(runs)
    assert (low.tolist(), high.tolist()) == ([1, 2, 2], [1, 3, 3])
    # 100 runs: ceil(2.5) = 3 cut at each end, so 3 odd runs vanish and 4 do not
    for odd, expected in ((3, 1), (4, 2)):
        runs = np.array([[1.0, 0.0]] * (100 - odd) + [[0.0, 1.0]] * odd)
        assert rank_ranges(runs)[1][0] == expected
    assert rank_ranges(np.array([[1.0, 2.0]]))[0].tolist() == [2, 1]


def test_a_range_that_reaches_across_joins_clusters():
    # The first range reaches over the second to the third: one cluster (cluster.py would cut)
    assert clusters(np.array([1, 2, 3]), np.array([3, 2, 3])).tolist() == [1, 1, 1]
    assert clusters(np.array([], int), np.array([], int)).tolist() == []


def test_lower_may_be_better():
    runs = np.array([[1.0, 2.0]] * 50)
    board = leaderboard(["A", "B"], np.array([1.0, 2.0]), runs, higher_is_better=False)
    assert board.systems == ("A", "B")
    assert board.rank_low.tolist() == [1, 2]
    errors = bootstrap(
        {"A": column(5, 6), "B": column(1, 2)}, MeanScore(higher_is_better=False), samples=50
    )
    assert ranked(errors).systems == ("B", "A")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({}, "no system to resample"),
        ({"A": column(1), "B": column(1, 2)}, "same items for every system"),
        ({"A": np.ones(3)}, r"rows of 'A' have shape \(3,\)"),
        ({"A": np.empty((0, 2))}, r"expected \(items > 0, k\)"),
        ({"A": np.array([[1.0, 1.0], [np.nan, 1.0]])}, "row 2 of 'A' is not finite"),
        ({"A": np.array([["x", "y"]])}, "expected numbers"),
        ({"A": np.array([[2**62, 1], [2**62, 1]])}, "too large to sum"),
    ],
)
def test_bad_rows_are_refused(rows, message):
    with pytest.raises(DataError, match=message):
        bootstrap(rows, MeanScore())


def test_bad_options_are_refused():
    rows = {"A": column(1, 2), "B": column(2, 1)}
    with pytest.raises(DataError, match="unknown baseline 'C'; choose from A, B"):
        paired_bootstrap(bootstrap(rows, MeanScore(), samples=3), baseline="C")
    with pytest.raises(DataError, match="needs two or more"):
        paired_randomisation({"A": column(1)}, MeanScore())
    with pytest.raises(DataError, match="3 group labels for 2 rows"):
        bootstrap(rows, MeanScore(), groups=["a", "b", "c"])
    with pytest.raises(DataError, match="0 resamples"):
        bootstrap(rows, MeanScore(), samples=0)
    with pytest.raises(DataError, match="seed is -1"):
        bootstrap(rows, MeanScore(), seed=-1)
    with pytest.raises(DataError, match="level 95"):
        percentile_intervals(resamples([1, 2]), level=95)


def test_metrics_that_are_drawn_together_have_the_numbers_of_each_alone():
    random = np.random.default_rng(4)
    counts, more = (
        {name: random.integers(1, top, (600, 2)) for name in "AB"} for top in (50, 30_000)
    )
    means = {name: np.stack([random.random(600), np.ones(600)], axis=1) for name in "AB"}
    cases = [(rows, MeanScore()) for rows in (counts, means, more)]
    for groups in (None, [place // 3 for place in range(600)]):
        together = bootstraps(cases, samples=70, seed=8, groups=groups)
        for (rows, metric), found in zip(cases, together, strict=True):
            alone = bootstrap(rows, metric, samples=70, seed=8, groups=groups)
            assert alone.resampled.tolist() == found.resampled.tolist()
            assert (alone.scores.tolist(), alone.signature) == (
                found.scores.tolist(),
                found.signature,
            )
    assert len({tuple(found.resampled[:, 0].tolist()) for found in together}) == 3
