"""The drop-in's intervals and paired tests against those of sacreBLEU 2.6.

p-values, means and intervals must be equal, to the last bit of sacreBLEU's single precision.
"""

import json
import random

import numpy as np
import pytest
import sacrebleu
from sacrebleu import metrics as their_metrics
from sacrebleu import significance as their_significance

from parity.compat_cases import attributes, keys, near, pair, prints, text
from rankwise.compat import sacrebleu as ours
from rankwise.compat.sacrebleu import metrics, significance
from rankwise.compat.sacrebleu.metrics import base
from rankwise.errors import DataError


@pytest.fixture(scope="module", params=[2, 3], ids="{} references".format)
def systems(request):
    """With three references, TER's lengths are thirds, whose sums hang on their order."""
    rng = random.Random(5)
    references = [[text(rng) for _ in range(83)] for _ in range(request.param)]
    outputs = [
        (f"s{rate}", [near(rng, line) if rng.random() < rate else line for line in references[0]])
        for rate in (0.3, 0.32, 0.4, 0.8)
    ]
    return [*outputs, ("again", outputs[0][1])], references


def their_interval(score):
    return [score._mean, score._ci]


@pytest.mark.parametrize(("seed", "samples"), [(None, 1000), ("7", 40), ("12", 39), ("3", 2)])
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_intervals(name, seed, samples, systems, monkeypatch):
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    if seed is not None:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
    named, references = systems
    theirs, mine = pair(name, {})
    expected = theirs.corpus_score(named[1][1], references, n_bootstrap=samples)
    found = mine.corpus_score(named[1][1], references, n_bootstrap=samples)
    assert their_interval(found) == their_interval(expected)
    assert attributes(expected) == attributes(found)
    assert prints(expected, "a:b")[0] == prints(found, "a:b")[0]
    parts = [json.loads(score.format(is_json=True, signature="a:b")) for score in (expected, found)]
    assert parts[0] == parts[1]
    assert list(parts[0]) == list(parts[1])
    assert keys(theirs.get_signature())[:2] == keys(mine.get_signature())[:2]


def test_estimate_ci_takes_score_objects():
    theirs, mine = sacrebleu.metrics.base.Score("x", 2.0), base.Score("x", 2.0)
    values = [random.Random(1).random() for _ in range(100)]
    theirs.estimate_ci([sacrebleu.metrics.base.Score("x", value) for value in values])
    mine.estimate_ci([base.Score("x", value) for value in values])
    assert (theirs._mean, theirs._ci) == (mine._mean, mine._ci)
    expected = their_significance.estimate_ci(np.array(values))
    assert significance.estimate_ci(np.array(values)) == expected


TESTS = [
    {"test_type": "bs", "n_samples": 300},
    {"test_type": "bs", "n_samples": 97, "n_ar_confidence": 5},
    {"test_type": "ar", "n_samples": 2100},
    {"test_type": "ar", "n_samples": 97, "n_ar_confidence": 200, "n_jobs": 2},
    {"n_samples": 64, "n_ar_confidence": 0},
]


def paired(module, library, systems, options):
    named, references = systems
    chosen = {
        "one": library.BLEU(),
        "two": library.CHRF(word_order=2),
        "three": library.TER(),
        "four": library.BLEU(smooth_method="floor", references=references),
    }
    chosen.pop("one" if options["n_samples"] % 2 else "four")
    return module.PairedTest(named, chosen, references, **options)()


@pytest.mark.parametrize("seed", ["12345", "8"])
@pytest.mark.parametrize("options", TESTS, ids=str)
def test_paired_tests(options, seed, systems, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    signatures, expected = paired(their_significance, their_metrics, systems, options)
    my_signatures, found = paired(significance, metrics, systems, options)
    assert list(expected) == list(found)
    assert expected.pop("System") == found.pop("System")
    for name in signatures:
        assert keys(signatures[name])[:2] == keys(my_signatures[name])[:2]
    for name, results in expected.items():
        assert [r.score for r in results] == [r.score for r in found[name]]
        assert [r.p_value for r in results] == [r.p_value for r in found[name]]
        for theirs, mine in zip(results, found[name], strict=True):
            assert vars(theirs).keys() == vars(mine).keys()
            assert (theirs.mean, theirs.ci) == (mine.mean, mine.ci)


def test_default_numbers_of_samples(systems):
    named, references = systems
    for kind in ("ar", "bs"):
        theirs = their_significance.PairedTest(named, {}, references, kind, n_ar_confidence=0)
        mine = significance.PairedTest(named, {}, references, kind, n_ar_confidence=0)
        for name in ("n_samples", "n_ar_confidence", "n_systems", "test_type", "n_jobs"):
            assert getattr(theirs, name) == getattr(mine, name)


def test_results_print_alike():
    assert repr(their_significance.Result(1.5, 0.1)) == repr(significance.Result(1.5, 0.1))


def test_a_seed_of_none_draws_anew_and_zero_is_a_seed(systems, monkeypatch):
    named, references = systems

    def mean(seed):
        monkeypatch.setenv("SACREBLEU_SEED", seed)
        metric = ours.BLEU()
        score = metric.corpus_score(named[0][1], references, n_bootstrap=50)
        assert f"|seed:{seed.lower()}|" in str(metric.get_signature())
        return score._mean

    assert mean("None") != mean("none")
    assert mean("0") == mean("0") != mean("1")
    with pytest.raises(DataError, match="SACREBLEU_SEED is '-1'"):
        mean("-1")
