"""Scalar judgments as one tab-separated table: annotator, system, seg, kind, score, z, qc, hit.

``kind`` tells protocols apart (DA, ESA, MQM, ...), ``qc`` is the role of the row (SYSTEM, REPEAT,
TGT, AVG are real; REF, BAD, BAD_REF are controls), ``z`` a standardised score, ``hit`` the screen.
Further columns are kept as they are. No quoting; an empty cell is absent.
"""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from rankwise.io.files import StrPath, stem_of, write_text
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows, Cell
from rankwise.io.parts.headed_table import HeadedTable, read_table
from rankwise.io.parts.line_text import CELL_BREAKS, OneLine, finite_number
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

COLUMNS = ("annotator", "system", "seg", "kind", "score", "z", "qc", "hit")


def read(path: StrPath, *, kind: str | None = None) -> Assessments:
    """The judgments of one kind.

    *kind* chooses the rows by their column ``kind``; it may stay unsaid when all are of one kind.
    Annotators are pseudonyms already in this format and keep their names.
    """
    table = read_table(path)
    annotator, system = table.require("annotator"), table.require("system")
    segment, score = table.require("seg"), table.require("score")
    kinds, role = table.find("kind"), table.find("qc")
    chosen = _kind(table, kinds, kind)
    further = [i for i, name in enumerate(table.header) if name not in COLUMNS or name == "hit"]
    z = table.find("z")
    rows = AssessmentRows(keep_judges=True)
    for number, cells in table.rows():
        if kinds is not None and cells[kinds] != chosen:
            continue
        value = _number(cells[score], path, number)
        place = (cells[system], cells[segment], cells[annotator])
        info: dict[str, Cell] = {table.header[i]: cells[i] or None for i in further}
        if z is not None:
            info["z"] = _number(cells[z], path, number, "z")
        rows.add((*place, "" if role is None else cells[role], value), info)
    return rows.build(chosen if kinds is not None else stem_of(path))


def _kind(table: HeadedTable, column: int | None, wanted: str | None) -> str:
    if wanted is None and (column is None or not table.lines):
        return ""
    found = () if column is None else (cells[column] for _, cells in table.rows())
    return choose(table.path, "kind", wanted, Counter(found))


def _number(text: str, path: StrPath, line: int, what: str = "score") -> float:
    return math.nan if text == "" else finite_number(text, path, line, what)


def sniff(head: Head) -> bool:
    """Whether the header has an annotator, a system, a segment and a score."""
    return {"annotator", "system", "seg", "score"} <= set(head.first_line.split("\t"))


def write(assessments: Assessments, path: StrPath) -> list[str]:
    """Write one line per judgment, further columns after the eight."""
    fit = OneLine(CELL_BREAKS)
    info = assessments.info
    further = [name for name in info if name not in COLUMNS]
    losses = [
        f"Column {name!r} is not written: its name is taken."
        for name in info
        if name in COLUMNS[:5] or name == "qc"
    ]
    numeric = [name for name in further if info[name].dtype != object]
    if numeric:
        losses.append(f"Columns of numbers are read back as text: {', '.join(numeric)}.")
    columns = [
        _texts(info[name], fit) if name in info else [""] * len(assessments)
        for name in ("z", "hit", *further)
    ]
    with write_text(path) as stream:
        stream.write("\t".join([*COLUMNS, *map(fit, further)]) + "\n")
        for row, (z, hit, *rest) in zip(
            assessments.rows(), zip(*columns, strict=True), strict=True
        ):
            system, segment, judge, role, value = row
            cells = [judge, system, segment, assessments.name]
            score = "" if math.isnan(value) else repr(value)
            names = [fit(cell) for cell in (*cells, score, z, role, hit)]
            stream.write("\t".join([*names, *rest]) + "\n")
    return losses + fit.losses()


def _texts(column: "np.ndarray[tuple[int], np.dtype[np.generic]]", fit: OneLine) -> Sequence[str]:
    cells = column.tolist()
    return [
        "" if cell is None or cell != cell else fit(cell if isinstance(cell, str) else repr(cell))
        for cell in cells
    ]
