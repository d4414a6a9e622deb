"""Soft matching of words and characters, with weights set by hand."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from rankwise.metrics.model_metric import ModelMetric
from rankwise.metrics.stored_models import shipped_model
from rankwise.types.named import check_choice

#: The weights that ship; the first are the default.
WEIGHTS = ("close", "soft")


@dataclass(frozen=True)
class Softmatch(ModelMetric):
    r"""How much of the words and characters of two texts match, in full or in part.

    A sum of a few features, for texts in any language, whose weights are round numbers set by hand:
    nothing in it was learned but the curve or slope that maps the sum to [0, 1], where an output
    equal to its reference scores 1. Words match softly: equal ones in full, those alike in letters
    or known as substitutes in part, and rare ones count more. Of several references the best
    counts. The corpus score is the mean over segments, 0 without any.

    ``weights`` is ``close``, words + pairs of words / 2 + chrF + letters in common order + first
    word / 5 + length / 5, on a curve fitted to direct assessments; or the older ``soft``, the first
    three of these. ``sha256`` is the beginning of the hash of the weights: the signature has it,
    and weights with another are refused.

    >>> softmatch = Softmatch()
    >>> softmatch.corpus(["the cat sat down"], ["the cat sat down"])
    1.0
    >>> a, b = softmatch.segments(["a cat sat down", "dogs bark"], ["the cat sat down"] * 2)
    >>> bool(1 > a > b > 0)
    True
    """

    name: ClassVar[str] = "softmatch"

    weights: Literal["close", "soft"] = "close"
    sha256: str | None = None

    def __post_init__(self) -> None:
        """Load the weights, and put down their hash."""
        check_choice(self.name, "weights", self.weights, WEIGHTS)
        self._take(shipped_model(self.weights, {}), self.sha256)
