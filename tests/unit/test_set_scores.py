"""Scores of outputs that are ranked as a set: worked by hand."""

import numpy as np
import pytest

from rankwise.evaluate import with_lead
from rankwise.evaluate.system_leads import system_leads
from rankwise.types import ScoreTable

NAN = float("nan")


def table(values):
    array = np.array(values, float)
    systems = tuple("abc"[: len(array)])
    return ScoreTable(systems, tuple(map(str, range(array.shape[1]))), array, name="m")


def test_a_lead_is_the_mean_difference_to_all():
    # Means of segments 2, 4: a is 1 and 2 above, b as far below.
    assert system_leads(np.array([[3.0, 6.0], [1.0, 2.0]])).tolist() == [1.5, -1.5]


def test_half_of_the_lead_is_added_to_every_score():
    found = with_lead(table([[3, 6], [1, 2]]))
    assert found.values.tolist() == [[3.75, 6.75], [0.25, 1.25]]
    assert found.systems == ("a", "b")
    assert found.name == "m"


def test_it_can_turn_a_close_pair_round_and_no_clear_one():
    values = table([[0.49, 0.9, 0.9], [0.5, 0.6, 0.1]])
    found = with_lead(values).values
    assert found[0, 0] > found[1, 0]
    assert with_lead(values, weight=0.0) == values


def test_a_system_alone_has_no_lead():
    assert with_lead(table([[0.2, 0.7]])).values.tolist() == [[0.2, 0.7]]


def test_missing_scores_stay_missing_and_count_for_nothing():
    # Of the first segment a alone has a score, so that it has no lead there.
    found = with_lead(table([[5, 3], [NAN, 1]])).values
    assert found[0].tolist() == pytest.approx([5 + 0.25, 3 + 0.25])
    assert np.isnan(found[1, 0])
    assert found[1, 1] == pytest.approx(1 - 0.5)
    assert system_leads(np.full((2, 2), NAN)).tolist() == [0.0, 0.0]


def test_the_order_of_systems_stays():
    values = np.random.default_rng(1).normal(size=(3, 20))
    before, after = values.mean(axis=1), with_lead(table(values)).values.mean(axis=1)
    assert np.argsort(before).tolist() == np.argsort(after).tolist()
