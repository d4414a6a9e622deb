"""How many segments tell two systems apart: by the formula, and by simulation."""

import math

import numpy as np
import pytest

import rankwise as rw
from rankwise.evaluate.comparing.paired_difference import paired_difference
from rankwise.evaluate.given_scores import GivenScores
from rankwise.evaluate.system_scores import SystemScores
from rankwise.metrics import metric
from rankwise.significance import MeanScore, bootstrap, paired_bootstrap
from rankwise.significance.power import items_needed, smallest_found
from rankwise.types import ScoreTable

RUNS = 300


def test_the_formula():
    assert smallest_found(1.0) == pytest.approx(1.959964 + 0.841621, abs=1e-6)
    assert items_needed(1.0, 1.0, 100) == pytest.approx(100 * 2.801585**2, rel=1e-6)
    assert items_needed(2.0, 1.0, 100) == pytest.approx(items_needed(1.0, 1.0, 100) / 4)
    assert items_needed(0.0, 1.0, 100) == math.inf
    assert items_needed(3.0, 0.0, 100) == 1
    assert math.isnan(items_needed(math.nan, 1.0, 100))
    assert items_needed(1.0, 1.0, 100, power=0.9) > items_needed(1.0, 1.0, 100)


def power_of(rows: dict[str, np.ndarray], scorer, size: int) -> float:
    """The share of test sets of that size, drawn from all rows, in which the test finds it."""
    draw = np.random.default_rng(7)
    number = len(next(iter(rows.values())))
    found = 0
    for run in range(RUNS):
        places = draw.integers(0, number, size)
        drawn = {name: some[places] for name, some in rows.items()}
        resamples = bootstrap(drawn, scorer, samples=400, seed=run)
        found += int(paired_bootstrap(resamples).p_values[0] < 0.05)
    return found / RUNS


def test_so_many_segments_find_a_difference_of_means_in_80_of_100_cases():
    draw = np.random.default_rng(3)
    scores = draw.normal(0, 1, (2, 4000))
    scores[0] += 0.25
    rows = MeanScore.rows(ScoreTable(("A", "B"), tuple(map(str, range(4000))), scores))
    result = SystemScores(GivenScores(label="COMET"), rows, list(range(4000)))
    line = paired_difference(result, rw.Resampling(samples=200))
    assert line.needed == pytest.approx(2.8016**2 * 2 / 0.25**2, rel=0.25)  # as in a textbook
    assert power_of(rows, MeanScore(), round(line.needed)) == pytest.approx(0.8, abs=0.07)


def test_so_many_segments_find_a_difference_of_bleu_in_80_of_100_cases():
    """BLEU is no mean: its error is that of its resamples."""
    draw = np.random.default_rng(5)
    words = [f"w{number}" for number in range(300)]
    references, outputs = [], {"A": [], "B": []}
    for _ in range(3000):
        text = draw.choice(words, draw.integers(5, 30)).tolist()
        references.append(" ".join(text))
        for system, share in (("A", 0.285), ("B", 0.3)):
            changed = draw.random(len(text)) < share
            outputs[system].append(
                " ".join("x" if is_wrong else w for w, is_wrong in zip(text, changed, strict=True))
            )
    bleu = metric("bleu")
    rows = {name: bleu.statistics(texts, references) for name, texts in outputs.items()}
    result = SystemScores(bleu, rows, list(range(3000)))
    line = paired_difference(result, rw.Resampling(samples=1000))
    assert 50 < line.needed < 3000
    assert power_of(rows, bleu, round(line.needed)) == pytest.approx(0.8, abs=0.07)


def test_the_interval_of_a_difference_holds_it_in_95_of_100_cases():
    draw = np.random.default_rng(11)
    ids = tuple(map(str, range(120)))
    held = 0
    for run in range(RUNS):
        shared = draw.normal(0, 3, 120)  # what makes a segment hard for both
        scores = shared + draw.normal(0, 1, (2, 120)) + np.array([[0.3], [0.0]])
        rows = MeanScore.rows(ScoreTable(("A", "B"), ids, scores))
        result = SystemScores(GivenScores(label="COMET"), rows, ids)
        line = paired_difference(result, rw.Resampling(samples=400, seed=run))
        held += line.low <= 0.3 <= line.high
    assert held / RUNS == pytest.approx(0.95, abs=0.035)
