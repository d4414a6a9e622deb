"""From one format to another: what is written, what is reported, what is refused."""

import io
import json
import sys

import pytest

from examples import EXAMPLES, JUDGMENT_FILES
from rankwise.errors import DataError
from rankwise.io import convert, read_judgments
from rankwise.io.format_table import formats_of


@pytest.mark.parametrize(("name", "path"), JUDGMENT_FILES)
@pytest.mark.parametrize("target", [f.name for f in formats_of("judgments") if f.writable])
def test_every_format_of_judgments_becomes_every_other(name, path, target, tmp_path):
    report = convert(path, tmp_path / "out", to_format=target)
    assert (report.kind, report.from_format, report.to_format) == ("judgments", name, target)
    assert report.counts["rankings"] == len(read_judgments(path))
    assert len(read_judgments(tmp_path / "out", format=target)) > 0


def test_the_report_reads_as_text(tmp_path):
    report = convert(EXAMPLES / "pwcmp.csv", tmp_path / "out.csv")
    assert str(report) == (
        "judgments from pwcmp to wmt-pairwise: 2 rankings, 0 skipped, 4 systems, 1 judges\n"
        "lost: Further columns are not held: session."
    )


def test_what_the_reader_leaves_out_is_reported_too(tmp_path):
    report = convert(EXAMPLES / "jcml.jcml", tmp_path / "out.jsonl", to_format="jsonl")
    assert report.losses == (
        "Texts of sources, outputs and references are not judgments and are not read.",
    )


def test_options_go_to_the_reader_or_the_writer(tmp_path):
    convert(EXAMPLES / "jcml.jcml", tmp_path / "out.jsonl", to_format="jsonl", rank="predicted")
    assert read_judgments(tmp_path / "out.jsonl")[0].ranks == (2, 1.5, 3)
    convert(EXAMPLES / "wmt-pairwise.csv", tmp_path / "out.csv", collapsed=True)
    assert "south+west" in (tmp_path / "out.csv").read_text()
    with pytest.raises(DataError, match="has no option 'colour'"):
        convert(EXAMPLES / "wmt-pairwise.csv", tmp_path / "x.csv", colour=True)
    assert not (tmp_path / "x.csv").exists()


def test_standard_streams(monkeypatch, capsys):
    raw = (EXAMPLES / "fastchat.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    report = convert("-", "-", to_format="fastchat")
    assert report.counts["rankings"] == 3
    assert len(json.loads(capsys.readouterr().out)) == 3


def test_an_output_without_a_format_names_the_candidates(tmp_path):
    with pytest.raises(DataError, match=r"<stdout>: .*name one of jsonl, wmt-pairwise"):
        convert(EXAMPLES / "pwcmp.csv", "-")
    with pytest.raises(DataError, match=r"out\.txt: .*name one of jsonl, wmt-pairwise"):
        convert(EXAMPLES / "pwcmp.csv", tmp_path / "out.txt")


def test_unknown_formats_name_the_candidates(tmp_path):
    with pytest.raises(DataError, match="unknown format 'x'; choose from jsonl"):
        convert(EXAMPLES / "pwcmp.csv", tmp_path / "out", to_format="x")
    with pytest.raises(DataError, match="unknown format 'x'; choose from jsonl"):
        convert(EXAMPLES / "pwcmp.csv", tmp_path / "out", from_format="x", to_format="jsonl")


def test_rankings_do_not_become_another_kind(tmp_path, monkeypatch):
    from rankwise.io import format_table as formats

    other = formats.Format("plain", "testset", "jcml_texts", (".plain",), True, "")
    monkeypatch.setattr(formats, "FORMATS", (*formats_of("judgments"), other))
    with pytest.raises(DataError, match="pwcmp holds judgments and plain holds a test set; a conv"):
        convert(EXAMPLES / "pwcmp.csv", tmp_path / "out", to_format="plain")
