"""``rankwise learn``: what it prints, what it writes, what it refuses."""

import json
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
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


# -- metrics that score batches, and scores of other tools -----------------------------------------

COUNT = (
    "import json, sys\n"
    "open('runs', 'a').write('x')\n"
    "for line in sys.stdin:\n"
    "    print(len(json.loads(line)['output']))\n"
)


def segment_scores(run, *arguments):
    done = run("score", *TEXTS, "--segments", *arguments)
    assert done.exit_code == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_features_of_programs_and_packages(run, folder, toys):
    (folder / "count.py").write_text(COUNT)
    program = f"command:{sys.executable} count.py"
    given = ("-s", EXAMPLE / "source.txt", "--features", "ratio", "--features", program)
    done = run("learn", *JUDGMENTS, *TEXTS, *given, "-o", "m.json")
    assert done.exit_code == 0, done.stderr
    assert model()["columns"] == ["ratio", program]
    beside = [line.split()[4] for line in done.stdout.splitlines() if line.startswith("5 parts")]
    assert beside[:5] == ["learned", "bleu", "chrf", "ter", "ratio"]
    runs, batches = (folder / "runs").read_text(), len(toys)
    again = run("learn", *JUDGMENTS, *TEXTS, *given, "-o", "again.json")
    assert again.stdout == done.stdout
    assert ((folder / "runs").read_text(), len(toys)) == (runs, batches)  # kept from before
    name = "learned:model=m.json"
    refused = run("score", *TEXTS, *given[:2], "-m", name)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("rankwise: m.json: its features start the program ")
    scored = run("score", *TEXTS, *given[:2], "-m", f"{name}:programs=true", "--resamples", 0)
    assert scored.exit_code == 0, scored.stderr
    assert len(toys) == batches  # these, too, were kept
    without = run("score", *TEXTS, "-m", f"{name}:programs=true")
    assert without.exit_code == 1
    assert "learned needs sources, and there are none; give --source" in without.stderr


def write_scores(path, seed):
    """A table of scores for every system and line of the example."""
    count = len((EXAMPLE / "ref.a.txt").read_text(encoding="utf-8").splitlines())
    values = np.random.default_rng(seed).uniform(0, 1, (len(SYSTEMS), count))
    table = rw.ScoreTable(
        tuple(file.stem for file in SYSTEMS), tuple(str(n + 1) for n in range(count)), values
    )
    rw.write_scores(table, path)
    return table


def test_scores_of_other_tools(run):
    write_scores("a.tsv", 1)
    write_scores("b.tsv", 2)
    given = ("--scores", "comet=a.tsv", "--scores", "b.tsv")
    done = run("learn", *JUDGMENTS, *TEXTS, *given, "-o", "m.json")
    assert done.exit_code == 0, done.stderr
    assert model()["columns"] == ["comet", "b"]
    assert "; scores comet " in model()["training"]
    rows = segment_scores(run, *given, "-m", "learned:model=m.json", "-m", "chrf")
    assert rows[0][-2:] == ["learned:model=m.json", "chrf"]
    assert len({row[-2] for row in rows[1:]}) > 100
    board = run("score", *TEXTS, *given, "-m", "learned:model=m.json", "--format", "json")
    means = {row["system"]: row["learned:model=m.json"] for row in json.loads(board.stdout)["rows"]}
    for system, mean in means.items():
        own = [float(row[-2]) for row in rows[1:] if system in row]
        assert mean == pytest.approx(sum(own) / len(own), abs=1e-6)


def test_scores_that_are_missing_are_asked_for(run):
    write_scores("a.tsv", 1)
    run("learn", *JUDGMENTS, *TEXTS, "--scores", "comet=a.tsv", "-o", "m.json")
    for given in ((), ("--scores", "a.tsv")):
        done = run("score", *TEXTS, "-m", "learned:model=m.json", *given)
        assert done.exit_code == 1
        assert "the scores 'comet' of another tool are needed, and nobody gave them" in done.stderr
        assert done.stderr.count("\n") == 1
    done = run("score", *TEXTS, "--segments", "-m", "chrf", "--scores", "a.tsv")
    assert done.exit_code == 2
    assert "--segments and --scores do not go together" in done.stderr


def test_every_test_set_has_its_scores(run):
    data = rw.example()
    human = EXAMPLE / "assessments.tsv"
    for name in ("train.jsonl", "dev.jsonl"):
        rw.write_testset(data.testset, name)
    write_scores("a.tsv", 1)
    write_scores("b.tsv", 2)
    tracks = ("-t", "train.jsonl", "-j", human, "--dev", "dev.jsonl", human)
    both = ("--scores-of", "train.jsonl", "x=a.tsv", "--scores-of", "dev.jsonl", "x=b.tsv")
    done = run("learn", *tracks, *FEATURES, *both, "-o", "m.json")
    assert done.exit_code == 0, done.stderr
    assert model()["columns"][-1] == "x"
    one = run("learn", *tracks, *FEATURES, *both[:3], "-o", "m.json")
    assert one.exit_code == 1
    assert "'x' are given for some test sets and not for others" in one.stderr
    plain = run("learn", *tracks, *FEATURES, "--scores", "a.tsv", "-o", "m.json")
    assert plain.exit_code == 2
    assert "give --scores-of TESTSET FILE of each" in plain.stderr
    odd = run("learn", *tracks, *FEATURES, "--scores-of", "no.jsonl", "a.tsv", "-o", "m.json")
    assert odd.exit_code == 2
    assert "--scores-of names no.jsonl, which neither --testset nor --dev does" in odd.stderr
