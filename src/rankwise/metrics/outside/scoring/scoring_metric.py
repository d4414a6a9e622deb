"""What metrics share whose network gives the score of a segment itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.metric_class import Needs
from rankwise.metrics.outside.network_metric import NetworkMetric
from rankwise.metrics.outside.text_batch import TextBatch
from rankwise.neural import ModelFolder, NeuralModel, open_model
from rankwise.neural.marked_spans import ErrorSpan

#: The metric of every kind of exported model.
METRIC_OF = {
    "regression": "comet",
    "referenceless": "comet",
    "unified": "comet",
    "xcomet": "comet",
    "metricx": "metricx",
    "bleurt": "bleurt",
}


class ScoringModel(Protocol):
    """A model that was found; it is opened when it first scores."""

    inputs: tuple[str, ...]
    needs_references: bool
    digest: str
    network_batch: int
    marks_errors: bool

    def error_spans(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> Sequence[Sequence[ErrorSpan]]:
        """The errors that it marks in every output."""
        ...

    def scores(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> NDArray[np.float64]:
        """The score of every output."""
        ...


@dataclass(frozen=True)
class ScoringMetric(NetworkMetric):
    """A metric whose network gives the score of a segment; the mean of those over references."""

    @property
    def _found(self) -> ScoringModel:
        found: ScoringModel = self._model  # type: ignore[attr-defined]
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

    @property
    def marks_errors(self) -> bool:
        """Whether the model marks errors in outputs, as xCOMET does."""
        return self._found.marks_errors

    def error_spans(
        self, outputs: Sequence[str], sources: Sequence[str], references: Sequence[str] | None
    ) -> Sequence[Sequence[ErrorSpan]]:
        """The errors that the model marks in every output, where it marks any."""
        size = self._batching.size or self._found.network_batch
        return self._found.error_spans(outputs, sources, references, size)

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


class ExportedScorer:
    """A folder that ``rankwise neural export`` wrote, for the metric of that name."""

    network_batch = 16

    def __init__(self, metric: str, model: str, device: str) -> None:
        folder = ModelFolder.at(model)
        kind = folder.settings.kind
        if kind not in METRIC_OF:
            raise DataError(
                f"{metric}: {folder.path} is an encoder, which scores nothing by itself; use it "
                "with cosine:model=FOLDER or bertscore:model=FOLDER"
            )
        if METRIC_OF[kind] != metric:
            raise DataError(
                f"{metric}: {folder.path} is a model of kind {kind}; use it with "
                f"{METRIC_OF[kind]}:model=FOLDER"
            )
        self.inputs = folder.settings.inputs
        self.needs_references = needs_references(kind, self.inputs)
        self.digest = folder.settings.digest
        self.marks_errors = bool(folder.settings.labels)
        self._folder, self._device = folder, device
        self._opened: NeuralModel | None = None

    def scores(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> NDArray[np.float64]:
        """The score of every output."""
        return self._model().scored(outputs, sources, references, batch_size=batch_size).scores

    def error_spans(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        batch_size: int,
    ) -> Sequence[Sequence[ErrorSpan]]:
        """The errors that it marks in every output."""
        return self._model().scored(outputs, sources, references, batch_size=batch_size).spans

    def _model(self) -> NeuralModel:
        if self._opened is None:
            self._opened = open_model(self._folder.path, device=self._device)
        return self._opened


def needs_references(kind: str, inputs: Sequence[str]) -> bool:
    """UniTE, xCOMET and MetricX do without a reference where they read the source too."""
    return kind == "regression" or "source" not in inputs
