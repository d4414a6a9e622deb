"""Errors that people and models marked, in the segments of a report."""

import json
from pathlib import Path

import numpy as np
import pytest

import rankwise as rw
from rankwise.evaluate.score_study import score
from rankwise.present.page.segment_cards import CardText, MarkedLine, MarkedPart, _text
from rankwise.present.report.error_marks import ErrorMark, given_marks, marked_line, model_marks
from rankwise.types import Assessments

XCOMET = Path(__file__).parents[1] / "neural" / "models" / "xcomet"
OUTPUT = "a red cat sat"


def spans(*some):
    keys = ("start", "end", "severity", "category")
    return json.dumps([dict(zip(keys, span, strict=True)) for span in some])


def assessed(systems, judges, texts, roles=("TGT",)):
    count = len(texts)
    return Assessments(
        systems,
        ("1",),
        judges,
        roles,
        np.arange(count, dtype=np.int32) % len(systems),
        np.zeros(count, np.int32),
        np.arange(count, dtype=np.int32) % len(judges),
        np.arange(count, dtype=np.int32) % len(roles),
        np.ones(count),
        info={"spans": np.array(texts, object)},
    )


def test_people_come_first_and_controls_are_left_out():
    people = assessed(("A",), ("ann",), [spans((2, 5, "major", "Accuracy"))])
    controls = assessed(("A",), ("bob",), [spans((0, 1, "minor", None))], roles=("BAD",))
    machine = assessed(("A",), ("xcomet",), [spans((0, 1, "minor", None))])
    found = given_marks(rw.Study(assessments=people, marks=(machine, controls)))
    expected = [
        ("ann", (ErrorMark(2, 5, "major Accuracy"),)),
        ("xcomet", (ErrorMark(0, 1, "minor"),)),
    ]
    assert found == {("A", "1"): expected}


def test_values_without_spans_mark_nothing():
    people = assessed(("A",), ("ann",), [""])
    assert given_marks(rw.Study(assessments=people)) == {}
    assert given_marks(rw.Study()) == {}


def test_errors_over_each_other_are_cut_where_they_begin_and_end():
    line = marked_line("ann", [ErrorMark(2, 9, "minor"), ErrorMark(6, 13, "major")], OUTPUT)
    parts = [("a ", ""), ("red ", "minor"), ("cat", "minor, major"), (" sat", "major")]
    assert [(part.text, part.words) for part in line.parts] == parts
    assert line.title == "ann marks 2 errors"


def test_an_error_beyond_the_text_is_cut_to_it():
    line = marked_line("ann", [ErrorMark(10, 99, "minor")], OUTPUT)
    assert [(part.text, part.words) for part in line.parts] == [
        ("a red cat ", ""),
        ("sat", "minor"),
    ]


@pytest.mark.parametrize(
    ("marks", "title"),
    [
        ([], "ann marks no error"),
        ([ErrorMark(None, None, "major omission")], "ann marks 1 error; without a place: major "),
    ],
)
def test_nothing_with_a_place(marks, title):
    line = marked_line("ann", marks, OUTPUT)
    assert line.title.startswith(title) and line.parts == ()


def test_the_page_has_the_words_and_leaves_white_space_outside():
    parts = (MarkedPart("a"), MarkedPart(" <b> ", "major"), MarkedPart(" ", "minor"))
    html = _text(CardText("A", [], "de", [MarkedLine("xcomet marks 2 errors", parts)]))
    assert (
        '<span dir="auto" lang="de">a <mark>&lt;b&gt;<small>major</small></mark>  </span>' in html
    )
    assert '<dd class="marked"><small>xcomet marks 2 errors</small>' in html


@pytest.fixture
def files(tmp_path):
    (tmp_path / "source.txt").write_text("eine rote Katze\n\nHunde bellen\n")
    (tmp_path / "ref.txt").write_text("a red cat\n\ndogs bark\n")
    rows = {}
    for system, lines in {"A": ["a red cat", "", "dog barks"], "B": ["cat", "", "dogs"]}.items():
        (tmp_path / f"{system}.txt").write_text("\n".join(lines) + "\n")
        errors = [{"start": 0, "end": 3, "severity": "major", "confidence": 0.9, "text": "dog"}]
        rows[f"{system}.txt"] = [
            {"src": "s", "mt": text, "COMET": 0.5, "errors": errors if "dog" in text else []}
            for text in lines
        ]
    (tmp_path / "xcomet.json").write_text(json.dumps(rows))
    return tmp_path


def test_a_file_of_xcomet_brings_its_spans(files):
    study = rw.read_study(
        outputs=(files / "A.txt", files / "B.txt"),
        references=(files / "ref.txt",),
        scores=(files / "xcomet.json",),
    )
    assert given_marks(study)[("A", "3")] == [("xcomet", (ErrorMark(0, 3, "major"),))]
    assert given_marks(study)[("A", "1")] == [("xcomet", ())]
    renamed = given_marks(study.renamed({"A": "new"}))
    assert ("new", "3") in renamed and ("A", "3") not in renamed


def test_a_model_marks_what_is_shown(files):
    outputs = {name: (files / f"{name}.txt").read_text().splitlines() for name in "AB"}
    sources = (files / "source.txt").read_text().splitlines()
    study = rw.Study.from_texts(outputs, ["a red cat", "", "dogs bark"], sources)
    results = score(study, [f"comet:model={XCOMET}", "chrf"]).scored.results
    found = model_marks(results, study.texts, [("A", 0), ("B", 2)])
    assert set(found) == {("A", "1"), ("B", "3")}
    metric = results[0].metric
    [theirs] = metric.error_spans(["a red cat"], [sources[0]], ["a red cat"])
    assert found["A", "1"] == [
        ("comet", tuple(ErrorMark(one.start, one.end, one.severity) for one in theirs))
    ]
    assert model_marks(results[1:], study.texts, [("A", 0)]) == {}
