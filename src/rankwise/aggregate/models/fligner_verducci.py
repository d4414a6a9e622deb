"""Fligner-Verducci: the consensus ranking by the chance of being ranked above the others."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.preference_model import CountModel
from rankwise.types.named import check_choice

Ties = Literal["none", "half"]


@dataclass(frozen=True)
class FlignerVerducci(CountModel):
    r"""The sum over the other systems of the share of rankings that put a system above them.

    .. math:: s_i = \sum_{j \ne i} P_{ij}, \quad
              P_{ij} = \frac{\text{wins}(i, j)}
              {\text{wins}(i, j) + \text{wins}(j, i) + \text{ties}(i, j)}

    The share is of the rankings that hold both systems, so that not every ranking need hold all.
    *Ties* count for neither side, as Duh (2008) words it: rankings with i better than j, divided by
    all; ``ties="half"`` counts half for both, so that systems which are often tied do not suffer.
    *Empty pairs*: two systems that no ranking holds both of add 0 to each other, or 1/2 where ties
    count half. Dividing by the number of other systems would give a share, and the same order.

    Fligner and Verducci (1988), JASA 83; Duh (2008), Ranking vs. Regression in Machine Translation
    Evaluation, WMT.

    >>> wins, ties = np.array([[0, 3], [1, 0]]), np.array([[0, 4], [4, 0]])
    >>> FlignerVerducci().scores(wins, ties), FlignerVerducci(ties="half").scores(wins, ties)
    (array([0.375, 0.125]), array([0.625, 0.375]))
    """

    name: ClassVar[str] = "fligner-verducci"
    ties: Ties = "none"

    def __post_init__(self) -> None:
        check_choice(self.name, "ties", self.ties, get_args(Ties))

    def scores(self, wins: NDArray[Any], ties: NDArray[Any]) -> NDArray[np.float64]:
        """Scores (..., S) from matrices (..., S, S): row beat column, row and column tied."""
        tie = 0.5 if self.ties == "half" else 0.0
        met = wins + np.swapaxes(wins, -1, -2) + ties
        shares = np.divide(wins + tie * ties, met, out=np.full(wins.shape, tie), where=met > 0)
        shares *= 1 - np.eye(wins.shape[-1])
        total: NDArray[np.float64] = shares.sum(axis=-1)
        return total
