"""Does the native TrueSkill equal the slow one, the PyPI package and brute force?"""

import math

import numpy as np
import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import erfcx

from rankwise import _core
from rankwise.aggregate import TrueSkill
from rankwise.aggregate.models.trueskill import draw_margin
from rankwise.aggregate.run_batch import Batch
from rankwise.types import Judgments, Ranking
from rankwise.types.seeds import generator_state
from reference import rating as slow

skills = st.tuples(st.floats(-30, 30), st.floats(0.1, 9))
close_skills = st.tuples(st.floats(-2, 2), st.floats(0.1, 9))  # nothing underflows
sensible = {"beta": st.floats(0.5, 6), "tau": st.floats(0, 1), "draws": st.floats(0.01, 0.9)}


def rated(priors, ranks, beta, tau, epsilon):
    """Means and deviations after one match."""
    players = np.arange(len(priors), dtype=np.int32)
    means, variances = _core.rate_matches(
        np.array([mean for mean, _ in priors]),
        np.array([deviation**2 for _, deviation in priors]),
        np.array([0, len(priors)]),
        players,
        np.array(ranks, float),
        beta=beta,
        epsilon=epsilon,
        tau=tau,
    )
    return np.stack([means, np.sqrt(variances)], axis=1)


@given(st.floats(-7, 7), st.floats(0.02, 5), st.booleans())
def test_truncated_moments_are_the_printed_ones(t, margin, is_tie):
    (found,) = _core.truncated(np.array([t]), np.array([margin]), is_tie)
    v, w = slow.truncated(t, margin, is_tie)
    # The printed formulas lose digits where the mass of the interval is small.
    assert found[0] == pytest.approx(v, rel=1e-9, abs=1e-9)
    assert found[1] == pytest.approx(w, rel=1e-7, abs=1e-7)
    assert found[2] == pytest.approx(1 - w, rel=1e-7, abs=1e-7)


def test_the_hazard_keeps_its_digits():
    # Power series around nodes between -4 and 5, other formulas beyond: no seam shows.
    z = np.concatenate([np.linspace(-9, 9, 18_001), np.arange(-4, 5, 1 / 16) + 1 / 32])
    found = _core.truncated(-z, np.zeros_like(z), False)
    hazard = np.sqrt(2 / np.pi) / erfcx(z / np.sqrt(2))
    by_series = (z >= -4) & (z <= 5)
    np.testing.assert_allclose(found[by_series, 0], hazard[by_series], rtol=5e-15)
    np.testing.assert_allclose(found[:, 0], hazard, rtol=5e-14)
    np.testing.assert_allclose(found[:, 1], hazard * (hazard - z), rtol=1e-12)


@given(st.floats(-1e6, 1e6), st.sampled_from([0.0, 1e-300, 1e-9, 0.5, 40.0]), st.booleans())
def test_truncated_moments_are_safe_everywhere(t, margin, is_tie):
    (v, w, kept) = _core.truncated(np.array([t]), np.array([margin]), is_tie)[0]
    assert math.isfinite(v)
    assert 0 <= w <= 1
    assert 0 <= kept <= 1
    # The mean of the truncated variable lies in its interval, up to rounding.
    slack = 1e-9 * max(1, abs(t))
    assert t + v >= (-margin if is_tie else margin) - slack
    assert not is_tie or t + v <= margin + slack


@pytest.mark.parametrize(
    ("t", "margin", "is_tie", "expected"),
    [
        (-1e8, 0.0, False, (1e8, 1.0)),  # a huge upset: v is -x, w is 1
        (60.0, 1.0, False, (0.0, 0.0)),  # a certain win teaches nothing
        (2.5, 0.0, True, (-2.5, 1.0)),  # known to be equal: the difference is 0
        (3.0, 1e-6, True, (-3.0, 1.0)),
        (1e5, 1.0, True, (1 - 1e5, 1.0)),
    ],
)
def test_where_the_package_raises(t, margin, is_tie, expected):
    (found,) = _core.truncated(np.array([t]), np.array([margin]), is_tie)
    assert found[:2] == pytest.approx(expected, rel=1e-8, abs=1e-12)


