"""Scores of other tools as these write them: joined by system and segment, or refused."""

import json
from pathlib import Path

import pytest

from rankwise.errors import DataError
from rankwise.io import read_assessments, read_scores, read_study

EXAMPLES = Path(__file__).parent / "examples" / "texts"


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def comet(*scores: float, file: str = "a.txt", mean: float | None = None) -> list[str]:
    lines = [f"{file}\tSegment {place}\tscore: {s:.4f}" for place, s in enumerate(scores)]
    return [*lines, f"{file}\tscore: {sum(scores) / len(scores) if mean is None else mean:.4f}"]


# -- comet-score -----------------------------------------------------------------------------------


def test_files_of_one_run_each_add_up(tmp_path):
    one = write(tmp_path, "one.log", *comet(0.5, 0.25, file="out/a.txt"))
    two = write(tmp_path, "two.log", *comet(0.125, 1, file="b.en"))
    study = read_study(scores=[one, two])
    table = study.scores["comet"].segments
    assert (table.systems, table.values.tolist()) == (("a", "b"), [[0.5, 0.25], [0.125, 1]])
    assert not study.errors


def test_another_model_on_the_same_systems_is_another_metric(tmp_path):
    one = write(tmp_path, "one.log", *comet(0.5, 0.25))
    two = write(tmp_path, "two.log", *comet(0.75, 0.5))
    assert list(read_study(scores=[one, two]).scores) == ["comet", "comet 2"]
    assert list(read_study(scores=[f"kiwi={one}", f"xl={two}"]).scores) == ["kiwi", "xl"]


def test_dropout_prints_a_variance_too(tmp_path):
    line = "a.txt\tSegment 0\tscore: 0.5000\tvariance: 0.0100"
    assert read_scores(write(tmp_path, "x", line, "a.txt\tscore: 0.5000")).values.tolist() == [
        [0.5]
    ]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (comet(0.5, 0.25)[1:], "a.txt has no segment 0; expected every one"),
        (comet(0.5, 0.25, mean=0.4), "x:3: the score of a.txt is 0.4, but the mean of its 2 segm"),
        ([*comet(0.5), *comet(0.5)], "x:3: segment 0 comes twice"),
        ([*comet(0.5), *comet(0.5, 0.5, file="b")], "b has 2 segments, but a.txt has 1"),
        ([*comet(0.5), *comet(0.5, file="o/a.en")], "two files are called alike: a.txt, o/a.en"),
        ([*comet(0.5), "a.txt\tSegment x\tscore: 1"], "x:3: found 'a.txt"),
        ([*comet(0.5), "b\tSegment 0\tscore: nan"], "x:3: the score is 'nan'; expected a finite"),
    ],
)
def test_what_comet_score_did_not_print(tmp_path, lines, sentence):
    with pytest.raises(DataError) as error:
        read_scores(write(tmp_path, "x", *lines))
    assert sentence in str(error.value).replace("\\t", "\t")


def test_a_line_that_is_missing_is_not_made_up_for(tmp_path):
    outputs = write(tmp_path, "a.txt", "one", "two", "three")
    scores = write(tmp_path, "x", *comet(0.5, 0.25))
    from rankwise.evaluate.scored_study import scored_study

    with pytest.raises(DataError, match="are 2 lines without names of segments, but there are 3"):
        scored_study(read_study(outputs=[outputs], scores=[scores]))


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        ({"a.txt": 1, "b": [{"COMET": 1}]}, "'a.txt' is no list; expected its segments"),
        ({"a": [{"COMET": 1}, {"mt": "x"}]}, "segment 2 of a has no 'COMET'; expected the score"),
        ({"a": [{"COMET": "good"}]}, "segment 1 of a has the score 'good'; expected a number"),
        ({"a": [{"COMET": 1}], "b": [{"COMET": 1}] * 2}, "b has 2 segments, but a has 1"),
    ],
)
def test_json_that_comet_score_did_not_write(tmp_path, document, sentence):
    path = write(tmp_path, "x.json", json.dumps(document))
    with pytest.raises(DataError, match=sentence):
        read_scores(path)


