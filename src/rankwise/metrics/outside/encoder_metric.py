"""What metrics with an encoder share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.outside.batch_metric import BatchMetric
from rankwise.metrics.outside.encoder_models import EncoderModel, encoder_model
from rankwise.types.named import check_choice

DEVICES = ("auto", "cpu", "cuda")


@dataclass(frozen=True)
class EncoderMetric(BatchMetric):
    """A metric that compares what an encoder makes of texts.

    Those that derive from it have the options ``model``, ``device`` and ``sha256``.
    """

    #: Outputs that are handed to the encoder at once; it sorts them by length into smaller batches.
    batch_size: ClassVar[int] = 512
    network_batch: ClassVar[int] = 16

    def _find(self) -> None:
        """Find the model, and put down its hash; it is loaded when the first text is scored."""
        options = self.__dict__
        check_choice(self.name, "device", options["device"], DEVICES)
        found = encoder_model(self.name, options["model"], options["device"])
        expected = options["sha256"]
        if expected is not None and expected != found.digest:
            raise DataError(
                f"{self.name}: {options['model']} has sha256 {found.digest}; expected {expected}: "
                "it is another model"
            )
        object.__setattr__(self, "sha256", found.digest)
        object.__setattr__(self, "_model", found)

    def _is_derived(self, option: str) -> bool:
        return option == "sha256"

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: the options, and how batches are computed."""
        return {name: value for name, value in self.__dict__.items() if name != "_model"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """The same metric in another process, which finds the model there."""
        self.__dict__.update(state)
        self._find()

    @property
    def _found(self) -> EncoderModel:
        found: EncoderModel = self._model  # type: ignore[attr-defined]
        return found

    @property
    def model_hash(self) -> str | None:
        """The hash of the model's files."""
        found: str = self.__dict__["sha256"]
        return found

    @staticmethod
    def _best(values: NDArray[Any], entries: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """The largest of the values of every entry's texts, which follow each other."""
        starts = np.cumsum([0, *(len(entry) for entry in entries)])[:-1]
        return np.asarray(np.maximum.reduceat(values, starts, axis=0), np.float64)
