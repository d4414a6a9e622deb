"""Words that match in part: the native core against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from reference import soft_words as slow

WORDS = ["the", "of", "house", "houses", "housing", "household", "1984a", "1984b", "x" * 70]
WORDS += ["\u0161kola", "\u0161koly", "aabbaabb", "abbaabba"]  # letters of two pages of 256
WORDS += ["x" * 69 + "y", "ааааб", "ааааа", "walked", "walking", "went", "ab", ","]
texts = st.lists(st.sampled_from(WORDS), max_size=9)
SUBSTITUTES = {("went", "walked"): 0.7, ("of", "the"): 0.3, ("house", "houses"): 0.05}


def native(pairs, weights, substitutes):
    number = {word: k for k, word in enumerate(WORDS)}
    sides = [side for side, _ in pairs] + [side for _, side in pairs]
    return _core.soft_matches(
        WORDS,
        np.array([number[word] for side in sides for word in side], np.uint32),
        np.cumsum([0, *map(len, sides)], dtype=np.int64),
        np.arange(len(pairs)),
        np.arange(len(pairs)) + len(pairs),
        weights=np.array([weights[word] for word in WORDS]),
        firsts=np.array([number[a] for a, _ in substitutes], np.uint32),
        seconds=np.array([number[b] for _, b in substitutes], np.uint32),
        likenesses=np.array(list(substitutes.values()), np.float64),
    )


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.booleans())
def test_native_equals_definition(pairs, with_substitutes):
    weights = {word: 0.5 + k / 8 for k, word in enumerate(WORDS)}
    substitutes = SUBSTITUTES if with_substitutes else {}
    expected = [slow.soft_matches(a, b, weights, substitutes) for a, b in pairs]
    np.testing.assert_allclose(
        native(pairs, weights, substitutes), expected, rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weights": np.ones(1)}, "a weight per word"),
        ({"firsts": np.array([2], np.uint32)}, "not in the word table"),
        ({"likenesses": np.ones(2)}, "differ in number"),
        ({"ref_texts": np.array([1, 1])}, "differ in number"),
        ({"ref_texts": np.array([2])}, "no such text"),
    ],
)
def test_what_does_not_fit_is_an_error(change, message):
    arguments = {
        "words": ["a", "b"],
        "ids": np.array([0, 1], np.uint32),
        "starts": np.array([0, 1, 2]),
        "hyp_texts": np.array([0]),
        "ref_texts": np.array([1]),
        "weights": np.ones(2),
        "firsts": np.array([0], np.uint32),
        "seconds": np.array([1], np.uint32),
        "likenesses": np.ones(1),
    }
    assert len(_core.soft_matches(**arguments)) == 1
    with pytest.raises(ValueError, match=message):
        _core.soft_matches(**(arguments | change))


@given(st.lists(st.sampled_from(WORDS), min_size=60, max_size=140), st.randoms())
def test_texts_of_more_than_64_words(words, random):
    weights = {word: 0.5 + k / 8 for k, word in enumerate(WORDS)}
    other = random.sample(words, len(words))
    expected = [slow.soft_matches(words, other, weights, SUBSTITUTES)]
    found = native([(words, other)], weights, SUBSTITUTES)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
