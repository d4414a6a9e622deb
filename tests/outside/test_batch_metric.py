"""Metrics that score batches: what they are given, how often, and what they refuse."""

import pickle
from contextlib import nullcontext

import numpy as np
import pytest

import rankwise as rw
from rankwise.metrics.outside.batching import Batching
from rankwise.types.text_block import Block
from toy_metrics import All, Fluency, Ratio, Repeats

SOURCES = ["aaaa", "bbbbbbbb", "cc"]
OUTPUTS = ["xx", "yyyy", "zz"]


class Memory(dict):
    """Scores that are kept as long as the test runs."""

    def found(self, model, keys):
        return {key: self[model, key] for key in keys if (model, key) in self}

    def opened(self):
        return nullcontext(self)

    def keep(self, model, scores):
        self.update({(model, key): score for key, score in scores.items()})


def test_scores_are_those_of_segments_and_their_mean(toys):
    assert Ratio().segments(OUTPUTS, sources=SOURCES).tolist() == [0.5, 0.5, 1.0]
    assert Ratio().corpus(OUTPUTS, sources=SOURCES) == pytest.approx(2 / 3)


def test_a_metric_of_outputs_alone_reads_nothing_else(toys):
    found = Fluency().segments(["One.", "two"], ["one.", "two."], sources=["a", "b"])
    assert found.tolist() == [1.0, 0.0]
    assert [(batch.sources, batch.references) for batch in toys] == [([], [])]


def test_references_come_as_tuples(toys):
    found = All().segments(["a b c"], [["a", "x b"]], sources=["q"])
    assert found.tolist() == [pytest.approx(2 / 3)]
    assert toys[0].references == [("a", "x b")]


def test_texts_that_several_systems_have_are_scored_once(toys):
    outputs = {"one": ["x", "yy", "x"], "two": ["x", "yy", "zzz"]}
    block = Block([1, 2, 3], [()] * 3, outputs, sources=["aaaa", "bbbb", "aaaa"])
    rows = Ratio().computed_by(Batching(size=10)).block_rows(block)
    assert {name: part[:, 0].tolist() for name, part in rows.items()} == {
        "one": [0.25, 0.5, 0.25],
        "two": [0.25, 0.5, 0.75],
    }
    [batch] = toys
    assert batch.outputs == ["zzz", "yy", "x"]  # long ones first


def test_batches_have_the_size_of_the_metric_or_the_given_one(toys):
    outputs = [f"{number:03}" for number in range(7)]
    Ratio().segments(outputs, sources=["aaaa"] * 7)
    assert [len(batch) for batch in toys] == [2, 2, 2, 1]
    toys.clear()
    Ratio().computed_by(Batching(size=5)).segments(outputs, sources=["aaaa"] * 7)
    assert [len(batch) for batch in toys] == [5, 2]


def test_a_batch_that_memory_does_not_hold_is_halved(toys, monkeypatch):
    sizes = []

    def scores(self, batch):
        sizes.append(len(batch))
        if len(batch) > 3:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB")
        return np.array([float(text) for text in batch.outputs])

    monkeypatch.setattr(Fluency, "batch_scores", scores)
    texts = [str(number) for number in range(10, 20)]
    found = Fluency().computed_by(Batching(size=8)).segments(texts)
    assert found.tolist() == [float(text) for text in texts]
    assert sizes == [8, 4, 2, 2, 2, 2, 2]


def test_one_text_that_memory_does_not_hold_is_an_error(toys, monkeypatch):
    def scores(self, batch):
        raise MemoryError

    monkeypatch.setattr(Fluency, "batch_scores", scores)
    with pytest.raises(MemoryError, match="fluency: for a text of 5 characters alone"):
        Fluency().segments(["12345"])


def test_other_errors_of_a_metric_are_its_own(toys, monkeypatch):
    def scores(self, batch):
        raise RuntimeError("no such layer")

    monkeypatch.setattr(Fluency, "batch_scores", scores)
    with pytest.raises(RuntimeError, match="no such layer"):
        Fluency().segments(["12345"])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ([1.0], r"gave scores of shape \(1,\) for 2 outputs"),
        ([1.0, np.nan], "gave nan for the output 'b'"),
    ],
)
def test_scores_that_are_none_are_an_error(toys, monkeypatch, given, sentence):
    monkeypatch.setattr(Fluency, "batch_scores", lambda self, batch: np.array(given))
    with pytest.raises(rw.DataError, match=f"fluency: {sentence}"):
        Fluency().segments(["a", "b"])


