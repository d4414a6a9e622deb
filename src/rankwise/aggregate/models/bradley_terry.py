"""Bradley-Terry: strengths that make the observed wins, ties and losses most likely."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.aggregate.models.connected import finite_runs, main_groups, why_not_finite
from rankwise.aggregate.models.met_pairs import MetPairs
from rankwise.aggregate.models.outcomes import Outcomes, count_outcomes
from rankwise.aggregate.models.preference_model import CountModel
from rankwise.aggregate.models.strengths import (
    Davidson,
    Likelihood,
    RaoKupper,
    strength_deviations,
)
from rankwise.aggregate.run_batch import Batch
from rankwise.errors import ConvergenceError, DataError
from rankwise.types import Judgments
from rankwise.types.named import check_choice
from rankwise.types.ratings import Ratings

Matrix = NDArray[np.float64]
Ties = Literal["davidson", "rao-kupper", "half", "drop"]
#: The pseudo-count of resamples that leave no finite estimate.
RESCUE = 0.01
_NOWHERE: Matrix = np.empty(0)  # no point near those that are sought


@dataclass(frozen=True)
class BradleyTerry(CountModel):
    r"""The log-strengths of systems under which the observed outcomes are most likely.

    .. math:: P(i \succ j) : P(j \succ i) = e^{\theta_i} : e^{\theta_j}, \quad
              \textstyle\sum_i \theta_i = 0

    *Ties* have a model of their own with one parameter, ``davidson`` or ``rao-kupper``
    (see ``strengths``); ``half`` makes each half a win for both, ``drop`` leaves
    them out. *prior* is a pseudo-count: as if each system had beaten each other one *prior* times
    more, which pulls all strengths together.

    *Undefined*: without a prior there is no finite estimate unless each system can be reached from
    each other one by wins and ties (see ``connected``). Then ``scores`` are nan
    and ``ratings`` raise, naming the systems that never lost, never won or never met. A resample
    may lose what the judgments had; it is then rated with a pseudo-count of 0.01, which ranks who
    never lost there first, and systems outside the largest group that met have no score in it.

    Deviations are standard errors from the observed information. They take comparisons for
    independent, which those of one screen are not: trust the resampled ranges more. Bradley and
    Terry (1952), Biometrika 39; Ford (1957), American Mathematical Monthly 64.

    >>> wins = np.array([[0, 3], [1, 0]])
    >>> BradleyTerry().scores(wins, np.array([[0, 4], [4, 0]])).round(4)  # log(3) / 2
    array([ 0.5493, -0.5493])
    """

    name: ClassVar[str] = "bradley-terry"
    ties: Ties = "davidson"
    prior: float = 0.0

    def __post_init__(self) -> None:
        check_choice(self.name, "ties", self.ties, get_args(Ties))
        if not 0 <= self.prior < np.inf:
            raise DataError(f"{self.name}: prior is {self.prior}; expected a number from 0")

    def scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Strengths (..., S) from matrices (..., S, S); nan where no finite estimate exists."""
        points = self._points(self._counted(MetPairs.of_matrices(wins, ties)))
        return points[:, :-1].reshape(wins.shape[:-1])

    def deviations(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Standard errors (S,) of the strengths; nan where no finite estimate exists."""
        return self._deviations(wins, ties, self._point(wins, ties))

    def probabilities(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Fitted chances (S, S, 3) that row beats column, that they tie, that column beats row.

        All are nan where no finite estimate exists. ``half`` and ``drop`` never expect a tie.

        >>> wins, ties = np.array([[0, 3], [1, 0]]), np.array([[0, 4], [4, 0]])
        >>> BradleyTerry().probabilities(wins, ties)[0, 1]
        array([0.375, 0.5  , 0.125])
        """
        return self._likelihood(wins, ties).probabilities(self._point(wins, ties))

    def ratings(self, judgments: Judgments, *, seed: int = 1) -> Ratings:
        """Strengths and standard errors from all judgments."""
        del seed
        systems, wins, ties = count_outcomes(judgments)
        point = self._point(wins, ties)
        if np.isnan(point).any():
            seen_ties = ties if self.ties != "drop" else np.zeros_like(ties)
            reason = why_not_finite(systems, wins, seen_ties)
            raise DataError(
                f"Bradley-Terry has no finite estimate: {reason}; "
                f"leave systems out or give a prior, such as {self.name}:prior=0.1"
            )
        return Ratings(systems, point[:-1], self._deviations(wins, ties, point))

    def run(self, judgments: Judgments, batch: Batch) -> Matrix:
        """Strengths of judgments drawn with replacement, from the pairs that met in them.

        They are sought from those of all judgments on, which are near.
        """
        outcomes = Outcomes.of(judgments)
        whole = MetPairs.of_outcomes(outcomes, outcomes.counts()[np.newaxis])
        start = self._points(self._counted(whole))[0]
        start = _NOWHERE if np.isnan(start).any() else start
        return np.concatenate(
            [
                self._resampled(MetPairs.of_outcomes(outcomes, counts), start)
                for _, counts in outcomes.drawn(batch)
            ]
        )

    def resampled_scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Strengths (runs, S) with a small pseudo-count wherever there is no finite estimate."""
        return self._resampled(MetPairs.of_matrices(wins, ties))

    def _resampled(self, pairs: MetPairs, start: Matrix = _NOWHERE) -> Matrix:
        counted = self._counted(pairs)
        scores = self._points(counted, start)[:, :-1]
        lost: NDArray[np.bool_] = np.isnan(scores[:, 0])
        if lost.any():
            left = counted.runs(lost)
            rescued = self._points(left.with_prior(RESCUE), start)[:, :-1]
            scores[lost] = np.where(main_groups(left), rescued, np.nan)
        return scores

    def _counted(self, pairs: MetPairs) -> MetPairs:
        """The counts as the chosen treatment of ties and the prior take them."""
        if self.ties in ("half", "drop"):
            pairs = pairs.with_ties_as(0.5 if self.ties == "half" else 0.0)
        return pairs.with_prior(self.prior)

    def _likelihood(self, wins: NDArray[Any], ties: NDArray[Any]) -> Likelihood:
        """The likelihood of matrices (S, S), counted likewise."""
        wins, ties = np.asarray(wins, np.float64), np.asarray(ties, np.float64)
        if self.ties in ("half", "drop"):
            wins, ties = wins + ties / 2 if self.ties == "half" else wins, np.zeros_like(ties)
        wins = wins + self.prior * (1 - np.eye(wins.shape[-1]))
        return RaoKupper(wins, ties) if self.ties == "rao-kupper" else Davidson(wins, ties)

    def _deviations(self, wins: NDArray[Any], ties: NDArray[Any], point: Matrix) -> Matrix:
        if np.isnan(point).any():
            return point[:-1]
        return strength_deviations(self._likelihood(wins, ties), point)

    def _point(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Strengths and the parameter of ties (S + 1,) of matrices (S, S), or nan."""
        point: Matrix = self._points(self._counted(MetPairs.of_matrices(wins, ties)))[0]
        return point

    def _points(self, pairs: MetPairs, start: Matrix = _NOWHERE) -> Matrix:
        """The most likely points (runs, S + 1), from *start* on; nan without a finite estimate."""
        finite = finite_runs(pairs)
        points: Matrix = np.full((len(pairs), pairs.systems + 1), np.nan)
        model = "rao-kupper" if self.ties == "rao-kupper" else "davidson"
        points[finite], missed = _core.most_likely_strengths(
            *pairs.runs(finite).native(), model, start
        )
        if missed:
            raise ConvergenceError(f"strengths of systems were not found in {missed} runs")
        return points
