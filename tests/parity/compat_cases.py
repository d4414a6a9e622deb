"""Texts, options and comparisons for the tests that hold the drop-in to sacreBLEU itself."""

import random

import pytest
from sacrebleu import metrics as their_metrics

from rankwise.compat.sacrebleu import metrics
from texts import PIECES, WORDS

SIZE = 60


def text(rng):
    if rng.random() < 0.4:
        return "".join(rng.choices(PIECES, k=rng.randrange(30)))
    return " ".join(rng.choices(WORDS, k=rng.randrange(20)))


def near(rng, other):
    cut = rng.randrange(len(other) + 1)
    return rng.choice([other, other[cut:] + other[:cut], other[:cut] + text(rng), text(rng)])


def corpus(seed, references, gaps=False, size=SIZE):
    """Hypotheses, and streams of references; with gaps, all streams but the first have holes."""
    rng = random.Random(seed)
    streams = [[text(rng) for _ in range(size)] for _ in range(references)]
    hypotheses = [near(rng, rng.choice(entry)) for entry in zip(*streams, strict=True)]
    if gaps:
        for stream in streams[1:]:
            stream[:] = [None if rng.random() < 0.3 else line for line in stream]
    return hypotheses, streams


CORPORA = {
    "1ref": corpus(1, 1),
    "3refs": corpus(2, 3),
    "gaps": corpus(3, 3, gaps=True),
    "single": corpus(4, 2, size=1),
    "empty": (["", "", "a"], [["", "b", ""]]),
    "nothing": ([""], [[""]]),
    "tuples": (("a b c d e", "f"), (("a b c d", "f g"), ("a b", "f"))),
}

OPTIONS = {
    "BLEU": [
        *({"tokenize": name} for name in ("none", "13a", "intl", "char", "zh")),
        *({"tokenize": name, "lowercase": True} for name in ("13a", "zh")),
        *(
            {"smooth_method": method, "smooth_value": value, "effective_order": effective}
            for method, value in (
                ("none", None),
                ("exp", 3.0),
                ("floor", None),
                ("floor", 0.0),
                ("floor", 0.5),
                ("add-k", None),
                ("add-k", 2),
                ("add-k", 0.25),
            )
            for effective in (False, True)
        ),
        *({"max_ngram_order": order, "effective_order": True} for order in (1, 2, 6)),
        {"trg_lang": "zh"},
        {"trg_lang": "de", "force": True},
    ],
    "CHRF": [
        {},
        {"word_order": 2},
        {"word_order": 1, "eps_smoothing": True, "lowercase": True},
        {"eps_smoothing": True},
        {"whitespace": True, "beta": 3},
        {"char_order": 1, "beta": 1},
        {"char_order": 0, "word_order": 3},
        {"char_order": 9, "beta": 0},
    ],
    "TER": [
        {},
        {"case_sensitive": True},
        {"normalized": True},
        {"no_punct": True, "asian_support": True},
        {"normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True},
    ],
}
CASES = [(name, options) for name, found in OPTIONS.items() for options in found]
case = pytest.mark.parametrize(("name", "options"), CASES, ids=lambda value: str(value))


def pair(name, options):
    return getattr(their_metrics, name)(**options), getattr(metrics, name)(**options)


def attributes(score):
    """All public attributes with their types: 3 is not 3.0 to those who print it."""
    public = {key: value for key, value in vars(score).items() if not key.startswith("_")}
    return {key: (value, _types(value)) for key, value in public.items()}


def _types(value):
    return [type(item) for item in value] if isinstance(value, list) else type(value)


def prints(score, signature):
    return [
        str(score),
        repr(score),
        score.format(),
        score.format(width=5),
        score.format(width=1, score_only=True),
        score.format(score_only=True, is_json=True, signature=signature),
        score.format(signature=signature),
        score.format(width=3, signature=signature, is_json=True),
    ]


def keys(signature):
    """A signature without its version, and the version."""
    long, _, version = str(signature).rpartition("|version:")
    short, _, version_too = signature.format(short=True).rpartition("|v:")
    assert version == version_too
    return long, short, version


def assert_same(theirs, mine):
    assert attributes(theirs) == attributes(mine)
    assert prints(theirs, "nrefs:1|case:lc") == prints(mine, "nrefs:1|case:lc")
