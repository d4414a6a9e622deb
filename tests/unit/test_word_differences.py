"""Words of a text that another lacks, and the other way round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.text.languages import Language, language_of
from rankwise.text.word_differences import nearest, word_differences

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
