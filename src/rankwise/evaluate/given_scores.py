"""Segment scores of other tools, compared like metrics: COMET, human scores, anything."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise import __version__
from rankwise.significance import MeanScore
from rankwise.types.sums import column_sums


@dataclass(frozen=True)
class GivenScores(MeanScore):
    """The mean of segment scores called *label*; where some are missing, of those there are.

    >>> str(GivenScores(label="COMET")), GivenScores(label="COMET").signature.split(":")[:2]
    ('COMET', ['mean', 'scores=COMET'])
    """

    label: str = "score"
    best: ClassVar[float | None] = None
    notes: ClassVar[tuple[str, ...]] = ()

    @property
    def signature(self) -> str:  # type: ignore[override]
        """What was averaged, and the version."""
        direction = "higher" if self.higher_is_better else "lower"
        return f"mean:scores={self.label}:better={direction}:version={__version__}"

    def __str__(self) -> str:
        return self.label

    def segment_scores(self, rows: NDArray[Any]) -> NDArray[np.float64]:
        """The scores as they were given."""
        return np.asarray(self.score(rows), np.float64)

    def total(self, rows: NDArray[Any]) -> NDArray[Any]:
        """The sum of rows, the same in whatever order."""
        return column_sums(rows)
