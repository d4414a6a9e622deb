"""chrF and chrF++ with the interface and the digits of sacreBLEU."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from rankwise.compat.sacrebleu.metrics.base import Metric, Sums
from rankwise.compat.sacrebleu.metrics.score import Score
from rankwise.compat.sacrebleu.metrics.signature import Signature
from rankwise.compat.sacrebleu.metrics.streams import Streams
from rankwise.metrics import Chrf
from rankwise.metrics.chrf import EPSILON
from rankwise.metrics.metric_class import Rows

# N-grams of hypothesis, of reference and of both, by order.
Orders = list[tuple[float, float, float]]


class CHRFSignature(Signature):
    """``case``, ``eff``, ``nc``, ``nw`` and ``space``; beta is in the name of the score."""

    SHORT: ClassVar[Mapping[str, str]] = {
        "case": "c",
        "eff": "e",
        "nc": "nc",
        "nw": "nw",
        "space": "s",
    }

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info["case"] = "lc" if args["lowercase"] else "mixed"
        self.info["eff"] = "no" if args["eps_smoothing"] else "yes"
        self.info["nc"] = args["char_order"]
        self.info["nw"] = args["word_order"]
        self.info["space"] = "yes" if args["whitespace"] else "no"


class CHRFScore(Score):
    """A chrF score, named by beta and with a plus for every word order."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        super().__init__(f"chrF{beta}{'+' * word_order}", score)
        self.char_order = char_order
        self.word_order = word_order
        self.beta = beta


class CHRF(Metric[CHRFScore]):
    """chrF; see :class:`rankwise.metrics.Chrf` for the formula.

    >>> CHRF(word_order=2).corpus_score(["the cat sat"], [["the cat sits"]])
    chrF2++ = 60.39
    """

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Streams | None = None,
    ) -> None:
        super().__init__(references)
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.beta = beta
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing

    def native(self) -> Chrf:
        """The metric of Rankwise that has these options."""
        return Chrf(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=bool(self.lowercase),
            whitespace=bool(self.whitespace),
            eps_smoothing=bool(self.eps_smoothing),
        )

    def _compute_score_from_stats(self, stats: Any) -> CHRFScore:
        counts = np.asarray(stats).tolist()
        score = _mean_of_scores if self.eps_smoothing else _score_of_means
        value = score(list(zip(counts[::3], counts[1::3], counts[2::3], strict=True)), self.beta**2)
        return CHRFScore(value, self.char_order, self.word_order, self.beta)

    def resampled_scores(self, sums: Sums) -> Rows:
        """The formula over arrays, every step rounded to single precision."""
        hyps, refs, matches = sums[:, ::3], sums[:, 1::3], sums[:, 2::3]
        factor = self.beta**2
        precisions, recalls = _shares(matches, hyps), _shares(matches, refs)
        if self.eps_smoothing:
            total = np.zeros(len(sums), np.float32)
            for precision, recall in zip(precisions.T, recalls.T, strict=True):
                total += _f_scores(precision, recall, factor, EPSILON)
            return 100 * total / self.order
        is_met = (hyps > 0) & (refs > 0)
        counts = np.maximum(is_met.sum(axis=1), 1).astype(np.float32)
        held = (np.where(is_met, shares, 0) for shares in (precisions, recalls))
        totals = (np.add.accumulate(one, axis=1, dtype=np.float32)[:, -1] for one in held)
        precision, recall = (np.asarray(total / counts, np.float32) for total in totals)
        return 100 * _f_scores(precision, recall, factor, 0.0)


# The same as ``Chrf`` computes for rows, for one row of Python numbers: a score of a sentence
# takes microseconds, which arrays of a few numbers do not.


def _score_of_means(orders: Orders, factor: float) -> float:
    shared = [(match / hyp, match / ref) for hyp, ref, match in orders if hyp > 0 and ref > 0]
    precision = recall = 0.0
    for one, other in shared:  # in this order, without the compensation that sum() has
        precision += one
        recall += other
    if precision + recall == 0:
        return 0.0
    precision /= len(shared)
    recall /= len(shared)
    return 100 * ((1 + factor) * precision * recall / (factor * precision + recall))


def _mean_of_scores(orders: Orders, factor: float) -> float:
    total = 0.0
    for hyp, ref, match in orders:
        precision = match / hyp if hyp > 0 else EPSILON
        recall = match / ref if ref > 0 else EPSILON
        denominator = factor * precision + recall
        total += (1 + factor) * precision * recall / denominator if denominator > 0 else EPSILON
    return 100 * total / len(orders)


def _shares(matches: Sums, totals: Sums) -> Sums:
    """Matches by totals, and next to nothing where there is nothing."""
    return np.divide(matches, totals, out=np.full_like(matches, EPSILON), where=totals > 0)


def _f_scores(precisions: Sums, recalls: Sums, factor: int, otherwise: float) -> Sums:
    """F-scores of precisions and recalls, *otherwise* where both are 0."""
    below = factor * precisions + recalls
    above = (1 + factor) * precisions * recalls
    found: Sums = np.divide(above, below, out=np.full_like(below, otherwise), where=below > 0)
    return found
