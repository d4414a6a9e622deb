"""Is every fast path still taken? Ratios of CPU time within one run, never seconds.

Each limit lies about half-way, by ratio, between what was measured with the fast path and without.
"""

import random
from functools import partial

import numpy as np
import pytest

from cpu_ratio import ratio
from rankwise import _core
from rankwise.aggregate import BradleyTerry, HopkinsMay, TrueSkill
from rankwise.aggregate.models import trueskill
from rankwise.metrics import Bleu, Chrf, Softmatch
from rankwise.metrics.meteor import Meteor
from rankwise.text.segments import are_all_str
from rankwise.text.soft_words import numbered
from rankwise.types import Judgments


@pytest.fixture(autouse=True)
def one_thread(monkeypatch):
    monkeypatch.setenv("RANKWISE_THREADS", "1")


def compared(systems, comparisons):
    """Judgments of pairs of so many systems."""
    chance = np.random.default_rng(systems)
    left = chance.integers(0, systems, comparisons)
    right = (left + chance.integers(1, systems, comparisons)) % systems
    zeros = np.zeros(comparisons, np.int32)
    return Judgments(
        tuple(f"system{number:04}" for number in range(systems)),
        ("1",),
        ("ann",),
        (("fr", "en"),),
        starts=np.arange(0, 2 * comparisons + 1, 2),
        system=np.stack([left, right], axis=1).ravel().astype(np.int32),
        rank=chance.permuted(np.tile([1.0, 2.0], (comparisons, 1)), axis=1).ravel(),
        output=np.tile(np.arange(2, dtype=np.int16), comparisons),
        segment=zeros,
        judge=zeros,
        language=zeros.astype(np.int16),
        screen=np.arange(comparisons),
    )


def test_runs_of_strengths_grow_with_comparisons_not_with_systems():
    # Ten times as many pairs meet, with the same number of comparisons: 3 to 5; cubic: over 100.
    few, many = compared(60, 20_000), compared(600, 20_000)
    runs = [partial(BradleyTerry().runs, j, runs=3, seed=1) for j in (many, few)]
    assert ratio(*runs) < 20


def test_the_sampler_grows_with_comparisons_not_with_systems():
    model = HopkinsMay(iterations=20, burn_in=5)
    runs = [partial(model.runs, compared(n, 20_000), runs=2, seed=1) for n in (1200, 300)]
    assert ratio(*runs) < 4  # sixteen times as many cells


def test_runs_near_a_posterior_need_no_inverse(monkeypatch):
    judgments = compared(400, 4000)

    def runs(exact):
        monkeypatch.setattr(trueskill, "EXACT_RUNS", exact)
        return TrueSkill().runs(judgments, runs=8, seed=1)

    assert ratio(lambda: runs(300), lambda: runs(400), repeats=3) < 0.6  # about 0.2


@pytest.mark.parametrize("letters", ["abcdefghijklmnop", "".join(map(chr, range(0x4E00, 0x4F80)))])
def test_bits_count_the_characters_of_a_sentence(letters):
    # Order 7 has no bits: it is sorted or hashed.
    chance = random.Random(1)
    references = ["".join(chance.choices(letters, k=50)) for _ in range(400)]
    hypotheses = [text[10:] + text[:20] for text in references]
    six, seven = (
        partial(_core.chrf_statistics, hypotheses, references, n, 0, False) for n in (6, 7)
    )
    assert ratio(six, seven) < 0.85


def splitting(accents):
    """A task: to split lines of which a share of the letters is accented, the last one always."""
    chance = random.Random(2)

    def word():
        letters = chance.choices("bdfgjklm", k=chance.randint(1, 11))
        return "".join("ě" if chance.random() < accents else letter for letter in letters)

    lines = [" ".join(word() for _ in range(40)) + "ě" for _ in range(600)]
    return partial(_core.bleu_statistics, lines, [""] * len(lines), "13a", 1)


def test_accented_letters_are_split_like_plain_ones():
    assert ratio(splitting(0.15), splitting(0)) < 1.2  # about 1; 1.4 with a look at each


