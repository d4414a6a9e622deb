"""Models that need the official packages, where these are not installed: what to install."""

import sys
from types import SimpleNamespace

import pytest

import rankwise as rw
from rankwise.errors import MissingExtra

PACKAGES = ("torch", "comet", "transformers", "sentence_transformers", "bert_score")


@pytest.fixture(autouse=True)
def without_packages(monkeypatch):
    for package in PACKAGES:
        monkeypatch.setitem(sys.modules, package, None)


@pytest.fixture
def checkpoint(tmp_path):
    """A checkpoint of COMET, as far as anybody looks at it without the package."""
    (tmp_path / "checkpoints").mkdir()
    (tmp_path / "checkpoints" / "model.ckpt").write_bytes(b"weights")
    (tmp_path / "hparams.yaml").write_text("class_identifier: regression_metric\n")
    return tmp_path


@pytest.fixture
def folder(tmp_path):
    """A folder of Hugging Face's, as far as anybody looks at it without the packages."""
    found = tmp_path / "metricx-24-mine"
    found.mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (found / name).write_text("{}")
    return found


def test_a_checkpoint_of_comet(checkpoint):
    metric = rw.metric(f"comet:model={checkpoint}")
    with pytest.raises(MissingExtra, match="comet: official models need the package unbabel-comet"):
        metric.segments(["a"], [("b",)], sources=["c"])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("metricx:model={}", r"needs the packages transformers and torch: pip install 'rankwise"),
        ("cosine:model={}", "cosine: .* needs the package sentence-transformers: pip install sent"),
        ("bertscore:model={}:layer=2", "bertscore: .* needs the package bert-score: pip install"),
    ],
)
def test_a_folder_of_hugging_face(folder, name, sentence):
    metric = rw.metric(name.format(folder))
    with pytest.raises(MissingExtra, match=sentence):
        metric.segments(["a"], [("b",)], sources=["c"])


def test_transformers_without_pytorch_are_not_enough(folder, monkeypatch):
    there = SimpleNamespace(AutoTokenizer=None, MT5ForConditionalGeneration=None)
    monkeypatch.setitem(sys.modules, "transformers", there)
    metric = rw.metric(f"metricx:model={folder}")
    with pytest.raises(MissingExtra, match="needs the packages transformers and torch"):
        metric.segments(["a"], [("b",)], sources=["c"])
