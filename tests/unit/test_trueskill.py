"""TrueSkill, Hopkins and May, recipes and boundaries: by hand, laws, and what is refused."""

import numpy as np
import pytest

from rankwise.aggregate import MODELS, RECIPES, HopkinsMay, TrueSkill
from rankwise.aggregate.models.match_columns import Matches
from rankwise.errors import DataError
from rankwise.evaluate import rank
from rankwise.types import Judgments, Leaderboard, Ranking
from rankwise.types.clusters import boundary_support, leaderboard
from rankwise.types.named import parse


def judgments(*rankings, **options):
    return Judgments.from_rankings(
        Ranking(str(number), "ann", tuple(ranks), tuple(ranks.values()), **options)
        for number, ranks in enumerate(rankings)
    )


def scattered(count, seed=0):
    """Screens of five of six systems, A best, that differ by a third of a deviation each."""
    random = np.random.default_rng(seed)
    names = np.array(list("FEDCBA"))
    rankings = []
    for _ in range(count):
        chosen = random.permutation(6)[:5]
        ranks = np.round(random.normal(-chosen / 3, 1, 5), 1)
        rankings.append(dict(zip(names[chosen].tolist(), ranks.tolist(), strict=True)))
    return judgments(*rankings)


SCREENS = scattered(200)
SELECTIONS = ["all", "replay", "uniform", "paper"]
MODELS_HERE = [
    *(TrueSkill(selection=selection, ways=ways) for selection in SELECTIONS for ways in (2, 3, 5)),
    TrueSkill(beta="code", draw_probability=0.25, selection="paper", matches=300),
    HopkinsMay(iterations=30, burn_in=10),
    HopkinsMay(iterations=30, burn_in=10, compat="wmt-trueskill"),
]


def test_one_win_by_hand():
    # c^2 = 2 * 1 + 1 + 1, t = 0, no ties: v = phi(0) / Phi(0) = .797885, w = v^2 = .636620
    model = TrueSkill(sigma0=1.0, beta=1.0, epsilon=0.0, selection="replay")
    ratings = model.ratings(judgments({"A": 1, "B": 2}))
    assert ratings.systems == ("A", "B")
    np.testing.assert_allclose(ratings.means, [0.3989423, -0.3989423], atol=1e-7)
    np.testing.assert_allclose(ratings.deviations**2, [1 - 0.25 * 2 / np.pi] * 2)


def test_a_tie_moves_two_systems_together():
    model = TrueSkill(selection="replay", epsilon=0.1)
    apart = model.ratings(judgments({"A": 1, "B": 2}))
    closer = model.ratings(judgments({"A": 1, "B": 2}, {"A": 1, "B": 1}))
    assert 0 < closer.means[0] < apart.means[0]


def test_matches_are_whole_rankings_or_all_subsets():
    found = Matches.of(
        judgments({"B": 1, "A": 2, "C": 3}, {"A": 1, "C": None}, {"C": 1, "A": 1}), ways=2
    )
    assert found.systems == ("A", "B", "C")
    assert found.players.tolist() == [1, 0, 1, 2, 0, 2, 2, 0]
    assert found.ranks.tolist() == [1, 2, 1, 3, 2, 3, 1, 1]
    assert found.screens.tolist() == [0, 3, 4]
    whole = Matches.of(judgments({"B": 1, "A": 2, "C": 3}, {"C": 1, "A": 1}), ways=4)
    assert whole.starts.tolist() == [0, 3, 5]
    exact = Matches.of(judgments({"B": 1, "A": 2, "C": 3}, {"C": 1, "A": 1}), ways=3, exact=True)
    assert exact.starts.tolist() == [0, 3]


@pytest.mark.parametrize("model", MODELS_HERE, ids=str)
def test_every_model_finds_the_order(model):
    ratings = model.ratings(SCREENS, seed=3)
    assert ratings.systems == tuple("ABCDEF")
    assert np.corrcoef(ratings.means, np.arange(6, 0, -1))[0, 1] > 0.9
    assert (ratings.deviations > 0).all()


