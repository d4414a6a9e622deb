"""Correlations of two tables of scores: Pearson, Spearman and Kendall, grouped or not."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement.lists.pair_formulas import VARIANTS, count_pairs
from rankwise.agreement.tables.exchange import Exchanged, Pairs, exchange_grouped, exchange_pearson
from rankwise.agreement.tables.exchange_coins import Coins
from rankwise.agreement.tables.group_correlations import (
    group_pearson,
    group_spearman,
    moment_correlation,
    segment_moments,
)
from rankwise.agreement.tables.score_cells import GROUPINGS, Cells, Table, pack
from rankwise.agreement.tables.score_value import AVERAGES, UNDEFINED, Value, averaged
from rankwise.agreement.tables.table_measure import TESTS, Rows, TableMeasure, segment_rows
from rankwise.types.named import check_choice

LEVELS = ("segment", "system")


@dataclass(frozen=True)
class _Grouped(TableMeasure):
    """Options that correlations share; see :func:`rankwise.agreement.tables.score_cells.pack`."""

    is_correlation: ClassVar[bool] = True
    level: str = "segment"
    grouping: str = "none"
    average: str = "macro"
    undefined: str = "skip"
    test: str = "segments"

    def __post_init__(self) -> None:
        check_choice(self.name, "level", self.level, LEVELS)
        check_choice(self.name, "grouping", self.grouping, GROUPINGS)
        check_choice(self.name, "average", self.average, AVERAGES)
        check_choice(self.name, "undefined", self.undefined, UNDEFINED)
        check_choice(self.name, "test", self.test, TESTS)

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The correlation within groups, averaged."""
        cells = pack([gold, metric], self.grouping)
        values = self._groups(cells)
        reason = "the scores are constant" if self.grouping == "none" else "every group is constant"
        return averaged(
            values, cells, average=self.average, undefined=self.undefined, reason=reason
        )

    def statistics(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """The value of every segment and whether it is defined."""
        if self.grouping != "item" or self.average != "macro" or self.undefined != "skip":
            return None
        return segment_rows(self._groups, gold, metric)

    @abstractmethod
    def _groups(self, cells: Cells) -> NDArray[np.float64]:
        """The correlation of every group."""


@dataclass(frozen=True)
class Pearson(_Grouped):
    """Pearson's linear correlation."""

    name: ClassVar[str] = "pearson"

    def _groups(self, cells: Cells) -> NDArray[np.float64]:
        return group_pearson(cells)

    def statistics(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:
        """The moments of every segment, or its value where segments are groups."""
        if self.grouping == "none":
            return segment_moments(gold, metric)
        return super().statistics(gold, metric)

    def score(self, rows: Rows) -> Any:
        """The correlation of (sums of) moments, or the mean of values."""
        return moment_correlation(rows) if self.grouping == "none" else super().score(rows)

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """PERM-BOTH, by matrices where there are no groups."""
        units = self.units(gold)
        adds_up = units is not None and self.grouping == "item"
        if self.average != "macro" or self.undefined != "skip" or adds_up:
            return super().exchanged(gold, metrics, pairs, coins)
        cells = pack([gold, *metrics], self.grouping)
        if self.grouping == "none":
            return exchange_pearson(cells, pairs, coins, units)
        return exchange_grouped("pearson", cells, pairs, coins, units)


@dataclass(frozen=True)
class Spearman(_Grouped):
    """Spearman's correlation of ranks; ties share the mean of their ranks."""

    name: ClassVar[str] = "spearman"

    def _groups(self, cells: Cells) -> NDArray[np.float64]:
        return group_spearman(cells)


@dataclass(frozen=True)
class Kendall(_Grouped):
    """Kendall's tau; see :mod:`rankwise.agreement.lists.pair_formulas` for the variants."""

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
        units = self.units(gold)
        adds_up = units is not None and self.grouping == "item"
        if (self.variant, self.average, self.undefined) != ("b", "macro", "skip") or adds_up:
            return super().exchanged(gold, metrics, pairs, coins)
        cells = pack([gold, *metrics], self.grouping)
        return exchange_grouped("tau-b", cells, pairs, coins, units)
