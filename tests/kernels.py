"""Every kernel of the native core that reads text, under one signature: a table for tests."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from rankwise import _core

TOKENIZERS = ["none", "13a", "intl", "char", "zh", "zh-sacrebleu"]


@dataclass(frozen=True)
class Kernel:
    """A native function of hypotheses and their references, one reference each.

    ``parts`` makes plain lists of what ``call`` returns, one entry per pair; ``size`` finds in an
    entry the length of a text, in the units of the kernel.
    """

    name: str
    call: Callable
    parts: Callable[[Any], list]
    size: Callable[[Any], float]
    releases: bool = True  # the GIL, for most of the time
    quadratic: bool = False  # in the number of words of a line

    def __call__(self, hypotheses, references):
        """One entry per pair."""
        return self.parts(self.call(hypotheses, references))


def meteor_words(hypotheses, references, *, apostrophes=1, punctuation=True, normalise=True):
    """Words and ids, with a few prefixes."""
    return _core.meteor_words(
        hypotheses,
        references,
        normalise=normalise,
        punctuation=punctuation,
        apostrophes=apostrophes,
        prefixes=["Mr", "\x00"],
        numeric_prefixes=["No", "\ud800"],
    )


def align_texts(hypotheses, references):
    """METEOR's alignment in all stages, with facts about words that follow from their letters."""
    words, ids, starts, _ = meteor_words(hypotheses, references)
    table = _core.ParaphraseTable(b"0.5\nthe cat\na dog\n0.5\na\nthe\n")
    return _core.align_texts(
        ids,
        starts,
        np.arange(len(hypotheses)),
        np.arange(len(hypotheses)) + len(hypotheses),
        keys=np.arange(len(words)),
        stems=np.array([ord(word[0]) for word in words], np.int64),
        first_synset=np.arange(len(words) + 1),
        synsets=np.array([ord(word[-1]) % 5 for word in words], np.int64),
        function=np.array([ord(word[0]) % 2 for word in words], np.uint8),
        phrase_words=table.word_ids(words),
        paraphrases=table,
        stages="0123",
        original=False,
        keep_matches=True,
    )


def joined_ngrams(hypotheses, references):
    """Character n-grams of METEOR's words, joined by spaces."""
    words, ids, starts, _ = meteor_words(hypotheses, references, normalise=False)
    hyp_texts = np.arange(len(hypotheses))
    return _core.joined_ngrams(
        words, ids, starts, hyp_texts, hyp_texts + len(hypotheses), max_order=6, utf16=True
    )


def soft_matches(hypotheses, references):
    """Words that match in part: METEOR's words by their letters, no substitutes."""
    words, ids, starts, _ = meteor_words(hypotheses, references, normalise=False)
    hyp_texts = np.arange(len(hypotheses))
    return _core.soft_matches(
        words,
        ids,
        starts,
        hyp_texts,
        hyp_texts + len(hypotheses),
        weights=np.ones(len(words)),
        firsts=np.zeros(0, np.uint32),
        seconds=np.zeros(0, np.uint32),
        likenesses=np.zeros(0),
    )


def _halves(texts):
    """Hypotheses with their references, from a list of first these and then those."""
    middle = len(texts) // 2
    return list(zip(texts[:middle], texts[middle:], strict=True))


def _words_of_pairs(result):
    words, ids, starts, _ = result
    tokens = [words[i] for i in ids.tolist()]
    borders = starts.tolist()
    return _halves([tokens[a:b] for a, b in pairwise(borders)])


def _alignments(result):
    rows, matches, starts = result
    found = np.split(matches, starts[1:-1])
    return [(row.tolist(), some.tolist()) for row, some in zip(rows, found, strict=False)]


def _flat(references):
    for entry in references:
        yield from [entry] if isinstance(entry, str) else entry


def _tokens(name, function):
    return Kernel(
        name,
        lambda hypotheses, references: function([*hypotheses, *_flat(references)]),
        _halves,
        lambda pair: len(pair[0]),
        releases=False,
    )


def _counts(name, function, *options, length):
    return Kernel(
        name,
        lambda hypotheses, references: function(hypotheses, references, *options),
        np.ndarray.tolist,
        lambda row: row[length],
    )


def _operations(name, function, *options):
    return Kernel(
        name,
        lambda hypotheses, references: function(hypotheses, references, *options),
        list,
        lambda entry: len(entry[1]),
    )


def _meteor(name, **options):
    return Kernel(
        f"meteor words {name}",
        partial(meteor_words, **options),
        _words_of_pairs,
        lambda pair: len(pair[0]),
    )


KERNELS = [
    *(_tokens(f"tokenise {t}", partial(_core.tokenise, tokenizer=t)) for t in TOKENIZERS),
    *(_counts(f"bleu {t}", _core.bleu_statistics, t, 4, length=0) for t in TOKENIZERS),
    _counts("bleu of order 6", _core.bleu_statistics, "13a", 6, length=0),
    _counts("overlap", _core.overlap_statistics, "13a", length=1),
    _counts("chrf", _core.chrf_statistics, 6, 0, False, length=0),
    _counts("chrf++ with space", _core.chrf_statistics, 6, 2, True, length=0),
    _counts("edits of words", _core.edit_counts, 0, length=3),
    _counts("edits of characters", _core.edit_counts, 1, length=3),
    _counts("edits of characters but spaces", _core.edit_counts, 2, length=3),
    _operations("edit operations", _core.edit_operations, 0),
    _counts("ter", _core.ter_counts, False, False, False, False, length=1),
    _counts("ter of all kinds", _core.ter_counts, True, True, True, True, length=1),
    _operations("ter operations", _core.ter_operations, True, False, True, False),
    _tokens("tercom tokens", lambda texts: _core.tercom_tokens(texts, True, True, True, True)),
    _meteor("as they are", normalise=False),
    _meteor("with apostrophes apart", apostrophes=0),
    _meteor("of English", apostrophes=1),
    _meteor("of French without punctuation", apostrophes=2, punctuation=False),
    Kernel("align texts", align_texts, _alignments, lambda entry: entry[0][0], quadratic=True),
    Kernel("joined n-grams", joined_ngrams, np.ndarray.tolist, lambda row: row[0]),
    Kernel("soft words", soft_matches, np.ndarray.tolist, lambda row: row[0], quadratic=True),
    Kernel("pieces", _core.piece_counts, np.ndarray.tolist, lambda row: row[2], quadratic=True),
]
