"""Means of scalar judgments: by hand, by drawing slowly, and what is refused."""

import numpy as np
import pytest

from rankwise.aggregate.means import rank_assessments, rank_sum_clusters
from rankwise.errors import DataError
from rankwise.types import Assessments

nan = float("nan")
ROWS = [
    ("A", "1", "ann", "TGT", 80.0),
    ("A", "1", "bob", "TGT", 60.0),
    ("A", "2", "ann", "TGT", 40.0),
    ("B", "1", "ann", "TGT", 60.0),
    ("B", "1", "cem", "TGT", 10.0),
    ("B", "2", "bob", "TGT", nan),
    ("B", "2", "ann", "BAD", 0.0),
]


def scores(rows, **options):
    board = rank_assessments(Assessments.from_rows(rows), **options)
    return dict(zip(board.systems, board.scores.tolist(), strict=True))


def random_rows(seed=0, shift=8.0):
    random = np.random.default_rng(seed)
    return [
        (system, str(segment), f"j{random.integers(6)}", "TGT", float(value))
        for segment in range(40)
        for place, system in enumerate("ABC")
        for value in random.normal(50 - shift * place, 15, random.integers(0, 3))
    ]


def test_raw_means_by_hand():
    # A: segment 1 has 70, segment 2 has 40; B: only segment 1, 35; the control does not count.
    assert scores(ROWS, normalise="none", runs=5) == pytest.approx({"A": 55, "B": 35})
    plain = scores(ROWS, normalise="none", average="judgment", runs=5)
    assert plain == pytest.approx({"A": 60, "B": 35})


def test_means_on_the_scale_of_each_judge_by_hand():
    # ann: 80, 40, 60, 0: mean 45, sample deviation sqrt(3500 / 3). bob and cem gave one value: 0.
    ann = np.sqrt(3500 / 3)
    assert scores(ROWS, runs=5) == pytest.approx(
        {"A": (35 / ann / 2 - 5 / ann) / 2, "B": (15 / ann + 0) / 2}
    )


def test_a_constant_judge_says_nothing():
    rows = [(s, str(g), "eve", "TGT", 99.0) for s in "AB" for g in range(3)]
    assert scores(rows, runs=5) == {"A": 0.0, "B": 0.0}


@pytest.mark.parametrize("average", ["segment", "judgment"])
@pytest.mark.parametrize("unit", ["segment", "judge"])
def test_resamples_are_those_of_the_drawn_units(average, unit):
    rows = random_rows()
    board = rank_assessments(
        Assessments.from_rows(rows), normalise="none", average=average, unit=unit, runs=60, seed=3
    )
    # The same draws the slow way: every unit's rows as often as it was drawn, under new names.
    column = 1 if unit == "segment" else 2
    names = list(dict.fromkeys(row[column] for row in rows))
    random = np.random.default_rng(3)
    runs = []
    for counts in random.multinomial(len(names), np.full(len(names), 1 / len(names)), size=60):
        drawn = [
            (*row[:column], f"{row[column]}~{copy}", *row[column + 1 :])
            for row in rows
            for copy in range(counts[names.index(row[column])])
        ]
        found = scores(drawn, normalise="none", average=average, separate="rank-sum")
        runs.append([found[name] for name in "ABC"])
    ranks = (-np.array(runs)).argsort(axis=1).argsort(axis=1) + 1
    cut = 2  # ceil(60 * .05 / 2)
    for place, name in enumerate(board.systems):
        own = np.sort(ranks[:, "ABC".index(name)])
        assert (own[cut], own[-1 - cut]) == (board.rank_low[place], board.rank_high[place])


def test_clear_differences_make_clusters():
    board = rank_assessments(Assessments.from_rows(random_rows(shift=30.0)))
    assert board.systems == ("A", "B", "C")
    assert board.clusters.tolist() == [1, 2, 3]
    assert board.signature == (
        "mean:normalise=judge:average=segment ranges:runs=1000:seed=1:unit=segment:level=0.95"
    )


def test_rank_sum_clusters_by_hand():
    # 3 against 3 without overlap: U = 9, mean 4.5, deviation sqrt(9 * 7 / 12) = 2.291;
    # z = (4.5 - .5) / 2.291 = 1.746, one-sided p = .0404.
    high, low = np.array([4.0, 5, 6]), np.array([1.0, 2, 3])
    assert rank_sum_clusters([high, low]).tolist() == [1, 2]
    assert rank_sum_clusters([high, low], level=0.97).tolist() == [1, 1]
    assert rank_sum_clusters([high, high, low]).tolist() == [1, 1, 2]
    # The best is above the last but not above the second: no boundary above the second.
    assert rank_sum_clusters([high, high - 1, low]).tolist() == [1, 1, 1]


def test_the_ranks_of_a_rank_sum_cluster():
    rows = [
        (system, str(g), "ann", "TGT", base + g)
        for system, base in (("B", 0.0), ("A", 0.0), ("C", 50.0))
        for g in range(9)
    ]
    board = rank_assessments(Assessments.from_rows(rows), normalise="none", separate="rank-sum")
    assert board.systems == ("C", "A", "B")
    assert board.rank_low.tolist() == [1, 2, 2]
    assert board.rank_high.tolist() == [1, 3, 3]
    assert board.clusters.tolist() == [1, 2, 2]
    assert board.signature == "mean:normalise=none:average=segment rank-sum:level=0.95"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normalise": "system"}, "unknown normalise 'system'; choose from judge, none"),
        ({"average": "document"}, "unknown average"),
        ({"unit": "pair"}, "unknown unit"),
        ({"separate": "t-test"}, "unknown separate"),
        ({"runs": 0}, "0 runs"),
        ({"level": 95}, "level 95 is no share"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(DataError, match=message):
        rank_assessments(Assessments.from_rows(ROWS), **options)


@pytest.mark.parametrize("rows", [[], [ROWS[5]], [ROWS[6]]])
def test_nothing_to_rank(rows):
    with pytest.raises(DataError, match="no value of a system's own output"):
        rank_assessments(Assessments.from_rows(rows))
