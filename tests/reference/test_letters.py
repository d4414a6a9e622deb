"""Shared letters of the core against plain Python."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from reference.letters import common_subsequence, letter_counts

# Few letters, so that much is shared; and texts that reach over several blocks of 64.
texts = st.text("ab c\u00e9\u4e0d\U0001f44d\t\u3000", max_size=30)
long_texts = st.text("abc ", min_size=60, max_size=200)


@given(texts, st.lists(texts, min_size=1, max_size=3), st.integers(1, 7))
def test_counts_of_every_reference(hypothesis, references, order):
    found = _core.letter_counts([hypothesis, "x"], [references, "y"], order)
    expected = [letter_counts(hypothesis, reference, order) for reference in references]
    assert found.tolist() == [*expected, letter_counts("x", "y", order)]


@given(long_texts, long_texts)
def test_long_texts(hypothesis, reference):
    found = _core.letter_counts([hypothesis], [reference], 2)
    assert found[0].tolist() == letter_counts(hypothesis, reference, 2)


@pytest.mark.parametrize(
    "length", [63, 64, 65, 128, 129, 192, 193, 256, 257, 258, 320, 512, 513, 700]
)
def test_as_many_blocks_as_there_may_be(length):
    random = Random(length)
    hypothesis = "".join(random.choices("abcd ", k=length))
    reference = "x" + "".join(random.choices("abcd ", k=length - 2)) + "y"  # no border is shared
    found = _core.letter_counts([hypothesis], [reference], 1)
    assert found[0].tolist() == letter_counts(hypothesis, reference, 1)


@given(st.integers(1, 900), st.integers(1, 900), st.floats(0, 1), st.randoms(use_true_random=False))
def test_texts_that_share_much_or_little(ours, theirs, share, random):
    # What is far apart is looked at only where little is shared.
    reference = "".join(random.choices("abcdefgh ", k=theirs))
    parts = [
        letter if random.random() < share else random.choice("abxyz") for letter in reference * 3
    ]
    start = random.randrange(theirs)
    hypothesis = "".join(parts)[start : start + ours]
    found = _core.letter_counts([hypothesis], [reference], 1)
    assert found[0].tolist() == letter_counts(hypothesis, reference, 1)


def test_a_subsequence_by_hand():
    assert common_subsequence("abcbdab", "bdcaba") == 4  # bcba; Cormen et al., 15.4
    assert _core.letter_counts(["abcbdab"], ["bdcaba"], 1)[0, 3] == 4