def test_words_of_one_reference_need_no_numbers():
    # Another reference, of one word, is what the table of places is not for.
    chance = random.Random(7)
    words = ["".join(chance.choices("бвгдежзик", k=chance.randint(9, 15))) for _ in range(400)]
    references = [" ".join(chance.choices(words, k=50)) for _ in range(500)]
    hypotheses = [text[30:] for text in references]
    one, two = (
        partial(_core.bleu_statistics, hypotheses, sets, "none", 4)
        for sets in (references, [[text, "a"] for text in references])
    )
    assert ratio(one, two, repeats=25) < 0.74  # about .59; .86 where words are numbered


def test_words_of_one_character_have_a_table_of_their_own():
    # As many words of one character as of two, which are hashed.
    chance = random.Random(5)
    ones = [" ".join(chr(0x4E00 + chance.randrange(900)) for _ in range(60)) for _ in range(800)]
    twos = [line.replace(" ", "x ") for line in ones]
    counts = [
        partial(_core.bleu_statistics, [t[9:] for t in texts], texts, "none", 4)
        for texts in ([line.replace(" ", "") for line in ones], twos)
    ]
    counts[0] = partial(_core.bleu_statistics, *counts[0].args[:2], "char", 4)
    assert ratio(*counts) < 0.66  # about .5; .85 where all are hashed


def test_one_word_lines_need_no_search_for_shifts():
    # The same characters as one word and as two.
    chance = random.Random(6)
    lines = ["".join(chr(0x4E00 + chance.randrange(900)) for _ in range(60)) for _ in range(800)]
    halves = [f"{line[:30]} {line[30:]}" for line in lines]
    edits = [
        partial(_core.ter_counts, texts[1:], texts[:-1], False, False, False, True)
        for texts in (lines, halves)
    ]
    assert ratio(*edits) < 0.7  # about .5; .95 with a search


def test_digits_of_sacrebleu_take_no_loop_over_rows():
    rows = np.random.default_rng(3).integers(1, 30, (4000, 10))
    scores = [partial(Bleu(compat=compat).segment_scores, rows) for compat in ("sacrebleu", "none")]
    assert ratio(*scores) < 4  # about 1; a loop in Python takes 18


def alignment(length, share):
    """A task: to align lines of which a share of the characters differs."""
    chance = random.Random(length)
    text = "".join(chance.choices("etaoinshr", k=length))
    edited = "".join(chance.choice("xyz") if chance.random() < share else c for c in text)
    return partial(_core.edit_counts, [edited] * 4, [text] * 4, 1)


def test_lines_that_hardly_differ_are_aligned_along_the_diagonal():
    # 8 would be linear, 64 is what all cells would take.
    assert ratio(alignment(8000, 0.01), alignment(1000, 0.01)) < 24


def test_there_is_no_cliff_at_4096_characters():
    assert ratio(alignment(4300, 0.3), alignment(3900, 0.3)) < 2


