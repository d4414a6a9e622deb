"""Features of words that match in part, weighted by how rare they are, for any language."""

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
    "soft_precision": "rarity of the output's words that the reference has, in part or in full",
    "soft_recall": "rarity of the reference's words that the output has, in part or in full",
    "soft_f2": "their F-score, recall counting twice",
    "pairs_f1": "the same of pairs of neighbours, matched as neighbours: F-score, both alike",
    "chrf": "chrF2 of character 1- to 6-grams",
}
#: chrF2, the one that is in use.
CHAR_ORDER, CHRF_BETA = 6, 2.0


@dataclass(frozen=True)
class Soft(FeatureSet):
    r"""Precision and recall of words that are equal, alike in letters, or known substitutes.

    Words are aligned one to one, the most alike first. Equal words have likeness 1; words of at
    least four letters whose longest common part is the share s of them, :math:`2c / (n + m)`, have
    :math:`(s - 0.3) / 0.7`; substitutes what their table says; the largest counts. With the weight
    :math:`w` of a word, its rarity, and the likeness :math:`\ell` of its match,

    .. math:: P = \sum_{h} w_h \ell_h / \sum_h w_h, \quad R = \sum_{r} w_r \ell_r / \sum_r w_r

    What divides by zero is 0. YiSi-0 (Lo, 2019) has the idea of rarity and of common parts.

    >>> soft = Soft()
    >>> soft.values(["the cat"], ["the cat"])[0].round(6).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """

    name: ClassVar[str] = "soft"

    @cached_property
    def own(self) -> tuple[Feature, ...]:
        """The five features."""
        return tuple(Feature(name, what, 1.0) for name, what in _FEATURES.items())

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The five features of every reference."""
        found = masses(numbered(hypotheses, references), reference_starts(references))
        precision, recall = ratio(found[:, 2:4], found[:, :2]).T
        pairs = ratio(found[:, 6:], found[:, 4:6]).T
        return np.stack(
            [
                precision,
                recall,
                f_score(precision, recall, 2.0),
                f_score(pairs[0], pairs[1], 1.0),
                mean_f_score(
                    _core.chrf_statistics(hypotheses, references, CHAR_ORDER, 0, False), CHRF_BETA
                ),
            ],
            axis=1,
        )

    def perfect(self, references: Texts) -> Floats:
        """Ones, which need no counting; a text of nothing but white space is counted."""
        return perfect_rows(self, references)

    def merit(self, rows: Floats) -> Floats:
        """The sum of the two F-scores that see most."""
        return np.asarray(rows[:, 2] + rows[:, 4])


def perfect_rows(features: FeatureSet, references: Texts) -> Floats:
    """Ones for references with words, and what the features say of those without."""
    rows = np.ones((len(references), len(features.own)))
    blank = [k for k, text in enumerate(references) if not text or text.isspace()]
    if blank:
        texts = [references[k] for k in blank]
        rows[blank] = features.rows(texts, texts)
    return rows


def masses(texts: NumberedTexts, reference_starts: NDArray[np.int64]) -> Floats:
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


def f_score(precision: Floats, recall: Floats, beta: float) -> Floats:
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)
