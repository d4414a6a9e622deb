"""What metrics with an encoder share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.metrics.outside.encoder_models import EncoderModel, encoder_model
from rankwise.metrics.outside.network_metric import NetworkMetric


@dataclass(frozen=True)
class EncoderMetric(NetworkMetric):
    """A metric that compares what an encoder makes of texts."""

    network_batch: ClassVar[int] = 16

    def _looked_up(self, model: str | None, device: str) -> EncoderModel:
        return encoder_model(self.name, model, device)

    @property
    def _found(self) -> EncoderModel:
        found: EncoderModel = self._model  # type: ignore[attr-defined]
        return found

    @staticmethod
    def _best(values: NDArray[Any], entries: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """The largest of the values of every entry's texts, which follow each other."""
        starts = np.cumsum([0, *(len(entry) for entry in entries)])[:-1]
        return np.asarray(np.maximum.reduceat(values, starts, axis=0), np.float64)
