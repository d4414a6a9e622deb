"""Tables that a spreadsheet opens without running what a cell says (CWE-1236)."""

import csv
import re
from pathlib import Path

from rankwise.io.files import StrPath, name_of, read_lines, write_text

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_DANGEROUS = tuple("=+-@\t\r\0＝＋－＠")


def guarded(cell: str) -> str:
    """*cell* with ' before it where a spreadsheet would take it for a formula; numbers stay.

    >>> [guarded(cell) for cell in ("=1+1", "-3.5", "-x", "plain")]
    ["'=1+1", '-3.5', "'-x", 'plain']
    """
    if cell.lstrip(" ").startswith(_DANGEROUS) and not _NUMBER.fullmatch(cell):
        return "'" + cell
    return cell


def guard_csv(source: StrPath, target: StrPath) -> None:
    """Write the CSV table *source* to *target* with every cell guarded."""
    limit = csv.field_size_limit(2**31 - 1)  # a cell may hold a megabyte of text
    try:
        with Path(source).open(encoding="utf-8", newline="") as lines, write_text(target) as stream:
            writer = csv.writer(stream, lineterminator="\r\n")
            writer.writerows([guarded(cell) for cell in row] for row in csv.reader(lines))
    finally:
        csv.field_size_limit(limit)


def guard_tsv(source: StrPath, target: StrPath) -> None:
    """The same for a table with tabs and no quoting."""
    with write_text(target) as stream:
        for _, line in read_lines(source):
            stream.write("\t".join(guarded(cell) for cell in line.split("\t")) + "\n")


#: The formats that a spreadsheet may open, and what guards them.
GUARDS = {
    "long": guard_csv,
    "wmt-pairwise": guard_csv,
    "wmt-csv": guard_csv,
    "pwcmp": guard_csv,
    "wmt-da-tsv": guard_tsv,
}


def guard(format: str, source: StrPath, target: StrPath) -> None:
    """Write *source*, a table in a format of ``GUARDS``, to *target* with its cells guarded."""
    if format not in GUARDS:
        raise ValueError(f"{name_of(source)}: {format} is no table")
    GUARDS[format](source, target)