def test_what_is_kept_is_not_computed_again(toys):
    kept = Memory()
    metric = Ratio().computed_by(Batching(kept=kept))
    first = metric.segments(OUTPUTS, sources=SOURCES)
    toys.clear()
    again = metric.segments([*OUTPUTS, "new"], sources=[*SOURCES, "news"])
    assert again.tolist() == [*first.tolist(), 0.75]
    assert [batch.outputs for batch in toys] == [["new"]]


def test_other_options_have_other_scores(toys):
    kept = Memory()
    Ratio().computed_by(Batching(kept=kept)).segments(OUTPUTS, sources=SOURCES)
    found = Ratio(power=2.0).computed_by(Batching(kept=kept)).segments(OUTPUTS, sources=SOURCES)
    assert found.tolist() == [0.25, 0.25, 1.0]


def test_nothing_is_kept_of_a_metric_without_a_hash(toys):
    kept = Memory()
    Fluency().computed_by(Batching(kept=kept)).segments(["a"])
    assert not kept


def test_an_interrupted_run_goes_on_where_it_was(toys, monkeypatch):
    kept, right = Memory(), Ratio.batch_scores

    def interrupted(self, batch):
        if len(toys) == 2:
            raise KeyboardInterrupt
        return right(self, batch)

    metric, outputs = Ratio().computed_by(Batching(kept=kept)), ["a", "bb", "ccc", "dddd", "eeeee"]
    monkeypatch.setattr(Ratio, "batch_scores", interrupted)
    with pytest.raises(KeyboardInterrupt):
        metric.segments(outputs, sources=["sssss"] * 5)
    monkeypatch.setattr(Ratio, "batch_scores", right)
    toys.clear()
    found = metric.segments(outputs, sources=["sssss"] * 5)
    assert found.tolist() == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert [batch.outputs for batch in toys] == [["a"]]


def test_whoever_wants_is_told_of_progress(toys):
    told = []
    batching = Batching(size=2, on_batch=lambda *facts: told.append(facts))
    Ratio().computed_by(batching).segments(["a", "bb", "ccc"], sources=["aaaa"] * 3)
    assert told == [("ratio", 0, 3), ("ratio", 2, 3), ("ratio", 3, 3)]


def test_documents_stay_whole_and_in_order(toys):
    outputs = ["a", "a", "b", "a", "a"]
    found = (
        Repeats()
        .computed_by(Batching(size=3))
        .segments(outputs, documents=["d1", "d1", "d2", "d2", "d2"])
    )
    assert found.tolist() == [0, 1, 0, 0, 1]
    assert [batch.outputs for batch in toys] == [["b", "a", "a"], ["a", "a"]]


def test_a_document_in_pieces_is_an_error():
    with pytest.raises(rw.DataError, match="document 'd1' do not follow each other"):
        Repeats().segments(["a", "b", "c"], documents=["d1", "d2", "d1"])


def test_kept_scores_of_documents_depend_on_the_whole_document(toys, monkeypatch):
    monkeypatch.setattr(Repeats, "model_hash", "toy")
    metric = Repeats().computed_by(Batching(kept=Memory()))
    assert metric.segments(["a", "a"], documents=["d", "d"]).tolist() == [0, 1]
    assert metric.segments(["b", "a"], documents=["d", "d"]).tolist() == [0, 0]
    toys.clear()
    assert metric.segments(["a", "a"], documents=["d", "d"]).tolist() == [0, 1]
    assert not toys


@pytest.mark.parametrize(
    ("metric", "given", "sentence"),
    [
        (Ratio(), {}, "ratio needs sources, and there are none; give --source"),
        (Repeats(), {}, "repeats needs documents, and there are none; give --documents"),
        (All(), {"sources": ["s", "s"]}, "segment 1 has no reference; expected at least one"),
        (Ratio(), {"sources": ["s"]}, "2 hypotheses but sources for 1 segments"),
        (Ratio(), {"sources": "s"}, "sources are a str; expected a list"),
        (Ratio(), {"sources": ["s", None]}, "sources are not all texts"),
    ],
)
def test_what_is_missing_is_said(toys, metric, given, sentence):
    with pytest.raises(rw.DataError, match=sentence):
        metric.segments(["a", "b"], **given)
    assert not toys


def test_it_travels_to_other_processes(toys):
    metric = Ratio(power=2.0).computed_by(Batching(size=7, on_batch=print))
    found = pickle.loads(pickle.dumps(metric))
    assert found == metric
    assert found.segments(["aa"], sources=["aaaa"]).tolist() == [0.25]


def test_no_segment_has_no_score(toys):
    assert Ratio().segments([], sources=[]).tolist() == []
    assert Ratio().corpus([]) == 0.0