def test_spans_of_xcomet():
    found = read_assessments(EXAMPLES / "comet.json")
    assert found.judges == ("xcomet",)
    spans = {
        (system, segment): json.loads(text)
        for (system, segment, *_), text in zip(found.rows(), found.info["spans"], strict=True)
    }
    assert spans["tern", "1"] == spans["wren", "3"] == []
    assert spans["tern", "2"] == [{"start": 9, "end": 13, "severity": "major", "category": None}]
    # The second span ends beyond its text, whose moon is one character.
    assert [(span["start"], span["end"]) for span in spans["tern", "3"]] == [(0, 6), (7, 9)]
    assert found.notes == ("Cut to its text: 1 span beyond it.",)


def test_spans_that_are_none(tmp_path):
    errors = [{"start": -1, "end": 2, "severity": "minor"}]
    path = write(tmp_path, "x", json.dumps({"a": [{"mt": "x", "COMET": 1, "errors": errors}]}))
    with pytest.raises(DataError, match="segment 1 of a: 'start' of an error is -1; expected"):
        read_assessments(path, format="xcomet-spans")


# -- MetricX ---------------------------------------------------------------------------------------


def predictions(*scores: object, **others: object) -> list[str]:
    facts = {"source": "s", "hypothesis": "h", **others}
    return [json.dumps({**facts, "prediction": score}) for score in scores]


def test_metricx_counts_errors(tmp_path):
    study = read_study(scores=[EXAMPLES / "metricx.jsonl"])
    assert study.errors == ("metricx",)
    assert study.notes == ("of metricx less is better",)


def test_a_file_of_metricx_is_of_one_system_if_it_names_none(tmp_path):
    one, two = (write(tmp_path, f"{n}.jsonl", *predictions(1.5, 2)) for n in ("a", "b"))
    study = read_study(scores=[one, f"Our system={two}"])
    assert study.errors == ("metricx",)
    table = study.scores["metricx"].segments
    assert (table.systems, table.segments) == (("a", "Our system"), ("1", "2"))


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (predictions(1, None), "x:2: 'prediction' is missing; expected a number in each line"),
        (predictions(1, "2"), "x:2: 'prediction' is '2'; expected a number in each line"),
        (predictions(1, 2, system="a", id=1), "system 'a' has two scores for segment '1'"),
        (
            [*predictions(1, 2, system="a"), *predictions(1, system="b")],
            "there are 2 of a, 1 of b without names of segments; expected as many",
        ),
    ],
)
def test_what_metricx_did_not_write(tmp_path, lines, sentence):
    with pytest.raises(DataError, match=sentence):
        read_scores(write(tmp_path, "x", *lines))


# -- BLEURT and GEMBA ------------------------------------------------------------------------------


def test_bleurt_and_gemba_print_numbers(tmp_path):
    bleurt = write(tmp_path, "a.txt", "0.6713780164718628", "-1.2")
    assert read_scores(bleurt).values.tolist() == [[0.6713780164718628, -1.2]]
    gemba = write(tmp_path, "b.txt", "-5", "None", "0")
    assert read_scores(gemba).values[0, [0, 2]].tolist() == [-5, 0]


def numbers_of(folder: Path, **systems: str) -> Path:
    folder.mkdir()
    for name, lines in systems.items():
        write(folder, f"{name}.txt", *lines.split())
    return folder


def test_a_folder_has_the_files_of_a_metric(tmp_path):
    bleurt = numbers_of(tmp_path / "bleurt-20", a="0.5 0.25", b="0.75 1")
    gemba = numbers_of(tmp_path / "gemba", a="80 90", b="70 60")
    (bleurt / ".DS_Store").write_text("no scores")
    study = read_study(scores=[bleurt, f"GEMBA-DA={gemba}"])
    assert list(study.scores) == ["bleurt-20", "GEMBA-DA"]
    table = study.scores["bleurt-20"].segments
    assert (table.systems, table.values.tolist()) == (("a", "b"), [[0.5, 0.25], [0.75, 1]])
    assert study.scores["GEMBA-DA"].segments.values.tolist() == [[80, 90], [70, 60]]


def test_a_folder_may_have_runs_of_comet_score(tmp_path):
    folder = tmp_path / "kiwi"
    folder.mkdir()
    for name in "ab":
        write(folder, f"{name}.log", *comet(0.5, 0.25, file=f"out/{name}.txt"))
    segments = read_study(scores=[folder]).scores["kiwi"].segments
    assert segments.systems == ("a", "b")


