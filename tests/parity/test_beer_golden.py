"""BEER 1.1 and 2.0 on the numbers of the original programs (Scala): features and scores.

BEER 1.1 with paraphrases needs the table of the original: RANKWISE_METEOR names a METEOR folder
that has it; its features are also taken from the original's alignments, which need nothing. The
weights of BEER 2.0 are not among the golden files: RANKWISE_BEER2 names a folder with its models.
Without them, the margins must be one and the same weighted sum of our features on all segments.
"""

import functools
import gzip
import json
import os
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.learning.features import Beer11, Beer20
from rankwise.learning.features.matched import counts_of
from rankwise.learning.published import BEER_2_FILES, beer_1_model, beer_2_model
from rankwise.text.alignment import STAGES, Aligned
from rankwise.text.resources import meteor_resources
from rankwise.text.snowball import stemmer_problem
from shared_data import SHARED, needs_shared, shared

pytestmark = needs_shared


@functools.cache
def golden(name):
    return json.loads(gzip.decompress(shared(f"golden/{name}.json.gz").read_bytes()))


@functools.cache
def weights():
    return json.loads(shared("golden/beer-weights.json").read_text(encoding="utf-8"))


@functools.cache
def by_model():
    found = defaultdict(list)
    for segment in golden("beer11")["segments"]:
        found[segment["model"]].append(segment)
    return found


def models():
    return sorted(by_model()) if SHARED is not None else []


def raw_features(segments, names):
    return np.array([[s["raw_features"].get(name, 0.0) for name in names] for s in segments])


def original(name, *, normalize=False):
    """A published model on the original's alignments and word lists."""
    if "stem" in name and stemmer_problem():
        pytest.skip(stemmer_problem())
    resources = str(shared("data/meteor-resources"))
    if "para" in name:
        if "RANKWISE_METEOR" not in os.environ:
            pytest.skip("RANKWISE_METEOR names no METEOR folder with paraphrases")
        resources = os.environ["RANKWISE_METEOR"]
    return beer_1_model(weights(), name, normalize=normalize, original=True, resources=resources)


@pytest.mark.parametrize("name", models())
def test_features_and_scores_of_beer_1_1(name):
    model, segments = original(name), by_model()[name]
    hypotheses = [" ".join(s["sys"]) for s in segments]
    references = [" ".join(s["ref"]) for s in segments]
    expected = raw_features(segments, model.features.names)
    used = model.weights != 0  # the original computes only what its model needs
    found = model.features.values(hypotheses, references)
    np.testing.assert_allclose(found[:, used], expected[:, used], rtol=0, atol=5e-16)
    scores = model.segments(hypotheses, references)
    np.testing.assert_allclose(scores, [s["score"] for s in segments], rtol=0, atol=5e-15)


TEXTS = {"deen": "wmt23/de-en", "ende": "wmt23/en-de"}


def corpora():
    if SHARED is None:
        return []
    known = [entry for entry in golden("beer11")["corpus"] if entry["set"].split("-")[0] in TEXTS]
    return [pytest.param(entry, id=f"{entry['set']} {entry['model']}") for entry in known]


def table(path):
    lines = gzip.decompress(shared(path).read_bytes()).decode().removesuffix("\n").split("\n")
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]


@pytest.mark.parametrize("entry", corpora())
def test_corpus_scores_of_beer_1_1(entry):
    """From the texts themselves: the mean of the scores of the first segments."""
    pair, system = entry["set"].split("-", 1)
    folder = TEXTS[pair]
    segments = table(f"data/texts/{folder}/segments.tsv.gz")[: entry["n"]]
    outputs = {
        row["seg"]: row["text"]
        for row in table(f"data/texts/{folder}/outputs.tsv.gz")
        if row["system"] == system
    }
    model = original(entry["model"], normalize=True)
    scores = model.segments(
        [outputs[row["seg"]] for row in segments], [row["ref:refA"] for row in segments]
    )
    assert scores.mean() == pytest.approx(entry["corpus_score"], rel=0, abs=1e-14)


