"""Scores of outputs that are ranked as a set: what a system does elsewhere says something here."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rankwise.types import ScoreTable

#: How much the lead of a system counts; chosen on WMT21-22, see experiments/learning.md.
WEIGHT = 0.5


def with_lead(table: ScoreTable, *, weight: float = WEIGHT) -> ScoreTable:
    r"""Every score and, times *weight*, the lead that its system has over all systems.

    .. math:: v_{si} + w \cdot \frac1n \sum_j (v_{sj} - \bar v_j)

    over the *n* segments that the system has a score of, :math:`\bar v_j` being the mean over the
    systems that have one of segment *j*. A metric is a noisy witness of one output; what it says of
    the system's other outputs helps to tell two outputs apart. Alone, a system has no lead, and its
    scores stay. Missing scores (nan) stay missing. The order of systems by their means stays too.

    >>> table = ScoreTable(("a", "b"), ("1", "2"), np.array([[0.5, 0.9], [0.5, 0.5]]))
    >>> with_lead(table).values.round(3)
    array([[0.55, 0.95],
           [0.45, 0.45]])
    """
    leads = system_leads(table.values)
    return replace(table, values=table.values + weight * leads[:, np.newaxis])


def system_leads(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean difference of each row to the mean of all rows; 0 for a row without a number."""
    is_there = ~np.isnan(values)
    known = np.where(is_there, values, 0.0)
    means = known.sum(axis=0) / np.maximum(is_there.sum(axis=0), 1)
    differences = np.where(is_there, known - means, 0.0)
    return np.asarray(differences.sum(axis=1) / np.maximum(is_there.sum(axis=1), 1), np.float64)
