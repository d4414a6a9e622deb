"""Tables as files that other programs open: Parquet for data frames, xlsx for spreadsheets."""

import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from rankwise.errors import DataError, MissingExtra
from rankwise.io.parts.arrow import pyarrow
from rankwise.present.tables import Cell, Column, Table, one_type

#: What a sheet may not be called by, and how long its name may be.
_NOT_IN_NAMES = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))
_LONGEST_NAME = 31


def table_bytes(tables: Sequence[Table], form: str) -> bytes:
    """The tables as a file of the format *form*, one of ``BINARY``."""
    if form not in BINARY:
        raise DataError(f"unknown format {form!r} of files; choose from {', '.join(BINARY)}")
    return BINARY[form](tables)


def _parquet(tables: Sequence[Table]) -> bytes:
    """The one table, every digit; what decides the numbers is the metadata ``rankwise``."""
    arrow, parquet = pyarrow("Parquet needs pyarrow: pip install 'rankwise[cluster]'")
    if len(tables) != 1:
        raise DataError(f"Parquet holds one table, and there are {len(tables)}; ask for one")
    (table,) = tables
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    arrays = [arrow.array(one_type(column)) for column in columns]
    found = arrow.table(arrays, names=[column.name for column in table.columns])
    facts = {"title": table.title, "notes": list(table.notes), **table.facts}
    found = found.replace_schema_metadata({"rankwise": json.dumps(facts, ensure_ascii=False)})
    stream = io.BytesIO()
    parquet.write_table(found, stream)
    return stream.getvalue()


def _xlsx(tables: Sequence[Table]) -> bytes:
    """A sheet for every table, and one with titles, notes and what decides the numbers.

    Numbers keep sixteen digits and are shown as people read them; a text is never a formula.
    """
    openpyxl = _openpyxl()
    book = openpyxl.Workbook()
    book.remove(book.active)
    taken: set[str] = set()
    for number, table in enumerate(tables, 1):
        _fill(book.create_sheet(_sheet_name(table.title or f"table {number}", taken)), table)
    about = [line for table in tables for line in _about(table)]
    if about:
        sheet = book.create_sheet(_sheet_name("about", taken))
        for row, cells in enumerate(about, 1):
            for column, text in enumerate(cells, 1):
                _put(sheet.cell(row, column), text)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _openpyxl() -> Any:
    try:
        return import_module("openpyxl")
    except ImportError as error:
        raise MissingExtra("xlsx needs openpyxl: pip install 'rankwise[excel]'") from error


def _fill(sheet: Any, table: Table) -> None:
    bold = import_module("openpyxl.styles").Font(bold=True)
    for place, column in enumerate(table.columns, 1):
        head = sheet.cell(1, place)
        _put(head, column.name)
        head.font = bold
    for row, cells in enumerate(table.rows, 2):
        for place, (cell, column) in enumerate(zip(cells, table.columns, strict=True), 1):
            target = sheet.cell(row, place)
            _put(target, cell)
            if isinstance(cell, float) and column.number:
                target.number_format = _number_format(column)
            if (row - 2, place - 1) in table.marked:
                target.font = bold
    sheet.freeze_panes = "A2"


def _put(target: Any, cell: Cell) -> None:
    """A cell as it is; no number that a sheet cannot hold, no text that it would run."""
    if isinstance(cell, float) and not math.isfinite(cell):
        return
    if isinstance(cell, str):
        illegal = import_module("openpyxl.cell.cell").ILLEGAL_CHARACTERS_RE
        target.value = illegal.sub(" ", cell)
        target.data_type = "s"
        return
    target.value = cell


def _number_format(column: Column) -> str:
    """The digits of a column, as spreadsheets write them.

    >>> _number_format(Column("x", "right", ".2f")), _number_format(Column("x", "right", ".1%"))
    ('0.00', '0.0%')
    """
    digits = "".join(filter(str.isdigit, column.number.partition(".")[2]))
    zeros = "0." + "0" * int(digits) if digits and int(digits) else "0"
    if column.number.endswith("%"):
        return f"{zeros}%"
    return zeros if column.number.endswith("f") else "General"


def _about(table: Table) -> list[tuple[str, str]]:
    said = [("title", table.title)] if table.title else []
    said += [("note", note) for note in table.notes]
    return said + [
        (name, fact if isinstance(fact, str) else json.dumps(fact, ensure_ascii=False))
        for name, fact in table.facts.items()
    ]


def _sheet_name(title: str, taken: set[str]) -> str:
    """A name that no other sheet has; spreadsheets tell names apart without regard to case."""
    plain = title.translate(_NOT_IN_NAMES).strip()[:_LONGEST_NAME] or "table"
    names = [plain, *(f"{plain[: _LONGEST_NAME - 4]} {n}" for n in range(2, len(taken) + 3))]
    name = next(name for name in names if name.lower() not in taken)
    taken.add(name.lower())
    return name


BINARY: Mapping[str, Callable[[Sequence[Table]], bytes]] = {"parquet": _parquet, "xlsx": _xlsx}
