"""Held-out judgments foretold: accuracy and perplexity worked out pair by pair."""

from math import erf, log2, sqrt

import numpy as np
import pytest

import rankwise as rw
from rankwise.aggregate.prediction import RADII
from rankwise.errors import DataError
from rankwise.evaluate.ranking.predictions import doubling_sizes, prediction_parts
from rankwise.types import Judgments, Ranking
from shared_data import needs_shared, shared


def campaign(count, seed):
    """Three of four systems per ranking; A is better than B and so on, with noise."""
    random = np.random.default_rng(seed)
    rankings = []
    for number in range(count):
        shown = random.choice(4, 3, replace=False)
        noisy = np.round(shown + random.normal(0, 1.5, 3))
        names = tuple("ABCD"[system] for system in shown)
        rankings.append(Ranking(f"{seed}-{number}", "ann", names, tuple(noisy.tolist())))
    return Judgments.from_rankings(rankings)


JUDGMENTS, HELD_OUT = campaign(400, 1), campaign(150, 2)


def outcomes(judgments):
    """Every compared pair, and 0, 1 or 2 where the first is better, tied, worse."""
    for ranking in judgments:
        for i, one in enumerate(ranking.systems):
            for j in range(i):
                other, sign = ranking.systems[j], np.sign(ranking.ranks[i] - ranking.ranks[j])
                yield one, other, int(sign) + 1


def chances(means, one, other, radius, spread):
    """That the first is better, tied, worse."""
    gap = means[one] - means[other]
    below = [(1 + erf((x - gap) / (spread * sqrt(2)))) / 2 for x in (-radius, radius)]
    return [1 - below[1], below[1] - below[0], below[0]]


def by_hand(means, judgments, radius, spread):
    """Accuracy and perplexity."""
    found = [(chances(means, a, b, radius, spread), came) for a, b, came in outcomes(judgments)]
    right = [chance[came] == max(chance) for chance, came in found]
    return np.mean(right), 2 ** -np.mean([log2(chance[came]) for chance, came in found])


def test_expected_wins_by_hand():
    parts = prediction_parts(JUDGMENTS, HELD_OUT, seed=1)
    ratings = rw.rank(parts.train, "expected-wins", runs=1)
    means = dict(zip(ratings.systems, ratings.scores.tolist(), strict=True))
    spread = sqrt(0.5**2 + 0.5**2)
    tried = [by_hand(means, parts.development, radius, spread) for radius in RADII]
    best = RADII[int(np.argmax([accuracy for accuracy, _ in tried]))]
    least = RADII[int(np.argmin([perplexity for _, perplexity in tried]))]
    found = rw.predict(JUDGMENTS, HELD_OUT, "expected-wins")
    assert (found.accuracy_radius, found.perplexity_radius) == (best, least)
    assert found.accuracy == pytest.approx(by_hand(means, HELD_OUT, best, spread)[0])
    assert found.perplexity == pytest.approx(by_hand(means, HELD_OUT, least, spread)[1])
    assert (found.compared, found.unknown) == (450, 0)
    assert found.accuracy <= found.upper_bound


@pytest.mark.parametrize(
    "model",
    [
        "expected-wins",
        "bradley-terry:prior=0.1",
        "hopkins-may",
        "trueskill",
        "trueskill:selection=uniform",
        "trueskill:selection=replay",
    ],
)
def test_models_know_more_than_nothing(model):
    found = rw.predict(JUDGMENTS, HELD_OUT, model)
    assert found.model == model
    assert found.accuracy > 0.45
    assert found.perplexity < 3
    assert found == rw.predict(JUDGMENTS, HELD_OUT, model)


def test_what_is_held_out_is_not_learned_from():
    both = Judgments.from_rankings([*JUDGMENTS, *HELD_OUT])
    train, development, test = prediction_parts(both, HELD_OUT, seed=1)
    assert (len(train), len(development), len(test)) == (360, 40, 150)
    assert rw.predict(both, HELD_OUT) == rw.predict(JUDGMENTS, HELD_OUT)


def test_systems_never_seen_are_left_out():
    new = [Ranking("x", "ann", ("A", "new"), (1, 2)), Ranking("x", "ann", ("A", "B"), (1, 2))]
    found = rw.predict(JUDGMENTS, Judgments.from_rankings(new))
    assert (found.compared, found.unknown) == (1, 1)


def test_more_judgments_foretell_better():
    curve = rw.prediction_curve(JUDGMENTS, HELD_OUT, "trueskill", runs=20)
    assert curve.sizes == (100, 200, 400, 800, 1080)
    assert curve.accuracy[-1] > curve.accuracy[0]
    assert curve.perplexity[-1] < curve.perplexity[0]
    one = rw.prediction_curve(JUDGMENTS, HELD_OUT, sizes=(50,), runs=2)
    assert one.sizes == (50,)


@pytest.mark.parametrize(
    ("pairs", "sizes"), [(80, (80,)), (130, (130,)), (140, (100, 140)), (800, (100, 200, 400, 800))]
)
def test_sizes_double_up_to_all(pairs, sizes):
    assert doubling_sizes(pairs) == sizes


def test_refused():
    with pytest.raises(DataError, match="fligner-verducci does not say how likely outcomes are"):
        rw.predict(JUDGMENTS, HELD_OUT, "fligner-verducci")
    with pytest.raises(DataError, match="0 rankings are not held out; expected 2 or more"):
        rw.predict(HELD_OUT, HELD_OUT)


@needs_shared
@pytest.mark.parametrize(
    ("model", "accuracy", "perplexity"),
    [
        ("expected-wins", 0.4840, 2.900),
        ("trueskill", 0.4840, 2.885),
        ("bradley-terry", 0.4840, 2.831),
    ],
)
def test_all_of_wmt13(model, accuracy, perplexity):
    """A little above the 6,400 judgments of docs/rank-accuracy.md, .481 and 2.834."""
    train = rw.read_judgments(shared("data/rankings/wmt13_fr-en_train.csv.gz"))
    test = rw.read_judgments(shared("data/rankings/wmt13_fr-en_test.csv.gz"))
    found = rw.predict(train, test, model)
    assert found.accuracy == pytest.approx(accuracy, abs=1e-4)
    assert found.perplexity == pytest.approx(perplexity, abs=1e-3)
    assert found.upper_bound == pytest.approx(0.5105)