@given(st.tuples(close_skills, close_skills), st.integers(-1, 1), st.fixed_dictionaries(sensible))
def test_two_players_equal_the_slow_one(priors, sign, rules):
    beta, tau, epsilon = (
        rules["beta"],
        rules["tau"],
        draw_margin(rules["draws"], beta=rules["beta"]),
    )
    state = [(mean, deviation**2) for mean, deviation in priors]
    slow.rate(state, (0, 1), (-sign, 0), beta=beta, epsilon=epsilon, tau=tau)
    found = rated(priors, (-sign, 0), beta, tau, epsilon)
    expected = [(mean, math.sqrt(variance)) for mean, variance in state]
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-8)


@given(
    st.lists(st.tuples(skills, st.integers(1, 4)), min_size=2, max_size=8),
    st.fixed_dictionaries(sensible),
)
@settings(max_examples=15, deadline=None)  # the package takes 50 ms for a match
def test_free_for_alls_equal_the_package(players, rules):
    priors, ranks = zip(*players, strict=True)
    beta, tau, draws = rules["beta"], rules["tau"], rules["draws"]
    env = trueskill.TrueSkill(0, 1, beta, tau, draws, backend="scipy")
    groups = [(env.create_rating(*prior),) for prior in priors]
    try:
        expected = [tuple(rating) for (rating,) in env.rate(groups, ranks=ranks)]
    except (FloatingPointError, ValueError):
        return  # what is beyond the package has tests of its own
    found = rated(priors, ranks, beta, tau, draw_margin(draws, beta=beta))
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_a_free_for_all_with_exact_ties_is_finite_and_symmetric():
    found = rated([(0.0, 1.0)] * 4, (1, 1, 2, 2), 1.0, 0.0, 0.0)
    np.testing.assert_allclose(found[:, 0], np.array([1, 1, -1, -1]) * found[0, 0], atol=1e-6)
    assert (found[:, 1] < 1).all()


def test_many_pairs_one_after_another_equal_single_updates():
    random = np.random.default_rng(3)
    left = random.integers(0, 5, 300).astype(np.int32)
    right = ((left + random.integers(1, 5, 300)) % 5).astype(np.int32)
    sign = random.integers(-1, 2, 300).astype(np.int8)
    state = [(0.0, 0.25)] * 5
    for one, two, which in zip(left.tolist(), right.tolist(), sign.tolist(), strict=True):
        slow.rate(state, (one, two), (-which, 0), beta=0.5, epsilon=0.2)
    found = _core.rate_pairs(
        np.zeros(5), np.full(5, 0.25), left, right, sign, beta=0.5, epsilon=0.2, tau=0.0
    )
    np.testing.assert_allclose(found.T, state, rtol=1e-12)


counts = st.integers(2, 6).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(0, 4), min_size=2 * n, max_size=2 * n), min_size=n, max_size=n
    )
)


def tables(rows):
    """Wins and ties, symmetric and without a diagonal, and both as kinds of outcomes."""
    n = len(rows)
    both = np.array(rows).reshape(n, 2, n).transpose(1, 0, 2)
    wins, ties = both[0] * (1 - np.eye(n, dtype=int)), np.triu(both[1], 1)
    return wins.tolist(), (ties + ties.T).tolist(), slow.kinds(wins, ties)


@given(counts, st.integers(0, 99), st.sampled_from([0.05, 0.5, 20.0]))
@settings(max_examples=40, deadline=None)
def test_match_selection_equals_the_slow_one(rows, seed, beta):
    wins, ties, kinds = tables(rows)
    if not kinds[-1].any():
        return
    options = {"beta": beta, "epsilon": 0.4 * beta}
    setting = _core.RatingSetting(len(wins), 0.0, 0.25, *options.values(), 0.0)
    means, _, _ = _core.rate_selected_pairs(
        *kinds, setting, matches=40, state=generator_state(seed), first_run=3, runs=2
    )
    for run in (0, 1):
        expected = slow.selected_pairs(wins, ties, 40, seed, 3 + run, variance=0.25, **options)
        np.testing.assert_allclose(means[run], expected, rtol=1e-7, atol=1e-9)


