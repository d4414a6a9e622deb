"""What differs between two texts, for the page."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.server.web.judge.text_differences import _common, differences, tokens

texts = st.lists(
    st.sampled_from(
        ["a", "b", "red", "house", " ", "  ", ".", ",", "é", "e\u0301", "東", "京", "ก", "ำ"]
    )
).map("".join)


def marked(parts) -> list[str]:
    return [part["text"] for part in parts if part["changed"]]


@pytest.mark.parametrize(
    ("left", "right", "on_the_left", "on_the_right"),
    [
        ("It is red.", "It is red.", [], []),
        ("It is red.", "It is blue.", ["red"], ["blue"]),
        ("It is red", "It is red.", [], ["."]),  # the word before a full stop is the same word
        ("", "new", [], ["new"]),
        ("東京へ行く", "京都へ行く", ["東"], ["都"]),  # by characters
        ("caf\u00e9", "cafe\u0301", ["caf\u00e9"], ["cafe\u0301"]),  # by code points
        ("a  b", "a b", ["  "], []),
        ("one two three", "one 2 drei", ["two", "three"], ["2", "drei"]),
    ],
)
def test_marked(left, right, on_the_left, on_the_right):
    one, other, _ = differences(left, right)
    assert (marked(one), marked(other)) == (on_the_left, on_the_right)


@given(texts, texts)
def test_the_parts_are_the_texts(left, right):
    one, other, _ = differences(left, right)
    assert "".join(part["text"] for part in one) == left
    assert "".join(part["text"] for part in other) == right
    assert "".join(tokens(left)) == left


@given(texts, texts)
def test_what_is_not_marked_is_common(left, right):
    one, other, _ = differences(left, right)
    common = ["".join(p["text"] for p in parts if not p["changed"]) for parts in (one, other)]
    assert common[0].replace(" ", "") == common[1].replace(" ", "")


@given(texts)
def test_a_text_equals_itself(text):
    one, other, _ = differences(text, text)
    assert marked(one) == marked(other) == []


def lcs_length(one: list[str], other: list[str]) -> int:
    """The textbook's table."""
    row = [0] * (len(other) + 1)
    for token in one:
        before = row[:]
        for j, match in enumerate(other):
            row[j + 1] = before[j] + 1 if token == match else max(before[j + 1], row[j])
    return row[-1]


@given(texts, texts)
def test_the_most_tokens_are_common(left, right):
    one, other = tokens(left), tokens(right)
    same, is_coarse = _common(one, other)
    assert not is_coarse
    assert all(one[i] == other[j] for i, j in same)
    assert len(same) == lcs_length(one, other)
    order = sorted(same)
    assert all(i < k and j < m for (i, j), (k, m) in pairwise(order))


WORDS = " ".join(f"w{i}" for i in range(40_000))


@pytest.mark.parametrize(
    ("left", "right", "coarse"),
    [
        ("a " * 400, "b a " * 400, False),
        ("a " * 20_000, "b a " * 20_000, True),
        ("x " + "a " * 20_000 + "y", "z " + "a " * 20_900 + "w", True),
        (WORDS, "same " + WORDS.replace("w", "v"), True),
        (f"first {WORDS} end", f"other {WORDS} end", False),
    ],
)
def test_long_and_repetitive_texts_do_not_hold_up_the_server(left, right, coarse):
    begun = time.process_time()
    one, other, is_coarse = differences(left, right)
    assert time.process_time() - begun < 2.5
    assert is_coarse == coarse
    assert marked(one) or marked(other)
