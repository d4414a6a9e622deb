"""Bradley-Terry: strengths that make the observed wins, ties and losses most likely."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.connected import has_finite_estimate, main_group, why_not_finite
from rankwise.aggregate.models.outcomes import count_outcomes
from rankwise.aggregate.models.preference_model import CountModel
from rankwise.aggregate.models.strengths import (
    Davidson,
    Likelihood,
    RaoKupper,
    most_likely,
    strength_deviations,
)
from rankwise.errors import DataError
from rankwise.types import Judgments
from rankwise.types.named import check_choice
from rankwise.types.ratings import Ratings

Matrix = NDArray[np.float64]
Ties = Literal["davidson", "rao-kupper", "half", "drop"]
#: The pseudo-count of resamples that leave no finite estimate.
RESCUE = 0.01


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
        wins, ties = self._counted(wins, ties)
        return self._fitted(wins, ties, has_finite_estimate(wins, ties))

    def deviations(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Standard errors (S,) of the strengths; nan where no finite estimate exists."""
        wins, ties = self._counted(wins, ties)
        if not has_finite_estimate(wins, ties):
            return np.full(wins.shape[-1], np.nan)
        likelihood = self._likelihood(wins, ties)
        return strength_deviations(likelihood, most_likely(likelihood))

    def probabilities(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Fitted chances (S, S, 3) that row beats column, that they tie, that column beats row.

        All are nan where no finite estimate exists. ``half`` and ``drop`` never expect a tie.

        >>> wins, ties = np.array([[0, 3], [1, 0]]), np.array([[0, 4], [4, 0]])
        >>> BradleyTerry().probabilities(wins, ties)[0, 1]
        array([0.375, 0.5  , 0.125])
        """
        wins, ties = self._counted(wins, ties)
        if not has_finite_estimate(wins, ties):
            return np.full((*wins.shape, 3), np.nan)
        likelihood = self._likelihood(wins, ties)
        return likelihood.probabilities(most_likely(likelihood))

    def ratings(self, judgments: Judgments, *, seed: int = 1) -> Ratings:
        """Strengths and standard errors from all judgments."""
        del seed
        systems, wins, ties = count_outcomes(judgments)
        counted = self._counted(wins, ties)
        if not has_finite_estimate(*counted):
            seen_ties = ties if self.ties != "drop" else np.zeros_like(ties)
            reason = why_not_finite(systems, wins, seen_ties)
            raise DataError(
                f"Bradley-Terry has no finite estimate: {reason}; "
                f"leave systems out or give a prior, such as {self.name}:prior=0.1"
            )
        return Ratings(systems, self.scores(wins, ties), self.deviations(wins, ties))

    def resampled_scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> Matrix:
        """Strengths (runs, S) with a small pseudo-count wherever there is no finite estimate."""
        wins, ties = self._counted(wins, ties)
        finite = has_finite_estimate(wins, ties)
        scores, lost = self._fitted(wins, ties, finite), ~finite
        if lost.any():
            rescued = self._fitted(_with_prior(wins, RESCUE), ties, lost)
            scores[lost] = np.where(main_group(wins, ties), rescued, np.nan)[lost]
        return scores

    def _counted(self, wins: NDArray[Any], ties: NDArray[Any]) -> tuple[Matrix, Matrix]:
        """The counts as the chosen treatment of ties and the prior take them."""
        wins, ties = np.asarray(wins, np.float64), np.asarray(ties, np.float64)
        if self.ties in ("half", "drop"):
            wins, ties = wins + ties / 2 if self.ties == "half" else wins, np.zeros_like(ties)
        return _with_prior(wins, self.prior), ties

    def _likelihood(self, wins: Matrix, ties: Matrix) -> Likelihood:
        return RaoKupper(wins, ties) if self.ties == "rao-kupper" else Davidson(wins, ties)

    def _fitted(self, wins: Matrix, ties: Matrix, chosen: NDArray[np.bool_]) -> Matrix:
        """Strengths (..., S) of the *chosen* matrices, nan elsewhere."""
        strengths = np.full(wins.shape[:-1], np.nan)
        point = most_likely(self._likelihood(wins[chosen], ties[chosen]))
        strengths[chosen] = point[..., :-1]
        return strengths


def _with_prior(wins: Matrix, prior: float) -> Matrix:
    """*wins* with *prior* more of every system over every other one."""
    return wins + prior * (1 - np.eye(wins.shape[-1]))
