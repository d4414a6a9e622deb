"""Measures of ranked lists on values worked out by hand, and what they refuse."""

import math

import numpy as np
import pytest

from rankwise.agreement import (
    AveragePredicted,
    Bph,
    Dcg,
    Err,
    Mrr,
    Ndcg,
    RankedLists,
    Tau,
    best_predicted_vs_human,
    list_measure,
    normalise,
)
from rankwise.agreement.lists.kendall import VARIANTS
from rankwise.errors import DataError

# Pairs of PREDICTED against GOLD: (1,2) tied by the prediction, (1,3), (2,3) and (3,4) concordant,
# (1,4) discordant, (2,4) tied by gold: C = 3, D = 1, Th = 1, Tm = 1, Thm = 0.
PREDICTED, GOLD = [[2, 2, 3, 1]], [[1, 2, 3, 2]]
VALUES = {
    "penalised": (3 - 1 - 1) / 5,
    "wmt10": 1 / 5,
    "wmt11": 1 / 5,
    "wmt12": 1 / 5,
    "darr": 1 / 5,
    "original": (3 - 1) / 4,
    "gamma": 2 / 4,
    "wmt13": 2 / 4,
    "wmt14": (3 - 1) / 5,
    "wmt15": 2 / 5,
    "wmt16": 2 / 5,
    "consistency": 3 / 5,
    "xties": (3 - 1 + 0) / 6,
    "a": (3 - 1) / 6,
    "b": (3 - 1) / math.sqrt(5 * 5),
    "c": 2 * (3 - 1) / (4**2 * 2 / 3),
    "eq": (3 - 1 - 1 - 1) / 6,
    "acc-eq": 3 / 6,
}


def test_table_is_complete():
    assert set(VALUES) == {*VARIANTS, "b", "c"}


@pytest.mark.parametrize(("variant", "expected"), VALUES.items())
def test_every_variant_values_ties_in_its_own_way(variant, expected):
    assert expected == pytest.approx(Tau(variant=variant).micro(PREDICTED, GOLD))


def test_tau_c_by_hand():
    # C = 4, D = 0, one pair tied by each side; n = 4, three distinct ranks: 2 * 4 / (16 * 2/3).
    assert Tau(variant="c").micro([[1, 2, 2, 3]], [[1, 1, 2, 3]]) == pytest.approx(8 / (16 * 2 / 3))


def test_tied_in_both_agrees_where_ties_count():
    both = [[1, 1, 2]]  # C = 2, Thm = 1
    assert [Tau(variant=v).micro(both, both) for v in ("xties", "eq", "acc-eq")] == [1.0, 1.0, 1.0]
    assert Tau(variant="a").micro(both, both) == pytest.approx(2 / 3)


def test_micro_macro_and_weighted():
    # Taus 1 (three items), -1 (two items), undefined (all tied by gold) and 0.
    predicted = [[1, 2, 3], [1, 2], [1, 2], [1, 2, 3]]
    gold = [[1, 2, 3], [2, 1], [1, 1], [1, 2, 1]]
    assert Tau().segments(predicted, gold).tolist() == pytest.approx(
        [1, -1, math.nan, 0], nan_ok=True
    )
    assert Tau().micro(predicted, gold) == pytest.approx((3 - 1 + 0) / (3 + 1 + 2))
    assert Tau(average="macro").micro(predicted, gold) == 0.0  # a tau of 0 counts
    assert Tau().macro(predicted, gold) == 0.0
    # Weights 9n(n-1)/(2(2n+5)): 54/22 for three items, 1 for two.
    three, two = 54 / 22, 18 / 18
    expected = (three - two) / (three + two + three)
    assert Tau(average="weighted").micro(predicted, gold) == pytest.approx(expected)


def test_the_best_of_gold_in_a_predicted_tie():
    # The best shares the top with two others: 1/3, 1, 1, 1/2; places 1, 2, 3 with equal chance.
    lists = [[1, 1, 1, 2]], [[1, 2, 3, 4]]
    ties = [Mrr(ties=t).micro(*lists) for t in ("ceiling", "floor", "minimize", "middle")]
    assert ties == pytest.approx([1 / 3, 1, 1, 1 / 2])
    orders = [Mrr(order=o).micro(*lists) for o in ("expected", "worst", "best")]
    assert orders == pytest.approx([(1 + 1 / 2 + 1 / 3) / 3, 1 / 3, 1])


