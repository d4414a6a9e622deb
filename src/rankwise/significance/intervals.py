"""Confidence intervals of scores from their resamples."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.significance.resample import Bootstrap
from rankwise.types.clusters import check_level


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Per system its score, the mean of its resampled scores, and the interval low .. high.

    The interval need not be symmetric around score or mean: show both ends.
    """

    systems: tuple[str, ...]
    scores: NDArray[np.float64]
    means: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    level: float
    signature: str = ""


def percentile_intervals(resamples: Bootstrap, *, level: float = 0.95) -> Intervals:
    r"""The central *level* of the resampled scores of every system.

    Of R sorted scores, :math:`c = \lfloor R (1 - \text{level}) / 2 \rfloor` are cut at each end;
    the interval runs from the first to the last that remain. A system with an undefined (nan)
    score in any resample has the interval nan .. nan. Efron and Tibshirani (1993), chapter 13;
    at 0.95 the ends are those of sacreBLEU.

    >>> scores = np.array([[0.0], [1.0], [2.0], [9.0]])
    >>> found = percentile_intervals(Bootstrap(("A",), np.array([3.0]), scores), level=0.5)
    >>> found.low, found.means, found.high
    (array([1.]), array([3.]), array([2.]))
    """
    check_level(level)
    count = len(resamples.resampled)
    cut = math.floor(count * (1 - level) / 2 + 1e-9)
    ordered = np.sort(resamples.resampled, axis=0)
    undefined = np.isnan(ordered[-1])
    return Intervals(
        resamples.systems,
        resamples.scores,
        ordered.mean(axis=0),
        np.where(undefined, np.nan, ordered[cut]),
        np.where(undefined, np.nan, ordered[count - 1 - cut]),
        level,
        resamples.signature,
    )
