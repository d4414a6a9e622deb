"""Correlations against scipy and against the golden results of mt-metrics-eval."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rankwise.agreement import kendall, pearson, spearman
from shared_data import needs_shared, shared

ORACLES = {
    pearson: stats.pearsonr,
    spearman: stats.spearmanr,
    kendall: stats.kendalltau,
}
numbers = st.integers(-5, 5) | st.floats(-1e3, 1e3).map(lambda x: round(x, 3))
pairs = st.lists(st.tuples(numbers, numbers), min_size=2, max_size=40)


@pytest.mark.parametrize("measure", ORACLES)
@given(pairs)
def test_values_are_those_of_scipy(measure, pairs):
    first, second = np.array(pairs, float).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns about constant input and gives nan
        expected = ORACLES[measure](first, second).statistic
    assert measure(first, second) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@needs_shared
@pytest.mark.parametrize(
    ("measure", "key"),
    [(pearson, "Pearson"), (spearman, "Spearman"), (kendall, "Kendall_scipy_b")],
)
def test_golden_results(measure, key):
    cases = json.loads(shared("golden/mtme.json").read_text())["cases"]
    checked = 0
    for case in cases.values():
        gold = np.array(case["gold"], float)
        for metric, result in zip(case["metrics"], case["results"], strict=True):
            value, _, count = result["none"][key]
            # "no group counted" stands for an undefined value there
            expected = float("nan") if count == 0 or value == "nan" else value
            found = measure(np.array(metric, float), gold)
            assert found == pytest.approx(expected, rel=1e-12, nan_ok=True)
            checked += 1
    assert checked > 30
