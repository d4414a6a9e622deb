"""The long table of a campaign (``rankwise campaign export``), of a protocol that gives values.

CSV with a header; a row per judgment, segment and system. ``score`` is the value, or the mean of
``fluency`` and ``adequacy``; ``shown_as`` the role of the row; ``judge`` a pseudonym already.
``document``, ``spans`` and what else was said about an output are kept where there are some.
"""

import csv
import math
from collections import Counter

from rankwise.io.files import StrPath, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows, Cell
from rankwise.io.parts.csv_rows import CsvRows, is_machine
from rankwise.io.parts.line_text import counted, finite_number
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

NOT_READ = ("Times, comments, places on the page and how screens were chosen are not read.",)

_HEADER = {"judgment", "receipt", "screen", "role", "judge", "segment", "system", "shown_as"}
_VALUES = ("score", "fluency", "adequacy")
#: Further columns that are kept, and what they are called in records.
_FURTHER = {
    "document": "document",
    "spans": "spans",
    "given_spans": "given",
    "sliders": "sliders",
    "output_comment": "comment",
    "post_edit": "edit",
}
#: What does not count on a leaderboard: the column that says so, and the words for it.
_LEFT_OUT = {
    "superseded": "that were revised later",
    "excluded": "of excluded judges",
    "surplus": "that came late and nobody needed",
}


def read(path: StrPath) -> Assessments:
    """One row per value.

    What does not count on the campaign's own leaderboard is left out, which the ``notes`` count:
    controls, tutorials, revised and late judgments, those of excluded judges and of machines.
    Skipped screens have no value.
    """
    rows, found, left = CsvRows(path), AssessmentRows(keep_judges=True), Counter[str]()
    place = {name: rows.column(name) for name in sorted(_HEADER)}
    place |= {name: rows.column(name) for name in (*_VALUES, *_LEFT_OUT)}
    further = [name for name in _FURTHER if rows.has(name)]
    for row in rows:
        reason = "of machines" if is_machine(rows, row) else _reason(row, place)
        if reason:
            left[reason] += 1
            continue
        value = _value(row, place, path)
        if value is None:
            continue
        info: dict[str, Cell] = {_FURTHER[name]: row[rows.column(name)] or None for name in further}
        names = (row[place[key]] for key in ("system", "segment", "judge", "shown_as"))
        system, segment, judge, role = names
        info["judgment"] = row[place["judgment"]]
        found.add((system, segment, judge, role, value), info)
    notes = [f"Left out: {counted(count, 'row')} {why}." for why, count in sorted(left.items())]
    return found.build(stem_of(path), notes)


def _reason(row: list[str], place: dict[str, int]) -> str:
    """Why a row does not count; nothing where it does."""
    if row[place["role"]] not in ("work", "repeat"):
        return "of controls and tutorials"
    return next((why for key, why in _LEFT_OUT.items() if row[place[key]] == "1"), "")


def _value(row: list[str], place: dict[str, int], path: StrPath) -> float | None:
    given = [(name, row[place[name]]) for name in _VALUES if row[place[name]]]
    values = [finite_number(text, path, int(row[-1]), name) for name, text in given]
    return math.fsum(values) / len(values) if values else None


def sniff(head: Head) -> bool:
    """Whether the header is that of a long table, and a row has a value."""
    if not _HEADER.issubset(head.columns):
        return False
    try:
        return any(row.get(name) for row in csv.DictReader(head.lines) for name in _VALUES)
    except csv.Error:  # the reader says what is wrong, where
        return True
