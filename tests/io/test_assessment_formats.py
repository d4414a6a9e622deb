"""Every format of scalar judgments, on examples whose values are worked out by hand."""

import json
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankwise.errors import DataError
from rankwise.io import FORMATS, read_assessments, write_assessments
from rankwise.io.formats.assessments.error_spans import (
    PUBLISHED,
    WMT23,
    WMT24,
    from_utf16,
    marked_spans,
    weight,
)
from rankwise.types import Assessments

EXAMPLES = Path(__file__).parent / "examples" / "texts"

CASES = {
    "wmt-da-tsv": "judgments.tsv",
    "campaign-values": "campaign.csv",
    "campaign-records": "campaign-records.jsonl",
    "wmt-esa": "esa.jsonl",
    "pearmut": "pearmut.jsonl",
    "mqm-tsv": "mqm.tsv",
    "xcomet-spans": "comet.json",
    "spans-jsonl": "spans.jsonl",
    "mtme-ratings": "mqm.seg.rating",
    "evalset": "judged-evalset",
    "appraise-scores": "appraise-da.csv",
    "values-table": "values.csv",
}


def test_every_format_has_an_example():
    assert set(CASES) == {f.name for f in FORMATS if f.kind == "assessments"}


@pytest.mark.parametrize("name", CASES)
def test_the_format_is_sniffed(name):
    path = EXAMPLES / CASES[name]
    found, named = read_assessments(path), read_assessments(path, format=name)
    assert list(found.rows()) == list(named.rows())


def spans(assessments):
    return [json.loads(text) for text in assessments.info["spans"]]


def write(folder, text, name="file"):
    path = folder / name
    path.write_text(text)
    return path


# -- the long table of a campaign ----------------------


def test_campaign_values():
    found = read_assessments(EXAMPLES / "campaign.csv")
    assert list(found.rows()) == [
        ("tern", "1", "moss", "TGT", 80.0),
        ("wren", "1", "moss", "TGT", 35.0),
        ("tern", "2", "moss", "TGT", 70.0),
        ("wren", "2", "moss", "TGT", 70.0),
    ]
    assert list(found.info["document"]) == ["1"] * 4
    assert spans(found)[1][0] == {"start": 4, "end": 9, "severity": "major", "category": None}
    assert found.notes == (
        "Left out: 4 rows of controls and tutorials.",
        "Left out: 4 rows that were revised later.",
    )


@pytest.mark.parametrize("value", ["high", "nan"])
def test_a_long_table_with_something_else_for_a_value(tmp_path, value):
    text = (EXAMPLES / "campaign.csv").read_text()
    path = write(tmp_path, text.replace(",80,[],", f",{value},[],", 1), "long.csv")
    with pytest.raises(DataError, match=f":6: .*{value}"):
        read_assessments(path)


# -- the uniform table --------------------------------


def test_wmt_da_tsv():
    found = read_assessments(EXAMPLES / "judgments.tsv")
    assert list(found.rows()) == [
        ("tern", "1", "moss", "SYSTEM", 80.0),
        ("tern", "1", "moss", "REPEAT", 70.0),
        ("wren", "1", "fern", "SYSTEM", 35.5),
        ("wren", "2", "fern", "BAD_REF", 3.0),
    ]
    np.testing.assert_array_equal(found.info["z"], [0.5, 0.1, np.nan, -2])
    assert found.info["hit"].tolist() == ["h1", "h1", "h2", "h2"]
    assert found.name == "DA"


def test_a_table_with_several_kinds_needs_one_named(tmp_path):
    text = (
        "annotator\tsystem\tseg\tkind\tscore\na\tA\t1\tDA\t50\na\tA\t1\tMQM\t-5\na\tA\t2\tMQM\t0\n"
    )
    path = write(tmp_path, text)
    with pytest.raises(DataError, match=r"choose from DA \(1 row\), MQM \(2 rows\)"):
        read_assessments(path)
    assert read_assessments(path, kind="MQM").value.tolist() == [-5.0, 0.0]


