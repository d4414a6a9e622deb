"""Every format of scores reads the same small table, and gives back what it was given."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rankwise.errors import DataError
from rankwise.io import FORMATS, read_scores, write_scores
from rankwise.types import ScoreTable

EXAMPLES = Path(__file__).parent / "examples" / "texts"
nan = float("nan")
VALUES = np.array([[0.9, 0.5, nan], [0.25, -1, 0.001]])


def lark(name="lark"):
    return ScoreTable(("tern", "wren"), ("1", "2", "3"), VALUES, name)


COMET = ScoreTable(("tern", "wren"), ("1", "2", "3"), [[0.9, 0.5, 0.1], [0.25, -1, 0.001]], "comet")

CASES = {
    "comet": ("comet.out", COMET),
    "comet-json": ("comet.json", COMET),
    "metricx": (
        "metricx.jsonl",
        ScoreTable(
            ("tern", "wren"), ("1", "2", "3"), [[0.9, 0.5, nan], [0.25, 1, 0.001]], "metricx"
        ),
    ),
    "gemba-errors": (
        "gemba.txt",
        ScoreTable(("gemba",), ("1", "2", "3", "4"), [[-7, nan, 0, -25]], "gemba-mqm"),
    ),
    "mtme-scores": ("lark.seg.score", lark()),
    "wmt-metrics": ("wmt-metrics.tsv", lark()),
    "scores-tsv": ("scores.tsv", lark("scores")),
    "scores-json": ("scores.json", lark()),
    "numbers": ("tern.txt", ScoreTable(("tern",), ("1", "2", "3"), VALUES[:1])),
}


def test_every_format_has_an_example():
    assert set(CASES) == {f.name for f in FORMATS if f.kind == "scores"}


@pytest.mark.parametrize("name", CASES)
def test_the_example_reads_as_the_same_table(name):
    file, expected = CASES[name]
    assert read_scores(EXAMPLES / file) == expected
    assert read_scores(EXAMPLES / file, format=name) == expected


def test_system_scores():
    expected = ScoreTable(("tern", "wren"), ("all",), [[0.7], [-0.249]], "lark", "system")
    assert read_scores(EXAMPLES / "lark.sys.score") == expected


def test_document_scores():
    values = [[0.7, nan], [-0.375, 0.001]]
    expected = ScoreTable(("tern", "wren"), ("harbour", "evening"), values, "lark", "document")
    found = read_scores(EXAMPLES / "lark.doc.score", segments=["harbour", "evening"])
    assert found == expected


def test_domain_scores():
    values = [[0.7, nan], [-0.375, 0.001]]
    expected = ScoreTable(("tern", "wren"), ("news", "chat"), values, "lark", "domain")
    assert read_scores(EXAMPLES / "lark.domain.score") == expected


def write(folder, text, name="file"):
    path = folder / name
    path.write_text(text)
    return path


def test_a_score_file_without_a_telling_name(tmp_path):
    assert read_scores(write(tmp_path, "A\t1\nB\t2\n")).level == "system"
    assert read_scores(write(tmp_path, "A\t1\nA\t2\n")).level == "segment"
    assert read_scores(write(tmp_path, "d\tA\t1\nd\tB\t2\n")).level == "domain"
    assert read_scores(write(tmp_path, "A\t1\n"), level="document").level == "document"
    # mt-metrics-eval splits at any white space.
    spaced = read_scores(write(tmp_path, "A 1\nA None\n"), format="mtme-scores")
    assert spaced == ScoreTable(("A",), ("1", "2"), [[1, nan]], "file")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("en-de.mqm.seg.score", "mqm"),
        ("COMET-refA.seg.score.gz", "COMET-refA"),
        ("en-zh_TW.mqm.merged.seg.score", "mqm.merged"),
        ("MetricX-23-b-refA.refB.seg.score", "MetricX-23-b-refA.refB"),
    ],
)
def test_what_the_file_is_called(file, name, tmp_path):
    write_scores(lark(), tmp_path / file)
    assert read_scores(tmp_path / file).name == name


def test_several_files_of_numbers(tmp_path):
    paths = [write(tmp_path, f"{n}\n{n}\n", f"sys{n}.txt") for n in (1, 2)]
    found = read_scores(paths[0], others=paths[1:], name="m")
    assert found == ScoreTable(("sys1", "sys2"), ("1", "2"), [[1, 1], [2, 2]], "m")


@pytest.mark.parametrize("line", ["nan", "inf", "-Infinity"])
def test_a_number_that_is_none_is_told_by_its_line(tmp_path, line):
    path = tmp_path / "maple.txt"
    path.write_text(f"0.5\n{line}\n0.25\n")
    with pytest.raises(DataError, match=rf"maple\.txt:2: .*{line}"):
        read_scores(path)


def test_a_folder_is_called_one(tmp_path):
    with pytest.raises(DataError, match="found a folder; expected scores or assessments"):
        read_scores(tmp_path)


def test_a_file_with_several_metrics_needs_one_named(tmp_path):
    text = "m1\tde-en\tt\tA\t0.5\nm2\tde-en\tt\tA\t0.7\n"
    path = write(tmp_path, text)
    with pytest.raises(DataError, match="option 'metric': there are several; choose from m1, m2"):
        read_scores(path)
    assert read_scores(path, metric="m2").values.tolist() == [[0.7]]
    with pytest.raises(DataError, match="option 'metric': there is no 'm3'"):
        read_scores(path, metric="m3")


def test_the_two_further_columns_of_some_years(tmp_path):
    text = "m\tde-en\tt\tA\t2\t0.5\tnon-ensemble\tyes\nm\tde-en\tt\tA\t1\t0.7\tnon-ensemble\tyes\n"
    found = read_scores(write(tmp_path, text))
    assert found == ScoreTable(("A",), ("1", "2"), [[0.7, 0.5]], "m")


def test_kinds_in_a_table(tmp_path):
    path = write(tmp_path, "kind\tsystem\tseg\tscore\nDA\tA\t1\t50\nESA\tA\t1\t\n")
    assert read_scores(path, kind="DA").values.tolist() == [[50.0]]
    assert np.isnan(read_scores(path, kind="ESA").values[0, 0])
    with pytest.raises(DataError, match="option 'kind': there are several; choose from DA, ESA"):
        read_scores(path)


def test_a_column_called_like_a_metric_holds_its_scores(tmp_path):
    path = write(tmp_path, "segment\tsystem\tbleu\tter\n1\tA\t5\t6\n1\tB\t7\t\n")
    assert read_scores(path, kind="bleu") == ScoreTable(("A", "B"), ("1",), [[5], [7]], "bleu")
    assert np.isnan(read_scores(path, kind="ter").row("B")).all()
    one = write(tmp_path, "segment\tsystem\tchrf:word_order=2\n1\tA\t5\n")
    assert read_scores(one).name == "chrf:word_order=2"


def test_assessments_are_averaged():
    found = read_scores(EXAMPLES / "judgments.tsv")
    assert found == ScoreTable(("tern", "wren"), ("1",), [[75.0], [35.5]], "DA")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mtme-scores", "A\t1\nA\t2\nB\t3\n", "system 'B' has 1 score; expected 2, as system 'A'"),
        ("mtme-scores", "A\t1\nA\tx\n", ":2: the score is 'x'; expected a finite number"),
        ("mtme-scores", "A\t1\nA\tnan\n", ":2: the score is 'nan'"),
        ("mtme-scores", "A\t1\nA\t1e999\n", ":2: the score is '1e999'"),
        ("mtme-scores", "A\t1\nA\t1_0\n", ":2: the score is '1_0'"),
        ("mtme-scores", "A\t1\n\nB\t2\n", ":2: found ''; expected 'SYSTEM<TAB>SCORE'"),
        ("mtme-scores", "\t1\n", ":1: found '.t1'; expected"),
        (
            "mtme-scores",
            "d\tA\t1\nd\tA\t2\n",
            ":2: system 'A' has two scores for 'd'; expected one",
        ),
        ("mtme-scores", "d\tA\t1\nd\tA\n", ":2: found 'd.tA'; expected 'DOMAIN"),
        ("mtme-scores", "", ":1: the file is empty"),
        ("numbers", "1\ntwo\n", ":2: the line is 'two'; expected a finite number"),
        ("numbers", "", ":1: the file is empty"),
        ("wmt-metrics", "m\tde-en\tt\tA\t1\t2\nm\n", ":2: the line has 1 columns; expected 6"),
        ("wmt-metrics", "m\tde-en\tt\tA\tx\t2\n", ":1: the segment is 'x'; expected its number"),
        ("wmt-metrics", "m\tx\tt\tA\t1\t2\nm\tx\tt\tA\t01\t2\n", ":2: system 'A' has a second"),
        ("wmt-metrics", "", ":1: the file is empty"),
        ("scores-tsv", "system\tsegment\n", ":1: no column 'score' among system, segment"),
        ("scores-tsv", "system\tseg\tscore\nA\t1\t2\nA\t1\t2\n", ":3: system 'A' has a second"),
        ("scores-tsv", "system\tseg\tscore\nA\t1\tx\n", ":2: the score is 'x'"),
        (
            "scores-tsv",
            "segment\tsystem\tbleu\tter\n1\tA\t5\t6\n",
            ": option 'kind': there are several; choose from bleu, ter",
        ),
        ("scores-json", "{", ":1: expecting property name .*; expected JSON"),
        ("scores-json", "{}", ":1: found another object; expected rankwise-scores"),
        ("scores-json", '\n{"format": NaN}', ":1: NaN is no JSON"),
    ],
)
def test_messages_say_where_and_what(tmp_path, name, text, message):
    path = write(tmp_path, text)
    with pytest.raises(DataError, match=message) as error:
        read_scores(path, format=name)
    assert str(error.value).startswith(str(path))


HEAD = '{"format": "rankwise-scores", "version": 1, '


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ('"segments": ["1"], "scores": {"A": [true]}}', "a score of system 'A' is no number"),
        ('"segments": ["1"], "scores": {"A": [1e999]}}', "infinite"),
        ('"segments": ["1"], "scores": {"A": [1, 2]}}', "'A' has 2 scores; expected a list of 1"),
        ('"segments": ["1"], "scores": {"A": [1], "A": [2]}}', "key 'A' occurs twice"),
        ('"segments": "1", "scores": {}}', "'segments' is '\"1\"'; expected a list of text"),
        ('"segments": [], "scores": []}', "'scores' is something else; expected rows"),
        ('"level": "word", "segments": [], "scores": {}}', "'level' is 'word'; expected one of"),
    ],
)
def test_messages_about_json(tmp_path, rest, message):
    with pytest.raises(DataError, match=message):
        read_scores(write(tmp_path, HEAD + rest))


def test_an_unknown_format():
    with pytest.raises(DataError, match=r"unknown format 'x'; choose from .*mqm-tsv"):
        read_scores(EXAMPLES / "scores.tsv", format="x")
    with pytest.raises(DataError, match="expected scores or assessments in one of the formats"):
        read_scores(EXAMPLES / "wmt21.xml")


# -- round trips --------------------------------------


names = st.sampled_from(["A", "B", "ONLINE-Ä", "x y", "1"])
numbers = st.floats(allow_nan=True, allow_infinity=False)


@st.composite
def tables(draw):
    systems = draw(st.lists(names, max_size=3, unique=True))
    level = draw(st.sampled_from(["segment", "document", "domain", "system"]))
    count = 1 if level == "system" else draw(st.integers(0, 3))
    numbered = [str(i) for i in range(1, count + 1)]
    others = draw(st.lists(names, min_size=count, max_size=count, unique=True))
    segments = ["all"] if level == "system" else draw(st.sampled_from([numbered, others]))
    rows = [[draw(numbers) for _ in segments] for _ in systems]
    values = np.array(rows, np.float64).reshape(len(systems), len(segments))
    name = draw(st.sampled_from(["", "m", "chrF 2"]))
    return ScoreTable(tuple(systems), tuple(segments), values, name, level)


@pytest.mark.parametrize("name", [f.name for f in FORMATS if f.kind == "scores" and f.writable])
def test_what_is_not_named_as_lost_comes_back(name):
    options = {"language_pair": "de-en", "test_set": "t"} if name == "wmt-metrics" else {}

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(tables())
    def check(table):
        with tempfile.TemporaryDirectory() as folder:
            short = {"segment": "seg", "document": "doc", "system": "sys"}
            suffix = (
                f".{short.get(table.level, table.level)}.score" if name == "mtme-scores" else ""
            )
            path = Path(folder) / f"m{suffix}"
            try:
                losses = write_scores(table, path, format=name, **options)
            except DataError:
                # One system without a name is all that plain numbers hold; submissions hold
                # segments and systems.
                assert (name == "numbers" and (len(table.systems) != 1 or not table.segments)) or (
                    name == "wmt-metrics" and table.level in ("document", "domain")
                )
                return
            if not table.values.size:
                return
            back = read_scores(path, format=name)
        if losses:
            np.testing.assert_array_equal(back.values, table.values)
        else:
            assert back == table
        if name == "scores-json":
            assert not losses

    check()


def test_losses_are_named(tmp_path):
    table = ScoreTable(("A",), ("x", "y"), [[1, 2]], "bleu")
    assert write_scores(table, tmp_path / "m.seg.score") == [
        "The names of segments became line numbers, from 1.",
        "The name of the scores became 'm'.",
    ]
    assert write_scores(table, tmp_path / "A.txt") == [
        "The names of segments became line numbers, from 1.",
        "The name of the scores, 'bleu', was dropped.",
    ]
    assert write_scores(table, tmp_path / "B.txt")[0] == "System 'A' is read back as 'B'."
    assert write_scores(table, tmp_path / "s.tsv") == []
    options = {"language_pair": "de-en", "test_set": "t"}
    assert write_scores(table, tmp_path / "w", format="wmt-metrics", **options) == [
        "The names of segments became numbers, from 1."
    ]


@pytest.mark.parametrize(
    ("name", "table", "message"),
    [
        ("m.sys.score", lark(), "the name says system scores, but they are segment scores"),
        ("m.txt", lark(), "the scores are of 2 systems; expected one"),
        ("m.tsv", ScoreTable(("a\tb",), ("1",), [[1]]), "'a.tb' cannot be written into a column"),
        ("m.unknown", lark(), "the name does not tell the format of scores"),
    ],
)
def test_what_cannot_be_written(tmp_path, name, table, message):
    with pytest.raises(DataError, match=message):
        write_scores(table, tmp_path / name)
    assert list(tmp_path.iterdir()) == []
