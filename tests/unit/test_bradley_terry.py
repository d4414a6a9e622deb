"""Bradley-Terry: values worked out by hand, published examples, and what has no estimate."""

import numpy as np
import pytest

from rankwise.aggregate import MODELS, BradleyTerry
from rankwise.aggregate.models.connected import has_finite_estimate, main_group
from rankwise.errors import DataError
from rankwise.evaluate import rank
from rankwise.types import Judgments, Ranking
from rankwise.types.named import parse

KINDS = ("davidson", "rao-kupper", "half", "drop")
NONE = np.zeros((2, 2))
# Agresti, Categorical Data Analysis (2002), table 10.10: Milwaukee, Detroit, Toronto, New York,
# Boston, Cleveland, Baltimore; row beat column in the season of 1987.
BASEBALL = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
)
# Davidson (1970), example 2, chocolate puddings: i, j, i preferred, j preferred, no preference.
PUDDINGS = """
    1 2 19 22 16  1 3 16 19 12  2 3 19 19 10  1 4 18 23 13  2 4 23 19  9
    3 4 19 20 15  1 5 13 19 18  2 5 16 20 12  3 5 16 15 17  4 5 17 14 16
    1 6 18 21 12  2 6 22 20 12  3 6 13 18 10  4 6 14 19 18  5 6 11 21 12
"""


def pair(won, lost, tied):
    return np.array([[0, won], [lost, 0]]), np.array([[0, tied], [tied, 0]])


def puddings():
    wins, ties = np.zeros((6, 6)), np.zeros((6, 6))
    for left, right, won, lost, tied in np.array(PUDDINGS.split(), int).reshape(-1, 5):
        i, j = left - 1, right - 1
        wins[i, j], wins[j, i], ties[i, j], ties[j, i] = won, lost, tied, tied
    return wins, ties


