"""CSV with a header: rows in blocks, columns by name, errors with line numbers."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_blocks

# WMT shipped files whose lines end with \r\r\n.
_CARRIAGE_RETURNS = re.compile(r"\r+(?=\n|\Z)")
_BLANK_ROWS: tuple[list[str], ...] = ([], [""])


class CsvRows:
    r"""The rows of a CSV file (RFC 4180, UTF-8), each with the number of its line as last cell.

    Lines may end with any number of ``\r`` before ``\n``; blank lines, and further copies of the
    header (files joined by ``cat``), are skipped. A row of another length is an error.
    """

    def __init__(self, path: StrPath) -> None:
        self.name = name_of(path)
        self._rows = _rows(path)
        first: list[Any] = next(self._rows, [1])
        if len(first) == 1:
            raise DataError(f"{self.name}:1: the file begins with no text; expected a CSV header")
        self._header = first[:-1]
        self._index = {name.strip().lower(): i for i, name in enumerate(self._header)}
        if len(self._index) != len(self._header):
            raise self.error("a column occurs twice in the header; expected different names", 1)

    def __iter__(self) -> Iterator[list[Any]]:
        header, begin, width = self._header, self._header[0], len(self._header) + 1
        for row in self._rows:
            if len(row) == width:
                if row[0] != begin or row[:-1] != header:
                    yield row
            elif row[:-1] not in _BLANK_ROWS:
                found = f"found {len(row) - 1} cells; expected {width - 1} as in the header"
                raise self.error(found, row[-1])

    def has(self, column: str) -> bool:
        """Whether there is such a column, upper or lower case."""
        return column.lower() in self._index

    def column(self, *names: str) -> int:
        """The position of the column with one of the *names*, upper or lower case."""
        for name in names:
            if name.lower() in self._index:
                return self._index[name.lower()]
        found = ", ".join(self._header)
        raise self.error(f"found the columns {found[:200]}; expected {' or '.join(names)}", 1)

    def error(self, message: object, line: int) -> DataError:
        """A *message* about a line."""
        return DataError(f"{self.name}:{line}: {message}")


def _rows(path: StrPath) -> Iterator[list[Any]]:
    """All rows with their lines: split at commas up to the first quote, which is twice as fast."""
    blocks = _blocks(path)
    for number, block in blocks:
        if '"' in block or "\r" in block:
            yield from _quoted_rows(path, number, chain([(number, block)], blocks))
            return
        for line, text in enumerate(block.removesuffix("\n").split("\n"), number):
            row: list[Any] = text.split(",")
            row.append(line)
            yield row


def _quoted_rows(
    path: StrPath, number: int, blocks: Iterable[tuple[int, str]]
) -> Iterator[list[Any]]:
    lines = chain.from_iterable(io.StringIO(block, newline="\n") for _, block in blocks)
    reader = csv.reader(lines, strict=True)
    try:
        for row in reader:
            yield [*row, number + reader.line_num - 1]
    except csv.Error as error:
        place = f"{name_of(path)}:{number + max(reader.line_num, 1) - 1}"
        raise DataError(f"{place}: {error}; expected CSV with closed quotes") from error


def _blocks(path: StrPath) -> Iterator[tuple[int, str]]:
    for number, block in read_blocks(path):
        yield number, _CARRIAGE_RETURNS.sub("", block) if "\r" in block else block


def is_machine(rows: CsvRows, row: list[Any]) -> bool:
    """Whether a row of a campaign's table is of a machine; older tables do not say it."""
    return rows.has("judge_kind") and row[rows.column("judge_kind")] == "machine"
