"""One metric on two systems: the difference, how sure it is, and what it would take to be sure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.scoreboard import Resampling, items_of
from rankwise.evaluate.system_scores import SystemScores
from rankwise.significance import (
    Bootstrap,
    MeanScore,
    bootstrap,
    paired_bootstrap,
    paired_randomisation,
    percentile_intervals,
)
from rankwise.significance.few_items import level_of_few, p_values_of_few
from rankwise.significance.power import items_needed, smallest_found

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """What one metric says about a first and a second system on the segments both have.

    ``difference`` is the score of the first minus that of the second, ``low`` and ``high`` the ends
    of its interval, ``error`` its standard error, ``p_value`` that of the paired test; they are nan
    without resampling. ``wins``, ``ties`` and ``losses`` count segments as the first sees them.
    """

    name: str
    first: float
    second: float
    low: float
    high: float
    p_value: float
    error: float
    segments: int
    wins: int
    ties: int
    losses: int
    higher_is_better: bool = True

    @property
    def difference(self) -> float:
        """The score of the first system minus that of the second."""
        return self.first - self.second

    @property
    def lead(self) -> float:
        """How much better the first system is; negative where it is worse."""
        return self.difference if self.higher_is_better else -self.difference

    @property
    def needed(self) -> float:
        """Segments like these that tell the two apart (p < .05) in 80 of 100 cases.

        If the difference that was seen is the true one; infinite where there is none.
        """
        return items_needed(self.difference, self.error, self.segments)

    @property
    def finds(self) -> float:
        """The smallest difference that so many segments find in 80 of 100 cases."""
        return smallest_found(self.error)


def paired_difference(
    result: SystemScores, resampling: Resampling, groups: Sequence[str] | None = None
) -> PairedDifference | None:
    """The first two systems of *result* by its metric; None where no segment has both scores.

    The interval holds the middle of the resampled differences. The standard error of a mean is that
    of the differences of segments; of any other score, such as BLEU, the deviation of the resampled
    differences. With *groups* whole groups are drawn, such as documents.
    """
    both = np.flatnonzero(~np.isnan(result.segments.values[:2]).any(axis=0))
    if not len(both):
        return None
    part = result.where(both)
    labels = None if groups is None else [groups[place] for place in both.tolist()]
    low, high, p_value, error = _drawn(part, resampling, labels)
    scores = part.segments.values
    sign = 1.0 if part.metric.higher_is_better else -1.0
    ahead = np.sign(sign * (scores[0] - scores[1]))
    first, second = part.corpus[:2].tolist()
    return PairedDifference(
        str(part.metric), first, second, low, high, p_value, error, len(both),
        int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum()),
        part.metric.higher_is_better,
    )  # fmt: skip


def _drawn(
    part: SystemScores, resampling: Resampling, groups: Sequence[str] | None
) -> tuple[float, float, float, float]:
    """Both ends of the interval, the p-value and the standard error; nan without resampling."""
    if resampling.draws == 0 or len(part.ids) < 2:
        nan = float("nan")
        return nan, nan, nan, nan
    resamples = bootstrap(
        part.rows, part.metric, samples=resampling.draws, seed=resampling.seed, groups=groups
    )
    drawn = drawn_differences(resamples, [(0, 1)])
    level = level_of_few(resampling.level, items_of(part, groups))
    ends = percentile_intervals(drawn, level=level)
    return (
        float(ends.low[0]),
        float(ends.high[0]),
        _p_value(part, resamples, resampling, groups),
        float(standard_errors(part, drawn, [(0, 1)], is_grouped=groups is not None)[0]),
    )


def drawn_differences(resamples: Bootstrap, pairs: Sequence[tuple[int, int]]) -> Bootstrap:
    """The differences of *pairs* of systems, first minus second, resampled as their scores."""
    left, right = np.array(pairs, np.intp).T
    return Bootstrap(
        tuple(f"{one},{two}" for one, two in pairs),
        resamples.scores[left] - resamples.scores[right],
        resamples.resampled[:, left] - resamples.resampled[:, right],
    )


def standard_errors(
    part: SystemScores,
    drawn: Bootstrap,
    pairs: Sequence[tuple[int, int]],
    *,
    is_grouped: bool,
) -> Array:
    """Of a mean that of the differences of segments, of any other score that of what was drawn."""
    if isinstance(part.metric, MeanScore) and not is_grouped:
        scores = part.segments.values
        spread = [np.std(scores[one] - scores[two], ddof=1) for one, two in pairs]
        return np.asarray(np.array(spread) / np.sqrt(len(part.ids)), np.float64)
    if len(drawn.resampled) < 2:
        return np.full(len(pairs), np.nan)
    return np.asarray(np.std(drawn.resampled, axis=0, ddof=1), np.float64)


def _p_value(
    part: SystemScores,
    resamples: Bootstrap,
    resampling: Resampling,
    groups: Sequence[str] | None,
) -> float:
    if resampling.test != "randomisation":
        p_values = paired_bootstrap(resamples, compat=resampling.compat).p_values
        if resampling.takes_few_into_account:
            p_values = p_values_of_few(p_values, items_of(part, groups))
        return float(p_values[0])
    options: dict[str, Any] = {"samples": resampling.shuffles, "seed": resampling.seed}
    options |= {"groups": groups, "compat": resampling.compat}
    return float(paired_randomisation(part.rows, part.metric, **options).p_values[0])
