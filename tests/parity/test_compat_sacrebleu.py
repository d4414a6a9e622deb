"""The drop-in against sacreBLEU 2.6 itself: scores, attributes, printed lines and signatures.

Everything must be equal to the last digit and character, the types of attributes included.
"""

import copy
import math
import pickle
import random

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from parity.compat_cases import CASES, CORPORA, assert_same, case, keys, pair
from rankwise.compat import sacrebleu as ours
from rankwise.compat.sacrebleu import metrics
from texts import texts


@case
@pytest.mark.parametrize("data", CORPORA)
def test_corpus_scores(name, options, data):
    hypotheses, references = CORPORA[data]
    theirs, mine = pair(name, options)
    assert_same(theirs.corpus_score(hypotheses, references), mine.corpus_score(*CORPORA[data]))
    assert keys(theirs.get_signature())[:2] == keys(mine.get_signature())[:2]


@case
def test_sentence_scores(name, options):
    hypotheses, references = CORPORA["gaps"]
    theirs, mine = pair(name, options)
    for hypothesis, *entry in zip(hypotheses, *references, strict=True):
        expected = theirs.sentence_score(hypothesis, entry)
        assert_same(expected, mine.sentence_score(hypothesis, entry))
        assert keys(theirs.get_signature())[:2] == keys(mine.get_signature())[:2]


@case
def test_cached_references(name, options):
    hypotheses, references = CORPORA["gaps"]
    theirs, mine = pair(name, {**options, "references": references})
    assert keys(theirs.get_signature())[:2] == keys(mine.get_signature())[:2]
    expected = theirs.corpus_score(hypotheses, None)
    assert_same(expected, mine.corpus_score(hypotheses, None))
    other = CORPORA["1ref"]
    assert_same(theirs.corpus_score(*other), mine.corpus_score(*other))
    assert_same(expected, mine.corpus_score(hypotheses, []))


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=4))
def test_any_text(name, rows):
    hypotheses, *references = (list(column) for column in zip(*rows, strict=True))
    theirs, mine = pair(name, {})
    assert_same(
        theirs.corpus_score(hypotheses, references), mine.corpus_score(hypotheses, references)
    )


FUNCTIONS = [
    ("corpus_bleu", {"smooth_method": "floor", "smooth_value": 0.3, "tokenize": "intl"}),
    ("corpus_bleu", {"force": True, "lowercase": True, "use_effective_order": True}),
    ("raw_corpus_bleu", {}),
    ("raw_corpus_bleu", {"smooth_value": None}),
    ("corpus_chrf", {"char_order": 4, "word_order": 1, "beta": 3, "eps_smoothing": True}),
    ("corpus_chrf", {"remove_whitespace": False}),
    ("corpus_ter", {"normalized": True, "no_punct": True}),
    ("corpus_ter", {"asian_support": True, "case_sensitive": True}),
    ("sentence_bleu", {"smooth_method": "add-k", "lowercase": True, "tokenize": "char"}),
    ("sentence_bleu", {"use_effective_order": False}),
    ("sentence_chrf", {"word_order": 2, "remove_whitespace": False}),
    ("sentence_chrf", {"eps_smoothing": True, "beta": 1, "char_order": 5}),
    ("sentence_ter", {"normalized": True}),
]


@pytest.mark.parametrize(("name", "options"), FUNCTIONS, ids=lambda value: str(value))
def test_functions(name, options):
    hypotheses, references = CORPORA["3refs"]
    if name.startswith("sentence"):
        hypotheses, references = hypotheses[7], [stream[7] for stream in references]
    expected = getattr(sacrebleu, name)(hypotheses, references, **options)
    assert_same(expected, getattr(ours, name)(hypotheses, references, **options))
    assert getattr(ours, name) is getattr(ours.compat, name)


def statistics():
    rng = random.Random(9)
    for _ in range(400):
        order = rng.choice([1, 2, 4, 4, 4, 6])
        totals = [rng.choice([0, rng.randrange(1, 30)]) for _ in range(order)]
        counts = [rng.randrange(total + 1) if rng.random() < 0.8 else 0 for total in totals]
        yield counts, totals, rng.randrange(40), rng.randrange(40)


def test_compute_bleu_of_any_statistics():
    for counts, totals, sys_len, ref_len in statistics():
        for method, value in (("none", None), ("exp", None), ("floor", 0.2), ("add-k", None)):
            for effective in (False, True):
                options = (sys_len, ref_len, method, value, effective, len(counts))
                # sacreBLEU writes into the lists that it is given.
                theirs = sacrebleu.BLEU.compute_bleu(list(counts), list(totals), *options)
                before = list(counts), list(totals)
                mine = ours.BLEU.compute_bleu(counts, totals, *options)
                assert (counts, totals) == before
                if method == "add-k" and 0 in totals:  # it stops adding there: of no use
                    assert theirs.score == mine.score
                else:
                    assert_same(theirs, mine)


def test_the_scalar_formulas_are_those_of_the_native_metrics():
    hypotheses, references = CORPORA["3refs"]
    for name, options in CASES:
        mine = getattr(metrics, name)(**options)
        rows = mine._extract_corpus_statistics(hypotheses, references)
        scores = [mine._compute_score_from_stats(row).score for row in rows]
        assert scores == mine.native().score(rows).tolist(), (name, options)
        assert scores == pytest.approx(mine.scorer().score(rows).tolist(), rel=1e-12)


def test_the_version_says_whose_digits_and_what_computed_them():
    mine = ours.BLEU()
    mine.corpus_score(["a"], [["a"]])
    assert f"{sacrebleu.__version__}+rankwise." in ours.__version__
    assert ours.__version__.startswith("2.6.0+rankwise.")
    assert keys(mine.get_signature())[2] == ours.__version__


def test_a_signature_needs_a_score():
    with pytest.raises(ValueError, match="score something first"):
        ours.BLEU().get_signature()


def test_signatures_can_be_updated():
    mine = ours.CHRF(references=[["a"]]).get_signature()
    mine.update("test", "wmt23")
    mine.update("mine", True)
    assert str(mine).startswith("nrefs:1|test:wmt23|case:mixed|eff:yes|nc:6|nw:0|space:no|mine:yes")
    assert "|t:wmt23|c:mixed|" in mine.format(short=True)


def test_objects_can_be_copied_and_pickled():
    metric = ours.BLEU(references=[["a b c d"]])
    score = metric.corpus_score(["a b c d"], None)
    for clone in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert str(clone.corpus_score(["a b c d"], None)) == str(score)
    assert str(pickle.loads(pickle.dumps(score))) == str(score)
    assert math.isclose(score.score, 100.0)
