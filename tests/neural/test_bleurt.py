"""BLEURT against the numbers of transformers and sentencepiece, without PyTorch.

``scripts/check_bleurt.py tests/neural/models`` wrote the small model and its numbers.
"""

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankwise as rw
from rankwise.cli.neural import neural
from rankwise.errors import DataError, MissingExtra
from rankwise.neural import open_model
from rankwise.neural.pair_model import paired
from rankwise.neural.subwords import Pieces

MODELS = Path(__file__).parent / "models"
FOLDER = MODELS / "bleurt"
OFFICIAL = json.loads((MODELS / "official_bleurt.json").read_text(encoding="utf-8"))
REFERENCES, OUTPUTS = (list(part) for part in zip(*OFFICIAL["pairs"], strict=True))


@pytest.mark.parametrize("batch_size", [1, 7, 64])
def test_scores_are_the_official_ones(batch_size):
    found = open_model(FOLDER).scored(OUTPUTS, None, REFERENCES, batch_size=batch_size).scores
    assert np.abs(found - OFFICIAL["scores"]).max() < 1e-5
    assert np.ptp(found) > 0.1


def test_as_a_metric_it_needs_references_alone():
    metric = rw.metric(f"bleurt:model={FOLDER}")
    assert metric.needs[:3] == metric.reads[:3] == (False, True, False)
    found = metric.segments(OUTPUTS, REFERENCES)
    assert np.abs(found - OFFICIAL["scores"]).max() < 1e-5
    assert pickle.loads(pickle.dumps(metric)) == metric == rw.metric(metric.signature)


@pytest.mark.parametrize("first", [0, 1, 3, 4, 5, 9])
@pytest.mark.parametrize("second", [0, 1, 3, 4, 5, 9])
@pytest.mark.parametrize("longest", [10, 11])
def test_the_longer_text_loses_its_end(first, second, longest):
    one, two = list(range(10, 10 + first)), list(range(30, 30 + second))
    given = Pieces((1, *one, 2), ()), Pieces((1, *two, 2), ())
    while len(one) + len(two) > longest - 3:  # the rule of its makers, token by token
        (one if len(one) > len(two) else two).pop()
    found = paired(*given, longest)
    assert found.ids == (1, *one, 2, *two, 2)
    assert found.types == (0,) * (len(one) + 2) + (1,) * (len(two) + 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bleurt", "no model is named; expected bleurt:model=FOLDER"),
        ("bleurt:model=nowhere", "nowhere is no exported model"),
        (f"bleurt:model={MODELS / 'kiwi'}", "of kind unified; use it with comet:model=FOLDER"),
        (f"metricx:model={FOLDER}", "of kind bleurt; use it with bleurt:model=FOLDER"),
    ],
)
def test_what_cannot_be_had_says_why(name, message):
    with pytest.raises(DataError, match=message):
        rw.metric(name)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("mt5", "reading a MetricX model needs the packages transformers and torch"),
        ("bleurt", "reading a BLEURT model needs the packages transformers and torch"),
    ],
)
def test_export_says_what_is_missing_and_leaves_nothing(kind, message, tmp_path, monkeypatch):
    for package in ("transformers", "torch"):
        monkeypatch.setitem(sys.modules, package, None)
    model = tmp_path / ("metricx-24-mine" if kind == "mt5" else "mine")
    model.mkdir()
    settings = {"model_type": kind, "num_hidden_layers": 1, "num_attention_heads": 1}
    (model / "config.json").write_text(json.dumps(settings))
    (model / "tokenizer.json").touch()
    command = ["export", str(model), str(tmp_path / "new")]
    done = CliRunner().invoke(neural, command)
    assert isinstance(done.exception, MissingExtra)
    assert message in str(done.exception)
    assert not (tmp_path / "new").exists()
