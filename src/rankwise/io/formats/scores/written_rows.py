"""Scores read back as ``rankwise score --segments`` wrote them: all metrics of a file at once."""

import json
import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, open_bytes, read_lines
from rankwise.io.parts.arrow import pyarrow
from rankwise.io.parts.headed_table import read_table
from rankwise.io.parts.line_text import finite_number
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable

Cells = dict[str, list[tuple[str, str, float]]]
#: The label of every segment that has one, under "document" and "domain".
Places = dict[str, dict[str, str]]
#: Segment, system, where the segment stands, and the score by every metric.
Row = tuple[str, str, dict[str, str], dict[str, float]]

_PLACE = ("segment", "system")
#: Where a segment stands; what else there is are metrics, but for what tells where and how long.
_WHERE = ("document", "domain")
_NUMBERED = ("id", "line", "index", "number", "seg", "seg_id", "segment_id", "doc", "doc_id")
_COUNTED = ("len", "length", "words", "chars", "characters", "tokens", "count")
NO_SCORES = frozenset((*_NUMBERED, *_COUNTED))
_KNOWN = frozenset((*_PLACE, *_WHERE, *NO_SCORES))
_MISSING = "Parquet needs pyarrow: install rankwise[cluster]"


class Written(NamedTuple):
    """What a file holds: the scores by every metric, and the places of segments."""

    tables: dict[str, ScoreTable]
    places: Places


def sniff(head: Head) -> bool:
    """Whether a file begins as one of the three kinds that the command writes."""
    if head.text.startswith("PAR1"):
        return True
    if head.first_object is not None:
        return tuple(head.first_object)[:2] == _PLACE and "score" not in head.first_object
    columns = head.first_line.split("\t")
    return tuple(columns[:2]) == _PLACE and len(columns) > 2 and "score" not in columns


def read_all(path: StrPath, head: Head) -> Written:
    """The scores of every metric, by its name, and where the segments stand."""
    rows: Iterable[Row]
    if head.text.startswith("PAR1"):
        rows = _parquet(path)
    else:
        rows = _jsonl(path) if head.first_object is not None else _tsv(path)
    cells, places = _collected(rows, path)
    tables = {name: ScoreTable.from_cells(found, name=name) for name, found in cells.items()}
    return Written(tables, places)


def left_out(head: Head) -> list[str]:
    """The columns that are not read as scores for their names, such as ``len``."""
    names = head.first_object or head.first_line.split("\t")
    return [name for name in names if name in NO_SCORES]


def _collected(rows: Iterable[Row], path: StrPath) -> tuple[Cells, Places]:
    cells: Cells = {}
    places: Places = {}
    for segment, system, where, scores in rows:
        for name, score in scores.items():
            cells.setdefault(name, []).append((system, segment, score))
        for kind, label in where.items():
            known = places.setdefault(kind, {}).setdefault(segment, label)
            if known != label:
                raise DataError(
                    f"{name_of(path)}: segment {segment!r} has the {kind}s {known!r} and "
                    f"{label!r}; expected one"
                )
    return cells, places


def _tsv(path: StrPath) -> Iterator[Row]:
    table = read_table(path)
    columns = list(enumerate(table.header))
    metrics = [(place, name) for place, name in columns if name not in _KNOWN]
    labels = [(place, name) for place, name in columns if name in _WHERE]
    for number, cells in table.rows():
        numbers = {name: _number(cells[place], path, number) for place, name in metrics}
        where = {name: cells[place] for place, name in labels if cells[place]}
        yield cells[0], cells[1], where, numbers


def _number(text: str, path: StrPath, line: int) -> float:
    return math.nan if text in ("", "None", "nan") else finite_number(text, path, line)


def _stored(score: float | None) -> float:
    return math.nan if score is None else float(score)


def _jsonl(path: StrPath) -> Iterator[Row]:
    for number, line in read_lines(path):
        try:
            row = json.loads(line)
            if "signatures" in row:  # what decides the numbers comes last
                continue
            segment, system = row["segment"], row["system"]
            scores = {
                name: math.nan if x is None else float(x)
                for name, x in row.items()
                if name not in _KNOWN
            }
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise DataError(
                f"{name_of(path)}:{number}: found {line[:60]!r}; expected an object with segment, "
                "system and the score of every metric"
            ) from error
        where = {name: str(row[name]) for name in _WHERE if row.get(name) is not None}
        yield str(segment), str(system), where, scores


def _parquet(path: StrPath) -> list[Row]:
    arrow, parquet = pyarrow(_MISSING)
    try:
        with open_bytes(path) as stream:
            table = parquet.read_table(arrow.BufferReader(stream.read()))
        columns = {name: table.column(name).to_pylist() for name in table.column_names}
        metrics = [name for name in columns if name not in _KNOWN]
        labels = [name for name in columns if name in _WHERE]
        return [
            (
                str(columns["segment"][row]),
                str(columns["system"][row]),
                {name: str(columns[name][row]) for name in labels if columns[name][row]},
                {name: _stored(columns[name][row]) for name in metrics},
            )
            for row in range(table.num_rows)
        ]
    except (arrow.ArrowException, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{name_of(path)}: expected Parquet with the columns segment and system, and one of "
            "numbers for every metric"
        ) from error
