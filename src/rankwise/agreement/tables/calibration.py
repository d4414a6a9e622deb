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
