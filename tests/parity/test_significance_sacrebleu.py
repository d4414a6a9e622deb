"""The p-values, means and intervals of sacreBLEU 2.6.0, for the same seed and settings."""

import gzip
import json
import random

import numpy as np
import pytest
from sacrebleu.significance import PairedTest

from parity.sacrebleu_rows import METRICS, Scores
from rankwise.significance import (
    bootstrap,
    paired_bootstrap,
    paired_randomisation,
    percentile_intervals,
)
from shared_data import needs_shared, shared

FLOAT32 = 2e-6  # sacreBLEU computes the scores of resamples in single precision


def corrupted(sentence, rate, chance):
    """The sentence with some words dropped, doubled or moved."""
    words = []
    for word in sentence.split():
        kind = chance.random()
        words += [] if kind < rate else [word, word] if kind < 1.5 * rate else [word]
    if chance.random() < 2 * rate and len(words) > 1:
        words.insert(0, words.pop(chance.randrange(len(words))))
    return " ".join(words)


@pytest.fixture(scope="module")
def systems():
    chance = random.Random(5)
    words = ["the", "a", "of", "house", "garden", "tree", "stood", "ran", ",", ".", "one", "was"]
    references = [" ".join(chance.choices(words, k=chance.randrange(3, 25))) for _ in range(83)]
    outputs = {
        f"system{rate}": [corrupted(line, rate / 100, chance) for line in references]
        for rate in (8, 9, 12, 20)
    }
    return references, outputs


def paired_test(systems, metric, kind, samples, seed, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    references, outputs = systems
    test = PairedTest(
        list(outputs.items()), {"m": metric}, [references], test_type=kind, n_samples=samples
    )
    _, results = test()
    (name,) = set(results) - {"System"}
    return results[name]


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(("samples", "seed"), [(300, 12345), (97, 3)])
def test_paired_bootstrap_has_sacrebleus_numbers(systems, name, samples, seed, monkeypatch):
    expected = paired_test(systems, METRICS[name](), "bs", samples, seed, monkeypatch)
    metric = Scores(METRICS[name]())
    rows = {key: metric.rows(lines, systems[0]) for key, lines in systems[1].items()}
    resamples = bootstrap(rows, metric, samples=samples, seed=seed)
    found = percentile_intervals(resamples)
    assert [r.score for r in expected] == resamples.scores.tolist()
    test = paired_bootstrap(resamples, baseline=next(iter(rows)), compat="sacrebleu")
    assert [r.p_value for r in expected[1:]] == test.p_values.tolist()
    np.testing.assert_allclose(found.means, [r.mean for r in expected], rtol=FLOAT32)
    widths = (found.high - found.low) / 2
    np.testing.assert_allclose(widths, [r.ci for r in expected], rtol=20 * FLOAT32)


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize(("samples", "seed"), [(400, 12345), (97, 3)])
def test_paired_randomisation_has_sacrebleus_p_values(systems, name, samples, seed, monkeypatch):
    expected = paired_test(systems, METRICS[name](), "ar", samples, seed, monkeypatch)
    metric = Scores(METRICS[name]())
    rows = {key: metric.rows(lines, systems[0]) for key, lines in systems[1].items()}
    options = {"samples": samples, "seed": seed, "compat": "sacrebleu"}
    test = paired_randomisation(rows, metric, baseline=next(iter(rows)), **options)
    assert [r.p_value for r in expected[1:]] == test.p_values.tolist()


def test_identical_systems_are_the_one_departure(systems, monkeypatch):
    references, outputs = systems
    twice = {"one": outputs["system8"], "two": outputs["system8"]}
    (_, peer) = paired_test((references, twice), METRICS["BLEU"](), "ar", 99, 1, monkeypatch)
    metric = Scores(METRICS["BLEU"]())
    rows = {key: metric.rows(lines, references) for key, lines in twice.items()}
    assert peer.p_value == 0.01  # "significant": a system against itself
    drawn = bootstrap(rows, metric, samples=99, seed=1)
    for compat in (None, "sacrebleu"):
        found = paired_randomisation(rows, metric, samples=99, seed=1, compat=compat)
        assert found.p_values.tolist() == [1.0]
        assert paired_bootstrap(drawn, compat=compat).p_values.tolist() == [1.0]


def golden():
    cases = json.loads(gzip.decompress(shared("golden/sacrebleu.json.gz").read_bytes()))
    text = cases["inputs"]["sig60"]
    return text["hyps"], text["refs"], cases["significance"]


@needs_shared
@pytest.mark.parametrize("name", METRICS)
def test_golden_results(name):
    outputs, (references,), cases = golden()
    metric = Scores(METRICS[name]())
    rows = {key: metric.rows(lines, references) for key, lines in outputs.items()}
    for case in (case for case in cases if case["metric"] == name):
        options = {"samples": case["n"], "seed": int(case["seed"])}
        results = case.get("results", [{**case, "p_value": None}])
        if case["test"] == "ar":
            test = paired_randomisation(
                rows, metric, baseline="sys0", compat="sacrebleu", **options
            )
        else:
            resamples = bootstrap(rows, metric, **options)
            test = paired_bootstrap(resamples, baseline="sys0", compat="sacrebleu")
            found, count = percentile_intervals(resamples), len(results)
            means, widths = ([r[key] for r in results] for key in ("mean", "ci"))
            np.testing.assert_allclose(found.means[:count], means, rtol=FLOAT32)
            half = (found.high - found.low)[:count] / 2
            np.testing.assert_allclose(half, widths, rtol=20 * FLOAT32)
        expected = [r["p_value"] for r in results[1:]]
        assert expected == test.p_values[: len(expected)].tolist()
