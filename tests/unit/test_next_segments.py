"""Which segments to give to people: every one has the same chance, and the sample is spread."""

import numpy as np
import pytest

import rankwise as rw
from rankwise.aggregate.asking.spread_sample import spread_sample
from rankwise.errors import DataError
from rankwise.types import Assessments, Judgments, Ranking, ScoreTable

SEGMENTS = tuple(map(str, range(1, 25)))
VALUES = np.random.default_rng(1).normal(size=(2, 24))
TABLE = ScoreTable(("A", "B"), SEGMENTS, VALUES, name="metric")


def test_every_item_has_the_same_chance():
    features, group = np.random.default_rng(2).exponential(size=(2, 15)), np.arange(15) // 5
    drawn = [spread_sample(features, group, 4, seed=seed) for seed in range(1500)]
    assert {len(sample) for sample in drawn} == {4}
    counts = np.bincount(np.concatenate(drawn), minlength=15)
    expected = 1500 * 4 / 15
    assert np.abs(counts - expected).max() < 4 * np.sqrt(expected * (1 - 4 / 15))


def test_the_sample_looks_like_the_whole():
    """Its means scatter far less than those of a plain sample."""
    features, group = np.random.default_rng(3).normal(size=(1, 60)), np.zeros(60, int)
    spread, plain = [], []
    for seed in range(200):
        spread.append(features[0, spread_sample(features, group, 12, seed=seed)].mean())
        plain.append(np.random.default_rng(seed).choice(features[0], 12, replace=False).mean())
    assert np.std(spread) < 0.5 * np.std(plain)


def test_documents_are_seldom_drawn_twice():
    documents = {name: f"d{(int(name) - 1) // 4}" for name in SEGMENTS}
    for seed in range(20):
        chosen = rw.next_segments(TABLE, count=6, seed=seed, documents=documents)
        assert len({documents[name] for name in chosen}) >= 5


def test_what_was_judged_is_not_asked_again():
    values = Assessments.from_rows([("A", name, "ann", "TGT", 50.0) for name in SEGMENTS[:20]])
    screens = [Ranking(name, "ann", ("A", "B"), (1, 2)) for name in SEGMENTS[:20]]
    for people in (values, Judgments.from_rankings(screens)):
        assert set(rw.next_segments(TABLE, people, count=4)) == set(SEGMENTS[20:])
        with pytest.raises(DataError, match="5 segments are asked for; 4 of those that 'metric'"):
            rw.next_segments(TABLE, people, count=5)


def test_segments_without_a_score_are_not_asked_for():
    scores = VALUES.copy()
    scores[0, :20] = np.nan
    table = ScoreTable(("A", "B", "reference"), SEGMENTS, np.vstack([scores, scores[:1] * np.nan]))
    assert set(rw.next_segments(table, count=4)) == set(SEGMENTS[20:])


def test_the_same_seed_gives_the_same_segments():
    assert rw.next_segments(TABLE, count=5, seed=3) == rw.next_segments(TABLE, count=5, seed=3)
    assert rw.next_segments(TABLE, count=0) == []
    assert len(set(rw.next_segments(TABLE, count=24))) == 24
