"""The feature set of how close an output is to its reference."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.learning.features import feature_set

CLOSE = feature_set("close")
SOFT = feature_set("soft")
COLUMN = {name: k for k, name in enumerate(CLOSE.names)}


def value(name, output, reference):
    return CLOSE.values([output], [reference])[0, COLUMN[name]]


def test_words_and_ngrams_are_those_of_soft():
    outputs = ["the cat sat", "ab", "", "Der Minister sprach.", "猫坐在垫子上"]
    references = ["a cat sits", "abcdefgh", "x", "Die Minister sprachen!", "猫坐在那里"]
    ours, theirs = CLOSE.values(outputs, references), SOFT.values(outputs, references)
    np.testing.assert_array_equal(ours[:, :3], theirs[:, 2:])


def test_letters_by_hand():
    # "a cat" is in "a fat cat": 5 characters of 5 + 9.
    assert value("letters", "a cat", "a fat cat") == pytest.approx(10 / 14)


@pytest.mark.parametrize(
    ("output", "reference", "expected"),
    [
        ("The cat", "the dog", 1),
        ("A cat", "the cat", 0),
        ("", "", 0),
        ("", "x", 0),
        ("«x", "«y", 1),
    ],
)
def test_first_words(output, reference, expected):
    assert expected == value("first", output, reference)


def test_length_by_hand():
    # ln(11 / 10) = 0.0953 of the 0.2 that count: 10 characters against 9.
    assert value("length", "a" * 10, "b" * 9) == pytest.approx(1 - np.log(1.1) / 0.2)
    assert value("length", "b" * 9, "a" * 10) == pytest.approx(1 - np.log(1.1) / 0.2)
    assert value("length", "a" * 30, "b" * 9) == 0


@given(st.lists(st.text("aB .\t\n\x1c\x85\u3000Σ不ก\u0947\ud800"), min_size=1))
def test_a_perfect_output_is_known_without_counting(texts):
    np.testing.assert_array_equal(CLOSE.perfect(texts), CLOSE.rows(texts, texts))


@given(st.text("ab cd."), st.text("ab cd."))
def test_nothing_exceeds_a_perfect_output(output, reference):
    row = CLOSE.values([output], [reference])[0]
    assert ((row >= 0) & (row <= 1)).all()
