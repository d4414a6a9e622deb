"""Rankings as tables and as JSON: cells worked out by hand."""

import json

import numpy as np
import pytest

from rankwise.aggregate.ranker import Ranker
from rankwise.errors import DataError
from rankwise.evaluate.ranking.human_parts import Part, parts
from rankwise.evaluate.ranking.human_ranking import human_ranking, with_counts
from rankwise.evaluate.ranking.judge_agreement import judge_agreement
from rankwise.present.rank_figures import clusters_of_parts, run_ranks
from rankwise.present.rank_json import json_table
from rankwise.present.rank_tables import (
    agreement_rows,
    agreement_table,
    count_table,
    judge_rows,
    judge_table,
    leaderboard_table,
    pair_rows,
    ranking_rows,
    win_table,
)
from rankwise.present.tables import Column, Table, render
from rankwise.types import Judgments, Leaderboard, Ranking
from rankwise.types.clusters import deviations, leaderboard, rank_ranges
from rankwise.types.judging.language_pairs import of_language_pair


def looks(*rows, **options):
    return Judgments.from_rankings(
        Ranking(segment, judge, tuple(names), ranks, **options)
        for segment, judge, names, ranks in rows
    )


# A beats B nine times of ten (p = 22/1024) and is tied with C; B and C never met.
DATA = looks(
    *((str(s), "ann", "AB", (1, 2)) for s in range(9)),
    ("9", "bob", "AB", (2, 1)),
    ("9", "ann", "BA", (1, 2)),
    ("10", "bob", "AC", (1, 1)),
)


@pytest.fixture(scope="module")
def ranking():
    board = Ranker("expected-wins", runs=50).board(DATA)
    return with_counts(Part({}, DATA), board, judge_agreement(DATA, samples=10))


def test_lines_stand_between_clusters():
    data = looks(*((str(s), "ann", "ABC", (1, 2, 2)) for s in range(20)))
    board = Ranker("expected-wins", runs=20).board(data)
    assert render(leaderboard_table(board, title="fr-en"), "text") == (
        "fr-en\n\n"
        "cluster  ranks  score   line  system\n"
        "      1  1      1.000  1.000  A\n"
        "------------------------------------\n"
        "      2  2-3    0.000         B\n"
        "      2  2-3    0.000         C\n"
    )
    latex = render(leaderboard_table(board), "latex").splitlines()
    assert latex.count(r"\midrule") == 2


def test_lines_by_the_luck_of_the_seed_are_named():
    """B and C change places in 30 of 1000 runs, D and E in 20, A never: at 25 a line is drawn."""
    runs = np.tile([5.0, 4.0, 3.0, 2.0, 1.0], (1000, 1))
    runs[:30, [1, 2]] = runs[:30, [2, 1]]
    runs[40:60, [3, 4]] = runs[40:60, [4, 3]]
    board = leaderboard(tuple("ABCDE"), runs.mean(axis=0), runs)
    assert board.clusters.tolist() == [1, 2, 2, 3, 4]
    assert board.boundary_unsure.tolist() == [False, True, False, True]
    table = leaderboard_table(board)
    assert [row[3] for row in table.rows] == ["1.000", "", "1.000", "0.980", ""]
    assert table.notes == (
        "unsure: a line below B would hold in 97.0 % of resamples; another seed may draw it",
        "unsure: the line below D held in 98.0 % of resamples; another seed may not draw it",
    )


def test_without_resampling_there_is_no_column_of_lines():
    ones = np.ones(2, np.int64)
    board = Leaderboard(("A", "B"), np.array([2.0, 1.0]), ones, ones, ones)
    assert [c.name for c in leaderboard_table(board).columns] == [
        "cluster", "ranks", "score", "system",
    ]  # fmt: skip


