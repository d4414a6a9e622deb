"""A metric for Rankwise that needs the source and no reference."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.metrics import BatchMetric, Needs, TextBatch


@dataclass(frozen=True)
class LengthRatio(BatchMetric):
    r"""How close the length of the output is to the usual one, 0 to 1.

    .. math:: \min(r, 1 / r), \quad r = \frac{|output|}{usual \cdot |source|}

    ``usual`` is how many characters of a translation stand for one of the source.
    """

    name: ClassVar[str] = "length-ratio"
    best: ClassVar[float | None] = 1.0

    usual: float = 1.0

    @property
    def needs(self) -> Needs:
        """The source, and no reference."""
        return Needs(source=True, references=False)

    def batch_scores(self, batch: TextBatch) -> NDArray[np.float64]:
        """The score of every output; an empty text counts as one character."""
        outputs = np.array([max(1, len(text)) for text in batch.outputs])
        sources = np.array([max(1, len(text)) for text in batch.sources])
        ratios = outputs / (self.usual * sources)
        return np.minimum(ratios, 1 / ratios)
