"""The cosine of two texts' vectors by a sentence encoder."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.metrics.metric_class import Needs
from rankwise.metrics.outside.encoder_metric import EncoderMetric
from rankwise.metrics.outside.text_batch import TextBatch
from rankwise.types.named import check_choice


@dataclass(frozen=True)
class Cosine(EncoderMetric):
    r"""The cosine of the vectors that a sentence encoder gives output and reference.

    .. math:: \cos(u, v) = u \cdot v / (|u| |v|)

    ``model`` is a folder that ``rankwise neural export`` wrote, which runs without PyTorch, or one
    of Hugging Face's or sentence-transformers', by its path or the name of a published model, which
    runs through the package ``sentence-transformers``. ``against`` is ``reference``, or ``source``
    for an encoder of several languages: then no reference is needed. Of several references the best
    counts. ``device`` and ``sha256`` are as in ``comet``. The corpus score is the mean over
    segments, 0 without any.
    """

    name: ClassVar[str] = "cosine"
    best: ClassVar[float | None] = 1.0

    model: str | None = None
    against: str = "reference"
    device: str = "auto"
    sha256: str | None = None

    def __post_init__(self) -> None:
        """Find the model, and put down its hash."""
        check_choice("cosine", "against", self.against, ("reference", "source"))
        self._find()

    @property
    def needs(self) -> Needs:
        """What the output is compared with."""
        return Needs(source=self.against == "source", references=self.against == "reference")

    @property
    def identity(self) -> str:
        """All that decides a score but the model."""
        return f"cosine:against={self.against}"

    def batch_scores(self, batch: TextBatch) -> NDArray[np.float64]:
        """The cosine of every output of a batch with the nearest text it is compared with."""
        entries = batch.references if self.against == "reference" else [(s,) for s in batch.sources]
        pairs = [
            (o, text) for o, entry in zip(batch.outputs, entries, strict=True) for text in entry
        ]
        cosines = self._found.cosines(pairs, self._batching.size or self.network_batch)
        return self._best(cosines, entries)
