"""Test sets, scores and assessments from every format to every other of their kind."""

import json
from pathlib import Path

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.io import convert, read_assessments, read_scores, read_testset, write_assessments
from rankwise.io.format_table import formats_of
from rankwise.types import Assessments

EXAMPLES = Path(__file__).parent / "examples" / "texts"
TESTSETS = {
    "testset-jsonl": "harbour.testset.jsonl",
    "wmt-xml": "wmt21.xml",
    "sgml": "sgml",
    "tsv": "testset.tsv",
    "evalset": "evalset",
    "text": "text",
}
SCORES = {
    "mtme-scores": "lark.seg.score",
    "wmt-metrics": "wmt-metrics.tsv",
    "scores-tsv": "scores.tsv",
    "scores-json": "scores.json",
    "numbers": "tern.txt",
}
ASSESSMENTS = {
    "wmt-da-tsv": "judgments.tsv",
    "campaign-values": "campaign.csv",
    "wmt-esa": "esa.jsonl",
    "pearmut": "pearmut.jsonl",
    "mqm-tsv": "mqm.tsv",
    "mtme-ratings": "mqm.seg.rating",
    "appraise-scores": "appraise-esa.csv",
}


def writable(kind):
    return [f.name for f in formats_of(kind) if f.writable]


@pytest.mark.parametrize("target", writable("testset"))
@pytest.mark.parametrize("name", TESTSETS)
def test_test_sets(name, target, tmp_path):
    options = {"language_pair": "de-en"} if target == "evalset" and name != "evalset" else {}
    report = convert(EXAMPLES / TESTSETS[name], tmp_path / "out", to_format=target, **options)
    assert (report.kind, report.from_format, report.to_format) == ("testset", name, target)
    assert report.counts == {"segments": 3, "systems": 2}
    before = read_testset(EXAMPLES / TESTSETS[name])
    after = read_testset(tmp_path / "out", format=target)
    assert [s.source for s in after.segments] == [s.source for s in before.segments]
    assert after.outputs["tern"] == before.outputs["tern"]


@pytest.mark.parametrize("target", writable("scores"))
@pytest.mark.parametrize("name", SCORES)
def test_scores(name, target, tmp_path):
    options = {"language_pair": "de-en", "test_set": "t"} if target == "wmt-metrics" else {}
    if name == "wmt-metrics":
        options = (
            {} if target != "wmt-metrics" else {"language_pair": "de-en", "test_set": "harbour"}
        )
    before = read_scores(EXAMPLES / SCORES[name])
    if target == "numbers" and len(before.systems) > 1:
        with pytest.raises(DataError, match="expected one"):
            convert(EXAMPLES / SCORES[name], tmp_path / "out", to_format=target)
        return
    report = convert(EXAMPLES / SCORES[name], tmp_path / "out", to_format=target, **options)
    assert report.counts == {"systems": len(before.systems), "segments": 3}
    after = read_scores(tmp_path / "out", format=target)
    assert str(after.values) == str(before.values)


@pytest.mark.parametrize("name", ASSESSMENTS)
def test_assessments(name, tmp_path):
    report = convert(EXAMPLES / ASSESSMENTS[name], tmp_path / "out.tsv")
    assert (report.kind, report.to_format) == ("assessments", "wmt-da-tsv")
    before = read_assessments(EXAMPLES / ASSESSMENTS[name])
    assert list(read_assessments(tmp_path / "out.tsv").rows()) == list(before.rows())


@pytest.mark.parametrize("name", ASSESSMENTS)
def test_assessments_through_appraise(name, tmp_path):
    """Rows with a value come back, errors too; what has no value is counted."""
    target, pair = tmp_path / "out.csv", {"language_pair": "eng-deu"}
    before = read_assessments(EXAMPLES / ASSESSMENTS[name])
    losses = write_assessments(before, target, format="appraise-scores", **pair)
    after = read_assessments(target, format="appraise-scores", keep_judges=True)
    has_value = ~np.isnan(before.value)
    expected = list(before.select(has_value).rows())
    assert [loss for loss in losses if "only the last" in loss] == []
    assert list(after.rows()) == expected
    assert any("without a value" in loss for loss in losses) == (not has_value.all())
    if "spans" in before.info:
        kept = [json.loads(text) for text in before.info["spans"][has_value]]
        keys = ("start", "end", "severity", "category")
        kept = [[{key: span.get(key) for key in keys} for span in spans] for spans in kept]
        assert [json.loads(text) for text in after.info["spans"]] == kept


