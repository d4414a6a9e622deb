"""Does the native resampling equal the slow, obvious one on random input?"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwise import _core
from rankwise.significance import MeanScore, bootstrap, paired_bootstrap, paired_randomisation
from rankwise.types.clusters import clusters, rank_ranges
from rankwise.types.seeds import generator_state
from reference import resampling as slow

seeds = st.integers(0, 2**70)
# Up to 511 the kernel adds in 16 bits, up to 2**25 in 32, above in 64.
integers = st.sampled_from([9, 511, 512, 2**24, 2**45]).flatmap(lambda m: st.integers(-m, m))


@st.composite
def tables(draw):
    rows, columns = draw(st.integers(1, 40) | st.integers(60, 200)), draw(st.integers(1, 70))
    values = draw(st.lists(integers, min_size=1, max_size=8))
    picks = np.random.default_rng(draw(st.integers(0, 99))).choice(values, size=(rows, columns))
    return np.ascontiguousarray(picks, np.int64)


@given(tables(), st.integers(1, 70), seeds)
def test_native_bootstrap_sums_equal_the_slow_ones(rows, samples, seed):
    found = _core.Resampler(rows, generator_state(seed)).bootstrap(samples)
    assert slow.bootstrap_sums(rows.tolist(), samples, seed) == found.tolist()


@given(tables(), st.integers(1, 70), seeds)
def test_native_coin_sums_equal_the_slow_ones(rows, samples, seed):
    found = _core.Resampler(rows, generator_state(seed)).coins(samples)
    assert slow.coin_sums(rows.tolist(), samples, seed) == found.tolist()


@given(st.lists(st.lists(st.integers(0, 6), max_size=5), min_size=1, max_size=30), seeds)
def test_native_group_counts_equal_the_slow_ones(groups, seed):
    starts = np.cumsum([0] + [len(group) for group in groups])
    cells = np.array([cell for group in groups for cell in group], np.int32)
    resampler = _core.GroupResampler(starts, cells, 7, generator_state(seed))
    assert slow.group_counts(groups, 7, 9, seed) == resampler.bootstrap(9).tolist()


@given(st.integers(1, 40), st.integers(0, 30), seeds)
def test_skipped_samples_are_those_that_would_have_been_drawn(count, skipped, seed):
    starts, cells = np.arange(count + 1), np.arange(count, dtype=np.int32)
    whole, cut = (_core.GroupResampler(starts, cells, count, generator_state(seed)) for _ in "12")
    cut.skip(skipped)
    np.testing.assert_array_equal(whole.bootstrap(skipped + 3)[skipped:], cut.bootstrap(3))


@given(tables(), seeds)
@settings(max_examples=20)
def test_a_stream_cut_into_blocks_is_the_stream(rows, seed):
    whole, cut = (_core.Resampler(rows, generator_state(seed)) for _ in range(2))
    blocks = [cut.bootstrap(size) for size in (1, 5, 64)]
    np.testing.assert_array_equal(whole.bootstrap(70), np.concatenate(blocks))
    whole, cut = (_core.Resampler(rows, generator_state(seed)) for _ in range(2))
    blocks = [cut.coins(size) for size in (64, 128, 5)]
    np.testing.assert_array_equal(whole.coins(197), np.concatenate(blocks))


@pytest.mark.parametrize("count", [511, 512, 519, 16_384])
@pytest.mark.parametrize("columns", [1, 2, 10, 12, 13, 24, 25, 96, 97])
@pytest.mark.parametrize("largest", [500, 2**15 - 1, 2**15, 2**24, 2**45])
def test_many_rows_are_counted_and_give_the_same_sums(count, columns, largest):
    rows = np.random.default_rng(columns).integers(-largest, largest, (count, columns))
    picks = np.random.default_rng(5).choice(count, size=(7, count))
    expected = np.stack([rows[pick].sum(axis=0) for pick in picks])
    resampler = _core.Resampler(rows, generator_state(5))
    np.testing.assert_array_equal(expected[:4], resampler.bootstrap(4))
    np.testing.assert_array_equal(expected[4:], resampler.bootstrap(3))


@pytest.mark.parametrize("count", [99_605, 99_716])
def test_numbers_that_are_drawn_again_change_no_others(count):
    # 2**32 % count is large: two of the numbers of every sample are refused.
    places = np.arange(count)[:, None]
    generator = np.random.default_rng(7)
    resampler = _core.Resampler(places, generator_state(7))
    for samples in (1, 2, 9):
        expected = generator.choice(count, size=(samples, count)).sum(axis=1)
        assert resampler.bootstrap(samples)[:, 0].tolist() == expected.tolist()


@pytest.mark.parametrize("sign", [1, -1])
def test_counted_sums_may_exceed_32_bits(sign):
    rows = np.full((70_000, 2), sign * (2**15 - 1))
    sums = _core.Resampler(rows, generator_state(5)).bootstrap(3)
    assert np.unique(sums).tolist() == [sign * 70_000 * (2**15 - 1)]


def test_draws_are_those_of_numpy_where_some_are_refused():
    # 2**32 % 70,000 numbers of 2**32 are refused: about seven of these 630,000 draws.
    count = 70_000
    picks = np.random.default_rng(11).choice(count, size=(9, count))
    rows = np.arange(count, dtype=np.int64)[:, np.newaxis] % 32_768
    found = _core.Resampler(rows, generator_state(11)).bootstrap(9)
    assert rows[picks, 0].sum(axis=1).tolist() == found[:, 0].tolist()


def test_large_draws_are_made_in_parts_of_the_same_stream():
    # 84 MB of draws; 64 samples are held at once.
    rows = np.arange(300_000, dtype=np.int64)[:, np.newaxis]
    random = np.random.default_rng(3)
    expected = [int(random.choice(300_000, size=300_000).sum()) for _ in range(70)]
    found = _core.Resampler(rows, generator_state(3)).bootstrap(70)
    assert expected == found[:, 0].tolist()


def test_large_coin_tosses_are_made_in_parts_of_the_same_stream():
    # 33 MB of coins; 1280 samples are held at once, so the last 70 are tossed in a second part.
    rows = np.arange(200_000, dtype=np.int64)[:, np.newaxis]
    found = _core.Resampler(rows, generator_state(3)).coins(1350)
    generator = np.random.PCG64(3)
    generator.advance(1280 * 200_000 // 64)  # 64 coins come from one step
    coins = np.random.Generator(generator).integers(2, size=(70, 200_000), dtype=bool)
    assert [int(rows[coin].sum()) for coin in coins] == found[1280:, 0].tolist()


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_threads_do_not_change_sums(threads, monkeypatch):
    rows = np.random.default_rng(0).integers(-9, 99, (203, 37))
    expected = [
        _core.Resampler(rows, generator_state(5)).bootstrap(300),
        _core.Resampler(rows, generator_state(5)).coins(5000),
    ]
    monkeypatch.setenv("RANKWISE_THREADS", threads)
    np.testing.assert_array_equal(
        expected[0], _core.Resampler(rows, generator_state(5)).bootstrap(300)
    )
    np.testing.assert_array_equal(
        expected[1], _core.Resampler(rows, generator_state(5)).coins(5000)
    )


scores = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=12
)  # few values: ties between shuffles are common


@given(scores, seeds, st.booleans())
@settings(max_examples=60)
def test_paired_tests_equal_the_slow_ones(values, seed, inclusive):
    left, right = ([[pair[side], 1] for pair in values] for side in (0, 1))
    rows = {"left": np.array(left), "right": np.array(right)}
    compat = None if inclusive else "sacrebleu"
    shuffled = paired_randomisation(rows, MeanScore(), samples=64, seed=seed, compat=compat)
    assert slow.paired_randomisation(left, right, 64, seed, inclusive) == shuffled.p_values[0]
    resamples = bootstrap(rows, MeanScore(), samples=64, seed=seed)
    drawn = [paired_bootstrap(resamples, compat=c).p_values[0] for c in (None, "sacrebleu")]
    for found, (least, most) in zip(
        drawn, slow.paired_bootstrap(left, right, 64, seed), strict=True
    ):
        assert least <= found <= most


@given(st.integers(1, 60), st.integers(1, 6), st.integers(0, 99))
def test_rank_ranges_and_clusters_equal_the_slow_ones(runs, systems, seed):
    scores = np.random.default_rng(seed).integers(0, 9, (runs, systems)).astype(float)
    cut = min(-(-runs // 40), (runs - 1) // 2)  # ceil(2.5 %), one run remains
    expected = slow.rank_ranges(scores.tolist(), cut)
    low, high = rank_ranges(scores)
    assert expected == list(zip(low.tolist(), high.tolist(), strict=True))
    assert slow.clusters(expected) == clusters(low, high).tolist()
