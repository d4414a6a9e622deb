"""Rankings by values as tables: for people, and in columns for programs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankwise import __version__
from rankwise.evaluate.ranking.error_counts import ErrorCounts
from rankwise.evaluate.ranking.proxy_ranking import ProxyRanking
from rankwise.evaluate.ranking.value_ranking import COUNTED, ValueRanking
from rankwise.present.rank_tables import LINE, line_cells
from rankwise.present.tables import Cell, Column, Table
from rankwise.present.unsure_lines import unsure_notes
from rankwise.present.values.span_tables import (
    JudgesOfValues,
    judges_table,
    values_agreement_rows,
)

Rows = list[tuple[Cell, ...]]
_MARKS = ((0.01, "‡"), (0.05, "†"), (0.1, "*"))


# -- for people ------------------------------------------------------------------------------------


def value_table(ranking: ValueRanking) -> Table:
    """Cluster, range of ranks, score with its interval, raw and standardised mean, judgments.

    ``line`` is the share of draws in which the line below a system held.
    """
    board, found = ranking.board, ranking.found
    ranks = [
        str(low) if low == high else f"{low}-{high}"
        for low, high in zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    ]
    columns = [Column("cluster", "right"), Column("ranks"), Column("score", "right", ".3f")]
    cells: list[Sequence[Cell]] = [board.clusters.tolist(), ranks, board.scores.tolist()]
    if not np.isnan(found.low).all():
        columns += [Column("low", "right", ".3f"), Column("high", "right", ".3f")]
        cells += [[_defined(end) for end in ends.tolist()] for ends in (found.low, found.high)]
    if board.boundary_support is not None and len(board) > 1:
        columns.append(LINE)
        cells.append(line_cells(board))
    columns += [Column("raw", "right", ".3f"), Column("z", "right", ".3f")]
    cells += [ranking.raw.tolist(), ranking.standardised.tolist()]
    columns.append(Column("judgments", "right"))
    cells.append(ranking.counts["judgments"].tolist())
    rows: Rows = list(zip(*cells, board.systems, strict=True))
    rules = (np.flatnonzero(np.diff(board.clusters)) + 1).tolist()
    return Table(
        [*columns, Column("system")],
        rows,
        title=ranking.title,
        notes=unsure_notes(board),
        rules=rules,
    )


def difference_table(ranking: ValueRanking | ProxyRanking) -> Table:
    """Score of the row minus score of the column, with marks where the test finds a difference."""
    systems, scores = ranking.board.systems, ranking.board.scores
    p_values = ranking.found.p_values
    columns = [Column("#", "right"), Column("system")]
    columns += [Column(str(number), "right") for number in range(1, len(systems) + 1)]
    rows: Rows = [
        (
            place + 1,
            name,
            *(
                _difference(float(scores[place] - scores[other]), p_values[place, other])
                if place < other
                else None
                for other in range(len(systems))
            ),
        )
        for place, name in enumerate(systems)
    ]
    note = "score of the row minus score of the column; * † ‡: p < .10, .05, .01"
    return Table(columns, rows, title=_titled("differences", ranking), notes=[note])


def error_table(ranking: ValueRanking) -> Table:
    """How many errors of every severity and of every group of categories a system has."""
    errors = ranking.errors
    if errors is None:
        return Table([Column("system")], [], title=_titled("errors: none were marked", ranking))
    columns = [Column("system"), Column("judgments", "right"), Column("errors", "right")]
    columns.append(Column("per judgment", "right", ".3f"))
    by_severity = errors.counts.sum(axis=2)
    totals = errors.counts.sum(axis=(1, 2))
    cells: list[Sequence[Cell]] = [errors.judgments.tolist(), totals.tolist()]
    cells.append(errors.per_judgment.tolist())
    columns += [Column(severity or "no severity", "right") for severity in errors.severities]
    cells += by_severity.T.tolist()
    groups = [group for group in errors.groups if group]
    columns += [Column(group, "right") for group in groups]
    cells += [errors.of_group(group).tolist() for group in groups]
    rows: Rows = list(zip(errors.systems, *cells, strict=True))
    return Table(columns, rows, title=_titled("errors", ranking))


# -- for programs ----------------------------------------------------------------------------------


def ranking_rows(rankings: Sequence[ValueRanking]) -> Table:
    """All rankings in one table with every number in a column of its own."""
    counted = [name for name in COUNTED if name in rankings[0].counts]
    names = ("cluster", "rank low", "rank high", "score", "low", "high", "deviation", "boundary")
    columns = [*_labels(rankings), *names, "raw", "z", *counted, "system"]
    rows: Rows = [
        (*ranking.labels.values(), *map(_defined, row))
        for ranking in rankings
        for row in _board_rows(ranking, counted)
    ]
    facts = {"signature": rankings[0].board.signature} if len(rankings) == 1 else {}
    return Table([Column(name) for name in columns], rows, facts=facts)


def pair_rows(rankings: Sequence[ValueRanking] | Sequence[ProxyRanking]) -> Table:
    """Every two systems, the better ranked first, with their difference and its p-value."""
    rows: Rows = []
    for ranking in rankings:
        systems, scores = ranking.board.systems, ranking.board.scores.tolist()
        for place, other in zip(*np.triu_indices(len(systems), 1), strict=True):
            difference = scores[place] - scores[other]
            p = _defined(float(ranking.found.p_values[place, other]))
            both = (systems[place], systems[other])
            rows.append((*ranking.labels.values(), *both, difference, p))
    names = (*_labels(rankings), "system", "other", "difference", "p")
    return Table([Column(name) for name in names], rows)


def error_rows(rankings: Sequence[ValueRanking]) -> Table:
    """The errors of every system, severity and category, where there are any."""
    rows: Rows = [
        (*ranking.labels.values(), *row)
        for ranking in rankings
        if ranking.errors is not None
        for row in _error_cells(ranking.errors)
    ]
    names = (*_labels(rankings), "system", "severity", "category", "errors", "judgments")
    return Table([Column(name) for name in names], rows)


def json_table(rankings: Sequence[ValueRanking], agreed: Sequence[JudgesOfValues] = ()) -> Table:
    """The rows of all rankings, and ``parts`` with the counts, tests and errors of each.

    How far judges agree, where it is given, is in ``agreement``.
    """
    table = ranking_rows(rankings)
    facts: dict[str, Any] = {
        "parts": [_part(ranking) for ranking in rankings],
        "version": __version__,
    }
    if agreed:
        facts["agreement"] = row_objects(values_agreement_rows(agreed), 0)
        facts["judges"] = row_objects(judges_table(agreed), 0)
    return Table(table.columns, table.rows, facts=facts)


def _part(ranking: ValueRanking) -> dict[str, Any]:
    found: dict[str, Any] = {
        "labels": dict(ranking.labels),
        "signature": ranking.board.signature,
        **ranking.totals,
        "notes": list(ranking.notes),
        "pairwise": row_objects(pair_rows([ranking]), len(ranking.labels)),
    }
    if ranking.errors is not None:
        found["errors"] = row_objects(error_rows([ranking]), len(ranking.labels))
    return found


def row_objects(table: Table, skipped: int) -> list[dict[str, Any]]:
    """Rows as objects, without their first columns."""
    names = [column.name for column in table.columns][skipped:]
    return [dict(zip(names, row[skipped:], strict=True)) for row in table.rows]


def _error_cells(errors: ErrorCounts) -> Rows:
    return [
        (system, severity, category, int(errors.counts[s, v, c]), int(errors.judgments[s]))
        for s, system in enumerate(errors.systems)
        for v, severity in enumerate(errors.severities)
        for c, category in enumerate(errors.categories)
        if errors.counts[s, v, c]
    ]


def _board_rows(ranking: ValueRanking, counted: Sequence[str]) -> Rows:
    board, found = ranking.board, ranking.found
    size, support = len(board), np.full(len(board), np.nan)
    if board.boundary_support is not None:
        support[:-1] = board.boundary_support
    deviations = np.full(size, np.nan) if board.deviations is None else board.deviations
    whole = (board.clusters, board.rank_low, board.rank_high)
    numbers = (board.scores, found.low, found.high, deviations, support)
    means = (ranking.raw, ranking.standardised)
    columns = (*whole, *numbers, *means, *(ranking.counts[name] for name in counted))
    return list(zip(*(column.tolist() for column in columns), board.systems, strict=True))


def _difference(difference: float, p_value: float) -> str:
    return f"{difference:.2f}" + next((mark for limit, mark in _MARKS if p_value < limit), " ")


def _labels(rankings: Sequence[ValueRanking] | Sequence[ProxyRanking]) -> tuple[str, ...]:
    """What parts are made by, named so that it cannot meet the columns of a table."""
    names = rankings[0].labels
    return tuple(name if name == "language pair" else f"by {name}" for name in names)


def _titled(what: str, ranking: ValueRanking | ProxyRanking) -> str:
    return f"{ranking.title}: {what}" if ranking.labels else what


def _defined(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and np.isnan(cell) else cell
