"""The native n-gram counts equal those of counters."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from reference import chrf as slow_chrf
from reference import ngrams as slow
from reference.tokenise import RULES
from texts import segments, unzip

tokenizers = st.sampled_from(list(RULES))


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


@pytest.mark.parametrize("alphabet", range(250, 259))
def test_alphabets_around_the_limit_of_a_byte(alphabet):
    """Where the core changes from sorting packed characters to the general matcher."""
    reference = "".join(chr(0x4E00 + i * 5 % alphabet) for i in range(4 * alphabet))
    hypothesis = reference[7:200] + "xyz" + reference[:90] + reference[40:60]
    rows = _core.chrf_statistics([hypothesis], [reference], 6, 0, False)
    assert rows.tolist() == [slow_chrf.chrf_row(hypothesis, reference, 6, 0, False)]


@pytest.mark.parametrize("length", [32_766, 32_767, 32_768])
def test_lengths_around_the_limit_of_a_lane(length):
    reference = "ab" * (length // 2) + "a" * (length % 2)
    for hypothesis in (reference, reference[1:] + "b", "a" * length):
        rows = _core.chrf_statistics([hypothesis], [reference], 6, 0, False)
        assert rows.tolist() == [slow_chrf.chrf_row(hypothesis, reference, 6, 0, False)]


LENGTHS = [1, 60, 61, 62, 63, 64, 65, 122, 123, 127, 128, 129, 183, 184, 975, 976, 977]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("max_order", [1, 2, 4])
def test_references_around_the_length_of_a_block(length, max_order):
    """One reference of 64 or 128 words has one bit for each; else the core looks at 61 places of a
    reference at a time, and at up to 16 times as many."""
    rng = random.Random(length)
    long, short, other = (" ".join(rng.choices("abcde", k=n)) for n in (length, length // 2, 90))
    hypothesis = f"{short} x {long[length:]} {long[: length // 3]}"
    for references in ([long], [short, long], [other, long, short]):
        rows = _core.bleu_statistics([hypothesis], [references], "none", max_order)
        assert rows.tolist() == [slow.bleu_row(hypothesis, references, "none", max_order)]
    rows = _core.chrf_statistics([hypothesis], [long], 0, max_order, False)
    assert rows.tolist() == [slow_chrf.chrf_row(hypothesis, long, 0, max_order, False)]


@pytest.mark.parametrize("length", [65_535, 65_536])
def test_hypotheses_around_the_limit_of_16_bits(length):
    hypothesis, reference = "a b " * (length // 2) + "c" * (length % 2), "a b a b c a"
    rows = _core.bleu_statistics([hypothesis, "a " * length], [reference] * 2, "none", 4)
    assert rows[0].tolist() == slow.bleu_row(hypothesis, [reference], "none", 4)
    assert rows[1].tolist() == slow.bleu_row("a " * length, [reference], "none", 4)


@pytest.mark.parametrize("width", ["a", "é", "中", "𠮷"])
@pytest.mark.parametrize("first", [0, 12])
@pytest.mark.parametrize("most", [20, 50, 400])
def test_tokens_around_the_length_of_a_key(width, first, most):
    """Tokens of up to 16 bytes are their own key, or of up to 31 in a reference of few words; NUL
    must not be taken for an end."""
    tokens = [width + "\0" * n for n in range(first, 36)] + [width * n for n in range(1, 36)]
    tokens += [width * 9 + letter + width * 8 for letter in "xyz"]  # the same at both ends
    tokens += [width * 3 + letter + width * n for letter in "xy" for n in (27, 28, 29, 40)]
    tokens = random.Random(most).sample(tokens, min(most, len(tokens)))
    reference, hypothesis = " ".join(tokens), " ".join(tokens[::-1] + tokens[5:9])
    for text in (hypothesis, f"{reference} {width * 20}", f"{width * 41} \0"):
        rows = _core.bleu_statistics([text], [reference], "none", 4)
        assert rows.tolist() == [slow.bleu_row(text, [reference], "none", 4)]


@pytest.mark.parametrize("size", [30, 60])
def test_tokens_that_begin_at_one_slot(size):
    """What stands in the middle changes places, of which the table of few words knows nothing."""
    chance = random.Random(size)
    parts = ["".join(chance.choices("ab", k=8)) for _ in range(size)]
    ones = [f"{part}{parts[0]}{part[::-1]}" for part in parts]
    others = [f"{part}{part[::-1]}{parts[0]}" for part in parts]
    lines = [" ".join(chance.sample(ones + others, size)) for _ in range(20)]
    rows = _core.bleu_statistics(lines[1:], lines[:-1], "none", 4)
    pairs = zip(lines[1:], lines[:-1], strict=True)
    assert rows.tolist() == [slow.bleu_row(line, [other], "none", 4) for line, other in pairs]


@pytest.mark.parametrize("tokenizer", ["zh", "char", "zh-sacrebleu"])
@pytest.mark.parametrize("rest", ["", "x", "ab 1.5", "𠮷", "é"])
def test_words_of_one_character(tokenizer, rest):
    """They are numbered by code point, those beyond 16 bits and longer words by another table."""
    chance = random.Random(len(rest))
    letters = [*(chr(0x4E00 + 37 * k) for k in range(40)), *rest.split(), "，", "\0", "\uffff"]
    lines = ["".join(chance.choices(letters, k=size)) for size in (1, 3, 40, 70, 140, 1000)]
    for reference in lines:
        for others in ([reference], [reference, "one word", lines[2]], ["one", reference]):
            rows = _core.bleu_statistics(lines, [others] * len(lines), tokenizer, 4)
            expected = [slow.bleu_row(line, others, tokenizer, 4) for line in lines]
            assert rows.tolist() == expected


# The bits of a reference come in blocks of 64 places, 59 of them new; above 359 places small
# alphabets are sorted, above 772 large ones are hashed.
BORDERS = [
    1,
    2,
    5,
    6,
    58,
    59,
    60,
    63,
    64,
    65,
    122,
    123,
    124,
    182,
    183,
    358,
    359,
    360,
    771,
    772,
    773,
]


@pytest.mark.parametrize("size", BORDERS)
@pytest.mark.parametrize("letters", ["ab", "abcdefgh", "".join(map(chr, range(0x4E00, 0x4F40)))])
def test_chrf_where_references_change_blocks(size, letters):
    chance = random.Random(size * len(letters))
    reference = "".join(chance.choices(letters, k=size))
    for length in (0, 1, 7, size, 2 * size):
        parts = [reference[(at := chance.randrange(size)) : at + 9] for _ in range(length // 6 + 1)]
        parts += chance.choices(letters + "?", k=length // 5)
        chance.shuffle(parts)
        hypothesis = "".join(parts)[:length]
        for order in (1, 2, 3, 6):
            rows = _core.chrf_statistics([hypothesis], [reference], order, 0, False)
            assert rows.tolist() == [slow_chrf.chrf_row(hypothesis, reference, order, 0, False)]
