"""The rows of a backup as they come: each is looked at before a database gets it.

A backup may be damaged or made by hand. Checksums tell the first; whoever makes one writes its
checksums too. Bytes, such as those of pictures, are written in base64.
"""

import binascii
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from typing import IO, Any

from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary, String, Table
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
    (LargeBinary, (bytes,)),
)


def line_of(row: Mapping[str, Any]) -> bytes:
    """A row as a line of a table."""
    return (json.dumps(dict(row), ensure_ascii=True, default=_in_base64) + "\n").encode()


def _in_base64(value: object) -> str:
    if not isinstance(value, bytes):
        raise TypeError(f"{type(value).__name__} has no place in a backup")
    return b64encode(value).decode()


def _out_of_base64(value: object) -> object:
    """The bytes; what are none stays as it is, and does not fit."""
    try:
        return b64decode(value, validate=True) if isinstance(value, str) else value
    except (binascii.Error, ValueError):
        return value


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
            if isinstance(column.type, LargeBinary):
                row[column.name] = _out_of_base64(row[column.name])
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
