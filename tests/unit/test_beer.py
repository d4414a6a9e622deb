"""The metric beer: its model, its files, what it refuses."""

import gzip
import json
import pickle
from importlib.resources import files

import numpy as np
import pytest

import rankwise as rw
from rankwise.learning.learned_model import LearnedModel
from rankwise.learning.scorers import LinearScorer

SHIPPED = files("rankwise.metrics").joinpath("models", "beer.json").read_text(encoding="utf-8")
HYPOTHESES = ["the cat sat on a mat", "a dog"]
REFERENCES = ["the cat sat on the mat", "the dog barks"]


def model(features="beer:modules=exact", columns=None, weight=2.0):
    """A model of one weight: that of the recall of all words, on its own scale."""
    from rankwise.metrics.features import features as named

    names = named(features).names if columns is None else columns
    weights = np.array([weight if name == "all.recall" else 0.0 for name in names])
    zeros, ones = np.zeros(len(names)), np.ones(len(names))
    return LearnedModel(features, names, LinearScorer(weights, zeros, ones), slope=0.5)


@pytest.fixture
def write(tmp_path):
    def written(text, name="m.json"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return written


@pytest.mark.parametrize("name", ["beer", "softmatch"])
def test_a_shipped_model_is_its_own_round_trip(name):
    text = files("rankwise.metrics").joinpath("models", f"{name}.json").read_text("utf-8")
    assert LearnedModel.from_json(text).to_json() == text


def test_the_shipped_model_is_for_any_language():
    found = json.loads(SHIPPED)
    assert found["features"].startswith("beer:language=other:modules=exact:")
    assert all(value > 0.5 for value in found["measured"].values())
    assert "HUMAN" not in found["training"].partition("exclude")[0]


def test_score_by_hand(write):
    """5 of 6 words recalled: distance 2 (5/6 - 1), slope 0.5, 2 / (1 + e^(1/6))."""
    found = rw.metric(f"beer:model={write(model().to_json())}").segments(*both(0))
    assert found == pytest.approx([2 / (1 + np.exp(1 / 6))], abs=1e-9)


def both(row):
    return [HYPOTHESES[row]], [REFERENCES[row]]


def test_statistics_are_the_score_and_a_one():
    beer = rw.metric("beer")
    rows = beer.statistics(HYPOTHESES, REFERENCES)
    assert rows[:, 1].tolist() == [1.0, 1.0]
    assert beer.corpus(HYPOTHESES, REFERENCES) == pytest.approx(rows[:, 0].mean(), rel=1e-15)


def test_scores_are_multiples_of_the_grain():
    scores = rw.metric("beer").segments(HYPOTHESES, REFERENCES) * 2.0**32
    assert scores.tolist() == np.round(scores).tolist()


def test_the_signature_names_the_model(write):
    path = write(model().to_json())
    beer = rw.metric(f"beer:model={path}")
    assert len(beer.sha256) == 12
    assert f":sha256={beer.sha256}:" in beer.signature
    assert beer == rw.metric(beer.signature)
    path.write_text(model(weight=3.0).to_json(), encoding="utf-8")
    with pytest.raises(rw.DataError, match=r"m\.json has sha256 .* it is another model"):
        rw.metric(beer.signature)


def test_a_used_metric_travels():
    beer = rw.metric("beer")
    scores = beer.segments(HYPOTHESES, REFERENCES)
    again = pickle.loads(pickle.dumps(beer))
    assert again == beer
    assert again.segments(HYPOTHESES, REFERENCES).tolist() == scores.tolist()


def test_the_default_is_pinned_too():
    with pytest.raises(
        rw.DataError, match=r"the model 'beer' that ships has sha256 .* expected 0123"
    ):
        rw.metric("beer:sha256=0123")


def test_language_changes_the_features(write):
    """In German, punctuation is a word of its own."""
    path = write(model("beer:language=other:modules=exact").to_json())
    texts = ["ein Haus"], ["ein Haus."]
    assert rw.metric(f"beer:model={path}").segments(*texts)[0] == pytest.approx(
        2 / (1 + np.exp(0.5)), abs=1e-9
    )
    assert rw.metric(f"beer:model={path}:language=de").segments(*texts)[0] == pytest.approx(
        2 / (1 + np.exp(1 / 3)), abs=1e-9
    )


def changed(**changes):
    return json.dumps({**json.loads(model().to_json()), **changes})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"m\.json: not a model"),
        (SHIPPED[:500], r"m\.json: not a model"),
        ("[" * 100_000, r"m\.json: not a model"),
        ("{}", r"m\.json: not a model: no 'format'"),
        (changed(format_version=4), "its format is version 4, .*: update rankwise to read it"),
        (changed(features="nose"), r"m\.json: unknown feature set 'nose'"),
        (changed(features="duh"), r"m\.json: the features duh are not those of the model"),
        (changed(slope=None), "'slope' is None; expected a number"),
        (
            '{"models": {"beer_1.0/x": {"coef_negative_class": {}}}}',
            "beer:version=1.1:model=.*m.json#NAME",
        ),
    ],
)
def test_a_broken_file_is_a_sentence(write, text, message):
    with pytest.raises(rw.DataError, match=message):
        rw.metric(f"beer:model={write(text)}")


def test_no_file_and_no_text_are_sentences(tmp_path):
    with pytest.raises(rw.DataError, match=r"cannot be read: No such file.*; expected a model"):
        rw.metric(f"beer:model={tmp_path}/no.json")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(rw.DataError, match="binary: not a model: no valid UTF-8"):
        rw.metric(f"beer:model={tmp_path}/binary")


def test_a_file_that_is_no_model_does_not_fill_the_memory():
    with pytest.raises(rw.DataError, match="/dev/zero: not a model: over 64 megabytes"):
        rw.metric("beer:model=/dev/zero")
    with pytest.raises(rw.DataError, match="cannot be read: embedded null byte"):
        rw.metric("beer:model=a%00b")


def test_line_ends_of_another_system_are_read(write):
    text = model().to_json()
    assert rw.metric(f"beer:model={write(text)}").sha256 == (
        rw.metric(f"beer:model={write(text.replace(chr(10), chr(13) + chr(10)))}").sha256
    )


def test_an_unknown_language_is_a_sentence():
    with pytest.raises(rw.DataError, match="unknown language 'xx'"):
        rw.metric("beer:language=xx")


def test_weights_of_beer_1_1(write):
    weights = {"coef_negative_class": {"WordMatching:exact:recall": -2.0}}
    path = write(json.dumps({"models": {"beer_1.1/en_exact_weka": weights}}))
    beer = rw.metric(f"beer:version=1.1:model={path}#en_exact_weka")
    expected = 2 / (1 + np.exp(2 / 6))  # recall 5/6 less 1, weight 2
    assert beer.segments(*both(0)) == pytest.approx([expected], abs=1e-9)
    assert beer == rw.metric(beer.signature)
    for wrong in (f"1.1:model={path}#x", f"1.1:model={path}"):
        with pytest.raises(rw.DataError, match=r"expected FILE#NAME with one of en_exact_weka$"):
            rw.metric(f"beer:version={wrong}")
    with pytest.raises(rw.DataError, match=r"names no model of BEER 1\.0; .* with one of none"):
        rw.metric(f"beer:version=1.0:model={path}#en_exact_weka")


def meteor_folder(folder):
    """Resources in which ``fast`` is a paraphrase of ``in a hurry``."""
    contents = {
        "data/paraphrase-en.gz": gzip.compress(b"0.25\nfast\nin a hurry\n"),
        "function/english.words": b"the\n",
        "nonbreaking/english.prefixes": b"Dr\n",
    }
    for file, content in contents.items():
        (folder / file).parent.mkdir(parents=True)
        (folder / file).write_bytes(content)


