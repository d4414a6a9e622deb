"""Does a curve from margins to scores go through its points, rise, and survive its file?"""

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankwise as rw
from rankwise.errors import DataError
from rankwise.learning.curve import along, checked_curve, fitted_curve
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.scorers import LinearScorer

CURVE = ((-2.0, 0.25), (-1.0, 0.75), (0.0, 1.0))
MODEL = LearnedModel("duh", ("x",), LinearScorer(np.ones(1), np.zeros(1), np.ones(1)), curve=CURVE)


def test_points_and_what_lies_between():
    found = along(CURVE, np.array([-2.0, -1.5, -1.0, -0.5, 0.0]), slope=1.0)
    assert found == pytest.approx([0.25, 0.5, 0.75, 0.875, 1.0])


def test_below_the_first_point_scores_fall_off():
    # 1/4 e^(-1) one below, whatever the slope of the line before
    assert along(CURVE, np.array([-3.0]), slope=1.0) == pytest.approx(0.25 / np.e)


@given(st.lists(st.tuples(st.floats(-4, 0), st.floats(0, 1)), max_size=60), st.integers(1, 8))
def test_a_fitted_curve_is_sound_and_rises(cells, points):
    distance, human = np.array(cells).reshape(-1, 2).T
    curve = fitted_curve(distance, human, points=points)
    assert checked_curve([list(point) for point in curve]) == curve
    scores = along(curve, np.linspace(-5, 0, 400), slope=1.0)
    assert (np.diff(scores) > 0).all()
    assert scores[-1] == 1


def test_a_falling_share_is_pooled():
    # shares of two, nearest last: .2, .8, .4, so that the last two are .6
    distance = np.array([-3.0, -3.0, -2.0, -2.0, -1.0, -1.0])
    human = np.array([0.1, 0.3, 0.7, 0.9, 0.4, 0.4])
    assert fitted_curve(distance, human, points=3) == ((-3.0, 0.2), (-1.0, 0.6), (0.0, 1.0))


def test_the_file_holds_the_curve():
    text = MODEL.to_json()
    assert '"format_version": 2' in text
    assert "  [ -1.0, 0.75 ],\n" in text
    assert LearnedModel.from_json(text).curve == CURVE
    assert '"format_version": 1' in LearnedModel("duh", ("x",), MODEL.scorer).to_json()


@pytest.mark.parametrize(
    ("curve", "message"),
    [
        ("x", "not a list of"),
        ([[1, 2, 3]], "not a list of"),
        ([[-1, 0.5]], "does not rise"),
        ([[-1, 0.5], [-1, 0.6], [0, 1]], "does not rise"),
        ([[-1, 0.0], [0, 1]], "does not rise"),
        ([[float("nan"), 0.5], [0, 1]], "does not rise"),
    ],
)
def test_a_broken_curve_is_a_sentence(curve, message):
    with pytest.raises(DataError, match=message):
        checked_curve(curve)


def test_a_model_without_human_scores_has_no_new_curve():
    assert MODEL.on_curve(np.array([-1.0]), np.array([np.nan])) is MODEL


def test_the_model_of_softmatch_is_four_round_weights():
    text = (files("rankwise.metrics") / "models" / "softmatch.json").read_text(encoding="utf-8")
    model = LearnedModel.from_json(text)
    assert model.to_json() == text
    assert model.features == "soft"
    assert isinstance(model.scorer, LinearScorer)
    weights = dict(zip(model.columns, model.scorer.weights.tolist(), strict=True))
    used = {name: weight for name, weight in weights.items() if weight}
    assert used == {"words_f2": 1.0, "pairs_f1": 0.5, "chrf": 1.0, "letters": 1.0}


def test_a_score_of_softmatch_by_hand():
    # Nothing in common: every feature that counts is 0, and the distance is the sum of the weights,
    # 3.5, where the curve has left its first point (-2.6744, 0.6857).
    found = rw.metric("softmatch").segments(["xxxx"], ["qqqqqqqqqqqqqqq"])
    assert found == pytest.approx([0.6857 * np.exp(2.6744 - 3.5)], abs=1e-9)
    assert rw.metric("softmatch").segments(["Ja."], ["Ja."]) == [1.0]
