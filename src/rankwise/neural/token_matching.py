"""Tokens of two texts matched greedily, each with the one nearest to it: BERTScore."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from rankwise.neural.text_encoder import TokenVectors


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """What a token counts: by how few texts have it, or 1 each; the marks around a text count 0.

    ``rarity`` has the weights of known tokens and ``unknown`` that of all others.
    """

    rarity: Mapping[int, float]
    unknown: float = 1.0

    @classmethod
    def equal(cls) -> "TokenWeights":
        """1 for every token."""
        return cls({})

    @classmethod
    def by_rarity(cls, texts: Sequence[Iterable[int]]) -> "TokenWeights":
        r"""The inverse document frequency in *texts*, tokens each.

        .. math:: w_t = \\log \\frac{N + 1}{n_t + 1}
        """
        counts = Counter(token for text in texts for token in set(text))
        total = len(texts) + 1
        return cls({token: log(total / (n + 1)) for token, n in counts.items()}, log(total))

    def of(self, tokens: Sequence[int], marks: Sequence[int] = ()) -> np.ndarray:
        """The weight of every token."""
        found = [0.0 if t in marks else self.rarity.get(t, self.unknown) for t in tokens]
        return np.array(found, np.float64)


def greedy_match(
    output: TokenVectors, reference: TokenVectors, weights: TokenWeights
) -> tuple[float, float, float]:
    """Precision, recall and F1 of the cosines of every token and its nearest one.

    The marks at both ends may be the nearest, but count nothing themselves. A text without tokens
    has 0 of all three.
    """
    if len(output.ids) <= 2 or len(reference.ids) <= 2:
        return 0.0, 0.0, 0.0
    cosines = output.rows @ reference.rows.T
    precision = _weighted(cosines.max(axis=1), output.ids, weights)
    recall = _weighted(cosines.max(axis=0), reference.ids, weights)
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


def _weighted(nearest: np.ndarray, ids: Sequence[int], weights: TokenWeights) -> float:
    """The weighted mean; 0 where nothing counts."""
    shares = weights.of(ids, marks=(ids[0], ids[-1]))
    total = float(shares.sum())
    return float(nearest @ shares / total) if total else 0.0
