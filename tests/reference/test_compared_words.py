"""Counts of two systems equal those of the slow twin, on random texts."""

from hypothesis import given
from hypothesis import strategies as st

from rankwise.evaluate.comparing.counted_texts import PairTexts
from rankwise.evaluate.comparing.ngram_gains import ngram_gains
from rankwise.evaluate.comparing.word_buckets import bucket_rows
from reference import compared_words

WORDS = st.lists(st.sampled_from("abcd"), max_size=7)
SEGMENTS = st.lists(
    st.tuples(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=4
)


def texts_of(segments) -> PairTexts:
    return PairTexts(*(list(column) for column in zip(*segments, strict=True)))


@given(SEGMENTS, st.integers(1, 3))
def test_n_grams(segments, order):
    texts = texts_of(segments)
    found = {
        gain.words: (gain.wanted, gain.first, gain.second, gain.first_alone, gain.second_alone)
        for gain in ngram_gains(texts, most=10_000, orders=(order,))
    }
    assert found == compared_words.gains(texts.first, texts.second, texts.references, order)


@given(SEGMENTS)
def test_words(segments):
    texts = texts_of(segments)
    [words] = texts.counted([1])
    sizes = ["abcd".index(word) for word in words.known]
    found = bucket_rows(words, len(texts), sizes, (0, 1, 2)).tolist()
    for place, output in enumerate((texts.first, texts.second)):
        slow = compared_words.rows(output, texts.references, "abcd".index, 4)
        assert found[place] == slow