def test_what_appraise_cannot_hold_is_said(tmp_path):
    rows = [("A+B", "1", "ann", "TGT", 0.0), ("A+B", "1", "ann", "TGT", 0.0)]
    spans = np.array(
        ['[{"start": 0, "end": 2, "severity": "minor", "category": null}]'] * 2, object
    )
    found = Assessments.from_rows(rows, info={"spans": spans, "hit": np.array([1.0, 2.0])})
    losses = write_assessments(found, tmp_path / "out.csv", format="appraise-scores")
    assert losses == [
        "Further columns are not held: hit.",
        "Of several judgments of one item by one judge only the last is read (1 more).",
        "Names with '+' are read as several systems: A+B.",
        "All values are 0, so they are read back from the errors.",
        "Places of errors are in characters, where Appraise has UTF-16 units.",
    ]
    assert len(read_assessments(tmp_path / "out.csv", format="appraise-scores")) == 2


def test_a_jcml_file_holds_rankings_and_texts(tmp_path):
    report = convert(EXAMPLES / "harbour.jcml", tmp_path / "out.tsv", to_format="tsv")
    assert report.kind == "testset"
    report = convert(EXAMPLES / "harbour.jcml", tmp_path / "out.jsonl", to_format="jsonl")
    assert report.kind == "judgments"


def test_a_format_that_is_only_read(tmp_path):
    with pytest.raises(DataError, match="format 'mqm-tsv' can only be read"):
        convert(EXAMPLES / "judgments.tsv", tmp_path / "out", to_format="mqm-tsv")


def test_scores_of_assessments_keep_the_notes():
    path = EXAMPLES / "mqm.tsv"
    notes = (
        "Left out: 1 row of machine raters (AutoMQM).",
        "Left out: 1 row of metadata, without a rater.",
    )
    assert notes == read_assessments(path).notes == read_scores(path).notes


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("mqm.tsv", {"machine_raters": "yes"}, "'machine_raters' is 'yes'; expected true or false"),
        ("appraise-da.csv", {"index_base": "a"}, "'index_base' is 'a'; expected a number"),
        ("appraise-da.csv", {"level": "word"}, "'level' is 'word'; expected .* segment, document"),
        ("lark.seg.score", {"level": "word"}, "'level' is 'word'; expected one of segment"),
        ("lark.seg.score", {"lvl": "seg"}, "has no option 'lvl'; it has level, segments"),
    ],
)
def test_options_that_cannot_be_typed_so(tmp_path, source, options, message):
    with pytest.raises(DataError, match=message):
        convert(EXAMPLES / source, tmp_path / "out.tsv", typed_options=options)


def test_an_option_may_stay_none():
    assert read_scores(EXAMPLES / "lark.seg.score", level=None).level == "segment"


@pytest.mark.parametrize("name", ["evalset", "sgml", "text"])
def test_a_folder_does_not_go_to_standard_output(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match="<stdout>: the format is a folder; expected the name"):
        convert(EXAMPLES / "evalset", "-", to_format=name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("testset.tsv", "evalset", "languages are not known; expected the option 'language_pair'"),
        ("scores.tsv", "wmt-metrics", "expected the options 'language_pair' and 'test_set'"),
        ("scores.tsv", "numbers", "<stdout>: the scores are of 2 systems; expected one"),
    ],
)
def test_what_a_writer_needs_is_said(source, target, message):
    with pytest.raises(DataError, match=message):
        convert(EXAMPLES / source, "-", to_format=target)


def test_a_name_that_tells_no_format_names_the_suffixes(tmp_path):
    with pytest.raises(DataError, match=r"of scores; expected one of \.json, \.tsv, .*, or name"):
        convert(EXAMPLES / "scores.tsv", tmp_path / "out.csv")
