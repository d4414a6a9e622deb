"""Predicted and gold rankings of named systems meet by segment, judge and screen."""

import math
from collections import defaultdict

import numpy as np
import pytest

import rankwise as rw
from rankwise.agreement import RankedLists, Tau
from rankwise.agreement.lists.joined_lists import scored_lists
from rankwise.errors import DataError
from rankwise.evaluate.outside_tables import scored_tables
from rankwise.types import Judgments, Ranking, ScoreTable


def judgments(*rows, languages=("", "")):
    """Rankings of rows (segment, judge, screen, {system: rank})."""
    return Judgments.from_rankings(
        Ranking(
            segment,
            judge,
            tuple(ranks),
            tuple(ranks.values()),
            screen=screen,
            source_language=languages[0],
            target_language=languages[1],
        )
        for segment, judge, screen, ranks in rows
    )


def lists(found):
    return [
        (found.predicted[a:b].tolist(), found.gold[a:b].tolist())
        for a, b in zip(found.starts, found.starts[1:], strict=False)
    ]


def test_one_prediction_meets_every_gold_ranking_of_its_segment():
    predicted = judgments(("1", "metric", "", {"A": 1, "B": 2, "C": 3}))
    gold = judgments(
        ("1", "ann", "", {"C": 1, "A": 2}),
        ("1", "bob", "", {"B": 1, "A": 2, "D": 3}),
        ("2", "bob", "", {"A": 1, "B": 2}),
    )
    found = RankedLists.of(predicted, gold)
    assert lists(found)[0] == ([3.0, 1.0], [1.0, 2.0])
    assert lists(found)[1][0] == pytest.approx([2.0, 1.0, math.nan], nan_ok=True)
    assert list(found.labels) == ["1", "1"]
    assert found.notes == (
        "1 of 3 gold rankings have no predicted one",
        "1 outputs ranked in gold are not in their predicted ranking",
    )
    assert Tau().segments(predicted, gold).tolist() == [-1.0, -1.0]


@pytest.mark.parametrize(
    ("names", "told_apart"),
    [
        ([("ann", "1"), ("bob", "2")], "judge"),
        ([("", "s1"), ("", "s2")], "screen"),
        ([("ann", "s1"), ("ann", "s2")], "screen"),
    ],
)
def test_several_predictions_of_a_segment_need_judge_or_screen(names, told_apart):
    ranks = [{"A": 1, "B": 2}, {"A": 2, "B": 1}]
    rows = [("1", judge, screen, r) for (judge, screen), r in zip(names, ranks, strict=True)]
    backwards = [("1", judge, screen, r) for (judge, screen), r in zip(names, ranks, strict=True)]
    found = RankedLists.of(judgments(*rows), judgments(*backwards[::-1]))
    assert lists(found) == [([2.0, 1.0], [2.0, 1.0]), ([1.0, 2.0], [1.0, 2.0])], told_apart
    assert found.notes == ()


def test_predictions_that_nothing_tells_apart():
    twice = judgments(("1", "m", "s", {"A": 1, "B": 2}), ("1", "m", "s", {"A": 2, "B": 1}))
    with pytest.raises(DataError, match="neither judge nor screen tells apart"):
        RankedLists.of(twice, twice)


def test_languages_keep_segments_apart_where_both_sides_name_them():
    row = ("1", "m", "s", {"A": 1, "B": 2})
    german, czech, none = (
        judgments(row, languages=pair) for pair in (("de", "en"), ("cs", "en"), ("", ""))
    )
    assert len(RankedLists.of(german, czech)) == 0
    assert len(RankedLists.of(german, none)) == len(RankedLists.of(german, german)) == 1


def test_unranked_outputs_are_not_ranked():
    predicted = judgments(("1", "m", "", {"A": 1, "B": None, "C": 2}))
    gold = judgments(("1", "ann", "", {"A": None, "B": 1, "C": 2}))
    (pair,) = lists(RankedLists.of(predicted, gold))
    assert pair[0] == pytest.approx([1, math.nan, 2], nan_ok=True)
    assert pair[1] == pytest.approx([math.nan, 1, 2], nan_ok=True)
    assert math.isnan(Tau().micro(predicted, gold))


def test_nothing_to_join():
    empty, one = judgments(), judgments(("1", "m", "", {"A": 1}))
    assert len(RankedLists.of(empty, one)) == len(RankedLists.of(one, empty)) == 0
    assert RankedLists.of(one, empty).notes == ("1 of 1 predicted rankings have no gold one",)
    with pytest.raises(DataError, match="ranks are Judgments and list; expected"):
        RankedLists.of(one, [[1]])