@pytest.mark.parametrize("model", MODELS_HERE, ids=str)
@pytest.mark.parametrize("unit", ["screen", "pair"])
def test_threads_do_not_change_runs(model, unit, monkeypatch):
    monkeypatch.setenv("RANKWISE_THREADS", "1")
    expected = model.runs(SCREENS, runs=9, seed=5, unit=unit)
    assert expected.shape == (9, 6)
    assert (expected[0] != expected[1]).any()
    for threads in ("2", "5"):
        monkeypatch.setenv("RANKWISE_THREADS", threads)
        np.testing.assert_array_equal(expected, model.runs(SCREENS, runs=9, seed=5, unit=unit))
    assert (expected != model.runs(SCREENS, runs=9, seed=6, unit=unit)).any()


@pytest.mark.parametrize("ways", [2, 5])
def test_order_does_not_matter_to_all_at_once(ways):
    one = TrueSkill(ways=ways).ratings(SCREENS)
    other = TrueSkill(ways=ways).ratings(SCREENS.select(np.arange(len(SCREENS))[::-1]), seed=9)
    np.testing.assert_allclose(one.means, other.means, atol=1e-3 if ways > 2 else 1e-9)
    np.testing.assert_allclose(one.deviations, other.deviations, rtol=1e-3)


def test_the_level_of_all_is_that_of_the_prior():
    for ways in (2, 5):
        assert TrueSkill(mu0=25.0, ways=ways).ratings(SCREENS).means.mean() == pytest.approx(25)


def best(ratings):
    return ratings.systems[ratings.means.argmax()]


def test_few_games_do_not_pull_a_good_system_down():
    rankings = [{"A": 1, "B": 2}, {"B": 1, "C": 2}, {"A": 1, "C": 2}] * 200
    rankings += [{"B": 1, "A": 2}, {"C": 1, "B": 2}] * 60
    rankings += [{"X": 1, "A": 2}] * 12 + [{"A": 1, "X": 2}] * 4
    few = judgments(*rankings)
    assert best(TrueSkill().ratings(few)) == "X"
    summed = TrueSkill(selection="replay", beta="code", draw_probability=0.25).ratings(few)
    assert best(summed) == "A"  # a rating of this kind is a sum over games


def test_the_deviation_shrinks_with_the_root_of_the_judgments():
    small, large = (TrueSkill().ratings(scattered(n)).deviations.mean() for n in (300, 1200))
    assert small / large == pytest.approx(2, rel=0.1)


def test_whole_screens_scatter_as_much_as_five_way_matches_say():
    screens = scattered(400)
    scatter = rank(screens, "trueskill:ways=5", runs=60).deviations.mean()
    assert TrueSkill(ways=5).ratings(screens).deviations.mean() == pytest.approx(scatter, rel=0.2)


def test_one_sided_judgments_have_finite_ratings():
    ratings = TrueSkill().ratings(judgments(*[{"A": 1, "B": 2}] * 3000, {"C": 1, "D": 1}))
    assert np.isfinite(ratings.means).all()
    assert ratings.means[0] > 0.5
    np.testing.assert_allclose(ratings.means[2:], 0, atol=1e-9)


def test_selected_matches_fall_back_where_no_ranking_has_the_players():
    # Two groups of three that never meet: most draws of three find nothing.
    rankings = [{"A": 1, "B": 2, "C": 3}, {"X": 1, "Y": 2, "Z": 3}] * 5
    model = TrueSkill(ways=3, selection="paper", matches=50)
    means = model.ratings(judgments(*rankings)).means
    assert means[0] > means[1] > means[2]
    assert means[3] > means[4] > means[5]


@pytest.mark.parametrize("model", MODELS_HERE, ids=str)
def test_models_parse_back(model):
    assert parse(model.signature, MODELS) == model
    assert parse(str(model), MODELS) == model


def test_boundaries_by_hand():
    runs = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [3.0, 3.0, 1.0], [3.0, 2.0, np.nan]])
    assert boundary_support(runs).tolist() == [0.75, 0.5]
    board = leaderboard(["c", "b", "a"], np.array([1.0, 2.0, 3.0]), runs[:3, ::-1])
    assert board.systems == ("a", "b", "c")
    assert board.boundary_support.tolist() == pytest.approx([1.0, 2 / 3])
    np.testing.assert_allclose(board.deviations, [0, 1, np.sqrt(1 / 3)])