def judgments(*rankings):
    return Judgments.from_rankings(
        Ranking(str(number), "ann", tuple(ranks), tuple(ranks.values()))
        for number, ranks in enumerate(rankings)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_two_systems_without_ties_by_hand(kind):
    # 9 : 1 is e^theta : e^-theta, and the information is 10 * .9 * .1 of 2 theta.
    wins, ties = pair(9, 1, 0)
    expected = np.log(9) / 2
    np.testing.assert_allclose(BradleyTerry(ties=kind).scores(wins, ties), [expected, -expected])
    deviation = np.sqrt(1 / 0.9) / 2
    np.testing.assert_allclose(BradleyTerry(ties=kind).deviations(wins, ties), [deviation] * 2)


def test_two_systems_with_ties_by_hand():
    wins, ties = pair(6, 2, 4)
    # Two parameters for two free shares: all three shares are met exactly.
    for kind in ("davidson", "rao-kupper"):
        chances = BradleyTerry(ties=kind).probabilities(wins, ties)
        np.testing.assert_allclose(chances[0, 1], [6 / 12, 4 / 12, 2 / 12])
        np.testing.assert_allclose(chances[1, 0], [2 / 12, 4 / 12, 6 / 12])
    half = {kind: 2 * BradleyTerry(ties=kind).scores(wins, ties)[0] for kind in KINDS}
    # Rao-Kupper: P = p / (p + k q) = 1/2 and q / (q + k p) = 1/6, so p/q = k and p/q = 5/k.
    expected = {
        "davidson": np.log(3),
        "rao-kupper": np.log(5) / 2,
        "half": np.log(2),
        "drop": np.log(3),
    }
    assert half == pytest.approx(expected)


def test_the_baseball_of_agresti():
    # Table 10.11, Baltimore 0; standard errors against Baltimore are said to be about 0.3.
    strengths = BradleyTerry().scores(BASEBALL, 0 * BASEBALL)
    expected = [1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0]
    np.testing.assert_allclose(strengths - strengths[-1], expected, atol=0.005)
    assert strengths.sum() == pytest.approx(0, abs=1e-12)


def test_the_puddings_of_davidson():
    # The likelihood equations: for each brand, wins and half the ties are as many as expected, and
    # so are all ties. The worths and nu were also found by maximising with scipy's BFGS.
    wins, ties = puddings()
    chances = BradleyTerry().probabilities(wins, ties)
    games = wins + wins.T + ties
    expected = games * (chances[..., 0] + chances[..., 1] / 2)
    np.testing.assert_allclose((wins + ties / 2).sum(1), expected.sum(1), rtol=1e-12)
    assert ties.sum() == pytest.approx((games * chances[..., 1]).sum(), rel=1e-12)
    worth = np.exp(BradleyTerry().scores(wins, ties))
    np.testing.assert_allclose(
        worth / worth.sum(), [0.139, 0.173, 0.162, 0.165, 0.159, 0.202], atol=5e-4
    )
    win, tie, loss = chances[0, 1]
    assert tie / np.sqrt(win * loss) == pytest.approx(0.747, abs=5e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_many_matrices_at_once_are_each_alone(kind):
    random = np.random.default_rng(3)
    wins = random.poisson(2, (7, 4, 4)) * (1 - np.eye(4, dtype=int))
    ties = np.triu(random.poisson(1, (7, 4, 4)), 1)
    ties[0], wins[1, 0] = 0, 0
    ties[1, 0] = 0
    ties += np.swapaxes(ties, 1, 2)
    model = BradleyTerry(ties=kind)
    together = model.scores(wins, ties)
    assert np.isnan(together[1]).all()  # the first system never won there
    for one, alone in zip(together, map(model.scores, wins, ties), strict=True):
        np.testing.assert_allclose(one, alone, atol=1e-12)


def test_a_prior_is_wins_of_everybody_over_everybody():
    wins, ties = pair(3, 0, 0)
    assert np.isnan(BradleyTerry().scores(wins, ties)).all()
    expected = np.log(3.5 / 0.5) / 2
    np.testing.assert_allclose(BradleyTerry(prior=0.5).scores(wins, ties), [expected, -expected])
    assert np.isfinite(BradleyTerry(prior=0.5).deviations(wins, ties)).all()
    assert np.isnan(BradleyTerry().deviations(wins, ties)).all()
    assert np.isnan(BradleyTerry().probabilities(wins, ties)).all()


@pytest.mark.parametrize(
    ("wins", "ties", "finite"),
    [
        ([[0, 1], [1, 0]], NONE, True),
        ([[0, 1], [0, 0]], NONE, False),
        ([[0, 1], [1, 0]], [[0, 1], [1, 0]], True),
        # One win and one tie: the more ties are expected the better, without end.
        ([[0, 1], [0, 0]], [[0, 1], [1, 0]], False),
        (NONE, [[0, 1], [1, 0]], False),
        # A beats B beats C, who ties with A: two wins and one tie go round.
        ([[0, 1, 0], [0, 0, 1], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [1, 0, 0]], True),
        ([[0, 1, 0], [0, 0, 0], [0, 0, 0]], [[0, 0, 1], [0, 0, 1], [1, 1, 0]], False),
    ],
)
def test_where_an_estimate_is_finite(wins, ties, finite):
    wins, ties = np.array(wins), np.array(ties)
    assert finite == has_finite_estimate(wins, ties)
    for kind in ("davidson", "rao-kupper"):
        assert finite == np.isfinite(BradleyTerry(ties=kind).scores(wins, ties)).all()


def test_the_largest_group_that_met():
    wins = np.zeros((5, 5))
    wins[1, 2] = wins[2, 4] = wins[0, 3] = 1
    assert main_group(wins, 0 * wins).tolist() == [False, True, True, False, True]


@pytest.mark.parametrize(
    ("rankings", "message"),
    [
        ([{"A": 1, "B": 2}], "A never lost to the other systems; B never won against the other"),
        (
            [{"A": 1, "B": 2}, {"B": 1, "A": 2}, {"A": 1, "C": 2}, {"A": 1, "C": 1, "D": 2}],
            "D never won against or tied with the other systems; leave systems out or give a prior",
        ),
        ([{"A": 1, "B": 2}, {"C": 1, "D": 2}], "no comparison joins A, B and C, D"),
        ([{"A": 1, "B": 2}, {"A": 1, "B": 1}], "no circle of systems holds more wins than ties"),
    ],
)
def test_no_estimate_says_why(rankings, message):
    with pytest.raises(DataError, match=f"Bradley-Terry has no finite estimate: .*{message}"):
        rank(judgments(*rankings), "bradley-terry")
    board = rank(judgments(*rankings), "bradley-terry:prior=0.1", runs=10)
    assert np.isfinite(board.scores).all()


def test_dropped_ties_join_nothing():
    with pytest.raises(DataError, match="no comparison joins A, B and C"):
        rank(
            judgments({"A": 1, "B": 2}, {"B": 1, "A": 2}, {"A": 1, "C": 1}),
            "bradley-terry:ties=drop",
        )


def test_a_resample_without_a_loss_still_ranks_the_winner_first():
    # A lost once in 40: more than a third of the resamples hold no loss of A at all.
    rankings = [{"A": 1, "B": 2, "C": 3}, {"A": 1, "C": 2, "B": 3}] * 20 + [{"B": 1, "A": 2}]
    board = rank(judgments(*rankings), "bradley-terry", runs=200)
    assert board.systems[0] == "A"
    assert board.clusters.tolist() == [1, 2, 2]


def test_a_system_that_a_resample_misses_may_have_any_rank_there():
    rankings = [{"A": 1, "B": 2}, {"A": 1, "B": 2}, {"B": 1, "A": 2}] * 20
    rankings += [{"C": 1, "A": 2}, {"C": 2, "A": 1}]
    runs = BradleyTerry().runs(judgments(*rankings), runs=300, seed=1)
    missed = np.isnan(runs)
    # Two of 62 screens hold C; (60/62)^62 = .13 of the resamples miss both.
    assert 0.05 < missed[:, 2].mean() < 0.25
    assert not missed[:, :2].any()


@pytest.mark.parametrize("kind", KINDS)
def test_models_parse_back(kind):
    model = BradleyTerry(ties=kind, prior=0.25)
    assert parse(model.signature, MODELS) == model
    assert parse(str(model), MODELS) == model


def test_what_is_refused():
    with pytest.raises(DataError, match="unknown ties 'elo'; choose from davidson, rao-kupper"):
        BradleyTerry(ties="elo")
    with pytest.raises(DataError, match=r"prior is -1\.0; expected a number from 0"):
        parse("bradley-terry:prior=-1", MODELS)


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_estimates_do_not_depend_on_what_is_estimated_with_them(ties):
    """Newton steps that others still need must not move what is found, not by one bit."""
    random = np.random.default_rng(4)
    near = random.integers(1, 9, (40, 6, 6))
    far = near * 3.0 ** random.integers(0, 7, (40, 6, 1))  # needs more steps
    wins = np.concatenate([near, far]) * (1 - np.eye(6))
    tied = np.triu(random.integers(1, 9, (80, 6, 6)), 1)
    model, tied = BradleyTerry(ties=ties), tied + np.swapaxes(tied, 1, 2)
    together = model.scores(wins, tied)
    alone = [model.scores(*one) for one in zip(wins, tied, strict=True)]
    assert together.tobytes() == np.array(alone).tobytes()
