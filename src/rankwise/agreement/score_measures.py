"""Measures of agreement between tables of scores, by name: ``pearson``, ``acc-eq``, ``spa``, …

A measure maps a table of gold scores and one of a metric (systems by segments, nan for none) to a
:class:`Value`; measures of the level ``system`` take one column of system scores. Where the rows of
its segments add up, ``rows`` and ``score`` state it, so that resampling works as for metrics.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise import _core
from rankwise.agreement import exchange
from rankwise.agreement.calibration import accuracy_with_ties, calibrated_accuracy
from rankwise.agreement.coins import DRAWS, SEED, Coins
from rankwise.agreement.exchange import Exchanged, Pairs
from rankwise.agreement.group_correlations import (
    group_pearson,
    group_spearman,
    moment_correlation,
    segment_moments,
)
from rankwise.agreement.pair_variants import VARIANTS, acc_eq, count_pairs, count_pairs_by
from rankwise.agreement.pair_variants import kendall_like as like
from rankwise.agreement.score_cells import GROUPINGS, Cells, Table, pack, score_table
from rankwise.agreement.score_value import AVERAGES, UNDEFINED, Value, averaged
from rankwise.agreement.soft_accuracy import (
    MTME_SEED,
    Signs,
    pair_p_values,
    soft_pairwise_accuracies,
)
from rankwise.types.named import Named, check_choice, parse

LEVELS = ("segment", "system")
Rows = NDArray[np.float64]


@dataclass(frozen=True)
class ScoreMeasure(Named):
    """Base of the measures: a value of two tables, and its permutation test."""

    kind: ClassVar[str] = "measure"
    is_correlation: ClassVar[bool] = False  # from -1 to 1, not from 0

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The agreement of a metric with gold scores."""
        raise NotImplementedError

    def values(self, gold: ArrayLike, metrics: Sequence[ArrayLike]) -> list[Value]:
        """The agreement of several metrics with gold scores."""
        return [self.of(gold, metric) for metric in metrics]

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """Differences of pairs of metrics when they exchange scores; all have the same cells."""
        return exchange.exchange_any(
            lambda h, m: float(self.of(h, m)), gold, metrics, pairs, coins
        )

    def rows(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:  # noqa: ARG002
        """One row per segment, of which sums may be scored; None where that cannot be."""
        return None

    def score(self, rows: Rows) -> Any:
        """The measure of (sums of) rows: a mean, unless it says otherwise."""
        total, count = rows[..., 0], rows[..., 1]
        return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)


