"""The shipped models keep what their files say, on data they were not learned from."""

import json
import runpy
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import rankwise as rw
from rankwise.evaluate.metric_learning.learning_data import PairRules, learning_data
from rankwise.learning import beer_1_model
from rankwise.learning.examples import pairwise_accuracy
from rankwise.metrics.features import features
from shared_data import SHARED, needs_shared, shared

pytestmark = needs_shared
SHIPPED = json.loads(files("rankwise.metrics").joinpath("models", "beer.json").read_text("utf-8"))
TRACK = "wmt21/is-en"


@pytest.fixture(scope="module")
def wmt():
    """Readers of the texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RANKWISE_SHARED", str(SHARED))
        yield runpy.run_path(str(Path(__file__).parents[2] / "scripts" / "wmt_texts.py"))


@pytest.fixture(scope="module")
def data(wmt):
    """The outputs and judgments of a development track."""
    track = wmt["read_texts"](TRACK), wmt["read_human"](TRACK)
    rules = PairRules(exclude=wmt["HUMAN_SYSTEMS"])
    return learning_data([track], features("chrf"), rules)


def test_accuracy_is_the_one_in_the_file(data):
    scores = rw.metric("beer").segments(data.hypotheses, data.references)
    stated = SHIPPED["measured"][f"accuracy on {TRACK.replace('/', '-')}"]
    # the file counts margins; a score is cut at 1 and has a grain, which ties very few pairs
    assert pairwise_accuracy(data.examples, scores) == pytest.approx(stated, abs=2e-4)


@pytest.mark.parametrize("name", ["beer", "softmatch"])
def test_it_is_better_than_chrf_here(data, name):
    scores = rw.metric(name).segments(data.hypotheses, data.references)
    chrf = pairwise_accuracy(data.examples, data.examples.rows[:, 0])
    assert pairwise_accuracy(data.examples, scores) > chrf


@pytest.mark.parametrize(("track", "kind"), [("wmt24/en-cs", "ESA"), ("wmt21-wiki/bn-hi", "DA")])
def test_scores_of_softmatch_are_what_people_give(wmt, track, kind):
    """The mean score is near the mean of assessments against the source, as shares of 1."""
    texts, human = wmt["read_texts"](track), wmt["read_human"](track, kind)
    place = {segment.id: k for k, segment in enumerate(texts.segments)}
    cells = [
        (texts.outputs[system][place[segment]], texts.segments[place[segment]].references[0], score)
        for system, row in zip(human.systems, human.values, strict=True)
        for segment, score in zip(human.segments, row, strict=True)
        if system in texts.outputs and not system.startswith("ref") and not np.isnan(score)
    ]
    outputs, references, scores = map(list, zip(*cells, strict=True))
    found = rw.metric("softmatch").corpus(outputs, references)
    assert found == pytest.approx(np.mean(scores) / 100, abs=0.1)


def test_published_weights_score_through_the_metric(data):
    path, name = shared("golden/beer-weights.json"), "en_exact_weka"
    texts, references = data.hypotheses[:200], data.references[:200]
    published = beer_1_model(json.loads(path.read_text("utf-8")), f"beer_1.1/{name}")
    expected = published.segments(texts, references)
    found = rw.metric(f"beer:version=1.1:model={path}#{name}").segments(texts, references)
    assert found == pytest.approx(expected, abs=2.0**-32)
