"""Confidence intervals of the scores of systems."""

from collections.abc import Sequence

from rankwise.evaluate.scores import SystemScores
from rankwise.significance import Intervals, bootstrap, percentile_intervals


def score_intervals(
    results: Sequence[SystemScores], *, samples: int = 1000, seed: int = 12345, level: float = 0.95
) -> list[Intervals]:
    """Percentile intervals of every system under every metric; segments are resampled."""
    return [
        percentile_intervals(
            bootstrap(result.rows, result.metric, samples=samples, seed=seed), level=level
        )
        for result in results
    ]
