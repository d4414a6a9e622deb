"""The script that makes the word tables of the feature set `soft`."""

import importlib.util
import math
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_soft_words.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_soft_words", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_word_replaces_another_between_the_same_neighbours(script):
    # "big" and "large" share the left neighbour, "house" and "home" the right border.
    found = script.replaced(["a", "big", "house"], ["a", "large", "home"])
    assert found == {("big", "large"), ("home", "house")}


def test_a_word_that_both_texts_have_replaces_nothing(script):
    assert script.replaced(["a", "b"], ["b", "a"]) == set()


def test_substitutes_are_likelier_the_more_segments_show_them(script):
    once, often = ["the old car", "the old auto"], ["a red car", "a red auto"]
    assert script.substitutes([once]) == {}
    # k = 3 segments of three for both words: sqrt((3 - 1) / (3 + 5))
    assert script.substitutes([once, often, often]) == {("auto", "car"): 0.5}


def test_rarity_is_that_of_the_language_with_most_of_the_word(script):
    english = [["the die"]] * 4 + [["cast"]] * 96
    german = [["die"]] * 50 + [["wurf"]] * 50
    found = script.rarity({"en": english, "de": german})
    assert found["die"] == pytest.approx(math.log(101 / 50.5))
    assert found["the"] == pytest.approx(math.log(101 / 4.5))
    assert "wurf" in found


def test_a_word_of_few_segments_has_no_rarity_of_its_own(script):
    assert script.rarity({"en": [["rare"]] * 3 + [["not"]] * 9}).keys() == {"not"}
