"""Do the native kernels of agreement equal the slow, obvious ones on random input?"""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwise import _core
from rankwise.agreement.tables.calibration import calibrated_accuracy, pair_weights
from rankwise.agreement.tables.score_cells import Cells
from reference import score_agreement as slow

# Few distinct numbers, so that everything ties; a few with digits of their own.
scores = st.integers(-3, 3).map(float) | st.sampled_from([0.1, 0.2, 0.30000000000000004, 0.3])


@st.composite
def tables(draw, *, most=8, columns=3):
    """Cells of up to six groups, one of them large enough to be sorted."""
    sizes = draw(st.lists(st.integers(0, most), min_size=1, max_size=6))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    count = int(starts[-1])
    lists = [draw(st.lists(scores, min_size=count, max_size=count)) for _ in range(columns)]
    return [np.array(values, float) for values in lists], starts


@given(tables() | tables(most=60))
@settings(max_examples=50)
def test_pair_counts(data):
    (gold, metric, _), starts = data
    found = _core.pair_counts(gold, metric, starts)
    cells = zip(slow.groups(gold, starts), slow.groups(metric, starts), strict=True)
    expected = [[len(h), *slow.pair_counts(h, m), len(set(h)), len(set(m))] for h, m in cells]
    assert expected == found.tolist()


@settings(max_examples=50)
@given(tables() | tables(most=60), scores.map(abs), st.booleans(), scores.map(abs))
def test_pair_counts_by_thresholds(data, least, strict, epsilon):
    (gold, metric, _), starts = data
    found = _core.pair_counts_by(gold, metric, starts, least, strict, epsilon)
    options = {"least": least, "strict": strict, "epsilon": epsilon}
    cells = zip(slow.groups(gold, starts), slow.groups(metric, starts), strict=True)
    expected = [[len(h), *slow.pair_counts(h, m, **options), 0, 0] for h, m in cells]
    assert expected == found.tolist()


@given(tables(), st.data())
def test_calibration(data, more):
    (gold, metric, _), starts = data
    count = len(starts) - 1
    weights = more.draw(st.lists(st.integers(1, 9), min_size=count, max_size=count))
    expected = slow.calibration(slow.groups(gold, starts), slow.groups(metric, starts), weights)
    # Listed whole, or counted in bins until at most so many pairs are left to list.
    for most in (1 << 20, 5, 0):
        found = _core.tie_calibration(gold, metric, starts, np.array(weights, np.int64), most)
        assert expected == found


def test_a_large_calibration_is_sorted_by_digits():
    """Above 4096 steps the kernel sorts by radix."""
    random = np.random.default_rng(5)
    gold, metric = random.integers(0, 4, 300).astype(float), random.normal(size=300)
    metric[:50] = np.round(metric[:50], 1)
    starts, weights = np.array([0, 300]), np.array([1])
    _, best, epsilon = _core.tie_calibration(gold, metric, starts, weights)
    for most in (0, 50, 5000):
        assert (best, epsilon) == _core.tie_calibration(gold, metric, starts, weights, most)[1:]
    i, j = np.triu_indices(300, 1)
    difference = np.abs(metric[i] - metric[j])
    h, m = np.sign(gold[i] - gold[j]), np.sign(metric[i] - metric[j])
    curve = {
        e: int((h == np.where(difference <= e, 0, m)).sum()) for e in {0.0, *difference.tolist()}
    }
    assert best == max(curve.values())
    assert epsilon == min(e for e, value in curve.items() if value == best)


@given(tables(), st.integers(0, 2**32), st.integers(1, 130))
@settings(max_examples=40)
def test_calibration_of_mixtures(data, seed, draws):
    (gold, first, second), starts = data
    random = np.random.default_rng(seed)
    coins = random.integers(2, size=(draws, len(gold)), dtype=np.uint8)
    weights = np.arange(1, len(starts), dtype=np.int64)
    found = _core.exchanged_calibration(gold, first, second, starts, weights, coins)
    for row, both in list(zip(found.tolist(), slow.mixtures(first, second, coins), strict=True))[
        -3:
    ]:
        expected = [
            slow.calibration(slow.groups(gold, starts), slow.groups(m, starts), weights)[1]
            for m in both
        ]
        assert [int(value) for value in expected] == row