rows = st.tuples(
    st.sampled_from(["A", "x y"]),
    st.sampled_from(["1", "2"]),
    st.sampled_from(["ann", ""]),
    st.sampled_from(["TGT", "BAD", ""]),
    st.floats(allow_infinity=False),
)


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(rows), st.booleans(), st.data())
def test_what_is_not_named_as_lost_comes_back(rows, with_info, data):
    info = {}
    if with_info:
        texts = st.none() | st.sampled_from(["h", "a b", "[{}]", "tab\there"])
        info["hit"] = np.array([data.draw(texts) for _ in rows], object)
        info["document"] = np.array([data.draw(texts) for _ in rows], object)
        info["z"] = np.array([data.draw(st.floats(-3, 3)) for _ in rows], np.float64)
    before = Assessments.from_rows(rows, name="DA", info=info)
    with tempfile.TemporaryDirectory() as folder:
        losses = write_assessments(before, Path(folder) / "a.tsv")
        after = read_assessments(Path(folder) / "a.tsv")
    assert str(list(after.rows())) == str(list(before.rows()))  # nan is not equal to nan
    if rows and not losses:
        assert after.name == "DA"
        for name, column in info.items():
            assert after.info[name].tolist() == column.tolist()
    assert bool(losses) == any("\t" in (t or "") for n in info if n != "z" for t in info[n])


def test_columns_that_do_not_fit_are_named(tmp_path):
    info = {"start": np.array([1.5]), "kind": np.array(["x"], object)}
    before = Assessments.from_rows([("A", "1", "ann", "TGT", 1.0)], info=info)
    assert write_assessments(before, tmp_path / "a.tsv") == [
        "Column 'kind' is not written: its name is taken.",
        "Columns of numbers are read back as text: start.",
    ]


# -- Appraise -----------------------------------------


def test_appraise_segments_keep_the_last_judgment():
    found = read_assessments(EXAMPLES / "appraise-da.csv")
    assert list(found.rows()) == [
        ("wren", "1", "judge1", "TGT", 40.0),
        ("tern", "1", "judge1", "TGT", 77.0),
        ("wren", "1", "judge2", "BAD", 5.0),
    ]
    assert found.notes == ("4 rows hold 3 judgments: of the same item and user the last counts.",)
    assert found.info["end"].tolist() == [1700000012.0, 1700000031.0, 1700000012.0]


def test_appraise_names_users_only_when_asked():
    found = read_assessments(EXAMPLES / "appraise-da.csv", keep_judges=True)
    assert found.judges == ("deueng01", "deueng02")


def test_appraise_with_spans():
    found = read_assessments(EXAMPLES / "appraise-esa.csv")
    assert [row[:2] + row[4:] for row in found.rows()] == [
        ("tern", "1", 88.0),
        ("wren", "1", 88.0),
        ("tern", "2", 60.0),
    ]
    np.testing.assert_array_equal(found.info["look"], [1, 1, np.nan])
    assert spans(found)[0] == [{"start": 4, "end": 9, "severity": "minor", "category": None}]
    # The second row is written as Python writes it, not as JSON.
    assert spans(found)[2] == [{"start": None, "end": None, "severity": "major", "category": None}]
    assert found.notes == (
        "Left out: 1 judgment of whole documents.",
        "2 judgments gave 3 rows: systems shared outputs.",
        "Spans are in UTF-16 units, because the file has no texts.",
    )


def test_appraise_documents():
    found = read_assessments(EXAMPLES / "appraise-esa.csv", level="document")
    assert list(found.rows()) == [("tern", "harbour#tern", "judge1", "TGT", 71.0)]


def test_appraise_whole_names():
    found = read_assessments(EXAMPLES / "appraise-esa.csv", whole_names=["tern+wren"])
    assert found.systems == ("tern+wren", "tern")


def test_appraise_counts_from_elsewhere():
    found = read_assessments(EXAMPLES / "appraise-da.csv", index_base=0)
    assert found.segments == ("2",)


SPAN = '[{""start_i"": 0, ""end_i"": 1, ""severity"": ""%s"", ""error_type"": ""%s""}]'


def appraise(severity, category="Style", score=0):
    text = SPAN % (severity, category)
    return f'u,A,1,TGT,deu,eng,{score},d,False,"{text}",1,2\n'


def test_appraise_mqm_is_computed_from_the_spans(tmp_path):
    found = read_assessments(write(tmp_path, appraise("Major")))
    assert found.value.tolist() == [-5.0]
    assert "All scores are 0, so values were computed from the spans." in found.notes
    assert read_assessments(write(tmp_path, appraise("major", score=3))).value.tolist() == [3.0]


def test_appraise_mqm_with_an_unknown_severity(tmp_path):
    path = write(tmp_path, appraise("critical"))
    with pytest.raises(DataError, match=":1: severity 'critical' has no weight"):
        read_assessments(path)
    assert read_assessments(path, weights={"critical": 10}).value.tolist() == [-10.0]