def test_scores_rank_the_systems_of_every_gold_ranking():
    table = ScoreTable.from_cells(
        [("A", "1", 0.9), ("B", "1", 0.5), ("A", "2", 0.1), ("B", "2", 0.1), ("C", "2", 0.3)]
    )
    gold = judgments(
        ("1", "ann", "", {"A": 1, "B": 2}),
        ("1", "bob", "", {"B": 1, "A": 2, "D": 3}),
        ("2", "bob", "", {"A": 1, "B": 2, "C": 3}),
        ("9", "bob", "", {"A": 1, "B": 2}),
    )
    found = RankedLists.of(table, gold)
    assert lists(found)[0] == ([-0.9, -0.5], [1.0, 2.0])
    assert found.notes == (
        "1 of 4 gold rankings are of segments without scores",
        "1 outputs ranked in gold have no score",
    )
    # 1, -1, and of three pairs one tied and two discordant.
    assert Tau().segments(table, gold).tolist() == [1.0, -1.0, -1.0]
    assert Tau(variant="wmt14").segments(table, gold)[2] == pytest.approx(-2 / 3)
    errors = scored_lists(table, gold, higher_is_better=False)
    assert Tau(variant="wmt14").segments(errors).tolist() == pytest.approx([-1, 1, 2 / 3])
    with pytest.raises(DataError, match="ranks are Judgments and ScoreTable"):
        RankedLists.of(gold, table)


def test_scores_of_a_metric_give_the_tau_that_is_known_from_elsewhere():
    data = rw.example()
    (chrf,) = rw.score_systems(data.testset, [rw.metric("chrf")])
    known = rw.agreement_with_people(chrf, rw.rank(data.judgments, runs=10), data.judgments)
    found = rw.agree(chrf.segments, data.judgments, ["kendall:variant=wmt14"])
    assert known.segment_tau == pytest.approx(found["kendall:variant=wmt14"], rel=1e-12)


def test_the_interval_of_a_metrics_tau_resamples_segments():
    data = rw.example()
    (chrf,) = rw.score_systems(data.testset, [rw.metric("chrf")])
    board = rw.rank(data.judgments, runs=10)
    found = rw.agreement_with_people(chrf, board, data.judgments, samples=2000)
    # By hand: every human preference of a segment agrees (1), not (-1), or is tied by the metric.
    signs = defaultdict(list)
    value = {
        (system, segment): chrf.segments.values[row, column]
        for row, system in enumerate(chrf.segments.systems)
        for column, segment in enumerate(chrf.segments.segments)
    }
    pairs = data.judgments.pairs()
    systems, segments = data.judgments.systems, data.judgments.segments
    for ranking, left, right, sign in zip(
        pairs.ranking, pairs.left, pairs.right, pairs.sign, strict=True
    ):
        segment = segments[data.judgments.segment[ranking]]
        if sign:
            difference = value[systems[left], segment] - value[systems[right], segment]
            signs[segment].append(sign * np.sign(difference))
    rows = list(signs.values())
    random = np.random.default_rng(0)
    means = [
        np.mean(np.concatenate([rows[k] for k in random.integers(len(rows), size=len(rows))]))
        for _ in range(2000)
    ]
    assert found.segment_tau == pytest.approx(np.mean(np.concatenate(rows)))
    expected = np.quantile(means, [0.025, 0.975])
    assert [found.segment_low, found.segment_high] == pytest.approx(expected, abs=0.02)
    assert found.pairs == sum(map(len, rows))
    alone = rw.agreement_with_people(chrf, board, data.judgments)
    assert np.isnan([alone.segment_low, alone.segment_high]).all()


def test_a_pair_of_which_one_output_has_no_score_is_left_out():
    """Ann prefers A to B (one has no score), B to C (the metric too), A to C (it does not)."""
    table = ScoreTable(("A", "B", "C"), ("1", "2"), np.array([[1, np.nan], [2, 2], [1.5, 1.0]]))
    (result,) = scored_tables({"mine": table}).results
    people = judgments(
        ("2", "ann", "", {"A": 1, "B": 2}),
        ("1", "ann", "", {"B": 1, "C": 2}),
        ("1", "bob", "", {"A": 1, "C": 2}),
    )
    found = rw.agreement_with_people(result, rw.rank(people, runs=10), people)
    assert (found.pairs, found.segment_tau) == (2, 0.0)
