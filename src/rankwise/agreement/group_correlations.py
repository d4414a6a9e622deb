"""Correlations within groups of cells, all groups at once; nan where a group is constant."""

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.score_cells import Cells

Vector = NDArray[np.float64]


def group_pearson(cells: Cells) -> Vector:
    r"""Pearson's correlation of gold and metric scores in every group.

    .. math:: r = \frac{\sum_i (x_i - \bar x)(y_i - \bar y)}
              {\sqrt{\sum_i (x_i - \bar x)^2 \sum_i (y_i - \bar y)^2}}

    Undefined (nan) for groups of one cell and where one list is constant.
    """
    return _pearson(cells.gold, cells.metric, cells.starts)


def group_spearman(cells: Cells) -> Vector:
    """Pearson's correlation of the ranks within every group; ties share the mean of their ranks."""
    ranks = [_ranks(scores, cells.starts) for scores in (cells.gold, cells.metric)]
    return _pearson(ranks[0], ranks[1], cells.starts)


def _pearson(x: Vector, y: Vector, starts: NDArray[np.int64]) -> Vector:
    if not len(x):
        return np.full(len(starts) - 1, np.nan)
    first, sizes = starts[:-1], np.diff(starts)
    (dx, x_varies), (dy, y_varies) = _directions(x, first, sizes), _directions(y, first, sizes)
    products = np.add.reduceat(dx * dy, first)
    return np.where(x_varies & y_varies, np.clip(products, -1.0, 1.0), np.nan)


def _directions(
    values: Vector, first: NDArray[np.int64], sizes: NDArray[np.int64]
) -> tuple[Vector, NDArray[np.bool_]]:
    """Every group centred and scaled to length 1, and whether it varies."""
    varies = np.minimum.reduceat(values, first) != np.maximum.reduceat(values, first)
    # From a value of the group's own: differences of scores that are almost equal are exact.
    shifted = values - np.repeat(values[first], sizes)
    means = np.add.reduceat(shifted, first) / sizes
    centred = shifted - np.repeat(means, sizes)
    # Two steps, so that neither tiny nor huge scores leave the range of floats.
    largest = np.maximum.reduceat(np.abs(centred), first)
    centred /= np.repeat(np.where(varies, largest, 1.0), sizes)
    lengths = np.sqrt(np.add.reduceat(centred * centred, first))
    return centred / np.repeat(np.where(varies, lengths, 1.0), sizes), varies


def _ranks(values: Vector, starts: NDArray[np.int64]) -> Vector:
    """Ranks within groups, from 1; equal values share the mean of their ranks."""
    group = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((values, group))
    ordered, owner = values[order], group[order]
    is_new = np.ones(len(values), np.bool_)
    is_new[1:] = (ordered[1:] != ordered[:-1]) | (owner[1:] != owner[:-1])
    run = np.cumsum(is_new) - 1
    first = np.flatnonzero(is_new)
    last = np.append(first[1:], len(values)) - 1
    ranks = np.empty(len(values))
    ranks[order] = (first + last)[run] / 2 - starts[:-1][owner] + 1
    return ranks
