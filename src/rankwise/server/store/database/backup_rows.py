"""The rows of a backup as they come: each is looked at before a database gets it.

A backup may be damaged or made by hand. Checksums tell the first; whoever makes one writes its
checksums too.
"""

import json
from collections.abc import Iterator
from typing import IO, Any

from sqlalchemy import Boolean, Column, Float, Integer, String, Table
from sqlalchemy.types import TypeEngine

from rankwise.errors import StoreError

#: A row is no longer than this; whoever unpacked more would need as much memory.
LONGEST = 256 << 20
_LARGEST = 1 << 63
_KINDS: tuple[tuple[type[TypeEngine[Any]], tuple[type, ...]], ...] = (
    (Boolean, (bool,)),
    (Integer, (int,)),
    (Float, (int, float)),
    (String, (str,)),
)


def lines_of(member: IO[bytes], name: str) -> Iterator[bytes]:
    """The lines of a table, none of them too long."""
    while line := member.readline(LONGEST + 1):
        if len(line) > LONGEST:
            raise StoreError(f"table {name} has a row of more than {LONGEST:,} bytes")
        yield line


def rows_of(member: IO[bytes], table: Table) -> Iterator[dict[str, Any]]:
    """The rows of a table, with its columns and values of their kinds."""
    for number, line in enumerate(lines_of(member, table.name), 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _wrong(table, number, "that is no JSON") from error
        if not isinstance(row, dict) or set(row) != set(table.columns.keys()):
            raise _wrong(table, number, "that has other columns")
        for column in table.columns:
            if not _fits(column, row[column.name]):
                raise _wrong(table, number, f"whose {column.name!r} is of another kind")
        yield row


def _wrong(table: Table, number: int, what: str) -> StoreError:
    return StoreError(f"table {table.name}, line {number}: a row {what}")


def _fits(column: Column[Any], value: object) -> bool:
    if value is None:
        return bool(column.nullable)
    kinds = next((kinds for kind, kinds in _KINDS if isinstance(column.type, kind)), None)
    if kinds is None:  # JSON holds anything
        return True
    if isinstance(value, bool) and bool not in kinds:
        return False
    if isinstance(value, int) and not -_LARGEST <= value < _LARGEST:
        return False
    return isinstance(value, kinds)
