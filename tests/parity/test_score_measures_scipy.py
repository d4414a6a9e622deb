"""Correlations of tables against scipy on random data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rankwise.agreement.tables.correlation import kendall
from rankwise.agreement.tables.table_measures import table_measure

PEERS = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": stats.kendalltau,
    "kendall:variant=c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}


def _tables(seed, digits):
    random = np.random.default_rng(seed)
    gold, metric = random.normal(size=(2, 5, 30)).round(digits)
    gold[random.random(gold.shape) < 0.1] = np.nan
    return gold, metric


def _groups(gold, metric, grouping):
    if grouping == "none":
        gold, metric = gold.reshape(1, -1), metric.reshape(1, -1)
    elif grouping == "item":
        gold, metric = gold.T, metric.T
    present = ~np.isnan(gold)
    return [(g[p], m[p]) for g, m, p in zip(gold, metric, present, strict=True)]


@pytest.mark.filterwarnings("ignore:An input array is constant")
@pytest.mark.parametrize("grouping", ["none", "item", "system"])
@pytest.mark.parametrize("name", PEERS)
@given(seed=st.integers(0, 10_000), digits=st.integers(0, 3))
def test_grouped_correlations(name, grouping, seed, digits):
    gold, metric = _tables(seed, digits)
    values = [PEERS[name](g, m)[0] for g, m in _groups(gold, metric, grouping) if len(g) > 1]
    found = table_measure(f"{name}:grouping={grouping}").of(gold, metric)
    np.testing.assert_allclose(found.value, np.nanmean(values), atol=1e-10)
    assert found.undefined == np.isnan(values).sum()


def test_tau_of_a_hundred_thousand_things():
    random = np.random.default_rng(1)
    x = random.integers(0, 500, 100_000).astype(float)
    y = x + random.integers(0, 300, 100_000)
    assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y)[0], abs=1e-12)
