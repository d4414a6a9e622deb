"""The features of the program BEER 2.0: n-grams and pairs of words, for any language."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.learning.features.feature_class import Feature, FeatureSet, Floats
from rankwise.learning.features.matched import ratio
from rankwise.text.segments import References, Texts

# The kinds of pieces in the order the native core counts them.
_PIECES = {
    **{f"char{n}": f"character {n - 1}-grams but the last" for n in range(1, 7)},
    **{f"ngram{n}": f"word {n}-grams, and both ends of the sentence" for n in range(1, 5)},
    **{f"skip{n}": f"pairs of words with at most {n} between them" for n in (1, 2, 3, 4, 1000000)},
}
_SHARES = {
    "a": "the smaller of precision and recall",
    "b": "the larger of precision and recall",
    "f.1.0": "harmonic mean of precision and recall",
    "g.1.0": "geometric mean of precision and recall",
}
_LENGTHS = {"char": "characters", "word": "words"}
_ABSURD = 100_000.0  # what BEER takes the ratio of a length to nothing for


@dataclass(frozen=True)
class Beer20(FeatureSet):
    """What BEER 2.0 computes of a pair of sentences, in the order of the names.

    For 15 kinds of pieces, the smaller and the larger of precision and recall, their harmonic and
    their geometric mean; and how much longer the longer side is, in characters and in words, minus
    one (100,000 against nothing). A piece ``charK`` has K - 1 characters and the last one is
    missing: an error of the program that its weights were trained with, as is ``char1``, the ratio
    of lengths. Words stand between spaces and are taken as they are; characters are units of UTF-16
    of the words joined by single spaces. What divides by zero is 0.

    >>> beer = Beer20()
    >>> values = beer.values(["a b c"], ["a c"])
    >>> len(beer.names), round(values[0, beer.names.index("skip1.f.1.0")], 4)
    (62, np.float64(0.5))
    """

    name: ClassVar[str] = "beer-2.0"

    @cached_property
    def own(self) -> tuple[Feature, ...]:
        """The 62 features."""
        texts = {
            f"{piece}.{share}": f"{text} of {what}"
            for piece, what in _PIECES.items()
            for share, text in _SHARES.items()
        }
        texts |= {
            f"len_disbalance_{unit}.d.1.0": f"longer over shorter side in {what}, minus one"
            for unit, what in _LENGTHS.items()
        }
        return tuple(
            Feature(name, texts[name], 0.0 if name.startswith("len") else np.inf)
            for name in sorted(texts)
        )

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The 62 features of every reference."""
        counts = _core.piece_counts(hypotheses, references)
        pieces = counts[:, 2:].reshape(len(counts), len(_PIECES), 3)
        columns = {
            "len_disbalance_word.d.1.0": _disbalance(counts[:, :2]),
            "len_disbalance_char.d.1.0": _disbalance(pieces[:, 0, :2]),
        }
        shares = ratio(pieces[..., 2:], pieces[..., :2])
        low, high = shares.min(axis=-1), shares.max(axis=-1)
        values = (low, high, ratio(2 * low * high, low + high), np.sqrt(low * high))
        for share, value in zip(_SHARES, values, strict=True):
            columns |= {f"{piece}.{share}": value[:, k] for k, piece in enumerate(_PIECES)}
        return np.stack([columns[feature.name] for feature in self.own], axis=1)

    def merit(self, rows: Floats) -> Floats:
        """The mean of the harmonic means: a ratio to an empty side would outweigh everything."""
        places = [k for k, feature in enumerate(self.own) if ".f." in feature.name]
        return np.asarray(rows[:, places].mean(axis=1))


def _disbalance(lengths: NDArray[np.int64]) -> Floats:
    shorter, longer = lengths.min(axis=1), lengths.max(axis=1)
    return np.where(shorter == 0, _ABSURD, longer / np.maximum(shorter, 1) - 1)
