"""rw.agree and what is underneath: names, ties, weights, undefined lists, intervals, blocks."""

import math

import numpy as np
import pytest

import rankwise as rw
from rankwise.agreement import Tau, list_measure
from rankwise.errors import DataError
from rankwise.evaluate.list_agreement import agree_in_blocks, compare_lists, list_values
from rankwise.significance import MeanScore, bootstrap, percentile_intervals
from rankwise.significance.few_items import level_of_few

PREDICTED = [[1, 2, 3], [1, 1, 2], [2, 1], [1, 2]]
GOLD = [[1, 3, 2], [1, 2, 3], [1, 2], [1, 1]]


def test_the_call_of_the_design():
    found = rw.agree(PREDICTED, GOLD, measures=["kendall", "mrr", "ndcg", "err"], ties="ceiling")
    assert found == rw.agree(PREDICTED, GOLD)
    assert list(found) == ["kendall", "mrr", "ndcg", "err"]
    assert found["kendall"] == pytest.approx((2 - 1 + 2 - 1 - 1) / 7)
    assert found["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 2 + 1) / 4)


def test_names_are_those_that_were_asked_for():
    found = rw.agree(PREDICTED, GOLD, ["ndcg:k=2", "ndcg@2", Tau(variant="b"), "err"])
    assert list(found) == ["ndcg:k=2", "ndcg@2", "kendall:variant=b", "err"]
    vector = rw.agree(PREDICTED, GOLD, ["bph@all"])
    assert vector == {"bph@1": 0.5, "bph@2": 0.5}


def test_ties_reach_measures_that_leave_them_open():
    floor = rw.agree(PREDICTED, GOLD, ["mrr", "mrr:ties=ceiling", "kendall"], ties="floor")
    assert floor["mrr"] == pytest.approx((1 + 1 + 1 / 2 + 1) / 4)
    assert floor["mrr:ties=ceiling"] == pytest.approx((1 + 1 / 2 + 1 / 2 + 1) / 4)
    assert floor["kendall"] == rw.agree(PREDICTED, GOLD)["kendall"]


def test_weights_make_weighted_means():
    weights = [1.0, 0.0, 2.0, 0.5]
    found = rw.agree(PREDICTED, GOLD, ["mrr", "kendall", "kendall:average=macro"], weights=weights)
    assert found["mrr"] == pytest.approx(np.average([1, 1 / 2, 1 / 2, 1], weights=weights))
    # Pairs: C - D is 1 of 3, weight 1; -1 of 1, weight 2.
    assert found["kendall"] == pytest.approx((1 - 2) / (3 + 2))
    assert found["kendall:average=macro"] == pytest.approx((1 / 3 - 2) / 3)
    doubled = rw.agree(PREDICTED, GOLD, ["kendall"], weights=[2] * 4)
    assert doubled == rw.agree(PREDICTED, GOLD, ["kendall"])


@pytest.mark.parametrize("weights", [[1], [1, 1, 1, -1], [1, 1, 1, math.nan]])
def test_weights_that_cannot_be(weights):
    with pytest.raises(DataError, match="expected 4 numbers, one per list, none below 0"):
        rw.agree(PREDICTED, GOLD, weights=weights)


def test_undefined_lists_are_counted_and_said():
    found = compare_lists(PREDICTED, GOLD, ["kendall", "mrr"], samples=0)
    tau, mrr = found.results
    assert (tau.lists, tau.undefined, tau.reason) == (4, 1, "no pair of items counts")
    assert (mrr.lists, mrr.undefined, mrr.reason) == (4, 0, "")
    assert list_values(PREDICTED, GOLD, ["kendall"])["kendall"].tolist() == pytest.approx(
        [1 / 3, 1 / 3, -1, math.nan], nan_ok=True
    )


def test_intervals_are_those_of_the_bootstrap_over_lists():
    found = compare_lists(PREDICTED, GOLD, ["kendall", "mrr"], samples=200, seed=5, level=0.9)
    rows = {"mrr": list_measure("mrr").statistics(PREDICTED, GOLD)}
    wide = level_of_few(0.9, len(GOLD))
    alone = percentile_intervals(bootstrap(rows, MeanScore(), samples=200, seed=5), level=wide)
    mrr = found.results[1]
    assert (mrr.low, mrr.high) == pytest.approx((alone.low[0], alone.high[0]))
    assert mrr.low < mrr.value < mrr.high
    assert found.signature.startswith("4 lists, 0.9 bootstrap:samples=200:seed=5")
    again = compare_lists(PREDICTED, GOLD, ["kendall", "mrr"], samples=200, seed=5, level=0.9)
    assert again.results[1] == mrr


def test_a_resample_without_a_value_leaves_no_interval():
    tau, mrr = compare_lists(PREDICTED[2:], GOLD[2:], ["kendall", "mrr"], samples=50).results
    assert tau.value == -1.0 and math.isnan(tau.low) and math.isnan(tau.high)
    assert mrr.low == 0.5


def test_many_lists_in_blocks():
    random = np.random.default_rng(4)
    predicted, gold = (random.integers(1, 5, (30_000, 4)) for _ in "pg")
    names = ["kendall", "kendall:average=macro", "ndcg", "bph@2"]
    whole = compare_lists(predicted, gold, names, samples=0)
    halves = agree_in_blocks(
        ((predicted[s], gold[s]) for s in (slice(0, 11_111), slice(11_111, None))), names
    )
    for one, other in zip(whole.results, halves.results, strict=True):
        assert (one.name, one.lists, one.undefined) == (other.name, other.lists, other.undefined)
        assert one.value == pytest.approx(other.value, rel=1e-12)
    assert whole.values["kendall"] == list_measure("kendall").micro(predicted, gold)


def test_no_blocks_and_what_blocks_cannot_know():
    empty = agree_in_blocks([], ["kendall"]).results[0]
    assert math.isnan(empty.value) and empty.lists == 0
    with pytest.raises(DataError, match="needs all lists at once"):
        agree_in_blocks([], ["bph@all"])
    with pytest.raises(DataError, match="no measure is named"):
        rw.agree(PREDICTED, GOLD, [])


def test_as_rankeval():
    found = rw.agree(PREDICTED, GOLD, ["tau", "tau_avg_seg", "ndcg", "bph_1.0"], compat="rankeval")
    assert list(found) == ["tau", "tau_avg_seg", "ndcg", "bph_1.0"]
    assert found["tau"] == rw.agree(PREDICTED, GOLD)["kendall"]
    assert found["bph_1.0"] == 50.0
    assert found["ndcg"] != pytest.approx(rw.agree(PREDICTED, GOLD)["ndcg"])
    default = rw.agree(PREDICTED, GOLD, compat="rankeval")
    assert list(default) == ["kendall", "mrr", "ndcg", "err"]
    assert (default["kendall"], default["ndcg"]) == (found["tau"], found["ndcg"])
    with pytest.raises(DataError, match="RankEval has no 'dcg'; choose from avg_predicted_ranked"):
        rw.agree(PREDICTED, GOLD, ["dcg"], compat="rankeval")
    with pytest.raises(DataError, match="ranks ties by ceiling"):
        rw.agree(PREDICTED, GOLD, ties="floor", compat="rankeval")
    with pytest.raises(DataError, match="unknown compat 'other'"):
        rw.agree(PREDICTED, GOLD, compat="other")
