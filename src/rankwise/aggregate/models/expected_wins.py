"""Expected Wins: the share of comparisons that a system wins."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.met_pairs import MetPairs
from rankwise.aggregate.models.outcomes import Outcomes
from rankwise.aggregate.models.preference_model import CountModel
from rankwise.aggregate.run_batch import Batch
from rankwise.types import Judgments
from rankwise.types.named import check_choice


@dataclass(frozen=True)
class ExpectedWins(CountModel):
    r"""The share of its comparisons that a system wins, in one of two historic readings.

    ``wmt13``: wins against each other system in turn, ties left out, averaged over the systems,

    .. math:: s_i = \frac{1}{|S| - 1} \sum_{j \ne i}
              \frac{\text{wins}(i, j)}{\text{wins}(i, j) + \text{wins}(j, i)}

    where a pair without a decided comparison adds 0. (The paper prints 1 / \|S\|; its table and
    code have 1 / (\|S\| - 1).) ``wmt11``: all comparisons together, a tie as good as a win,

    .. math:: s_i = \frac{\text{wins}_i + \text{ties}_i}
              {\text{wins}_i + \text{ties}_i + \text{losses}_i}

    which is nan without comparisons. Bojar et al. (2011), Sakaguchi et al. (2014), WMT.

    >>> wins = np.array([[0, 3], [1, 0]])
    >>> ExpectedWins().scores(wins, np.array([[0, 4], [4, 0]]))
    array([0.75, 0.25])
    >>> ExpectedWins(variant="wmt11").scores(wins, np.array([[0, 4], [4, 0]]))
    array([0.875, 0.625])
    """

    name: ClassVar[str] = "expected-wins"
    variant: Literal["wmt13", "wmt11"] = "wmt13"

    def __post_init__(self) -> None:
        check_choice("expected-wins", "variant", self.variant, _VARIANTS)

    def scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
        """Scores (..., S) from matrices (..., S, S): row beat column, row and column tied."""
        return _VARIANTS[self.variant](wins, ties)

    def run(self, judgments: Judgments, batch: Batch) -> NDArray[np.float64]:
        """Scores of judgments drawn with replacement, from the pairs that met in them."""
        outcomes = Outcomes.of(judgments)
        score = _SCORES_OF_PAIRS[self.variant]
        return np.concatenate(
            [score(MetPairs.of_outcomes(outcomes, counts)) for _, counts in outcomes.drawn(batch)]
        )


def _pairwise_average(wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
    del ties
    decided = wins + np.swapaxes(wins, -1, -2)
    shares = np.divide(wins, decided, out=np.zeros(wins.shape), where=decided > 0)
    average: NDArray[np.float64] = shares.sum(axis=-1) / max(1, wins.shape[-1] - 1)
    return average


def _all_together(wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
    good = (wins + ties).sum(axis=-1)
    every = good + wins.sum(axis=-2)
    shares: NDArray[np.float64] = np.full(good.shape, np.nan)
    np.divide(good, every, out=shares, where=every > 0)
    return shares


def _average_of_pairs(pairs: MetPairs) -> NDArray[np.float64]:
    """``_pairwise_average`` of every run, to the last bit."""
    decided = pairs.wins + pairs.losses
    shares = [
        np.divide(wins, decided, out=np.zeros(decided.shape), where=decided > 0)
        for wins in (pairs.wins, pairs.losses)
    ]
    # Cells of pairs that never met stay 0: one matrix serves all runs.
    matrix = np.zeros((pairs.systems, pairs.systems))
    scores = np.empty((len(pairs), pairs.systems))
    for run, (left, right) in enumerate(zip(*shares, strict=True)):
        matrix[pairs.left, pairs.right] = left
        matrix[pairs.right, pairs.left] = right
        scores[run] = matrix.sum(axis=-1) / max(1, pairs.systems - 1)
    return scores


def _all_pairs_together(pairs: MetPairs) -> NDArray[np.float64]:
    """``_all_together`` of every run, to the last bit."""
    scores = np.full((len(pairs), pairs.systems), np.nan)
    players = np.concatenate([pairs.left, pairs.right])
    for run, (wins, losses, ties) in enumerate(
        zip(pairs.wins, pairs.losses, pairs.ties, strict=True)
    ):
        good, every = (
            np.bincount(players, np.concatenate(games), pairs.systems)
            for games in ((wins + ties, losses + ties), np.tile(wins + losses + ties, (2, 1)))
        )
        np.divide(good, every, out=scores[run], where=every > 0)
    return scores


_VARIANTS: dict[str, Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]]] = {
    "wmt13": _pairwise_average,
    "wmt11": _all_together,
}
_SCORES_OF_PAIRS: dict[str, Callable[[MetPairs], NDArray[np.float64]]] = {
    "wmt13": _average_of_pairs,
    "wmt11": _all_pairs_together,
}
