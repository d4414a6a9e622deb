"""Stored judgments as columns: the same as one by one, with what was left out counted."""

from dataclasses import replace

import pytest

from rankwise import DataError
from rankwise.server.campaign.standings.counted import (
    ALL_ROLES,
    EVERYTHING,
    Keep,
    assessments_of,
    judgments_of,
    kept,
)
from rankwise.server.records import Slot
from rankwise.types import Judgments
from server.campaign.made import make_plan, make_testset, simulated, stored

AB = ["A", "B"]
FIRST = {"ranks": [1, 2]}


@pytest.fixture
def mixed():
    return [
        stored(1, AB, FIRST),
        stored(2, AB, FIRST, role="repeat", repeats=1),
        stored(3, AB, FIRST, role="control"),
        stored(4, AB, FIRST, role="tutorial", segment=None),
        stored(5, AB, FIRST, surplus=True),
        stored(6, AB, FIRST, is_excluded=True, judge="bob"),
        stored(7, AB, {"reason": "other"}),
        stored(8, AB, {"ranks": [2, 1]}, supersedes=1, screen=1),
    ]


def test_the_default_is_current_work_of_judges_who_count(mixed):
    found = kept(mixed)
    assert [judgment.id for judgment in found.judgments] == [7, 8]
    reasons = {"control": 1, "excluded": 1, "repeat": 1, "superseded": 1, "surplus": 1}
    assert found.left_out == reasons | {"tutorial": 1}


@pytest.mark.parametrize(
    ("keep", "numbers"),
    [
        (Keep(skips=False), [8]),
        (Keep(surplus=True), [5, 7, 8]),
        (Keep(excluded=True), [6, 7, 8]),
        (Keep(superseded=True), [1, 7, 8]),
        (Keep(("repeat", "control")), [2, 3]),
        (EVERYTHING, [1, 2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_every_filter_by_argument(mixed, keep, numbers):
    found = kept(mixed, keep)
    assert [judgment.id for judgment in found.judgments] == numbers
    assert len(found) + sum(found.left_out.values()) == len(mixed)


def test_filters_in_words():
    assert EVERYTHING.words() == ["nothing is left out"]
    assert Keep(ALL_ROLES, surplus=True, superseded=True).words() == [
        "judgments of excluded judges are left out",
        "judgments of machines are left out",
    ]


@pytest.mark.parametrize(("protocol", "k"), [("ranking", 5), ("ranking", 2), ("pairwise", 2)])
def test_columns_are_the_rankings_one_by_one(protocol, k):
    plan, testset = make_plan(protocol=protocol, k=k), make_testset(6, 9)
    judgments = simulated(testset, 80, k=k, protocol=protocol)
    shared = stored(81, [Slot(("s00", "s03")), Slot(("s01",))], judgments[0].answer)
    if protocol == "pairwise":
        judgments.append(shared)
    judgments.append(stored(82, ["s00", "s01"], {"reason": "other"}))
    slow = [plan.rules.ranking(judgment, plan.languages) for judgment in judgments]
    found = judgments_of(judgments, plan)
    assert found == Judgments.from_rankings(replace(one, info={}) for one in slow)
    assert judgments_of(judgments, plan, info=True) == Judgments.from_rankings(slow)


def test_two_judges_on_one_screen_are_two_looks():
    both = [stored(1, AB, FIRST, screen=5), stored(2, AB, FIRST, screen=5, judge="bob")]
    assert judgments_of(both, make_plan()).screen.tolist() == [1, 2]


def test_no_judgments():
    assert len(judgments_of([], make_plan())) == 0
    assert len(assessments_of([], make_plan(protocol="direct-assessment"))) == 0


def test_values_by_scale_and_their_mean():
    plan = make_plan(protocol="adequacy-fluency", k=1)
    judgment = stored(1, ["A"], {"fluency": [2], "adequacy": [5]})
    assert assessments_of([judgment], plan).value.tolist() == [3.5]
    assert assessments_of([judgment], plan).info["fluency"].tolist() == [2.0]


def test_each_kind_of_protocol_has_its_records():
    with pytest.raises(DataError, match="gives rankings, not values"):
        assessments_of([], make_plan())
    with pytest.raises(DataError, match="gives values, not rankings"):
        judgments_of([stored(1, ["A"], {"scores": [1]})], make_plan(protocol="direct-assessment"))
