"""Pairs of systems that met, with what came of them: as many as there are, not all that may be."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.outcomes import Outcomes

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MetPairs:
    """Pair p is of systems ``left[p]`` < ``right[p]``; results (runs, P) have a row for each run.

    ``wins`` are those of the left system, ``losses`` those of the right one.
    """

    systems: int
    left: Codes
    right: Codes
    wins: Floats
    losses: Floats
    ties: Floats

    @classmethod
    def of_matrices(cls, wins: NDArray[Any], ties: NDArray[Any]) -> "MetPairs":
        """From matrices (..., S, S): row beat column, row and column tied.

        >>> pairs = MetPairs.of_matrices(np.array([[0, 3], [1, 0]]), np.array([[0, 4], [4, 0]]))
        >>> pairs.wins, pairs.losses, pairs.ties
        (array([[3.]]), array([[1.]]), array([[4.]]))
        """
        count = wins.shape[-1]
        wins, ties = (np.asarray(m, np.float64).reshape(-1, count, count) for m in (wins, ties))
        met = (wins + ties > 0).any(axis=0)
        left, right = np.nonzero(np.triu(met | met.T, 1))
        return cls(
            count,
            left.astype(np.int32),
            right.astype(np.int32),
            np.ascontiguousarray(wins[:, left, right]),
            np.ascontiguousarray(wins[:, right, left]),
            np.ascontiguousarray(ties[:, left, right]),
        )

    @classmethod
    def of_outcomes(cls, outcomes: Outcomes, counts: NDArray[np.int64]) -> "MetPairs":
        """From counts (runs, kinds) of outcomes."""
        count = len(outcomes.systems)
        low = np.minimum(outcomes.better, outcomes.worse).astype(np.int64)
        codes, places = np.unique(
            low * count + np.maximum(outcomes.better, outcomes.worse), return_inverse=True
        )
        left, right = (column.astype(np.int32) for column in np.divmod(codes, count))
        is_tie, is_left = outcomes.is_tie.astype(np.bool_), outcomes.better < outcomes.worse
        results = []
        for chosen in (~is_tie & is_left, ~is_tie & ~is_left, is_tie):
            rows = np.zeros((len(counts), len(codes)))
            rows[:, places[chosen]] = counts[:, chosen]
            results.append(rows)
        return cls(count, left, right, *results)

    def __len__(self) -> int:
        return len(self.wins)

    def native(self) -> tuple[Codes, Codes, int, Floats, Floats, Floats]:
        """The arguments that the native core takes."""
        return self.left, self.right, self.systems, self.wins, self.losses, self.ties

    def runs(self, chosen: NDArray[np.bool_]) -> "MetPairs":
        """Some of the runs."""
        if chosen.all():
            return self
        return replace(
            self, wins=self.wins[chosen], losses=self.losses[chosen], ties=self.ties[chosen]
        )

    def with_ties_as(self, wins: float) -> "MetPairs":
        """Every tie as so many wins for both, and no ties."""
        more = self.ties * wins
        return replace(
            self, wins=self.wins + more, losses=self.losses + more, ties=np.zeros_like(self.ties)
        )

    def with_prior(self, prior: float) -> "MetPairs":
        """As if every system had beaten every other one *prior* times more."""
        if prior == 0:
            return self
        left, right = np.triu_indices(self.systems, 1)
        # The number of a pair among all, row by row of the upper triangle.
        first, second = self.left.astype(np.int64), self.right
        places = first * (2 * self.systems - first - 1) // 2 + second - first - 1

        def widened(results: Floats, more: float) -> Floats:
            rows = np.zeros((len(results), len(left)))
            rows[:, places] = results
            return rows + more

        return MetPairs(
            self.systems,
            left.astype(np.int32),
            right.astype(np.int32),
            widened(self.wins, prior),
            widened(self.losses, prior),
            widened(self.ties, 0.0),
        )
