"""Laws that hold for every model of human preference; a new one joins by its entry in MODELS."""

import numpy as np
import pytest

from rankwise.aggregate import MODELS, rank
from rankwise.types import Judgments, Ranking
from rankwise.types.named import parse


def screens(names="ABCDE", count=120):
    """Five systems, the first best, in rankings with ties and gaps."""
    random = np.random.default_rng(8)
    rankings = []
    for number in range(count):
        ranks = np.round(random.normal(np.arange(5) / 2, 1)).tolist()
        ranks[number % 5] = None if number % 7 == 0 else ranks[number % 5]
        rankings.append(Ranking(str(number % 40), "ann", tuple(names), tuple(ranks)))
    return Judgments.from_rankings(rankings)


@pytest.fixture(params=sorted(MODELS))
def model(request):
    return MODELS[request.param]()


def test_the_signature_parses_back(model):
    assert parse(model.signature, MODELS) == model


def test_systems_are_rated_in_the_order_they_were_made(model):
    ratings = model.ratings(screens())
    assert sorted(ratings.systems) == list("ABCDE")
    assert ratings.best_first().systems[0] == "A"
    assert ratings.best_first().systems[-1] == "E"


def test_runs_scatter_around_the_ratings(model):
    ratings = model.ratings(screens())
    runs = model.runs(screens(), runs=40, seed=2)
    assert runs.shape == (40, 5)
    assert (runs.std(axis=0) > 0).any()
    away = np.abs(runs.mean(axis=0) - ratings.means) / runs.std(axis=0).mean()
    assert (away < 1).all()


def test_the_seed_decides(model):
    one, other = (model.runs(screens(), runs=3, seed=seed) for seed in (2, 3))
    np.testing.assert_array_equal(one, model.runs(screens(), runs=3, seed=2))
    assert (one != other).any()


def test_names_that_sort_alike_do_not_matter(model):
    ratings, renamed = model.ratings(screens()), model.ratings(screens("FGHIJ"))
    assert [chr(ord(name) + 5) for name in ratings.systems] == list(renamed.systems)
    np.testing.assert_array_equal(ratings.means, renamed.means)


def test_a_ranking_says_how_sure_it_is(model):
    board = rank(screens(), model, runs=40)
    assert board.signature.startswith(model.signature)
    assert board.deviations.shape == (5,)
    assert ((board.boundary_support >= 0) & (board.boundary_support <= 1)).all()
    assert (board.rank_low <= board.rank_high).all()
    assert board.systems[0] == "A"
