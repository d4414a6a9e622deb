"""sacreBLEU 2.6, installed: the same tokens, counts and scores on text made to break things.

Counts must be equal; scores to 1e-9 relative, and to the last digit with compat="sacrebleu".
"""

import random
from dataclasses import dataclass

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.metrics.bleu import _get_tokenizer

from rankwise import _core
from rankwise.metrics import Bleu, Chrf
from texts import PIECES, WORDS

TOLERANCE = 1e-9
SIZE = 300


@dataclass(frozen=True)
class Corpus:
    hypotheses: list[str]
    references: list[list[str]]  # by segment

    @property
    def streams(self):
        """What sacreBLEU takes: by reference, then by segment."""
        return [list(stream) for stream in zip(*self.references, strict=True)]


def corpus(seed: int, references: int) -> Corpus:
    """Half tricky pieces, half words; hypotheses share parts with their references."""
    rng = random.Random(seed)

    def text() -> str:
        if rng.random() < 0.5:
            return "".join(rng.choices(PIECES, k=rng.randrange(40)))
        return " ".join(rng.choices(WORDS, k=rng.randrange(20)))

    def near(other: str) -> str:
        cut = rng.randrange(len(other) + 1)
        return rng.choice([other, other[cut:] + other[:cut], other[:cut] + text(), text()])

    segments = [[text() for _ in range(references)] for _ in range(SIZE)]
    return Corpus([near(rng.choice(segment)) for segment in segments], segments)


CORPORA = [corpus(seed, references) for seed, references in ((1, 1), (2, 2), (3, 4))]

BLEU_OPTIONS = [
    {"tokenize": tokenize, "lowercase": lowercase}
    for tokenize in ("none", "13a", "intl", "char", "zh")
    for lowercase in (False, True)
] + [
    {"smooth": smooth, "smooth_value": value, "effective_order": effective, "max_order": order}
    for smooth, value in (("none", None), ("floor", 0.5), ("add-k", 2.0), ("add-k", None))
    for effective in (False, True)
    for order in (1, 4, 6)
]
CHRF_OPTIONS = [
    {},
    {"word_order": 2},
    {"word_order": 2, "lowercase": True},
    {"whitespace": True},
    {"eps_smoothing": True, "word_order": 1},
    {"char_order": 8, "beta": 3},
    {"char_order": 1, "beta": 1},
    {"char_order": 0, "word_order": 3},
]


def their_bleu(options: dict) -> BLEU:
    names = {"smooth": "smooth_method", "max_order": "max_ngram_order"}
    return BLEU(**{names.get(key, key): value for key, value in options.items()}, force=True)


@pytest.mark.parametrize("name", ["none", "13a", "intl", "char", "zh"])
def test_tokens(name):
    theirs = _get_tokenizer(name)()
    texts = [text for part in CORPORA for segment in part.references for text in segment]
    ours = _core.tokenise(texts, "zh-sacrebleu" if name == "zh" else name)
    assert [theirs(text).split() for text in texts] == ours


@pytest.mark.parametrize("options", BLEU_OPTIONS, ids=str)
@pytest.mark.parametrize("data", CORPORA, ids=lambda data: f"{len(data.references[0])}ref")
def test_bleu(data, options):
    theirs = their_bleu(options)
    ours = Bleu(**options, compat="sacrebleu")
    rows = ours.statistics(data.hypotheses, data.references)
    assert theirs._extract_corpus_statistics(data.hypotheses, data.streams) == rows.tolist()
    expected = theirs.corpus_score(data.hypotheses, data.streams).score
    assert ours.score(rows.sum(axis=0)) == expected
    plain = Bleu(**options)
    if options.get("tokenize") != "zh":  # whose ranges differ on purpose
        assert plain.corpus(data.hypotheses, data.references) == pytest.approx(
            expected, rel=TOLERANCE
        )


@pytest.mark.parametrize("options", BLEU_OPTIONS, ids=str)
def test_segment_bleu(options):
    data = CORPORA[1]
    theirs = their_bleu({**options, "effective_order": options.get("effective_order", True)})
    expected = [
        theirs._aggregate_and_compute([row]).score
        for row in theirs._extract_corpus_statistics(data.hypotheses, data.streams)
    ]
    compat = Bleu(**options, compat="sacrebleu")
    assert compat.segments(data.hypotheses, data.references).tolist() == expected
    rows = compat.statistics(data.hypotheses, data.references)
    plain = Bleu(**{"effective_order": True, **options}).score(rows)
    np.testing.assert_allclose(plain, expected, rtol=TOLERANCE)


@pytest.mark.parametrize("options", CHRF_OPTIONS, ids=str)
@pytest.mark.parametrize("data", CORPORA, ids=lambda data: f"{len(data.references[0])}ref")
def test_chrf(data, options):
    theirs, ours = CHRF(**options), Chrf(**options)
    rows = ours.statistics(data.hypotheses, data.references)
    counts = theirs._extract_corpus_statistics(data.hypotheses, data.streams)
    assert counts == rows.tolist()
    assert theirs.corpus_score(data.hypotheses, data.streams).score == ours.score(rows.sum(axis=0))
    assert [theirs._compute_f_score(row) for row in counts] == ours.score(rows).tolist()
