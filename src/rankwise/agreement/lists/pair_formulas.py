"""Every rank correlation that is a formula of five counts of pairs.

Of the pairs of a group C are ordered alike by people and metric and D oppositely; :math:`T_h` are
tied by people only, :math:`T_m` by the metric only and :math:`T_{hm}` by both. The formulas of the
WMT metrics tasks differ only in what they do with the ties.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.agreement.tables.score_cells import Cells
from rankwise.errors import DataError

Counts = NDArray[np.int64]
Vector = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Counts of pairs by group (arrays), or of everything (their sums)."""

    cells: Counts
    concordant: Counts
    discordant: Counts
    gold_ties: Counts
    metric_ties: Counts
    both_ties: Counts
    gold_classes: Counts
    metric_classes: Counts

    @property
    def pairs(self) -> Counts:
        """All pairs that count."""
        return (
            self.concordant + self.discordant + self.gold_ties + self.metric_ties + self.both_ties
        )

    @property
    def total(self) -> "PairCounts":
        """The counts of all groups added up: micro averages are formulas of them."""
        return PairCounts(*(np.array([int(column.sum())]) for column in self._columns()))

    def _columns(self) -> tuple[Counts, ...]:
        ties = (self.gold_ties, self.metric_ties, self.both_ties)
        classes = (self.gold_classes, self.metric_classes)
        return (self.cells, self.concordant, self.discordant, *ties, *classes)


def count_pairs(cells: Cells) -> PairCounts:
    """Counts of every group, in O(n log n) of its size; only equal scores are ties."""
    rows = _core.pair_counts(cells.gold, cells.metric, cells.starts)
    return PairCounts(*rows.T)


def count_pairs_by(
    cells: Cells, *, threshold: float = 0.0, strict: bool = False, epsilon: float = 0.0
) -> PairCounts:
    """Counts of the pairs whose gold scores differ enough.

    A pair counts where its gold scores differ by *threshold* or more (*strict*: by more); the
    metric ties it where its scores differ by *epsilon* or less. Distinct scores are not counted
    (0), for they say nothing about such ties.
    """
    for name, value in (("threshold", threshold), ("epsilon", epsilon)):
        if not 0 <= value < np.inf:
            raise DataError(f"{name} is {value}; expected a number from 0")
    rows = _core.pair_counts_by(
        cells.gold, cells.metric, cells.starts, float(threshold), strict, float(epsilon)
    )
    return PairCounts(*rows.T)


def tau_a(c: PairCounts) -> Vector:
    r""":math:`(C - D) / P` of all P pairs. Kendall (1938)."""
    return _share(c.concordant - c.discordant, c.pairs)


def tau_b(c: PairCounts) -> Vector:
    r""":math:`(C - D) / \sqrt{(C + D + T_h)(C + D + T_m)}`. Kendall (1945)."""
    untied = (c.concordant + c.discordant + c.gold_ties).astype(np.float64)
    untied = untied * (c.concordant + c.discordant + c.metric_ties)
    return _share(c.concordant - c.discordant, np.sqrt(untied))


def tau_c(c: PairCounts) -> Vector:
    r""":math:`2 (C - D) / (n^2 (k - 1) / k)`, k the fewer distinct scores. Stuart (1953)."""
    fewer = np.minimum(c.gold_classes, c.metric_classes)
    scale = c.cells.astype(np.float64) ** 2 * (fewer - 1)
    return _share(2 * (c.concordant - c.discordant) * fewer, scale)


def tau_10(c: PairCounts) -> Vector:
    r""":math:`(C - D - T_m) / (C + D + T_m)`: WMT10-12 and daRR of WMT17-20."""
    wrong = c.discordant + c.metric_ties
    return _share(c.concordant - wrong, c.concordant + wrong)


def tau_13(c: PairCounts) -> Vector:
    r""":math:`(C - D) / (C + D)`: WMT13; Goodman and Kruskal's gamma."""
    return _share(c.concordant - c.discordant, c.concordant + c.discordant)


def tau_14(c: PairCounts) -> Vector:
    r""":math:`(C - D) / (C + D + T_m)`: WMT14-16."""
    return _share(c.concordant - c.discordant, c.concordant + c.discordant + c.metric_ties)


def consistency(c: PairCounts) -> Vector:
    r""":math:`C / (C + D + T_m)`: WMT08 and WMT09."""
    return _share(c.concordant, c.concordant + c.discordant + c.metric_ties)


def tau_xties(c: PairCounts) -> Vector:
    r""":math:`(C - D + T_{hm}) / P`: the option ``xties`` of the WMT14 script."""
    return _share(c.concordant - c.discordant + c.both_ties, c.pairs)


def kendall_like(c: PairCounts) -> Vector:
    r""":math:`(C - D') / (C + D')` with every pair that is not in C in D', ties too: mtme."""
    return _share(2 * c.concordant - c.pairs, c.pairs)


def acc_eq(c: PairCounts) -> Vector:
    r""":math:`(C + T_{hm}) / P`. Deutsch et al. (2023), EMNLP."""
    return _share(c.concordant + c.both_ties, c.pairs)


def tau_eq(c: PairCounts) -> Vector:
    r""":math:`(C + T_{hm} - D - T_h - T_m) / P`, which is 2 acc-eq - 1. Deutsch et al. (2023)."""
    right = c.concordant + c.both_ties
    return _share(2 * right - c.pairs, c.pairs)


VARIANTS: Mapping[str, Callable[[PairCounts], Vector]] = {
    "a": tau_a,
    "b": tau_b,
    "c": tau_c,
    "eq": tau_eq,
    "acc-eq": acc_eq,
    "xties": tau_xties,
    "consistency": consistency,
    **dict.fromkeys(("wmt10", "wmt11", "wmt12", "darr", "penalised"), tau_10),
    **dict.fromkeys(("wmt13", "original", "gamma"), tau_13),
    **dict.fromkeys(("wmt14", "wmt15", "wmt16"), tau_14),
}


def _share(part: NDArray[np.int64], whole: NDArray[np.int64] | Vector) -> Vector:
    shares: Vector = np.full(len(part), np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares
