"""What ``comet-score --to_json`` writes: for every file of outputs a list of segments with scores.

``{"FILE": [{"src": ..., "mt": ..., "ref": ..., "COMET": 0.81, "errors": [...]}, ...], ...}``. A
system is called by its file's name; segments are numbered from 1. The error spans of xCOMET are
read as assessments.
"""

from collections.abc import Iterator
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.formats.scores.comet_text import NAME, table_of_files
from rankwise.io.parts.json_values import parse_object
from rankwise.io.parts.line_text import all_lines, finite_number, shown
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable

#: The key of the score of a segment.
SCORE = "COMET"

NOT_READ = ("Texts of sources, outputs and references are not read; error spans are assessments.",)


def read(path: StrPath) -> ScoreTable:
    """The scores of every system in the file."""
    rows: dict[str, list[float]] = {}
    for file, _, _, score in scored_segments(path):
        rows.setdefault(file, []).append(score)
    if not rows:
        raise DataError(f"{name_of(path)}: there is no segment; expected lists of them by file")
    return table_of_files(path, rows, NAME)


def scored_segments(path: StrPath) -> Iterator[tuple[str, int, dict[str, Any], float]]:
    """Every segment with its file, its number from 1, and its score."""
    document = parse_object("\n".join(all_lines(path)), path, 1)
    for file, segments in document.items():
        if not isinstance(segments, list):
            raise DataError(f"{name_of(path)}: {shown(file)} is no list; expected its segments")
        for number, segment in enumerate(segments, 1):
            where = f"{name_of(path)}: segment {number} of {file}"
            if not isinstance(segment, dict) or SCORE not in segment:
                raise DataError(f"{where} has no {SCORE!r}; expected the score of each")
            score = segment[SCORE]
            if isinstance(score, bool) or not isinstance(score, int | float):
                raise DataError(f"{where} has the score {shown(str(score))}; expected a number")
            yield file, number, segment, finite_number(str(score), path, 1)


def sniff(head: Head) -> bool:
    """Whether it is an object of lists whose first segment has such a score."""
    return head.text.lstrip().startswith("{") and f'"{SCORE}":' in head.text and "[" in head.text
