"""Scores as a long table with a header, TSV or CSV: ``system``, ``segment`` and ``score``.

``segment`` may be called ``seg``, or be ``document`` (``doc``) or ``domain``; without any of them
the scores are of systems. An empty score, or ``None``, is missing. A column ``kind`` (``metric``)
tells several sorts of scores apart; other columns are not read. Without a column ``score`` every
other column is a sort of scores, called by its name, as ``rankwise score --segments`` writes them.
"""

import math
from collections.abc import Iterator

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of, write_text
from rankwise.io.formats.own_columns import names_a_judge
from rankwise.io.formats.scores.mtme_scores import check_cells, printed
from rankwise.io.parts.headed_table import HeadedTable, header_of, read_table
from rankwise.io.parts.line_text import finite_number
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable
from rankwise.types.score_table import Level

COLUMNS: dict[Level, tuple[str, ...]] = {
    "segment": ("segment", "seg", "id"),
    "document": ("document", "doc"),
    "domain": ("domain",),
}

#: How the header of ``rankwise score --segments`` begins.
_WRITTEN = ("segment", "system")


def read(path: StrPath, *, kind: str | None = None) -> ScoreTable:
    """The scores of a table.

    *kind* chooses the rows by their column ``kind`` (or ``metric``), or the column of scores; it
    may stay unsaid when all are of one kind.
    """
    table = read_table(path, takes_csv=True)
    level, column = _level(table)
    kinds = table.find("kind", "metric")
    named = _named_columns(table) if kinds is None else ()
    chosen = choose(path, "kind", kind, named) if named else _kind(table, kinds, kind)
    score = table.header.index(chosen) if named else table.require("score")
    cells = _cells(table, level, (column, kinds, score), chosen)
    return ScoreTable.from_cells(cells, name=chosen or stem_of(path), level=level)


def _level(table: HeadedTable) -> tuple[Level, int | None]:
    for level, names in COLUMNS.items():
        column = table.find(*names)
        if column is not None:
            return level, column
    return "system", None


def _named_columns(table: HeadedTable) -> tuple[str, ...]:
    """The columns that are sorts of scores, where none is called ``score``."""
    if "score" in table.header:
        return ()
    places = {"system", *(name for names in COLUMNS.values() for name in names)}
    return tuple(name for name in table.header if name not in places)


def _kind(table: HeadedTable, column: int | None, wanted: str | None) -> str:
    if wanted is None and (column is None or not table.lines):
        return ""
    found = () if column is None else (cells[column] for _, cells in table.rows())
    return choose(table.path, "kind", wanted, found)


def _cells(
    table: HeadedTable, level: Level, columns: tuple[int | None, int | None, int], kind: str
) -> Iterator[tuple[str, str, float]]:
    (column, kinds, score), system = columns, table.require("system")
    seen: set[tuple[str, str]] = set()
    for number, cells in table.rows():
        if kinds is not None and cells[kinds] != kind:
            continue
        key = (cells[system], "all" if column is None else cells[column])
        if key in seen:
            raise DataError(
                f"{name_of(table.path)}:{number}: system {key[0]!r} has a second score "
                f"for {level} {key[1]!r}; expected one"
            )
        seen.add(key)
        text = cells[score]
        is_missing = text in ("", "None")
        yield *key, math.nan if is_missing else finite_number(text, table.path, number)


def sniff(head: Head) -> bool:
    """Whether the header has a system and a score, and no judge; or is that of ``--segments``."""
    _, header = header_of(head.first_line)
    if names_a_judge(header) or "text" in header:
        return False
    is_written = header[:2] == _WRITTEN and len(header) > 2
    return {"system", "score"} <= set(header) or is_written


def write(table: ScoreTable, path: StrPath) -> list[str]:
    """Write *table*, missing scores as ``None``."""
    check_cells([*table.systems, *table.segments, *([table.name] if table.name else [])])
    kinds = table.name not in ("", stem_of(path))
    with write_text(path) as stream:
        place = "" if table.level == "system" else f"\t{table.level}"
        stream.write(f"{'kind' + chr(9) if kinds else ''}system{place}\tscore\n")
        for system, row in zip(table.systems, table.values.tolist(), strict=True):
            for segment, score in zip(table.segments, row, strict=True):
                place = "" if table.level == "system" else f"\t{segment}"
                kind = f"{table.name}\t" if kinds else ""
                stream.write(f"{kind}{system}{place}\t{printed(score)}\n")
    losses = []
    if not table.name:
        losses.append(f"The scores got the name {stem_of(path)!r}.")
    if not table.values.size and (table.systems or table.segments):
        losses.append("A table without scores leaves only the header.")
    return losses