def test_opponents_are_drawn_by_their_distance():
    # One match from skills that differ: the share of each opponent is exp(-distance), normalised.
    ranks = {"D": 1, "A": 2, "B": 3, "C": 4}
    screens = [Ranking(str(i), "ann", tuple(ranks), tuple(ranks.values())) for i in range(9)]
    model = TrueSkill(selection="paper", matches=1, beta=0.5)
    systems, means, _ = model.rated(Judgments.from_rankings(screens), Batch(30000, 1, None))
    assert systems == ("A", "B", "C", "D")
    assert (means[:, 3] > 0).all()  # of equal variances the last name plays first
    shares = (means[:, :3] < 0).mean(axis=0)
    np.testing.assert_allclose(shares, [1 / 3] * 3, atol=0.01)  # all are equally close at first


@pytest.mark.parametrize(
    "comparisons",
    [
        [(0, 1, False), (0, 1, False), (1, 2, False), (0, 2, True)],
        [(0, 1, False)] * 3 + [(1, 0, False), (0, 1, True), (1, 0, True)],
        [(0, 1, False), (1, 2, False), (2, 0, False)] * 2 + [(0, 1, False)],
    ],
)
def test_all_at_once_is_the_posterior(comparisons):
    model = TrueSkill(sigma0=0.5, beta=0.5, epsilon=0.2)
    names = "ABC"[: 1 + max(max(one, two) for one, two, _ in comparisons)]
    screens = [
        Ranking(str(i), "ann", (names[one], names[two]), (1, 1 if is_tie else 2))
        for i, (one, two, is_tie) in enumerate(comparisons)
    ]
    ratings = model.ratings(Judgments.from_rankings(screens))
    means, covariance = slow.posterior(comparisons, len(names), sigma=0.5, beta=0.5, epsilon=0.2)
    centre = np.eye(len(names)) - 1 / len(names)
    np.testing.assert_allclose(ratings.means, means, atol=2e-3)
    expected = np.sqrt(np.diag(centre @ covariance @ centre))
    np.testing.assert_allclose(ratings.deviations, expected, rtol=5e-3)


def met_by_few(systems, comparisons, seed):
    """Wins and ties of some pairs of many systems, all of which play."""
    random = np.random.default_rng(seed)
    left = np.concatenate([np.arange(systems), random.integers(0, systems, comparisons - systems)])
    right = (left + random.integers(1, systems, comparisons)) % systems
    wins, ties = np.zeros((2, systems, systems), int)
    tied = random.random(comparisons) < 0.15
    np.add.at(wins, (left[~tied], right[~tied]), 1)
    np.add.at(ties, (np.minimum(left, right)[tied], np.maximum(left, right)[tied]), 1)
    return wins, ties


@pytest.mark.parametrize("systems", [6, 127, 128, 133])
def test_all_at_once_equals_the_slow_one(systems):
    # From 128 systems on rounds between inverses are near ones, and inverses are taken by blocks.
    wins, ties = met_by_few(systems, 3 * systems, systems)
    setting = _core.RatingSetting(systems, 0.3, 0.25, 0.5, 0.2, 0.0)
    means, variances, unsettled = _core.rate_all_pairs(
        *slow.kinds(wins, ties), setting, tolerance=1e-10
    )
    rounds = {"rounds": 40 if systems > 6 else 80}
    expected = slow.all_pairs(wins, ties + ties.T, variance=0.25, beta=0.5, epsilon=0.2, **rounds)
    assert unsettled == 0
    np.testing.assert_allclose(means[0] - 0.3, expected[0], atol=1e-8)
    np.testing.assert_allclose(variances[0], expected[1], rtol=1e-8)


@pytest.mark.parametrize(("comparisons", "most"), [(6000, 0.003), (600, 0.05)])
def test_runs_near_a_posterior_are_those_of_the_exact_one(comparisons, most):
    wins, ties = met_by_few(200, comparisons, 1)
    *kinds, row = slow.kinds(wins, ties)
    occurs = row[0] > 0
    kinds, row = [column[occurs] for column in kinds], row[:, occurs]
    runs = np.random.default_rng(2).multinomial(comparisons, row[0] / row.sum(), 12)
    setting = _core.RatingSetting(200, 0.0, 0.25, 0.5, 0.2, 0.0)
    exact, _, _ = _core.rate_all_pairs(*kinds, runs, setting, tolerance=1e-10)
    near = _core.NearRatings(*kinds, row, setting, tolerance=1e-10)
    found, _, unsettled = near.rate(runs, tolerance=1e-6)
    assert unsettled == 0
    np.testing.assert_array_equal(np.isnan(exact), np.isnan(found))
    scatter = np.nanmean(np.nanstd(exact, axis=0))
    assert np.nanmax(np.abs(found - exact)) < most * scatter
    itself, _, _ = near.rate(row, tolerance=1e-10)
    all_judgments, _, _ = _core.rate_all_pairs(*kinds, row, setting, tolerance=1e-10)
    np.testing.assert_allclose(itself, all_judgments, atol=1e-8)
    alone = np.concatenate([near.rate(run[np.newaxis], tolerance=1e-6)[0] for run in runs])
    assert found.tobytes() == alone.tobytes()