@dataclass(frozen=True)
class _Grouped(ScoreMeasure):
    """Options that correlations share; see :func:`rankwise.agreement.score_cells.pack`."""

    is_correlation: ClassVar[bool] = True
    level: str = "segment"
    grouping: str = "none"
    average: str = "macro"
    undefined: str = "skip"

    def __post_init__(self) -> None:
        check_choice(self.name, "level", self.level, LEVELS)
        check_choice(self.name, "grouping", self.grouping, GROUPINGS)
        check_choice(self.name, "average", self.average, AVERAGES)
        check_choice(self.name, "undefined", self.undefined, UNDEFINED)

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The correlation within groups, averaged."""
        cells = pack([gold, metric], self.grouping)
        values = self._groups(cells)
        options = {"average": self.average, "undefined": self.undefined}
        reason = "the scores are constant" if self.grouping == "none" else "every group is constant"
        return averaged(values, cells, reason=reason, **options)

    def rows(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """The value of every segment and whether it is defined."""
        if self.grouping != "item" or self.average != "macro" or self.undefined != "skip":
            return None
        return _segment_rows(self._groups, gold, metric)

    def _groups(self, cells: Cells) -> NDArray[np.float64]:
        raise NotImplementedError


@dataclass(frozen=True)
class Pearson(_Grouped):
    """Pearson's linear correlation."""

    name: ClassVar[str] = "pearson"

    def _groups(self, cells: Cells) -> NDArray[np.float64]:
        return group_pearson(cells)

    def rows(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """The moments of every segment, or its value where segments are groups."""
        return segment_moments(gold, metric) if self.grouping == "none" else super().rows(gold, metric)

    def score(self, rows: Rows) -> Any:
        """The correlation of (sums of) moments, or the mean of values."""
        return moment_correlation(rows) if self.grouping == "none" else super().score(rows)

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """PERM-BOTH, by matrices where there are no groups."""
        if self.average != "macro" or self.undefined != "skip":
            return super().exchanged(gold, metrics, pairs, coins)
        cells = pack([gold, *metrics], self.grouping)
        if self.grouping == "none":
            return exchange.exchange_pearson(cells, pairs, coins)
        return exchange.exchange_grouped("pearson", cells, pairs, coins)


@dataclass(frozen=True)
class Spearman(_Grouped):
    """Spearman's correlation of ranks; ties share the mean of their ranks."""

    name: ClassVar[str] = "spearman"

    def _groups(self, cells: Cells) -> NDArray[np.float64]:
        return group_spearman(cells)


@dataclass(frozen=True)
class Kendall(_Grouped):
    """Kendall's tau; see :mod:`rankwise.agreement.pair_variants` for the variants."""

    name: ClassVar[str] = "kendall"
    variant: str = "b"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "variant", self.variant, VARIANTS)

    def _groups(self, cells: Cells) -> NDArray[np.float64]:
        return VARIANTS[self.variant](count_pairs(cells))

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """PERM-BOTH, native for tau-b."""
        if (self.variant, self.average, self.undefined) != ("b", "macro", "skip"):
            return super().exchanged(gold, metrics, pairs, coins)
        cells = pack([gold, *metrics], self.grouping)
        return exchange.exchange_grouped("tau-b", cells, pairs, coins)


@dataclass(frozen=True)
class KendallLike(ScoreMeasure):
    r"""Kendall's tau over the pairs that people tell clearly apart (daRR of WMT17-20).

    .. math:: \tau = (C - D') / (C + D')

    over the pairs of a group whose gold scores differ by *threshold* or more (*strict*: by more);
    what is not concordant is discordant, ties too. Groups are added up (micro average). Undefined
    (nan) where no pair counts.

    >>> gold, metric = [[90], [60], [50]], [[0.9], [0.5], [0.7]]
    >>> KendallLike(threshold=25).of(gold, metric).value
    1.0
    """

    name: ClassVar[str] = "kendall-like"
    is_correlation: ClassVar[bool] = True
    level: ClassVar[str] = "segment"
    threshold: float = 25.0
    strict: bool = False
    grouping: str = "item"

    def __post_init__(self) -> None:
        check_choice(self.name, "grouping", self.grouping, GROUPINGS)

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The ratio of the pairs of all groups together."""
        cells = pack([gold, metric], self.grouping)
        counts = count_pairs_by(cells, threshold=self.threshold, strict=self.strict)
        value = float(like(counts.total)[0])
        groups = int((counts.pairs > 0).sum())
        reason = "" if groups else f"no two gold scores differ by {self.threshold:g}"
        facts = {"cells": len(cells), "missing": cells.missing, "reason": reason}
        return Value(value, groups, int((cells.sizes >= 2).sum()) - groups, **facts)

    def rows(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """C - D' and C + D' of every segment."""
        if self.grouping != "item":
            return None
        cells = pack([gold, metric], "item")
        counts = count_pairs_by(cells, threshold=self.threshold, strict=self.strict)
        found = np.zeros((score_table(gold).shape[1], 2))
        found[_columns(cells, gold)] = np.stack(
            [2 * counts.concordant - counts.pairs, counts.pairs], axis=1
        )
        return found


@dataclass(frozen=True)
class PairwiseAccuracy(ScoreMeasure):
    """The share of pairs of systems in the order of people; ties agree with ties only.

    Kocmi et al. (2021), WMT. Pairs that people tie count.
    """

    name: ClassVar[str] = "accuracy"
    level: ClassVar[str] = "system"

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The accuracy over the pairs of all cells."""
        cells = pack([gold, metric])
        return averaged(acc_eq(count_pairs(cells)), cells)

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """PERM-BOTH over system scores."""
        return exchange.exchange_grouped("accuracy", pack([gold, *metrics]), pairs, coins)


