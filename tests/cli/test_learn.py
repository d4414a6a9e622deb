"""``rankwise learn``: what it prints, what it writes, what it refuses."""

import json
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import rankwise as rw

EXAMPLE = files("rankwise.bundled").joinpath("example")
REFERENCES = ("-r", EXAMPLE / "ref.a.txt", "-r", EXAMPLE / "ref.b.txt")
SYSTEMS = sorted(EXAMPLE.joinpath("systems").iterdir())
TEXTS = (*REFERENCES, *SYSTEMS)
JUDGMENTS = ("-j", EXAMPLE / "judgments.jsonl")
FEATURES = ("--features", "duh:subset=1-12")


def model():
    return json.loads(Path("m.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_weights_and_agreement_of_the_example(run):
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "m.json")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["feature", "weight", "what", "it", "is"]
    weights = [abs(float(line.split()[1])) for line in lines[1:13]]
    assert weights == sorted(weights, reverse=True)
    assert lines[13:15] == ["", "learner: logistic"]
    assert lines[16].startswith("held out            metric   accuracy     low    high")
    assert [line.split()[4] for line in lines[17:21]] == ["learned", "bleu", "chrf", "ter"]
    assert lines[22].startswith("5 parts by segment: not clearly better than bleu")
    assert done.stderr.splitlines()[0] == "model: m.json"
    assert "preferences 4796" in done.stderr


def test_the_model_scores(run):
    run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "m.json")
    done = run("score", "-m", "learned:model=m.json", *TEXTS, "--format", "tsv")
    assert done.exit_code == 0
    assert "learned:model=m.json" in done.stdout.splitlines()[0].split("\t")


def test_json_holds_the_weights(run):
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "m.json", "--format", "json")
    found = json.loads(done.stdout)
    assert {row["feature"] for row in found["rows"]} == set(model()["columns"])
    learned, *others = found["compared"]
    assert learned["accuracy"] == model()["measured"]["accuracy, 5 parts by segment"]
    assert [entry["metric"] for entry in others] == ["bleu", "chrf", "ter"]


def test_a_model_on_standard_output_is_alone_there(run):
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "-")
    assert json.loads(done.stdout)["format"] == "rankwise-model"


def test_the_folder_of_the_model_is_looked_for_first(run):
    done = run("learn", "-j", "no.jsonl", *TEXTS, "-o", "nowhere/m.json")
    assert done.exit_code == 1
    assert done.stderr.endswith(
        "nowhere/m.json: cannot be written: its folder does not exist\n"
    )  # and not that no.jsonl is missing


def test_the_curve(run):
    options = ("-o", "m.json", "--curve", "--format", "tsv")
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, *options)
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["share", "preferences", "accuracy"]
    assert [float(row[0]) for row in rows] == [0.01, 0.1, 0.3, 1.0]
    assert 0.5 < float(rows[0][2]) < float(rows[-1][2]) < 1


def test_the_curve_is_drawn(run, folder):
    pytest.importorskip("matplotlib")
    options = ("-o", "m.json", "--plot", "curve.svg")
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, *options)
    assert done.exit_code == 0
    assert done.stderr.splitlines()[1] == "figure: curve.svg"
    assert (folder / "curve.svg").read_text().count("<use") >= 4  # the marks of the curve
    assert "share" not in done.stdout


def test_without_matplotlib_nothing_is_learned(run, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("learn", "-j", "no.jsonl", *TEXTS, "-o", "m.json", "--plot", "curve.svg")
    assert done.exit_code == 1
    assert "pip install 'rankwise[plot]'" in done.stderr  # and not that no.jsonl is missing


def test_a_curve_needs_a_file_that_can_be_drawn(run, folder):
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "m.json", "--plot", "curve.txt")
    assert done.exit_code == 2
    assert "the suffix must be one of .png, .svg, .pdf" in done.stderr
    assert not (folder / "m.json").exists()


def test_scalar_judgments_and_development(run):
    data = rw.example()
    rw.write_testset(data.testset, "train.jsonl")
    rw.write_testset(data.testset, "dev.jsonl")
    human = EXAMPLE / "assessments.tsv"
    done = run(
        "learn", "-t", "train.jsonl", "-j", human, "--dev", "dev.jsonl", human, *FEATURES,
        "--learner", "ranksvm", "--threshold", 10, "-o", "m.json",
    )  # fmt: skip
    assert done.exit_code == 0
    assert "\ndev.jsonl  learned    0." in done.stdout
    assert done.stdout.count("ranksvm:cost=") >= 3
    assert model()["slope"] != 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-j", "no.jsonl", *TEXTS), "no.jsonl: "),
        ((*JUDGMENTS, *TEXTS, "--features", "nose"), "unknown feature set 'nose'"),
        ((*JUDGMENTS, *TEXTS, "--learner", "nose"), "unknown learner 'nose'"),
        ((*JUDGMENTS, *TEXTS, *FEATURES, "--learner", "ridge"), "0 outputs have a human score"),
        ((*JUDGMENTS, *REFERENCES, SYSTEMS[0], *FEATURES), "no untied judgment is about two"),
        (
            (*JUDGMENTS, *TEXTS, "--exclude", "haze"),
            "there is no system 'haze' to leave out; there are ",
        ),
        (("-j", EXAMPLE / "ref.a.txt", *TEXTS), "ref.a.txt:1: "),
    ],
)
def test_bad_input_is_one_sentence(run, folder, arguments, message):
    done = run("learn", *arguments, "-o", "m.json")
    assert done.exit_code == 1
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "m.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        JUDGMENTS,
        (*JUDGMENTS, "-t", "x.jsonl", *TEXTS),
        (*JUDGMENTS, *JUDGMENTS, "-t", "x.jsonl"),
        (*JUDGMENTS, *JUDGMENTS, *TEXTS),
        (*JUDGMENTS, *TEXTS, "--seed", -1),
        (*JUDGMENTS, "-t", "x.jsonl", "--dev", "./x.jsonl", JUDGMENTS[1]),
    ],
)
def test_wrong_usage(run, arguments):
    assert run("learn", *arguments, "-o", "m.json").exit_code == 2


def test_features_from_a_cluster_give_the_same_model(run, cluster):
    run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "m.json")
    here = model()
    where = ("--engine", "dask", "--address", cluster.scheduler_address)
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "m.json", *where)
    assert done.exit_code == 0, done.stderr
    assert model() == here


def test_dask_needs_an_address(run):
    done = run("learn", *JUDGMENTS, *FEATURES, *TEXTS, "-o", "m.json", "--engine", "dask")
    assert done.exit_code == 2
    assert "--engine dask needs --address" in done.stderr