def test_appraise_with_batches(tmp_path):
    path = write(tmp_path, "u,A,1,TGT,deu,eng,5,1,2,7,99\n")  # 9 + 2, not 11 with documents
    assert list(read_assessments(path).rows()) == [("A", "1", "judge1", "TGT", 5.0)]
    path = write(tmp_path, "u,A,1,TGT,deu,eng,5,d,False,1,2,7,99\n")
    assert read_assessments(path).info["document"].tolist() == ["d"]


def test_appraise_milliseconds_become_seconds(tmp_path):
    path = write(tmp_path, "u,A,1,TGT,deu,eng,5,1700000000500,1700000001500\n")
    assert read_assessments(path).info["end"].tolist() == [1700000001.5]


def test_appraise_of_several_languages(tmp_path):
    path = write(tmp_path, "u,A,1,TGT,deu,eng,5,1,2\nu,A,1,TGT,ces,eng,6,1,2\n")
    with pytest.raises(DataError, match=r"choose from deu-eng \(1 row\), ces-eng"):
        read_assessments(path)
    assert read_assessments(path, language_pair="ces-eng").value.tolist() == [6.0]


# -- ESA ----------------------------------------------


def test_esa_spans_become_code_points():
    found = read_assessments(EXAMPLES / "esa.jsonl")
    assert list(found.rows()) == [
        ("tern", "1", "judge1", "TGT", 81.0),
        ("wren", "2", "judge2", "TGT", 45.5),
    ]
    # The crane is two UTF-16 units, 4 and 5, and one code point, 4.
    assert spans(found)[0] == [{"start": 4, "end": 5, "severity": "minor", "category": None}]
    assert spans(found)[1][0]["start"] is None
    assert found.info["document"].tolist() == ["harbour", "evening"]