def test_wins_of_the_column_over_the_row(ranking):
    assert ranking.board.systems == ("A", "B", "C")
    table = win_table(ranking)
    assert [column.name for column in table.columns] == ["#", "system", "1", "2", "3"]
    # 9 of 11 (p = 134/2048 = .065): B lost to A, so under 1 in B's row stands .82
    assert table.rows[0] == (1, "A", None, ".18*", None)
    assert table.rows[1] == (2, "B", ".82*", None, None)
    assert "p < .10, .05, .01" in table.notes[0]


@pytest.mark.parametrize(("wins", "cell"), [(9, ".90†"), (20, ".95‡"), (2, ".67 ")])
def test_marks_say_how_significant_a_difference_is(wins, cell):
    # sign tests of 9:1 (.021), 20:1 (2e-5), 2:1 (1)
    data = looks(*((str(s), "ann", "AB", (1, 2)) for s in range(wins)), ("x", "ann", "AB", (2, 1)))
    table = win_table(with_counts(Part({}, data), Ranker(runs=10).board(data)))
    assert table.rows[1][2] == cell


def test_comparisons_per_pair_count_ties(ranking):
    assert [row[2:] for row in count_table(ranking).rows] == [
        (None, 11, 1),
        (11, None, 0),
        (1, 0, None),
    ]


def test_pairs_for_programs(ranking):
    rows = [dict(zip((c.name for c in pair_rows([ranking]).columns), row, strict=True))
            for row in pair_rows([ranking]).rows]  # fmt: skip
    assert [(row["system"], row["other"]) for row in rows] == [("A", "B"), ("A", "C")]
    assert rows[0]["wins"] == 9 and rows[0]["losses"] == 2 and rows[0]["ties"] == 0
    assert rows[0]["p"] == pytest.approx(134 / 2048)
    assert rows[1]["share"] is None and rows[1]["ties"] == 1


def test_agreement_by_hand(ranking):
    # Between judges: segment 9, where bob says B and ann, mirrored, says B too.
    table = agreement_table(ranking)
    inter, intra = (dict(zip((c.name for c in table.columns), r, strict=True)) for r in table.rows)
    assert (inter["agreement"], inter["identical"], inter["comparable"]) == ("inter", 1, 1)
    assert inter["observed"] == inter["kappa"] == inter["alpha"] == 1.0
    assert (intra["comparable"], intra["kappa"], intra["labels"]) == (0, None, 0)
    assert table.notes == ("intra: no judge compared the same two texts twice",)


def test_judges_come_busiest_first(ranking):
    rows = judge_table(ranking).rows
    assert [row[:2] for row in rows] == [("ann", 10), ("bob", 2)]
    assert rows[0][2:5] == (1.0, 1.0, 1)


def test_parts_come_before_their_rows(ranking):
    labelled = [
        with_counts(Part({"judge": name}, DATA), ranking.board, ranking.agreement)
        for name in ("x", "y")
    ]
    for table in (ranking_rows, pair_rows, agreement_rows, judge_rows):
        found = table(labelled)
        assert found.columns[0].name == "by judge"
        assert [row[0] for row in found.rows] == sorted(row[0] for row in found.rows)
        assert {row[0] for row in found.rows} == {"x", "y"}


def test_json_holds_everything(ranking):
    found = json.loads(render(json_table([ranking]), "json"))
    assert [row["system"] for row in found["rows"]] == ["A", "B", "C"]
    (part,) = found["parts"]
    assert part["rankings"] == 12 and part["pairs"] == 12 and part["judges"] == 2
    assert part["wins"] == [[0, 9, 0], [2, 0, 0], [0, 0, 0]]
    assert part["ties"] == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert part["agreement"]["intra"]["kappa"] is None
    assert "twice" in part["agreement"]["intra"]["reason"]
    assert part["agreement by judge"][0]["judge"] == "ann"
    assert part["signature"] == ranking.board.signature


# -- parts -----------------------------------------------------------------------------------------


def pairs(*languages):
    return Judgments.from_rankings(
        Ranking("1", "ann", ("A", "B"), (1, 2), source_language=source, target_language="en")
        for source in languages
    )


