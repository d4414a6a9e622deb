"""Documents and domains beside texts: one rule, whoever reads them."""

import pytest

import rankwise as rw
from rankwise.errors import DataError
from rankwise.io.parts.place_lines import Place, read_places, with_places


def test_the_last_column_is_the_document_and_the_one_before_the_domain(tmp_path):
    (tmp_path / "places.tsv").write_text("x1\tnews\tbridge\nx2\tspeech\ttalk\n", "utf-8")
    found = read_places(tmp_path / "places.tsv", 2)
    assert found == [Place("news", "bridge"), Place("speech", "talk")]


def test_a_file_of_documents_alone_leaves_domains_as_they_are(tmp_path):
    (tmp_path / "names.txt").write_text("one\ntwo\n", "utf-8")
    segments = (rw.Segment("1", "a", domain="news"), rw.Segment("2", "b"))
    placed = with_places(rw.TestSet(segments, {}), tmp_path / "names.txt")
    assert [(s.domain, s.document) for s in placed.segments] == [("news", "one"), (None, "two")]


def test_a_line_for_every_segment(tmp_path):
    (tmp_path / "short.tsv").write_text("news\tbridge\n", "utf-8")
    with pytest.raises(DataError, match=r"short\.tsv has 1 line for 2 segments; expected one for"):
        read_places(tmp_path / "short.tsv", 2)
