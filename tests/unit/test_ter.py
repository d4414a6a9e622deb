"""TER: values worked out by hand."""

import numpy as np
import pytest

from rankwise.errors import DataError
from rankwise.metrics.edit_alignment import Shift
from rankwise.metrics.ter import Ter


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        ("a b c", "a b c", 0),
        ("a x c", "a b c", 1),
        ("c d e a b", "a b c d e", 1),  # one phrase moves; WER needs 4 edits
        ("A B", "a b", 0),  # lower case unless told otherwise
        ("", "a b", 2),
        ("a b", "", 2),
        ("", "", 0),
    ],
)
def test_edits(hypothesis, reference, edits):
    expected = [[edits, len(reference.split())]]
    assert Ter().statistics([hypothesis], [reference]).tolist() == expected


def test_snover_example():
    """Snover et al. (2006), section 2: one shift, two substitutions, one missing word: 4/11."""
    reference = "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times"
    hypothesis = "THIS WEEK THE SAUDIS denied information published in the new york times"
    assert Ter().statistics([hypothesis], [reference]).tolist() == [[4, 13]]
    found = Ter().alignment(hypothesis, reference)
    assert found.shifts == (Shift(("this", "week"), 0, 3),)
    assert (found.substitutions, found.insertions, found.deletions, found.edits) == (2, 0, 1, 4)


def test_fewest_edits_over_mean_length():
    """2 edits against 3 words or 1 edit against 5 words: 1 edit over 4 words."""
    assert Ter().statistics(["a b c d"], [["a b x", "a b c d e"]]).tolist() == [[1, 4]]
    assert Ter().alignments(["a b c d"], [["a b x", "a b c d e"]])[0].operations == "====D"


def test_empty_reference_is_0_or_100():
    np.testing.assert_array_equal([0, 100], Ter().segments(["", "a b"], ["", ""]))
    assert Ter().score(np.array([3.0, 0.0])) == 100


def test_case_and_punctuation():
    assert Ter(case_sensitive=True).corpus(["A b"], ["a b"]) == 50
    assert Ter(no_punct=True).corpus(["Well, yes!"], ["well yes"]) == 0
    split = Ter(normalized=True).statistics(["&lt;b&gt; 3.5%"], ["x"])  # < b > 3.5 %
    assert split.tolist() == [[5, 1]]
    split = Ter(normalized=True, asian_support=True).statistics(["猫犬。"], ["猫"])
    assert split.tolist() == [[2, 1]]


def test_identical_texts_score_0_whatever_the_options():
    """SacreBLEU has 8 tokens in the hypothesis, 9 in the reference: jim's against jim 's."""
    text = "It is Jim's. “1,000” &amp; 猫。"
    for compat, expected in (("none", 0), ("sacrebleu", 100 * 2 / 9)):
        found = Ter(normalized=True, asian_support=True, compat=compat).corpus([text], [text])
        assert found == pytest.approx(expected)


def test_shifts_are_made_one_after_the_other():
    found = Ter().alignment("d e f a b c g i h", "a b c d e f g h i")
    assert found.shifts == (Shift(("d", "e", "f"), 0, 3), Shift(("i",), 7, 8))
    assert str(found).splitlines() == [
        "REF   a b c d e f g h i",
        "HYP   a b c d e f g h i",
        "EVAL",
        "SHIFT d e f (1 -> 4)",
        "SHIFT i (8 -> 9)",
    ]
    assert found.edits == 2


def test_unknown_compat():
    with pytest.raises(DataError, match="unknown compat 'tercom'; choose from none, sacrebleu"):
        Ter(compat="tercom")
