"""Options of metrics: what is refused, with which words, and what names mean."""

import sys
import types

import numpy as np
import pytest

from rankwise.errors import DataError, MissingExtra
from rankwise.metrics import F1, METRICS, Bleu, Chrf, Precision, metric
from rankwise.text.tokenise import tokenise
from rankwise.types.defaults import ERROR_METRICS


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("blue", "unknown metric 'blue'; choose from beer, bertscore, bleu"),
        ("bleu:tokenize=14a", "bleu: unknown tokenizer '14a'; choose from none, 13a"),
        ("bleu:smooth=laplace", "bleu: unknown smooth 'laplace'"),
        ("bleu:compat=moses", "bleu: unknown compat 'moses'"),
        ("bleu:max_order=0", "max_order is 0; expected a whole number of at least 1"),
        ("bleu:max_order=two", "option 'max_order' is 'two'; expected a whole number"),
        ("bleu:lowercase=yes", "option 'lowercase' is 'yes'; expected true or false"),
        ("bleu:lowercase", "metric 'bleu': found 'lowercase'; expected lowercase=value"),
        ("chrF++", r"unknown metric 'chrF\+\+' \(is chrf:word_order=2 meant\?\); choose from"),
        ("BLEU", r"unknown metric 'BLEU' \(is bleu meant\?\); choose from"),
        ("bleu:smooth_value=1", "smooth=exp takes no smooth_value"),
        ("bleu:smooth=floor:smooth_value=-1", "smooth_value is -1.0"),
        ("bleu:smooth=floor:smooth_value=nan", "smooth_value is nan"),
        ("bleu:tokenize=spm", "tokenizer 'spm' needs spm_model=PATH"),
        ("bleu:tokenize=spm:spm_model=/no/such.model", "/no/such.model: no such file"),
        ("bleu:spm_model=x.model", "spm_model is only for the tokenizer 'spm'"),
        ("chrf:char_order=0", "char_order and word_order are both 0"),
        ("chrf:beta=-2", "beta is -2.0; expected a number of at least 0"),
    ],
)
def test_refused(name, sentence):
    with pytest.raises(DataError, match=sentence):
        metric(name)


@pytest.mark.parametrize("options", [{"lowercase": "yes"}, {"effective_order": 1}])
def test_flags_are_true_or_false(options):
    with pytest.raises(DataError, match="expected true or false"):
        Bleu(**options)


@pytest.mark.parametrize(("tokenizer", "module"), [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko")])
def test_a_missing_package_is_named(tokenizer, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'rankwise\[{tokenizer[:2]}\]'"):
        Bleu(tokenize=tokenizer)


def test_spm_uses_the_given_model(tmp_path, monkeypatch):
    """A stand-in for sentencepiece, whose pieces are pairs of characters."""

    class Processor:
        def __init__(self, model_file):
            assert model_file == str(tmp_path / "spm.model")

        def encode(self, text, out_type):
            return [text[i : i + 2] for i in range(0, len(text), 2)]

    (tmp_path / "spm.model").touch()
    fake = types.SimpleNamespace(SentencePieceProcessor=Processor)
    monkeypatch.setitem(sys.modules, "sentencepiece", fake)
    bleu = metric(f"bleu:tokenize=spm:spm_model={tmp_path}/spm.model")
    assert bleu.statistics(["ABCDEF  "], [["ABCDXY"]])[0].tolist() == [3, 3, 2, 1, 0, 0, 3, 2, 1, 0]
    assert bleu == metric(bleu.signature)


def test_texts_must_be_strings():
    with pytest.raises(DataError, match="texts 1 is a int"):
        tokenise(["a", 3])


def test_zh_ranges_are_right_unless_compatible():
    """U+20000 is an ideograph, the dash is none (sacreBLEU issue 298)."""
    text = ["a𠀀b–c"]
    assert tokenise(text, tokenizer="zh") == [["a", "𠀀", "b–c"]]
    assert tokenise(text, tokenizer="zh", compat="sacrebleu") == [["a𠀀b", "–", "c"]]


def test_effective_order_is_automatic():
    """Two equal tokens: no trigrams, so a corpus scores 0 and a segment 100."""
    texts = ["Zhongjian Plaza"], ["Zhongjian Plaza"]
    assert Bleu().corpus(*texts) == 0.0
    assert Bleu().segments(*texts).tolist() == [100.0]
    assert Bleu(effective_order=False).segments(*texts).tolist() == [0.0]
    assert Bleu(effective_order=True).corpus(*texts) == 100.0


def test_perfect_bleu_is_100_and_sacrebleu_rounds_above():
    text = ["The dog bit the man."]
    assert Bleu().corpus(text, text) == 100.0
    assert Bleu(compat="sacrebleu").corpus(text, text) == 100.00000000000004


def test_smoothing_by_hand():
    """Six tokens, unigrams 6/6, bigrams 4/5, trigrams 0/4 and 4-grams 0/3; no penalty."""
    row = np.array([6, 6, 6, 4, 0, 0, 6, 5, 4, 3])
    by_hand = {
        "none": [100, 80, 0, 0],
        "exp": [100, 80, 100 / 8, 100 / 12],
        "floor": [100, 80, 10 / 4, 10 / 3],
        "add-k": [100, 500 / 6, 100 / 5, 100 / 4],
    }
    for smooth, precisions in by_hand.items():
        bleu = Bleu(smooth=smooth)
        assert precisions == pytest.approx(bleu.precisions(row).tolist())
        assert np.prod(precisions) ** 0.25 == pytest.approx(bleu.score(row))


def test_closest_reference_length_prefers_the_shorter():
    """Ten tokens against nine and eleven (Läubli and Müller): nine."""
    rows = Bleu(tokenize="none").statistics(["a " * 10], [["a " * 11, "a " * 9]])
    assert rows[0, :2].tolist() == [10, 9]


def test_overlap_takes_the_reference_with_the_best_f1():
    """Against "a" precision would be 1/2 and recall 1; "a b c" has F1 4/5 and wins."""
    texts = ["a b"], [["a", "a b c"]]
    assert F1().corpus(*texts) == pytest.approx(80.0)
    assert Precision().corpus(*texts) == 100.0


def test_chrf_by_hand():
    """abc against abd: unigrams 2/3, bigrams 1/2, trigrams 0/1: P = R = 7/18."""
    assert Chrf(char_order=3).corpus(["abc"], ["abd"]) == pytest.approx(100 * 7 / 18)
    assert Chrf().corpus(["abc"], ["abd"]) == pytest.approx(100 * 7 / 18)


def test_chrf_words_lose_one_punctuation_mark():
    """(hi) is split into "(hi" and ")", and "(hi" into "(" and "hi" (sacreBLEU issue 124)."""
    rows = Chrf(char_order=0, word_order=1).statistics(["(hi)"], ["(hi )"])
    assert rows.tolist() == [[2, 3, 1]]


def test_a_printed_signature_parses_back_with_its_facts():
    assert metric(Bleu(tokenize="intl").signature + ":nrefs=2") == Bleu(tokenize="intl")


def test_metrics_that_count_errors_are_known_by_name():
    found = [name for name, kind in METRICS.items() if not kind.higher_is_better]
    assert sorted(found) == sorted(ERROR_METRICS)
