"""Laws that every measure of ranked lists obeys: one table of members, one test per law.

A new measure joins with a line in MEASURE_CASES (several, if its options change what it does).
"""

import copy

import numpy as np
import pytest

from rankwise.agreement import LIST_MEASURES, RankedLists, list_measure, table_measure
from rankwise.agreement.lists.kendall import VARIANTS
from rankwise.agreement.lists.list_measure import rows_of
from rankwise.compat import rankeval
from rankwise.errors import DataError

MEASURE_CASES = [
    "kendall",
    *(f"kendall:variant={variant}" for variant in (*VARIANTS, "b", "c")),
    "kendall:average=macro",
    "kendall:average=weighted:variant=b",
    "mrr",
    "mrr:ties=middle",
    "mrr:order=expected",
    "dcg",
    "dcg@2:gain=linear",
    "idcg",
    "ndcg",
    "ndcg@2:ties=floor",
    "ndcg@3:order=worst",
    "ndcg:gain=linear:order=best",
    "err",
    "err@3:rel_max=observed",
    "err:rel_max=7:order=worst",
    "avg-predicted",
    "avg-predicted:order=expected:ties=middle",
    "bph",
    "bph@2:order=best",
]
#: Those of which more, or less, is better agreement, and that depend on the prediction.
RANKED_CASES = [name for name in MEASURE_CASES if name not in ("idcg", "bph@2:order=best")]
#: Those whose values depend on the order of the items in the input, as the original's do.
COMPAT_CASES = ["ndcg:compat=rankeval", "err:compat=rankeval"]

GOLD = [[1, 2, 3, 4], [2, 1, 3], [5, 1, 2, 3, 4], [1, 2], [3, 2, 1, 4, 5, 6]]
PREDICTED = [[1, 3, 2, 4], [1, 1, 2], [1, 2, 3, 3, 3], [2, 1], [6, None, 1, 2, 4, 3]]
EMPTY = ([], [None], [])

every_measure = pytest.mark.parametrize("name", [*MEASURE_CASES, *COMPAT_CASES])


def test_table_is_complete():
    names = {name.partition(":")[0].partition("@")[0] for name in MEASURE_CASES}
    assert names == set(LIST_MEASURES)


def better_or_equal(m, first, second):
    return first >= second - 1e-12 if m.higher_is_better else first <= second + 1e-12


@pytest.mark.parametrize("name", [*RANKED_CASES, *COMPAT_CASES])
def test_identical_lists_are_best(name):
    m = list_measure(name)
    best = m.segments(GOLD, GOLD)
    for seed in range(20):
        random = np.random.default_rng(seed)
        others = [random.integers(1, 5, len(gold)).tolist() for gold in GOLD]
        for one, other in zip(best, m.segments(others, GOLD), strict=True):
            assert np.isnan(other) or better_or_equal(m, one, other)


@pytest.mark.parametrize("name", [*RANKED_CASES, *COMPAT_CASES])
def test_opposite_lists_are_not_best(name):
    m = list_measure(name)
    opposite = [[-rank for rank in ranks] for ranks in GOLD]
    assert m.micro(opposite, GOLD) != pytest.approx(m.micro(GOLD, GOLD))
    assert better_or_equal(m, m.micro(GOLD, GOLD), m.micro(opposite, GOLD))


@pytest.mark.parametrize("name", MEASURE_CASES)
def test_order_of_items_does_not_matter(name):
    m = list_measure(name)
    forwards = m.segments(PREDICTED, GOLD)
    backwards = m.segments([p[::-1] for p in PREDICTED], [g[::-1] for g in GOLD])
    assert forwards.tolist() == pytest.approx(backwards.tolist(), rel=1e-14, nan_ok=True)


@every_measure
def test_only_the_order_of_ranks_matters(name):
    """Any numbers in the same order give the same value."""
    m = list_measure(name)
    stretched = [[None if p is None else p**3 * 10.0 - 7 for p in ranks] for ranks in PREDICTED]
    moved = [[rank / 8 - 100 for rank in ranks] for ranks in GOLD]
    plain = m.segments(PREDICTED, GOLD).tolist()
    assert plain == pytest.approx(m.segments(stretched, moved).tolist(), nan_ok=True)


@every_measure
def test_order_of_lists_does_not_matter(name):
    m = list_measure(name)
    forwards, backwards = m.segments(PREDICTED, GOLD), m.segments(PREDICTED[::-1], GOLD[::-1])
    assert forwards.tolist() == backwards[::-1].tolist()
    assert m.micro(PREDICTED, GOLD) == pytest.approx(m.micro(PREDICTED[::-1], GOLD[::-1]))


@every_measure
def test_statistics_add(name):
    m = list_measure(name)
    whole = m.statistics(PREDICTED, GOLD)
    parts = [m.statistics(PREDICTED[s], GOLD[s]) for s in (slice(0, 2), slice(2, None))]
    assert whole.tolist() == np.concatenate(parts).tolist()
    together = m.score(parts[0].sum(0) + parts[1].sum(0))
    assert m.micro(PREDICTED, GOLD) == pytest.approx(together, rel=1e-15)


