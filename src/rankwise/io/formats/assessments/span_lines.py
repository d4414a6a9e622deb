"""Error spans as JSON lines: what somebody, or a machine, marked in every output.

A line is ``{"system": "A", "segment": "1", "spans": [{"start": 4, "end": 9, "severity": "minor",
"category": "Style"}]}``, places in code points, ends exclusive; ``start`` and ``end`` are null (or
left out) for an error that has no place. ``judge`` and ``score`` may be there.
"""

from collections.abc import Mapping
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows
from rankwise.io.formats.assessments.error_spans import Span, as_json, weight, weights_of
from rankwise.io.parts.json_values import parse_object, text_of
from rankwise.io.parts.line_text import all_lines, finite_number, shown
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

NOT_READ = ("Keys that are not named here are not read.",)


def read(path: StrPath, *, weights: str | Mapping[str, float] = "published") -> Assessments:
    """One row per line; without ``judge`` the judge is the name of the file.

    The value is ``score``; where no line has one, minus the sum of the *weights* of the errors (see
    ``mqm-tsv``; ``critical`` weighs as much as ``major`` where the table does not know it).
    """
    table = dict(weights_of(weights))
    table.setdefault("critical", table.get("major", 0.0))
    rows = AssessmentRows(keep_judges=True)
    lines = [
        (number, parse_object(line, path, number))
        for number, line in enumerate(all_lines(path), 1)
        if line.strip()
    ]
    if not lines:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected a line for every output")
    has_scores = any(row.get("score") is not None for _, row in lines)
    for number, row in lines:
        spans = _spans(row, path, number)
        system, segment = (text_of(row, key, path, number) for key in ("system", "segment"))
        judge = stem_of(path) if row.get("judge") is None else text_of(row, "judge", path, number)
        value = _score(row, path, number) if has_scores else _penalty(spans, table, path, number)
        rows.add((system, segment, judge, "TGT", value), {"spans": as_json(spans)})
    return rows.build(stem_of(path))


def _score(row: dict[str, Any], path: StrPath, number: int) -> float:
    score = row.get("score")
    return float("nan") if score is None else finite_number(str(score), path, number)


def _penalty(spans: list[Span], table: Mapping[str, float], path: StrPath, number: int) -> float:
    try:
        return 0.0 - sum(weight(s["severity"] or "", s["category"] or "", table) for s in spans)
    except DataError as error:
        raise DataError(f"{name_of(path)}:{number}: {error}") from error


def _spans(row: dict[str, Any], path: StrPath, number: int) -> list[Span]:
    given = row.get("spans")
    if not isinstance(given, list):
        found = shown(str(given))
        raise DataError(f"{name_of(path)}:{number}: 'spans' is {found}; expected a list of errors")
    return [_span(one, f"{name_of(path)}:{number}") for one in given]


def _span(one: Any, where: str) -> Span:
    if not isinstance(one, dict):
        raise DataError(f"{where}: an error is {shown(str(one))}; expected an object")
    start, end = one.get("start"), one.get("end")
    is_placed = type(start) is int and type(end) is int and 0 <= start < end
    if not is_placed and (start, end) != (None, None):
        raise DataError(
            f"{where}: an error reaches from {start!r} to {end!r}; expected two positions, the "
            "second after the first"
        )
    for key in ("severity", "category"):
        if not isinstance(one.get(key), str | None):
            raise DataError(f"{where}: the {key} of an error is {one[key]!r}; expected text")
    found = {"start": start, "end": end, "severity": one.get("severity")}
    return found | {"category": one.get("category", one.get("mark"))}


def sniff(head: Head) -> bool:
    """Whether the first object says what was marked in an output."""
    wanted = {"system", "segment", "spans"}
    return head.first_object is not None and wanted <= set(head.first_object)
