"""Encoder metrics against the numbers of sentence-transformers and bert-score, without PyTorch.

``scripts/check_encoders.py --keep tests/neural/models/encoder`` wrote the model and the numbers.
"""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import rankwise as rw
from rankwise.errors import DataError
from rankwise.metrics.metric_class import Needs
from rankwise.metrics.outside.comet_models import comet_model
from rankwise.metrics.outside.encoder_models import encoder_model
from rankwise.neural import open_encoder, open_model
from rankwise.neural.token_matching import TokenWeights
from rankwise.types import ScoreTable

MODELS = Path(__file__).parent / "models"
FOLDER = MODELS / "encoder"
OFFICIAL = json.loads((MODELS / "official_encoder.json").read_text(encoding="utf-8"))
OUTPUTS, REFERENCES = (list(part) for part in zip(*OFFICIAL["pairs"], strict=True))


@pytest.fixture
def rare(tmp_path):
    file = tmp_path / "references.txt"
    file.write_text("\n".join(OFFICIAL["idf"]) + "\n", encoding="utf-8")
    return file


def bertscore(options=""):
    return rw.metric(f"bertscore:model={FOLDER}:layer=2{options}")


def test_cosines_are_the_official_ones():
    found = rw.metric(f"cosine:model={FOLDER}").segments(OUTPUTS, REFERENCES)
    assert np.abs(found - OFFICIAL["cosine"]).max() < 1e-5
    assert np.ptp(found) > 0.1


@pytest.mark.parametrize("score", ["precision", "recall", "f1"])
def test_bertscore_is_the_official_one(score):
    found = bertscore(f":score_of={score}").segments(OUTPUTS, REFERENCES)
    assert np.abs(found - OFFICIAL[score]).max() < 1e-5
    assert np.ptp(found) > 0.1


def test_bertscore_by_rarity_is_the_official_one(rare):
    found = bertscore(f":idf={rare}").segments(OUTPUTS, REFERENCES)
    assert np.abs(found - OFFICIAL["f1 by rarity"]).max() < 1e-5
    assert np.abs(found - OFFICIAL["f1"]).max() > 1e-3


def test_a_baseline_rescales(tmp_path):
    file = tmp_path / "baseline.tsv"
    file.write_text("LAYER,P,R,F\n0,.1,.1,.1\n1,.2,.2,.2\n2,.3,.4,.5\n")
    found = bertscore(f":baseline={file}").segments(OUTPUTS[:5], REFERENCES[:5])
    assert found == pytest.approx((np.array(OFFICIAL["f1"][:5]) - 0.5) / 0.5, abs=1e-5)
    with pytest.raises(DataError, match="has no line of layer 3"):
        rw.metric(f"bertscore:model={FOLDER}:layer=3:baseline={file}")


def test_the_best_reference_counts():
    for metric in (bertscore(), rw.metric(f"cosine:model={FOLDER}")):
        one = metric.segments(OUTPUTS[:4], REFERENCES[:4])
        other = metric.segments(OUTPUTS[:4], ["another text"] * 4)
        both = metric.segments(OUTPUTS[:4], [(r, "another text") for r in REFERENCES[:4]])
        assert both == pytest.approx(np.maximum(one, other), abs=1e-5)


def test_cosine_against_the_source_needs_no_reference():
    metric = rw.metric(f"cosine:model={FOLDER}:against=source")
    assert metric.needs == Needs(source=True, references=False)
    found = metric.segments(OUTPUTS, sources=REFERENCES)
    assert np.abs(found - OFFICIAL["cosine"]).max() < 1e-5


def test_a_text_without_tokens_matches_nothing():
    assert bertscore().segments(["", "a word"], ["a word", ""]).tolist() == [0, 0]


def test_each_distinct_text_is_encoded_once(monkeypatch):
    encoder = open_encoder(FOLDER)
    encoded = []
    pieces = encoder._subwords.pieces
    monkeypatch.setattr(encoder._subwords, "pieces", lambda t: encoded.extend(t) or pieces(t))
    for _ in range(2):
        encoder.tokens([*OUTPUTS, *REFERENCES], 2)
    assert len(encoded) == len({*OUTPUTS, *REFERENCES})


def test_scores_are_kept_by_model_layer_and_what_files_hold(rare):
    names = {bertscore(o).identity for o in ("", ":score_of=recall", f":idf={rare}")}
    names.add(rw.metric(f"bertscore:model={FOLDER}:layer=1").identity)
    assert len(names) == 4
    before = bertscore(f":idf={rare}").identity
    rare.write_text("other lines\n")
    assert bertscore(f":idf={rare}").identity != before


def test_rare_tokens_weigh_more():
    weights = TokenWeights.by_rarity([(1, 5, 2), (1, 6, 2), (1, 6, 2)])
    assert weights.of((1, 5, 6, 9)) == pytest.approx(np.log([4 / 4, 4 / 2, 4 / 3, 4]))


