"""The native TER equals the plain one on random input."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.metrics.ter import Ter
from reference import ter

words = st.lists(st.sampled_from("abcdefgh"), max_size=14)


def check(hypothesis, reference):
    edits, operations, shifted = ter.translation_edits(hypothesis, reference)
    texts = [" ".join(hypothesis)], [" ".join(reference)]
    assert Ter().statistics(*texts).tolist() == [[edits, len(reference)]]
    [found] = Ter().alignments(*texts)
    assert found.operations == operations
    assert found.hypothesis == tuple(shifted)
    assert found.edits == edits


@given(words, words)
def test_short_lines(hypothesis, reference):
    check(hypothesis, reference)


def shuffled_blocks(words, rng):
    blocks, at = [], 0
    while at < len(words):
        length = rng.randint(1, 8)
        blocks.append(words[at : at + length])
        at += length
    for _ in range(rng.randint(1, 4)):
        block = blocks.pop(rng.randrange(len(blocks)))
        blocks.insert(rng.randrange(len(blocks) + 1), block)
    return [word if rng.random() < 0.9 else "x" for block in blocks for word in block]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("vocabulary", [3, 30, 200])
def test_lines_wider_than_the_beam(seed, vocabulary):
    """Long enough for the beam to cut paths off; with few words, for the limit of candidates."""
    rng = random.Random(seed)
    reference = [str(rng.randrange(vocabulary)) for _ in range(rng.randint(26, 45))]
    check(shuffled_blocks(reference, rng), reference)


@pytest.mark.parametrize(
    ("hypothesis", "reference"), [(1, 49), (1, 51), (1, 120), (2, 101), (3, 148)]
)
def test_references_much_longer_than_the_hypothesis(hypothesis, reference):
    """From 50 times the length on, the beam grows and another kernel takes over."""
    rng = random.Random(reference)
    check(rng.choices("abc", k=hypothesis), rng.choices("abcdef", k=reference))


@pytest.mark.parametrize("lengths", [(60, 2), (50, 20), (20, 70)])
def test_very_unequal_lengths(lengths):
    rng = random.Random(lengths[0])
    check(*([str(rng.randrange(12)) for _ in range(length)] for length in lengths))
