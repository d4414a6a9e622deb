"""Results as tables, best system first: what the commands print and the report shows."""

from collections.abc import Sequence

import numpy as np

from rankwise.evaluate.people import Agreement
from rankwise.evaluate.scores import SystemScores
from rankwise.report.tables import Cell, Column, Table
from rankwise.significance import Intervals


def score_table(
    results: Sequence[SystemScores], intervals: Sequence[Intervals | None] | None = None
) -> Table:
    """Systems by metrics, sorted by the first metric, the best of each column marked.

    With *intervals*, each score is followed by the two ends of its interval.
    """
    systems = np.array(results[0].systems)
    order = np.argsort(-results[0].quality, kind="stable")
    columns, cells, marked = [Column("system")], [systems[order].tolist()], []
    for result, interval in zip(results, intervals or [None] * len(results), strict=True):
        number = _number(result)
        columns.append(Column(str(result.metric), "right", number))
        cells.append(result.corpus[order].tolist())
        best = np.flatnonzero(result.quality[order] == np.nanmax(result.quality))
        marked += [(int(row), len(columns) - 1) for row in best]
        if interval is not None:
            for end, values in (("low", interval.low), ("high", interval.high)):
                columns.append(Column(f"{result.metric} {end}", "right", number))
                cells.append(values[order].tolist())
    rows: list[tuple[Cell, ...]] = list(zip(*cells, strict=True))
    return Table(columns, rows, marked=marked)


def _number(result: SystemScores) -> str:
    """Two digits for percentages, four for scores up to 1."""
    return ".4f" if result.metric.best == 1.0 else ".2f"


def agreement_table(found: Sequence[Agreement]) -> Table:
    """One row per metric: agreement over systems, and over single human preferences."""
    columns = [
        Column("metric"),
        Column("Pearson", "right", ".3f"),
        Column("Kendall", "right", ".3f"),
        Column("accuracy", "right", ".3f"),
        Column("segment tau", "right", ".3f"),
        Column("pairs", "right"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (str(a.metric), a.pearson, a.kendall, a.accuracy, a.segment_tau, a.pairs) for a in found
    ]
    return Table(columns, rows)
