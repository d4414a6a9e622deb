"""Correlations within groups of cells, all groups at once; nan where a group is constant."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement.tables.score_cells import Cells, common_cells, score_table

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


def segment_moments(gold: ArrayLike, metric: ArrayLike) -> Vector:
    """Rows ``[n, x, y, xx, yy, xy]`` of every segment, of standardised scores; they add up."""
    tables = [score_table(table) for table in (gold, metric)]
    present = common_cells(tables)
    if not present.any():
        return np.zeros((tables[0].shape[1], 6))
    x, y = (_standard(table, present) for table in tables)
    return np.stack([t.sum(axis=0) for t in (present, x, y, x * x, y * y, x * y)], axis=1)


def moment_correlation(rows: Vector) -> Vector:
    """Pearson's correlation of (sums of) moments; nan where one list is constant."""
    n, x, y, xx, yy, xy = np.moveaxis(rows, -1, 0)
    spread_x, spread_y = n * xx - x * x, n * yy - y * y
    # What is left of a constant list is rounding; a real spread is far above it.
    varies = (spread_x > 1e-10 * n * n) & (spread_y > 1e-10 * n * n)
    found: Vector = np.full(np.shape(n), np.nan)
    scale = np.sqrt(np.maximum(spread_x * spread_y, 0.0))
    np.divide(n * xy - x * y, scale, out=found, where=varies)
    return found


def _standard(table: Vector, present: NDArray[np.bool_]) -> Vector:
    """Standardised, 0 where a cell is missing."""
    scores = table[present]
    deviation = scores.std() if scores.min() != scores.max() else 0.0
    centred = np.where(present, table - scores.mean(), 0.0)
    return centred / deviation if deviation > 0 else centred * 0.0


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
