"""Do the native rows of ranked lists equal the slow, obvious ones on random lists?"""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankwise.agreement import AveragePredicted, Bph, Dcg, Err, Idcg, Mrr, Ndcg, RankedLists
from rankwise.agreement import normalise as native_normalise
from rankwise.agreement.lists.list_measure import Request, columns_of
from rankwise.compat import rankeval as native_rankeval
from reference import ranked_lists as slow
from reference import rankeval as slow_rankeval

TIES = st.sampled_from(["minimize", "floor", "ceiling", "middle"])
ORDERS = st.sampled_from(["expected", "worst", "best"])
DEPTHS = st.none() | st.integers(1, 7)
ranks = st.none() | st.integers(-2, 3) | st.sampled_from([0.5, math.inf, -math.inf])
short = st.lists(st.tuples(ranks, ranks), max_size=6)
whole = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=7)


def sides(items):
    return [p for p, _ in items], [g for _, g in items]


def segment(measure, items):
    predicted, gold = sides(items)
    return measure.segments([predicted], [gold])[0]


def expected(function, items, *arguments, **options):
    """The slow value; nan for a list without items."""
    if not slow.complete(*sides(items))[0]:
        return pytest.approx(math.nan, nan_ok=True)
    return pytest.approx(function(*sides(items), *arguments, **options), rel=1e-12, abs=1e-15)


@given(st.lists(short, max_size=5))
def test_pairs(lists):
    predicted, gold = [sides(x)[0] for x in lists], [sides(x)[1] for x in lists]
    found = columns_of([Request("pairs")], RankedLists.of(predicted, gold))[Request("pairs")]
    assert [slow.pair_counts(*pair) for pair in zip(predicted, gold, strict=True)] == found.tolist()


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=17, max_size=90))
def test_pairs_of_long_lists(items):
    """Longer than 16: sorted; longer than 32: counted by merging."""
    predicted, gold = sides(items)
    found = columns_of([Request("pairs")], RankedLists.of([predicted], [gold]))[Request("pairs")]
    assert [slow.pair_counts(predicted, gold)] == found.tolist()


@given(st.lists(ranks, max_size=40), TIES)
def test_normalised_ranks(values, ties):
    wanted = [math.nan if rank is None else rank for rank in slow.normalised(values, ties)]
    assert wanted == pytest.approx(native_normalise(values, ties=ties).tolist(), nan_ok=True)


@given(short, TIES, st.sampled_from(["ranked", "expected", "worst", "best"]))
def test_reciprocal_rank(items, ties, order):
    value = segment(Mrr(ties=ties, order=order), items)
    assert expected(slow.reciprocal_rank, items, ties, order) == value


@given(short, TIES, ORDERS, DEPTHS, st.sampled_from(["exponential", "linear"]))
def test_cumulated_gain(items, ties, order, k, gain):
    options = {"ties": ties, "order": order, "k": k}
    dcg, idcg, ndcg = (segment(kind(gain=gain, **options), items) for kind in (Dcg, Idcg, Ndcg))
    assert expected(slow.dcg, items, kind=gain, **options) == dcg
    assert expected(slow.idcg, items, kind=gain, **options) == idcg
    assert ndcg == pytest.approx(dcg / idcg, rel=1e-12, nan_ok=True)


@given(short, TIES, ORDERS, DEPTHS, st.sampled_from(["items", "observed", 6, 7.5]))
def test_expected_reciprocal_rank(items, ties, order, k, rel_max):
    options = {"ties": ties, "order": order, "k": k, "rel_max": rel_max}
    assert expected(slow.err, items, **options) == segment(Err(**options), items)


@given(short, TIES, ORDERS, st.integers(1, 6))
def test_best_predicted(items, ties, order, rank):
    average = segment(AveragePredicted(ties=ties, order=order), items)
    share = segment(Bph(rank=rank, ties=ties, order=order), items)
    assume(slow.complete(*sides(items))[0])
    found = slow.best_ranks(*sides(items), ties)
    assert slow.chosen(found, order) == pytest.approx(average)
    hits = (
        [r == rank for r in found] if order == "expected" else [slow.chosen(found, order) == rank]
    )
    assert sum(hits) / len(hits) == pytest.approx(share)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=8, max_size=30), ORDERS)
def test_order_of_items_does_not_matter_in_long_lists(items, order):
    for measure in (Ndcg(order=order), Err(order=order), Mrr(order=order)):
        assert segment(measure, items) == pytest.approx(segment(measure, items[::-1]), rel=1e-12)


@given(st.lists(whole, min_size=1, max_size=6))
def test_rankeval(lists):
    predicted, gold = [sides(x)[0] for x in lists], [sides(x)[1] for x in lists]
    assume(any(len(set(ranks)) > 1 for ranks in gold))
    wanted = slow_rankeval.allmetrics(predicted, gold)
    found = native_rankeval.allmetrics(predicted, gold)
    assert sorted(wanted) == sorted(found)
    for name, value in wanted.items():
        tolerance = 0.0051 if name.startswith("bph") else 1e-9  # two decimals
        assert value == pytest.approx(found[name], abs=tolerance, nan_ok=True), name


def test_flat_lists_takes_all_kinds_of_numbers():
    lists = [[1, 2.5, None], (np.float32(4), np.int8(5), True), [10**400 // 10**399]]
    found = RankedLists.of(lists, lists)
    assert found.starts.tolist() == [0, 3, 6, 7]
    assert found.gold.tolist() == pytest.approx([1, 2.5, math.nan, 4, 5, 1, 10], nan_ok=True)
