"""Feature sets: values worked out by hand, names, and what is refused."""

import math

import numpy as np
import pytest

import rankwise as rw
from rankwise.evaluate.metric_learning.computed_features import features, metric_features
from rankwise.learning.features import (
    Beer11,
    Beer20,
    BeerFeatures,
    Duh,
    Joined,
    feature_set,
)
from rankwise.learning.features.intra_set import Group, goodness, relative
from rankwise.metrics import METRICS, metric

HYPOTHESES = ["the cat sat on the mat", "the mat sat on a cat", "cats sit"]
REFERENCE = "the cat sat on a mat"


def one(name, hypothesis, reference, **options):
    """The features of one pair, by name."""
    found = feature_set(name) if not options else type(feature_set(name))(**options)
    return dict(zip(found.names, found.values([hypothesis], [reference])[0].tolist(), strict=True))


def test_there_are_as_many_as_published():
    assert len(BeerFeatures(modules="exact").names) == 33
    assert len(Beer11(modules="exact").names) == 36
    assert len(Beer11(modules="exact,stem").names) == 39
    assert len(Beer20().names) == 62
    assert [len(Duh(subset=s).names) for s in ("1-12", "1-13", "1-20")] == [12, 13, 20]


def test_beer_by_hand():
    """``the mat sat on a cat``: all six words match, two are swapped."""
    row = one("beer", "the mat sat on a cat", REFERENCE, modules="exact")
    assert row["all.precision"] == row["all.recall"] == row["all.f1"] == 1
    assert row["function.precision"] == 0.5  # the, on, a
    assert row["content.recall"] == 0.5  # mat, sat, cat
    assert row["char1.f1"] == 1
    # 0 5 2 3 4 1: nine of fifteen pairs are in order; <2,1> twice and <1,2> three times
    assert row["kendall"] == pytest.approx(7 / 15)
    assert row["trees.monotone"] == 3 / 6
    assert row["trees.inverted"] == 2 / 6
    assert row["trees.four"] == row["trees.larger"] == 0


def test_the_conventions_of_beer():
    program = one("beer", "the mat sat on a cat", REFERENCE, modules="exact", convention="beer-1.1")
    assert program["kendall"] == pytest.approx(8 / 15)
    assert program["trees.monotone"] == 3 / 5
    by_class = one("beer", "the cat", REFERENCE, modules="exact", share="class")
    assert by_class["function.precision"] == 1
    assert by_class["function.recall"] == 1 / 3
    assert by_class["content.recall"] == 1 / 3


def test_nothing_matches():
    row = one("beer", "xyz", "the cat", modules="exact")
    assert set(row.values()) == {0.0}


def test_kendall_scaled_counts_runs_of_unmatched_words():
    """(2 matched + 2 runs of unmatched words) / 3, as BEER 1.1 has it: more than 1."""
    row = one("beer-1.1", "x the y cat", "the big cat", modules="exact")
    assert row["KendallScaled:0.5"] == pytest.approx(math.sqrt(4 / 3))


def test_beer_2_by_hand():
    """``a b c`` and ``a c``: char2 has a, space, b, space against a, space (one is missing)."""
    row = one("beer-2.0", "a b c", "a c")
    assert row["char1.a"] == 3 / 5
    assert row["char1.b"] == 1
    assert row["char2.a"] == 2 / 4
    assert row["ngram1.a"] == 4 / 5  # a, c, and both ends
    assert row["ngram2.b"] == 0  # no bigram, no end of two words
    assert row["skip1.f.1.0"] == pytest.approx(2 * (1 / 3) / (1 / 3 + 1))
    assert row["len_disbalance_word.d.1.0"] == 0.5
    assert row["len_disbalance_char.d.1.0"] == pytest.approx(2 / 3)


def test_beer_2_of_nothing():
    row = one("beer-2.0", "", "a")
    assert row["len_disbalance_char.d.1.0"] == 100_000
    assert row["len_disbalance_word.d.1.0"] == 0  # one empty word, as Java splits
    assert row["char1.b"] == row["char1.g.1.0"] == 0


