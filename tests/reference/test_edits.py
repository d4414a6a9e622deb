"""The native edits equal the plain matrix on random input."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise import _core
from rankwise.metrics.wer import Cer, Wer
from reference import edits

texts = st.text(alphabet="ab cé\u3000\U0001f600\ud800\x00", max_size=90)
words = st.lists(st.sampled_from("abcde"), max_size=150)


def native(hypothesis, reference):
    [(_, operations)] = _core.edit_operations([" ".join(hypothesis)], [" ".join(reference)], 0)
    return operations


def total(hypothesis, reference, unit):
    [[edits, length]] = _core.edit_distances([hypothesis], [reference], unit).tolist()
    return edits, length


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 66, 127, 128, 129, 130, 200])
@pytest.mark.parametrize("letters", ["a", "é", "中", "𠮷"])
def test_distances_where_references_have_more_places(size, letters):
    """One of 64 or 128 words has a bit for each; and keys of words are 31 bytes long at most."""
    chance = random.Random(size)
    known = [letters * n for n in (1, 2, 7, 8, 15, 16, 31, 32, 40)]
    known += [f"{word}x" for word in known]
    reference = chance.choices(known, k=size)
    for length in (0, 1, size - 1, size, size + 70):
        hypothesis = (reference[1:] + chance.choices([*known, "new"], k=length))[:length]
        hypothesis[: length // 3] = chance.sample(hypothesis[: length // 3], length // 3)
        texts = " ".join(hypothesis), "  ".join(reference)
        distance, other = edits.distances(hypothesis, reference)[-1][-1], max(length, 3)
        assert total(*texts, 0) == (distance, size)
        [found] = _core.edit_distances(texts[:1], [["none of these", texts[1]]], 0).tolist()
        assert found == ([distance, size] if 3 * distance < size * other else [other, 3])


@given(words, words)
def test_operations_of_words(hypothesis, reference):
    assert edits.operations(hypothesis, reference) == native(hypothesis, reference)
    distance = edits.distances(hypothesis, reference)[-1][-1]
    assert total(" ".join(hypothesis), " ".join(reference), 0) == (distance, len(reference))


@given(texts, texts, st.booleans())
def test_operations_of_characters(hypothesis, reference, whitespace):
    metric = Cer(whitespace=whitespace)
    space = " " if whitespace else ""
    h, r = (space.join(text.split()) for text in (hypothesis, reference))
    found = metric.alignment(hypothesis, reference)
    assert edits.operations(h, r) == found.operations
    assert (tuple(h), tuple(r)) == (found.hypothesis, found.reference)


#: One byte a character, two (several pages of 256), four; with every kind of white space between.
alphabets = st.sampled_from(
    [
        "ab c\xa0\x85\x1c\t",
        "\u0430\u0431 \u05d0a\u2009\u2028\u202f",
        "\u4e2d\u3042 \u3000\u1680\uffff\xe9",
        "\U0001f600 b",
    ]
)
in_some_script = alphabets.flatmap(lambda letters: st.text(letters, max_size=300))


@given(in_some_script, st.lists(in_some_script, min_size=1, max_size=3), st.booleans())
def test_counts_of_characters_in_any_script(hypothesis, references, whitespace):
    """Short texts are counted as they are, at their width; the plain matrix knows no width."""
    space = " " if whitespace else ""
    h, *others = (space.join(text.split()) for text in (hypothesis, *references))

    def rate(reference):
        distance = rowwise_distance(list(map(ord, h)), np.array(list(map(ord, reference)), int))
        return distance / len(reference) if reference else float(distance > 0)

    best = min(others, key=rate)
    row = Cer(whitespace=whitespace).statistics([hypothesis], [references])[0].tolist()
    distance = rowwise_distance(list(map(ord, h)), np.array(list(map(ord, best)), int))
    assert [sum(row[:3]), row[3]] == [distance, len(best)]
    assert total(hypothesis, references, 1 if whitespace else 2) == (distance, len(best))
    assert row[1] - row[2] == len(h) - len(best)
    if len(h) * len(best) < 4000:  # the plain matrix is slow
        expected = edits.operations(h, best)
        assert row[:3] == [expected.count(letter) for letter in "SID"]


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_lowest_rate_reference(hypothesis, references):
    def rate(reference):
        h, r = hypothesis.split(), reference.split()
        distance = edits.distances(h, r)[-1][-1]
        return distance / len(r) if r else float(distance > 0)

    best = min(references, key=rate)  # the first of equals
    expected = edits.operations(hypothesis.split(), best.split())
    row = [*(expected.count(letter) for letter in "SID"), len(best.split())]
    assert [row] == Wer().statistics([hypothesis], [references]).tolist()
    assert total(hypothesis, references, 0) == (sum(row[:3]), row[3])


pairs = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=2)), max_size=5)


@pytest.mark.parametrize("metric", [Wer(), Cer(), Cer(whitespace=False, lowercase=True)])
@given(pairs)
def test_scores_without_kinds_of_edits_are_those_of_rows(metric, pairs):
    hypotheses, references = [h for h, _ in pairs], [r for _, r in pairs]
    rows = metric.statistics(hypotheses, references)
    assert metric.segments(hypotheses, references).tolist() == metric.score(rows).tolist()
    assert metric.corpus(hypotheses, references) == metric.score(metric.total(rows))


class Insertions(Wer):
    """Counts insertions alone."""

    def score(self, rows):
        return super().score(np.multiply(rows, [0, 1, 0, 1]))


def test_a_score_of_its_own_gets_the_kinds_of_edits():
    assert Insertions().corpus(["a b x y"], ["a c"]) == 100
    assert Insertions().segments(["a b x", "b"], ["a b", "c"]).tolist() == [50, 0]


def edited(words, count, vocabulary, rng):
    words = list(words)
    for _ in range(count):
        at = rng.randrange(len(words) + 1)
        words[at : at + rng.randrange(2)] = rng.choices(vocabulary, k=rng.randrange(2))
    return words


@pytest.mark.parametrize("seed", range(40))
def test_the_band_narrows_to_what_an_alignment_can_reach(seed):
    """Lines of up to 600 words that differ little or much, in parts, in length or in order."""
    rng = random.Random(seed)
    vocabulary = "abcdefgh"[: rng.randint(2, 8)]
    reference = rng.choices(vocabulary, k=rng.randint(65, 600))
    hypothesis = edited(reference, rng.choice([0, 3, 30, 300, 1000]), vocabulary, rng)
    cut = rng.randrange(len(hypothesis) + 1)
    variants = [hypothesis, hypothesis[cut:] + hypothesis[:cut], hypothesis[cut:]]
    for variant in (*variants, hypothesis[: cut // 4], hypothesis[:cut] * 2):
        operations = edits.operations(variant, reference)
        assert operations == native(variant, reference)
        distance = sum(map(operations.count, "SID"))
        assert total(" ".join(variant), " ".join(reference), 0)[0] == distance
        characters = "".join(variant), "".join(reference)  # of one letter each
        assert total(*characters, 1) == (distance, len(reference))


@pytest.mark.parametrize("count", [5, 300, 3000])
def test_long_lines_keep_to_the_diagonals_that_count(count):
    """Lines long enough that the native core works within a limit, and has to raise it."""
    rng = random.Random(count)
    vocabulary = [str(i) for i in range(2000)]
    for length in (1100, 4200):
        reference = rng.choices(vocabulary, k=length)
        hypothesis = edited(reference, count, vocabulary, rng)[: 2_000_000 // length]
        assert edits.operations(hypothesis, reference) == native(hypothesis, reference)


def test_lines_too_long_to_keep_at_once():
    """4,000 x 40,000: several stretches of rows, and positions in lists instead of a table."""
    rng = random.Random(1)
    vocabulary = [str(i) for i in range(9000)]
    reference = rng.choices(vocabulary, k=40_000)
    hypothesis = edited(reference[:4000], 400, vocabulary, rng)
    operations = native(hypothesis, reference)
    assert len(hypothesis) == sum(map(operations.count, "=SI"))
    assert len(reference) == sum(map(operations.count, "=SD"))
    # Read backwards, the distance is the same; the alignment may differ.
    backwards = native(hypothesis[::-1], reference[::-1])
    assert sum(map(operations.count, "SID")) == sum(map(backwards.count, "SID"))


def rowwise_distance(one, other):
    """The distance of two arrays, a row of the matrix at a time."""
    places = np.arange(len(other) + 1)
    row = places.copy()
    for number, letter in enumerate(one, 1):
        best = np.minimum(row[:-1] + (other != letter), row[1:] + 1)
        row = np.minimum.accumulate(np.concatenate(([number], best)) - places) + places
    return int(row[-1])


@pytest.mark.parametrize("alike", [0, 5000, 8950])
def test_steps_that_do_not_fit_are_computed_again(alike):
    """9,000 x 9,000 characters, alike up to somewhere: limits are raised by what the rest shows."""
    chance = np.random.default_rng(alike)
    reference, hypothesis = chance.integers(ord("a"), ord("f"), (2, 9000))
    hypothesis[:alike] = reference[:alike]
    texts = ["".join(map(chr, side)) for side in (hypothesis, reference)]
    ((_, operations),) = _core.edit_operations([texts[0]], [texts[1]], 1)
    distance = rowwise_distance(hypothesis, reference)
    assert distance == sum(map(operations.count, "SID"))
    assert total(*texts, 1) == (distance, 9000)
    assert sum(map(operations.count, "=SI")) == sum(map(operations.count, "=SD")) == 9000
