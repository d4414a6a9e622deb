"""Simulated test sets that a machine scored whole and people judged in part; all systems are equal.

Documents and segments are easy or hard, and suit some systems better than others; judges are mild
or strict and like some systems better. What the machine says is named by how far it can be trusted.
"""

from dataclasses import dataclass

import numpy as np

from rankwise.types import Assessments, Judgments, Ranking, ScoreTable

LEVEL = 60.0
SEGMENTS = 4


@dataclass(frozen=True)
class World:
    """How much there is, and how much of it people judge."""

    systems: int = 3
    documents: int = 60
    judged: int = 12
    judges: int = 10


@dataclass(frozen=True)
class Campaign:
    """What people and the machine said: values and rankings of the same segments."""

    values: Assessments
    rankings: Judgments
    proxy: ScoreTable
    documents: dict[str, str]


def _quality(random: np.random.Generator, world: World) -> np.ndarray:
    """The true quality (S, M) of every output."""
    shape = (world.systems, world.documents)
    of_document = random.normal(0, 8, world.documents) + random.normal(0, 3, shape)
    segments = world.documents * SEGMENTS
    own = random.normal(0, 4, segments) + random.normal(0, 8, (world.systems, segments))
    return LEVEL + np.repeat(of_document, SEGMENTS, axis=1) + own


def _machine(random: np.random.Generator, quality: np.ndarray, kind: str) -> np.ndarray:
    noise = random.normal(0, 1, quality.shape)
    if kind == "perfect":
        return quality / 100
    if kind == "good":
        return quality + 8 * noise
    if kind == "adverse":  # the worse the higher, and in love with the last system
        return 10 * noise - quality + 50 * np.arange(len(quality))[:, None]
    if kind == "wild":  # mostly silent, sometimes far off
        return np.where(random.random(quality.shape) < 0.02, 1000.0, 0.0)
    return noise  # useless


#: Few documents of a test set of sixty.
USUAL = World()


def campaign(random: np.random.Generator, kind: str, world: World = USUAL) -> Campaign:
    """A campaign in which documents and judges are drawn by chance."""
    quality = _quality(random, world)
    machine = _machine(random, quality, kind)
    names = tuple(f"s{number}" for number in range(world.systems))
    segments = tuple(f"g{number}" for number in range(quality.shape[1]))
    documents = {name: f"d{number // SEGMENTS}" for number, name in enumerate(segments)}
    strict = random.normal(0, 10, world.judges)
    liking = random.normal(0, 2.5, (world.judges, world.systems))
    rows, places, rankings = [], [], []
    for document in random.permutation(world.documents)[: world.judged]:
        judge = random.integers(world.judges)
        for place in range(document * SEGMENTS, (document + 1) * SEGMENTS):
            seen = quality[:, place] + liking[judge] + random.normal(0, 8, world.systems)
            ranks = tuple((-seen).argsort().argsort() + 1)
            name = segments[place]
            rankings.append(Ranking(name, f"j{judge}", names, ranks))
            for system, value in enumerate(seen + strict[judge]):
                rows.append((names[system], name, f"j{judge}", "TGT", float(value)))
                places.append(documents[name])
    values = Assessments.from_rows(rows, info={"document": np.array(places, object)})
    table = ScoreTable(names, segments, machine, name="machine")
    return Campaign(values, Judgments.from_rankings(rankings), table, documents)
