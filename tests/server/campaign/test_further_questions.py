"""Sliders, comments and corrections of every output: the plan's keys and what an answer may say."""

import pytest

from rankwise import DataError
from rankwise.server.campaign.plan.plan import Plan
from server.campaign.made import make_plan

SLIDERS = [
    {"name": "Fluency", "low": 1, "high": 5, "anchors": [{"at": 1, "words": "poor"}]},
    {"name": "Tone", "low": -1, "high": 1, "step": 0.5},
]


def plan(**keys):
    return make_plan(**{"protocol": "esa", "sliders": SLIDERS, **keys})


def answer(plan, **more):
    said = {"spans": [], "score": 50, "sliders": {"Fluency": 3, "Tone": -0.5}, **more}
    return plan.rules.validate({"segments": [[said]]}, 1)["segments"][0][0]


def test_a_plan_keeps_its_sliders():
    found = plan(output_comments=True, post_edits=True, domain_instructions={"news": "Read."})
    assert Plan.from_json(found.to_json()) == found
    assert [slider.step for slider in found.further.sliders] == [1, 0.5]
    assert found.further.keys == ("sliders", "comment", "edit")


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"sliders": [{"name": "x", "low": 5, "high": 5}]}, "whole steps from low to high"),
        ({"sliders": [{"name": "x", "high": 5, "step": 2}]}, "whole steps from low to high"),
        ({"sliders": [SLIDERS[0], SLIDERS[0]]}, "with different names"),
        ({"sliders": [{"name": "x" * 61}]}, "at most 60 characters"),
        ({"sliders": [{"name": "x", "anchors": [{"at": 101, "words": "y"}]}]}, "from 0 to 100"),
        ({"sliders": [{"name": "x", "odd": 1}]}, "unknown key 'sliders[1].odd'"),
        ({"domain_instructions": {"news": 1}}, "a table of domains"),
        ({"protocol": "ranking"}, "unknown key 'sliders'"),
    ],
)
def test_keys_that_do_not_fit_are_refused(keys, said):
    with pytest.raises(DataError) as error:
        plan(**keys)
    assert said in str(error.value)


def test_every_slider_has_a_value_and_texts_are_optional():
    found = plan(output_comments=True, post_edits=True)
    assert answer(found)["sliders"] == {"Fluency": 3, "Tone": -0.5}
    assert "comment" not in answer(found, comment="  ")
    assert answer(found, comment=" why ")["comment"] == "why"
    assert answer(found, edit="")["edit"] == ""  # all of it was deleted


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"sliders": {"Fluency": 3}}, "slider 'Tone' is None"),
        ({"sliders": {"Fluency": 3.5, "Tone": 0}}, "from 1 to 5 in steps of 1"),
        ({"sliders": {"Fluency": 10**400, "Tone": 0}}, "slider 'Fluency' is 1000"),
        ({"sliders": {"Fluency": float("nan"), "Tone": 0}}, "slider 'Fluency' is nan"),
        ({"sliders": {"Fluency": True, "Tone": 0}}, "slider 'Fluency' is True"),
        ({"sliders": {"Fluency": 3, "Tone": 0, "Odd": 1}}, "there is no slider 'Odd'"),
        ({"comment": "x"}, "unknown key 'comment'"),
        ({"edit": "x"}, "unknown key 'edit'"),
    ],
)
def test_answers_that_do_not_fit_are_refused(more, said):
    with pytest.raises(DataError) as error:
        answer(plan(), **more)
    assert said in str(error.value)


def test_texts_have_a_limit():
    found = plan(output_comments=True, post_edits=True)
    for key, most in (("comment", 2_000), ("edit", 10_000)):
        answer(found, **{key: "x" * most})
        with pytest.raises(DataError, match=f"at most {most:,} characters"):
            answer(found, **{key: "x" * (most + 1)})


def test_an_answer_of_the_tutorial_needs_no_slider():
    said = {"segments": [[{"spans": [], "score": 80}]]}
    item = {"source": "ja", "outputs": ["yes"], "answer": said}
    assert plan(k=1, tutorial=[item]).tutorial[0].answer == said
