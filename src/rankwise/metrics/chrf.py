"""chrF and chrF++: the F-score of character (and word) n-grams. Popović (2015, 2017), WMT."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rankwise import _core
from rankwise._lazy import LazyModule
from rankwise.errors import DataError
from rankwise.metrics.metric_class import (
    Metric,
    Rows,
    as_scores,
    check_flag,
    check_number,
    check_rows,
    map_references,
)
from rankwise.text.chrf_rows import by_order, mean_f_score, plain_f_score, ratio_or
from rankwise.text.segments import References, Texts, best_reference_rows, check_texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")

# What chrF++.py takes for a precision, recall or F-score that is undefined.
EPSILON = 1e-16


@dataclass(frozen=True, kw_only=True)
class Chrf(Metric):
    r"""The F-score of mean n-gram precision and mean n-gram recall, 0 to 100.

    .. math:: 100 \, (1 + \beta^2) \frac{P R}{\beta^2 P + R}

    *P* and *R* average over character orders 1 to ``char_order`` and word orders 1 to
    ``word_order`` (2 gives chrF++), leaving out orders of which either side has no n-grams; with
    ``eps_smoothing`` every order has its own F-score and their mean is taken over all orders, as
    in chrF++.py. No n-grams, or no match, give 0. White space is left out unless ``whitespace``.

    Of several references the one with the best score counts, the first of equals, segment by
    segment, as in sacreBLEU 2.6.

    >>> Chrf().corpus(["the cat"], ["the cat"])
    100.0
    >>> round(Chrf(char_order=1, beta=1).corpus(["ab"], ["abcd"]), 2)  # P = 1, R = 1/2
    66.67
    """

    name: ClassVar[str] = "chrf"
    best: ClassVar[float | None] = 100.0

    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def __post_init__(self) -> None:
        """Check the options."""
        check_number(self.name, "char_order", self.char_order, least=0, whole=True)
        check_number(self.name, "word_order", self.word_order, least=0, whole=True)
        check_number(self.name, "beta", self.beta, least=0)
        for option in ("lowercase", "whitespace", "eps_smoothing"):
            check_flag(self.name, option, getattr(self, option))
        if self.char_order + self.word_order == 0:
            raise DataError("chrf: char_order and word_order are both 0; expected at least one")

    def statistics(self, hypotheses: Texts, references: References) -> "NDArray[np.int64]":
        """``[hypothesis, reference, shared]`` n-grams of every order, order by order.

        An order of which the reference has no n-grams counts 0 for the hypothesis too.
        """
        hypotheses, references = self._prepared(hypotheses, references)
        rows = _core.chrf_statistics(
            hypotheses, references, self.char_order, self.word_order, self.whitespace
        )
        return best_reference_rows(rows, references, self.score)

    def plain_totals(self, hypotheses: Texts, references: References) -> list[float]:
        """The sum of the rows."""
        texts = self._prepared(hypotheses, references)
        return [*_core.chrf_totals(*texts, self.char_order, self.word_order, self.whitespace)]

    def plain_score(self, totals: Sequence[float]) -> float:
        """The chrF of a sum of rows."""
        orders = list(zip(totals[::3], totals[1::3], totals[2::3], strict=True))
        if self.eps_smoothing:
            return _plain_mean_of_scores(orders, self.beta**2)
        return 100 * plain_f_score(orders, self.beta)

    def _prepared(self, hypotheses: Texts, references: References) -> tuple[Texts, References]:
        check_texts(hypotheses, references)
        if not self.lowercase:
            return hypotheses, references
        return [text.lower() for text in hypotheses], map_references(str.lower, references)

    def pairwise_statistics(self, candidates: Texts) -> "NDArray[np.int64]":
        """Rows of every candidate against every candidate; each is read once."""
        check_texts(candidates, candidates)
        texts = [text.lower() for text in candidates] if self.lowercase else candidates
        return _core.chrf_pairs(texts, self.char_order, self.word_order, self.whitespace)

    def score(self, rows: Rows) -> Any:
        """The chrF of rows, or of their sum."""
        rows = check_rows(self.name, rows, 3 * (self.char_order + self.word_order))
        if self.eps_smoothing:
            return as_scores(_mean_of_scores(np.asarray(rows, np.float64), self.beta**2))
        return as_scores(100 * mean_f_score(rows, self.beta))


def _mean_of_scores(rows: "NDArray[np.float64]", factor: float) -> "NDArray[np.float64]":
    """The mean over orders of their F-scores, in percent."""
    total = np.zeros(rows.shape[:-1])
    for hypothesis, reference, shared in by_order(rows):
        precision = ratio_or(shared, hypothesis, hypothesis > 0, EPSILON)
        recall = ratio_or(shared, reference, reference > 0, EPSILON)
        denominator = factor * precision + recall
        total += ratio_or((1 + factor) * precision * recall, denominator, denominator > 0, EPSILON)
    return np.asarray(100 * total / (rows.shape[-1] // 3))


def _plain_mean_of_scores(orders: Sequence[tuple[float, float, float]], factor: float) -> float:
    """The same of one row."""
    total = 0.0
    for hypothesis, reference, shared in orders:
        precision = shared / hypothesis if hypothesis > 0 else EPSILON
        recall = shared / reference if reference > 0 else EPSILON
        denominator = factor * precision + recall
        total += (1 + factor) * precision * recall / denominator if denominator > 0 else EPSILON
    return 100 * total / len(orders)
