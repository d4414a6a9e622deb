r"""What ``comet-score`` prints: ``FILE<TAB>Segment 0<TAB>score: 0.8123``, and a mean for each file.

Segments count from 0 there; here they are numbered from 1, as lines are. A system is called by its
file's name. The mean that ``comet-score`` prints of a file must be that of its segments: so no line
is missing. Other lines that it prints are passed over.
"""

import re

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.parts.line_text import all_lines, counted, finite_number, shown
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable

#: How the scores are called.
NAME = "comet"

_SEGMENT = re.compile(r"([^\t]*)\tSegment (\d+)\tscore: (\S+)(?:\tvariance: \S+)?")
_MEAN = re.compile(r"([^\t]*)\tscore: (\S+)")
# Scores are printed with four digits, so a mean of them is within as much of the printed one.
_CLOSE = 1.0001e-4


def read(path: StrPath) -> ScoreTable:
    """The scores of every system in the file."""
    scores: dict[str, dict[int, float]] = {}
    means: dict[str, tuple[int, float]] = {}
    for number, line in enumerate(all_lines(path), 1):
        if found := _SEGMENT.fullmatch(line):
            row = scores.setdefault(found[1], {})
            if int(found[2]) in row:
                raise DataError(f"{name_of(path)}:{number}: segment {found[2]} comes twice")
            row[int(found[2])] = finite_number(found[3], path, number)
        elif found := _MEAN.fullmatch(line):
            means[found[1]] = number, finite_number(found[2], path, number)
        elif "\tSegment " in line or "\tscore:" in line:
            raise DataError(
                f"{name_of(path)}:{number}: found {shown(line)}; expected a file, a segment and a "
                "score as comet-score prints them"
            )
    if not scores:
        raise DataError(f"{name_of(path)}: no line has a segment; expected what comet-score prints")
    rows = {file: _row(path, file, row) for file, row in scores.items()}
    _check_means(path, rows, means)
    return table_of_files(path, rows, NAME)


def _row(path: StrPath, file: str, scores: dict[int, float]) -> list[float]:
    missing = next((place for place in range(len(scores)) if place not in scores), None)
    if missing is not None:
        raise DataError(f"{name_of(path)}: {file} has no segment {missing}; expected every one")
    return [scores[place] for place in range(len(scores))]


def _check_means(
    path: StrPath, rows: dict[str, list[float]], means: dict[str, tuple[int, float]]
) -> None:
    for file, (number, mean) in means.items():
        if file in rows and abs(float(np.mean(rows[file])) - mean) > _CLOSE:
            raise DataError(
                f"{name_of(path)}:{number}: the score of {file} is {mean}, but the mean of its "
                f"{counted(len(rows[file]), 'segment')} is {np.mean(rows[file]):.4f}; expected all "
                "lines that comet-score printed"
            )


def table_of_files(path: StrPath, rows: dict[str, list[float]], name: str) -> ScoreTable:
    """The scores of files of outputs, whose systems are called by them, a score for every line."""
    first = next(iter(rows))
    for file, row in rows.items():
        if len(row) != len(rows[first]):
            raise DataError(
                f"{name_of(path)}: {file} has {counted(len(row), 'segment')}, but {first} has "
                f"{len(rows[first])}; expected scores of the same segments"
            )
    systems = tuple(map(stem_of, rows))
    if len(set(systems)) < len(systems):
        raise DataError(
            f"{name_of(path)}: two files are called alike: {', '.join(rows)}; expected different "
            "names without their folders"
        )
    segments = tuple(str(number) for number in range(1, len(rows[first]) + 1))
    values = np.array(list(rows.values()), np.float64)
    return ScoreTable(systems, segments, values, name, is_by_line=True)


def sniff(head: Head) -> bool:
    """Whether some of the first lines are such scores."""
    return any(_SEGMENT.fullmatch(line) for line in head.lines[:20])
