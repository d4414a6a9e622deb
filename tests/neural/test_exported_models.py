"""Exported models against the numbers of the official package, without PyTorch.

``scripts/check_neural.py tests/neural/models`` wrote the small models and their numbers.
"""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import rankwise as rw
from rankwise.errors import DataError, RankwiseError
from rankwise.neural import open_encoder, open_model
from rankwise.neural.model_folder import ModelFolder, folder_digest
from rankwise.neural.network import Network, padded

MODELS = Path(__file__).parent / "models"
OFFICIAL = json.loads((MODELS / "official.json").read_text(encoding="utf-8"))
OUTPUTS, SOURCES, REFERENCES = (list(column) for column in zip(*OFFICIAL["segments"], strict=True))
KINDS = ("regression", "referenceless", "kiwi", "unite", "xcomet")


def references_for(kind):
    return REFERENCES if "reference" in open_model(MODELS / kind).settings.inputs else None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch_size", [1, 7, 64])
def test_scores_are_the_official_ones(kind, batch_size):
    found = open_model(MODELS / kind).scored(
        OUTPUTS, SOURCES, references_for(kind), batch_size=batch_size
    )
    assert np.abs(found.scores - OFFICIAL[kind]["scores"]).max() < 1e-6
    assert np.ptp(found.scores) > 0.002  # the models do tell these outputs apart


@pytest.mark.parametrize("kind", ["unite", "xcomet"])
def test_without_a_reference_they_are_quality_estimation(kind):
    found = open_model(MODELS / kind).scored(OUTPUTS, SOURCES, None)
    assert np.abs(found.scores - OFFICIAL[kind]["without_reference"]).max() < 1e-6
    assert np.abs(found.scores - OFFICIAL[kind]["scores"]).max() > 1e-4


@pytest.mark.parametrize("kind", ["unite", "xcomet"])
def test_error_spans_are_the_official_ones(kind):
    found = open_model(MODELS / kind).scored(OUTPUTS, SOURCES, REFERENCES).spans
    for ours, theirs in zip(found, OFFICIAL[kind]["spans"], strict=True):
        assert [[s.start, s.end, s.severity] for s in ours] == [s[:3] for s in theirs]
        assert [s.confidence for s in ours] == pytest.approx([s[3] for s in theirs], abs=1e-5)
    assert sum(map(len, found)) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_gives_nothing(kind):
    assert len(open_model(MODELS / kind).scored([], [], references_for(kind)).scores) == 0


def test_each_distinct_text_is_encoded_once(monkeypatch):
    model = open_model(MODELS / "regression")
    encoded = []
    pieces = model._subwords.pieces
    monkeypatch.setattr(model._subwords, "pieces", lambda t: encoded.extend(t) or pieces(t))
    for system in range(3):
        model.scored([f"{text} {system}" for text in OUTPUTS], SOURCES, REFERENCES)
    assert len(encoded) == len(set(encoded))
    assert len(encoded) == len({*SOURCES, *REFERENCES}) + 3 * len(set(OUTPUTS))


def test_a_batch_that_memory_does_not_hold_is_halved(monkeypatch):
    network = Network(str(MODELS / "kiwi" / "network.onnx"))
    sizes, run = [], network.run

    def short_of_memory(**values):
        sizes.append(len(values["input_ids"]))
        if sizes[-1] > 3:
            raise MemoryError
        return run(**values)

    monkeypatch.setattr(network, "run", short_of_memory)
    sequences = [((0, 5, 6, 2), (0,) * 4)] * 10
    places = [p for batch, _ in network.batches(sequences, 1, 8) for p in batch.tolist()]
    assert sorted(places) == list(range(10)) and sizes[:3] == [8, 4, 2]
    monkeypatch.setattr(network, "run", lambda **_: (_ for _ in ()).throw(MemoryError()))
    with pytest.raises(RankwiseError, match="a text of 4 tokens needs more memory"):
        list(network.batches(sequences, 1, 8))


def test_shorter_sequences_are_filled_up():
    batch = padded([((5, 6, 7), (0, 0, 1)), ((8,), (0,))], pad=1)
    assert batch["input_ids"].tolist() == [[5, 6, 7], [8, 1, 1]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1], [1, 0, 0]]
    assert batch["token_type_ids"].tolist() == [[0, 0, 1], [0, 1, 1]]


# -- as a metric -----------------------------------------------------------------------------------


@pytest.fixture
def comet():
    return rw.metric(f"comet:model={MODELS / 'regression'}:device=cpu")


def test_the_metric_gives_the_official_scores(comet):
    found = comet.segments(OUTPUTS, REFERENCES, sources=SOURCES)
    assert np.abs(found - OFFICIAL["regression"]["scores"]).max() < 1e-6
    assert comet.corpus(OUTPUTS, REFERENCES, sources=SOURCES) == pytest.approx(found.mean())


def test_the_signature_has_the_hash_and_parses_back(comet):
    digest = ModelFolder.at(MODELS / "regression").settings.digest
    assert f"sha256={digest}" in comet.signature
    assert rw.metric(comet.signature) == comet
    with pytest.raises(DataError, match="it is another model"):
        rw.metric(f"comet:model={MODELS / 'regression'}:sha256=0123")


def test_scores_are_kept_by_the_model_not_by_its_place(comet, tmp_path):
    shutil.copytree(MODELS / "regression", tmp_path / "moved")
    moved = rw.metric(f"comet:model={tmp_path / 'moved'}")
    assert (moved.identity, moved.model_hash) == (comet.identity, comet.model_hash)
    assert moved.signature != comet.signature


