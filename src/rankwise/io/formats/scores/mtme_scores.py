"""Score files of mt-metrics-eval, ``PAIR.NAME.LEVEL.score`` with level seg, doc, domain or sys.

A line is ``SYSTEM<TAB>SCORE``, for domains ``DOMAIN<TAB>SYSTEM<TAB>SCORE``; ``None`` is a missing
score. A system's lines are in the order of the test set, whose segments have no names here: they
are numbered from 1.
"""

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, plain_name, stem_of, target_name, write_text
from rankwise.io.parts.line_text import CELL_BREAKS, all_lines, counted, finite_number, shown
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable
from rankwise.types.score_table import Level

LEVELS: dict[str, Level] = {
    "seg": "segment",
    "doc": "document",
    "domain": "domain",
    "sys": "system",
}
_NAME = re.compile(
    r"(?:[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?\.)?(.+)\.(seg|doc|domain|sys)\.score$"
)


def read(
    path: StrPath, *, level: Level | None = None, segments: Sequence[str] | None = None
) -> ScoreTable:
    """The scores of a file.

    *level* is ``segment``, ``document``, ``domain`` or ``system``. Unless given, the file's name
    tells it; with another name these are domain scores when lines have three columns, system scores
    when no system comes twice, else segment scores. *segments* lists the names of the segments (or
    documents) in the order of the test set; numbers from 1 unless given.
    """
    lines = all_lines(path)
    if not lines:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected 'SYSTEM<TAB>SCORE'")
    match = _NAME.match(plain_name(path))
    name = match[1] if match else stem_of(path)
    level = level or (LEVELS[match[2]] if match else _guess(lines))
    if level == "domain":
        return _domain_scores(lines, name, path)
    rows = _rows(lines, path)
    columns = ("all",) if level == "system" and segments is None else segments
    width = _common_length(rows, path, columns)
    names = tuple(columns or map(str, range(1, width + 1)))
    values = np.array(list(rows.values()))
    return ScoreTable(tuple(rows), names, values, name, level, is_by_line=columns is None)


def _guess(lines: list[str]) -> Level:
    cells = [_cells(line) for line in lines]
    if len(cells[0]) == 3:
        return "domain"
    return "system" if len({"".join(row[:1]) for row in cells}) == len(cells) else "segment"


def _cells(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split()


def _rows(lines: list[str], path: StrPath) -> dict[str, list[float]]:
    """The scores of each system; whole columns at once unless something is unusual."""
    texts: dict[str, list[str]] = {}
    system: str | None = None
    column: list[str] = []
    for line in lines:
        name, _, text = line.partition("\t")
        if name != system:
            system, column = name, texts.setdefault(name, [])
        column.append(text)
    try:
        rows = {
            system: [math.nan if text == "None" else float(text) for text in column]
            for system, column in texts.items()
        }
    except ValueError:
        return _checked_rows(lines, path)
    missing = sum(column.count("None") for column in texts.values())
    finite = sum(int(np.isfinite(row).sum()) for row in rows.values())
    is_usual = finite + missing == len(lines) and not any("_" in "".join(c) for c in texts.values())
    return rows if is_usual and "" not in rows else _checked_rows(lines, path)


def _checked_rows(lines: list[str], path: StrPath) -> dict[str, list[float]]:
    rows: dict[str, list[float]] = {}
    for number, line in enumerate(lines, 1):
        cells = _cells(line)
        if len(cells) != 2 or not cells[0]:
            raise DataError(
                f"{name_of(path)}:{number}: found {shown(line)}; expected 'SYSTEM<TAB>SCORE'"
            )
        rows.setdefault(cells[0], []).append(_score(cells[1], path, number))
    return rows


def _score(text: str, path: StrPath, number: int) -> float:
    return math.nan if text == "None" else finite_number(text, path, number)


def _common_length(rows: dict[str, list[float]], path: StrPath, names: Sequence[str] | None) -> int:
    first = next(iter(rows))
    expected = len(rows[first]) if names is None else len(names)
    for system, scores in rows.items():
        if len(scores) != expected:
            other = f"as system {first!r}" if names is None else "as the test set"
            raise DataError(
                f"{name_of(path)}: system {system!r} has {counted(len(scores), 'score')}; "
                f"expected {expected}, {other}"
            )
    return expected


def _domain_scores(lines: list[str], name: str, path: StrPath) -> ScoreTable:
    seen: set[tuple[str, str]] = set()
    cells: list[tuple[str, str, float]] = []
    for number, line in enumerate(lines, 1):
        row = _cells(line)
        if len(row) != 3 or not all(row):
            raise DataError(
                f"{name_of(path)}:{number}: found {shown(line)}; "
                "expected 'DOMAIN<TAB>SYSTEM<TAB>SCORE'"
            )
        if (row[0], row[1]) in seen:
            raise DataError(
                f"{name_of(path)}:{number}: system {row[1]!r} has two scores for {row[0]!r}; "
                "expected one"
            )
        seen.add((row[0], row[1]))
        cells.append((row[1], row[0], _score(row[2], path, number)))
    return ScoreTable.from_cells(cells, name=name, level="domain")


def sniff(head: Head) -> bool:
    """Whether the name says so, or the first line is a system and a score."""
    if _NAME.match(plain_name(head.name)):
        return True
    cells = head.first_line.split("\t")
    return len(cells) in (2, 3) and (cells[-1] == "None" or _is_number(cells[-1]))


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


def write(table: ScoreTable, path: StrPath) -> list[str]:
    """Write *table*; a file name that tells another level than the table has is an error."""
    match = _NAME.match(plain_name(path))
    if match and LEVELS[match[2]] != table.level:
        raise DataError(
            f"{target_name(path)}: the name says {LEVELS[match[2]]} scores, but they are "
            f"{table.level} scores; expected another name"
        )
    check_cells([*table.systems, *(table.segments if table.level == "domain" else ())])
    with write_text(path) as stream:
        if table.level == "domain":
            for position, domain in enumerate(table.segments):
                for system, score in zip(table.systems, table.values[:, position], strict=True):
                    stream.write(f"{domain}\t{system}\t{printed(float(score))}\n")
        else:
            for system, row in zip(table.systems, table.values.tolist(), strict=True):
                stream.writelines(f"{system}\t{printed(score)}\n" for score in row)
    return _losses(table, match[1] if match else stem_of(path))


def _losses(table: ScoreTable, read_name: str) -> list[str]:
    numbers = tuple(str(number) for number in range(1, len(table.segments) + 1))
    losses = []
    if table.level in ("segment", "document") and table.segments != numbers:
        losses.append(f"The names of {table.level}s became line numbers, from 1.")
    if table.name != read_name:
        losses.append(f"The name of the scores became {read_name!r}.")
    if not table.values.size and (table.systems or table.segments):
        losses.append("A table without scores leaves an empty file.")
    return losses


def printed(score: float) -> str:
    """A score that reads back as the same number; nan is ``None``."""
    return "None" if math.isnan(score) else repr(score)


def check_cells(names: Iterable[str]) -> None:
    """Raise for a name that cannot be a cell of a table."""
    for name in names:
        if not name or set(name) & set(CELL_BREAKS):
            raise DataError(f"{name!r} cannot be written into a column; rename it first")
