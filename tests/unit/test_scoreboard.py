"""Scoreboards, groups and other tools' scores: values worked out by hand."""

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.evaluate.expected_scores import best_candidate, score_matrix
from rankwise.evaluate.given_scores import GivenScores
from rankwise.evaluate.outside_tables import scored_tables
from rankwise.evaluate.scoreboard import Resampling, scoreboard
from rankwise.evaluate.segment_groups import block_labels
from rankwise.evaluate.system_scores import SystemScores, score_blocks, score_systems
from rankwise.metrics import metric
from rankwise.present.score_tables import table_for_people, table_for_programs
from rankwise.significance import bootstrap, paired_randomisation
from rankwise.types import ScoreTable, Segment, TestSet
from rankwise.types.score_table import merged
from rankwise.types.text_block import Block, blocks_of

SEGMENTS = tuple(
    Segment(str(n), "", references, document)
    for n, (references, document) in enumerate(
        [(("a b", "a"), "d1"), (("c",), "d1"), (("e f",), "d2")], 1
    )
)
TESTSET = TestSet(SEGMENTS, {"X": ("a b", "c", "e g"), "Y": ("a", "x", "e f")})


def test_blocks_do_not_change_the_rows():
    f1 = metric("f1")
    whole = score_systems(TESTSET, [f1])[0]
    cut = score_blocks(blocks_of(TESTSET, size=1), [f1], groupings=["document"])
    for system in ("X", "Y"):
        assert np.array_equal(whole.rows[system], cut.results[0].rows[system])
    assert (cut.nrefs, cut.segments, cut.labels) == ("var", 3, {"document": ["d1", "d1", "d2"]})
    assert cut.results[0].segments == whole.segments


def test_the_corpus_score_is_that_of_the_metric():
    result = score_systems(TESTSET, [metric("f1")])[0]
    for place, system in enumerate(result.systems):
        expected = metric("f1").corpus(TESTSET.outputs[system], TESTSET.references)
        assert result.corpus[place] == expected


def test_metrics_may_be_named():
    wer = metric("wer:lowercase=true")
    named = score_systems(TESTSET, ["f1", wer])
    assert [result.metric for result in named] == [metric("f1"), wer]
    assert np.array_equal(named[0].corpus, score_systems(TESTSET, [metric("f1")])[0].corpus)
    with pytest.raises(DataError, match="unknown metric 'blue'"):
        score_systems(TESTSET, ["blue"])


def test_an_absent_output_and_no_system_are_errors():
    with pytest.raises(DataError, match="system 'X' has no output for segment '2'"):
        score_systems(TestSet(SEGMENTS, {"X": ("a", None, "b")}), [metric("f1")])
    with pytest.raises(DataError, match="has no system outputs"):
        score_systems(TestSet(SEGMENTS), [metric("f1")])


def test_a_segment_without_a_label_is_an_error():
    block = Block(["s1"], ["a"], {"X": ["a"]}, [None])
    with pytest.raises(DataError, match="segment 's1' has no document; expected one for each"):
        block_labels(block, "document")


def test_segments_without_documents_cannot_be_drawn_by_document():
    scored = score_blocks(blocks_of(TESTSET), [metric("f1")])
    with pytest.raises(DataError, match="the segments have no documents to be drawn by"):
        scoreboard(scored, Resampling(samples=5, unit="document"))


def test_the_board_is_what_significance_says():
    scored = score_blocks(blocks_of(TESTSET), [metric("f1")], groupings=["document"])
    plan = Resampling(samples=50, seed=3, test="randomisation", unit="document")
    board = scoreboard(scored, plan, baseline="Y")
    rows, f1, groups = scored.results[0].rows, metric("f1"), ["d1", "d1", "d2"]
    drawn = bootstrap(rows, f1, samples=50, seed=3, groups=groups)
    tests = paired_randomisation(rows, f1, baseline="Y", samples=50, seed=3, groups=groups)
    (standing,) = board.standings
    assert np.array_equal(standing.tests.p_values, tests.p_values)
    assert standing.intervals.low[0] == np.sort(drawn.resampled[:, 0])[1]
    assert board.systems == ("X", "Y")
    (row,) = [row for row in table_for_programs(board).rows if row[0] == "X"]
    assert row[-1] == tests.p_values[0]


def test_no_test_without_resamples():
    scored = score_blocks(blocks_of(TESTSET), [metric("f1")])
    with pytest.raises(DataError, match="a test needs resamples"):
        scoreboard(scored, Resampling(samples=0), baseline="X")


def table(*rows, systems=("A", "B"), level="segment"):
    segments = tuple(str(n) for n in range(1, len(rows[0]) + 1))
    return ScoreTable(systems, segments, np.array(rows, float), level=level)


def test_a_system_without_any_score_has_no_rank_but_a_row():
    scored = scored_tables({"S": table([1, 2], [np.nan, np.nan])})
    board = scoreboard(scored, Resampling(samples=0))
    assert table_for_people(board).rows == (("A", "1.5000"), ("B", "nan"))
    with pytest.raises(DataError, match="system 'B' has no score and so no rank"):
        scoreboard(scored, Resampling(samples=10))


def test_tables_are_matched_by_the_names_of_systems():
    swapped = table([3, 4], [1, 2], systems=("B", "A"))
    scored = scored_tables({"S": table([1, 2], [3, 4]), "T": swapped})
    assert scored.results[1].corpus.tolist() == [1.5, 3.5]
    assert scored.results[1].systems == ("A", "B")


def test_tables_that_do_not_fit():
    with pytest.raises(DataError, match="'T' are of other segments \\(3\\) than those of 'S'"):
        scored_tables({"S": table([1, 2], [3, 4]), "T": table([1, 2, 3], [3, 4, 5])})
    with pytest.raises(DataError, match="'S' are of whole systems"):
        scored_tables({"S": table([1], [2], level="system")})
    with pytest.raises(DataError, match="there are 3 scores of B, but 2 of A"):
        merged([table([1, 2], systems=("A",)), table([1, 2, 3], systems=("B",))])


@pytest.mark.parametrize("name", ["bleu", "chrf", "chrf:word_order=2", "ter", "wer", "f1"])
def test_a_matrix_is_every_pair(name):
    texts = ["the cat sat on the mat", "a cat sat on the mat!", "", "THE mat", "a cat sat on it"]
    found = score_matrix(metric(name), texts)
    expected = [[metric(name).segments([h], [r])[0] for r in texts] for h in texts]
    assert np.array_equal(found, expected)


def test_the_best_candidate_is_the_first_of_equals():
    assert best_candidate(metric("bleu"), np.array([[1.0, 2.0], [2.0, 1.0]])) == 0
    with pytest.raises(DataError, match="no candidate"):
        score_matrix(metric("bleu"), [])


@pytest.mark.parametrize("lacking", [0, 3, 150, 195])
def test_segments_with_a_score_are_counted_no_further_than_asked(lacking):
    # Those without a score stand first, so that the first segments do not tell.
    values = np.where(np.arange(200) < lacking, np.nan, 0.5)
    rows = {"A": np.stack([np.nan_to_num(values), ~np.isnan(values)], axis=1)}
    result = SystemScores(GivenScores(label="COMET"), rows, list(range(200)))
    assert result.scored_count == 200 - lacking
    assert result.scored_up_to(60) == min(60, 200 - lacking)
