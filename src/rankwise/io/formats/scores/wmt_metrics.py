"""Submissions to the WMT metrics task: tab-separated, no header.

Segment scores have ``METRIC  LANG-PAIR  TEST-SET  SYSTEM  SEGMENT-NUMBER  SCORE``; system scores
lack the number. Some years added two columns (ensemble, availability), which are not read.
"""

import math
import re
from collections.abc import Iterator

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, target_name, write_text
from rankwise.io.formats.scores.mtme_scores import check_cells, printed
from rankwise.io.parts.line_text import all_lines, finite_number, shown
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable
from rankwise.types.score_table import Level

#: Number of columns -> (level, position of the score).
LAYOUTS: dict[int, tuple[Level, int]] = {
    5: ("system", 4),
    6: ("segment", 5),
    7: ("system", 4),
    8: ("segment", 5),
}
_PAIR = re.compile(r"[A-Za-z_]{2,}-[A-Za-z_]{2,}$")
_EXPECTED = "METRIC, LANG-PAIR, TEST-SET, SYSTEM, SEGMENT-NUMBER (for segments) and SCORE"


def read(
    path: StrPath,
    *,
    metric: str | None = None,
    language_pair: str | None = None,
    test_set: str | None = None,
) -> ScoreTable:
    """The scores of one metric on one test set.

    *metric*, *language_pair* and *test_set* choose the rows by the first three columns; each may
    stay unsaid when the file has only one of it.
    """
    rows = list(_rows(path))
    if not rows:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected {_EXPECTED}")
    options = {"metric": metric, "language_pair": language_pair, "test_set": test_set}
    for column, (option, wanted) in enumerate(options.items()):
        chosen = choose(path, option, wanted, (cells[column] for _, cells in rows))
        rows = [row for row in rows if row[1][column] == chosen]
    level, score = LAYOUTS[len(rows[0][1])]
    name = rows[0][1][0]
    table = ScoreTable.from_cells(_cells(rows, path, level, score), name=name, level=level)
    return _in_segment_order(table) if level == "segment" else table


def _in_segment_order(table: ScoreTable) -> ScoreTable:
    """Columns by number: systems may lack segments, so the order of first use will not do."""
    columns = sorted(range(len(table.segments)), key=lambda column: int(table.segments[column]))
    names = tuple(table.segments[column] for column in columns)
    return ScoreTable(table.systems, names, table.values[:, columns], table.name)


def _rows(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    width = 0
    for number, line in enumerate(all_lines(path), 1):
        cells = line.split("\t")
        width = width or len(cells)
        if len(cells) != width or width not in LAYOUTS:
            raise DataError(
                f"{name_of(path)}:{number}: the line has {len(cells)} columns; expected "
                f"{width if width in LAYOUTS else '5 or 6'}: {_EXPECTED}"
            )
        yield number, cells


def _cells(
    rows: list[tuple[int, list[str]]], path: StrPath, level: Level, column: int
) -> Iterator[tuple[str, str, float]]:
    seen: set[tuple[str, str]] = set()
    for number, cells in rows:
        segment = cells[4] if level == "segment" else "all"
        if level == "segment" and not _is_number(segment):
            raise DataError(
                f"{name_of(path)}:{number}: the segment is {shown(segment)}; expected its number"
            )
        key = (cells[3], str(int(segment)) if level == "segment" else segment)
        if key in seen:
            raise DataError(
                f"{name_of(path)}:{number}: system {key[0]!r} has a second score; expected one"
            )
        seen.add(key)
        text = cells[column]
        yield *key, math.nan if text == "None" else finite_number(text, path, number)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19


def sniff(head: Head) -> bool:
    """Whether the first line has a language pair and a score where they belong."""
    cells = head.first_line.split("\t")
    if len(cells) not in LAYOUTS or not _PAIR.match(cells[1]):
        return False
    try:
        float(cells[LAYOUTS[len(cells)][1]].replace("None", "0"))
    except ValueError:
        return False
    return True


def write(
    table: ScoreTable, path: StrPath, *, language_pair: str = "", test_set: str = ""
) -> list[str]:
    """Write *table*.

    *language_pair*, as in ``en-de``, and *test_set*, as in ``wmt23``, fill the second and third
    column and have to be given.
    """
    if table.level not in ("segment", "system"):
        raise DataError(
            f"{target_name(path)}: the scores are {table.level} scores; expected those of "
            "segments or systems"
        )
    if not language_pair or not test_set:
        raise DataError(
            f"{target_name(path)}: wmt-metrics has columns for a language pair and a test set; "
            "expected the options 'language_pair' and 'test_set'"
        )
    metric = table.name or "metric"
    check_cells([metric, language_pair, test_set, *table.systems])
    numbers, losses = _numbers(table)
    with write_text(path) as stream:
        for system, row in zip(table.systems, table.values.tolist(), strict=True):
            for segment, score in zip(numbers, row, strict=True):
                place = f"\t{segment}" if table.level == "segment" else ""
                cells = f"{metric}\t{language_pair}\t{test_set}\t{system}{place}"
                stream.write(f"{cells}\t{printed(score)}\n")
    if not table.name:
        losses.append("The scores got the name 'metric'.")
    return losses


def _numbers(table: ScoreTable) -> tuple[tuple[str, ...], list[str]]:
    """Segment numbers that read back in the same order, and a sentence if they are new."""
    names = table.segments
    if table.level == "system":
        return names, []
    plain = all(_is_number(name) and str(int(name)) == name for name in names)
    if plain and [int(n) for n in names] == sorted(int(n) for n in names):
        return names, []
    renamed = tuple(str(number) for number in range(1, len(names) + 1))
    return renamed, ["The names of segments became numbers, from 1."]
