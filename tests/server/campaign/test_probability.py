"""The probability of a screen, for strategies that follow from the judgments."""

from collections import Counter
from itertools import combinations
from math import comb

import numpy as np
import pytest

from rankwise.aggregate.asking.posterior import Evidence, posterior
from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.server.campaign.ask.chooser import choose_screens
from rankwise.server.campaign.standings.counted import judgments_of
from rankwise.types.named import parse
from server.campaign.made import make_plan, make_testset, simulated

SEEDS = 800


def screens_of(strategy, *, k=2, segments=1):
    """The first screen by every seed, with what was judged before: five systems."""
    plan = make_plan(k=k, strategy=strategy, coverage_floor=0)
    testset = make_testset(5, segments)
    judgments = judgments_of(simulated(testset, 60, k=2, spread=0.3), plan)
    return [
        choose_screens(plan, testset, judgments, count=1, seed=seed)[0] for seed in range(SEEDS)
    ]


def key_of(screen):
    return tuple(sorted(slot.systems[0] for slot in screen.slots))


@pytest.mark.parametrize("k", [2, 3])
def test_clusters_with_a_share_at_random(k):
    """The choice has 1 - e + e / C(5, k), every other set e / C(5, k); counted over seeds."""
    screens = screens_of("clusters:explore=0.5", k=k)
    counts = Counter(key_of(screen) for screen in screens)
    chances = {key_of(screen): screen.probability for screen in screens}
    low, high = 0.5 / comb(5, k), 0.5 + 0.5 / comb(5, k)
    assert sorted(chances.values()) == pytest.approx([low] * (comb(5, k) - 1) + [high])
    assert sum(chances.values()) == pytest.approx(1)
    for key, chance in chances.items():
        deviation = (chance * (1 - chance) / SEEDS) ** 0.5
        assert abs(counts[key] / SEEDS - chance) < 5 * deviation


def test_what_follows_from_the_judgments_is_certain():
    screens = screens_of("information")
    assert len({key_of(screen) for screen in screens}) == 1
    assert {screen.probability for screen in screens} == {1.0}


def test_the_segment_is_drawn_all_the_same():
    found = {screen.probability for screen in screens_of("information", segments=4)}
    # four segments, those shown least among them
    assert found <= {1.0, 1 / 2, 1 / 3, 1 / 4}


@pytest.mark.parametrize("strategy", ["clusters", "information", "paper:scale=2", "uniform"])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_chances_of_all_sets_are_one_together(strategy, k):
    plan, testset = make_plan(k=2), make_testset(6, 3)
    judgments = judgments_of(simulated(testset, 80, k=2, spread=0.4), plan)
    known = posterior(Evidence.of(judgments, testset.systems))
    chosen = parse(strategy, STRATEGIES)
    chances = [chosen.chance(known, numbers) for numbers in combinations(range(6), k)]
    assert sum(chances) == pytest.approx(1)
    picked = chosen.screen(known, k, ~np.eye(6, dtype=bool), np.random.default_rng(1))
    assert chosen.chance(known, picked) == chosen.chance(known, sorted(picked)) > 0


def test_there_is_none_where_no_form_is_known():
    assert {screen.probability for screen in screens_of("thompson")[:20]} == {None}
    # 4,000 judgments of two systems far apart: every boundary is found
    plan = make_plan(k=2, strategy="clusters:explore=0", coverage_floor=0)
    testset = make_testset(2, 3)
    judgments = judgments_of(simulated(testset, 4000, k=2, spread=2.0), plan)
    (screen,) = choose_screens(plan, testset, judgments, count=1, seed=1)
    assert screen.probability is None
