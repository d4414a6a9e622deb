"""Preferences between outputs, from rankings or from scalar judgments.

An output is a row; a preference is a pair of rows. Ties give none.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types import Judgments

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]


class Preferences(NamedTuple):
    """Row ``better[j]`` is better than row ``worse[j]``, with ``weight[j]``."""

    better: Codes
    worse: Codes
    weight: Floats


def ranked_preferences(judgments: Judgments, rows: NDArray[np.integer]) -> Preferences:
    """Every untied pair of every ranking; repeated judgments give repeated preferences.

    ``rows[segment, system]`` is the row of an output in the numbers of *judgments*, -1 where there
    is none; pairs with such an output are left out.
    """
    pairs = judgments.pairs()
    segment = judgments.segment[pairs.ranking]
    left, right = rows[segment, pairs.left], rows[segment, pairs.right]
    keep = (pairs.sign != 0) & (left >= 0) & (right >= 0)
    left, right, is_left = left[keep], right[keep], pairs.sign[keep] > 0
    better = np.where(is_left, left, right).astype(np.int64)
    worse = np.where(is_left, right, left).astype(np.int64)
    return Preferences(better, worse, np.ones(len(better)))


def scored_preferences(
    human: Floats, group: Codes, *, threshold: float = 25.0, inclusive: bool = False
) -> Preferences:
    """Pairs of one group whose human scores differ by more than *threshold*.

    WMT17-20 left out differences within 25 points of 100; ``inclusive=True`` keeps a difference of
    exactly the threshold too, as mt-metrics-eval does. Rows without a score (nan) are in no pair.

    >>> scored_preferences(np.array([80.0, 50, 70]), np.zeros(3, int)).better
    array([0])
    """
    if not threshold >= 0:
        raise DataError(f"threshold is {threshold}; expected 0 or more")
    order = np.argsort(group, kind="stable")
    order = order[~np.isnan(human[order])]
    ends = np.flatnonzero(np.diff(group[order])) + 1
    better, worse = [], []
    for members in np.split(order, ends):
        first, second = np.triu_indices(len(members), 1)
        difference = human[members[first]] - human[members[second]]
        far = np.abs(difference)
        keep = (far >= threshold if inclusive else far > threshold) & (far > 0)
        first, second, up = members[first[keep]], members[second[keep]], difference[keep] > 0
        better.append(np.where(up, first, second))
        worse.append(np.where(up, second, first))
    empty = [np.empty(0, np.int64)]
    found = np.concatenate(better or empty)
    return Preferences(found, np.concatenate(worse or empty), np.ones(len(found)))


def aggregated(preferences: Preferences, *, by_agreement: bool = False) -> Preferences:
    r"""One preference for every two outputs: the majority's; a balance gives none.

    Its weight is 1, or with *by_agreement* the majority's lead
    :math:`(n_+ - n_-) / (n_+ + n_-)` of the weights. The order is that of the row numbers.

    >>> pairs = Preferences(np.array([0, 0, 1]), np.array([1, 1, 0]), np.ones(3))
    >>> aggregated(pairs, by_agreement=True).weight.round(4)
    array([0.3333])
    """
    low = np.minimum(preferences.better, preferences.worse)
    high = np.maximum(preferences.better, preferences.worse)
    width = int(high.max(initial=0)) + 1
    keys, place = np.unique(low * width + high, return_inverse=True)
    sign = np.where(preferences.better == low, 1.0, -1.0)
    lead = np.bincount(place, sign * preferences.weight, len(keys))
    total = np.bincount(place, preferences.weight, len(keys))
    low, high = keys // width, keys % width
    keep = lead != 0
    lead, total, low, high = lead[keep], total[keep], low[keep], high[keep]
    weight = np.abs(lead) / total if by_agreement else np.ones(len(lead))
    return Preferences(np.where(lead > 0, low, high), np.where(lead > 0, high, low), weight)
