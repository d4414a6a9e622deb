"""What a measure of agreement between two tables of scores offers."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement.tables.exchange import (
    Exchanged,
    Pairs,
    exchange_any,
    exchange_rows,
    standard_table,
)
from rankwise.agreement.tables.exchange_coins import Coins, Units
from rankwise.agreement.tables.score_cells import Cells, Table, pack, score_table
from rankwise.agreement.tables.score_value import Value
from rankwise.types.named import Named

Rows = NDArray[np.float64]
#: What two metrics exchange in a permutation test.
TESTS = ("segments", "scores")

#: What one group is, by how cells are grouped.
_COUNTED = {"none": "", "item": "segments", "system": "systems"}


@dataclass(frozen=True)
class TableMeasure(Named):
    """A measure of a metric's scores against gold scores; its fields are its options.

    ``of`` gives the value of two tables, and ``exchanged`` its permutation test. A value need not
    be a score of sums of rows, as that of ranked lists is: ranks, thresholds and chances belong to
    a whole table. Measures whose value is one state ``statistics``, one row per segment, and
    ``score``, for resampling and exchanging segments.

    An option ``test`` says what metrics exchange in the permutation test: whole segments, or single
    ``scores`` as the metrics tasks of WMT do, which takes the scores of a segment for independent.
    """

    kind: ClassVar[str] = "measure of score tables"
    is_correlation: ClassVar[bool] = False  # from -1 to 1, not from 0

    @property
    def test_cost(self) -> float:
        """About what a test between two metrics costs for each cell, relative to other measures."""
        return 1.0

    @property
    def counted(self) -> str:
        """What the groups of a value are, in the plural; "" where all scores are one group."""
        return _COUNTED[getattr(self, "grouping", "none")]

    def for_scores(self, gold: ArrayLike) -> "TableMeasure":  # noqa: ARG002
        """The measure with what it leaves to the kind of the gold scores filled in."""
        return self

    @abstractmethod
    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The agreement of a metric with gold scores."""

    def values(self, gold: ArrayLike, metrics: Sequence[ArrayLike]) -> list[Value]:
        """The agreement of several metrics with gold scores."""
        return [self.of(gold, metric) for metric in metrics]

    def exchanged(
        self, gold: Table, metrics: Sequence[Table], pairs: Pairs, coins: Coins
    ) -> Exchanged:
        """Differences of pairs of metrics when they exchange scores; all have the same cells."""
        units = self.units(gold)
        if units is not None:
            standard = [standard_table(metric, ~np.isnan(gold), units) for metric in metrics]
            rows = [row for m in standard if (row := self.statistics(gold, m)) is not None]
            if rows:
                return exchange_rows(self.score, rows, pairs, coins)
        return exchange_any(lambda h, m: float(self.of(h, m)), gold, metrics, pairs, coins, units)

    def units(self, gold: Table) -> Units | None:
        """What is exchanged together: segments, or None for single scores.

        Scores of systems (one column) are exchanged one by one.
        """
        if getattr(self, "test", "scores") != "segments" or gold.shape[1] < 2:
            return None
        return Units.segments(gold.shape)

    def tested_as(self, test: str) -> "TableMeasure":
        """The measure with another test, where it has tests to choose from."""
        return replace(self, **{"test": test}) if hasattr(self, "test") else self

    def statistics(self, gold: ArrayLike, metric: ArrayLike) -> Rows | None:  # noqa: ARG002
        """One row per segment, of which sums may be scored; None where that cannot be."""
        return None

    def score(self, rows: Rows) -> Any:
        """The measure of (sums of) rows: a mean, unless it says otherwise."""
        total, count = rows[..., 0], rows[..., 1]
        return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)


def segment_rows(
    values: Callable[[Cells], NDArray[np.float64]], gold: ArrayLike, metric: ArrayLike
) -> Rows:
    """``[value, 1]`` of every segment; zeros where it is undefined."""
    cells = pack([gold, metric], "item")
    found = np.zeros((score_table(gold).shape[1], 2))
    value = np.where(cells.sizes >= 2, values(cells), np.nan)
    defined = ~np.isnan(value)
    found[segments_of(cells, gold)] = np.stack([np.where(defined, value, 0.0), defined], axis=1)
    return found


def segments_of(cells: Cells, gold: ArrayLike) -> NDArray[np.int64]:
    """The segment of every group."""
    places: NDArray[np.int64] = cells.places[cells.starts[:-1]] % score_table(gold).shape[1]
    return places