def test_lower_may_be_better():
    runs = np.array([[1.0, 2.0], [1.0, 3.0]])
    board = leaderboard(["a", "b"], np.array([1.0, 2.5]), runs, higher_is_better=False)
    assert board.systems == ("a", "b")
    assert board.boundary_support.tolist() == [1.0]


def test_columns_of_a_leaderboard_have_lengths():
    columns = (np.ones(2), *[np.ones(2, np.int64)] * 3)
    assert Leaderboard(("a", "b"), *columns).boundary_support is None
    with pytest.raises(
        DataError, match="'boundary_support' has 2 entries for 2 systems; expected 1"
    ):
        Leaderboard(("a", "b"), *columns, boundary_support=np.ones(2))


@pytest.mark.parametrize("recipe", sorted(RECIPES))
def test_recipes_say_what_they_did(recipe):
    board = rank(SCREENS, recipe=recipe, runs=20, seed=4)
    assert board.systems[0] == "A"
    assert f"recipe={recipe}:runs=20:seed=4:level=0.95" in board.signature
    again = rank(SCREENS, recipe=recipe, runs=20, seed=4)
    np.testing.assert_array_equal(board.scores, again.scores)
    if recipe != "wmt13":
        assert ":beta=code:" in board.signature
        assert f":matches={SCREENS.pair_count + 1}:" in board.signature


def test_the_recipe_of_wmt13_drops_rankings_with_a_gap():
    board = rank(judgments({"A": 1, "B": 2}, {"B": 1, "A": 2, "C": None}), recipe="wmt13", runs=5)
    assert board.scores.tolist() == [1.0, 0.0]


def test_equal_scores_rank_by_falling_name_in_recipes():
    # Only ties: every score is 0 in every run.
    board = rank(judgments(*[{"A": 1, "B": 1}] * 5), recipe="wmt13", runs=10)
    assert dict(zip(board.systems, board.rank_low.tolist(), strict=True)) == {"A": 2, "B": 1}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sigma0": 1e200}, "sigma0 is 1e.200; expected a number from 1e-150 to 1e150"),
        ({"sigma0": 0.0}, "sigma0 is 0.0; expected a number from 1e-150 to 1e150"),
        ({"beta": -1.0}, "beta is -1.0; expected a number from 1e-150 to 1e150, 'paper' or 'code'"),
        ({"beta": "papers"}, "beta is 'papers'"),
        ({"tau": 0.1}, "tau is 0.1; expected 0 where matches have no order"),
        ({"epsilon": -0.1}, "epsilon is -0.1"),
        ({"draw_probability": 1.0}, "draw_probability is 1.0; expected a number from 0 to less"),
        ({"ways": 9}, "ways is 9; expected 2 to 8"),
        ({"matches": 5}, "matches is 5; expected none with 'all'"),
        ({"selection": "best"}, "unknown selection 'best'; choose from all, replay"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(DataError, match=message):
        TrueSkill(**options)


def test_what_else_is_refused():
    with pytest.raises(
        DataError, match="recipe 'wmt15' brings its own model; leave out 'trueskill'"
    ):
        rank(SCREENS, "trueskill", recipe="wmt15")
    with pytest.raises(DataError, match="recipe 'wmt15' brings its own unit"):
        rank(SCREENS, unit="pair", recipe="wmt15")
    with pytest.raises(DataError, match="unknown recipe 'wmt14'; choose from wmt13, wmt15, wmt16"):
        rank(SCREENS, recipe="wmt14")
    with pytest.raises(DataError, match="0 matches of 6 systems"):
        TrueSkill(ways=6, selection="paper").ratings(SCREENS)
    with pytest.raises(DataError, match="0 runs"):
        TrueSkill().runs(SCREENS, runs=0, seed=1)
    with pytest.raises(DataError, match="unknown unit 'judge'"):
        HopkinsMay().runs(SCREENS, runs=2, seed=1, unit="judge")
    with pytest.raises(DataError, match="50 iterations with a burn-in of 50"):
        HopkinsMay(iterations=50)
    with pytest.raises(DataError, match="2 language pairs"):
        TrueSkill(ways=3).ratings(
            Judgments.from_rankings(
                Ranking(
                    "1", "ann", ("A", "B"), (1, 2), source_language=source, target_language="en"
                )
                for source in ("de", "fr")
            )
        )
