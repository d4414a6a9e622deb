"""The native n-gram counts equal those of counters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwise import _core
from reference import chrf as slow_chrf
from reference import ngrams as slow
from reference.tokenise import RULES
from texts import segments, unzip

tokenizers = st.sampled_from(list(RULES))


@settings(max_examples=400)
@given(segments, tokenizers, st.integers(1, 7))
def test_bleu_rows(pairs, tokenizer, max_order):
    rows = _core.bleu_statistics(*unzip(pairs), tokenizer, max_order)
    assert rows.tolist() == [slow.bleu_row(*pair, tokenizer, max_order) for pair in pairs]


@given(segments, tokenizers)
def test_overlap_rows(pairs, tokenizer):
    rows = _core.overlap_statistics(*unzip(pairs), tokenizer)
    assert rows.tolist() == [
        slow.overlap_row(hypothesis, reference, tokenizer)
        for hypothesis, references in pairs
        for reference in references
    ]


@settings(max_examples=400)
@given(segments, st.integers(0, 9), st.integers(0, 4), st.booleans())
def test_chrf_rows(pairs, char_order, word_order, whitespace):
    options = char_order, word_order, whitespace
    rows = _core.chrf_statistics(*unzip(pairs), *options)
    assert rows.tolist() == [
        slow_chrf.chrf_row(hypothesis, reference, *options)
        for hypothesis, references in pairs
        for reference in references
    ]


@pytest.mark.parametrize("max_order", [1, 4, 6])
def test_more_than_65535_distinct_tokens(max_order):
    reference = " ".join(f"w{i}" for i in range(70_000))
    hypothesis = " ".join(f"w{i}" for i in range(69_000, 60_000, -1)) + " " + reference[-60_000:]
    rows = _core.bleu_statistics([hypothesis], [reference], "none", max_order)
    assert rows.tolist() == [slow.bleu_row(hypothesis, [reference], "none", max_order)]


def test_more_than_256_distinct_characters():
    reference = "".join(chr(0x4E00 + i * 7 % 5000) for i in range(6000))
    hypothesis = reference[3000:] + reference[:2500] + "".join(reversed(reference[:500]))
    rows = _core.chrf_statistics([hypothesis], [reference], 6, 2, False)
    assert rows.tolist() == [slow_chrf.chrf_row(hypothesis, reference, 6, 2, False)]