@every_measure
def test_score_works_on_any_stack_of_rows(name):
    m = list_measure(name)
    rows = m.statistics(PREDICTED, GOLD)
    single = [m.score(row) for row in rows]
    assert all(type(value) is float for value in single)
    stack = np.stack([rows, rows[::-1], 2 * rows])
    assert m.score(stack).shape == (3, len(GOLD))
    assert single == m.score(stack)[0].tolist()
    assert single[::-1] == m.score(stack)[1].tolist()
    with pytest.raises(DataError, match="last axis"):
        m.score(np.concatenate([rows, rows], axis=-1))


@every_measure
def test_macro_is_the_mean_of_lists(name):
    m = list_measure(name)
    values = m.segments(PREDICTED, GOLD)
    assert m.macro(PREDICTED, GOLD) == pytest.approx(np.nanmean(values))


@every_measure
def test_missing_ranks_are_missing(name):
    """A list with an item that one side does not rank is the list without it."""
    m = list_measure(name)
    with_holes = ([[1, 3, 2, 4], [2, None, 1, 3]], [[2, 1, None, 3], [1, 3, 2, float("nan")]])
    without = ([[1, 3, 4], [2, 1]], [[2, 1, 3], [1, 2]])
    assert m.segments(*with_holes).tolist() == m.segments(*without).tolist()


@every_measure
def test_lists_without_items_have_no_value_and_change_nothing(name):
    m = list_measure(name)
    assert np.isnan(m.segments(EMPTY, EMPTY)).all()
    assert np.isnan(m.micro([], [])) and np.isnan(m.macro([], []))
    assert m.statistics([], []).shape == (0, m.statistics(GOLD, GOLD).shape[1])
    longer = m.micro([*PREDICTED, *EMPTY], [*GOLD, *EMPTY])
    assert m.micro(PREDICTED, GOLD) == longer


@every_measure
def test_threads_do_not_change_numbers(name, monkeypatch):
    m = list_measure(name)
    monkeypatch.setenv("RANKWISE_THREADS", "1")
    one = m.statistics(PREDICTED * 700, GOLD * 700)
    monkeypatch.setenv("RANKWISE_THREADS", "4")
    assert one.tolist() == m.statistics(PREDICTED * 700, GOLD * 700).tolist()


@every_measure
def test_inputs_are_left_alone(name):
    m = list_measure(name)
    before = copy.deepcopy((PREDICTED, GOLD))
    rows = m.statistics(PREDICTED, GOLD)
    saved = rows.copy()
    m.score(rows)
    assert before == (PREDICTED, GOLD)
    assert saved.tolist() == rows.tolist()


@every_measure
def test_signature_parses_back(name):
    m = list_measure(name)
    assert m == list_measure(m.signature)
    assert m == list_measure(str(m))
    assert str(m) == str(list_measure(str(m)))


@every_measure
def test_together_is_alone(name):
    """Counting for many measures in one pass changes nothing for any of them."""
    lists = RankedLists.of(PREDICTED, GOLD)
    every = [list_measure(other) for other in (*MEASURE_CASES, *COMPAT_CASES)]
    together = dict(zip(every, rows_of(every, lists), strict=True))
    m = list_measure(name)
    assert m.statistics(lists).tolist() == together[m].tolist()


@pytest.mark.parametrize("kind", ["ndcg", "err"])
def test_bounds_hold_the_expectation(kind):
    low, middle, high = (
        list_measure(f"{kind}:order={order}").segments(PREDICTED, GOLD)
        for order in ("worst", "expected", "best")
    )
    assert (low <= middle + 1e-12).all() and (middle <= high + 1e-12).all()
    assert (low < high).any()


@pytest.mark.parametrize("variant", [*VARIANTS, "b", "c"])
def test_kendall_is_the_same_of_lists_and_of_tables(variant):
    """One list of ranks, and one group of scores, of which more is better."""
    random = np.random.default_rng(7)
    for _ in range(50):
        predicted, gold = random.integers(1, 4, (2, 5))
        name = f"kendall:variant={variant}"
        found = table_measure(name).of(-gold, -predicted).value
        expected = list_measure(name).micro([predicted.tolist()], [gold.tolist()])
        assert expected == pytest.approx(found, rel=1e-12, nan_ok=True)


def test_compat_differs_only_where_the_prediction_ties():
    for name in ("ndcg", "err"):
        ours, theirs = list_measure(name), list_measure(f"{name}:compat=rankeval")
        untied = [[1, 3, 2, 4], [1, 3, 2], [1, 2, 3, 5, 4], [2, 1], [6, 5, 1, 2, 4, 3]]
        assert ours.segments(untied, GOLD) == pytest.approx(theirs.segments(untied, GOLD))
        assert ours.segments(PREDICTED, GOLD) != pytest.approx(theirs.segments(PREDICTED, GOLD))
    assert rankeval.allmetrics(GOLD, GOLD)["tau"] == 1.0
