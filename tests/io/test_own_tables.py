"""Tables that people keep themselves: values, rankings and scores, as a spreadsheet saves them."""

import math

import pytest

import rankwise as rw
from examples import EXAMPLES
from rankwise.errors import DataError, RankwiseError
from rankwise.io.sniffing import sniff
from rankwise.io.value_files import hold_values

VALUES = "judge,segment,system,score\nann,1,A,70\nann,1,B,60\nbob,2,A,80\nbob,2,B,20\n"
RANKS = "judge,segment,system,rank\nann,1,A,1\nann,1,B,2\nbob,2,A,1\nbob,2,B,1\n"


def saved(folder, text, name="mine.csv", encoding="utf-8"):
    path = folder / name
    path.write_text(text, encoding)
    return path


def test_values_with_other_names_for_the_columns():
    found = rw.read_assessments(EXAMPLES / "texts" / "values.csv")
    assert list(found.rows()) == [
        ("tern", "1", "ann", "TGT", 80.0),
        ("wren", "1", "ann", "TGT", 35.5),
        ("tern", "1", "bob", "TGT", 60.0),
        ("tern", "2", "bob", "TGT", 70.0),
    ]
    assert found.info["document"].tolist() == ["d1", "d1", "d1", "d2"]
    assert found.info["remark"].tolist() == ["fine; really", None, "two\nlines", None]


def test_rankings_with_ties_and_several_screens():
    found = rw.read_judgments(EXAMPLES / "rankings.tsv")
    rankings = [(r.judge, r.segment, r.systems, r.ranks) for r in found]
    assert rankings == [
        ("ann", "1", ("tern", "wren"), (1, 2)),
        ("bob", "1", ("wren", "tern", "lark"), (1, 1, None)),
        ("ann", "1", ("tern", "lark"), (2, 1)),
    ]
    assert {(r.source_language, r.target_language) for r in found} == {("de", "en")}
    assert len({r.screen for r in found}) == 3  # the first screen of one judge is not another's


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_what_a_spreadsheet_saves_is_recognised(separator, encoding, tmp_path):
    values = saved(tmp_path, VALUES.replace(",", separator), "v.csv", encoding)
    ranks = saved(tmp_path, RANKS.replace(",", separator), "r.csv", encoding)
    assert (sniff(values).name, sniff(ranks).name) == ("values-table", "rankings-table")
    assert hold_values([values])
    assert not hold_values([ranks])
    assert [row[-1] for row in rw.read_assessments(values).rows()] == [70, 60, 80, 20]
    assert len(rw.read_judgments(ranks)) == 2


def test_an_empty_score_is_none(tmp_path):
    [row] = rw.read_assessments(saved(tmp_path, "judge,segment,system,score\na,1,A,\n")).rows()
    assert math.isnan(row[-1])


def test_a_language_pair_is_chosen(tmp_path):
    text = "judge,segment,system,score,lp\na,1,A,1,de-en\na,1,A,9,en-de\n"
    path = saved(tmp_path, text)
    with pytest.raises(RankwiseError, match=r"choose from de-en \(1 row\), en-de \(1 row\)"):
        rw.read_assessments(path)
    [row] = rw.read_assessments(path, language_pair="en-de").rows()
    assert row[-1] == 9


def test_values_beside_ranks_are_values(tmp_path):
    path = saved(tmp_path, "judge,segment,system,score,rank\na,1,A,70,1\na,1,B,60,2\n")
    assert sniff(path).name == "values-table"


def test_scores_may_stand_in_csv(tmp_path):
    found = rw.read_scores(saved(tmp_path, 'segment,system,score\n1,"A, b",.5\n2,"A, b",None\n'))
    assert found.systems == ("A, b",)
    assert found.values[0, 0] == 0.5
    assert math.isnan(found.values[0, 1])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "segment,system,score\n1,A,70\n",
            ":1: .*; expected the columns judge, segment, system and sc",
        ),
        ("segment,system,rank\n1,A,1\n", ":1: .*or judge, segment, system and rank, for rankings"),
        ("annotator,segment,system,rank\na,1,A,one\n", ":2: the rank is 'one'"),
        ("judge,segment,system,rank\na,,A,1\n", ":2: the segment is empty"),
        ("judge,segment,system,rank\na,1,A,1\na,1,A,2\n", ":3: 'a' ranks 'A' twice in segment '1'"),
    ],
)
def test_what_is_wrong_with_rankings_is_said(text, message, tmp_path):
    with pytest.raises(DataError, match=message):
        rw.read_judgments(saved(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("judge,segment,system,score\na,1,A,good\n", ":2: the score is 'good'"),
        ("judge,segment,system,score\na,1,A\n", ":2: the line has 3 columns; expected 4"),
        ("judge,rater,segment,system,score\n", ":1: columns judge and rater mean the same"),
        ('judge,segment,system,score\na,1,"A,1\n', ":2: .*expected CSV with closed quotes"),
        ("judge,segment,system\n", ":1: no column 'score' or 'rating' or 'value' among judge"),
        ("judge,segment,system,score\na,1,A,2\n,2,A,3\n", ":3: the judge is empty; expected one"),
        ("judge,segment,system,score\na,1, ,2\n", ":2: the system is empty"),
        ("judge,segment,system,\x1b[2J\n", "among judge, segment, system, '.x1b.2J'; expected"),
    ],
)
def test_what_is_wrong_with_values_is_said(text, message, tmp_path):
    with pytest.raises(DataError, match=message):
        rw.read_assessments(saved(tmp_path, text), format="values-table")
