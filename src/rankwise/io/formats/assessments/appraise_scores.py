"""Scores that Appraise exports (``ExportSystemScoresToCSV``): DA, document DA, ESA and MQM.

CSV without a header: user, system, item, item type, source and target language, score
[, document, is-complete-document [, spans]], start, end [, batch, database id]. The number of
columns tells the variant: 9, 11 or 12, and two more with batches.
"""

import ast
import csv
import json
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of, write_text
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows, systems_of
from rankwise.io.formats.assessments.error_spans import as_json, from_utf16, weight, weights_of
from rankwise.io.parts import json_values
from rankwise.io.parts.line_text import all_lines, counted, finite_number, joined, shown
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

_WIDTHS = "9 (segments), 11 (documents) or 12 (spans), and two more with batches"
_MILLISECONDS = 1e11  # a time above this is no number of seconds


@dataclass(frozen=True, slots=True)
class _Item:
    """One line of the file."""

    line: int
    user: str
    system: str
    item: str
    role: str
    languages: str
    score: float
    document: str | None
    is_document: bool
    spans: str | None
    start: float
    end: float

    @property
    def key(self) -> tuple[object, ...]:
        """What was judged, by whom."""
        document = (self.document, self.is_document)
        return (self.user, self.system, self.item, self.role, self.languages, *document)


def read(
    path: StrPath,
    *,
    language_pair: str | None = None,
    level: Literal["segment", "document"] = "segment",
    index_base: int = 1,
    keep_judges: bool = False,
    whole_names: Collection[str] = (),
    weights: str | Mapping[str, float] = "published",
) -> Assessments:
    """The judgments of one language pair; the ``notes`` say what was left out or changed.

    *language_pair*, as in ``eng-deu``, may stay unsaid when the file has only one. *level* is
    ``segment``, or ``document`` for the scores of whole documents. *index_base* is the first item
    of the campaign, 0 or 1: segments are numbered from 1. *keep_judges* keeps the names of users
    instead of calling them judge1, judge2, ... *whole_names* lists systems whose own names contain
    ``+``; any other ``a+b`` is an output that two systems shared and gives a row for each, with
    the same number in ``look``.

    Of several judgments of one item by one user the last by end time counts. Where all scores are 0
    and there are spans, this is an MQM campaign: the value is minus the sum of the *weights* of its
    errors, ``"published"`` (Freitag et al. 2021), ``"wmt23"`` (source issues and creative
    reinterpretations count 0), ``"wmt24"`` (the same, and critical errors count 5) or a mapping of
    ``severity`` or ``severity/category`` to weights.
    Spans stay in UTF-16 units: the file has no texts.
    """
    items = list(_items(path))
    if not items:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected rows of Appraise scores")
    pairs = Counter(item.languages for item in items)
    pair = choose(path, "language_pair", language_pair, pairs)
    items, notes = _selected([item for item in items if item.languages == pair], level)
    spans = {item.line: _spans(item, path) for item in items if item.spans is not None}
    is_mqm = any(spans.values()) and not any(item.score for item in items)
    table = weights_of(weights)
    rows = AssessmentRows(keep_judges=keep_judges)
    for look, item in enumerate(items, 1):
        value = _mqm(spans.get(item.line, []), table, item, path) if is_mqm else item.score
        segment = item.document or "" if level == "document" else _number(item, index_base, path)
        systems = systems_of(item.system, whole_names)
        looks = {"look": float(look)} if len(systems) > 1 else {}
        for system in systems:
            rows.add((system, segment, item.user, item.role, value), _info(item, spans) | looks)
    notes += _notes(len(items), len(rows), is_mqm=is_mqm, has_spans=bool(spans))
    return rows.build(stem_of(path), notes)


def language_pairs(path: StrPath) -> list[str]:
    """The language pairs of a file, in the order in which they come."""
    return list(dict.fromkeys(item.languages for item in _items(path)))


