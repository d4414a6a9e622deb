"""Every two systems by one metric, from one set of resamples."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rankwise.evaluate.comparing.paired_difference import (
    drawn_differences,
    paired_difference,
    standard_errors,
)
from rankwise.evaluate.scoreboard import Resampling, items_of
from rankwise.evaluate.system_scores import SystemScores
from rankwise.significance import bootstrap, paired_bootstrap, percentile_intervals
from rankwise.significance.few_items import level_of_few, p_values_of_few
from rankwise.significance.power import items_needed


@dataclass(frozen=True, slots=True)
class PairSummary:
    """Two scores, the ends of the interval of their difference, its p-value, segments needed."""

    first: float
    second: float
    low: float
    high: float
    p_value: float
    needed: float


def every_pair(
    result: SystemScores, resampling: Resampling, groups: Sequence[str] | None = None
) -> dict[tuple[int, int], PairSummary]:
    """All pairs of systems by their places, the lower first; those without a segment are left out.

    The numbers are those of :func:`paired_difference` with the paired bootstrap. Where some scores
    are missing every pair is resampled by itself, on the segments that both have.
    """
    pairs = list(combinations(range(len(result.systems)), 2))
    if resampling.draws == 0 or np.isnan(result.segments.values).any():
        return _one_by_one(result, resampling, groups, pairs)
    resamples = bootstrap(
        result.rows, result.metric, samples=resampling.draws, seed=resampling.seed, groups=groups
    )
    drawn = drawn_differences(resamples, pairs)
    few = items_of(result, groups)
    ends = percentile_intervals(drawn, level=level_of_few(resampling.level, few))
    errors = standard_errors(result, drawn, pairs, is_grouped=groups is not None)
    p_values = paired_bootstrap(resamples, compat=resampling.compat).p_values
    if resampling.compat is None:
        p_values = p_values_of_few(p_values, few)
    items = len(result.ids)
    return {
        pair: PairSummary(
            float(resamples.scores[pair[0]]),
            float(resamples.scores[pair[1]]),
            float(ends.low[place]),
            float(ends.high[place]),
            float(p_values[place]),
            items_needed(float(drawn.scores[place]), float(errors[place]), items),
        )
        for place, pair in enumerate(pairs)
    }


def _one_by_one(
    result: SystemScores,
    resampling: Resampling,
    groups: Sequence[str] | None,
    pairs: Sequence[tuple[int, int]],
) -> dict[tuple[int, int], PairSummary]:
    found = {}
    for one, two in pairs:
        rows = {result.systems[place]: result.rows[result.systems[place]] for place in (one, two)}
        line = paired_difference(SystemScores(result.metric, rows, result.ids), resampling, groups)
        if line is not None:
            found[one, two] = PairSummary(
                line.first, line.second, line.low, line.high, line.p_value, line.needed
            )
    return found
