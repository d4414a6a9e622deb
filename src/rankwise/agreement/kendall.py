"""Kendall's tau between human preferences and a metric's, as the WMT metrics tasks defined it.

Every variant is a table of what a pair is worth, so that a new one is a new table, not a branch.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError

_X = np.nan  # the pair is left out

#: Rows: the human says better, equal, worse. Columns: the metric says the same.
VARIANTS: Mapping[str, NDArray[np.float64]] = {
    "wmt12": np.array([[1, -1, -1], [_X, _X, _X], [-1, -1, 1]]),
    "wmt13": np.array([[1, _X, -1], [_X, _X, _X], [-1, _X, 1]]),
    "wmt14": np.array([[1, 0, -1], [_X, _X, _X], [-1, 0, 1]]),
}


def kendall_tau(
    human: NDArray[np.int8], metric: NDArray[np.int8], *, variant: str = "wmt14"
) -> float:
    r"""Concordance of paired preferences with an explicit treatment of ties.

    .. math:: \tau = \frac{\sum_{h,m} C_{hm} |S_{hm}|}{\sum_{C_{hm} \neq X} |S_{hm}|}

    *human* and *metric* hold +1, 0, -1 for better, equal, worse. The variants differ in what a
    pair that the metric ties is worth: -1 (``wmt12``: WMT10-12), left out (``wmt13``), 0 but
    counted (``wmt14``: WMT14-16). Pairs that the human ties are left out. The result is nan when
    no pair counts. Macháček and Bojar (2014), WMT.

    >>> kendall_tau(np.array([1, 1, -1], np.int8), np.array([1, 0, 1], np.int8))
    0.0
    """
    if variant not in VARIANTS:
        raise DataError(f"unknown tau variant {variant!r}; choose from {', '.join(VARIANTS)}")
    if human.shape != metric.shape:
        raise DataError(f"{len(human)} human preferences but {len(metric)} of the metric")
    worth = VARIANTS[variant][1 - human, 1 - metric]
    counted = worth[~np.isnan(worth)]
    return float(counted.mean()) if counted.size else float("nan")
