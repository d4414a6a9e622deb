"""Ranked lists against scipy and scikit-learn on random data."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rankwise.agreement import Dcg, Ndcg, Tau, normalise

values = st.integers(0, 6)
lists = st.lists(st.tuples(values, values), min_size=2, max_size=40)
NAMES = {"minimize": "dense", "floor": "min", "ceiling": "max", "middle": "average"}


@given(st.lists(st.integers(-9, 9) | st.floats(-5, 5), max_size=30), st.sampled_from(list(NAMES)))
def test_normalisation_is_rankdata(ranks, ties):
    assert stats.rankdata(ranks, NAMES[ties]).tolist() == normalise(ranks, ties=ties).tolist()


@pytest.mark.parametrize("variant", ["b", "c"])
@given(lists)
def test_tau_b_and_c_are_scipys(variant, items):
    predicted, gold = zip(*items, strict=True)
    with warnings.catch_warnings():  # scipy warns of constant lists
        warnings.simplefilter("ignore")
        expected = stats.kendalltau(predicted, gold, variant=variant).statistic
    found = Tau(variant=variant).micro([predicted], [gold])
    assert expected == pytest.approx(found, abs=1e-12, nan_ok=True)


def relevance(gold):
    """What scikit-learn takes: the gain of every item."""
    return 2.0 ** (len(gold) + 1 - normalise(gold)) - 1


@given(lists, st.none() | st.integers(1, 12))
def test_gains_are_those_of_scikit_learn(items, k):
    """Its ties are averaged as ours are, and its scores are better when higher."""
    metrics = pytest.importorskip("sklearn.metrics")
    predicted, gold = zip(*items, strict=True)
    gains, scores = np.array([relevance(gold)]), -np.array([predicted], float)
    found = [measure(k=k).micro([predicted], [gold]) for measure in (Dcg, Ndcg)]
    expected = [f(gains, scores, k=k) for f in (metrics.dcg_score, metrics.ndcg_score)]
    assert expected == pytest.approx(found, rel=1e-9)


def test_a_constant_list_has_no_tau_b():
    assert math.isnan(Tau(variant="b").micro([[1, 1, 1]], [[1, 2, 3]]))
