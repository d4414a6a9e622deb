"""Foretelling outcomes: by hand, by simulation, and where numbers run out."""

from statistics import NormalDist

import numpy as np
import pytest

from rankwise.aggregate.prediction import (
    FLOOR,
    Outlook,
    accuracy,
    cluster_outlook,
    mean_surprise,
    most_frequent_share,
    outcome_chances,
    outcome_counts,
    outcome_variances,
)
from rankwise.errors import DataError
from rankwise.types import Comparisons, Judgments, Leaderboard, Ranking, Ratings

# mu 0.6 and 0.2, variance 0.1 + 0.15 = 0.25: X ~ N(0.4, 0.5^2).
RATINGS = Ratings(("A", "B"), np.array([0.6, 0.2]), np.sqrt([0.1, 0.15]))
NORMAL = NormalDist(0.4, 0.5)


def comparisons(*outcomes, systems=("A", "B")):
    left, right, sign = zip(*outcomes, strict=True)
    columns = (np.array(column, np.int32) for column in (left, right, sign))
    return Comparisons(systems, *columns, np.arange(len(sign), dtype=np.int32))


def outlook(ratings, *, radius, band="symmetric", **options):
    variances = outcome_variances(ratings, **options)
    chances = outcome_chances(ratings.means, variances, radius=radius, band=band)
    return Outlook(ratings.systems, chances)


def perplexity(expected, test):
    return 2 ** mean_surprise(expected.chances, outcome_counts(test, expected.systems))


def test_a_symmetric_band_by_hand():
    expected = [1 - NORMAL.cdf(0.1), NORMAL.cdf(0.1) - NORMAL.cdf(-0.1), NORMAL.cdf(-0.1)]
    chances = outlook(RATINGS, radius=0.1).chances
    np.testing.assert_allclose(chances[0, 1], expected)
    np.testing.assert_allclose(chances[1, 0], expected[::-1])


def test_the_one_sided_band_of_the_paper_by_hand():
    expected = [1 - NORMAL.cdf(0.1), NORMAL.cdf(0.1) - NORMAL.cdf(0), NORMAL.cdf(0)]
    chances = outlook(RATINGS, radius=0.1, band="one-sided").chances
    np.testing.assert_allclose(chances[0, 1], expected)
    np.testing.assert_allclose(chances[1, 0], expected[::-1])


def test_noise_is_added_to_what_is_known():
    # 0.25 of the ratings and twice 0.3^2 of performances.
    wider = NormalDist(0.4, np.sqrt(0.25 + 0.18))
    chances = outlook(RATINGS, radius=0.1, noise=0.3).chances
    assert chances[0, 1, 0] == pytest.approx(1 - wider.cdf(0.1))


def test_equal_means():
    # X ~ N(0, 1): P(X > 1) = .1587; the original takes the second system for the better one.
    means, variances = np.zeros(2), np.full(2, 0.5)
    symmetric = outcome_chances(means, variances, radius=1.0)[0, 1]
    np.testing.assert_allclose(symmetric, [0.1587, 0.6827, 0.1587], atol=5e-5)
    one_sided = outcome_chances(means, variances, radius=1.0, band="one-sided")[0, 1]
    np.testing.assert_allclose(one_sided, [0.5, 0.3413, 0.1587], atol=5e-5)


@pytest.mark.parametrize("band", ["symmetric", "one-sided"])
def test_extremes_are_chances(band):
    means = np.array([0, 1e-300, 1e300, -1e300, 3.0])
    for variance in (0.0, 1e-300, 1e-3, 1e300):
        for radius in (0.0, 1e-9, 0.5, 1e300):
            chances = outcome_chances(means, np.full(5, variance), radius=radius, band=band)
            assert (chances >= 0).all()
            np.testing.assert_allclose(chances.sum(axis=-1), 1, rtol=1e-12)


def test_chances_without_spread_are_certain():
    chances = outcome_chances(np.array([1.0, 0.0, 0.95]), np.zeros(3), radius=0.1)
    np.testing.assert_array_equal(chances[0, 1], [1, 0, 0])
    np.testing.assert_array_equal(chances[0, 2], [0, 1, 0])


