"""COMET and its kin: metrics with a large language encoder, with and without a reference."""

from dataclasses import dataclass
from typing import ClassVar

from rankwise.metrics.outside.comet_models import comet_model
from rankwise.metrics.outside.scoring.scoring_metric import ScoringMetric, ScoringModel

#: The model that people mean when they say COMET.
DEFAULT_MODEL = "Unbabel/wmt22-comet-da"


@dataclass(frozen=True)
class Comet(ScoringMetric):
    """COMET: a score that a network learned from human judgments.

    ``model`` is a folder that ``rankwise neural export`` wrote, which runs without PyTorch, or an
    official model, by its name or the path of its checkpoint, which runs through the package
    ``unbabel-comet``. Models of every official kind do: with source and reference, without a
    reference (quality estimation), UniTE and CometKiwi, xCOMET. Models that can do without a
    reference use it where there is one. With several references the score is the mean over them.

    ``device`` is where it runs: ``cpu``, ``cuda``, or ``auto``, a GPU where there is one.
    ``sha256`` is the beginning of the hash of the model: the signature has it, and a model with
    another is refused. The corpus score is the mean over segments, 0 without any.
    """

    name: ClassVar[str] = "comet"

    model: str = DEFAULT_MODEL
    device: str = "auto"
    sha256: str | None = None

    def __post_init__(self) -> None:
        """Find the model, and put down its hash."""
        self._find()

    def _looked_up(self, model: str, device: str) -> ScoringModel:
        return comet_model(model, device)
