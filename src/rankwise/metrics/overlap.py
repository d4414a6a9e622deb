"""Precision, recall and F1 of words, whatever their order."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.metrics.metric_class import Rows, as_scores, check_rows
from rankwise.metrics.tokenized import TokenizedMetric
from rankwise.text.segments import References, Texts, best_reference_rows
from rankwise.text.tokenise import native_tokenizer

# The lecture the examples are from: Läubli and Müller, Evaluation (University of Zurich, 2019).


@dataclass(frozen=True, kw_only=True)
class Overlap(TokenizedMetric):
    """Statistics of word overlap: a word matches as often as both sides have it.

    Of several references the one with the best F1 counts (the first of equals), for precision and
    recall too, so that the three scores are about the same reference.
    """

    best: ClassVar[float | None] = 100.0

    def statistics(self, hypotheses: Texts, references: References) -> NDArray[np.int64]:
        """``[matches, hyp_len, ref_len]`` of every segment."""
        hypotheses, references = self.prepared(hypotheses, references)
        tokenizer = native_tokenizer(self.tokenize)
        rows = _core.overlap_statistics(hypotheses, references, tokenizer)
        return best_reference_rows(rows, references, _f1)

    def score(self, rows: Rows) -> Any:
        """The score of rows, or of their sum."""
        return as_scores(self._formula(check_rows(self.name, rows, 3)))

    @abstractmethod
    def _formula(self, rows: Rows) -> NDArray[np.float64]:
        """The score of rows, unchecked."""


@dataclass(frozen=True, kw_only=True)
class Precision(Overlap):
    """The share of hypothesis words that are in the reference, 0 to 100; 0 without words.

    >>> hypothesis = "Israeli officials responsibility of airport safety"
    >>> reference = "Israeli officials are responsible for airport security"
    >>> Precision().corpus([hypothesis], [reference])  # 3 of 6
    50.0
    """

    name: ClassVar[str] = "precision"

    def _formula(self, rows: Rows) -> NDArray[np.float64]:
        return _percent(rows[..., 0], rows[..., 1])


@dataclass(frozen=True, kw_only=True)
class Recall(Overlap):
    """The share of reference words that are in the hypothesis, 0 to 100; 0 without words.

    >>> hypothesis = "Israeli officials responsibility of airport safety"
    >>> reference = "Israeli officials are responsible for airport security"
    >>> round(Recall().corpus([hypothesis], [reference]), 1)  # 3 of 7
    42.9
    """

    name: ClassVar[str] = "recall"

    def _formula(self, rows: Rows) -> NDArray[np.float64]:
        return _percent(rows[..., 0], rows[..., 2])


@dataclass(frozen=True, kw_only=True)
class F1(Overlap):
    r"""The harmonic mean of precision and recall, 0 to 100; 0 without words.

    .. math:: 100 \, \frac{2 P R}{P + R} = 100 \, \frac{2 m}{h + r}

    The lecture prints 46.1 here, from rounded factors; 6 of 13 is 46.15.

    >>> hypothesis = "Israeli officials responsibility of airport safety"
    >>> reference = "Israeli officials are responsible for airport security"
    >>> round(F1().corpus([hypothesis], [reference]), 2)
    46.15
    """

    name: ClassVar[str] = "f1"

    def _formula(self, rows: Rows) -> NDArray[np.float64]:
        return _f1(rows)


def _f1(rows: Rows) -> NDArray[np.float64]:
    return _percent(2 * rows[..., 0], rows[..., 1] + rows[..., 2])


def _percent(part: Rows, whole: Rows) -> NDArray[np.float64]:
    result = np.zeros(np.shape(part))
    np.divide(100.0 * part, whole, out=result, where=np.asarray(whole) > 0)
    return result
