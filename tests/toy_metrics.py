"""Metrics that score batches by rules that one can work out by hand, announced as plug-ins are."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import ClassVar

import numpy as np

from rankwise.metrics.metric_class import Needs
from rankwise.metrics.outside.batch_metric import BatchMetric
from rankwise.metrics.outside.plugins import GROUP, Plugin
from rankwise.metrics.outside.text_batch import TextBatch

#: The batches that were computed since a test emptied the list.
BATCHES: list[TextBatch] = []


@dataclass(frozen=True)
class Ratio(BatchMetric):
    """The length of the output by that of the source, at most 1: quality without references."""

    name: ClassVar[str] = "ratio"
    best: ClassVar[float | None] = 1.0
    batch_size: ClassVar[int] = 2

    power: float = 1.0

    @property
    def needs(self) -> Needs:
        return Needs(source=True, references=False)

    @property
    def model_hash(self) -> str | None:
        return "toy"

    def batch_scores(self, batch: TextBatch) -> np.ndarray:
        BATCHES.append(batch)
        pairs = zip(batch.outputs, batch.sources, strict=True)
        return np.array([min(1.0, len(text) / len(source)) for text, source in pairs]) ** self.power


@dataclass(frozen=True)
class Fluency(BatchMetric):
    """One for an output that ends with a full stop; nothing but the output is read."""

    name: ClassVar[str] = "fluency"

    @property
    def needs(self) -> Needs:
        return Needs(references=False)

    def batch_scores(self, batch: TextBatch) -> np.ndarray:
        BATCHES.append(batch)
        return np.array([float(text.endswith(".")) for text in batch.outputs])


@dataclass(frozen=True)
class Repeats(BatchMetric):
    """How many outputs of the document before this one are the same."""

    name: ClassVar[str] = "repeats"
    higher_is_better: ClassVar[bool] = False

    @property
    def needs(self) -> Needs:
        return Needs(references=False, document=True)

    def batch_scores(self, batch: TextBatch) -> np.ndarray:
        BATCHES.append(batch)
        told = list(zip(batch.documents, batch.outputs, strict=True))
        return np.array([float(told[:place].count(one)) for place, one in enumerate(told)])


@dataclass(frozen=True)
class All(BatchMetric):
    """Words of the output that are in the source or in a reference, of all its words."""

    name: ClassVar[str] = "all"

    @property
    def needs(self) -> Needs:
        return Needs(source=True)

    def batch_scores(self, batch: TextBatch) -> np.ndarray:
        BATCHES.append(batch)
        rows = zip(batch.outputs, batch.sources, batch.references, strict=True)
        return np.array([_share(text, " ".join([source, *entry])) for text, source, entry in rows])


def _share(text: str, known: str) -> float:
    words = text.split()
    return sum(word in known.split() for word in words) / max(1, len(words))


TOYS = (Ratio, Fluency, Repeats, All)


def announced() -> Callable[[], dict[str, tuple[Plugin, ...]]]:
    """What takes the place of the plug-ins that are installed."""
    entries = {
        toy.name: (Plugin(toy.name, EntryPoint(toy.name, f"toy_metrics:{toy.__name__}", GROUP)),)
        for toy in TOYS
    }
    return lambda: entries
