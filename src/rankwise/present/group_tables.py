"""Scores by groups of segments as tables, with intervals and tests inside every group."""

from rankwise.evaluate.group_boards import FEWEST_UNITS, GroupBoards
from rankwise.evaluate.scoreboard import ALPHA, Scoreboard
from rankwise.present.score_tables import (
    best_rows,
    drawn_facts,
    number_cells,
    scored_facts,
    written_cells,
)
from rankwise.present.tables import Cell, Column, Table
from rankwise.significance.few_items import FEW


def groups_table(groups: GroupBoards, *, for_people: bool = True) -> Table:
    """A row for every group and system; the best of a group is marked.

    People see a score with its interval and p-value in one cell, programs in a column each, empty
    where a group has none.
    """
    cells = _for_people(groups) if for_people else _for_programs(groups)
    columns = [Column(groups.grouping), Column("segments", "right"), Column("system")]
    columns += [Column(name, "right") for name in cells]
    rows, marked = list[list[Cell]](), []
    for label, board in groups.boards.items():
        for column, result in enumerate(board.scored.results, 3):
            marked += [(len(rows) + row, column) for row in best_rows(result, board.order)]
        count = max(result.scored_count for result in board.scored.results)
        values = [column[label] for column in cells.values()]
        for system, *numbers in zip(groups.whole.systems, *values, strict=True):
            rows.append([label, count, system, *numbers])
    facts = scored_facts(groups.whole.scored) | drawn_facts(groups.told)
    marked = marked if for_people else []
    return Table(columns, rows, marked=marked, notes=_notes(groups), facts=facts)


Cells = dict[str, dict[str, list[Cell]]]


def _for_people(groups: GroupBoards) -> Cells:
    """By the metric and the group: the cells of all systems."""
    cells: Cells = {}
    for label, board in groups.boards.items():
        for standing in board.standings:
            name = str(standing.result.metric)
            cells.setdefault(name, {})[label] = written_cells(standing, board)
    return cells


def _for_programs(groups: GroupBoards) -> Cells:
    """By the name of the column and the group: the cells of all systems."""
    names = _all_numbers(groups.told)
    empty: list[Cell] = [None] * len(groups.whole.order)
    numbers = {label: _all_numbers(board) for label, board in groups.boards.items()}
    return {
        name: {label: found.get(name, empty) for label, found in numbers.items()} for name in names
    }


def _all_numbers(board: Scoreboard) -> dict[str, list[Cell]]:
    return {
        str(standing.result.metric) + suffix: values
        for standing in board.standings
        for suffix, values in number_cells(standing, board).items()
    }


def _notes(groups: GroupBoards) -> list[str]:
    told, notes = groups.told, []
    if told.baseline is not None:
        correction = ", corrected over all groups (Holm)" if told.is_corrected else ""
        notes.append(f"p against {told.baseline}{correction}; † below {ALPHA}")
    unit = told.resampling.unit
    what = "intervals" if told.baseline is None else "intervals and tests"
    if groups.undrawn:
        few = f"groups of fewer than {FEWEST_UNITS} {unit}s ({groups.undrawn})"
        notes.append(f"{few} are too small for {what}")
    if groups.few:
        few = f"groups of fewer than {FEW} {unit}s ({groups.few})"
        notes.append(f"{what} of {few} are widened by Student's t")
    return notes
