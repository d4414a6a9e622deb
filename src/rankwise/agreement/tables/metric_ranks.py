"""Ranks of metrics by which none is significantly better within a rank."""

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError


def greedy_ranks(p_values: NDArray[np.float64], *, alpha: float = 0.05) -> NDArray[np.int64]:
    """Ranks, from 1, of metrics given best first.

    ``p_values[i, j]`` (i < j) is the chance of a difference such as that of metrics i and j if
    they were alike. A new rank begins with the first metric that any metric of the present rank
    beats significantly, at *alpha* or below. A pair without a p-value (nan) is no evidence.
    This is how the WMT metrics tasks since 2021 rank (Freitag et al., 2021).

    >>> greedy_ranks(np.array([[0, 0.2, 0.01], [0, 0, 0.03], [0, 0, 0]]))
    array([1, 1, 2])
    """
    count = len(p_values)
    if p_values.shape != (count, count):
        raise DataError(f"p-values have shape {p_values.shape}; expected a square of metrics")
    ranks = np.ones(count, np.int64)
    first = 0  # of the metrics with the present rank
    for metric in range(1, count):
        is_beaten = bool((p_values[first:metric, metric] <= alpha).any())
        ranks[metric] = ranks[metric - 1] + is_beaten
        first = metric if is_beaten else first
    return ranks
