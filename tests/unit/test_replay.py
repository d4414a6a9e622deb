"""Campaigns asked again: answers given out once, curves against the full data, right boundaries."""

import numpy as np
import pytest

from rankwise.aggregate.asking.campaign_answers import HiddenPairs, HiddenScreens, SimulatedPairs
from rankwise.aggregate.asking.campaign_replay import (
    Curve,
    boundaries,
    campaign,
    replay,
    replay_once,
)
from rankwise.aggregate.asking.posterior import Evidence, posterior
from rankwise.aggregate.asking.strategies import STRATEGIES, Clusters, Uniform
from rankwise.errors import DataError
from rankwise.types import Judgments, Ranking
from shared_data import needs_shared, shared


def made_up(strengths, screens, *, k=4, seed=0):
    random = np.random.default_rng(seed)
    rankings = []
    for number in range(screens):
        shown = random.choice(len(strengths), size=k, replace=False)
        quality = np.round(strengths[shown] + random.gumbel(size=k), 1)
        names = tuple(f"system{system}" for system in shown)
        rankings.append(Ranking(str(number), "ann", names, tuple((-quality).tolist())))
    return Judgments.from_rankings(rankings)


CAMPAIGN = made_up(np.array([1.5, 0.6, 0.5, 0.0, -0.8, -0.9]), 250)


def rows(evidence):
    columns = (evidence.left, evidence.right, evidence.sign, evidence.screen)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


# -- answers ---------------------------------------------------------------------------------------


def test_every_comparison_is_given_out_once():
    answers = HiddenPairs(CAMPAIGN, seed=1)
    for left in range(6):
        for right in range(left):
            while answers.allowed[left, right]:
                before = answers.spent
                answers.ask((left, right), 7)
                assert 1 <= answers.spent - before <= 7
    assert not answers.allowed.any()
    assert answers.spent == answers.size == CAMPAIGN.pair_count
    assert rows(answers.evidence()) == rows(Evidence.of(CAMPAIGN))


def test_a_pair_gets_its_own_answers():
    answers = HiddenPairs(CAMPAIGN, seed=1)
    answers.ask((4, 2), 5)
    found = answers.evidence()
    assert len(found) == answers.spent == 5
    assert {
        frozenset(pair) for pair in zip(found.left.tolist(), found.right.tolist(), strict=True)
    } == {frozenset({2, 4})}


def test_a_screen_nearest_to_the_question_is_given_out_whole():
    screens = [("A", "B", "C"), ("A", "D", "E"), ("C", "D", "E")]
    judgments = Judgments.from_rankings(
        Ranking(str(n), "ann", names, (1, 2, 3)) for n, names in enumerate(screens)
    )
    answers = HiddenScreens(judgments, seed=1)
    number = {name: code for code, name in enumerate(answers.systems)}
    answers.ask(tuple(number[name] for name in "CDE"), 1)
    assert set(answers.evidence().screen.tolist()) == {2}
    answers.ask(tuple(number[name] for name in "CDE"), 1)
    assert set(answers.evidence().screen.tolist()) == {1, 2}
    answers.ask(tuple(number[name] for name in "CDE"), 5)
    assert answers.spent == 3
    assert not answers.allowed.any()


def test_equal_texts_are_never_asked_for():
    same = Ranking("1", "ann", ("A", "B", "C"), (1, 1, 2), outputs=(0, 0, 1))
    answers = HiddenPairs(Judgments.from_rankings([same]), seed=1)
    assert answers.size == 2
    assert not answers.allowed[0, 1]


def test_simulated_answers_follow_the_model():
    answers = SimulatedPairs(np.array([1.0, 0.0]), tie=0.5, seed=1)
    answers.ask((0, 1), 20_000)
    sign = answers.evidence().sign
    # exp(1/2), 1/2, exp(-1/2) over their sum 2.7553
    np.testing.assert_allclose((sign == 1).mean(), 0.5984, atol=0.01)
    np.testing.assert_allclose((sign == 0).mean(), 0.1815, atol=0.01)


# -- curves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_every_strategy_ends_at_the_full_data(strategy, k):
    curve = replay_once(CAMPAIGN, strategy, k=k, points=6)
    assert (np.diff(curve.spent) >= 0).all()
    assert curve.spent[-1] == (CAMPAIGN.pair_count if k == 2 else 250)
    assert curve.found[-1] == 1.0
    assert curve.distance[-1] == 0.0
    assert curve.wrong[-1] == 0
    assert curve.first is not None
    assert curve.first <= curve.kept <= curve.spent[-1]


