"""BLEU: clipped n-gram precision with a brevity penalty. Papineni et al. (2002), ACL."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rankwise import _core
from rankwise._lazy import LazyModule
from rankwise.errors import DataError
from rankwise.metrics.metric_class import Rows, as_scores, check_flag, check_number, check_rows
from rankwise.metrics.tokenized import TokenizedMetric
from rankwise.text.segments import References, Texts
from rankwise.text.tokenise import COMPAT, native_tokenizer
from rankwise.types.named import check_choice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")

# How a precision without matches is smoothed, and the value where one is needed (Chen and Cherry,
# 2014). "exp" halves the numerator at every such order, as mteval-v13a does.
SMOOTHING = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}


@dataclass(frozen=True, kw_only=True)
class Bleu(TokenizedMetric):
    r"""The geometric mean of n-gram precisions times a penalty for being short, 0 to 100.

    .. math:: 100 \cdot \min(1, e^{1 - r/h}) \cdot \exp \frac1N \sum_{n=1}^{N} \log p_n

    *h* and *r* are the lengths of hypotheses and references in tokens. Of several references the
    one closest in length counts towards *r* (the shorter of two equally close), and an n-gram
    matches as often as in the reference that has it most often. No match of any order gives 0.

    ``tokenize`` is one of none, 13a, intl, char, zh, or of spm (with ``spm_model``, the file of a
    SentencePiece model), ja-mecab and ko-mecab, which need an extra. ``smooth`` says what becomes
    of orders without a match: none (the score is 0), floor (``smooth_value`` matches, 0.1 if not
    given), add-k (``smooth_value``, 1 if not given, is added to matches and totals of orders above
    1: the smoothed BLEU of Lin and Och, 2004, and Duh, 2008), exp (1/2, 1/4, ... of a match).

    With ``effective_order`` the mean stops before the first order of which the hypothesis has no
    n-grams; None, the default, means so for single segments and not for a corpus.
    ``compat="sacrebleu"`` gives the very digits of sacreBLEU 2.6: its rounding, by which a perfect
    corpus may score 100.00000000000004, and the ranges of its ``zh`` tokenizer, of which two are
    mistyped (:func:`rankwise.text.tokenise.tokenise`).

    Two examples of a lecture (Läubli and Müller, University of Zurich, 2019). It prints 51.1, cut
    rather than rounded:

    >>> hypothesis = "airport security Israeli officials are responsible"
    >>> reference = "Israeli officials are responsible for airport security"
    >>> round(Bleu().corpus([hypothesis], [reference]), 2)
    51.15

    Clipping: one reference has "the" twice, so two of seven match; of the six bigrams none does
    (the slide prints 0/7).

    >>> references = ["the cat is on the mat", "there is a cat on the mat"]
    >>> Bleu(max_order=2).statistics(["the the the the the the the"], [references]).tolist()
    [[7, 7, 2, 0, 7, 6]]
    """

    name: ClassVar[str] = "bleu"
    best: ClassVar[float | None] = 100.0

    smooth: str = "exp"
    smooth_value: float | None = None
    max_order: int = 4
    effective_order: bool | None = None
    compat: str = "none"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        check_choice(self.name, "smooth", self.smooth, SMOOTHING)
        check_choice(self.name, "compat", self.compat, COMPAT)
        check_number(self.name, "max_order", self.max_order, least=1, whole=True)
        if self.effective_order is not None:
            check_flag(self.name, "effective_order", self.effective_order)
        if self.smooth_value is not None:
            check_number(self.name, "smooth_value", self.smooth_value, least=0)
            if SMOOTHING[self.smooth] is None:
                raise DataError(f"bleu: smooth={self.smooth} takes no smooth_value")

    @property
    def notes(self) -> tuple[str, ...]:
        """Where the numbers of sacreBLEU differ, and why."""
        if (self.tokenize, self.compat) != ("zh", "none"):
            return ()
        return (
            "bleu tokenize=zh may differ a little from sacreBLEU 2.6, which mistypes two ranges of "
            "Chinese characters: bleu:compat=sacrebleu gives its numbers",
        )

    def statistics(self, hypotheses: Texts, references: References) -> "NDArray[np.int64]":
        """``[hyp_len, ref_len, matches_1..N, totals_1..N]`` of every segment."""
        hypotheses, references = self.prepared(hypotheses, references)
        tokenizer = native_tokenizer(self.tokenize, self.compat)
        return _core.bleu_statistics(hypotheses, references, tokenizer, self.max_order)

    def plain_totals(self, hypotheses: Texts, references: References) -> list[float]:
        """The sum of the rows."""
        hypotheses, references = self.prepared(hypotheses, references)
        tokenizer = native_tokenizer(self.tokenize, self.compat)
        return [*_core.bleu_totals(hypotheses, references, tokenizer, self.max_order)]

    def plain_score(self, totals: Sequence[float]) -> float:
        """The BLEU of a sum of rows."""
        hyp_len, ref_len, *counts = totals
        percents = self._plain_percents(counts[: self.max_order], counts[self.max_order :])
        if self.compat == "sacrebleu":
            return _sacrebleu_score(hyp_len, ref_len, percents)
        if not any(counts[: self.max_order]):
            return 0.0
        mean = sum([math.log(p / 100.0) if p else -math.inf for p in percents]) / len(percents)
        penalty = math.exp(1.0 - ref_len / hyp_len) if hyp_len < ref_len else 1.0
        return 100.0 * penalty * math.exp(mean)

    def _plain_percents(self, matches: Sequence[float], totals: Sequence[float]) -> list[float]:
        """The smoothed precisions of the orders that the mean is over."""
        added = self._smooth_value() if self.smooth == "add-k" else 0.0
        percents, halvings = [0.0] * len(matches), 0
        for order, (matched, total) in enumerate(zip(matches, totals, strict=True)):
            plus = added if order else 0.0
            if total + plus == 0 or not any(matches):
                return percents[:order] if self.effective_order else percents
            numerator = 100.0 * (matched + plus)
            if numerator == 0 and self.smooth == "floor":
                numerator = 100.0 * self._smooth_value()
            elif numerator == 0 and self.smooth == "exp":
                halvings += 1
                numerator = math.ldexp(100.0, -halvings)
            percents[order] = numerator / (total + plus)
        return percents

    def pairwise_statistics(self, candidates: Texts) -> "NDArray[np.int64]":
        """Rows of every candidate against every candidate; each is tokenised once."""
        texts, _ = self.prepared(candidates, [""] * len(candidates))
        tokenizer = native_tokenizer(self.tokenize, self.compat)
        return _core.bleu_pairs(texts, tokenizer, self.max_order)

    def segment_scores(self, rows: Rows) -> "NDArray[np.float64]":
        """The BLEU of every row, with the effective order unless that is switched off."""
        if self.effective_order is None:
            return replace(self, effective_order=True).segment_scores(rows)
        return super().segment_scores(rows)

    def score(self, rows: Rows) -> Any:
        """The BLEU of rows, or of their sum."""
        counts = self._counts(rows)
        score = _sacrebleu_scores if self.compat == "sacrebleu" else _scores
        return as_scores(score(counts, self._precisions(counts), self.effective_order or False))

    def precisions(self, rows: Rows) -> "NDArray[np.float64]":
        """The smoothed n-gram precisions in percent, shape (..., N).

        They are 0 from the first order without n-grams on, and where nothing matches at all.
        """
        return self._precisions(self._counts(rows))

    def brevity_penalty(self, rows: Rows) -> Any:
        """The factor in (0, 1] for hypotheses shorter than their references; 0 for empty ones."""
        return as_scores(_brevity_penalty(self._counts(rows)))

    def _counts(self, rows: Rows) -> "_Counts":
        values = np.array(check_rows(self.name, rows, 2 + 2 * self.max_order), np.float64)
        matches, totals = values[..., 2 : 2 + self.max_order], values[..., 2 + self.max_order :]
        matched = matches.any(axis=-1)
        if self.smooth == "add-k":  # Lin and Och (2004): unigrams are left alone
            matches[..., 1:] += self._smooth_value()
            totals[..., 1:] += self._smooth_value()
        exists = np.logical_and.accumulate(totals > 0, axis=-1)
        return _Counts(values[..., 0], values[..., 1], matches, totals, exists, np.asarray(matched))

    def _precisions(self, counts: "_Counts") -> "NDArray[np.float64]":
        numerators = 100.0 * counts.matches
        unmatched = counts.exists & (counts.matches == 0)
        if self.smooth == "floor":
            numerators[unmatched] = 100.0 * self._smooth_value()
        elif self.smooth == "exp":
            halvings = np.cumsum(unmatched, axis=-1)[unmatched]
            numerators[unmatched] = np.ldexp(100.0, -halvings)
        precisions = np.zeros_like(numerators)
        is_defined = counts.exists & counts.matched[..., None]
        np.divide(numerators, counts.totals, out=precisions, where=is_defined)
        return precisions

    def _smooth_value(self) -> float:
        default = SMOOTHING[self.smooth] or 0.0
        return default if self.smooth_value is None else self.smooth_value


class _Counts(NamedTuple):
    """Rows taken apart: lengths of shape (...), counts of shape (..., N)."""

    hyp_len: "NDArray[np.float64]"
    ref_len: "NDArray[np.float64]"
    matches: "NDArray[np.float64]"
    totals: "NDArray[np.float64]"
    exists: "NDArray[np.bool_]"  # there are n-grams of this order, and of all orders below
    matched: "NDArray[np.bool_]"  # some n-gram matches, of whatever order

    def orders(self, effective: bool) -> "NDArray[np.int64]":
        """How many orders the mean is over, shape (...)."""
        if effective:
            return np.asarray(self.exists.sum(axis=-1))
        return np.full(self.hyp_len.shape, self.matches.shape[-1])


def _brevity_penalty(counts: _Counts) -> "NDArray[np.float64]":
    with np.errstate(divide="ignore", invalid="ignore"):
        penalty = np.exp(1.0 - counts.ref_len / counts.hyp_len)
    return np.where(counts.hyp_len < counts.ref_len, penalty, 1.0)


def _scores(
    counts: _Counts, precisions: "NDArray[np.float64]", effective: bool
) -> "NDArray[np.float64]":
    """Logarithms of ratios, which are at most 0: no score exceeds 100, a perfect one is 100."""
    with np.errstate(divide="ignore"):
        logarithms = np.log(precisions / 100.0)
    if effective:
        logarithms[~counts.exists] = 0.0
    mean = logarithms.sum(axis=-1) / np.maximum(counts.orders(effective), 1)
    return np.where(counts.matched, 100.0 * _brevity_penalty(counts) * np.exp(mean), 0.0)


def _sacrebleu_scores(
    counts: _Counts, precisions: "NDArray[np.float64]", effective: bool
) -> "NDArray[np.float64]":
    """The same in the order and with the functions of sacreBLEU 2.6, and with Python's sum."""
    orders = counts.orders(effective)
    scores = _core.bleu_scores(
        np.ravel(counts.hyp_len),
        np.ravel(counts.ref_len),
        precisions.reshape(-1, precisions.shape[-1]),
        np.ravel(orders),
        compensated=sys.version_info >= (3, 12),
    )
    return scores.reshape(orders.shape)


def _sacrebleu_score(hyp_len: float, ref_len: float, percents: Sequence[float]) -> float:
    """The same of one row in plain floats."""
    if not any(percents):
        return 0.0
    penalty = 1.0
    if hyp_len < ref_len:
        penalty = math.exp(1 - ref_len / hyp_len) if hyp_len > 0 else 0.0
    logarithms = [math.log(percent) if percent else -9999999999 for percent in percents]
    return penalty * math.exp(sum(logarithms) / len(logarithms))
