"""COMET and its kin: metrics with a large language encoder, with and without a reference."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.metrics.metric_class import Needs
from rankwise.metrics.outside.comet_models import CometModel, comet_model
from rankwise.metrics.outside.network_metric import NetworkMetric
from rankwise.metrics.outside.text_batch import TextBatch

#: The model that people mean when they say COMET.
DEFAULT_MODEL = "Unbabel/wmt22-comet-da"


@dataclass(frozen=True)
class Comet(NetworkMetric):
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

    def _looked_up(self, model: str, device: str) -> CometModel:
        return comet_model(model, device)

    @property
    def _found(self) -> CometModel:
        found: CometModel = self._model  # type: ignore[attr-defined]
        return found

    @property
    def needs(self) -> Needs:
        """Sources and references as the model was trained on."""
        inputs = self._found.inputs
        return Needs(source="source" in inputs, references=self._found.needs_references)

    @property
    def reads(self) -> Needs:
        """Like what it needs, and references where the model knows what to do with them."""
        return Needs("source" in self._found.inputs, "reference" in self._found.inputs)

    @property
    def identity(self) -> str:
        """The name alone: the hash tells the model, wherever it lies and whatever it runs on."""
        return self.name

    def batch_scores(self, batch: TextBatch) -> NDArray[np.float64]:
        """The score of every output of a batch."""
        size = self._batching.size or self._found.network_batch
        sources = batch.sources or None
        if not batch.references:
            return self._found.scores(batch.outputs, sources, None, size)
        counts = np.array([len(entry) for entry in batch.references])
        owners = np.repeat(np.arange(len(batch)), counts)
        scores = self._found.scores(
            [batch.outputs[i] for i in owners],
            None if sources is None else [sources[i] for i in owners],
            [text for entry in batch.references for text in entry],
            size,
        )
        return np.asarray(np.bincount(owners, scores, minlength=len(batch)) / counts)