def test_what_a_base_lacks_is_refused():
    kinds = np.array([0, 1], np.int32), np.array([1, 0], np.int32), np.zeros(2, np.uint8)
    setting = _core.RatingSetting(2, 0.0, 0.25, 0.5, 0.2, 0.0)
    near = _core.NearRatings(*kinds, np.array([[3, 0]]), setting, tolerance=1e-10)
    with pytest.raises(ValueError, match="an outcome that the base lacks"):
        near.rate(np.array([[2, 1]]), tolerance=1e-6)


def test_free_for_alls_at_once_agree_with_pairs_at_once():
    random = np.random.default_rng(5)
    ranks = random.normal([0, 0.4, 0.8], 1, (400, 3)).tolist()
    screens = [Ranking(str(i), "ann", tuple("ABC"), tuple(row)) for i, row in enumerate(ranks)]
    judgments = Judgments.from_rankings(screens)
    pairs, whole = (TrueSkill(ways=ways).ratings(judgments) for ways in (2, 3))
    np.testing.assert_allclose(whole.means, pairs.means, atol=0.02)
    assert (whole.deviations > pairs.deviations).all()  # three pairs are not independent


@given(counts, st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_hopkins_and_may_equals_the_slow_one(rows, seed):
    wins, ties, kinds = tables(rows)
    if not kinds[-1].any():
        return
    options = {"deviation": 0.5, "radius": 0.5, "iterations": 12, "burn_in": 4}
    means, variances = _core.hopkins_may(
        *kinds, len(wins), **options, state=generator_state(seed), first_run=0, runs=1
    )
    expected = slow.hopkins_may(wins, ties, seed, **options)
    played = ~np.isnan(means[0])
    np.testing.assert_allclose(means[0, played], expected[0][played], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(variances[0, played], expected[1][played], rtol=1e-7, atol=1e-12)


def test_many_judgments_drawn_at_once_are_distributed_as_single_ones():
    # 65 wins and 65 ties go beyond the 64 that are drawn one at a time.
    def spread(times):
        wins, ties = np.array([[0, times], [times // 5, 0]]), np.array([[0, times], [0, 0]])
        options = {"deviation": 0.5, "radius": 0.5, "iterations": 40, "burn_in": 20}
        means, _ = _core.hopkins_may(
            *slow.kinds(wins, ties), 2, **options, state=generator_state(2), first_run=0, runs=4000
        )
        return means[:, 0].mean(), means[:, 0].std()

    one, other = spread(60), spread(65)
    assert one[0] == pytest.approx(other[0], abs=0.005)
    assert one[1] * math.sqrt(60) == pytest.approx(other[1] * math.sqrt(65), rel=0.08)


segments = st.lists(
    st.lists(
        st.dictionaries(st.integers(0, 4), st.integers(1, 3), min_size=2, max_size=5).map(
            lambda ranks: list(ranks.items())
        ),
        min_size=1,
        max_size=3,
    ),
    min_size=1,
    max_size=5,
)


@given(segments, st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_the_published_sampler_equals_the_slow_one(rankings, seed):
    flat = [ranking for segment in rankings for ranking in segment]
    options = {"deviation": 1.1, "radius": 0.5, "iterations": 6}
    found = _core.hopkins_may_segments(
        np.cumsum([0, *map(len, flat)]),
        np.array([system for ranking in flat for system, _ in ranking], np.int32),
        np.array([rank for ranking in flat for _, rank in ranking], float),
        np.cumsum([0, *map(len, rankings)]),
        5,
        **options,
        resample=False,
        state=generator_state(seed),
        first_run=0,
        runs=1,
    )[0]
    expected = np.array(slow.hopkins_may_segments(rankings, 5, seed, **options))
    played = ~np.isnan(found)
    np.testing.assert_allclose(found[played], expected[played], rtol=1e-9, atol=1e-12)