@pytest.mark.parametrize(
    ("start", "end", "expected", "cut"),
    [
        (0, 0, (0, 1), 0),  # a
        (1, 2, (1, 2), 0),  # the bird, whole
        (2, 2, (1, 2), 0),  # its second half: the bird all the same
        (3, 3, (2, 3), 0),  # b
        (0, 3, (0, 3), 0),
        (0, 9, (0, 3), 1),  # beyond the end
        (9, 12, (3, 3), 1),
    ],
)
def test_utf16_spans(start, end, expected, cut):
    raw = [{"start_i": start, "end_i": end, "severity": "minor"}]
    (span,), found_cut = from_utf16(raw, "a🐦b")
    assert ((span["start"], span["end"]), found_cut) == (expected, cut)


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8), st.data())
def test_utf16_spans_agree_with_the_encoding(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    units = [len(text[:i].encode("utf-16-le")) // 2 for i in (start, end)]
    (span,), cut = from_utf16([{"start_i": units[0], "end_i": units[1] - 1}], text)
    assert (span["start"], span["end"], cut) == (start, end, 0)


def test_esa_spans_beyond_the_text_are_counted(tmp_path):
    row = {
        "langs": "a-b",
        "line_id": 0,
        "tgt": "abc",
        "system": "A",
        "annotator": "x",
        "esa_score": 1,
    }
    row["esa_spans"] = [{"start_i": 0, "end_i": 30, "severity": "minor"}]
    found = read_assessments(write(tmp_path, json.dumps(row)), index_base=0)
    assert found.notes == ("Cut to its text: 1 span beyond it.",)
    assert found.segments == ("1",)
    assert spans(found)[0][0]["end"] == 3


# -- MQM ----------------------------------------------


def test_mqm_sums_weights_per_rater():
    found = read_assessments(EXAMPLES / "mqm.tsv")
    assert list(found.rows()) == [
        ("tern", "1", "judge1", "TGT", -5.1),  # major 5 + minor punctuation 0.1
        ("tern", "1", "judge2", "TGT", 0.0),
        ("wren", "1", "judge1", "TGT", -1.0),  # marked in the source, and counts
        ("wren", "2", "judge2", "TGT", -25.0),  # non-translation
    ]
    assert found.scores().values[0, 0] == pytest.approx(-5.1 / 2)  # mean of the raters' sums
    assert found.notes == (
        "Left out: 1 row of machine raters (AutoMQM).",
        "Left out: 1 row of metadata, without a rater.",
    )
    first, second = spans(found)[0]
    assert (first["text"], first["start"], first["end"], first["side"]) == ("crane", 4, 9, "target")
    assert (second["text"], second["start"]) == (",", 9)
    assert spans(found)[2][0]["side"] == "source"


def test_mqm_options():
    found = read_assessments(EXAMPLES / "mqm.tsv", machine_raters=True, keep_judges=True)
    assert found.judges == ("fern", "moss", "AutoMQM-9")
    weights = {"Major": 3, "minor": 0.5, "no-error": 0}
    assert read_assessments(EXAMPLES / "mqm.tsv", weights=weights).value.tolist() == [
        -3.5,
        0,
        -0.5,
        -3,
    ]
    with pytest.raises(DataError, match="unknown weights 'x'; choose from published, wmt23"):
        read_assessments(EXAMPLES / "mqm.tsv", weights="x")


@pytest.mark.parametrize(
    ("severity", "category", "published", "wmt23"),
    [
        ("Major", "Accuracy/Mistranslation", 5, 5),
        ("Minor", "Style/Unnatural or awkward", 1, 1),
        ("minor", "fluency/punctuation", 0.1, 0.1),
        ("Major", "Fluency/Punctuation", 5, 5),
        ("Minor", "Fluency/Punctuation marks", 1, 1),  # a longer word is another category
        ("Major", "Non-translation!", 25, 25),
        ("Neutral", "Fluency/Punctuation", 0, 0),
        ("Major", "Source issue", 5, 0),
        ("Minor", "Accuracy/Creative Reinterpretation", 1, 0),
        ("no-error", "No-error", 0, 0),
    ],
)
def test_weights(severity, category, published, wmt23):
    assert weight(severity, category, PUBLISHED) == published
    assert weight(severity, category, WMT23) == wmt23


@pytest.mark.parametrize(
    ("text", "plain", "places"),
    [
        ("abc", "abc", []),
        ("<v>a</v>bc", "abc", [(0, 1)]),
        ("a<v>b</v>c<v>d</v>", "abcd", [(1, 2), (3, 4)]),
        ("a<v>b", "ab", []),
        ("a</v>b", "ab", []),
    ],
)
def test_marked_spans(text, plain, places):
    assert marked_spans(text) == (plain, places)


def test_ratings_of_mt_metrics_eval():
    found = read_assessments(EXAMPLES / "mqm.seg.rating", keep_judges=True)
    assert list(found.rows()) == [
        ("tern", "1", "fern", "TGT", -6.0),
        ("wren", "1", "moss", "TGT", 0.0),
        ("wren", "2", "fern", "TGT", -0.1),
    ]
    assert [span["side"] for span in spans(found)[0]] == ["target", "source"]
    assert found.notes == ("Left out: 1 output without a rating.",)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("wmt-da-tsv", "annotator\tsystem\tseg\n", ":1: no column 'score'"),
        ("wmt-da-tsv", "annotator\tsystem\tseg\tscore\na\tA\t1\tx\n", ":2: the score is 'x'"),
        ("wmt-da-tsv", "annotator\tsystem\tseg\tscore\na\tA\n", ":2: the line has 2 columns"),
        ("appraise-scores", "", ":1: the file is empty"),
        ("appraise-scores", "a,b,c\n", ":1: found 3 columns; expected 9"),
        ("appraise-scores", "u,A,1,TGT,a,b,x,1,2\n", ":1: the score is 'x'"),
        ("appraise-scores", "u,A,1,TGT,a,b,1,x,2\n", ":1: the time is 'x'"),
        ("appraise-scores", "u,A,1,TGT,a,b,1,1,2\nu\n", ":2: found 1 columns; expected 9"),
        ("appraise-scores", 'u,"A,1,TGT,a,b,1,1,2\n', "expected CSV"),
        ("appraise-scores", "u,A,1,TGT,a,b,1,d,maybe,[],1,2\n", ":1: column 9 is 'maybe'"),
        ("appraise-scores", "u,A,1,TGT,a,b,1,d,False,[1],1,2\n", ":1: a span is 1; expected"),
        ("appraise-scores", "u,A,1,TGT,a,b,1,d,False,open(),1,2\n", ":1: .*; expected JSON"),
        ("wmt-esa", "", ":1: the file is empty"),
        ("wmt-esa", "[]", ":1: found '..'; expected a JSON object"),
        ("wmt-esa", '{"annotator": "a", "line_id": 1}', ":1: 'system' is nothing; expected text"),
        ("wmt-esa", '{"annotator": "a", "line_id": "x"}', ":1: 'line_id' is 'x'"),
        ("wmt-esa", '{"esa_spans": [{"start_i": -1}]}', ":1: 'start_i' of a span is -1"),
        ("mqm-tsv", "a\tb\n", ":1: the line has 2 columns; expected 10"),
        ("mqm-tsv", "A\td\t1\t1\tr\ts\tt\tc\tMajor\t{}\nA\td\n", ":2: the line has 2 columns"),
        ("mqm-tsv", "A\td\t1\t1\tr\ts\tt\tc\tHuge\t{}\n", ":1: severity 'Huge' has no weight"),
        (
            "mtme-ratings",
            "A\tNone\nA\tNone\nB\tNone\n",
            "systems have A 2, B 1 segments; expected as many each",
        ),
        ("mtme-ratings", 'A\t{"errors": 1}\n', ":1: 'errors' is something else; expected"),
        ("mtme-ratings", 'A\t{"errors": [{}]}\n', ":1: the score of an error is None"),
    ],
)
def test_messages_say_where_and_what(tmp_path, name, text, message):
    path = write(tmp_path, text)
    with pytest.raises(DataError, match=message) as error:
        read_assessments(path, format=name)
    assert str(error.value).startswith(str(path))


