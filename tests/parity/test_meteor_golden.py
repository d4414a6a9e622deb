"""METEOR 1.5 on the JVM's numbers: tokens, alignments, counts and scores.

The numbers come from the original (Java); ``resources`` are its word lists. The configuration with
paraphrases needs the original's table too: RANKWISE_METEOR names a METEOR folder that has it.
"""

import functools
import gzip
import json
import os

import numpy as np
import pytest

from rankwise.metrics.meteor import Meteor
from rankwise.text.alignment import STAGES
from rankwise.text.snowball import stemmer_problem
from shared_data import SHARED, needs_shared, shared

pytestmark = needs_shared

WORD_LISTS = {"czech": "cs", "german": "de", "russian": "ru"}


@functools.cache
def golden():
    return json.loads(gzip.decompress(shared("golden/meteor.json.gz").read_bytes()))


def configurations():
    if SHARED is None:
        return []
    return sorted({entry["config"] for entry in golden()["corpus"]})


def metric(config):
    """The metric of a configuration id: language, text, modules and maybe a word list."""
    language, text, modules, *words = config.split("-")
    full = modules == "full"
    modules = ",".join(STAGES) if full else modules.replace("_", ",")
    if full and "RANKWISE_METEOR" not in os.environ:
        pytest.skip("RANKWISE_METEOR names no METEOR folder with paraphrases")
    if "stem" in modules and stemmer_problem():
        pytest.skip(stemmer_problem())
    return Meteor(
        language=language,
        modules=modules,
        normalize=text == "norm",
        function_words=WORD_LISTS[words[0].removesuffix("words")] if words else None,
        resources=os.environ["RANKWISE_METEOR"] if full else str(shared("data/meteor-resources")),
        compat="1.5",
    )


def segments(config):
    return [segment for segment in golden()["segments"] if config in segment["results"]]


@pytest.mark.parametrize("config", configurations())
def test_scores(config):
    chosen = segments(config)
    scores = metric(config).segments([s["hyp"] for s in chosen], [s["ref"] for s in chosen])
    expected = [s["results"][config]["score"] for s in chosen]
    np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("config", configurations())
def test_alignments_and_tokens(config):
    text = config.split("-")[1]
    chosen = segments(config)
    references = [_references(s)[s["results"][config].get("best_ref", 0)] for s in chosen]
    aligned = metric(config).aligner.align([s["hyp"] for s in chosen], references)
    for k, segment in enumerate(chosen):
        result = segment["results"][config]
        found = aligned.matches[aligned.match_starts[k] : aligned.match_starts[k + 1]].tolist()
        assert found == result["alignment"], segment["id"]
        assert list(aligned.tokens(k)) == segment["tokens"][text]["hyp"]
        if isinstance(segment["ref"], str):
            assert list(aligned.tokens(len(chosen) + k)) == segment["tokens"][text]["ref"]
        row = aligned.rows[k].tolist()
        assert row[:4] == [result[f] for f in ("test_len", "ref_len", "test_func", "ref_func")]
        is_perfect = result["frag_penalty"] == 0
        assert row[4] == (0 if is_perfect else result["chunks"])


@pytest.mark.parametrize("config", configurations())
def test_counts_by_module(config):
    chosen = segments(config)
    rows = metric(config).statistics([s["hyp"] for s in chosen], [s["ref"] for s in chosen])
    for row, segment in zip(rows, chosen, strict=True):
        result = segment["results"][config]
        by_stage = row[5:].reshape(4, 4)
        for column, side in enumerate(
            ("test_content", "test_function", "ref_content", "ref_function")
        ):
            expected = result[f"{side}_by_module"]
            names = config.split("-")[2].replace("full", "_".join(STAGES)).split("_")
            found = [by_stage[STAGES.index(name), column] for name in names]
            assert found == expected


def _references(segment):
    return [segment["ref"]] if isinstance(segment["ref"], str) else segment["ref"]


TEXTS = {"deen": "wmt23/de-en", "ende": "wmt23/en-de", "heen2ref": "wmt23/he-en"}


@functools.cache
def corpus(name, count):
    """The first *count* hypotheses and references of a golden set, from the shared texts."""
    pair, system = name.split("-", 1)
    segments = _table(f"data/texts/{TEXTS[pair]}/segments.tsv.gz")[:count]
    outputs = {
        row["seg"]: row["text"]
        for row in _table(f"data/texts/{TEXTS[pair]}/outputs.tsv.gz")
        if row["system"] == system
    }
    names = ("ref:refA", "ref:refB") if pair == "heen2ref" else ("ref:refA",)
    references = [[row[name] for name in names] for row in segments]
    return [outputs[row["seg"]] for row in segments], references


def _table(path):
    lines = gzip.decompress(shared(path).read_bytes()).decode().removesuffix("\n").split("\n")
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"), strict=True)) for line in lines[1:]]


def corpora():
    if SHARED is None:
        return []
    known = [entry for entry in golden()["corpus"] if entry["set"].split("-")[0] in TEXTS]
    return [pytest.param(entry, id=f"{entry['set']} {entry['config']}") for entry in known]


@pytest.mark.parametrize("entry", corpora())
def test_corpus_scores(entry):
    found = metric(entry["config"]).corpus(*corpus(entry["set"], entry["segments"]))
    assert found == pytest.approx(entry["score"], rel=0, abs=1e-15)