def test_several_best_of_gold():
    # Two of three tied items are best: the first of them is first with 2/3, second with 1/3.
    assert Mrr(order="expected").micro([[1, 1, 1]], [[1, 1, 2]]) == pytest.approx(2 / 3 + 1 / 6)
    assert Mrr().micro([[3, 1, 2]], [[1, 1, 2]]) == 1.0  # in the ranker's favour


def test_gain_at_a_depth():
    # Relevances 3, 2, 1: gains 7, 3, 1; the prediction has 3 first, then 7.
    assert Dcg(k=2).micro([[2, 1, 3]], [[1, 2, 3]]) == pytest.approx(3 + 7 / math.log2(3))
    assert Ndcg(k=1).micro([[2, 1, 3]], [[1, 2, 3]]) == pytest.approx(3 / 7)
    assert Ndcg(k=1, gain="linear").micro([[2, 1, 3]], [[1, 2, 3]]) == pytest.approx(2 / 3)
    assert Ndcg(k=9).micro([[2, 1, 3]], [[1, 2, 3]]) == Ndcg().micro([[2, 1, 3]], [[1, 2, 3]])


def test_expected_reciprocal_rank_by_hand():
    # Two items, R = 3/4 and 1/4: 3/4 + 1/2 * 1/4 * 1/4, and the other way 1/4 + 1/2 * 3/4 * 3/4.
    assert Err().micro([[1, 2]], [[1, 2]]) == pytest.approx(3 / 4 + 1 / 32)
    assert Err(k=1).micro([[2, 1]], [[1, 2]]) == pytest.approx(1 / 4)
    # Gold ties both: ceiling gives relevance 1 of 2; seen as the top, R = 1/2 for both.
    assert Err().micro([[1, 2]], [[1, 1]]) == pytest.approx(1 / 4 + 1 / 2 * 3 / 4 * 1 / 4)
    observed = Err(rel_max="observed").micro([[1, 2]], [[1, 1]])
    assert observed == pytest.approx(1 / 2 + 1 / 2 * 1 / 2 * 1 / 2)


def test_what_people_say_of_the_predicted_best():
    predicted, gold = [[1, 1, 2], [1, 2, 3]], [[1, 3, 2], [2, 2, 1]]
    assert best_predicted_vs_human(predicted, gold) == {2.0: 1, 3.0: 1}
    assert best_predicted_vs_human(predicted, gold, ties="ceiling") == {3.0: 2}
    assert AveragePredicted().micro(predicted, gold) == 3.0
    assert AveragePredicted(order="best").micro(predicted, gold) == 2.0
    assert Bph(rank=3).micro(predicted, gold) == 0.5
    assert Bph(order="expected").micro(predicted, gold) == 0.25


def test_normalisation_of_strange_lists():
    assert normalise([]).tolist() == []
    assert normalise([7]).tolist() == [1.0]
    assert normalise([np.inf, -1, -np.inf]).tolist() == [3.0, 2.0, 1.0]
    assert normalise([2, 2, 2], ties="middle").tolist() == [2.0, 2.0, 2.0]
    missing = normalise([3, None, 1], ties="floor").tolist()
    assert missing == pytest.approx([2.0, math.nan, 1.0], nan_ok=True)
    with pytest.raises(DataError, match="unknown ties 'nonsense'; choose from minimize, floor"):
        normalise([1], ties="nonsense")
    with pytest.raises(DataError, match="expected one list of numbers"):
        normalise([[1]])
    with pytest.raises(DataError, match="expected a list of numbers or None"):
        normalise(["a"])


