"""Measures of the differences between systems: SPA over all segments, PDP within them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise import _core
from rankwise.agreement.tables.exchange import CountedPairs, Exchanged, Pairs, standard_table
from rankwise.agreement.tables.exchange_coins import DRAWS, SEED, Coins, Units
from rankwise.agreement.tables.score_cells import Table, common_cells, pack, score_table
from rankwise.agreement.tables.score_value import Value
from rankwise.agreement.tables.soft_accuracy import (
    MTME_SEED,
    Signs,
    pair_p_values,
    soft_pairwise_accuracies,
)
from rankwise.agreement.tables.table_measure import TESTS, Rows, TableMeasure, segments_of
from rankwise.types.named import check_choice


@dataclass(frozen=True)
class SoftPairwiseAccuracy(TableMeasure):
    """Whether metric and people are as sure about pairs of systems (SPA).

    See ``soft_accuracy.soft_pairwise_accuracies``. In the permutation test the confidences within
    a draw are those of the normal approximation.
    """

    name: ClassVar[str] = "spa"
    level: ClassVar[str] = "segment"
    draws: int = DRAWS
    seed: int | None = None
    compat: str = ""
    test: str = "segments"

    def __post_init__(self) -> None:
        check_choice(self.name, "compat", self.compat, ("", "mtme"))
        check_choice(self.name, "test", self.test, TESTS)

    @property
    def test_cost(self) -> float:
        """Every pair of systems is tested in every draw."""
        return 20.0

    @property
    def counted(self) -> str:
        """Its groups are pairs of systems."""
        return "pairs of systems"

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
        present = common_cells([gold, *metrics])
        human = pair_p_values([gold], present, self.signs)[0]
        whole = present.any(axis=0)
        units = self.units(gold)
        tables = [standard_table(metric, present, units)[:, whole] for metric in metrics]
        cells = int(whole.sum()) * len(gold)
        if units is not None:  # a coin for every segment, judged or not: all measures share them
            chosen = np.tile(whole, len(gold))
            units = Units(units.of[chosen], units.count)

        def differences(tossed: NDArray[np.uint8], pairs: Pairs) -> Table:
            both = [
                _core.exchanged_soft_accuracy(human, tables[left], tables[right], tossed)
                for left, right in pairs
            ]
            return np.stack([values[:, 0] - values[:, 1] for values in both])

        observed = differences(np.ones((1, cells), np.uint8), pairs[:])[:, 0]
        if isinstance(pairs, CountedPairs):
            pairs = pairs.in_rounds(len(coins.block_sizes(cells)))
        drawn = [differences(block, pairs) for block in coins.blocks(cells, units)]
        return Exchanged(observed, np.concatenate(drawn, axis=1))


@dataclass(frozen=True)
class PairwiseDifferencePearson(TableMeasure):
    r"""Pearson's correlation of the differences within segments (PDP).

    .. math:: r = \frac{\sum (h_i - h_j)(m_i - m_j)}
              {\sqrt{\sum (h_i - h_j)^2 \sum (m_i - m_j)^2}}

    over the ordered pairs of systems of all segments; every difference comes with its opposite,
    so that means are 0. Undefined (nan) where gold or metric never differ within a segment.
    """

    name: ClassVar[str] = "pdp"
    level: ClassVar[str] = "segment"
    is_correlation: ClassVar[bool] = True
    test: str = "segments"

    def __post_init__(self) -> None:
        check_choice(self.name, "test", self.test, TESTS)

    @property
    def counted(self) -> str:
        """Its groups are segments."""
        return "segments"

    def of(self, gold: ArrayLike, metric: ArrayLike) -> Value:
        """The correlation."""
        cells = pack([gold, metric], "item")
        rows = self.statistics(gold, metric)
        value = float(self.score(rows.sum(axis=0)))
        pairs = int((cells.sizes >= 2).sum())
        reason = "scores never differ within a segment" if np.isnan(value) else ""
        return Value(value, pairs, 0, len(cells), cells.missing, reason)

    def statistics(self, gold: ArrayLike, metric: ArrayLike) -> Rows:
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
        found[segments_of(cells, gold)] = (np.stack(sums) * cells.sizes).T
        return found

    def score(self, rows: Rows) -> Any:
        """The correlation of (sums of) rows."""
        scale = np.sqrt(rows[..., 1] * rows[..., 2])
        shares = np.full(scale.shape, np.nan)
        return np.divide(rows[..., 0], scale, out=shares, where=scale > 0)