def aligned_as(segments, function):
    """The original's alignments as arrays of ours."""
    words, ids, starts, rows, matches, match_starts = {}, [], [0], [], [], [0]
    for text in [s["sys"] for s in segments] + [s["ref"] for s in segments]:
        ids += [words.setdefault(word, len(words)) for word in text]
        starts.append(len(ids))
    for segment in segments:
        hyp, ref = ([word in function for word in segment[side]] for side in ("sys", "ref"))
        counts = np.zeros((len(STAGES), 2, 2), np.int64)
        for h0, h1, r0, r1, stage in sorted(segment["phrase_pairs"], key=lambda pair: pair[2]):
            matches.append([r0, r1 - r0 + 1, h0, h1 - h0 + 1, stage])
            for word in hyp[h0 : h1 + 1]:
                counts[stage, 0, int(word)] += 1
            for word in ref[r0 : r1 + 1]:
                counts[stage, 1, int(word)] += 1
        rows.append([len(hyp), len(ref), sum(hyp), sum(ref), 0, *counts.ravel()])
        match_starts.append(len(matches))
    return Aligned(
        np.array(rows),
        np.array(matches, np.int32),
        np.array(match_starts),
        np.arange(len(segments) + 1),
        list(words),
        np.array(ids, np.uint32),
        np.array(starts),
    )


@pytest.mark.parametrize("name", models())
def test_features_from_the_alignments_of_beer_1_1(name):
    segments = by_model()[name]
    function = meteor_resources(str(shared("data/meteor-resources"))).function_words(
        segments[0]["language"]
    )
    features = Beer11(modules="exact")
    object.__setattr__(features, "modules", ",".join(STAGES))  # as if there were a table
    aligned = aligned_as(segments, function)
    names = list(weights()["models"][name]["coef_negative_class"])
    places = [features.names.index(key) for key in names]
    found = features.columns(counts_of(aligned, utf16=True))[:, places]
    np.testing.assert_allclose(found, raw_features(segments, names), rtol=0, atol=5e-16)


def test_the_permutations_of_beer_1_1():
    segments = [s for group in by_model().values() for s in group]
    from rankwise import _core

    aligned = aligned_as(segments, frozenset())
    lengths = np.ascontiguousarray(aligned.rows[:, 0])
    values, starts, _ = _core.word_orders(aligned.matches, aligned.match_starts, lengths)
    found = [part.tolist() for part in np.split(values, starts[1:-1])]
    assert found == [segment["permutation0"] for segment in segments]


def test_every_published_model_loads_but_the_one_with_a_parser():
    names = weights()["models"]
    assert len(names) == 58
    for name in names:
        options = {"modules": "exact"} if "exact_weka" in name else None
        if options is None:
            continue
        model = beer_1_model(weights(), name, **options)
        assert np.isfinite(model.weights).all()
        perfect = model.segments(["a b c d e f g h"], ["a b c d e f g h"])[0]
        assert perfect == pytest.approx(1.0, abs=1e-6) or name.startswith("beer_1.0")
    with pytest.raises(DataError, match=r"weight for 'Dep:.*expected only features of that set"):
        beer_1_model(weights(), "beer_1.1/en_func_exact_para_stem_syn_dep_weka", modules="exact")


def pieces():
    segments = golden("beer2")["segments"]
    return segments, Beer20().values([s["hyp"] for s in segments], [s["ref"] for s in segments])


@pytest.mark.parametrize("model", ["default", "linear_self_train"])
def test_margins_of_beer_2_0_are_one_weighted_sum_of_the_features(model):
    """Weights from 300 segments give the margins of the other 1,114."""
    segments, values = pieces()
    margins = np.array([s["scores"][model]["margin"] for s in segments])
    chosen = np.random.default_rng(1).permutation(len(segments))
    fit, rest = chosen[:300], chosen[300:]
    solved, *_ = np.linalg.lstsq(values[fit], margins[fit], rcond=1e-12)
    np.testing.assert_allclose(values[rest] @ solved, margins[rest], rtol=0, atol=1e-9)


@pytest.mark.skipif("RANKWISE_BEER2" not in os.environ, reason="RANKWISE_BEER2 names no models")
@pytest.mark.parametrize("name", ["default", "linear_self_train"])
def test_scores_of_beer_2_0(name):
    folder = Path(os.environ["RANKWISE_BEER2"]) / name
    texts = {file: (folder / file).read_text(encoding="utf-8") for file in BEER_2_FILES}
    model = beer_2_model(texts, name=name)
    segments, _ = pieces()
    texts = [s["hyp"] for s in segments], [s["ref"] for s in segments]
    margins = [s["scores"][name]["margin"] for s in segments]
    np.testing.assert_allclose(model.margins(*texts), margins, rtol=0, atol=1e-14)
    scores = [s["scores"][name]["score"] for s in segments]
    np.testing.assert_allclose(model.segments(*texts), scores, rtol=0, atol=1e-14)
