"""Tables with one header line: tab-separated without quoting, or CSV where a reader takes it."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.line_text import all_lines, joined, must_be_unique, shown


@dataclass(frozen=True, slots=True)
class HeadedTable:
    """The header and the lines of a file; every line has as many cells as the header."""

    path: StrPath
    header: tuple[str, ...]
    lines: list[str]
    delimiter: str = "\t"

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Line number and cells of each row."""
        width = len(self.header)
        for number, cells in self._cells():
            if len(cells) != width:
                raise DataError(
                    f"{name_of(self.path)}:{number}: the line has {len(cells)} columns; "
                    f"expected {width}: {joined(self.header)}"
                )
            yield number, cells

    def _cells(self) -> Iterator[tuple[int, list[str]]]:
        if self.delimiter == "\t":
            for number, line in enumerate(self.lines, 2):
                yield number, line.split("\t")
            return
        lines = (f"{line}\n" for line in self.lines)
        reader = csv.reader(lines, delimiter=self.delimiter, strict=True)
        try:
            for cells in reader:
                if cells:
                    yield reader.line_num + 1, cells
        except csv.Error as error:
            place = f"{name_of(self.path)}:{reader.line_num + 1}"
            raise DataError(f"{place}: {error}; expected CSV with closed quotes") from error

    def find(self, *names: str) -> int | None:
        """The position of the column that has one of *names*."""
        found = [position for position, name in enumerate(self.header) if name in names]
        if len(found) > 1:
            raise DataError(
                f"{name_of(self.path)}:1: columns {' and '.join(self.header[i] for i in found)} "
                f"mean the same; expected one of them"
            )
        return found[0] if found else None

    def require(self, *names: str) -> int:
        """The position of the column that has one of *names*; it must be there."""
        position = self.find(*names)
        if position is None:
            raise DataError(
                f"{name_of(self.path)}:1: no column {' or '.join(map(repr, names))} "
                f"among {joined(self.header)}; expected one"
            )
        return position


def header_of(line: str) -> tuple[str, tuple[str, ...]]:
    """What stands between the columns of a header, and their names: tabs, else commas or ``;``."""
    delimiter = "\t" if "\t" in line else max(",;", key=line.count)
    if delimiter == "\t":
        return delimiter, tuple(line.split("\t"))
    try:
        return delimiter, tuple(next(csv.reader([line], delimiter=delimiter, strict=True), ()))
    except csv.Error:  # such as an open quote
        return delimiter, tuple(line.split(delimiter))


def read_table(
    path: StrPath, *, repeatable: Sequence[str] = (), takes_csv: bool = False
) -> HeadedTable:
    """The table in a file; only columns named in *repeatable* may occur twice."""
    lines = all_lines(path)
    if not lines or not lines[0].strip():
        raise DataError(f"{name_of(path)}:1: the file has no header line; expected column names")
    delimiter, header = header_of(lines[0]) if takes_csv else ("\t", tuple(lines[0].split("\t")))
    if "" in header:
        raise DataError(
            f"{name_of(path)}:1: found header {shown(lines[0])}; expected a name for every column"
        )
    must_be_unique([name for name in header if name not in repeatable], path, 1, "column")
    return HeadedTable(path, header, lines[1:], delimiter)
