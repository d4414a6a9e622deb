"""All pairs of candidates at once give the rows of one pair after the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from rankwise.metrics import metric
from reference.chrf import chrf_row
from reference.ngrams import bleu_row
from reference.tokenise import RULES

words = st.lists(
    st.sampled_from(["a", "b", "c", "the", "the,", "(x", "中", "\0", "𠮷𠮷"]), max_size=12
)
candidates = st.lists(words.map(" ".join), min_size=1, max_size=7)


@given(candidates, st.sampled_from(list(RULES)), st.integers(1, 6))
def test_bleu_of_all_pairs(texts, tokenizer, max_order):
    rows = _core.bleu_pairs(texts, tokenizer, max_order).tolist()
    assert rows == [bleu_row(h, [r], tokenizer, max_order) for h in texts for r in texts]


@given(candidates, st.integers(0, 7), st.integers(0, 3), st.booleans())
def test_chrf_of_all_pairs(texts, char_order, word_order, whitespace):
    options = char_order, word_order, whitespace
    rows = _core.chrf_pairs(texts, *options).tolist()
    assert rows == [chrf_row(h, r, *options) for h in texts for r in texts]


@pytest.mark.parametrize("threads", ["1", "2", "5"])
@pytest.mark.parametrize(
    "name",
    ["bleu", "bleu:lowercase=true:tokenize=intl", "chrf:lowercase=true", "chrf:word_order=2"],
)
def test_many_candidates_on_any_number_of_threads(name, threads, monkeypatch):
    monkeypatch.setenv("RANKWISE_THREADS", threads)
    texts = [" ".join(f"W{(i * k) % 13}" for i in range(20)) + "." for k in range(40)]
    chosen = metric(name)
    pairs = [text for text in texts for _ in texts], texts * len(texts)
    assert chosen.pairwise_statistics(texts).tolist() == chosen.statistics(*pairs).tolist()
