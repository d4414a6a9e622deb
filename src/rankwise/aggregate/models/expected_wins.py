"""Expected Wins: the share of comparisons that a system wins."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.preference_model import CountModel
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


_VARIANTS: dict[str, Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]]] = {
    "wmt13": _pairwise_average,
    "wmt11": _all_together,
}