def test_it_travels_and_the_signature_parses_back():
    metric = bertscore()
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric == rw.metric(metric.signature)
    expected = metric.segments(OUTPUTS[:3], REFERENCES[:3])
    assert again.segments(OUTPUTS[:3], REFERENCES[:3]).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cosine", "no model is named; expected cosine:model=FOLDER"),
        ("cosine:model=nowhere", "no such folder or checkpoint here; nothing is downloaded"),
        (f"bertscore:model={FOLDER}", "say which one's tokens are matched"),
        (f"bertscore:model={FOLDER}:layer=9", "has no layer 9; it was exported with 0, 1, 2, 3"),
        (f"bertscore:model={FOLDER}:layer=2:idf=nowhere.txt", "there is no file nowhere.txt"),
        (f"cosine:model={MODELS / 'kiwi'}", "is a model of kind unified, expected an encoder"),
        (
            f"comet:model={FOLDER}",
            "is an encoder, which scores nothing by itself; use it with cosine",
        ),
        (f"cosine:model={FOLDER}:sha256=0123", "it is another model"),
    ],
)
def test_what_cannot_be_had_says_why(name, message):
    with pytest.raises(DataError, match=message):
        rw.metric(name)


def test_an_encoder_is_no_model_that_scores():
    with pytest.raises(DataError, match="it is an encoder, which scores nothing by itself"):
        open_model(FOLDER)
    with pytest.raises(DataError, match="expected an encoder"):
        open_encoder(MODELS / "kiwi")


# -- as a feature of a learned metric --------------------------------------------------------------


def test_a_metric_learns_from_an_encoder_and_names_what_it_needs(tmp_path):
    shutil.copytree(FOLDER, tmp_path / "encoder")
    data = rw.example()
    found = rw.learn(
        data.testset, data.judgments, features=["chrf", f"cosine:model={tmp_path / 'encoder'}"]
    )
    assert "sha256=" in found.model.features
    rw.write_model(found.model, tmp_path / "learned.json")
    name = f"learned:model={tmp_path / 'learned.json'}"
    assert rw.metric(name).segments(["the cat sat"], ["the cat sat"]).tolist() == [1.0]
    (tmp_path / "encoder").rename(tmp_path / "elsewhere")
    encoder_model.cache_clear()
    with pytest.raises(DataError, match="no such folder or checkpoint here; nothing is downloaded"):
        rw.metric(name)


def scored_people(systems, count):
    """Human scores at random: what is learned matters less than that it is learned."""
    values = np.random.default_rng(3).uniform(0, 100, (len(systems), count))
    return ScoreTable(tuple(systems), tuple(str(n + 1) for n in range(count)), values)


NEURAL = (
    f"comet:model={MODELS / 'regression'}",
    f"comet:model={MODELS / 'kiwi'}",
    f"comet:model={MODELS / 'xcomet'}",
    f"cosine:model={FOLDER}:against=source",
    f"bertscore:model={FOLDER}:layer=2",
)


@pytest.fixture
def study():
    """The texts of the official numbers, as outputs of three systems."""
    segments = json.loads((MODELS / "official.json").read_text(encoding="utf-8"))["segments"]
    outputs, sources, references = (list(part) for part in zip(*segments, strict=True))
    systems = {
        "A": outputs,
        "B": outputs[1:] + outputs[:1],
        "C": [f"{text} no" for text in outputs],
    }
    return rw.Study.from_texts(systems, references, sources)


@pytest.mark.parametrize("names", [*((name,) for name in NEURAL[:4]), ("chrf", *NEURAL)])
def test_any_neural_metric_is_a_feature(names, study, tmp_path):
    human = scored_people("ABC", len(study.texts))
    found = rw.learn(study.texts, human, features=list(names))
    assert found.model.columns == names
    assert found.model.features.count("sha256=") == len(names) - ("chrf" in names)
    assert [row.metric for row in found.compared][-1] == names[-1]
    rw.write_model(found.model, tmp_path / "learned.json")
    [result] = rw.score(study, f"learned:model={tmp_path / 'learned.json'}").scored.results
    margins = found.model.margins(found.train.rows)
    expected = found.model.stretched(margins - found.model.anchor).reshape(-1, 3)
    for place, system in enumerate("ABC"):  # equal to the last bit that metrics keep
        got = result.metric.segment_scores(result.rows[system])
        np.testing.assert_array_equal(got, np.round(expected[:, place] * 2**32) / 2**32)


def test_what_a_learned_metric_needs_is_said_in_one_sentence(study, tmp_path):
    shutil.copytree(MODELS / "kiwi", tmp_path / "kiwi")
    human = scored_people("ABC", len(study.texts))
    found = rw.learn(study.texts, human, features=["chrf", f"comet:model={tmp_path / 'kiwi'}"])
    rw.write_model(found.model, tmp_path / "learned.json")
    name = f"learned:model={tmp_path / 'learned.json'}"
    with pytest.raises(DataError, match="learned needs sources, and there are none; give --sou"):
        rw.metric(name).segments(OUTPUTS, REFERENCES)
    with pytest.raises(DataError, match="segment 1 has no reference; expected at least one, which"):
        rw.metric(name).segments(OUTPUTS, sources=REFERENCES)
    shutil.rmtree(tmp_path / "kiwi")
    shutil.copytree(MODELS / "xcomet", tmp_path / "kiwi")
    comet_model.cache_clear()
    with pytest.raises(DataError, match=r"learned.json: comet: .*kiwi has sha256 .*; expected "):
        rw.metric(name)
    shutil.rmtree(tmp_path / "kiwi")
    comet_model.cache_clear()
    with pytest.raises(DataError, match=r"learned.json: comet: no model .*nothing is downloaded"):
        rw.metric(name)
