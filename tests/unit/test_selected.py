"""The matches that TrueSkill selects: who plays, and what is refused."""

import numpy as np
import pytest

from rankwise.aggregate import TrueSkill
from rankwise.aggregate.models.self_selected import selected_pairs
from rankwise.errors import DataError
from rankwise.types import Judgments, Ranking

SCREENS = Judgments.from_rankings(
    Ranking(str(i), "ann", tuple("ABCD"), (1, 2, 3, 4)) for i in range(50)
)
PAPER = TrueSkill(selection="paper", beta="code", matches=400)


def test_all_systems_play_about_equally_often():
    found = selected_pairs(SCREENS, PAPER)
    assert found.systems == ("A", "B", "C", "D")
    assert len(found) == 400
    games = np.bincount(np.concatenate([found.left, found.right]), minlength=4)
    assert games.max() - games.min() <= 0.05 * 400
    assert (found.left != found.right).all()


def test_seeds_decide():
    one, same, other = (selected_pairs(SCREENS, PAPER, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.right, same.right)
    assert (one.right != other.right).any()


@pytest.mark.parametrize("model", [TrueSkill(), TrueSkill(selection="paper", ways=3)])
def test_a_model_that_selects_no_pairs_is_refused(model):
    with pytest.raises(DataError, match="does not select pairs; expected trueskill:selection=pape"):
        selected_pairs(SCREENS, model)
