"""MQM ratings of mt-metrics-eval (``.seg.rating``): errors with their weights, as JSON.

A line is ``SYSTEM<TAB>{"errors": [...]}`` or ``SYSTEM<TAB>None``, and may name the rater in a third
column. A system's lines are in the order of the test set: segments are numbered from 1.
"""

import math
import re
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, plain_name, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows
from rankwise.io.formats.assessments.error_spans import Span, as_json
from rankwise.io.parts.json_values import parse_object
from rankwise.io.parts.line_text import all_lines, counted, finite_number, joined, shown
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

_NAME = re.compile(r"(?:[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?\.)?(.+)\.seg\.rating$")


def read(path: StrPath, *, keep_judges: bool = False) -> Assessments:
    """One row per rated segment.

    The value is minus the sum of the errors' scores; ``None`` is no row, which the ``notes`` count.
    *keep_judges* keeps the names of raters instead of calling them judge1, judge2, ...; without a
    third column the rater is the name of the file.
    """
    match = _NAME.match(plain_name(path))
    name = match[1] if match else stem_of(path)
    rows = AssessmentRows(keep_judges=keep_judges)
    counts: dict[str, int] = {}
    lines = all_lines(path)
    for number, line in enumerate(lines, 1):
        cells = line.split("\t")
        if len(cells) not in (2, 3):
            raise DataError(
                f"{name_of(path)}:{number}: found {shown(line)}; expected "
                "'SYSTEM<TAB>RATING' and perhaps a rater"
            )
        counts[cells[0]] = counts.get(cells[0], 0) + 1
        if cells[1] == "None":
            continue
        rater = cells[2] if len(cells) == 3 else name
        value, spans = _rating(parse_object(cells[1], path, number), path, number)
        segment = str(counts[cells[0]])
        rows.add((cells[0], segment, rater, "TGT", value), {"spans": as_json(spans)})
    if len(set(counts.values())) != 1:
        sizes = joined(f"{system} {count}" for system, count in counts.items())
        raise DataError(
            f"{name_of(path)}: systems have {sizes or 'no'} segments; expected as many each"
        )
    absent = len(lines) - len(rows)
    notes = [f"Left out: {counted(absent, 'output')} without a rating."] if absent else []
    return rows.build(name, notes)


def _rating(row: dict[str, Any], path: StrPath, number: int) -> tuple[float, list[Span]]:
    errors = row.get("errors")
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise DataError(
            f"{name_of(path)}:{number}: 'errors' is something else; expected a list of objects"
        )
    total, spans = 0.0, []
    for error in errors:
        score = error.get("score")
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise DataError(
                f"{name_of(path)}:{number}: the score of an error is {score!r}; expected a number"
            )
        total += finite_number(str(score), path, number, "score of an error")
        span = {key: error.get(key) for key in ("start", "end", "severity", "category")}
        spans.append({**span, "side": "source" if error.get("is_source_error") else "target"})
    if not math.isfinite(total):
        raise DataError(
            f"{name_of(path)}:{number}: the errors' scores are too large; expected a finite sum"
        )
    return 0.0 - total, spans


def sniff(head: Head) -> bool:
    """Whether the name says so, or the first line is a system and a rating."""
    cells = head.first_line.split("\t")
    return len(cells) in (2, 3) and (cells[1].startswith('{"errors"') or ".seg.rating" in head.name)
