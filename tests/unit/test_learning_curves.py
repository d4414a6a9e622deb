"""Learning curves on judgments whose truth is known, and how parts are kept apart."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from rankwise.aggregate import BradleyTerry, ExpectedWins, Model, Outcomes
from rankwise.aggregate.prediction import most_frequent_share
from rankwise.errors import DataError
from rankwise.evaluate import CurveLearner, learning_curve
from rankwise.evaluate.ranking.prediction_curves import pairwise, part, without
from rankwise.types import Judgments, Ranking, Ratings


def campaign(count, seed, judge="researcher_1"):
    """Three of four systems per ranking; A is better than B and so on, with noise."""
    random = np.random.default_rng(seed)
    rankings = []
    for number in range(count):
        shown = random.choice(4, 3, replace=False)
        noisy = np.round(shown + random.normal(0, 1.5, 3))
        names = tuple("ABCD"[system] for system in shown)
        rankings.append(Ranking(str(number), judge, names, tuple(noisy.tolist())))
    return Judgments.from_rankings(rankings)


TRAIN, DEVELOPMENT, TEST = (campaign(count, seed) for seed, count in enumerate((400, 100, 200)))
EW = CurveLearner("EW", ExpectedWins(), deviation=0.1)


def test_more_judgments_foretell_better_up_to_the_bound():
    curve = learning_curve(EW, TRAIN, DEVELOPMENT, TEST, sizes=(10, 100, 1000), runs=40)
    assert curve.sizes == (10, 100, 1000)
    assert curve.accuracy[0] < curve.accuracy[1] < curve.accuracy[2]
    assert curve.accuracy[2] <= most_frequent_share(TEST.pairs())
    assert (curve.accuracy_error < 0.03).all()


def test_seeds_decide():
    one, same, other = (
        learning_curve(EW, TRAIN, DEVELOPMENT, TEST, sizes=(20,), runs=10, seed=seed).accuracy
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one != other


def test_whole_rankings_are_drawn_without_replacement():
    learner = CurveLearner("EW", ExpectedWins(), draw="rankings", deviation=0.1)
    curve = learning_curve(learner, TRAIN, DEVELOPMENT, TEST, sizes=(30, 1200), runs=3)
    # All 400 rankings, without replacement: every run learns from the same.
    assert curve.accuracy_error[1] == pytest.approx(0, abs=1e-12)
    with pytest.raises(DataError, match="500 rankings are needed for 1500 pairs; 400 are there"):
        learning_curve(learner, TRAIN, DEVELOPMENT, TEST, sizes=(1500,), runs=3)


def test_bradley_terry_foretells_with_its_own_model_of_ties():
    learner = CurveLearner("BT", BradleyTerry(prior=0.1), own_chances=True)
    curve = learning_curve(learner, TRAIN, DEVELOPMENT, TEST, sizes=(1000,), runs=5)
    assert 1 < curve.perplexity[0] < 3
    with pytest.raises(DataError, match="expected-wins has no chances of its own"):
        learning_curve(
            CurveLearner("EW", ExpectedWins(), own_chances=True), TRAIN, DEVELOPMENT, TEST
        )


@dataclass(frozen=True)
class Choosy(ExpectedWins):
    """Knows the truth in every even run only."""

    name: ClassVar[str] = "choosy"

    def rated(self, judgments, batch):
        assert batch.unit is None
        right = np.array([4.0, 3, 2, 1])
        means = np.stack([right if run % 2 == 0 else -right for run in range(batch.count)])
        return ("A", "B", "C", "D"), means, np.full(means.shape, 0.01)


def test_a_model_may_choose_its_own_comparisons():
    learner = CurveLearner("choosy", Choosy(), draw="model")
    both = learning_curve(learner, TRAIN, DEVELOPMENT, TEST, sizes=(9,), runs=2)
    right = learning_curve(learner, TRAIN, DEVELOPMENT, TEST, sizes=(9,), runs=1)
    # The wrong half foretells exactly the losses: together with the ties they are everything.
    signs = TEST.pairs().sign
    ties = float((signs == 0).mean())
    assert 2 * both.accuracy[0] == pytest.approx(1 - ties)
    assert right.accuracy[0] > 0.5
    assert np.isnan(right.accuracy_error[0])


def test_models_may_depend_on_the_number_of_judgments():
    sizes = []

    def model(size):
        sizes.append(size)
        return ExpectedWins()

    learning_curve(
        CurveLearner("EW", model, deviation=0.1), TRAIN, DEVELOPMENT, TEST, sizes=(10, 20), runs=2
    )
    assert sizes == [10, 20]


def test_pairs_as_rankings_of_their_own():
    pairs = pairwise(TRAIN)
    assert len(pairs) == pairs.pair_count == TRAIN.pair_count
    for one, other in zip(*(Outcomes.of(j).wins_and_ties() for j in (TRAIN, pairs)), strict=True):
        np.testing.assert_array_equal(one, other)


def test_parts_do_not_overlap():
    twice = Judgments.concatenate([TRAIN, TRAIN])
    rest, taken = part(twice, 50, seed=1)
    assert len(taken) == 50
    assert len(rest) <= 750  # the twin of every one that was taken is gone too
    assert len(without(taken, rest)) == 50
    mixed = Judgments.concatenate([TRAIN, campaign(30, 9, judge="turker_1")])
    rest, taken = part(mixed, 30, seed=1, judges="turker_*")
    assert {ranking.judge for ranking in taken} == {"turker_1"}
    assert {ranking.judge for ranking in rest} == {"researcher_1"}
    with pytest.raises(DataError, match="31 rankings are asked for; 30 are there"):
        part(mixed, 31, seed=1, judges="turker_*")


def test_what_is_refused():
    with pytest.raises(DataError, match="unknown draw 'all'; choose from pairs, rankings, model"):
        CurveLearner("EW", ExpectedWins(), draw="all")
    with pytest.raises(DataError, match="the ratings state no deviations; give one"):
        learning_curve(CurveLearner("EW", ExpectedWins()), TRAIN, DEVELOPMENT, TEST, runs=1)
    with pytest.raises(DataError, match="0 runs over 5 sizes"):
        learning_curve(EW, TRAIN, DEVELOPMENT, TEST, runs=0)


def test_a_learner_that_states_deviations_needs_none():
    @dataclass(frozen=True)
    class Sure(Model):
        name: ClassVar[str] = "sure"

        def ratings(self, judgments, *, seed=1):
            return Ratings(("A", "B", "C", "D"), np.array([4.0, 3, 2, 1]), np.full(4, 0.1))

        def runs(self, judgments, *, runs, seed, unit="screen"):
            raise NotImplementedError

    quiet, noisy = (
        learning_curve(
            CurveLearner("sure", Sure(), noise=noise), TRAIN, DEVELOPMENT, TEST, sizes=(9,), runs=1
        )
        for noise in (0.0, 1.0)
    )
    assert quiet.accuracy == noisy.accuracy
    assert noisy.perplexity[0] < quiet.perplexity[0]