def test_weights_of_paraphrases_take_a_meteor_folder(write, tmp_path):
    """``fast`` is a paraphrase of three of the four words, by the table."""
    weights = {"coef_negative_class": {"WordMatching:paraphrase:recall": -2.0}}
    path = write(json.dumps({"models": {"beer_1.0/en_exact_para_weka": weights}}))
    name = f"beer:version=1.0:model={path}#en_exact_para_weka"
    with pytest.raises(rw.DataError, match="no table of paraphrases for 'en': give resources=PATH"):
        rw.metric(name)
    meteor_folder(tmp_path)
    beer = rw.metric(f"{name}:resources={tmp_path}")
    found = beer.segments(["run fast"], ["walk in a hurry"])
    assert found == pytest.approx([1 / (1 + np.exp(-2 * 3 / 4))], abs=1e-9)
    assert beer == rw.metric(beer.signature)


def test_a_model_finds_its_folder_elsewhere(write, tmp_path):
    """It was learned with a METEOR folder of another machine."""
    meteor_folder(tmp_path / "over here")
    features = f"beer:modules=exact,paraphrase:resources={tmp_path}/over here"
    path = write(model(features).to_json().replace("/over here", "/now gone"))
    with pytest.raises(rw.DataError, match="/now gone: there is no such METEOR folder"):
        rw.metric(f"beer:model={path}")
    beer = rw.metric(f"beer:model={path}:resources={tmp_path}/over here")
    assert beer.segments(["run fast"], ["run in a hurry"]) == pytest.approx([1.0])


def test_an_option_that_no_feature_has_is_refused(write):
    path = write(model("soft").to_json())
    with pytest.raises(rw.DataError, match="no feature has the option 'resources'; expected none"):
        rw.metric(f"learned:model={path}:resources=x")


def test_a_folder_must_be_one_of_beer_2(tmp_path):
    with pytest.raises(rw.DataError, match="core_model: cannot be read"):
        rw.metric(f"beer:version=2.0:model={tmp_path}")
    with pytest.raises(rw.DataError, match=r"is a folder; expected a file, or version=2\.0"):
        rw.metric(f"beer:model={tmp_path}")


@pytest.mark.parametrize(
    ("version", "model"), [("1.0", "FILE#NAME"), ("1.1", "FILE#NAME"), ("2.0", "FOLDER")]
)
def test_published_weights_do_not_ship(version, model):
    with pytest.raises(rw.DataError, match=f"expected beer:version={version}:model={model}$"):
        rw.metric(f"beer:version={version}")


def test_the_signature_has_two_versions():
    """The first is BEER's, the last the package's; a version that BEER never had is refused."""
    beer = rw.metric("beer")
    assert beer.signature.startswith("beer:version=2014:")
    assert beer.signature.endswith(f":version={rw.__version__}")
    assert beer == rw.metric(beer.signature)
    assert str(beer) == "beer"
    with pytest.raises(rw.DataError, match=r"unknown version '3'; choose from 2014, 1\.0, 1\.1, 2"):
        rw.metric("beer:version=3")


def test_only_beers_features_are_beer(write):
    path = write(model("soft").to_json())
    with pytest.raises(
        rw.DataError, match=r"not a model of BEER's features; expected learned:model"
    ):
        rw.metric(f"beer:model={path}")
    assert rw.metric(f"learned:model={path}").segments(["a"], ["a"]) == [1.0]


def test_a_learned_metric_has_a_file(write):
    with pytest.raises(rw.DataError, match="no model is named; expected learned:model=FILE"):
        rw.metric("learned")
    path = write(model().to_json())
    learned, beer = (rw.metric(f"{name}:model={path}") for name in ("learned", "beer"))
    assert learned.segments(HYPOTHESES, REFERENCES).tolist() == (
        beer.segments(HYPOTHESES, REFERENCES).tolist()
    )
    assert learned == rw.metric(learned.signature)