@given(tables(), st.sampled_from(["pearson", "tau-b", "accuracy"]), st.integers(0, 2**32))
@settings(max_examples=60)
def test_agreement_of_mixtures(data, kind, seed):
    (gold, first, second), starts = data
    coins = np.random.default_rng(seed).integers(2, size=(3, len(gold)), dtype=np.uint8)
    found = _core.exchanged(kind, gold, first, second, starts, coins)
    expected = [
        [slow.mean_agreement(kind, slow.groups(gold, starts), slow.groups(m, starts)) for m in both]
        for both in slow.mixtures(first, second, coins)
    ]
    np.testing.assert_allclose(found, expected, atol=1e-9)


@given(st.integers(2, 7), st.integers(1, 9), st.booleans(), st.integers(0, 2**32))
def test_soft_accuracy_of_mixtures(systems, segments, has_missing, seed):
    random = np.random.default_rng(seed)
    first, second = random.integers(-3, 4, (2, systems, segments)).astype(float)
    if has_missing:
        absent = random.random(first.shape) < 0.2
        first[absent] = second[absent] = np.nan
    gold = random.random(systems * (systems - 1) // 2)
    coins = random.integers(2, size=(3, first.size), dtype=np.uint8)
    found = _core.exchanged_soft_accuracy(gold, first, second, coins)
    expected = [
        [slow.soft_accuracy(gold, m.reshape(first.shape)) for m in both]
        for both in slow.mixtures(first.ravel(), second.ravel(), coins)
    ]
    np.testing.assert_allclose(found, expected, atol=1e-9)


@given(st.integers(1, 5), st.integers(1, 3), st.integers(1, 5), st.integers(0, 2**32))
def test_lifted_counts(draws, tables, systems, seed):
    excess = np.random.default_rng(seed).integers(-4, 5, (draws, tables, systems))
    assert slow.lifted_counts(excess, 1) == _core.lifted_counts(excess, 1).tolist()


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_threads_do_not_change_anything(threads, monkeypatch):
    random = np.random.default_rng(0)
    gold, first, second = random.normal(size=(3, 2000)).round(1)
    starts = np.arange(0, 2001, 10)
    coins = random.integers(2, size=(200, 2000), dtype=np.uint8)
    weights = np.ones(200, np.int64)
    tables = [values.reshape(10, 200) for values in (first, second)]

    def everything():
        return [
            _core.pair_counts(gold, first, starts),
            _core.pair_counts(gold, first, np.array([0, 2000])),
            _core.pair_counts_by(gold, first, np.array([0, 2000]), 0.5, True, 0.1),
            _core.exchanged("pearson", gold, first, second, starts, coins),
            _core.exchanged("tau-b", gold, first, second, starts, coins),
            _core.exchanged_calibration(gold, first, second, starts, weights, coins),
            _core.exchanged_soft_accuracy(random_p, *tables, coins),
        ]

    random_p = random.random(45)
    monkeypatch.setenv("RANKWISE_THREADS", "1")
    expected = everything()
    monkeypatch.setenv("RANKWISE_THREADS", threads)
    for one, other in zip(expected, everything(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_wrong_shapes_are_refused():
    five, starts = np.zeros(5), np.array([0, 5])
    for wrong in ([0, 4], [1, 5], [0, 6, 5], []):
        with pytest.raises(ValueError, match="starts"):
            _core.pair_counts(five, five, np.array(wrong, np.int64))
    with pytest.raises(ValueError, match="scores"):
        _core.pair_counts(five, np.zeros(4), starts)
    with pytest.raises(ValueError, match="weight"):
        _core.tie_calibration(five, five, starts, np.ones(2, np.int64))
    with pytest.raises(ValueError, match="coin"):
        _core.exchanged("pearson", five, five, five, starts, np.ones((1, 4), np.uint8))
    with pytest.raises(ValueError, match="expected pearson"):
        _core.exchanged("rho", five, five, five, starts, np.ones((1, 5), np.uint8))


@given(st.lists(st.integers(2, 30), min_size=1, max_size=9))
def test_weights_are_proportional(sizes):
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    cells = Cells(np.zeros((2, starts[-1])), starts, 0, np.arange(starts[-1]))
    weights, scale = pair_weights(cells)
    pairs = [size * (size - 1) // 2 for size in sizes]
    shares = [weight * count for weight, count in zip(weights.tolist(), pairs, strict=True)]
    assert sum(shares) == pytest.approx(scale, rel=1e-12)
    assert calibrated_accuracy(cells).value == pytest.approx(1.0)
    assert all(a == pytest.approx(b, rel=1e-12) for a, b in combinations(shares, 2))
