"""Does a model survive its file, and does it refuse a broken one?"""

import json
import math

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.scorers import LinearScorer, StepScorer, TreeScorer

COLUMNS = ("length", "match")
SCORERS = {
    "linear": LinearScorer(np.array([0.5, 2.0]), np.array([1.0, 0.1]), np.array([2.0, 0.3])),
    "steps": StepScorer(np.array([1, 0, 1]), np.array([0.5, 3.0, 0.25]), np.array([1.0, -0.5, 2])),
    "trees": TreeScorer((([1, 0], [0.5, 2.0], [1, -1], [-3, -2], [0.1, 0.2, 0.9]),)),
}
ROWS = np.array([[1.0, 0.2], [3.5, 0.9], [2.0, 0.5], [3.0, 0.25]])

ENDLESS = {"features": list(COLUMNS), "trees": [[[0], [1.0], [0], [-1], [1, 2]]]}


def model(form):
    return LearnedModel("duh", COLUMNS, SCORERS[form], 1.5, "made by hand", {"tau": 0.25})


def test_linear_margins_by_hand():
    # 0.5 * (3 - 1) / 2 + 2 * (0.4 - 0.1) / 0.3
    assert model("linear").margins(np.array([3.0, 0.4])) == pytest.approx(2.5)


def test_step_margins_by_hand():
    # a value at the threshold is not above it
    assert model("steps").margins(ROWS) == pytest.approx([0.0, 2.5, 2.0, 0.0])


def test_tree_margins_by_hand():
    # match <= 0.5 goes on to length <= 2
    assert model("trees").margins(ROWS) == pytest.approx([0.1, 0.9, 0.1, 0.2])


@pytest.mark.parametrize("form", SCORERS)
def test_reading_gives_what_was_written(form):
    text = model(form).to_json()
    again = LearnedModel.from_json(text)
    assert again.to_json() == text
    assert np.array_equal(again.margins(ROWS), model(form).margins(ROWS))


def test_a_feature_is_a_line():
    assert '  "match": [ 2.0, 0.1, 0.3 ]\n' in model("linear").to_json()
    assert '   [ "match", 0.5, 1.0 ],\n' in model("steps").to_json()


def test_a_perfect_output_scores_1_and_scores_rise_with_margins():
    perfect = np.broadcast_to([1.0, 1.0], ROWS.shape)
    scores = model("linear").scores(ROWS, perfect)
    assert model("linear").scores(perfect, perfect) == pytest.approx(1)
    assert ((scores >= 0) & (scores <= 1)).all()
    order = np.argsort(model("linear").margins(ROWS))
    assert (np.diff(scores[order]) >= 0).all()


def test_calibration_recovers_the_slope():
    distance = -np.linspace(0, 5, 50)
    wanted = 2 / (1 + np.exp(-0.7 * distance))
    assert model("linear").calibrated(distance, wanted).slope == pytest.approx(0.7, rel=1e-4)


def test_an_anchor_takes_the_place_of_a_perfect_output():
    margins = np.linspace(-4, 4, 41)
    wanted = 1 / (1 + np.exp(-0.7 * (margins - 1.5)))
    wanted[::5] = np.nan  # nobody said anything about these
    found = model("linear").anchored(margins, wanted)
    assert (found.slope, found.anchor) == pytest.approx((0.7, 1.5), rel=1e-3)
    scores = found.stretched(margins - found.anchor)
    assert (np.diff(scores) > 0).all()  # also beyond the anchor: nothing is cut off
    assert scores[~np.isnan(wanted)] == pytest.approx(wanted[~np.isnan(wanted)], abs=1e-3)
    again = LearnedModel.from_json(found.to_json())
    assert (again.anchor, again.slope) == (found.anchor, found.slope)
    assert json.loads(found.to_json())["format_version"] == 3


def test_without_human_scores_the_anchor_is_the_mean():
    margins = np.array([1.0, 2.0, 6.0])
    for human in (np.full(3, np.nan), np.array([np.nan, np.nan, 0.5])):
        found = model("linear").anchored(margins, human)
        assert (found.anchor, found.slope) == (3.0, model("linear").slope)
    assert found.stretched(np.array([-1e9, 0.0, 1e9])).tolist() == [0.0, 0.5, 1.0]


def broken(**changes):
    content = json.loads(model("linear").to_json())
    content.update(changes)
    return json.dumps({key: value for key, value in content.items() if value is not ...})


def weights(first):
    return {"length": [first, 2, 3], "match": [1, 2, 3]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "m.json: not a model: "),
        ("[]", "no 'format' of 'rankwise-model'"),
        (broken(format_version=4), "its format is version 4, this is for 1 to 3: update"),
        (broken(format_version=0), "its format is version 0, this is for 1 to 3$"),
        ('{"format": 1, "format": 2}', "not a model: key 'format' occurs twice in one object"),
        (broken(form="neural"), "unknown form 'neural'; expected linear, steps, trees"),
        (broken(learned={"length": [1, 2, 3]}), "do not match the features: 'match' differs"),
        (broken(learned={"length": [1, 2, 0], "match": [1, 2, 3]}), "a scale is not positive"),
        (broken(learned={"length": [1, 2], "match": [1, 2]}), "expected shape"),
        (broken(learned=weights(1e60)), "weights hold a number beyond 1e\\+50"),
        (broken(learned=weights(10**400)), "weights are not numbers"),
        (broken(learned=weights("1.5")), "weights hold what is not a number"),
        (broken(learned=weights(True)), "weights hold what is not a number"),
        (broken(learned=weights(math.nan)), "weights hold a number that is not finite"),
        (broken(slope="x"), "'slope' is 'x'; expected a number"),
        (broken(slope=-1), "'slope' is -1; expected a number above 0"),
        (broken(slope=0.0), "'slope' is 0.0; expected a number above 0"),
        (broken(slope=math.nan), "'slope' is nan; expected a number above 0"),
        (broken(slope=math.inf), "'slope' is inf; expected a number above 0"),
        (broken(slope=10**400), "'slope' is 1000+; expected a number above 0"),
        (broken(measured={"tau": "high"}), "'tau' is 'high'; expected a number"),
        (broken(measured={"tau": -(10**400)}), "'tau' is -1000+; expected a number"),
        (broken(curve=[[-(10**400), 0.5], [0, 1]]), "'curve' is not a list"),
        (broken(anchor="x"), "'anchor' is 'x'; expected a number"),
        (broken(anchor=0.0, curve=[[0, 1]]), "it has an 'anchor' and a 'curve'; expected one"),
        (broken(columns=...), "'columns' is None; expected a list"),
        (broken(form="steps", learned={"steps": [["nose", 1, 2]]}), "unknown feature 'nose'"),
        (
            broken(form="trees", learned=ENDLESS),
            "a child outside of it",
        ),
    ],
)  # fmt: skip
def test_a_broken_model_is_a_sentence(text, message):
    with pytest.raises(DataError, match=message):
        LearnedModel.from_json(text, name="m.json")