def _notes(judgments: int, rows: int, *, is_mqm: bool, has_spans: bool) -> list[str]:
    """What was changed."""
    shared = f"{counted(judgments, 'judgment')} gave {rows} rows: systems shared outputs."
    return [
        *([shared] if rows > judgments else []),
        *(["All scores are 0, so values were computed from the spans."] if is_mqm else []),
        *(["Spans are in UTF-16 units, because the file has no texts."] if has_spans else []),
    ]


def _items(path: StrPath) -> Iterator[_Item]:
    reader = csv.reader((line + "\n" for line in all_lines(path)), strict=True)
    width = 0
    try:
        for cells in reader:
            width = width or len(cells)
            if len(cells) != width or width not in (9, 11, 12, 13, 14):
                raise DataError(
                    f"{name_of(path)}:{reader.line_num}: found {len(cells)} columns; expected "
                    f"{width if width in (9, 11, 12, 13, 14) else _WIDTHS}"
                )
            yield _item(cells, path, reader.line_num)
    except csv.Error as error:
        raise DataError(f"{name_of(path)}:{reader.line_num}: {error}; expected CSV") from error


def _item(cells: list[str], path: StrPath, line: int) -> _Item:
    has_documents = len(cells) > 9 and cells[8] in ("True", "False")
    if len(cells) >= 12 and not has_documents:
        raise DataError(
            f"{name_of(path)}:{line}: column 9 is {shown(cells[8])}; expected True or False"
        )
    base = 7 + 2 * has_documents + (len(cells) in (12, 14))
    if len(cells) not in (base + 2, base + 4):
        raise DataError(f"{name_of(path)}:{line}: found {len(cells)} columns; expected {_WIDTHS}")
    times = [finite_number(cells[base + i], path, line, "time") for i in (0, 1)]
    start, end = (time / 1000 if time > _MILLISECONDS else time for time in times)
    return _Item(
        line,
        user=cells[0],
        system=cells[1],
        item=cells[2],
        role=cells[3].partition(".")[0],
        languages=f"{cells[4]}-{cells[5]}",
        score=finite_number(cells[6], path, line),
        document=cells[7] if has_documents else None,
        is_document=has_documents and cells[8] == "True",
        spans=cells[9] if len(cells) in (12, 14) else None,
        start=start,
        end=end,
    )


def _selected(items: list[_Item], level: str) -> tuple[list[_Item], list[str]]:
    """The items of one level, the last of each key, and what is to be said about the others."""
    notes = []
    chosen = [item for item in items if item.is_document == (level == "document")]
    if len(chosen) < len(items):
        left = counted(len(items) - len(chosen), "judgment")
        other = "whole documents" if level == "segment" else "segments"
        notes.append(f"Left out: {left} of {other}.")
    last: dict[tuple[object, ...], _Item] = {}
    for item in chosen:
        if item.key not in last or item.end >= last[item.key].end:
            last[item.key] = item
    kept = {item.line for item in last.values()}
    if len(kept) < len(chosen):
        notes.append(
            f"{len(chosen)} rows hold {counted(len(kept), 'judgment')}: of the same item and user "
            "the last counts."
        )
    return [item for item in chosen if item.line in kept], notes


def _number(item: _Item, index_base: int, path: StrPath) -> str:
    if index_base == 1:
        return item.item
    if not item.item.isascii() or not item.item.isdigit() or len(item.item) > 18:
        raise DataError(
            f"{name_of(path)}:{item.line}: the item is {shown(item.item)}; expected a number to "
            f"count from {index_base}"
        )
    return str(int(item.item) - index_base + 1)


def _spans(item: _Item, path: StrPath) -> list[dict[str, Any]]:
    value = _literal(item.spans or "[]", path, item.line)
    if isinstance(value, dict):  # a tutorial keeps its spans under 'payload'
        value = value.get("payload", [])
    if not isinstance(value, list):
        raise DataError(
            f"{name_of(path)}:{item.line}: found {shown(str(value))}; expected a list of spans"
        )
    try:
        return from_utf16(value, None)[0]
    except DataError as error:
        raise DataError(f"{name_of(path)}:{item.line}: {error}") from error


