"""The feature set of words that match in part, and the words it sees."""

from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.learning.features import feature_set
from rankwise.learning.learned_model import LearnedModel
from rankwise.text.soft_words import WordTable, numbered, soft_words, word_table

SOFT = feature_set("soft")
COLUMN = {name: k for k, name in enumerate(SOFT.names)}


def value(name, output, reference):
    return SOFT.values([output], [reference])[0, COLUMN[name]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("The U.S.", ["the", "u", ".", "s", "."]),
        ("机器翻译 GPU", ["机", "器", "翻", "译", "gpu"]),
        ("हिन्दी में।", ["हिन्दी", "में", "।"]),  # vowel signs stay in their word, the stop does not
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("カタカナと", ["カ", "タ", "カ", "ナ", "と"]),
    ],
)
def test_words(text, words):
    assert words == soft_words(text)


def test_texts_are_numbered_as_they_come():
    texts = numbered(["b a.", ""], ["a.c", ["b\u3000a", " "]])
    assert texts.words == ("b", "a", ".", "c")
    assert texts.ids.tolist() == [0, 1, 2, 1, 2, 3, 0, 1]
    assert texts.starts.tolist() == [0, 3, 3, 6, 8, 8]


@given(st.lists(st.text("aÀΣσ.,'\u0e01\u0947\u0e31ー\u3000\x85\x1c\xa0 \t\n不1"), min_size=1))
def test_numbered_texts_have_the_words_of_each(texts):
    found = numbered(texts, texts)
    words = [found.words[id] for id in found.ids]
    parts = [words[a:b] for a, b in pairwise(found.starts)]
    assert parts == [soft_words(text) for text in texts * 2]


def test_pairs_are_those_of_words_that_are_there():
    table = WordTable({}, {"a": {"b": 0.5, "c": 0.25}})
    firsts, seconds, values = table.pairs(["c", "a"])
    assert (firsts.tolist(), seconds.tolist(), values.tolist()) == ([1], [0], [0.25])


def test_shipped_table_is_sound():
    table = word_table()
    assert table.rarity["the"] < 1 < table.rarity["minister"] <= 7
    assert all(0 < value <= 1 for row in table.substitutes.values() for value in row.values())
    assert all(word < other for word, row in table.substitutes.items() for other in row)


def test_values_by_hand():
    # Unknown words of 10 and 9 letters weigh 6.6 and 6.5; "qqqqqqqq" is common to both, so that
    # s = 16 / 19 and the likeness is (s - 0.3) / 0.7; the pairs hold the same words.
    alike = (16 / 19 - 0.3) / 0.7
    row = SOFT.values(["qqqqqqqqzz"], ["qqqqqqqqx"])[0]
    np.testing.assert_allclose(row[:3], [alike] * 3)
    np.testing.assert_allclose(row[3], alike**0.5)


def test_rare_words_weigh_more():
    # Precision without one word of two: the other's weight over the weight of both.
    assert SOFT.values(["the zyzzyva"], ["the"])[0, 0] < 0.3
    assert SOFT.values(["the zyzzyva"], ["zyzzyva"])[0, 0] > 0.7


def test_an_empty_side_has_nothing():
    assert SOFT.values(["", "a", ""], ["a", "", ""]).tolist() == [
        [0.0] * 7 + [length] for length in (0.0, 0.0, 1.0)
    ]


def test_chrf_is_that_of_the_metric():
    from rankwise.metrics import Chrf

    outputs, references = ["the cat sat", "ab", ""], ["a cat sits", "abcdefgh", "x"]
    expected = [
        Chrf().segments([o], [r])[0] / 100 for o, r in zip(outputs, references, strict=True)
    ]
    np.testing.assert_allclose(SOFT.values(outputs, references)[:, COLUMN["chrf"]], expected)


def test_the_better_of_two_references_counts():
    row = SOFT.values(["the cat sat"], [["dogs ran", "the cat sat"]])
    np.testing.assert_allclose(row, np.ones((1, 8)))


def test_shipped_model_reads_the_features():
    text = (files("rankwise.metrics") / "models" / "softmatch.json").read_text(encoding="utf-8")
    model = LearnedModel.from_json(text)
    features = feature_set(model.features)
    assert model.columns == features.names
    outputs = ["The minister said no.", "A minister speaks.", "No."]
    references = ["The minister said no."] * 3
    scores = model.scores(features.values(outputs, references), features.perfect(references))
    assert scores[0] == 1 > scores[1] > scores[2] > 0


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
    np.testing.assert_array_equal(SOFT.perfect(texts), SOFT.rows(texts, texts))


@given(st.text("ab cd."), st.text("ab cd."))
def test_nothing_exceeds_a_perfect_output(output, reference):
    row = SOFT.values([output], [reference])[0]
    assert ((row >= 0) & (row <= 1)).all()