@pytest.mark.parametrize("length", [45, 150, 600])
def test_scores_need_no_way_back(length):
    chance = random.Random(length)
    pairs = [
        ["".join(chance.choices("etaoin", k=length)) for _ in "hr"] for _ in range(40_000 // length)
    ]
    texts = [list(side) for side in zip(*pairs, strict=True)]
    distances, counts = (
        partial(_core.edit_distances, *texts, 1),
        partial(_core.edit_counts, *texts, 1),
    )
    assert ratio(distances, counts, repeats=9) < 0.85


def test_the_distance_of_few_words_needs_no_numbers():
    # Kinds of edits do, and a way back.
    chance = random.Random(8)
    words = ["".join(chance.choices("бвгдежзик", k=chance.randint(2, 12))) for _ in range(400)]
    references = [chance.choices(words, k=40) for _ in range(500)]
    hypotheses = [
        [word if chance.random() < 0.7 else chance.choice(words) for word in line]
        for line in references
    ]
    texts = [[" ".join(line) for line in side] for side in (hypotheses, references)]
    distances, counts = (
        partial(count, *texts, 0) for count in (_core.edit_distances, _core.edit_counts)
    )
    assert ratio(distances, counts, repeats=25) < 0.82  # about .67; .95 with numbers


def test_classes_of_texts_are_looked_at_at_the_speed_of_c():
    texts = ["x"] * 50_000
    assert ratio(partial(are_all_str, texts), lambda: [*map(type, texts)]) < 0.3  # about .04


@pytest.mark.parametrize(
    ("letters", "most"), [("etaoin", 0.7), ("\u0435\u0442\u0430\u043e\u0438\u043d", 0.85)]
)
def test_short_texts_are_counted_as_they_are(letters, most):
    # One character beyond two bytes, and both are read and numbered: about .45 and .7.
    chance = random.Random(6)
    references = [" ".join(["".join(chance.choices(letters, k=5))] * 9) for _ in range(3000)]
    hypotheses = [text[:9] + "x" + text[12:40] + text[44:] for text in references]
    wide = [text + "\U0001f600" for text in hypotheses]
    tasks = [partial(_core.edit_counts, texts, references, 1) for texts in (hypotheses, wide)]
    assert ratio(*tasks, repeats=9) < most


def test_words_are_read_at_the_width_of_their_texts():
    chance = random.Random(7)
    words = ["".join(chance.choices("etaoinshr", k=chance.randrange(5, 10))) for _ in range(500)]
    references = [" ".join(chance.choices(words, k=30)) for _ in range(2000)]
    hypotheses = [text[20:] for text in references]
    wide = [text + "\U0001f600" for text in hypotheses]
    tasks = [partial(_core.edit_counts, texts, references, 0) for texts in (hypotheses, wide)]
    assert ratio(*tasks, repeats=9) < 0.87  # about .7


@pytest.mark.parametrize("letters", [(0x4E00, 900), (0x5D0, 27), (0x430, 32)])
def test_words_of_any_script_are_found_by_the_core(letters):
    # What has a capital sigma is searched by a pattern in Python.
    chance = random.Random(8)
    first, count = letters

    def word():
        return "".join(chr(first + chance.randrange(count)) for _ in range(6))

    lines = [" ".join(word() for _ in range(10)) for _ in range(600)]
    whole = [line.replace(" ", "\u03a3 ") for line in lines]
    tasks = [partial(numbered, texts, texts) for texts in (lines, whole)]
    assert ratio(*tasks) < 0.53  # about .14 (Chinese) and .28; 1 where both are


def test_equal_words_are_matched_without_a_look_at_every_pair():
    # Paragraphs of some frequent characters, each of which is a word; half of them are replaced.
    chance = random.Random(9)
    characters = [chr(code) for code in range(0x4E00, 0x4FD0)]
    weights = [1 / rank for rank in range(2, len(characters) + 2)]
    references = [chance.choices(characters, weights, k=1600) for _ in range(20)]
    outputs = [
        [chance.choices(characters, weights)[0] if chance.random() < 0.5 else c for c in text]
        for text in references
    ]
    texts = [["".join(text) for text in side] for side in (outputs, references)]
    tasks = [partial(metric.segments, *texts) for metric in (Softmatch(), Chrf())]
    assert ratio(*tasks, repeats=3) < 9  # about 5.5; 15.5 with all pairs


def test_alignments_grow_with_words_not_with_pairs_of_equal_words():
    meteor = Meteor(modules="exact")
    lines = [[("word " * n)[:-1]] for n in (6000, 1500)]
    tasks = [partial(meteor.statistics, line, [line[0] + " more"]) for line in lines]
    assert ratio(*tasks, repeats=3) < 8  # 4 would be linear, 16 is what all pairs would take


def test_pairs_are_counted_in_bins_where_they_are_many():
    chance = np.random.default_rng(4)
    gold = chance.integers(0, 5, 3000).astype(float)
    metric, starts, weights = (
        gold / 3 + chance.normal(size=3000),
        np.array([0, 3000]),
        np.array([1]),
    )
    cells = gold, metric, starts, weights
    counted, listed = (partial(_core.tie_calibration, *cells, *most) for most in ([], [10**9]))
    assert ratio(counted, listed) < 0.6  # about 0.25