def _literal(text: str, path: StrPath, line: int) -> Any:
    """The JSON value in *text*, or the Python value: one way of exporting printed that."""
    try:
        return json_values.parse(text, path, line)
    except DataError as error:
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise error from None


def _mqm(
    spans: list[dict[str, Any]], weights: Mapping[str, float], item: _Item, path: StrPath
) -> float:
    try:
        return 0.0 - sum(weight(s["severity"] or "", s["category"] or "", weights) for s in spans)
    except DataError as error:
        raise DataError(f"{name_of(path)}:{item.line}: {error}") from error


def _info(item: _Item, spans: Mapping[int, list[dict[str, Any]]]) -> dict[str, str | float | None]:
    info: dict[str, str | float | None] = {"start": item.start, "end": item.end}
    if item.document is not None:
        info["document"] = item.document
    if item.line in spans:
        info["spans"] = as_json(spans[item.line])
    return info


def write(assessments: Assessments, path: StrPath, *, language_pair: str = "-") -> list[str]:
    """Write twelve columns: documents and spans are empty where there are none.

    *language_pair*, as in ``eng-deu``, fills two columns. Judgments without a value have no row.
    """
    source, _, target = language_pair.partition("-")
    info, written = assessments.info, []
    for row, (system, segment, judge, role, value) in enumerate(assessments.rows()):
        if not math.isnan(value):
            cells = {name: info[name][row] for name in _KEPT if name in info}
            spans = cells.get("spans") or "[]"
            times = [_time(cells.get(name)) for name in ("start", "end")]
            place = [cells.get("document") or "", "False", _spans_out(str(spans))]
            head = [judge, system, segment, role or "TGT", source, target, repr(value)]
            written.append([*head, *place, *times])
    with write_text(path) as stream:
        csv.writer(stream, lineterminator="\n").writerows(written)
    return _losses(assessments, written)


#: Further columns that have a place in the file.
_KEPT = ("document", "spans", "start", "end")


def _time(cell: object) -> str:
    return repr(float(cell)) if isinstance(cell, float) and math.isfinite(cell) else "0"


def _spans_out(text: str) -> str:
    """Spans with their last character in place of the end; without a place they are missing."""
    found = [
        {
            "start_i": "missing" if span["start"] is None else span["start"],
            "end_i": "missing" if span["end"] is None else span["end"] - 1,
            "severity": span.get("severity"),
            "error_type": span.get("category"),
        }
        for span in json.loads(text)
    ]
    return json.dumps(found, ensure_ascii=False)


def _losses(assessments: Assessments, rows: Sequence[Sequence[str]]) -> list[str]:
    further = [name for name in assessments.info if name not in _KEPT]
    unread = len(rows) - len({(*row[:6], row[7]) for row in rows})
    valueless = len(assessments) - len(rows)
    shared = [name for name in assessments.systems if "+" in name]
    found = [
        *([f"Further columns are not held: {joined(further)}."] if further else []),
        *([f"Not held: {counted(valueless, 'judgment')} without a value."] if valueless else []),
    ]
    if unread:
        found.append(
            f"Of several judgments of one item by one judge only the last is read ({unread} more)."
        )
    if shared:
        found.append(f"Names with '+' are read as several systems: {joined(shared)}.")
    has_spans = any(row[9] != "[]" for row in rows)
    if has_spans and not any(float(row[6]) for row in rows):
        found.append("All values are 0, so they are read back from the errors.")
    if has_spans:
        found.append("Places of errors are in characters, where Appraise has UTF-16 units.")
    return found


def sniff(head: Head) -> bool:
    """Whether the first row has one of the known numbers of columns and an item type."""
    try:
        row = next(csv.reader(head.lines[:1]), [])
    except csv.Error:
        return False
    roles = ("TGT", "BAD", "REF", "CHK")
    return len(row) in (9, 11, 12, 13, 14) and row[3].partition(".")[0] in roles
