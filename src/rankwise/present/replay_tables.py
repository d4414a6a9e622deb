"""A campaign asked again, as a table: how many questions each strategy needed."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.asking.campaign_replay import Replay
from rankwise.present.tables import Cell, Column, Table

_GOALS = ("clusters found", "clusters kept", "order kept")


def replay_table(found: Replay) -> Table:
    """A row for each strategy: the questions, by the median of its runs, until a goal was reached.

    The goals are all boundaries between clusters of the full data, the same for good, and the order
    of the full data for good. *low* and *high* hold the middle 80 % of the runs before them, and
    the ratio is that of *clusters found* to those of the first strategy.
    """
    columns = [
        Column("strategy"),
        Column(_GOALS[0], "right", ",.0f"),
        Column("low", "right", ",.0f"),
        Column("high", "right", ",.0f"),
        Column("ratio", "right", ".2f"),
        *(Column(goal, "right", ",.0f") for goal in _GOALS[1:]),
    ]
    rows: list[tuple[Cell, ...]] = []
    first = float("nan")
    for strategy, curves in found.curves.items():
        spent = _numbers(curve.first for curve in curves)
        low, middle, high = np.percentile(spent, [10, 50, 90]).tolist()
        first = first if rows else middle
        kept = np.median(_numbers(curve.kept for curve in curves))
        ordered = np.median(_numbers(curve.ordered for curve in curves))
        rows.append((strategy, middle, low, high, middle / first, float(kept), float(ordered)))
    return Table(columns, rows)


def _numbers(values: Iterable[int | None]) -> NDArray[np.float64]:
    """What was never reached is nan."""
    return np.array([np.nan if value is None else value for value in values])
