"""Which preferences do rankings and scores give?"""

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.learning.pairs import (
    Preferences,
    aggregated,
    ranked_preferences,
    scored_preferences,
)
from rankwise.types import Judgments, Ranking


def listed(preferences):
    return sorted(zip(preferences.better.tolist(), preferences.worse.tolist(), strict=True))


def test_ties_and_unknown_outputs_give_no_preference():
    judgments = Judgments.from_rankings(
        [Ranking("1", "ann", ("A", "B", "C"), (1, 2, 2)), Ranking("2", "ann", ("A", "C"), (2, 1))]
    )
    rows = np.array([[0, 1, 2], [3, -1, -1]])
    assert listed(ranked_preferences(judgments, rows)) == [(0, 1), (0, 2)]


def test_scores_must_be_far_enough_apart():
    human = np.array([90.0, 65, 64, np.nan, 10])
    group = np.array([0, 0, 0, 0, 1])
    assert listed(scored_preferences(human, group)) == [(0, 2)]
    assert listed(scored_preferences(human, group, inclusive=True)) == [(0, 1), (0, 2)]


def test_groups_need_not_be_together():
    human = np.array([100.0, 0, 0, 100])
    assert listed(scored_preferences(human, np.array([1, 0, 1, 0]))) == [(0, 2), (3, 1)]


def test_equal_scores_are_no_preference_even_without_threshold():
    human, group = np.array([1.0, 1.0]), np.zeros(2, int)
    assert listed(scored_preferences(human, group, threshold=0, inclusive=True)) == []


def test_a_negative_threshold_is_an_error():
    with pytest.raises(DataError, match="expected 0 or more"):
        scored_preferences(np.zeros(2), np.zeros(2, int), threshold=-1)


def test_the_majority_decides_and_a_balance_gives_nothing():
    pairs = Preferences(np.array([0, 0, 1, 2, 3]), np.array([1, 1, 0, 3, 2]), np.ones(5))
    found = aggregated(pairs, by_agreement=True)
    assert listed(found) == [(0, 1)]
    assert found.weight == pytest.approx([1 / 3])
