"""The native scores: one JSON object with the names and one row of numbers per system.

``{"format": "rankwise-scores", "version": 1, "name": ..., "level": ..., "segments": [...],
"scores": {"SYSTEM": [...], ...}}``; ``null`` is a missing score. Nothing is lost.
"""

import json
import math
from typing import Any, get_args

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, write_text
from rankwise.io.parts.json_values import list_of_text, parse_object, text_of
from rankwise.io.parts.line_text import all_lines, counted
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable
from rankwise.types.score_table import Level

FORMAT = "rankwise-scores"
VERSION = 1


def read(path: StrPath) -> ScoreTable:
    """The scores in *path*."""
    document = parse_object("\n".join(all_lines(path)), path, 1)
    if document.get("format") != FORMAT or document.get("version") != VERSION:
        raise DataError(
            f"{name_of(path)}:1: found another object; expected {FORMAT} version {VERSION}"
        )
    level = document.get("level", "segment")
    if level not in get_args(Level):
        choices = ", ".join(get_args(Level))
        raise DataError(f"{name_of(path)}: 'level' is {level!r}; expected one of {choices}")
    segments = list_of_text(document, "segments", path, 1)
    rows = document.get("scores")
    if not isinstance(rows, dict):
        raise DataError(f"{name_of(path)}: 'scores' is something else; expected rows by system")
    values = [_row(system, row, len(segments), path) for system, row in rows.items()]
    array = np.array(values, np.float64).reshape(len(values), len(segments))
    name = text_of(document, "name", path, 1, default="")
    try:
        return ScoreTable(tuple(rows), tuple(segments), array, name, level)
    except DataError as error:
        raise DataError(f"{name_of(path)}: {error}; expected a table of scores") from error


def _row(system: str, row: Any, width: int, path: StrPath) -> list[float]:
    if not isinstance(row, list) or len(row) != width:
        found = counted(len(row), "score") if isinstance(row, list) else "no list"
        raise DataError(
            f"{name_of(path)}: system {system!r} has {found}; expected a list of {width}"
        )
    try:
        return [_number(value) for value in row]
    except (TypeError, OverflowError) as error:
        raise DataError(
            f"{name_of(path)}: a score of system {system!r} is no number; "
            "expected numbers, or null for none"
        ) from error


def _number(value: Any) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(value)
    return float(value)


def sniff(head: Head) -> bool:
    """Whether the object says so in its first members."""
    return head.text.lstrip().startswith("{") and f'"{FORMAT}"' in head.text[:200]


def write(table: ScoreTable, path: StrPath) -> list[str]:
    """Write *table*; nothing is lost."""
    rows = zip(table.systems, table.values.tolist(), strict=True)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "name": table.name,
        "level": table.level,
        "segments": list(table.segments),
        "scores": {
            system: [None if math.isnan(score) else score for score in row] for system, row in rows
        },
    }
    with write_text(path) as stream:
        stream.write(json.dumps(document, ensure_ascii=False) + "\n")
    return []