def test_duh_by_hand():
    """Five of six words, two of five bigrams, one of four trigrams, no 4-gram."""
    row = one("duh:subset=1-13", "the cat sat down a mat", REFERENCE)
    assert row["precision1"] == 5 / 6
    assert row["precision2"] == 3 / 5
    assert row["precision3"] == 1 / 4
    assert row["precision4"] == 0
    assert row["log_precision1"] == pytest.approx(math.log(5 / 6))
    assert row["log_precision4"] == pytest.approx(math.log(0.5 / 3))
    assert (row["length_ratio"], row["hypothesis_length"], row["reference_length"]) == (1, 6, 6)
    assert row["bleu"] == 0
    smooth = (6 / 7 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25
    assert row["smooth_bleu"] == pytest.approx(smooth)


def test_features_1_to_5_of_duh_make_log_bleu():
    """With uniform weights, as Table 1 of the paper says; the length by BLEU's own penalty."""
    hypothesis = "the cat sat on a mat or so they said"
    row = one("duh:subset=1-12", hypothesis, REFERENCE)
    logs = [row[f"log_precision{n}"] for n in range(1, 5)]
    assert row["bleu"] == pytest.approx(math.exp(sum(logs) / 4))
    shorter = one("duh:subset=1-12", "the cat sat on a", REFERENCE)
    assert shorter["bleu"] == pytest.approx(math.exp(1 - 6 / 5))


def test_sentence_bleu_is_that_of_the_metric():
    plain = metric("bleu:smooth=none:effective_order=false")
    found = Duh().values(HYPOTHESES, [REFERENCE] * 3, ["s"] * 3)[:, 11]
    np.testing.assert_allclose(100 * found, plain.segments(HYPOTHESES, [REFERENCE] * 3))


def test_the_best_of_a_set_has_one():
    rows = Duh().values(HYPOTHESES, [REFERENCE] * 3, ["s", "s", "t"])
    best = dict(zip(Duh().names[13:], rows[:, 13:].T.tolist(), strict=True))
    assert best["length_ratio@best"] == [1, 1, 1]
    assert best["precision1@best"] == [0, 1, 1]
    assert best["precision2@best"] == [1, 0, 1]
    assert best["bleu@best"] == [1, 0, 1]


def test_the_best_length_is_the_closest():
    values, group = np.array([0.5, 1.4, 1.6]), Group.of("aaa")
    assert relative(values, group, "best", 1.0).tolist() == [0, 1, 0]
    assert relative(values, group, "rank", 1.0).tolist() == [0.5, 1, 0]
    assert goodness(values, -np.inf).tolist() == [-0.5, -1.4, -1.6]


def test_equal_values_have_no_deviation():
    values = np.array([0.1 + 0.2, 0.3, 0.3])
    assert relative(values, Group.of("aaa"), "z").tolist() == [0, 0, 0]


def test_relative_versions_of_any_set():
    found = feature_set("beer-2.0:relative=rank,z")
    assert len(found.names) == 3 * 62
    assert found.names[62].endswith("@rank")
    values = found.values(HYPOTHESES, [REFERENCE] * 3, [1, 1, 1])
    assert set(values[:, 62:124].ravel()) <= {0, 0.25, 0.5, 0.75, 1}
    np.testing.assert_allclose(values[:, 124:].mean(axis=0), 0, atol=1e-12)


def test_intra_set_features_need_groups():
    with pytest.raises(rw.DataError, match=r"'length_ratio@best' compares .* expected groups"):
        Duh().values(["a"], ["a"])
    with pytest.raises(rw.DataError, match="1 translations but groups of 2"):
        Duh().values(["a"], ["a"], ["s", "t"])


def test_of_several_references_the_best_counts():
    beer = BeerFeatures(modules="exact")
    rows = beer.rows(["the cat", "a dog"], [["a dog", "the cat", "the cat"], "a dog"])
    found = beer.values(["the cat", "a dog"], [["a dog", "the cat", "the cat"], "a dog"])
    assert len(rows) == 4
    np.testing.assert_array_equal(found, rows[[1, 3]])


def test_metrics_are_features():
    found = features(["duh:subset=1-12", "chrf", "ter"])
    values = found.values(HYPOTHESES, [REFERENCE] * 3)
    np.testing.assert_array_equal(
        values[:, 12], metric("chrf").segments(HYPOTHESES, [REFERENCE] * 3)
    )
    assert found.features[13].ideal == -np.inf
    assert "chrf:" in found.signature


@pytest.mark.parametrize(
    "name",
    sorted(
        {*METRICS}
        - {"beer", "bertscore", "bleurt", "comet", "command", "cosine"}
        - {"learned", "meteor", "metricx"}
    ),
)
def test_any_metric_is_a_feature(name):
    values = features(name).values(HYPOTHESES, [REFERENCE] * 3)
    assert values.shape == (3, 1)


def test_relative_scores_of_metrics():
    found = metric_features([metric("ter")], relative="best")
    assert found.names == ("ter", "ter@best")
    assert found.values(HYPOTHESES, [REFERENCE] * 3, ["s"] * 3)[:, 1].tolist() == [1, 0, 0]
    assert found.signature != metric_features([metric("ter")]).signature


def test_sets_side_by_side_keep_their_names_apart():
    joined = Joined((Duh(subset="1-12"), Duh(subset="1-13", lowercase=True)))
    assert len(set(joined.names)) == 25
    assert joined.names[0] == "duh:subset=1-12/log_precision1"
    with pytest.raises(rw.DataError, match="two features are called"):
        Joined((Duh(), Duh()))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("unknown", "unknown feature set 'unknown'; choose from .*beer"),
        ("beer:language=klingon", "unknown language 'klingon'"),
        ("beer:modules=exact,stem,exact", "each at most once"),
        ("beer:modules=guess", "unknown module 'guess'"),
        ("beer:language=it:normalize=true", "no rules to normalize 'it'"),
        ("beer:language=de:modules=synonym", "no synonyms for 'de'"),
        ("beer:modules=paraphrase", "no table of paraphrases for 'en'"),
        ("beer:convention=mine", "unknown convention 'mine'"),
        ("duh:subset=1-3", "unknown subset '1-3'"),
        ("duh:tokenize=spm", "unknown tokenize 'spm'"),
        ("beer-2.0:relative=worst", "unknown relative 'worst'"),
    ],
)
def test_what_is_refused(name, message):
    with pytest.raises(rw.DataError, match=message):
        features(name)
    with pytest.raises(rw.DataError, match="at least one"):
        features([])


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a"], [], "1 hypotheses but references for 0 segments"),
        ("a", ["a"], "hypotheses are a str"),
        (["a"], [[]], "segment 1 has no reference"),
        (["a", 1], ["a", "a"], "hypothesis 2 is a int"),
        (["a"], [["a", None]], "a reference of segment 1 is a NoneType"),
    ],
)
def test_texts_that_are_none(hypotheses, references, message):
    for found in (Beer20(), BeerFeatures(modules="exact"), Joined((Beer20(),))):
        with pytest.raises(rw.DataError, match=message):
            found.values(hypotheses, references)
