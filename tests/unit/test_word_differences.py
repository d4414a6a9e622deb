"""Words of a text that another lacks, and the other way round."""

import random
import time
from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.text.languages import Language, language_of
from rankwise.text.word_differences import LOOKS, common_runs, nearest, word_differences

lines = st.text(st.characters(blacklist_categories=("Cs",)), max_size=40)
sentences = st.lists(st.sampled_from(["the", "cat", "sat,", "Ünd", "£5.", "—", "我们"])).map(
    " ".join
)


def runs(text: str, other: str, language: Language | None = None) -> list[tuple[str, str]]:
    return [(run.kind, run.text) for run in word_differences(text, other, language=language)]


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("a b c", "a b c", [("same", "a b c")]),
        ("a x c", "a b c", [("same", "a "), ("added", "x "), ("missing", "b"), ("same", "c")]),
        ("", "a b", [("missing", "a b")]),
        ("a b", "", [("added", "a b")]),
        ("", "", []),
        # punctuation is a word of its own, and white space belongs to the word before it
        ("Yes.", "Yes!", [("same", "Yes"), ("added", "."), ("missing", "!")]),
        ("  a", "a", [("same", "  a")]),
    ],
)
def test_differences_by_hand(text, other, expected):
    assert runs(text, other) == expected


def test_languages_without_spaces_are_compared_by_character():
    expected = [("same", "我"), ("added", "很"), ("same", "好")]
    assert runs("我很好", "我好", language_of((), "zh-CN")) == expected
    assert runs("犬です", "猫です", language_of((), "ja"))[0] == ("added", "犬")
    assert runs("我很好", "我好", language_of(["我好"])) == expected
    assert runs("我很好", "我好") == [("added", "我很好"), ("missing", "我好")]


@given(lines | sentences, lines | sentences)
def test_what_is_not_missing_spells_the_text(text, other):
    found = word_differences(text, other)
    assert "".join(run.text for run in found if run.kind != "missing") == text


@given(lines | sentences)
def test_a_text_does_not_differ_from_itself(text):
    assert {run.kind for run in word_differences(text, text)} <= {"same"}


def test_the_nearest_reference_is_the_first_of_equals():
    assert nearest("a b c", ["x y z", "a b z", "a b c"]) == 2
    assert nearest("a", ["b", "c"]) == 0


words = st.lists(st.sampled_from("abcdef"), max_size=30)


@given(words, words)
def test_runs_are_those_of_difflib(one, other):
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    joined = []  # difflib joins neighbours
    for start, other_start, size in common_runs(one, other):
        if joined and (joined[-1][0] + joined[-1][2], joined[-1][1] + joined[-1][2]) == (
            start,
            other_start,
        ):
            joined[-1][2] += size
        else:
            joined.append([start, other_start, size])
    assert joined == [list(block) for block in blocks if block.size]


def long_texts(kind, count):
    """Two lists of so many words, of the kinds that cost most."""
    draw = random.Random(7)
    if kind == "equal":
        return ["a"] * count, ["a"] * (count - 1)
    if kind == "two words":
        return [draw.choices("ab", k=count) for _ in range(2)]
    if kind == "in turn":
        return ["a", "b"] * (count // 2), ["b", "a", "c"] * (count // 3)
    one = [f"w{int(draw.paretovariate(0.8)) % 5000}" for _ in range(count)]
    return one, [word for word in one if draw.random() > 0.1]


@pytest.mark.parametrize("kind", ["equal", "two words", "in turn", "sentences"])
def test_ten_times_as_long_costs_no_more_than_the_bound(kind):
    """In turn, 1,000 words took 20 s; 10,000 equal ones over two minutes."""
    for count in (2_000, 20_000):
        one, other = long_texts(kind, count)
        began = time.process_time()
        found = common_runs(one, other)
        took = time.process_time() - began
        assert took < 6, (kind, count)  # a third of a second on a machine with nothing else to do
        assert found == sorted(found)
        assert all(one[a : a + size] == other[b : b + size] for a, b, size in found)


def test_beyond_the_bound_the_ends_are_shared():
    one = ["begin", *["a"] * 3000, "end"]
    other = ["begin", *["a"] * 2900, "b", "end"]
    assert LOOKS < 3000 * 2900
    assert common_runs(one, other) == [(0, 0, 2901), (3001, 2902, 1)]
