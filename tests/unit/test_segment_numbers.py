"""Segments numbered from 0 on one side and from 1 on the other are not joined."""

import numpy as np
import pytest

import rankwise as rw
from rankwise.agreement import RankedLists
from rankwise.agreement.lists.joined_lists import scored_lists
from rankwise.errors import DataError
from rankwise.evaluate.metric_learning.learning_data import learning_data
from rankwise.learning.features import feature_set
from rankwise.types import Assessments, Judgments, Ranking, ScoreTable, Segment, TestSet


def names(first, count):
    return tuple(map(str, range(first, first + count)))


def table(segments):
    return ScoreTable(("A", "B"), segments, np.ones((2, len(segments))), name="x")


def rankings(segments):
    return Judgments.from_rankings(
        Ranking(segment, "ann", ("A", "B"), (1, 2)) for segment in segments
    )


def values(segments):
    return Assessments.from_rows(
        [(s, g, "ann", "TGT", 50.0 + n) for n, s in enumerate("AB") for g in segments]
    )


def texts(segments):
    places = tuple(Segment(name, "", ("a b c",)) for name in segments)
    return TestSet(places, {s: ("a b",) * len(segments) for s in "AB"})


JOINS = {
    "scores": lambda mine, theirs: table(mine).over(["A"], theirs),
    "lists of scores": lambda mine, theirs: scored_lists(table(mine), rankings(theirs)),
    "lists": lambda mine, theirs: RankedLists.of(rankings(mine), rankings(theirs)),
    "a proxy": lambda mine, theirs: rw.rank_with_proxy(values(theirs), table(mine)),
    "learning": lambda mine, theirs: learning_data(
        [(texts(theirs), rankings(mine))], feature_set("soft")
    ),
}


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize(("mine", "theirs"), [(0, 1), (1, 0)])
def test_each_would_meet_its_neighbour(join, mine, theirs):
    said = f"segments are counted from {mine} to {mine + 9}, the others from {theirs} to"
    with pytest.raises(DataError, match=said):
        JOINS[join](names(mine, 10), names(theirs, 10))


@pytest.mark.parametrize("join", JOINS)
def test_a_part_of_the_others_is_joined(join):
    """Who begins at 1 may have left out the first of those that begin at 0."""
    JOINS[join](names(0, 12), names(1, 10))
    JOINS[join](names(1, 12), names(3, 8))


def test_numbers_that_say_nothing_of_where_they_begin_are_joined():
    assert np.isnan(table(("0", "2", "5")).over(["A"], names(1, 3))).tolist() == [
        [True, False, True]
    ]
    assert not np.isnan(table(("0", "1", "x")).over(["A"], ["1", "x"])).any()