def test_several_references_give_the_mean(comet):
    both = comet.segments(
        OUTPUTS[:5], [(a, "another") for a in REFERENCES[:5]], sources=SOURCES[:5]
    )
    one = comet.segments(OUTPUTS[:5], REFERENCES[:5], sources=SOURCES[:5])
    other = comet.segments(OUTPUTS[:5], ["another"] * 5, sources=SOURCES[:5])
    assert both == pytest.approx((one + other) / 2, abs=1e-6)


def test_what_a_model_needs_follows_its_kind(comet):
    assert comet.needs[:3] == (True, True, False)
    for kind in ("referenceless", "kiwi", "unite", "xcomet"):
        assert rw.metric(f"comet:model={MODELS / kind}").needs[:3] == (True, False, False), kind
    assert rw.metric(f"comet:model={MODELS / 'xcomet'}").reads.references
    assert not rw.metric(f"comet:model={MODELS / 'kiwi'}").reads.references


def test_it_travels_to_other_processes(comet):
    again = pickle.loads(pickle.dumps(comet))
    assert again == comet
    assert (
        again.segments(OUTPUTS[:3], REFERENCES[:3], sources=SOURCES[:3]).tolist()
        == comet.segments(OUTPUTS[:3], REFERENCES[:3], sources=SOURCES[:3]).tolist()
    )


# -- what bad input gets ---------------------------------------------------------------------------


def test_a_model_that_is_not_there_says_where_it_was_looked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(DataError) as error:
        rw.metric("comet")
    assert str(tmp_path) in str(error.value) and "nothing is downloaded" in str(error.value)
    with pytest.raises(DataError, match="no such folder or checkpoint here; nothing is downloaded"):
        rw.metric("comet:model=nowhere")
    with pytest.raises(DataError, match=r"here has neither settings\.json nor checkpoints/model"):
        rw.metric(f"comet:model={tmp_path}")


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(MODELS / "kiwi", tmp_path / "kiwi")
    return tmp_path / "kiwi"


def test_a_folder_with_a_part_missing(folder):
    (folder / "network.onnx").unlink()
    with pytest.raises(DataError, match=r"network\.onnx is missing; export the model again"):
        open_model(folder)


def as_if_written_so(folder):
    """The settings state the hash of whatever files lie there now."""
    file = folder / "settings.json"
    digest = {"digest": folder_digest(folder)}
    file.write_text(json.dumps(json.loads(file.read_text()) | digest))


def test_a_file_that_is_no_network(folder):
    (folder / "network.onnx").write_bytes(b"no network")
    as_if_written_so(folder)
    with pytest.raises(DataError, match=r"network\.onnx: ONNX Runtime cannot open it"):
        open_model(folder)


def test_a_file_that_is_no_tokenizer(folder):
    (folder / "tokenizer.json").write_text("{}")
    as_if_written_so(folder)
    with pytest.raises(DataError, match=r"tokenizer\.json: found no tokenizer"):
        open_model(folder)


@pytest.mark.parametrize(
    ("part", "content"),
    [
        ("network.onnx", (MODELS / "kiwi" / "network.onnx").read_bytes()[:5000]),
        ("tokenizer.json", (MODELS / "encoder" / "tokenizer.json").read_bytes()),
    ],
)
def test_files_of_another_model_never_score_under_this_ones_hash(folder, part, content):
    (folder / part).write_bytes(content)
    with pytest.raises(DataError, match="its files are not those that were exported") as error:
        rw.metric(f"comet:model={folder}").segments(["a"], sources=["b"])
    assert folder_digest(folder) in str(error.value)


def test_an_encoder_is_held_to_its_hash_too(tmp_path):
    shutil.copytree(MODELS / "encoder", tmp_path / "encoder")
    (tmp_path / "encoder" / "tokenizer.json").write_text("{}")
    with pytest.raises(DataError, match="its files are not those that were exported"):
        open_encoder(tmp_path / "encoder")


def test_what_else_lies_in_the_folder_does_not_matter(folder):
    (folder / "README.md").write_text("Ours.")
    (folder / "._network.onnx").write_bytes(b"of a file manager")
    (folder / "notes").mkdir()
    assert ModelFolder.at(folder).is_as_written
    open_model(folder)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": 99}, "found format 99, expected 1"),
        ({"kind": "oracle"}, "found a model of kind 'oracle', expected regression"),
        ({"pad": None, "kind": None}, "found a model of kind None"),
        ({"max_tokens": "62"}, "max_tokens: found '62', expected a whole number"),
        ({"max_tokens": -2}, "max_tokens: found -2, expected a whole number from 0 on"),
        ({"pad": True}, "pad: found True, expected a whole number"),
        ({"inputs": "output"}, "inputs: found 'output', expected texts"),
        ({"inputs": ["output", 1]}, r"inputs: found \('output', 1\), expected texts"),
        ({"span_weights": [1, "x"]}, "span_weights: found .*, expected numbers"),
        ({"layers": [1.5]}, "layers: found .*, expected whole numbers"),
        ({"lowercase": 1}, "lowercase: found 1, expected true or false"),
        ({"name": None}, "name: found None, expected a text"),
    ],
)
def test_settings_that_are_wrong(folder, changed, message):
    file = folder / "settings.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | changed))
    with pytest.raises(DataError, match=message):
        open_model(folder)


def test_settings_that_lack_something(folder):
    file = folder / "settings.json"
    settings = json.loads(file.read_text())
    del settings["pad"]
    file.write_text(json.dumps(settings))
    with pytest.raises(DataError, match="'pad'"):
        open_model(folder)


def test_the_digest_is_of_the_files(folder):
    settings = ModelFolder.at(folder).settings
    assert folder_digest(folder) == settings.digest
    (folder / "tokenizer.json").write_text("{}")
    assert folder_digest(folder) != settings.digest
