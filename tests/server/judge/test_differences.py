"""What differs between two texts, for the page."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.server.web.judge_differences import differences, tokens

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
    one, other = differences(left, right)
    assert (marked(one), marked(other)) == (on_the_left, on_the_right)


@given(texts, texts)
def test_the_parts_are_the_texts(left, right):
    one, other = differences(left, right)
    assert "".join(part["text"] for part in one) == left
    assert "".join(part["text"] for part in other) == right
    assert "".join(tokens(left)) == left


@given(texts, texts)
def test_what_is_not_marked_is_common(left, right):
    one, other = differences(left, right)
    common = ["".join(p["text"] for p in parts if not p["changed"]) for parts in (one, other)]
    assert common[0].replace(" ", "") == common[1].replace(" ", "")


@given(texts)
def test_a_text_equals_itself(text):
    one, other = differences(text, text)
    assert marked(one) == marked(other) == []


def test_long_texts_do_not_hold_up_the_server():
    words = " ".join(f"w{i}" for i in range(40_000))
    others = " ".join(f"v{i}" for i in range(40_000))
    begun = time.process_time()
    one, _ = differences(words, "same " + others)
    assert marked(one)
    assert time.process_time() - begun < 5
