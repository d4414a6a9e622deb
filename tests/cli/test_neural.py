"""``rankwise neural`` and ``-m comet``: exact output, messages and exit codes."""

import importlib.util
from pathlib import Path

import pytest

MODELS = Path(__file__).parents[1] / "neural" / "models"


@pytest.fixture(autouse=True)
def texts(tmp_path, monkeypatch):
    for name, lines in {
        "source.txt": "Wer bezahlt das?\nEs regnet.\n",
        "ref.txt": "Who is paying for this?\nIt is raining.\n",
        "a.txt": "Who pays for this?\nIt rains.\n",
        "b.txt": "Who pays this?\nRain.\n",
    }.items():
        (tmp_path / name).write_text(lines, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_show_says_what_a_model_is(run):
    done = run("neural", "show", str(MODELS / "xcomet"), "--format", "tsv")
    head, row = (line.split("\t") for line in done.stdout.splitlines())
    assert head[1:5] == ["model", "kind", "reads", "precision"]
    assert row[1:5] == ["xcomet", "xcomet", "output, source, reference", "float32"]
    assert row[-1] == "as written"


def test_scores_beside_other_metrics(run):
    model = f"comet:model={MODELS / 'regression'}"
    done = run(
        "score",
        "a.txt",
        "b.txt",
        "-r",
        "ref.txt",
        "--source",
        "source.txt",
        "-m",
        "chrf",
        "-m",
        model,
    )
    assert model in done.stdout and "chrf" in done.stdout and "sha256=" in done.stderr


def test_quality_estimation_needs_no_reference(run):
    model = f"comet:model={MODELS / 'kiwi'}"
    done = run("score", "a.txt", "b.txt", "--source", "source.txt", "-m", model, "--format", "tsv")
    assert len(done.stdout.splitlines()) == 3


def test_missing_sources_are_said_first(run):
    model = f"comet:model={MODELS / 'kiwi'}"
    done = run("score", "a.txt", "-r", "ref.txt", "-m", model)
    assert done.exit_code == 1
    assert "needs sources" in done.stderr


def test_show_of_what_is_no_model(run):
    done = run("neural", "show", "here")
    assert done.exit_code == 1
    assert done.stderr == "rankwise: here: no exported model is there (settings.json is missing)\n"


@pytest.mark.skipif(importlib.util.find_spec("comet") is not None, reason="comet is installed")
def test_export_says_what_to_install(run, tmp_path):
    (tmp_path / "m" / "checkpoints").mkdir(parents=True)
    (tmp_path / "m" / "checkpoints" / "model.ckpt").write_bytes(b"")
    done = run("neural", "export", "m", "out")
    assert done.exit_code == 1
    assert done.stderr == (
        "rankwise: reading a COMET checkpoint needs the package unbabel-comet: "
        "pip install 'rankwise[comet]'\n"
    )
    assert not (tmp_path / "out").exists()


def test_what_is_exported_is_not_exported_again(run, tmp_path):
    for kind in ("regression", "encoder", "metricx-24-small"):
        done = run("neural", "export", str(MODELS / kind), "out")
        assert done.exit_code == 1
        assert done.stderr == (
            f"rankwise: {MODELS / kind}: it is exported already; rankwise neural show says what "
            "it is\n"
        )
    assert not (tmp_path / "out").exists()


def test_export_does_not_write_over_anything(run, tmp_path):
    (tmp_path / "out").mkdir()
    done = run("neural", "export", "source.txt", "out")
    assert done.exit_code == 1
    assert done.stderr == "rankwise: out exists already; name a new folder\n"
