"""Kendall's tau between human preferences and predicted ones, in all the definitions in use.

Every variant is a table of what a pair is worth, so that a new one is a new table, not a branch.
Only tau-b and tau-c, whose denominators are no count of pairs, have formulas of their own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.lists.list_measure import (
    ListMeasure,
    Request,
    Rows,
    check_rows,
    mean_rows,
    mean_score,
    ratio,
)
from rankwise.errors import DataError
from rankwise.types.named import check_choice

_X = np.nan  # the pair is left out
_NOT_A_MATCH = np.array([[1, -1, -1], [_X, _X, _X], [-1, -1, 1]])
_LEFT_OUT = np.array([[1, _X, -1], [_X, _X, _X], [-1, _X, 1]])
_ZERO = np.array([[1, 0, -1], [_X, _X, _X], [-1, 0, 1]])

#: Rows: the human says better, equal, worse. Columns: the metric says the same.
VARIANTS: Mapping[str, NDArray[np.float64]] = {
    "wmt12": _NOT_A_MATCH,
    "wmt13": _LEFT_OUT,
    "wmt14": _ZERO,
    "wmt10": _NOT_A_MATCH,
    "wmt11": _NOT_A_MATCH,
    "wmt15": _ZERO,
    "wmt16": _ZERO,
    "darr": _NOT_A_MATCH,  # WMT17 to WMT20
    "penalised": _NOT_A_MATCH,  # RankEval, after WMT08
    "original": _LEFT_OUT,
    "gamma": _LEFT_OUT,
    "consistency": np.array([[1, 0, 0], [_X, _X, _X], [0, 0, 1]]),  # WMT08, WMT09
    "xties": np.array([[1, 0, -1], [0, 1, 0], [-1, 0, 1]]),
    "a": np.array([[1, 0, -1], [0, 0, 0], [-1, 0, 1]]),
    "eq": np.array([[1, -1, -1], [-1, 1, -1], [-1, -1, 1]]),
    "acc-eq": np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
}


def kendall_of_signs(
    human: NDArray[np.int8], metric: NDArray[np.int8], *, variant: str = "wmt14"
) -> float:
    r"""Concordance of paired preferences with an explicit treatment of ties.

    .. math:: \tau = \frac{\sum_{h,m} C_{hm} |S_{hm}|}{\sum_{C_{hm} \neq X} |S_{hm}|}

    *human* and *metric* hold +1, 0, -1 for better, equal, worse. The variants differ in what a
    pair that one side ties is worth; see :class:`Tau`. The result is nan when no pair counts.
    Macháček and Bojar (2014), WMT.

    >>> kendall_of_signs(np.array([1, 1, -1], np.int8), np.array([1, 0, 1], np.int8))
    0.0
    """
    if variant not in VARIANTS:
        raise DataError(
            f"unknown variant of kendall {variant!r}; choose from {', '.join(VARIANTS)}"
        )
    if human.shape != metric.shape:
        raise DataError(f"{len(human)} human preferences but {len(metric)} of the metric")
    worth = VARIANTS[variant][1 - human, 1 - metric]
    counted = worth[~np.isnan(worth)]
    return float(counted.mean()) if counted.size else float("nan")


@dataclass(frozen=True, kw_only=True)
class Tau(ListMeasure):
    r"""Kendall's tau over the pairs of items within lists.

    Of all pairs of a list C are concordant, D discordant, :math:`T_h` tied by gold only,
    :math:`T_m` by the prediction only, :math:`T_{hm}` by both; P is their sum.

    ======================================== ======================================================
    ``penalised``, ``wmt10-12``, ``darr``    :math:`(C - D - T_m) / (C + D + T_m)`
    ``original``, ``gamma``, ``wmt13``       :math:`(C - D) / (C + D)`
    ``wmt14``, ``wmt15``, ``wmt16``          :math:`(C - D) / (C + D + T_m)`
    ``consistency`` (WMT08, WMT09)           :math:`C / (C + D + T_m)`
    ``xties``                                :math:`(C - D + T_{hm}) / P`
    ``a``                                    :math:`(C - D) / P`
    ``b``                                    :math:`(C - D) / \sqrt{(C+D+T_h)(C+D+T_m)}`
    ``c``                                    :math:`2 (C - D) / (n^2 (k - 1) / k)`
    ``eq``                                   :math:`(C + T_{hm} - D - T_h - T_m) / P`
    ``acc-eq``                               :math:`(C + T_{hm}) / P`
    ======================================== ======================================================

    In tau-c n is the number of items and k the smaller number of distinct ranks of the two sides.
    ``average=micro`` pools the pairs of all lists (for tau-c, numerators and denominators),
    ``macro`` is the mean of the lists' values, ``weighted`` their mean with the inverse of their
    variance under independence, :math:`9n(n-1) / (2(2n+5))`, as weights.

    Undefined for a list in which no pair counts; such lists are left out, and a tau of 0 counts as
    0. Kendall (1938, 1945); Stuart (1953); Goodman and Kruskal (1954); Callison-Burch et al.
    (2008); Macháček and Bojar (2014); Deutsch et al. (2023), "Ties Matter".

    >>> predicted, gold = [[1, 1, 2], [2, 1]], [[1, 2, 3], [1, 2]]
    >>> Tau().micro(predicted, gold), Tau(average="macro").micro(predicted, gold)
    (0.0, -0.33333333333333337)
    >>> Tau(variant="wmt14").segments(predicted, gold).tolist()
    [0.6666666666666666, -1.0]
    """

    name: ClassVar[str] = "kendall"
    undefined: ClassVar[str] = "no pair of items counts"

    variant: str = "penalised"
    average: str = "micro"

    def __post_init__(self) -> None:
        """Check the options."""
        check_choice(self.name, "variant", self.variant, (*VARIANTS, *_FORMULAS))
        check_choice(self.name, "average", self.average, ("micro", "macro", "weighted"))

    @property
    def request(self) -> Request:
        """The counts of pairs of every list."""
        return Request("pairs")

    def rows(self, columns: Rows) -> Rows:
        r"""``[C, D, Th, Tm, Thm, tau-c's denominator]``, else ``[weight * tau, weight]``."""
        items, distinct = columns[:, 5], np.minimum(columns[:, 6], columns[:, 7])
        square = items**2 * (distinct - 1) / (2 * np.maximum(distinct, 1))
        counts = columns[:, :6].copy()
        counts[:, 5] = np.maximum(square, 0.0)
        if self.average == "micro":
            return counts
        weights = inverse_variance(items) if self.average == "weighted" else None
        return mean_rows(np.asarray(self._tau(counts)), weights)

    def score(self, rows: Any) -> Any:
        """Tau of counts of pairs, or the mean of tau, nan where no pair counts."""
        if self.average != "micro":
            return mean_score(self.name, rows)
        return self._tau(check_rows(self.name, rows, 6))

    def _tau(self, counts: Rows) -> Any:
        if self.variant in _FORMULAS:
            return _FORMULAS[self.variant](counts)
        worth = VARIANTS[self.variant][[0, 0, 1, 0, 1], [0, 2, 0, 1, 1]]
        over, under = np.zeros(counts.shape[:-1]), np.zeros(counts.shape[:-1])
        for column, value in enumerate(worth.tolist()):
            if not np.isnan(value):
                over += value * counts[..., column]
                under += counts[..., column]
        return ratio(over, under)


def inverse_variance(items: Rows) -> Rows:
    """One over the variance of tau of independent rankings of so many items; 0 below two."""
    return 9 * items * (items - 1) / (2 * (2 * items + 5))


def _tau_b(counts: Rows) -> Any:
    untied = counts[..., 0] + counts[..., 1]
    under = np.sqrt((untied + counts[..., 2]) * (untied + counts[..., 3]))
    return ratio(counts[..., 0] - counts[..., 1], under)


def _tau_c(counts: Rows) -> Any:
    return ratio(counts[..., 0] - counts[..., 1], counts[..., 5])


_FORMULAS: Mapping[str, Callable[[Rows], Any]] = {"b": _tau_b, "c": _tau_c}
