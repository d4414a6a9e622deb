"""Tutorials with rules, hints and tries; checks that are silent or loud."""

import pytest

from rankwise.errors import DataError
from rankwise.server.campaign.exchange.export import write
from rankwise.server.campaign.plan.lesson_rules import LessonRule
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocols import PROTOCOLS
from rankwise.server.campaign.standings.counted import ALL_ROLES, Keep
from rankwise.server.campaign.standings.standings import compute
from server.judge.judge_client import JudgeClient

ITEM = {
    "source": "Hund",
    "outputs": ["dog", "cat"],
    "feedback": "A dog is no cat.",
    "rules": [{"text": 1, "above": 2, "hint": "Which animal barks?"}],
}
SPAN = {"start": 4, "end": 9, "severity": "major"}
KEYS = {"name": "T", "source_language": "de", "target_language": "en"}


def esa(*cells):
    return {"segments": [list(cells)]}


@pytest.mark.parametrize(
    ("rule", "cells", "holds"),
    [
        ({"score": (60, 100)}, [{"spans": [], "score": 60}], True),
        ({"score": (60, 100)}, [{"spans": [], "score": 59}], False),
        ({"span": (10, 12), "near": 2}, [{"spans": [SPAN], "score": 1}], True),
        ({"span": (10, 12)}, [{"spans": [SPAN], "score": 1}], False),
        ({"span": (4, 9), "severity": "minor"}, [{"spans": [SPAN], "score": 1}], False),
        ({"above": 2}, [{"spans": [], "score": 7}, {"spans": [], "score": 6}], True),
        ({"above": 2}, [{"spans": [], "score": 7}, {"spans": [], "score": 7}], False),
    ],
)
def test_rules_of_a_document(rule, cells, holds):
    assert LessonRule(1, **rule).holds(PROTOCOLS["esa"], esa(*cells)) is holds


def test_rules_that_a_protocol_cannot_keep_are_refused():
    for rule, said in (
        ({"text": 1, "score": [1, 2]}, "has no scores"),
        ({"text": 1, "span": [1, 2]}, "nothing is marked"),
        ({"text": 3, "above": 1}, "from 1 to 2"),
        ({"text": 1}, "'score', 'span' or 'above'"),
        ({"text": 1, "above": 1}, "another text"),
    ):
        with pytest.raises(DataError, match=said):
            Plan.from_json({**KEYS, "tutorial": [{**ITEM, "rules": [rule]}]})


def test_a_plan_with_lessons_comes_back_equal():
    more = {"source": "Katze", "outputs": ["cat"]}
    item = {"source": "Hund", "outputs": ["dog"], "more": [more], "hint": "h"}
    rules = [{"text": 1, "segment": 2, "span": [0, 3], "severity": "major", "near": 2}]
    plan = Plan.from_json({**KEYS, "protocol": "esa", "tutorial": [{**item, "rules": rules}]})
    assert Plan.from_json(plan.to_json()) == plan


def test_a_wrong_answer_gets_the_hint_and_another_try(app, invited, store):
    campaign, link = invited(tutorial=[ITEM], tutorial_tries=3)
    judge = JudgeClient(app, link)
    task = judge.next()["task"]
    first, again = (judge.answer(task["token"], [2, 1]).json() for _ in range(2))
    assert first == again == {"kind": "retry", "hints": ["Which animal barks?"], "left": 2}
    assert judge.next()["task"]["token"] == task["token"]
    done = judge.answer(task["token"], [1, 2]).json()
    assert done["feedback"] == "That is our answer too. A dog is no cat."
    (stored,) = store.log.stored(campaign.id)
    assert stored.details["lesson"] == {"passed": False, "tries": 2, "right": True}


def test_who_fails_the_tutorial_gets_no_work(app, invited, store):
    campaign, link = invited(tutorial=[ITEM], tutorial_tries=2, tutorial_pass=1.0)
    judge = JudgeClient(app, link)
    task = judge.next()["task"]
    assert judge.answer(task["token"], [1, 1]).json()["kind"] == "retry"
    assert judge.answer(task["token"], [2, 1]).json()["feedback"].startswith("We would")
    assert judge.next()["nothing"]["reason"] == "tutorial-failed"
    (someone,) = store.judges.judges(campaign.id)
    assert someone.tutorial_failed_at is not None


