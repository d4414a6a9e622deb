"""What a metric is: rows of statistics that add up, and a score computed from a row or a sum."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types.named import Named

Texts = Sequence[str]
References = Sequence[str | Sequence[str]]
Rows = NDArray[Any]


@dataclass(frozen=True)
class Metric(Named):
    """A metric of translations against references; its fields are its options.

    ``statistics`` gives one row per segment; rows may be summed; ``score`` turns rows (any leading
    axes, statistics on the last) into scores. Everything else follows from these two.
    """

    kind: ClassVar[str] = "metric"
    higher_is_better: ClassVar[bool] = True
    #: The score of a perfect translation, or None where there is none.
    best: ClassVar[float | None] = None

    @abstractmethod
    def statistics(self, hypotheses: Texts, references: References) -> Rows:
        """One row of statistics per segment, shape (n, k); rows may be summed.

        *references* has one entry per segment: a str, or a sequence of str.
        """

    @abstractmethod
    def score(self, rows: Rows) -> Any:
        """Scores of rows: a float for one row, an array for a stack of rows."""

    def segments(self, hypotheses: Texts, references: References) -> NDArray[np.float64]:
        """The score of every segment."""
        return np.asarray(self.score(self.statistics(hypotheses, references)), np.float64)

    def corpus(self, hypotheses: Texts, references: References) -> float:
        """The score of all segments together."""
        return float(self.score(self.statistics(hypotheses, references).sum(axis=0)))


def check_texts(hypotheses: Texts, references: References) -> None:
    """Raise a clear error unless there is a non-empty set of references for every hypothesis."""
    if isinstance(hypotheses, str) or isinstance(references, str):
        raise DataError("hypotheses and references are sequences, one entry per segment; got a str")
    if len(hypotheses) != len(references):
        raise DataError(
            f"{len(hypotheses)} hypotheses but references for {len(references)} segments; "
            "expected one entry (a str or a list of str) per segment"
        )
    for number, entry in enumerate(references, 1):
        if not isinstance(entry, str) and len(entry) == 0:
            raise DataError(f"segment {number} has no reference; expected at least one")
