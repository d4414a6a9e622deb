"""acc-eq: pairwise accuracy in which ties count, with the tie threshold that suits a metric."""

import math

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.agreement.lists.pair_formulas import acc_eq, count_pairs, count_pairs_by
from rankwise.agreement.tables.score_cells import Cells
from rankwise.agreement.tables.score_value import Value, averaged
from rankwise.errors import DataError

#: Pairs that a permutation test may hold in memory at once (16 bytes each).
MOST_PAIRS = 200_000_000
#: Pairs that may be walked over: a few minutes.
MOST_CALIBRATED = 50_000_000_000
_BLOCK = 1 << 20  # pairs looked at at a time
_BITS = 62  # of an int64, what totals may use


def accuracy_with_ties(cells: Cells, *, epsilon: float = 0.0) -> Value:
    r"""The mean over groups of the share of pairs judged as people do, ties included.

    .. math:: \text{acc}_{eq} = \frac1G \sum_g \frac{C_g + T_{hm,g}}{P_g}

    The metric ties what differs by *epsilon* or less. Groups without a pair are left out; the
    result is nan where there is no other. Deutsch et al. (2023), EMNLP.
    """
    counts = count_pairs(cells) if epsilon == 0 else count_pairs_by(cells, epsilon=epsilon)
    found = averaged(acc_eq(counts), cells)
    return Value(
        found.value, found.groups, 0, found.cells, found.missing, found.reason, float(epsilon)
    )


def calibrated_accuracy(cells: Cells) -> Value:
    r"""acc-eq at the threshold that makes it largest, which is ``epsilon`` of the result.

    .. math:: \epsilon^* = \arg\max_\epsilon \text{acc}_{eq}(\epsilon), \quad
              \epsilon \in \{0\} \cup \{|m_i - m_j|\}

    All pairs are used, none sampled; about a million are held at a time. *Ties*: the smallest of
    several best thresholds; equal differences become ties together. Totals are sums of integers, so
    that no rounding decides. Undefined (nan) without any pair. Deutsch et al. (2023), EMNLP.
    """
    groups = pair_groups(cells, most=MOST_CALIBRATED)
    counts = (0, len(cells), cells.missing)
    if len(groups.starts) < 2:
        return Value(np.nan, 0, *counts, reason="no group has two scores")
    weights, scale = pair_weights(groups)
    _, best, epsilon = _core.tie_calibration(groups.gold, groups.metric, groups.starts, weights)
    return Value(best / scale, len(weights), *counts, epsilon=epsilon)


def segment_shares(
    cells: Cells, segment: NDArray[np.intp], segments: int, *, epsilon: float
) -> NDArray[np.float64]:
    r"""What every segment adds to acc-eq at *epsilon*; the shares sum up to it.

    .. math:: a_s = \sum_g \frac{1}{G P_g} \Bigl( \sum_{p \subset s} o_p
              + \sum_{p \ni s} (o_p - \bar o_g / 2) \Bigr)

    where :math:`o_p` is 1 for a pair that is judged as people do. A pair within segment s is its
    own. One of two segments counts in both, each time less half the mean :math:`\bar o_g` of such
    pairs of its group: the linear part of the accuracy in each segment (Hoeffding, 1948), which is
    what changes when the segment does. *segment* is that of every cell.
    """
    groups = pair_groups(cells)
    kept = np.isin(cells.places, groups.places)
    place = segment[kept]
    shares = np.zeros(segments)
    for start, end in zip(groups.starts[:-1].tolist(), groups.starts[1:].tolist(), strict=True):
        owner, size = place[start:end], end - start
        inside, across, others = _right_pairs(
            groups.gold[start:end], groups.metric[start:end], owner, epsilon
        )
        mean = across.sum() / max(1, int(others.sum()))
        worth = inside / 2 + across - others * mean / 2
        shares += np.bincount(owner, worth, segments) / (size * (size - 1) / 2)
    return shares / max(1, len(groups.starts) - 1)


def _right_pairs(
    gold: NDArray[np.float64],
    metric: NDArray[np.float64],
    owner: NDArray[np.intp],
    epsilon: float,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Per cell of a group: right pairs within its segment, and with others, and all of these."""
    size = len(gold)
    inside, across, others = (np.zeros(size, np.int64) for _ in range(3))
    step = max(1, _BLOCK // size)
    for first in range(0, size, step):
        rows = slice(first, min(first + step, size))
        difference = metric[rows, np.newaxis] - metric
        said = np.where(np.abs(difference) <= epsilon, 0.0, np.sign(difference))
        right = said == np.sign(gold[rows, np.newaxis] - gold)
        own = owner[rows, np.newaxis] == owner
        inside[rows] = (right & own).sum(axis=1) - 1  # a cell and itself
        across[rows] = (right & ~own).sum(axis=1)
        others[rows] = (~own).sum(axis=1)
    return inside, across, others


def pair_groups(cells: Cells, *, most: int = MOST_PAIRS) -> Cells:
    """The groups that have a pair, with a refusal of more pairs than *most*."""
    sizes = cells.sizes
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if pairs > most:
        raise DataError(
            f"calibration over {pairs:,} pairs of cells; expected at most {most:,}: "
            "group by item, or give epsilon"
        )
    if (sizes >= 2).all():
        return cells
    kept = np.repeat(sizes >= 2, sizes)
    starts = np.concatenate(([0], np.cumsum(sizes[sizes >= 2]))).astype(np.int64)
    scores = np.ascontiguousarray(cells.scores[:, kept])
    return Cells(scores, starts, cells.missing, cells.places[kept])


def pair_weights(cells: Cells) -> tuple[NDArray[np.int64], int]:
    """Whole numbers proportional to one over the pairs of each group, and the worth of all right.

    Exact where a common multiple of the numbers of pairs is small enough, else rounded to the
    finest scale that fits 62 bits.
    """
    pairs = [int(size) * (int(size) - 1) // 2 for size in cells.sizes]
    common = 1
    for number in sorted(set(pairs)):
        common = math.lcm(common, number)
        if common * len(pairs) >= 1 << _BITS:
            common = (1 << _BITS) // len(pairs)
            break
    weights = np.array([round(common / number) for number in pairs], np.int64)
    if all(common % number == 0 for number in set(pairs)):
        weights = np.array([common // number for number in pairs], np.int64)
    return weights, common * len(pairs)
