"""Features of how much of two texts matches, in part or in full, for any language."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.learning.features.feature_class import Feature, FeatureSet, Floats
from rankwise.learning.features.matched import ratio
from rankwise.text.chrf_rows import mean_f_score
from rankwise.text.segments import References, Texts, reference_starts
from rankwise.text.soft_words import NumberedTexts, numbered, word_table

_FEATURES = {
    "words_precision": "rarity of the output's words that the reference has, in part or in full",
    "words_recall": "rarity of the reference's words that the output has, in part or in full",
    "words_f2": "their F-score, recall counting twice",
    "pairs_f1": "the same of pairs of neighbours, matched as neighbours: F-score, both alike",
    "chrf": "chrF2 of character 1- to 6-grams",
    "letters": "share of characters in the longest common subsequence",
    "first": "1 where both texts begin with the same word",
    "length": "1 where both texts are as long, 0 where one is longer by a fifth or more",
}
#: chrF2, the one that is in use.
_CHAR_ORDER, _CHRF_BETA = 6, 2.0
#: The difference of lengths, as a logarithm of their ratio, from which on it says no more.
_MOST_APART = 0.2


@dataclass(frozen=True)
class Soft(FeatureSet):
    r"""Words that are equal, alike in letters or known substitutes, and characters in order.

    Words are aligned one to one, the most alike first. Equal words have likeness 1; words of at
    least four letters whose longest common part is the share s of them, :math:`2c / (n + m)`, have
    :math:`(s - 0.3) / 0.7`; substitutes what their table says; the largest counts. With the weight
    :math:`w` of a word, its rarity, and the likeness :math:`\ell` of its match,

    .. math:: P = \sum_{h} w_h \ell_h / \sum_h w_h, \quad R = \sum_{r} w_r \ell_r / \sum_r w_r

    YiSi-0 (Lo, 2019) has the idea of rarity and of common parts. With texts of *n* and *m*
    characters, white space included, of which *c* are in their longest common subsequence,

    .. math:: \text{letters} = 2c / (n + m), \quad
              \text{length} = 1 - \min(|\ln \tfrac{n + 1}{m + 1}|, 0.2) / 0.2

    What divides by zero is 0, and so is ``first`` where a text has no word.

    >>> Soft().values(["the cat", "a cat"], ["the cat"] * 2).round(2)[:, 5:].tolist()
    [[1.0, 1.0, 1.0], [0.67, 0.0, 0.0]]
    """

    name: ClassVar[str] = "soft"

    @cached_property
    def own(self) -> tuple[Feature, ...]:
        """The eight features."""
        return tuple(Feature(name, what, 1.0) for name, what in _FEATURES.items())

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The eight features of every reference."""
        texts, starts = numbered(hypotheses, references), reference_starts(references)
        found = _masses(texts, starts)
        precision, recall = ratio(found[:, 2:4], found[:, :2]).T
        pairs = ratio(found[:, 6:], found[:, 4:6]).T
        letters = _core.letter_counts(hypotheses, references, _CHAR_ORDER)
        return np.stack(
            [
                precision,
                recall,
                _f_score(precision, recall, 2.0),
                _f_score(pairs[0], pairs[1], 1.0),
                mean_f_score(letters[:, :-3], _CHRF_BETA),
                ratio(2 * letters[:, -3], letters[:, -2] + letters[:, -1]),
                _begins_alike(texts, starts),
                _as_long(letters),
            ],
            axis=1,
        )

    def perfect(self, references: Texts) -> Floats:
        """Ones, which need no counting; a text of nothing but white space is counted."""
        rows = np.ones((len(references), len(self.own)))
        blank = [k for k, text in enumerate(references) if not text or text.isspace()]
        if blank:
            texts = [references[k] for k in blank]
            rows[blank] = self.rows(texts, texts)
        return rows

    def merit(self, rows: Floats) -> Floats:
        """The sum of the three that see most."""
        return np.asarray(rows[:, 2] + rows[:, 4] + rows[:, 5])


def _masses(texts: NumberedTexts, reference_starts: NDArray[np.int64]) -> Floats:
    """Weights of words and of pairs: of the output, of the reference, matched in either."""
    count = len(reference_starts) - 1
    table = word_table()
    firsts, seconds, likenesses = table.pairs(texts.words)
    return _core.soft_matches(
        texts.words,
        texts.ids,
        texts.starts,
        np.repeat(np.arange(count), np.diff(reference_starts)),
        np.arange(reference_starts[-1]) + count,
        weights=table.weights(texts.words),
        firsts=firsts,
        seconds=seconds,
        likenesses=likenesses,
    )


def _f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def _begins_alike(texts: NumberedTexts, starts: NDArray[np.int64]) -> Floats:
    """1 where the first words of an output and of its reference are one word."""
    has_words = np.diff(texts.starts) > 0
    first = np.full(len(has_words), -1)
    first[has_words] = texts.ids[texts.starts[:-1][has_words]]
    ours = np.repeat(first[: len(starts) - 1], np.diff(starts))
    return np.asarray((ours >= 0) & (ours == first[len(starts) - 1 :]), np.float64)


def _as_long(letters: NDArray[np.int64]) -> Floats:
    apart = np.abs(np.log((letters[:, -2] + 1) / (letters[:, -1] + 1)))
    return 1 - np.minimum(apart, _MOST_APART) / _MOST_APART
