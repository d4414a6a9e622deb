"""Laws that hold for every model of human preference; a new one joins by its entry in MODELS."""

from itertools import pairwise

import numpy as np
import pytest

from rankwise.aggregate import MODELS, RECIPES, recipe_runs
from rankwise.aggregate.run_batch import UNITS, Batch
from rankwise.errors import DataError
from rankwise.evaluate import rank
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


#: What draws or computes its runs in a way of its own.
VARIANTS = [
    *sorted(MODELS),
    "bradley-terry:ties=rao-kupper",
    "hopkins-may:compat=wmt-trueskill",
    "trueskill:selection=paper",
    "trueskill:selection=uniform",
    "trueskill:selection=replay",
    "trueskill:ways=3",
    "trueskill:selection=paper:ways=3",
]


@pytest.fixture(params=VARIANTS)
def variant(request):
    return parse(request.param, MODELS)


def test_the_signature_parses_back(model):
    assert parse(model.signature, MODELS) == model


def test_systems_are_rated_in_the_order_they_were_made(model):
    ratings = model.ratings(screens())
    assert sorted(ratings.systems) == list("ABCDE")
    assert ratings.systems[ratings.means.argmax()] == "A"
    assert ratings.systems[ratings.means.argmin()] == "E"


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


@pytest.mark.parametrize("unit", UNITS)
def test_runs_are_the_same_in_any_pieces(variant, unit, monkeypatch):
    whole = variant.runs(screens(), runs=30, seed=2, unit=unit)
    cut = [
        variant.runs(screens(), runs=stop - first, seed=2, unit=unit, first_run=first)
        for first, stop in pairwise([0, 1, 12, 13, 30])
    ]
    assert whole.tobytes() == np.concatenate(cut).tobytes()
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("RANKWISE_THREADS", threads)
        done = []
        told = variant.runs(screens(), runs=30, seed=2, unit=unit, progress=done.append)
        assert whole.tobytes() == told.tobytes()
        assert sum(done) == 30 and len(done) > 1


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_recipes_are_the_same_in_any_pieces(recipe):
    systems, whole, signature = recipe_runs(screens(), recipe, Batch(30, 2, None))
    cut = [
        recipe_runs(screens(), recipe, Batch(stop - first, 2, None, first))
        for first, stop in pairwise([0, 7, 8, 30])
    ]
    assert whole.tobytes() == np.concatenate([scores for _, scores, _ in cut]).tobytes()
    assert {(names, written) for names, _, written in cut} == {(systems, signature)}


@pytest.mark.parametrize("how", [{}, {"recipe": "wmt15"}, {"model": "hopkins-may"}])
def test_progress_does_not_change_a_ranking(how):
    done = []
    told = rank(screens(), **how, runs=200, progress=done.append)
    alone = rank(screens(), **how, runs=200)
    assert (told.systems, told.signature) == (alone.systems, alone.signature)
    for column in ("scores", "rank_low", "rank_high", "clusters", "deviations"):
        np.testing.assert_array_equal(getattr(told, column), getattr(alone, column))
    assert sum(done) == 200


def test_runs_that_cannot_be_are_refused(model):
    with pytest.raises(DataError, match="0 runs; expected at least 1"):
        model.runs(screens(), runs=0, seed=1)
    with pytest.raises(DataError, match="the first run is -1; expected a number from 0"):
        model.runs(screens(), runs=3, seed=1, first_run=-1)


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
