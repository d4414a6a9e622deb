"""Measures that count how pairs are ordered: Kendall-like, pairwise accuracy, acc-eq."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rankwise.agreement.lists.pair_formulas import acc_eq, count_pairs, count_pairs_by
from rankwise.agreement.lists.pair_formulas import kendall_like as like
from rankwise.agreement.tables.calibration import (
    accuracy_with_ties,
    calibrated_accuracy,
    segment_shares,
)
from rankwise.agreement.tables.exchange import (
    Exchanged,
    Pairs,
    exchange_calibrated,
    exchange_grouped,
    exchange_pair_outcomes,
    exchange_rows,
    standard_table,
)
from rankwise.agreement.tables.exchange_coins import Coins, Units
from rankwise.agreement.tables.score_cells import GROUPINGS, Table, pack, score_table
from rankwise.agreement.tables.score_value import Value, averaged
from rankwise.agreement.tables.table_measure import (
    TESTS,
    Rows,
    TableMeasure,
    segment_rows,
    segments_of,
)
from rankwise.types.human_scale import clear_difference
from rankwise.types.named import check_choice


@dataclass(frozen=True)
class KendallLike(TableMeasure):
    r"""Kendall's tau over the pairs that people tell clearly apart (daRR of WMT17-20).

    .. math:: \tau = (C - D') / (C + D')

    over the pairs of a group whose gold scores differ by *threshold* or more (*strict*: by more);
    what is not concordant is discordant, ties too. Groups are added up (micro average). Undefined
    (nan) where no pair counts. A threshold that is not given follows the kind of the gold scores,
    see :func:`rankwise.types.human_scale.clear_difference`.

    >>> gold, metric = [[90], [60], [50]], [[0.9], [0.5], [0.7]]
    >>> KendallLike(threshold=25).of(gold, metric).value
    1.0
    >>> str(KendallLike().for_scores([[-6], [0]]))
    'kendall-like:threshold=5.0'
    """

    name: ClassVar[str] = "kendall-like"
    is_correlation: ClassVar[bool] = True
    level: ClassVar[str] = "segment"
    threshold: float | None = None
    strict: bool = False
    grouping: str = "item"
    test: str = "segments"

    def __post_init__(self) -> None:
        check_choice(self.name, "grouping", self.grouping, GROUPINGS)
        check_choice(self.name, "test", self.test, TESTS)

    def for_scores(self, gold: ArrayLike) -> "KendallLike":
        """The measure with a threshold: the given one, or that of the kind of scores."""
        if self.threshold is not None:
            return self
        return replace(self, threshold=clear_difference(gold))

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The ratio of the pairs of all groups together."""
        cells = pack([gold, metric], self.grouping)
        threshold = self._threshold(gold)
        counts = count_pairs_by(cells, threshold=threshold, strict=self.strict)
        value = float(like(counts.total)[0])
        groups = int((counts.pairs > 0).sum())
        reason = "" if groups else f"no two gold scores differ by {threshold:g}"
        undefined = int((cells.sizes >= 2).sum()) - groups
        return Value(value, groups, undefined, len(cells), cells.missing, reason)

    def statistics(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """C - D' and C + D' of every segment."""
        if self.grouping != "item":
            return None
        cells = pack([gold, metric], "item")
        counts = count_pairs_by(cells, threshold=self._threshold(gold), strict=self.strict)
        found = np.zeros((score_table(gold).shape[1], 2))
        found[segments_of(cells, gold)] = np.stack(
            [2 * counts.concordant - counts.pairs, counts.pairs], axis=1
        )
        return found

    def _threshold(self, gold: ArrayLike) -> float:
        return clear_difference(gold) if self.threshold is None else self.threshold


@dataclass(frozen=True)
class PairwiseAccuracy(TableMeasure):
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
        return exchange_grouped("accuracy", pack([gold, *metrics]), pairs, coins)


@dataclass(frozen=True)
class AccEq(TableMeasure):
    """Pairwise accuracy with ties, at the best threshold of the metric or at a given *epsilon*.

    The permutation test exchanges what all pairs of a segment say, at the threshold that each
    metric has (``test=segments``); or scores, with thresholds calibrated anew in every draw
    (``test=scores``); or outcomes of single pairs (``test=pairs``, as WMT does from 2023), which
    takes pairs that share outputs for independent and finds too many differences.
    """

    name: ClassVar[str] = "acc-eq"
    level: ClassVar[str] = "segment"
    grouping: str = "item"
    epsilon: float | None = None
    test: str = "segments"

    def __post_init__(self) -> None:
        check_choice(self.name, "grouping", self.grouping, GROUPINGS)
        check_choice(self.name, "test", self.test, (*TESTS, "pairs"))

    @property
    def test_cost(self) -> float:
        """Outcomes of pairs are summed for all metrics at once; thresholds are found anew."""
        return 20.0 if self.test == "scores" else 0.1

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
            return exchange_pair_outcomes(cells, epsilons, pairs, coins)
        units = self.units(gold)
        if units is not None:
            rows = [self._segment_rows(gold, metric, units) for metric in metrics]
            return exchange_rows(self.score, rows, pairs, coins)
        if self.epsilon is None:
            # mt-metrics-eval standardises over all cells here, whether people judged them or not.
            chosen = np.ones(gold.shape, np.bool_) if coins.compat else ~np.isnan(gold)
            standard = [standard_table(metric, chosen) for metric in metrics]
            cells = pack([gold, *standard], self.grouping)
            return exchange_calibrated(cells, pairs, coins)
        if self.epsilon == 0:
            return exchange_grouped("accuracy", cells, pairs, coins)
        return super().exchanged(gold, metrics, pairs, coins)

    def _segment_rows(self, gold: Table, metric: Table, units: Units) -> Rows:
        """Rows of segments that add up: of groups, or the shares of segments in other groups."""
        rows = self.statistics(gold, metric)
        if rows is not None:
            return rows
        cells = pack([gold, metric], self.grouping)
        epsilon = self.of(gold, metric).epsilon or 0.0
        shares = segment_shares(cells, units.of[cells.places], units.count, epsilon=epsilon)
        return np.stack([shares, np.full(len(shares), 1 / len(shares))], axis=1)

    def statistics(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """The accuracy of every segment at the threshold of all, and whether it has a pair."""
        if self.grouping != "item":
            return None
        epsilon = self.of(gold, metric).epsilon or 0.0
        return segment_rows(
            lambda cells: acc_eq(count_pairs_by(cells, epsilon=epsilon)), gold, metric
        )
