"""Accuracies on WMT13 French-English against those of the original scripts."""

import json

import numpy as np
import pytest

from rankwise.aggregate import ExpectedWins, HopkinsMay, TrueSkill
from rankwise.aggregate.prediction import most_frequent_share
from rankwise.evaluate.ranking.prediction_curves import CurveLearner, learning_curve, part, without
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


def check_accuracies(learner, parts, originals):
    """Ours and the original's, within what their runs and another development part leave open."""
    sizes = tuple(originals)
    found = learning_curve(learner, *parts, sizes=sizes, runs=60, band="one-sided")
    for place, original in enumerate(originals.values()):
        spread = original["sd_over_runs"] / np.sqrt(original["runs"])
        error = np.hypot(found.accuracy_error[place], spread)
        assert abs(found.accuracy[place] - original["acc"]) < 3.5 * error + 0.001


def original_trueskill(matches, ways=2):
    return TrueSkill(
        beta="code", draw_probability=0.25, selection="paper", ways=ways, matches=matches
    )


@pytest.mark.parametrize(
    ("name", "learner"),
    [
        ("EW", CurveLearner("EW", ExpectedWins(), deviation=np.sqrt(0.001))),
        ("TS", CurveLearner("TS", original_trueskill, draw="model")),
        (
            "HM_code",
            CurveLearner(
                "HM",
                HopkinsMay(compat="wmt-trueskill"),
                draw="rankings",
                deviation=np.sqrt(0.5),
            ),
        ),
    ],
)
def test_models_learn_as_fast_as_the_originals(parts, golden, name, learner):
    originals = golden["accuracy_fr-en"]["all_clean"][name]
    # Hopkins and May's sampler takes long for many judgments.
    sizes = ("400", "800") if name == "HM_code" else originals
    check_accuracies(learner, parts, {int(size): originals[size] for size in sizes})


@pytest.mark.parametrize("size", [400, 6400])
def test_perplexity_of_trueskill(parts, golden, size):
    original = golden["accuracy_fr-en"]["all_clean"]["TS"][str(size)]["ppl_by_r"]
    learner = CurveLearner("TS", original_trueskill, draw="model")
    for radius, expected in original.items():
        found = learning_curve(
            learner, *parts, sizes=(size,), runs=60, radii=(float(radius),), band="one-sided"
        )
        assert found.perplexity[0] == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize(
    "case", ["N=3/fixed_matches/1600", "N=4/fixed_pairs/800", "N=5/fixed_matches/400"]
)
def test_free_for_alls_learn_as_fast_as_the_original(parts, golden, case):
    original = golden["nway_fr-en"]["result"][case]
    ways = int(case[2])
    learner = CurveLearner(case, lambda matches: original_trueskill(matches, ways), draw="model")
    expected = {"acc": original["test_acc"], "sd_over_runs": original["sd"], "runs": 60}
    check_accuracies(learner, parts, {original["n_matches"]: expected})
