"""Fligner-Verducci by hand."""

import numpy as np
import pytest

from rankwise.aggregate import FlignerVerducci
from rankwise.errors import DataError
from rankwise.evaluate import rank
from rankwise.types import Judgments, Ranking

# A over B in 2 of 4 rankings, under in 1, tied in 1; A over C in 1 of 1; B and C never met.
WINS = np.array([[0, 2, 1], [1, 0, 0], [0, 0, 0]])
TIES = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("none", [2 / 4 + 1, 1 / 4 + 0, 0 + 0]), ("half", [2.5 / 4 + 1, 1.5 / 4 + 0.5, 0 + 0.5])],
)
def test_sums_of_shares_by_hand(ties, expected):
    model = FlignerVerducci(ties=ties)
    np.testing.assert_allclose(model.scores(WINS, TIES), expected)
    stacked = model.scores(np.stack([WINS, WINS.T]), np.stack([TIES, TIES]))
    np.testing.assert_allclose(stacked[0], expected)


def test_complete_rankings_without_ties_give_the_mean_rank():
    # Over n complete rankings of S systems, the sum is S minus the mean rank.
    orders = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (3, 1, 2)]
    screens = [Ranking(str(i), "ann", ("A", "B", "C"), ranks) for i, ranks in enumerate(orders)]
    board = rank(Judgments.from_rankings(screens), "fligner-verducci", runs=5)
    scores = dict(zip(board.systems, board.scores, strict=True))
    assert scores == pytest.approx({"A": 3 - 7 / 4, "B": 3 - 7 / 4, "C": 3 - 10 / 4})


def test_what_is_refused():
    with pytest.raises(DataError, match="unknown ties 'all'; choose from none, half"):
        FlignerVerducci(ties="all")