def test_stacks_of_ratings_are_each_alone():
    random = np.random.default_rng(2)
    means, variances = random.normal(size=(4, 3)), random.uniform(0.1, 1, (4, 3))
    stacked = outcome_chances(means, variances, radius=0.2)
    for k in range(4):
        alone = outcome_chances(means[k], variances[k], radius=0.2)
        np.testing.assert_array_equal(stacked[k], alone)


def test_accuracy_and_perplexity_by_hand():
    # A is foretold to win: right in two of four; B against A counts from the other side.
    test = comparisons((0, 1, 1), (1, 0, -1), (0, 1, 0), (0, 1, -1))
    expected = outlook(RATINGS, radius=0.1)
    assert accuracy(expected, test) == 0.5
    win, tie, loss = expected.chances[0, 1]
    assert perplexity(expected, test) == pytest.approx((win * win * tie * loss) ** (-1 / 4))


def test_knowing_nothing_has_perplexity_three():
    nothing = Outlook(("A", "B"), np.full((2, 2, 3), 1 / 3))
    assert perplexity(nothing, comparisons((0, 1, 1), (1, 0, 0))) == pytest.approx(3)


def test_the_impossible_costs_forty_bits():
    certain = Outlook(("A", "B"), np.broadcast_to([1.0, 0, 0], (2, 2, 3)))
    assert perplexity(certain, comparisons((0, 1, 0))) == pytest.approx(1 / FLOOR)


def test_unknown_systems_are_left_out():
    test = comparisons((0, 1, 1), (0, 2, 1), systems=("A", "B", "X"))
    assert outcome_counts(test, ("B", "A")).sum() == 1
    assert outcome_counts(test, ("B", "A"))[1, 0].tolist() == [1, 0, 0]
    assert accuracy(outlook(RATINGS, radius=0.1), test) == 1
    unknown = comparisons((0, 1, 1), systems=("X", "Y"))
    assert np.isnan(accuracy(outlook(RATINGS, radius=0.1), unknown))
    assert np.isnan(perplexity(outlook(RATINGS, radius=0.1), unknown))


def test_clusters_foretell_ties_within():
    clusters = np.array([1, 1, 2])
    board = Leaderboard(("A", "B", "C"), 1.0 * clusters, clusters, clusters, clusters)
    test = comparisons((0, 1, 0), (0, 1, 1), (0, 2, 1), (2, 1, -1), systems=("A", "B", "C"))
    assert accuracy(cluster_outlook(board), test) == 3 / 4


def test_the_upper_bound_by_hand():
    # A and B: 2 wins, 1 tie, 1 loss whichever way they were shown; A and C: 1 loss.
    test = comparisons(
        (0, 1, 1), (1, 0, -1), (0, 1, 0), (1, 0, 1), (2, 0, 1), systems=("A", "B", "C")
    )
    assert most_frequent_share(test) == 3 / 5
    assert np.isnan(most_frequent_share(Judgments.from_rankings([]).pairs()))


def test_pairs_of_judgments_are_comparisons():
    pairs = Judgments.from_rankings([Ranking("1", "ann", ("A", "B", "C"), (1, 2, 2))]).pairs()
    counts = outcome_counts(pairs, ("A", "B", "C"))
    assert counts[0, 1].tolist() == counts[0, 2].tolist() == [1, 0, 0]
    assert counts[1, 2].tolist() == [0, 1, 0]


def test_what_is_refused():
    silent = Ratings(("A",), np.zeros(1), np.full(1, np.nan))
    with pytest.raises(DataError, match="state no deviations"):
        outlook(silent, radius=0.1)
    assert outlook(silent, radius=0.1, deviation=1).chances.shape == (1, 1, 3)
    with pytest.raises(DataError, match="decision radius is -1"):
        outlook(RATINGS, radius=-1)
    with pytest.raises(DataError, match="unknown band 'wide'; choose from symmetric, one-sided"):
        outlook(RATINGS, radius=1, band="wide")
    with pytest.raises(DataError, match="chances have shape"):
        Outlook(("A",), np.zeros((1, 3)))
