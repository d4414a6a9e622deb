"""Test sets, scores and assessments from every format to every other of their kind."""

from pathlib import Path

import pytest

from rankwise.errors import DataError
from rankwise.io import convert, read_assessments, read_scores, read_testset
from rankwise.io.formats import formats_of

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
    "wmt-esa": "esa.jsonl",
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


def test_a_jcml_file_holds_rankings_and_texts(tmp_path):
    report = convert(EXAMPLES / "harbour.jcml", tmp_path / "out.tsv", to_format="tsv")
    assert report.kind == "testset"
    report = convert(EXAMPLES / "harbour.jcml", tmp_path / "out.jsonl", to_format="jsonl")
    assert report.kind == "judgments"


def test_a_format_that_is_only_read(tmp_path):
    with pytest.raises(DataError, match="format 'mqm-tsv' can only be read"):
        convert(EXAMPLES / "judgments.tsv", tmp_path / "out", to_format="mqm-tsv")
