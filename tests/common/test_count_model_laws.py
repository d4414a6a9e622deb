"""Laws of every model that counts wins and ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwise.aggregate import MODELS, BradleyTerry, CountModel, ExpectedWins, FlignerVerducci
from rankwise.types.named import parse

COUNTING = [
    ExpectedWins(),
    ExpectedWins(variant="wmt11"),
    BradleyTerry(),
    BradleyTerry(ties="rao-kupper"),
    BradleyTerry(ties="half"),
    BradleyTerry(ties="drop"),
    BradleyTerry(prior=0.5),
    FlignerVerducci(),
    FlignerVerducci(ties="half"),
]
every_model = pytest.mark.parametrize("model", COUNTING, ids=str)


@st.composite
def counts(draw):
    size = draw(st.integers(2, 5))
    cells = st.lists(st.integers(0, 5), min_size=size * size, max_size=size * size)
    wins, ties = (np.array(draw(cells)).reshape(size, size) for _ in range(2))
    np.fill_diagonal(wins, 0)
    ties = np.triu(ties, 1)
    return wins, ties + ties.T


def test_every_counting_model_is_here():
    known = {cls for cls in MODELS.values() if issubclass(cls, CountModel)}
    assert known == {type(model) for model in COUNTING}


@every_model
@given(data=counts(), seed=st.integers(0, 99))
def test_scores_follow_their_systems(model, data, seed):
    wins, ties = data
    order = np.random.default_rng(seed).permutation(len(wins))
    shuffled = model.scores(wins[np.ix_(order, order)], ties[np.ix_(order, order)])
    np.testing.assert_allclose(shuffled, model.scores(wins, ties)[order], atol=1e-9)


@every_model
@given(data=st.lists(counts(), min_size=2, max_size=2))
def test_stacks_are_each_alone_and_inputs_unchanged(model, data):
    size = min(len(wins) for wins, _ in data)
    wins, ties = (np.stack([pair[k][:size, :size] for pair in data]) for k in (0, 1))
    before = wins.copy(), ties.copy()
    together = model.scores(wins, ties)
    np.testing.assert_array_equal(before, (wins, ties))
    alone = np.stack([model.scores(*pair) for pair in zip(wins, ties, strict=True)])
    np.testing.assert_allclose(together, alone, atol=1e-9)


@every_model
@given(data=counts())
def test_another_win_never_hurts(model, data):
    wins, ties = data
    more = wins.copy()
    more[0, 1] += 1
    before, after = model.scores(wins, ties)[0], model.scores(more, ties)[0]
    assert np.isnan(before) or np.isnan(after) or after >= before - 1e-9


@every_model
def test_an_even_season_leaves_all_equal(model):
    wins = 3 * (1 - np.eye(4, dtype=int))
    scores = model.scores(wins, 2 * (1 - np.eye(4, dtype=int)))
    np.testing.assert_allclose(scores, scores[0], atol=1e-12)


@every_model
def test_signatures_parse_back(model):
    assert parse(model.signature, MODELS) == model
    assert parse(str(model), MODELS) == model