def test_the_texts_in_a_folder_of_scores_are_looked_at(tmp_path):
    folder = tmp_path / "kiwi"
    folder.mkdir()
    outputs = write(tmp_path, "a.txt", "one", "two")
    segments = [{"mt": "one", "COMET": 0.5}, {"mt": "three", "COMET": 0.5}]
    write(folder, "a.json", json.dumps({"a.txt": segments}))
    with pytest.raises(DataError, match="segment 2 of a has a score for 'three'"):
        read_study(outputs=[outputs], scores=[folder])


def test_a_folder_that_is_not_of_one_metric(tmp_path):
    folder = numbers_of(tmp_path / "bleurt")
    with pytest.raises(DataError, match="bleurt: the folder is empty; expected the scores of a"):
        read_study(scores=[folder])
    write(folder, "table.tsv", "system\tsegment\tscore", "a\t1\t0.5")
    with pytest.raises(DataError, match="the folder is of the metric 'bleurt'; expected a file"):
        read_study(scores=[folder])


def test_numbers_of_a_system_twice_are_two_metrics(tmp_path):
    first = numbers_of(tmp_path / "one", a="0.5 0.25") / "a.txt"
    other = numbers_of(tmp_path / "two", a="0.75 1") / "a.txt"
    with pytest.raises(DataError, match=r"two.a.txt: system 'a' has such scores already; give"):
        read_study(scores=[first, other])


def test_gemba_counts_the_five_gravest_errors(tmp_path):
    errors = {"minor": ["m"] * 9, "major": ["M"] * 2}
    table = read_scores(write(tmp_path, "x", "None", f"defaultdict(<class 'list'>, {errors})"))
    assert table.values[0, 1] == -(2 * 5 + 3 * 1)


@pytest.mark.parametrize(
    "line",
    [
        "{'major': 'one'}",
        "{'grave': []}",
        "defaultdict(<class 'list'>, {'major': [open('x')]})",
        "-5",
    ],
)
def test_what_gemba_did_not_print(tmp_path, line):
    path = write(tmp_path, "x", "{'major': []}", line)
    with pytest.raises(DataError, match=r"x:2: found .*; expected errors by severity"):
        read_scores(path)


# -- the outputs that were scored ------------------------------------------------------------------


@pytest.fixture
def texts(tmp_path, monkeypatch) -> None:
    """Two systems in the current folder, and what comet-score and MetricX said of them."""
    monkeypatch.chdir(tmp_path)
    outputs = {"a": ["one  two ", "three"], "b": ["four", "five"]}
    for name, lines in outputs.items():
        write(tmp_path, f"{name}.txt", *lines)
    segments = {
        f"{name}.txt": [{"mt": " ".join(text.split()), "COMET": 0.5} for text in lines]
        for name, lines in outputs.items()
    }
    write(tmp_path, "comet.json", json.dumps(segments))
    rows = [
        json.dumps({"hypothesis": text, "prediction": 1.5, "system": name, "id": number})
        for name, lines in outputs.items()
        for number, text in enumerate(lines, 1)
    ]
    write(tmp_path, "metricx.jsonl", *rows)


@pytest.mark.parametrize("scores", ["comet.json", "metricx.jsonl"])
def test_scores_of_these_outputs_are_taken(texts, scores):
    study = read_study(outputs=["a.txt", "b.txt"], scores=[scores])
    assert list(study.scores) == [scores.partition(".")[0]]


@pytest.mark.parametrize("scores", ["comet.json", "metricx.jsonl"])
def test_scores_of_other_outputs_are_refused(texts, tmp_path, scores):
    write(tmp_path, "b.txt", "five", "four")
    sentence = f"{scores}: segment 1 of b has a score for 'four', but the output is 'five'"
    with pytest.raises(DataError, match=sentence):
        read_study(outputs=["a.txt", "b.txt"], scores=[scores])


def test_the_command_line_refuses_them_too(texts, tmp_path, capsys):
    from rankwise.cli import main

    write(tmp_path, "b.txt", "four", "fife")
    words = ["score", "-r", "a.txt", "a.txt", "b.txt", "-m", "chrf", "--scores", "comet.json"]
    with pytest.raises(SystemExit):
        main(words)
    assert (
        "segment 2 of b has a score for 'five', but the output is 'fife'" in capsys.readouterr().err
    )
    write(tmp_path, "b.txt", "four", "five")
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert not ended.value.code, capsys.readouterr().err
