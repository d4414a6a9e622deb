"""MetricX against the numbers of transformers, without PyTorch.

``scripts/check_metricx.py tests/neural/models`` wrote the small models and their numbers.
"""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import rankwise as rw
from rankwise.errors import DataError
from rankwise.metrics.outside.scoring.metricx import metricx_tokenizer
from rankwise.neural import open_model
from rankwise.neural.export.metricx_export import metricx_version
from rankwise.neural.export.t5_graph import buckets_of
from rankwise.neural.labelled_model import labelled

MODELS = Path(__file__).parent / "models"
HYBRID, ESTIMATION = MODELS / "metricx-24-small", MODELS / "metricx-23-qe-small"
OFFICIAL = json.loads((MODELS / "official_metricx.json").read_text(encoding="utf-8"))
OUTPUTS, SOURCES, REFERENCES = (list(column) for column in zip(*OFFICIAL["segments"], strict=True))


@pytest.fixture
def metric():
    return rw.metric(f"metricx:model={HYBRID}")


@pytest.mark.parametrize("batch_size", [1, 7, 64])
def test_scores_are_the_official_ones(batch_size):
    found = open_model(HYBRID).scored(OUTPUTS, SOURCES, REFERENCES, batch_size=batch_size).scores
    assert np.abs(found - OFFICIAL[HYBRID.name]["scores"]).max() < 1e-4
    assert np.ptp(found) > 1
    assert found.min() >= 0 and found.max() <= 25


def test_a_hybrid_model_does_without_the_reference(metric):
    found = metric.segments(OUTPUTS, sources=SOURCES)
    assert np.abs(found - OFFICIAL[HYBRID.name]["without_reference"]).max() < 1e-4
    assert np.abs(found - OFFICIAL[HYBRID.name]["scores"]).max() > 0.1


def test_quality_estimation_reads_no_reference():
    metric = rw.metric(f"metricx:model={ESTIMATION}")
    found = metric.segments(OUTPUTS, REFERENCES, sources=SOURCES)
    assert np.abs(found - OFFICIAL[ESTIMATION.name]["scores"]).max() < 1e-4
    assert metric.needs[:3] == metric.reads[:3] == (True, False, False)


def test_what_it_needs_and_reads(metric):
    assert metric.needs[:3] == (True, False, False)
    assert metric.reads[:3] == (True, True, False)


def test_the_words_before_texts_are_those_of_the_version():
    given = {"output": ["o"], "source": ["s"], "reference": ["r"]}
    hybrid, estimation = (open_model(model).settings for model in (HYBRID, ESTIMATION))
    assert labelled(given, hybrid) == ["source: s candidate: o reference: r"]
    assert labelled({**given, "reference": None}, hybrid) == ["source: s candidate: o"]
    assert labelled(given, estimation) == ["candidate: o source: s"]
    assert (hybrid.max_tokens, estimation.max_tokens) == (1536, 1024)


def test_a_text_is_cut_at_the_length_of_its_training():
    model = open_model(ESTIMATION)
    long = ["word " * 2000, "word " * 2000 + " and what nobody reads"]
    found = model.scored(long, ["source"] * 2, None).scores
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_several_references_give_the_mean(metric):
    both = metric.segments(OUTPUTS[:4], [(r, "b") for r in REFERENCES[:4]], sources=SOURCES[:4])
    one = metric.segments(OUTPUTS[:4], REFERENCES[:4], sources=SOURCES[:4])
    other = metric.segments(OUTPUTS[:4], ["b"] * 4, sources=SOURCES[:4])
    assert both == pytest.approx((one + other) / 2, abs=1e-6)


def test_lower_is_better_in_rankings_tests_and_choices(metric):
    board = rw.score(
        rw.example().testset, metric, resampling=rw.Resampling(samples=100), all_pairs=True
    )
    standing = board.standings[0]
    systems, scores = standing.result.systems, standing.result.corpus
    assert board.systems[0] == systems[int(np.argmin(scores))]
    assert board.systems[-1] == systems[int(np.argmax(scores))]
    assert standing.board.systems[0] == board.systems[0]
    chosen = rw.mbr(OUTPUTS[6:9], metric, source=SOURCES[6])
    given = metric.segments(OUTPUTS[6:9], sources=[SOURCES[6]] * 3)
    assert chosen.place == int(np.argmin(given))


def test_it_travels_and_the_signature_parses_back(metric):
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric == rw.metric(metric.signature)
    expected = metric.segments(OUTPUTS[:3], sources=SOURCES[:3])
    assert again.segments(OUTPUTS[:3], sources=SOURCES[:3]).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("metricx", "no model is named; expected metricx:model=FOLDER"),
        ("metricx:model=nowhere", "no such folder or checkpoint here; nothing is downloaded"),
        (f"metricx:model={MODELS / 'kiwi'}", "of kind unified; use it with comet:model=FOLDER"),
        (f"comet:model={HYBRID}", "of kind metricx; use it with metricx:model=FOLDER"),
        (f"cosine:model={HYBRID}", "expected an encoder; use it with metricx:model=FOLDER"),
        (f"metricx:model={MODELS / 'encoder'}", "is an encoder, which scores nothing by itself"),
        (f"metricx:model={HYBRID}:sha256=0123", "it is another model"),
    ],
)
def test_what_cannot_be_had_says_why(name, message):
    with pytest.raises(DataError, match=message):
        rw.metric(name)


def test_a_name_that_does_not_say_the_version():
    with pytest.raises(DataError, match="say which version of MetricX it is, one of 23, 23-qe, 24"):
        metricx_version("mine")
    with pytest.raises(DataError, match="one of 23, 23-qe, 24"):
        metricx_version("google/metricx-25-large")


def test_where_the_tokenizer_is_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(DataError, match="MetricX has the tokenizer of mT5"):
        metricx_tokenizer(tmp_path)
    with pytest.raises(DataError, match="no model 'google/mine'"):
        metricx_tokenizer(tmp_path, "google/mine")
    kept = tmp_path / "hub" / "models--google--mt5-small" / "snapshots" / "1"
    kept.mkdir(parents=True)
    (kept / "spiece.model").touch()
    assert metricx_tokenizer(tmp_path) == kept
    assert metricx_tokenizer(tmp_path, "google/mt5-small") == kept
    (tmp_path / "spiece.model").touch()
    assert metricx_tokenizer(tmp_path) == tmp_path


def test_buckets_of_distances_grow():
    found = buckets_of(np.arange(0, 300), 32, 128)
    assert found[:9].tolist() == [0, *range(17, 24), 24]
    assert (np.diff(found) >= 0).all()
    assert set(found[128:].tolist()) == {31}
    assert buckets_of(-np.arange(300), 32, 128).tolist() == [b - 16 if b else 0 for b in found]