# -- names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("ndcg@5", "ndcg@5"),
        ("ndcg:k=5:ties=floor", "ndcg@5:ties=floor"),
        ("err@3:rel_max=observed", "err@3:rel_max=observed"),
        ("err:rel_max=5", "err:rel_max=5.0"),
        ("bph@2", "bph@2"),
        ("bph@1", "bph"),
        ("kendall:variant=penalised:average=macro", "kendall:average=macro"),
        ("kendall:average=macro:variant=b", "kendall:variant=b:average=macro"),
        ("avg-predicted", "avg-predicted"),
        ("mrr:ties=floor", "mrr:ties=floor"),
    ],
)
def test_names(name, printed):
    assert printed == str(list_measure(name))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("spam", "unknown measure of ranked lists 'spam'; choose from avg-predicted, bph"),
        ("tau", r"unknown measure of ranked lists 'tau' \(is kendall meant\?\); choose"),
        ("avg_predicted", r"'avg_predicted' \(is avg-predicted meant\?\); choose"),
        ("kendall@3", "measure 'kendall' takes nothing behind an @"),
        ("kendall:variant=wmt99", "unknown variant 'wmt99'; choose from wmt12"),
        ("kendall:average=mean", "unknown average 'mean'; choose from micro, macro, weighted"),
        ("ndcg@0", "k is 0; expected a whole number of at least 1"),
        ("ndcg@five", "option 'k' is 'five'; expected a whole number"),
        ("ndcg:order=ranked", "unknown order 'ranked'; choose from expected"),
        ("ndcg:ties=up", "unknown ties 'up'"),
        ("ndcg:gain=big", "unknown gain 'big'"),
        ("ndcg:compat=spam", "unknown compat 'spam'"),
        ("err:compat=rankeval:ties=floor", "compat=rankeval ranks ties by ceiling"),
        ("err:rel_max=0", "rel_max is 0.0; expected items, observed or a number above 0"),
        ("err:rel_max=big", "rel_max is 'big'"),
        ("bph@0", "rank is 0; expected a number of at least 1"),
        ("mrr:order=random", "unknown order 'random'; choose from ranked"),
    ],
)
def test_what_is_no_measure(name, sentence):
    with pytest.raises(DataError, match=sentence):
        list_measure(name)


def test_values_that_cannot_be():
    with pytest.raises(DataError, match=r"err: list 2 has a relevance above rel_max=2.0"):
        Err(rel_max=2.0).micro([[1], [1, 2, 3]], [[1], [1, 2, 3]])
    long = [list(range(1024))]
    with pytest.raises(DataError, match="dcg: list 1 has 1,024 items or more"):
        Dcg().micro(long, long)
    assert Ndcg().micro(long, long) == 1.0


# -- lists -----------------------------------------------------------------------------------------


def test_arrays_are_lists():
    array = np.array([[1, 2, 3], [3, 1, 2]])
    assert Tau().micro(array, array.astype(np.float32)) == 1.0
    assert Tau().micro(array, [[1, 2, 3], (2, 1, 3)]) == pytest.approx((3 + 1) / 6)
    assert len(RankedLists.of(np.empty((0, 3)), np.empty((0, 3)))) == 0
    mixed = [np.array([1.0, 2.0]), [1, np.nan]]
    assert Tau().segments(mixed, mixed).tolist() == pytest.approx([1, math.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("predicted", "gold", "sentence"),
    [
        ([1, 2], [1, 2], "predicted ranks: list 1 is 1; expected a list of numbers"),
        ([[1, 2]], [[1]], "list 1 has 2 predicted ranks and 1 gold ranks"),
        ([[1]], [[1], [2]], "1 predicted lists but 2 gold lists"),
        ([[1], ["a"]], [[1], [2]], "predicted ranks: list 2 holds 'a'"),
        ([["1"]], [[1]], "list 1 holds '1'"),
        (["12"], [[1, 2]], "predicted ranks: list 1 is '12'"),
        ("12", [[1, 2]], "predicted ranks are a str"),
        ([[1, 2]], None, "expected Judgments"),
        (np.arange(3), [[1]], "of shape \\(3,\\); expected \\(lists, items\\)"),
        ([[10**400]], [[1]], "list 1 holds 1000"),
        ([{1: 2}], [[1]], "list 1 is {1: 2}"),
        ((ranks for ranks in [[1]]), [[1]], "predicted ranks are a generator"),
    ],
)
def test_wrong_lists_are_a_sentence(predicted, gold, sentence):
    with pytest.raises(DataError, match=sentence):
        Tau().micro(predicted, gold)
