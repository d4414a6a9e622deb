"""Accuracies of Expected Wins on WMT13 French-English against those of the original scripts."""

import json

import numpy as np
import pytest

from rankwise.aggregate import ExpectedWins
from rankwise.aggregate.predict import most_frequent_share
from rankwise.evaluate.learning_curves import Learner, learning_curve, part, without
from rankwise.io import read_judgments
from shared_data import needs_shared, shared

pytestmark = needs_shared


@pytest.fixture(scope="module")
def golden():
    return json.loads(shared("golden/trueskill.json").read_text())


@pytest.fixture(scope="module")
def parts():
    train = read_judgments(shared("data/rankings/wmt13_fr-en_train.csv.gz"))
    test = read_judgments(shared("data/rankings/wmt13_fr-en_test.csv.gz"))
    rest, development = part(without(train, test), 200, seed=1, judges="researcher*")
    # All 200 test rankings are in the training file as shipped; two others occur twice there.
    assert len(train) - len(without(train, test)) == 200
    return rest, development, test


def test_upper_bound(parts, golden):
    pairs = parts[2].pairs()
    assert golden["upper_bound_test_fr-en"] == most_frequent_share(pairs)
    assert golden["tie_rate_test"] == (pairs.sign == 0).mean()


def test_expected_wins_learns_as_fast_as_the_original(parts, golden):
    learner = Learner("EW", ExpectedWins(), deviation=np.sqrt(0.001))
    found = learning_curve(learner, *parts, runs=60, band="one-sided")
    expected = golden["accuracy_fr-en"]["all_clean"]["EW"]
    for place, size in enumerate(found.sizes):
        original = expected[str(size)]
        error = np.hypot(found.accuracy_error[place], original["sd_over_runs"] / np.sqrt(200))
        # The development parts differ, and with them now and then the radius.
        assert abs(found.accuracy[place] - original["acc"]) < 3.5 * error + 0.001
