"""Cohen's kappa and Krippendorff's alpha against scikit-learn and the package krippendorff."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rankwise.agreement.judges.annotators import preference_alpha
from rankwise.agreement.judges.judge_labels import labels
from rankwise.agreement.judges.kappa import cohen_kappa, fleiss_kappa
from rankwise.agreement.judges.krippendorff import krippendorff_alpha
from rankwise.types import Judgments, Ranking

shapes = st.tuples(st.integers(2, 6), st.integers(1, 40), st.integers(2, 7))
seeds = st.integers(0, 10**6)


def table_of(shape, seed, *, gaps):
    """Noisy labels of judges for units, with gaps."""
    random = np.random.default_rng(seed)
    judges, units, values = shape
    truth = random.integers(values, size=units)
    table = np.where(
        random.random((judges, units)) < 0.6, truth, random.integers(values, size=(judges, units))
    ).astype(float)
    table[random.random((judges, units)) < gaps] = np.nan
    return table


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@given(shapes, seeds)
def test_alpha_equals_that_of_the_package(level, shape, seed):
    krippendorff = pytest.importorskip("krippendorff")
    table = table_of(shape, seed, gaps=0.3)
    ours = krippendorff_alpha(table, level=level)
    assume(not np.isnan(ours))
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


def test_alpha_of_many_values_equals_that_of_the_package():
    krippendorff = pytest.importorskip("krippendorff")
    table = table_of((3, 200, 150), 1, gaps=0.3)
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    assert krippendorff_alpha(table) == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@given(shapes, seeds)
def test_cohen_equals_scikit_learn(weights, shape, seed):
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = table_of((2, *shape[1:]), seed, gaps=0.0).astype(int)
    ours = cohen_kappa(first, second, weights=weights)
    assume(not np.isnan(ours))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = metrics.cohen_kappa_score(
            first, second, weights=None if weights == "none" else weights
        )
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@given(shapes, seeds)
def test_fleiss_is_alpha_but_for_its_small_sample_term(shape, seed):
    """With equal numbers of labels, 1 - alpha = (1 - kappa) (n - 1) / n."""
    table = table_of(shape, seed, gaps=0.0)
    kappa = fleiss_kappa(table)
    assume(not np.isnan(kappa))
    share = (table.size - 1) / table.size
    assert 1 - krippendorff_alpha(table) == pytest.approx((1 - kappa) * share, abs=1e-12)


@given(seeds)
def test_alpha_of_preferences_equals_that_of_the_package(seed):
    krippendorff = pytest.importorskip("krippendorff")
    random = np.random.default_rng(seed)
    looks = [
        Ranking(
            str(segment), f"j{judge}", ("A", "B", "C"), tuple(random.integers(1, 4, 3).tolist())
        )
        for segment in range(6)
        for judge in range(3)
        if random.random() < 0.7
    ]
    judgments = Judgments.from_rankings(looks)
    found = labels(judgments)
    table = np.full((3, 36), np.nan)
    table[found.judge, found.item] = found.sign
    table[found.judge, found.item + 18] = -found.sign
    ours = preference_alpha(judgments)
    assume(not np.isnan(ours))
    theirs = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)