def test_weights_of_wmt24():
    """Critical errors as major ones, whatever they are; the rest as in WMT23."""
    assert weight("critical", "accuracy/omission", WMT24) == 5.0
    assert weight("Critical", "Non-translation!", WMT24) == 25.0
    assert weight("critical", "Source issue", WMT24) == 0.0
    assert {key: WMT24[key] for key in WMT23} == WMT23
    with pytest.raises(DataError, match="severity 'critical' has no weight"):
        weight("critical", "accuracy/omission", PUBLISHED)


# -- answers of Pearmut --------------------------------


def test_pearmut():
    """lee took the only answer back, kim answered one twice, and the first is a lesson."""
    found = read_assessments(EXAMPLES / "pearmut.jsonl")
    assert list(found.rows()) == [
        ("alpha", "news_###_a_###_1", "judge1", "TGT", 80.0),
        ("beta", "news_###_a_###_1", "judge1", "TGT", 30.0),
        ("alpha", "news_###_a_###_2", "judge1", "TGT", 70.5),
        ("beta", "news_###_a_###_2", "judge1", "TGT", 20.0),
        ("alpha", "talk_###_b_###_1", "judge1", "TGT", 90.0),
    ]
    assert found.info["domain"].tolist() == ["news"] * 4 + ["talk"]
    assert found.info["document"].tolist() == ["news_###_a"] * 4 + ["talk_###_b"]
    places = [(one["start"], one["end"]) for said in spans(found) for one in said]
    assert places == [(4, 5), (None, None)]  # two UTF-16 units are one character; a mark behind
    assert found.notes == ("Left out: 1 answer to tutorials and checks.",)
    assert set(read_assessments(EXAMPLES / "pearmut.jsonl", keep_judges=True).judges) == {"kim"}


def pearmut(**changed):
    line = {"user_id": "kim", "item_i": 0, "item": [{"item_id": "1", "tgt": {"A": "yes"}}]}
    span = {"start_i": 0, "end_i": 1, "severity": "major", "category": "accuracy/omission"}
    said = [{"A": {"score": 0, "error_spans": [span, {**span, "severity": "minor"}]}}]
    return json.dumps({**line, "annotation": said, **changed})


def test_pearmut_without_scores_is_mqm(tmp_path):
    found = read_assessments(write(tmp_path, pearmut() + "\n"))
    assert found.value.tolist() == [-6.0]
    assert found.info["document"].tolist() == ["1"]
    assert "Nobody gave a score" in found.notes[0]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"annotation": []}, "1: 'item' and 'annotation' do not fit each other"),
        ({"annotation": [7]}, "1: a segment is no object"),
        ({"annotation": [{"A": 7}]}, "1: the answer to an output is 7"),
        ({"annotation": [{"A": {"score": "good"}}]}, "1: .*'good'"),
        ({"user_id": None}, "user_id"),
    ],
)
def test_pearmut_that_is_broken(tmp_path, changed, message):
    with pytest.raises(DataError, match=message):
        read_assessments(write(tmp_path, pearmut(**changed) + "\n"))
