"""What metrics with a model share: a score of every segment, and its mean over a corpus."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.metric_class import Metric, Rows, check_longest, mean_of_rows, mean_rows
from rankwise.metrics.stored_models import StoredModel, TextModel
from rankwise.text.line_limits import check_lengths
from rankwise.text.segments import References, Texts, check_texts


@dataclass(frozen=True)
class ModelMetric(Metric):
    r"""A metric whose segment scores come from a model; the corpus score is their mean.

    Those that derive from it have the option ``sha256``, the beginning of the hash of the model's
    file: the signature states it, and a model with another is refused; and ``longest``, the most
    characters that a text may have.
    """

    best: ClassVar[float | None] = 1.0

    def _take(self, found: StoredModel, expected: str | None) -> None:
        """Keep the model and put down its hash, or raise where another was *expected*."""
        check_longest(self.name, self.longest)  # type: ignore[attr-defined]
        if expected is not None and expected != found.digest:
            raise DataError(
                f"{self.name}: {found.called} has sha256 {found.digest}; expected {expected}: "
                "it is another model"
            )
        object.__setattr__(self, "sha256", found.digest)
        object.__setattr__(self, "_scorer", found.model)

    def _is_derived(self, option: str) -> bool:
        return option == "sha256"

    def statistics(self, hypotheses: Texts, references: References) -> NDArray[np.float64]:
        """``[score, 1]`` of every segment."""
        check_texts(hypotheses, references)
        check_lengths(self.name, self.longest, hypotheses, references)  # type: ignore[attr-defined]
        scorer: TextModel = self._scorer  # type: ignore[attr-defined]
        return mean_rows(scorer.segments(hypotheses, references))

    def score(self, rows: Rows) -> Any:
        """The mean score of the segments of rows, 0 without any."""
        return mean_of_rows(self.name, rows)
