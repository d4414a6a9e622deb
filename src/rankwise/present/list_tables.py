"""Agreement of ranked lists as tables: what ``rankwise agree`` prints."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement import RankedLists
from rankwise.compat import rankeval
from rankwise.evaluate.list_agreement import ListAgreement
from rankwise.present.tables import Cell, Column, Table


def list_table(found: ListAgreement, p_values: Mapping[str, float]) -> Table:
    """One row per measure: value, interval, lists and how many of them have no value."""
    columns = [Column("measure"), Column("value", "right", ".4f")]
    has_intervals = bool(found.signature)
    if has_intervals:
        columns += [Column("low", "right", ".4f"), Column("high", "right", ".4f")]
    if p_values:
        columns.append(Column("p", "right", ".4f"))
    columns += [Column("lists", "right"), Column("undefined", "right"), Column("because")]
    rows: list[tuple[Cell, ...]] = [
        (
            result.name,
            result.value,
            *((result.low, result.high) if has_intervals else ()),
            *((p_values[result.name],) if p_values else ()),
            result.lists,
            result.undefined,
            result.reason,
        )
        for result in found.results
    ]
    facts = {"signatures": {result.name: result.measure.signature for result in found.results}}
    return Table(columns, rows, facts=facts)


def segment_table(found: Mapping[str, NDArray[np.float64]], lists: RankedLists) -> Table:
    """One row per list, one column per measure; the lists have names where the input has."""
    labels = list(lists.labels) or [str(number) for number in range(1, len(lists) + 1)]
    columns = [Column("segment")] + [Column(name, "right", ".4f") for name in found]
    cells = [labels, *(values.tolist() for values in found.values())]
    rows: list[tuple[Cell, ...]] = list(zip(*cells, strict=True))
    return Table(columns, rows)


def original_table(lists: RankedLists, names: Sequence[str] = ()) -> Table:
    """The results of RankEval (2013) by its names, sorted, all or some of them."""
    found = rankeval.results_named(lists, names) if names else rankeval.allmetrics(lists)
    rows = sorted(found.items())
    return Table([Column("measure"), Column("value", "right", ".12g")], rows)