def test_a_tutorial_of_documents(app, invited):
    item = {**ITEM, "more": [{"source": "Katze", "outputs": ["cat", "dog"]}]}
    item["rules"] = [{"text": 2, "segment": 2, "span": [0, 3], "severity": "major"}]
    _, link = invited(protocol="esa", k=2, tutorial=[item], tutorial_tries=2)
    judge = JudgeClient(app, link)
    task = judge.next()["task"]
    assert [row["source"] for row in task["rows"]] == ["Hund", "Katze"]
    assert [row["outputs"] for row in task["rows"]] == [["dog", "cat"], ["cat", "dog"]]
    rows = [[{"spans": [], "score": 50}] * 2 for _ in range(2)]
    path = f"/judge/tasks/{task['token']}/answer"
    wrong = judge.send("POST", path, {"answer": {"segments": rows}, "active_ms": 5}).json()
    assert "segment 2" in wrong["hints"][0]
    rows[1][1] = {"spans": [{"start": 0, "end": 3, "severity": "major"}], "score": 0}
    right = judge.send("POST", path, {"answer": {"segments": rows}, "active_ms": 5}).json()
    assert right["feedback"].startswith("That is our")


def checks_of(judge, find, *, screens=12):
    """Work until a check comes; what a first answer by *find* gets."""
    for _ in range(screens):
        task = judge.next()["task"]
        reply = judge.answer(task["token"], find(task)).json()
        if reply["kind"] == "retry" or set(task["outputs"]) == set(ITEM["outputs"]):
            return task, reply
    raise AssertionError("no check came")


@pytest.mark.parametrize("tries", [1, 2])
def test_own_checks_are_silent_or_loud(app, invited, store, tries):
    keys = {"control_kind": "own", "control_share": 0.5, "checks": [ITEM], "check_tries": tries}
    campaign, link = invited(**keys)
    judge = JudgeClient(app, link)
    task, reply = checks_of(judge, lambda task: list(range(len(task["outputs"]), 0, -1)))
    if tries == 2:
        assert reply["hints"] == ["Which animal barks?"]
        reply = judge.answer(task["token"], [1, 2]).json()
    assert (reply["kind"], reply["feedback"]) == ("answer", None)
    (check,) = [one for one in store.log.stored(campaign.id) if one.role == "control"]
    right = tries == 2
    assert check.details["check"] == {"passed": False, "tries": tries, "right": right, "own": True}


def test_a_loud_check_made_by_us(app, invited, store):
    keys = {"control_kind": "rotated", "control_share": 0.5, "check_tries": 2}
    campaign, link = invited(**keys)
    judge = JudgeClient(app, link)
    for _ in range(12):
        task = judge.next()["task"]
        reply = judge.answer(task["token"], [1] * len(task["outputs"])).json()
        if reply["kind"] == "retry":
            break
    assert "spoilt on purpose" in reply["hints"][0]
    judge.answer(task["token"], [1] * len(task["outputs"]), active_ms=9)
    done = [one for one in store.log.stored(campaign.id) if one.role == "control"]
    assert done[-1].details["check"] == {"passed": False, "tries": 2, "right": False}


def test_a_pass_mark_flags_whoever_is_below_it(app, invited, store, tmp_path):
    keys = {"control_kind": "own", "control_share": 0.5, "checks": [ITEM], "check_pass": 0.5}
    campaign, link = invited(**keys)
    judge = JudgeClient(app, link)
    checks_of(judge, lambda task: list(range(len(task["outputs"]), 0, -1)))
    stored, testset = list(store.log.stored(campaign.id)), store.campaigns.testset(campaign.id)
    (row,) = compute(campaign.plan, testset, stored, seed=1).people["rows"]
    out = write(
        campaign.plan, testset, stored, tmp_path / "x.csv", format="long", keep=Keep(ALL_ROLES)
    )
    assert out.judgments == len(stored)
    assert row["flags"] == ["Below the pass mark of 50%: 0 of 1 controls passed"]
