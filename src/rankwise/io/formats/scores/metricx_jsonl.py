"""What MetricX writes: its JSON lines of inputs, each with its ``prediction``.

MetricX predicts how many errors there are, 0 to 25: less is better. A line may have more keys than
``hypothesis`` and ``prediction``: ``system`` (``system_id``, ``system_name``) says whose output it
is, and ``segment`` (``segment_id``, ``seg_id``, ``id``) of which segment. Without the first all
lines are of one system, called by the file's name; without the second segments are numbered from 1.
"""

from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.parts.json_values import read_objects, text_of
from rankwise.io.parts.line_text import finite_number, shown
from rankwise.io.sniffing import Head
from rankwise.types import ScoreTable

#: How the scores are called.
NAME = "metricx"
SYSTEM = ("system", "system_id", "system_name")
SEGMENT = ("segment", "segment_id", "seg_id", "id")

NOT_READ = ("Texts of sources, outputs and references are not read.",)


def read(path: StrPath) -> ScoreTable:
    """The scores of the system or systems in the file."""
    from dataclasses import replace

    rows = list(read_objects(path))
    if not rows:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected JSON lines")
    system, segment = (_key(rows[0][1], names) for names in (SYSTEM, SEGMENT))
    counts: dict[str, int] = {}
    cells = []
    for number, row in rows:
        called = stem_of(path) if system is None else text_of(row, system, path, number)
        counts[called] = counts.get(called, 0) + 1
        place = str(counts[called]) if segment is None else text_of(row, segment, path, number)
        cells.append((called, place, _prediction(row, path, number)))
    try:
        table = ScoreTable.from_cells(cells, name=NAME)
    except DataError as error:
        raise DataError(f"{name_of(path)}: {error}") from error
    if segment is None and len(set(counts.values())) > 1:
        listed = ", ".join(f"{count} of {name}" for name, count in counts.items())
        raise DataError(
            f"{name_of(path)}: there are {listed} without names of segments; expected as many"
        )
    return replace(table, is_by_line=segment is None, counts_errors=True)


def _key(row: dict[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in row), None)


def _prediction(row: dict[str, Any], path: StrPath, number: int) -> float:
    found = row.get("prediction")
    if isinstance(found, bool) or not isinstance(found, int | float):
        shown_as = "missing" if found is None else shown(str(found))
        raise DataError(
            f"{name_of(path)}:{number}: 'prediction' is {shown_as}; expected a number in each line"
        )
    return finite_number(str(found), path, number, "prediction")


def has_systems(head: Head) -> bool:
    """Whether lines say whose output they are."""
    return bool(head.first_keys & {*SYSTEM})


def sniff(head: Head) -> bool:
    """Whether the first object has an output and a prediction."""
    return {"hypothesis", "prediction"} <= head.first_keys
