"""Exported models as one thing: texts in, scores out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.neural.marked_spans import ErrorSpan
from rankwise.neural.model_folder import ModelFolder, ModelSettings


@dataclass(frozen=True)
class NeuralScores:
    """Scores of segments, and the error spans that a model marked (empty where it marks none)."""

    scores: NDArray[np.float64]
    spans: tuple[tuple[ErrorSpan, ...], ...] = field(default=())


class NeuralModel(Protocol):
    """A model of translation quality."""

    @property
    def settings(self) -> ModelSettings:
        """What the model needs and how it was exported."""
        ...

    def scored(
        self,
        outputs: Sequence[str],
        sources: Sequence[str] | None,
        references: Sequence[str] | None,
        *,
        batch_size: int = 16,
    ) -> NeuralScores:
        """The score of every segment."""
        ...


def open_model(path: str | Path, *, device: str = "auto", threads: int = 0) -> NeuralModel:
    """The exported model in the folder *path*, ready to score."""
    from rankwise.neural.joint_model import JointModel
    from rankwise.neural.labelled_model import LabelledModel
    from rankwise.neural.pair_model import PairModel
    from rankwise.neural.sentence_model import SentenceModel

    folder = ModelFolder.at(path)
    if folder.settings.kind == "encoder":
        raise DataError(
            f"{folder.path}: it is an encoder, which scores nothing by itself; use it with "
            "cosine:model=FOLDER or bertscore:model=FOLDER"
        )
    folder.must_be_as_written()
    kinds: dict[str, Callable[[ModelFolder, str, int], NeuralModel]] = {
        "regression": SentenceModel,
        "referenceless": SentenceModel,
        "metricx": LabelledModel,
        "bleurt": PairModel,
    }
    return kinds.get(folder.settings.kind, JointModel)(folder, device, threads)
