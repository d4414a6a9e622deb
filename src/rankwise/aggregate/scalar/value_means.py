"""Means of values: of segments, of judgments, or of domains."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.judged_values import Floats, JudgedValues

Normalise = Literal["judge", "none"]
Average = Literal["segment", "judgment", "domain"]


def values_of(judged: JudgedValues, normalise: Normalise) -> Floats:
    """The values as they were given, or on each judge's own scale."""
    return judged.standardised if normalise == "judge" else judged.value


def system_means(judged: JudgedValues, value: Floats, average: Average) -> Floats:
    r"""The mean (S,) of every system.

    ``segment``: a segment counts once however often it was judged; ``judgment``: each judgment
    counts once; ``domain``: the mean of the means of domains, of whose segments each counts once.
    """
    if average == "judgment":
        total = np.bincount(judged.system, value, len(judged.systems))
        return _divided(total, np.bincount(judged.system, minlength=len(judged.systems)))
    means = judged.cell_means(value)
    if average == "segment":
        return _row_means(means)
    domains = judged.segment_domains()
    found = [_row_means(means[:, domains == code]) for code in range(len(judged.domains))]
    mean: Floats = np.mean(found, axis=0)
    return mean


def _row_means(values: Floats) -> Floats:
    present = ~np.isnan(values)
    return _divided(np.where(present, values, 0.0).sum(axis=1), present.sum(axis=1))


def _divided(total: NDArray[Any], count: NDArray[Any]) -> Floats:
    found: Floats = np.full(total.shape, np.nan)
    np.divide(total, count, out=found, where=count > 0)
    return found
