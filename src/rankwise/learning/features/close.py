"""Features of how close an output is to its reference: its words, letters, first word, length."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.learning.features.feature_class import Feature, FeatureSet, Floats
from rankwise.learning.features.matched import ratio
from rankwise.learning.features.soft import (
    CHAR_ORDER,
    CHRF_BETA,
    f_score,
    masses,
    perfect_rows,
)
from rankwise.text.chrf_rows import mean_f_score
from rankwise.text.segments import References, Texts, reference_starts
from rankwise.text.soft_words import NumberedTexts, numbered

_FEATURES = {
    "words_f2": "F-score of words that match in part or in full, by rarity; recall counts twice",
    "pairs_f1": "the same of pairs of neighbours, matched as neighbours; both sides count alike",
    "chrf": "chrF2 of character 1- to 6-grams",
    "letters": "share of characters in the longest common subsequence",
    "first": "1 where both texts begin with the same word",
    "length": "1 where both texts are as long, 0 where one is longer by a fifth or more",
}
#: The difference of lengths, as a logarithm of their ratio, from which on it says no more.
_MOST_APART = 0.2


@dataclass(frozen=True)
class Close(FeatureSet):
    r"""The words of ``soft``, chrF, and three plain signs that two texts say the same.

    With texts of *n* and *m* characters, white space included, of which *c* are in their longest
    common subsequence,

    .. math:: \text{letters} = 2c / (n + m), \quad
              \text{length} = 1 - \min(|\ln \tfrac{n + 1}{m + 1}|, 0.2) / 0.2

    Words are those of ``soft``, in lower case. What divides by zero is 0, and so is ``first``
    where a text has no word.

    >>> Close().values(["the cat", "a cat"], ["the cat"] * 2).round(2)[:, 3:].tolist()
    [[1.0, 1.0, 1.0], [0.67, 0.0, 0.0]]
    """

    name: ClassVar[str] = "close"

    @cached_property
    def own(self) -> tuple[Feature, ...]:
        """The six features."""
        return tuple(Feature(name, what, 1.0) for name, what in _FEATURES.items())

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The six features of every reference."""
        texts, starts = numbered(hypotheses, references), reference_starts(references)
        found = masses(texts, starts)
        words = ratio(found[:, 2:4], found[:, :2]).T
        pairs = ratio(found[:, 6:], found[:, 4:6]).T
        letters = _core.letter_counts(hypotheses, references, CHAR_ORDER)
        return np.stack(
            [
                f_score(words[0], words[1], 2.0),
                f_score(pairs[0], pairs[1], 1.0),
                mean_f_score(letters[:, :-3], CHRF_BETA),
                _common_letters(letters),
                _begins_alike(texts, starts),
                _as_long(letters),
            ],
            axis=1,
        )

    def perfect(self, references: Texts) -> Floats:
        """Ones, which need no counting; a text of nothing but white space is counted."""
        return perfect_rows(self, references)

    def merit(self, rows: Floats) -> Floats:
        """The sum of the three that see most."""
        return np.asarray(rows[:, 0] + rows[:, 2] + rows[:, 3])


def _common_letters(letters: NDArray[np.int64]) -> Floats:
    return ratio(2 * letters[:, -3], letters[:, -2] + letters[:, -1])


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