@dataclass(frozen=True)
class AccEq(ScoreMeasure):
    """Pairwise accuracy with ties, at the best threshold of the metric or at a given *epsilon*.

    The permutation test exchanges outcomes of pairs (``test=pairs``, as WMT does from 2023) or
    scores, with thresholds calibrated anew in every draw (``test=scores``).
    """

    name: ClassVar[str] = "acc-eq"
    level: ClassVar[str] = "segment"
    grouping: str = "item"
    epsilon: float | None = None
    test: str = "pairs"

    def __post_init__(self) -> None:
        check_choice(self.name, "grouping", self.grouping, GROUPINGS)
        check_choice(self.name, "test", self.test, ("pairs", "scores"))

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The accuracy and, in the result, its epsilon."""
        cells = pack([gold, metric], self.grouping)
        if self.epsilon is None:
            return calibrated_accuracy(cells)
        return accuracy_with_ties(cells, epsilon=self.epsilon)

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """The test named by ``test``."""
        cells = pack([gold, *metrics], self.grouping)
        if self.test == "pairs":
            epsilons = [self.of(gold, metric).epsilon or 0.0 for metric in metrics]
            return exchange.exchange_pair_outcomes(cells, epsilons, pairs, coins)
        if self.epsilon is None:
            # mt-metrics-eval standardises over all cells here, whether people judged them or not.
            chosen = np.ones(gold.shape, np.bool_) if coins.compat else ~np.isnan(gold)
            standard = [exchange.standard_table(metric, chosen) for metric in metrics]
            cells = pack([gold, *standard], self.grouping)
            return exchange.exchange_calibrated(cells, pairs, coins)
        if self.epsilon == 0:
            return exchange.exchange_grouped("accuracy", cells, pairs, coins)
        return super().exchanged(gold, metrics, pairs, coins)

    def rows(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """The accuracy of every segment at the threshold of all, and whether it has a pair."""
        if self.grouping != "item":
            return None
        epsilon = self.of(gold, metric).epsilon or 0.0
        return _segment_rows(
            lambda cells: acc_eq(count_pairs_by(cells, epsilon=epsilon)), gold, metric
        )


@dataclass(frozen=True)
class SoftPairwiseAccuracy(ScoreMeasure):
    """Do metric and people have the same confidence about pairs of systems? (SPA)

    See :func:`rankwise.agreement.soft_accuracy.soft_pairwise_accuracies`. In the permutation test
    the confidences within a draw are those of the normal approximation.
    """

    name: ClassVar[str] = "spa"
    level: ClassVar[str] = "segment"
    draws: int = DRAWS
    seed: int | None = None
    compat: str = ""

    def __post_init__(self) -> None:
        check_choice(self.name, "compat", self.compat, ("", "mtme"))

    @property
    def signs(self) -> Signs:
        """How the signs are drawn."""
        seed = self.seed if self.seed is not None else MTME_SEED if self.compat else SEED
        return Signs(self.draws, seed, self.compat)

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """SPA of one metric."""
        return soft_pairwise_accuracies(gold, [metric], self.signs)[0]

    def values(self, gold: ArrayLike, metrics: Sequence[ArrayLike]) -> list[Value]:
        """SPA of several metrics, which share the draws."""
        return soft_pairwise_accuracies(gold, metrics, self.signs)

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """PERM-BOTH."""
        present = ~np.isnan(np.stack([gold, *metrics])).any(axis=0)
        human = pair_p_values([gold], present, self.signs)[0]
        whole = present.any(axis=0)
        tables = [exchange.standard_table(metric, present)[:, whole] for metric in metrics]
        kept = coins.matrix(int(whole.sum()) * len(gold))
        tossed = np.concatenate([np.ones_like(kept[:1]), kept])
        found = []
        for left, right in pairs:
            both = _core.exchanged_soft_accuracy(human, tables[left], tables[right], tossed)
            found.append(both[:, 0] - both[:, 1])
        differences = np.stack(found)
        return Exchanged(differences[:, 0], differences[:, 1:])


@dataclass(frozen=True)
class PairwiseDifferencePearson(ScoreMeasure):
    r"""Pearson's correlation of the differences within segments (PDP).

    .. math:: r = \frac{\sum (h_i - h_j)(m_i - m_j)}
              {\sqrt{\sum (h_i - h_j)^2 \sum (m_i - m_j)^2}}

    over the ordered pairs of systems of all segments; every difference comes with its opposite,
    so that means are 0. Undefined (nan) where gold or metric never differ within a segment.
    """

    name: ClassVar[str] = "pdp"
    level: ClassVar[str] = "segment"
    is_correlation: ClassVar[bool] = True

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The correlation."""
        cells = pack([gold, metric], "item")
        rows = self.rows(gold, metric)
        value = float(self.score(rows.sum(axis=0)))
        pairs = int((cells.sizes >= 2).sum())
        reason = "scores never differ within a segment" if np.isnan(value) else ""
        return Value(value, pairs, 0, len(cells), cells.missing, reason)

    def rows(self, gold: ArrayLike, metric: ArrayLike) -> Rows:
        """Sums of products and squares of the differences of every segment."""
        cells = pack([gold, metric], "item")
        found = np.zeros((score_table(gold).shape[1], 3))
        if not len(cells):
            return found
        first = cells.starts[:-1]
        h, m = (
            scores - np.repeat(np.add.reduceat(scores, first) / cells.sizes, cells.sizes)
            for scores in (cells.gold, cells.metric)
        )
        sums = [np.add.reduceat(product, first) for product in (h * m, h * h, m * m)]
        found[_columns(cells, gold)] = (np.stack(sums) * cells.sizes).T
        return found

    def score(self, rows: Rows) -> Any:
        """The correlation of (sums of) rows."""
        scale = np.sqrt(rows[..., 1] * rows[..., 2])
        shares = np.full(scale.shape, np.nan)
        return np.divide(rows[..., 0], scale, out=shares, where=scale > 0)


MEASURES: Mapping[str, type[ScoreMeasure]] = {
    measure.name: measure
    for measure in (
        Pearson,
        Spearman,
        Kendall,
        KendallLike,
        PairwiseAccuracy,
        AccEq,
        SoftPairwiseAccuracy,
        PairwiseDifferencePearson,
    )
}


def score_measure(text: str) -> ScoreMeasure:
    """The measure that a name with options describes.

    >>> score_measure("kendall:grouping=item").grouping
    'item'
    """
    return parse(text, MEASURES)


def _segment_rows(values: Any, gold: ArrayLike, metric: ArrayLike) -> Rows:
    """``[value, 1]`` of every segment; zeros where it is undefined."""
    cells = pack([gold, metric], "item")
    found = np.zeros((score_table(gold).shape[1], 2))
    value = np.where(cells.sizes >= 2, values(cells), np.nan)
    defined = ~np.isnan(value)
    found[_columns(cells, gold)] = np.stack([np.where(defined, value, 0.0), defined], axis=1)
    return found


def _columns(cells: Cells, gold: ArrayLike) -> NDArray[np.int64]:
    """The segment of every group."""
    return cells.places[cells.starts[:-1]] % score_table(gold).shape[1]
