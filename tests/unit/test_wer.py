"""WER and CER: values worked out by hand."""

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.metrics.wer import Cer, Wer

REFERENCE = "Israeli officials are responsible for airport security"


def test_lecture_example_above_100():
    """The lecture: a good paraphrase in another order has a WER above 100 %."""
    hypothesis = "This airport's security is the responsibility of the Israeli security officials"
    # Only the second 'security' is worth matching: the 9 words before it stand against 6 (6
    # substitutions, 3 insertions), 'officials' after it is inserted.
    assert Wer().statistics([hypothesis], [REFERENCE]).tolist() == [[6, 4, 0, 7]]
    assert Wer().corpus([hypothesis], [REFERENCE]) == 100 * (10 / 7)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "row"),
    [
        ("a b c", "a b c", [0, 0, 0, 3]),
        ("a x c", "a b c", [1, 0, 0, 3]),
        ("a b c d", "a b c", [0, 1, 0, 3]),
        ("b c", "a b c", [0, 0, 1, 3]),
        ("", "a b", [0, 0, 2, 2]),
        ("a b", "", [0, 2, 0, 0]),
        (" \n", "\u3000", [0, 0, 0, 0]),
        ("a\u00a0b", "a b", [0, 0, 0, 2]),  # a no-break space separates too, as in str.split
    ],
)
def test_rows_of_words(hypothesis, reference, row):
    assert [row] == Wer().statistics([hypothesis], [reference]).tolist()


def test_ties_are_broken_from_the_end():
    """'b' against 'b b' matches the last 'b'; 'x y' against 'y' could not be aligned otherwise."""
    assert Wer().alignment("b", "b b").operations == "D="
    assert Wer().alignment("b b", "b").operations == "I="
    assert Wer().alignment("a b", "b a").operations == "SS"  # two substitutions, not I=D


def test_empty_reference_is_0_or_100():
    metric = Wer()
    np.testing.assert_array_equal([0, 100, 100], metric.segments(["", "a", "a b"], ["", "", ""]))
    assert metric.corpus(["", "a b"], ["c", ""]) == 300  # one deletion, two insertions, one word


def test_lowercase():
    assert Wer().corpus(["The END"], ["the end"]) == 100
    assert Wer(lowercase=True).corpus(["The END"], ["the end"]) == 0
    assert Cer(lowercase=True).corpus(["The END"], [["x", "the end"]]) == 0


def test_lowest_error_rate_wins_not_fewest_edits():
    """1 edit of 2 words is 50 %, 2 edits of 5 words are 40 %."""
    references = ["a z", "a b c d e"]
    assert Wer().statistics(["a b c"], [references]).tolist() == [[0, 0, 2, 5]]
    assert Wer().alignments(["a b c"], [references])[0].reference == ("a", "b", "c", "d", "e")


def test_scores_of_a_stack_of_rows():
    rows = np.array([[[1, 0, 0, 2], [0, 0, 0, 0]], [[0, 3, 0, 0], [1, 1, 1, 4]]])
    np.testing.assert_array_equal([[50, 0], [100, 75]], Wer().score(rows))
    assert isinstance(Wer().score(rows[0, 0]), float)


def test_characters():
    assert Cer().statistics(["kitten"], ["sitting"]).tolist() == [[2, 0, 1, 7]]  # Levenshtein
    assert Cer().statistics(["e\u0301"], ["é"]).tolist() == [[1, 1, 0, 1]]  # code points
    assert Cer(whitespace=False).corpus(["a b"], ["ab"]) == 0
    assert Cer().corpus(["a b"], ["ab"]) == 50


def test_printed_alignment():
    printed = str(Wer().alignment("the 猫 sat on", "a cat sat down there"))
    assert printed.splitlines() == [
        "REF   a   cat sat down there",
        "HYP   the 猫  sat ***  on",
        "EVAL  S   S       D    S",
    ]
    assert str(Cer().alignment("a b", "ab")).splitlines() == [
        "REF   a *** b",
        "HYP   a ␣   b",
        "EVAL    I",
    ]


def test_wrong_shape_is_a_sentence():
    with pytest.raises(DataError, match="2 hypotheses but references for 1 segments"):
        Wer().statistics(["a", "b"], ["a"])
    with pytest.raises(DataError, match="segment 1 has no reference"):
        Wer().alignments(["a"], [[]])
