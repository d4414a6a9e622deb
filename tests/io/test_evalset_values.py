"""What people gave to a test set, out to a folder of mt-metrics-eval and back."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rankwise import DataError, read_assessments, read_study, write_testset
from rankwise.cli import main
from rankwise.io import write_assessments
from rankwise.io.formats.scores import mtme_scores
from rankwise.types import Assessments, Segment, TestSet

EXAMPLE = Path(__file__).parent / "examples" / "texts" / "judged-evalset"


def test_every_judge_is_a_file():
    found = read_assessments(EXAMPLE)
    assert list(found.rows()) == [
        ("tern", "1", "fern", "TGT", 0.0),
        ("tern", "2", "fern", "TGT", -0.5),
        ("tern", "1", "moss", "TGT", -2.0),
        ("wren", "1", "moss", "TGT", -6.0),
    ]
    assert found.name == "mqm"
    assert found.info["document"].tolist() == ["harbour"] * 4
    assert found.info["domain"].tolist() == ["news"] * 4
    spans = found.info["spans"].tolist()
    assert spans[:2] == [None, None]
    assert json.loads(spans[2])[0]["start"] == 4


def copied(folder, *left_out):
    for file in EXAMPLE.rglob("*.*"):
        if file.is_file() and file.name not in left_out:
            target = folder / file.relative_to(EXAMPLE)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    return folder


def test_means_of_all_judges_where_nothing_else_is_known(tmp_path):
    folder = copied(tmp_path / "e", "de-en.mqm.moss.seg.score", "de-en.mqm.fern.seg.score")
    found = read_assessments(folder)
    assert list(found.rows()) == [
        ("tern", "1", "mqm", "AVG", -1.0),
        ("wren", "1", "mqm", "AVG", -6.0),
        ("tern", "2", "mqm", "AVG", -0.5),
    ]
    with pytest.raises(DataError, match="none called 'esa'; choose from mqm"):
        read_assessments(folder, scores="esa")


def test_scores_of_other_texts_are_refused(tmp_path):
    folder = copied(tmp_path / "e")
    (folder / "human-scores" / "de-en.mqm.moss.seg.score").write_text("tern\t-2.0\n")
    with pytest.raises(DataError, match=r"moss.seg.score: a system has 1 score; expected 3, as"):
        read_assessments(folder)


TEXTS = TestSet(
    (
        Segment("a", "x", ("r",), "d 1", "news", ("ref-A",)),
        Segment("b", "y", ("s",), "d 1", "news", ("ref-A",)),
        Segment("c", "z", ("t",), reference_names=("ref-A",)),
    ),
    {"one sys": ("p", "q", "u"), "two": ("v", "w", None)},
    "texts",
    "de",
    "en",
)
SPANS = [{"start": None, "end": None, "severity": "Minor", "category": "Fluency/Punctuation"}]
ROWS = [
    ("one sys", "a", "ann", "TGT", -0.1),
    ("one sys", "a", "bob", "TGT", -1.0),
    ("one sys", "b", "ann", "TGT", -2.0),
    ("one sys", "b", "ann", "REPEAT", -4.0),
    ("two", "a", "ann", "BAD", -25.0),
    ("two", "c", "ann", "TGT", np.nan),
]
INFO = {
    "spans": np.array([json.dumps(SPANS), "[]", "[]", None, None, None], object),
    "time": np.arange(6.0),
}
VALUES = Assessments.from_rows(ROWS, name="MQM", info=INFO)


def written(folder, values=VALUES, testset=TEXTS, **options):
    write_testset(testset, folder / "texts.testset.jsonl", format="testset-jsonl")
    given = {"testset": str(folder / "texts.testset.jsonl"), **options}
    return write_assessments(values, folder / "set", format="evalset", **given)


def test_levels_and_ratings_by_hand(tmp_path):
    losses = written(tmp_path)
    scores = tmp_path / "set" / "human-scores"
    lines = {path.name: path.read_text("utf-8").splitlines() for path in scores.iterdir()}
    seg = ["one_sys\t-0.55", "one_sys\t-3.0", "one_sys\tNone", *["two\tNone"] * 3]
    error = {"start": 1, "end": 1, "category": "Fluency/Punctuation", "severity": "Minor"}
    rating = json.dumps({"errors": [{**error, "score": 0.1, "is_source_error": False}]})
    nothing = '{"errors": []}'
    assert lines == {
        "de-en.mqm.seg.score": seg,
        "de-en.mqm.doc.score": ["one_sys\t-1.775", "one_sys\tNone", *["two\tNone"] * 2],
        "de-en.mqm.domain.score": [
            "news\tone_sys\t-1.775",
            "news\ttwo\tNone",
            "unknown\tone_sys\tNone",
            "unknown\ttwo\tNone",
        ],
        "de-en.mqm.sys.score": ["one_sys\t-1.775", "two\tNone"],
        "de-en.mqm.ann.seg.score": ["one_sys\t-0.1", *seg[1:]],
        "de-en.mqm.bob.seg.score": ["one_sys\t-1.0", "one_sys\tNone", *seg[2:]],
        "de-en.mqm.ann.seg.rating": [
            f"one_sys\t{rating}\tann",
            f"one_sys\t{nothing}\tann",
            "one_sys\tNone\tann",
            *["two\tNone\tann"] * 3,
        ],
        "de-en.mqm.bob.seg.rating": [
            f"one_sys\t{nothing}\tbob",
            *["one_sys\tNone\tbob"] * 2,
            *["two\tNone\tbob"] * 3,
        ],
    }
    places = (tmp_path / "set" / "documents" / "de-en.docs").read_text("utf-8")
    assert places == "news\td_1\nnews\td_1\nunknown\t3\n"
    assert [path.name for path in (tmp_path / "set" / "references").iterdir()] == [
        "de-en.ref_A.txt"
    ]
    assert losses == [
        "Spaces in the names of systems became '_': one sys.",
        "Segment ids became line numbers, from 1.",
        "The name of the test set, 'texts', was dropped.",
        "1 missing output became empty.",
        "Domains without a name became 'unknown', and segments without a document documents of "
        "their own.",
        "Spaces in the names of documents and domains became '_'.",
        "The references got the names ref_A.",
        "Further columns are not held: time.",
        "Not held: 1 judgment without a value.",
        "Controls are not held (1 value).",
        "The roles 'REPEAT' became TGT.",
        "Of several values of one output by one judge their mean is held, with the first one's "
        "errors (1 more).",
        "Errors without a place stand behind the text (1).",
    ]


def test_what_was_given_comes_back(tmp_path):
    written(tmp_path)
    found = read_assessments(tmp_path / "set")
    assert list(found.rows()) == [
        ("one_sys", "1", "ann", "TGT", -0.1),
        ("one_sys", "2", "ann", "TGT", -3.0),
        ("one_sys", "1", "bob", "TGT", -1.0),
    ]
    study = read_study(testset=tmp_path / "set")
    assert study.human.name == "mqm"
    assert float(study.human.systems.values[0, 0]) == -1.775


@pytest.mark.parametrize(
    ("values", "options", "message"),
    [
        (replace(VALUES, name="…"), {}, "expected the option 'scores'"),
        (VALUES, {"scores": "a.b"}, "the scores are called 'a.b'"),
        (VALUES, {"weights": "mine"}, "unknown weights 'mine'"),
        (replace(VALUES, segments=("x", "b", "c")), {}, "has no segment 'x'"),
        (replace(VALUES, systems=("three", "two")), {}, "has no system 'three'"),
        (VALUES, {"language_pair": "de"}, "expected the option 'language_pair'"),
    ],
)
def test_what_cannot_be_written_leaves_nothing(tmp_path, values, options, message):
    with pytest.raises(DataError, match=message):
        written(tmp_path, values, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["texts.testset.jsonl"]


def test_the_texts_have_to_be_named(tmp_path):
    with pytest.raises(DataError, match="expected the option 'testset'"):
        write_assessments(VALUES, tmp_path / "set", format="evalset")


def test_controls_of_other_texts_are_no_matter(tmp_path):
    written(tmp_path, replace(VALUES, segments=("a", "b", "x"), systems=("one sys", "three")))


def test_two_systems_are_not_made_one(tmp_path):
    testset = replace(TEXTS, outputs={**TEXTS.outputs, "one_sys": ("p", "q", "u")})
    with pytest.raises(DataError, match="two systems would have one name: one sys"):
        written(tmp_path, testset=testset)


def test_a_judge_is_a_file_and_a_column(tmp_path):
    for name in ("a\tb", "a/b"):
        with pytest.raises(DataError, match=r"rename (that judge|it) first"):
            written(tmp_path, replace(VALUES, judges=(name, "bob")))
    names = ("ann.b c-d", "müller")  # a letter that most locales have in names of files
    written(tmp_path, replace(VALUES, judges=names))
    found = read_assessments(tmp_path / "set")
    assert [row[2] for row in found.rows()] == [names[0], names[0], names[1]]
    assert json.loads(found.info["spans"][0])[0]["severity"] == "Minor"


def test_documents_of_their_own_have_names_that_nobody_has(tmp_path):
    documents = ("2", None, "segment3", None, "a b", "a_b")
    segments = [Segment(f"s{n}", "x", ("r",), name, "news") for n, name in enumerate(documents)]
    testset = TestSet(tuple(segments), {}, "t", "de", "en")
    losses = write_testset(testset, tmp_path / "set", format="evalset")
    lines = (tmp_path / "set" / "documents" / "de-en.docs").read_text("utf-8").splitlines()
    names = ["2", "segment_2", "segment3", "segment_4", "a_b", "a_b"]
    assert lines == [f"news\t{name}" for name in names]
    assert "Documents whose names differ in spaces alone became one." in losses


def test_two_references_are_not_made_one(tmp_path):
    segment = Segment("1", "x", ("r", "s"), reference_names=("ref-A", "ref.A"))
    testset = TestSet((segment,), {}, "t", "de", "en")
    with pytest.raises(DataError, match="two references would be called 'ref_A'"):
        write_testset(testset, tmp_path / "set", format="evalset")


def run(*line):
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in line])
    assert not ended.value.code


def test_convert_and_rank_from_the_command_line(tmp_path, capsys):
    texts, table, again = (tmp_path / name for name in ("t.testset.jsonl", "v.tsv", "again"))
    run("convert", EXAMPLE, texts)
    run("convert", EXAMPLE, table, "--to", "wmt-da-tsv")
    run("convert", table, again, "--to", "evalset", "--option", f"testset={texts}")
    assert "assessments from wmt-da-tsv to evalset" in capsys.readouterr().err
    for level in ("seg", "moss.seg", "fern.seg"):
        name = f"human-scores/de-en.mqm.{level}.score"
        one, other = (mtme_scores.read(place / name) for place in (EXAMPLE, again))
        assert str(one.values.tolist()) == str(other.values.tolist())
    boards = []
    for place in (table, again):
        run("rank", place, "--model", "mean:normalise=none", "--runs", "20")
        boards.append(capsys.readouterr().out)
    assert boards[0] == boards[1]
    assert "-0.833" in boards[0] or "-0.750" in boards[0]
