"""With any machine, intervals hold as often as they say, and equal systems are seldom told apart.

The machine may be perfect, useless, the opposite of people, or wild; what it must not do is make
people's answer wrong. It may help, and must not harm.
"""

import numpy as np
import pytest
from scipy.stats import binom

import rankwise as rw
from simulated_proxies import LEVEL, USUAL, World, campaign

SIMULATIONS = 100
#: The campaigns share nothing, but the intervals of one campaign do; so the limits are wide.
LEAST, MOST = (float(end) / SIMULATIONS for end in binom.ppf([5e-4, 1 - 5e-4], SIMULATIONS, 0.95))

MACHINES = ("perfect", "good", "useless", "adverse", "wild")


def simulated(kind: str, *, wins: bool = False, world: World = USUAL, seed: int = 1):
    """Rankings of many campaigns, and the true score of every system."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(SIMULATIONS):
        drawn = campaign(random, kind, world)
        people = drawn.rankings if wins else drawn.values
        found.append(rw.rank_with_proxy(people, drawn.proxy, documents=drawn.documents, runs=20))
    return found, 0.5 if wins else LEVEL


def held(rankings, truth: float) -> float:
    return float(np.mean([(r.found.low <= truth) & (truth <= r.found.high) for r in rankings]))


def rejected(rankings) -> float:
    above = np.triu_indices(len(rankings[0].board), 1)
    return float(np.mean([r.found.p_values[above] < 0.05 for r in rankings]))


def squares(rankings, truth: float) -> tuple[float, float]:
    """Mean squared errors of means: by people alone, and together."""
    alone = np.mean([(r.alone - truth) ** 2 for r in rankings])
    return float(alone), float(np.mean([(r.board.scores - truth) ** 2 for r in rankings]))


@pytest.mark.parametrize("wins", [False, True], ids=["values", "wins"])
@pytest.mark.parametrize("kind", MACHINES)
def test_intervals_hold_with_any_machine(kind, wins):
    rankings, truth = simulated(kind, wins=wins)
    assert held(rankings, truth) >= LEAST
    assert rejected(rankings) <= 1 - LEAST
    alone, together = squares(rankings, truth)
    most = {"perfect": 0.85, "good": 0.92, "adverse": 0.92}  # without rankings, which say less
    assert together <= alone * (most.get(kind, 1.06) if not wins else 1.06)


@pytest.mark.parametrize("kind", ["perfect", "useless"])
def test_ten_documents_and_four_judges_are_enough(kind):
    rankings, truth = simulated(kind, world=World(judged=10, judges=4), seed=3)
    assert held(rankings, truth) >= LEAST


def test_a_good_machine_makes_intervals_narrower_and_says_how_much_it_saves():
    rankings, truth = simulated("perfect", seed=2)
    alone, together = squares(rankings, truth)
    said = float(np.median([ranking.means.worth for ranking in rankings]))
    assert said > 1.15
    assert said == pytest.approx(alone / together, rel=0.25)
    narrower = [np.mean(r.found.high - r.found.low) < np.mean(r.alone_high - r.alone_low)
                for r in rankings]  # fmt: skip
    assert np.mean(narrower) > 0.7


def test_weights_fitted_to_the_same_judgments_would_look_too_good(monkeypatch):
    """Why they are cross-fitted: of few documents and a useless machine, errors are too small."""
    from rankwise.aggregate.proxies import powered_estimate

    world = World(judged=6, judges=6)
    honest, truth = simulated("useless", world=world, seed=4)

    def same(tune, document, count):
        return np.repeat(tune(np.arange(len(document)))[:, None], len(document), axis=1)

    monkeypatch.setattr(powered_estimate, "_cross_fitted", same)
    naive, _ = simulated("useless", world=world, seed=4)
    width = [np.mean([np.mean(r.found.high - r.found.low) for r in found])
             for found in (honest, naive)]  # fmt: skip
    assert width[1] < width[0]
    assert held(naive, truth) < held(honest, truth)