def test_replays_repeat():
    one, same, other = (replay_once(CAMPAIGN, points=5, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.distance, same.distance)
    assert (one.distance != other.distance).any()


def test_first_and_kept_by_hand():
    found = np.array([0.5, 1.0, 0.5, 1.0, 1.0])
    spent = np.array([10, 20, 30, 40, 50])
    curve = Curve(spent, spent, found, spent, found)
    assert (curve.first, curve.kept) == (20, 40)
    never = Curve(spent, spent, found / 2, spent, found)
    assert (never.first, never.kept) == (None, None)


def test_the_order_is_kept_from_the_last_time_it_was_lost():
    spent, distance = np.array([10, 20, 30, 40]), np.array([0.0, 0.1, 0.0, 0.0])
    assert Curve(spent, spent, distance, spent, distance).ordered == 30
    assert Curve(spent, spent, distance, spent, distance + 0.1).ordered is None


def test_several_runs_are_those_of_single_ones():
    done = []
    found = replay(CAMPAIGN, ["uniform", "paper"], runs=2, seed=3, points=5, progress=done.append)
    assert (done, list(found.curves)) == ([1, 1, 1, 1], ["uniform", "paper"])
    assert found.questions == CAMPAIGN.pair_count
    once = replay_once(CAMPAIGN, "paper", seed=4, points=5)
    np.testing.assert_array_equal(once.distance, found.curves["paper"][1].distance)
    assert found.board.systems == posterior(Evidence.of(CAMPAIGN)).leaderboard().systems
    with pytest.raises(DataError, match="0 runs of 2 strategies"):
        replay(CAMPAIGN, runs=0)


def test_a_screen_wider_than_the_campaign_is_refused():
    with pytest.raises(DataError, match="screens of 7 systems; there are 6"):
        replay_once(CAMPAIGN, k=7)


# -- the truth -------------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", [Uniform(), Clusters()], ids=str)
def test_boundaries_are_right_as_often_as_they_say(strategy):
    """Every boundary ever declared, at any of many looks, against the strengths simulated.

    95 % is promised. Of 40 boundaries or more, fewer than 88 % right would be no accident.
    """
    declared = right = 0
    for seed in range(40):
        strengths = np.random.default_rng([seed, 7]).normal(0, 0.8, 6)
        truth = np.argsort(-strengths)
        correct = {frozenset(f"system{s}" for s in truth[:place]) for place in range(1, 6)}
        steps = campaign(
            SimulatedPairs(strengths, seed=seed),
            strategy,
            k=2,
            random=np.random.default_rng(seed),
            points=8,
            floor=2,
            most=500,
        )
        ever = set().union(*(boundaries(known.leaderboard()) for _, known in steps))
        declared += len(ever)
        right += len(ever & correct)
    assert declared > 40
    assert right / declared > 0.88


def test_choosing_finds_more_than_asking_at_random():
    """Three systems far apart and three close ones: what is decided needs no more questions."""
    strengths = np.array([2.0, 1.0, 0.0, -0.5, -0.75, -2.0])
    found = {}
    for strategy in (Uniform(), Clusters()):
        boards = []
        for seed in range(8):
            answers = SimulatedPairs(strengths, seed=seed)
            random = np.random.default_rng(seed)
            *_, (_, known) = campaign(
                answers, strategy, k=2, random=random, points=8, floor=2, most=1500
            )
            boards.append(int(known.leaderboard().clusters.max()))
        found[strategy.name] = np.mean(boards)
    assert found["clusters"] > found["uniform"] + 0.2


# -- real campaigns --------------------------------------------------------------------------------


@needs_shared
def test_posterior_agrees_with_resampled_screens_on_wmt15():
    """Deviations of neighbours' differences against refits to screens drawn with replacement."""
    from rankwise.io import read_judgments

    judgments = read_judgments(shared("data/rankings/collapsed/wmt15.eng-fin.csv.gz"))
    evidence = Evidence.of(judgments)
    known = posterior(evidence)
    order = np.argsort(-known.mean)
    stated = np.sqrt(known.variances[order[:-1], order[1:]])
    random, screens = np.random.default_rng(1), int(evidence.screen.max()) + 1
    by_screen = np.argsort(evidence.screen, kind="stable")
    starts = np.searchsorted(evidence.screen[by_screen], np.arange(screens + 1))
    means = []
    for _ in range(40):
        drawn = random.integers(screens, size=screens)
        chosen = np.concatenate([by_screen[starts[s] : starts[s + 1]] for s in drawn])
        means.append(posterior(evidence.select(chosen)).mean[order])
    resampled = np.diff(np.array(means), axis=1).std(axis=0)
    np.testing.assert_allclose(np.median(stated / resampled), 1.0, atol=0.15)


@needs_shared
@pytest.mark.parametrize(
    "path", ["wmt13_fr-en_train.csv.gz", "collapsed/wmt15.eng-fre.csv.gz"], ids=["wmt13", "wmt15"]
)
def test_real_campaigns_replay(path):
    from rankwise.io import read_judgments

    judgments = read_judgments(shared(f"data/rankings/{path}"))
    curve = replay_once(judgments, "clusters", points=5)
    assert curve.found[-1] == 1.0
    assert curve.distance[-1] == 0.0
