"""Soft matching of words and characters, with weights set by hand."""

from dataclasses import dataclass
from typing import ClassVar

from rankwise.metrics.model_metric import ModelMetric
from rankwise.metrics.stored_models import shipped_model


@dataclass(frozen=True)
class Softmatch(ModelMetric):
    r"""How much of the words and characters of two texts match, in full or in part.

    Words + pairs of words / 2 + chrF + letters in common order, for texts in any language: round
    weights set by hand. Nothing in it was learned but the curve that maps the sum to [0, 1], where
    an output equal to its reference scores 1. Words match softly: equal ones in full, those alike
    in letters or known as substitutes in part, and rare ones count more. Of several references the
    best counts. The corpus score is the mean over segments, 0 without any.

    ``sha256`` is the beginning of the hash of the weights: the signature has it, and weights with
    another are refused. A text of more than ``longest`` characters, 20,000 if not given, is
    refused.

    >>> softmatch = Softmatch()
    >>> softmatch.corpus(["the cat sat down"], ["the cat sat down"])
    1.0
    >>> a, b = softmatch.segments(["a cat sat down", "dogs bark"], ["the cat sat down"] * 2)
    >>> bool(1 > a > b > 0)
    True
    """

    name: ClassVar[str] = "softmatch"

    sha256: str | None = None
    longest: int | None = None

    def __post_init__(self) -> None:
        """Load the weights, and put down their hash."""
        self._take(shipped_model(self.name, {}), self.sha256)