def test_language_pairs_are_parts_where_there_are_several():
    assert [part.labels for part in parts(pairs("fr", "de", "fr"))] == [
        {"language pair": "fr-en"},
        {"language pair": "de-en"},
    ]
    (only,) = parts(pairs("fr", "fr"))
    assert (only.labels, only.title, only.name, len(only)) == ({}, "", "fr-en", 2)


def test_parts_by_column():
    rows = [("1", "ann"), ("2", "bob"), ("1", "bob")]
    data = Judgments.from_rankings(
        Ranking(s, j, ("A", "B"), (1, 2), info={"documentId": f"d{s}", "time": 1.0 * int(s)})
        for s, j in rows
    )
    assert [(p.title, len(p)) for p in parts(data, by="judge")] == [
        ("judge ann", 1),
        ("judge bob", 2),
    ]
    for by, name in (("segment", "1"), ("document", "d1"), ("documentId", "d1"), ("time", "1")):
        found = parts(data, by=by)
        assert (found[0].labels, len(found[0]), len(found[1])) == ({by: name}, 2, 1)
    with pytest.raises(DataError, match="no column 'colour'; choose from judge, segment, docu"):
        parts(data, by="colour")


def test_rankings_without_a_value_are_in_no_part():
    data = Judgments.from_rankings(
        [
            Ranking("1", "ann", ("A", "B"), (1, 2), info={"document": "x"}),
            Ranking("2", "ann", ("A", "B"), (1, 2)),
        ]
    )
    assert [(part.title, len(part)) for part in parts(data, by="document")] == [("document x", 1)]


@pytest.mark.parametrize("wanted", ["fr-en", "fra-eng", "French-English", "fre-en", "FR-EN"])
def test_a_language_pair_has_many_names(wanted):
    data = Judgments.concatenate([
        looks(("1", "ann", "AB", (1, 2)), source_language=source, target_language="English")
        for source in ("French", "German")
    ])  # fmt: skip
    assert [look.source_language for look in of_language_pair(data, wanted)] == ["French"]


def test_an_unknown_language_pair_is_refused():
    with pytest.raises(DataError, match="language pair 'en-fr'; found fr-en, de-en"):
        of_language_pair(pairs("fr", "de"), "en-fr")
    with pytest.raises(DataError, match="found one without a name"):
        of_language_pair(looks(("1", "ann", "AB", (1, 2))), "en-fr")


# -- what figures are drawn from ------------------------------------------------------------------


def test_ranks_of_runs():
    scores = np.array([[0.3, 0.1, 0.2], [0.1, 0.1, np.nan]])
    assert run_ranks(scores).tolist() == [[1, 3, 2], [1.5, 1.5, 3]]


@pytest.mark.parametrize("how", [{}, {"recipe": "wmt13"}])
def test_run_scores_come_in_the_order_of_the_board(how):
    ranking = human_ranking(Part({}, DATA), Ranker(runs=7, **how))
    board, scores = ranking.board, ranking.runs
    assert scores.shape == (7, 3)
    np.testing.assert_array_equal(board.deviations, deviations(scores))
    low, high = rank_ranges(scores)
    assert (board.rank_low >= low).all() and (board.rank_high <= high).all()


def test_more_data_give_more_clusters():
    random = np.random.default_rng(0)
    data = looks(
        *(
            (str(s), "ann", "ABCD", tuple((np.arange(4) + random.normal(0, 2, 4)).tolist()))
            for s in range(600)
        )
    )
    found = clusters_of_parts(data, [60, 3600], Ranker(runs=50, seed=3))
    assert found.shape == (5, 2)
    assert (found[:, 1] == 4).all() and found[:, 0].mean() < 4


def test_a_notebook_draws_the_lines_between_clusters():
    table = Table([Column("system")], [("A",), ("B",), ("C",)], rules=[2])
    shown = table._repr_html_()
    assert shown.count("border-top") == 1
    assert shown.index("B</td>") < shown.index("border-top") < shown.index("C</td>")
