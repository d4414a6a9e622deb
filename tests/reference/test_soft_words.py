"""Words that match in part: the native core against the definition."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from rankwise.text.soft_words import numbered, soft_words
from reference import soft_words as slow

WORDS = ["the", "of", "house", "houses", "housing", "household", "1984a", "1984b", "x" * 70]
WORDS += ["\u0161kola", "\u0161koly", "aabbaabb", "abbaabba"]  # letters of two pages of 256
WORDS += ["x" * 69 + "y", "ааааб", "ааааа", "walked", "walking", "went", "ab", ","]
texts = st.lists(st.sampled_from(WORDS), max_size=9)
SUBSTITUTES = {("went", "walked"): 0.7, ("of", "the"): 0.3, ("house", "houses"): 0.05}


def native(pairs, weights, substitutes, words=WORDS):
    number = {word: k for k, word in enumerate(words)}
    sides = [side for side, _ in pairs] + [side for _, side in pairs]
    return _core.soft_matches(
        words,
        np.array([number[word] for side in sides for word in side], np.uint32),
        np.cumsum([0, *map(len, sides)], dtype=np.int64),
        np.arange(len(pairs)),
        np.arange(len(pairs)) + len(pairs),
        weights=np.array([weights[word] for word in words]),
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


# Words that are equal, that differ and have the rank of equal ones (0.9 beside one equal word, 0.8
# between two), and that have more or less. The same words come again and again.
FEW = ["a", "b", "c", "d", "plural", "plurals", "abcdefgh", "abcdefghi"]
RANKS = {("a", "b"): 0.9, ("b", "c"): 0.8, ("c", "a"): 0.95, ("d", "plural"): 0.9}
repeated = st.lists(st.sampled_from(FEW), max_size=14)


@given(repeated, repeated)
def test_words_of_every_rank(hypothesis, reference):
    weights = {word: 1.0 + k / 8 for k, word in enumerate(FEW)}
    expected = [slow.soft_matches(hypothesis, reference, weights, RANKS)]
    found = native([(hypothesis, reference)], weights, RANKS, FEW)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@given(st.lists(st.sampled_from("xyz"), max_size=40), st.lists(st.sampled_from("xyz"), max_size=40))
def test_equal_words_take_the_nearest(hypothesis, reference):
    weights = {"x": 1.0, "y": 2.0, "z": 4.0}
    expected = [slow.soft_matches(hypothesis, reference, weights, {})]
    found = native([(hypothesis, reference)], weights, {}, list("xyz"))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


# As many letters as fit a number of 64 bits, one of 128, or neither; of one page of 256 or of two.
spelled = st.text("abc", min_size=4, max_size=16) | st.text("ab\u0161", min_size=4, max_size=9)


@given(st.lists(spelled, min_size=2, max_size=8, unique=True))
def test_words_of_any_length_are_compared(words):
    weights = dict.fromkeys(words, 1.0)
    pairs = [([a], [b]) for a in words for b in words]
    expected = [slow.soft_matches(a, b, weights, {}) for a, b in pairs]
    found = native(pairs, weights, {}, words)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_chain_of_words_that_wait_for_each_other():
    """Every choice depends on the one before it: h0-r0 over h0-r1 over h1-r1 over h1-r2 ..."""
    ours, theirs = [f"h{k}" for k in range(30)], [f"r{k}" for k in range(30)]
    chain = [pair for k in range(29) for pair in ((k, k), (k, k + 1))]
    substitutes = {(ours[i], theirs[j]): 0.99 - 0.01 * k for k, (i, j) in enumerate(chain)}
    words = [*ours, *theirs]
    weights = {word: 1.0 + k / 8 for k, word in enumerate(words)}
    expected = [slow.soft_matches(ours, theirs, weights, substitutes)]
    found = native([(ours, theirs)], weights, substitutes, words)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


# White space and what is none: a vertical tab, a separator of files, spaces beyond ASCII.
spaced = st.text("aZ_0'- \t\n\r\f\v\x00\x1c\x1f\x7f\xa0\xe9\u2003\u4e0d\ud800\U0001f44d")
# The first and last characters of scripts without spaces, their neighbours, and a capital sigma.
edges = "\u0dff\u0e00\u0eff\u0f00\u0fff\u1000\u109f\u10a0\u177f\u1780\u17ff\u1800\u2e7f\u2e80\u2fdf"
edges += "\u2fe0\u3004\u3005\u30ff\u3100\u33ff\u3400\u9fff\ua000\uf8ff\uf900\ufaff\ufb00\u03a3aB1 ,"
unspaced = st.text(edges) | st.text("\u65e5\u672c\u30fc\u3002\u03a3aB1 ,")
plain = st.text("bY9_'-! \n\v\x1c\x00\x7f")
long_plain = st.text("abcdefgHIJKLMnopqrstuvwxyz@[`{/:, ", min_size=50, max_size=200)


# Letters with a lower case of other length, of several characters, and of scripts beyond the table.
cased = st.text(
    "\u0160\u0161\u023a\u0130\u212a\u1e9e\u0410\u05d0\u05b8\u0915\u093f\U00010400\U00020000x -"
)


@given(st.lists(spaced | plain | long_plain | unspaced | cased, max_size=5), st.data())
def test_words_and_pieces_that_are_left_whole(hypotheses, data):
    references = data.draw(st.lists(spaced, min_size=len(hypotheses), max_size=len(hypotheses)))
    words, pieces, ids, starts = _core.split_words(hypotheses, references)
    split = [slow.split_words(text) for text in [*hypotheses, *references]]
    tokens = [token for text in split for token in text]
    whole = dict.fromkeys(tokens)
    assert words == [token for token in whole if not any(map(slow.is_rest, token))]
    assert [[*words, *pieces][k].lower() for k in ids] == [token.lower() for token in tokens]
    assert np.diff(starts).tolist() == [len(text) for text in split]


def test_every_character_is_what_the_pattern_says():
    lines = [
        " ".join(f"a{chr(c)}{chr(c)}B" for c in range(first, first + 256))
        for first in range(0, 0x20400, 256)
    ]
    found = numbered(lines, [""] * len(lines))
    words = [
        [found.words[k] for k in found.ids[begin:end]]
        for begin, end in pairwise(found.starts[: len(lines) + 1].tolist())
    ]
    assert words == [soft_words(line) for line in lines]


pieces = st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=1, max_size=6)


@given(st.integers(0, 3), pieces, st.data())
def test_words_of_pieces_are_those_of_one_after_the_other(first, words, data):
    ids_of = [[word] for word in range(first)] + words
    texts = data.draw(st.lists(st.lists(st.integers(0, len(ids_of) - 1), max_size=5), max_size=4))
    ids, starts = _core.words_of_pieces(
        np.array([piece for text in texts for piece in text], np.uint32),
        np.cumsum([0, *map(len, texts)], dtype=np.int64),
        first,
        np.array([word for piece in words for word in piece], np.uint32),
        np.array([len(piece) for piece in words]),
    )
    expected = [[word for piece in text for word in ids_of[piece]] for text in texts]
    assert ids.tolist() == [word for text in expected for word in text]
    assert np.diff(starts).tolist() == [len(text) for text in expected]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ids": np.array([2], np.uint32)}, "not in the word table"),
        ({"lengths": np.array([1, -1])}, "less than no word"),
        ({"lengths": np.array([1, 2])}, "do not fit their words"),
        ({"starts": np.array([0, 2])}, "do not fit their tokens"),
    ],
)
def test_pieces_that_do_not_fit_are_an_error(change, message):
    arguments = {
        "ids": np.array([1], np.uint32),
        "starts": np.array([0, 1]),
        "first": 0,
        "words": np.array([7, 8], np.uint32),
        "lengths": np.array([1, 1]),
    }
    assert _core.words_of_pieces(**arguments)[0].tolist() == [8]
    with pytest.raises(ValueError, match=message):
        _core.words_of_pieces(**(arguments | change))
