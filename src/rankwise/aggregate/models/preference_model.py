"""What a model of preference is: judgments in, ratings of systems out."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.outcomes import Outcomes, count_outcomes
from rankwise.aggregate.run_batch import Batch, Progress, Unit
from rankwise.types import Judgments
from rankwise.types.named import Named
from rankwise.types.ratings import Ratings


@dataclass(frozen=True)
class Model(Named):
    """A model of human preference; its fields are its options."""

    kind: ClassVar[str] = "model"

    @abstractmethod
    def ratings(self, judgments: Judgments, *, seed: int = 1) -> Ratings:
        """The model fitted once to all judgments; *seed* matters only to models that sample."""

    @abstractmethod
    def run(self, judgments: Judgments, batch: Batch) -> NDArray[np.float64]:
        """Scores (runs, S) of the systems, in the order of ``ratings``, in the runs of *batch*."""

    def runs(
        self,
        judgments: Judgments,
        *,
        runs: int,
        seed: int,
        unit: Unit = "screen",
        first_run: int = 0,
        progress: Progress | None = None,
    ) -> NDArray[np.float64]:
        """Scores (runs, S) of the systems, in the order of ``ratings``, on resampled judgments.

        A run is decided by *seed* and its number alone: runs 0 to 99 with those from
        ``first_run=100`` are those of one call, whatever computed them. *progress* is called with
        the number of runs just finished.
        """
        return self.run(judgments, Batch(runs, seed, unit, first_run, progress))


@dataclass(frozen=True)
class CountModel(Model):
    """A model that needs no more than counts of wins and ties."""

    @abstractmethod
    def scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
        """Scores (..., S) from matrices (..., S, S): row beat column, row and column tied."""

    def resampled_scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
        """Scores (runs, S) of resamples, which may have lost what the judgments had."""
        return self.scores(wins, ties)

    def deviations(self, wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
        """Standard errors (S,) of the scores; nan where the model states none."""
        del ties
        return np.full(wins.shape[-1], np.nan)

    def ratings(self, judgments: Judgments, *, seed: int = 1) -> Ratings:
        """Scores of all judgments."""
        del seed
        systems, wins, ties = count_outcomes(judgments)
        return Ratings(systems, self.scores(wins, ties), self.deviations(wins, ties))

    def run(self, judgments: Judgments, batch: Batch) -> NDArray[np.float64]:
        """Scores of judgments drawn with replacement."""
        outcomes = Outcomes.of(judgments)
        blocks = (outcomes.wins_and_ties(counts) for _, counts in outcomes.drawn(batch))
        return np.concatenate([self.resampled_scores(wins, ties) for wins, ties in blocks])
