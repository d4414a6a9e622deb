"""Plain scores: one number per line, one file per system, as many learned metrics print them.

A system is called by its file's name; segments are numbered from 1; ``None`` is a missing score.
"""

import math
from collections.abc import Iterable

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of, target_name, write_text
from rankwise.io.formats.scores.mtme_scores import printed
from rankwise.io.parts.line_text import all_lines, counted, finite_number
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable


def read(path: StrPath, *, others: Iterable[StrPath] = (), name: str = "") -> ScoreTable:
    """The scores of one system, or of several.

    *others* are further files, one per system, with scores of the same segments. *name* is how the
    scores are called, as ``comet``; nothing unless given.
    """
    rows: dict[str, list[float]] = {}
    for place in (path, *others):
        system = stem_of(place)
        scores = _numbers(place)
        if system in rows:
            raise DataError(
                f"{name_of(place)}: a second file called {system!r}; expected different names"
            )
        rows[system] = scores
        expected = len(rows[stem_of(path)])
        if len(scores) != expected:
            raise DataError(
                f"{name_of(place)} has {counted(len(scores), 'line')}, but {name_of(path)} "
                f"has {expected}; expected scores of the same segments"
            )
    segments = tuple(str(number) for number in range(1, expected + 1))
    values = np.array(list(rows.values()))
    return ScoreTable(tuple(rows), segments, values, name, is_by_line=True)


def _numbers(path: StrPath) -> list[float]:
    lines = all_lines(path)
    if not lines:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected one number per line")
    return [
        math.nan if line == "None" else finite_number(line, path, number, "line")
        for number, line in enumerate(lines, 1)
    ]


def sniff(head: Head) -> bool:
    """Whether the first lines are numbers and nothing else, the first a finite one or ``None``.

    One that is not finite is no score: the reader names its line.
    """
    lines = head.lines if head.is_whole else head.lines[:-1]
    try:
        numbers = [0.0 if line == "None" else float(line) for line in lines]
    except ValueError:
        return False
    return bool(numbers) and math.isfinite(numbers[0])


def write(table: ScoreTable, path: StrPath) -> list[str]:
    """Write the scores of the one system in *table*."""
    if len(table.systems) != 1:
        raise DataError(
            f"{target_name(path)}: the scores are of {counted(len(table.systems), 'system')}; "
            "expected one: the file has no place for names"
        )
    if not table.segments:
        raise DataError(f"{target_name(path)}: there is no score to write; expected at least one")
    with write_text(path) as stream:
        stream.writelines(f"{printed(score)}\n" for score in table.values[0].tolist())
    losses = []
    if table.systems[0] != stem_of(path):
        losses.append(f"System {table.systems[0]!r} is read back as {stem_of(path)!r}.")
    if table.segments != tuple(str(number) for number in range(1, len(table.segments) + 1)):
        losses.append("The names of segments became line numbers, from 1.")
    if table.level != "segment":
        losses.append(f"That these are {table.level} scores was dropped.")
    if table.name:
        losses.append(f"The name of the scores, {table.name!r}, was dropped.")
    return losses
