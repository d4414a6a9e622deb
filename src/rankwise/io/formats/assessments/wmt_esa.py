"""ESA judgments as WMT24 published them: JSON lines with a text, its error spans and a score.

Fields: ``langs``, ``line_id``, ``src``, ``tgt``, ``doc_id``, ``domain``, ``esa_spans``,
``esa_score`` (a number, usually written as text), ``system``, ``annotator``.
"""

import math
from collections import Counter
from collections.abc import Collection
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows, systems_of
from rankwise.io.formats.assessments.error_spans import as_json, from_utf16
from rankwise.io.parts.json_values import parse_object, text_of
from rankwise.io.parts.line_text import all_lines, counted, finite_number, shown
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

NOT_READ = ("Texts of sources and outputs, and what is said about speech, are not read.",)


def read(
    path: StrPath,
    *,
    language_pair: str | None = None,
    index_base: int = 1,
    keep_judges: bool = False,
    whole_names: Collection[str] = (),
) -> Assessments:
    """The judgments of one language pair.

    *language_pair*, as in ``en-de``, chooses the rows by ``langs``; it may stay unsaid when the
    file has only one. *index_base* is the first ``line_id`` of the campaign, 0 or 1: segments are
    numbered from 1. *keep_judges* keeps the names of annotators instead of calling them judge1,
    judge2, ... *whole_names* lists systems whose own names contain ``+``; any other ``a+b`` is an
    output that two systems shared and gives a row for each, with the same number in ``look``.
    Spans are in code points, ends exclusive; one beyond its text is cut to it, which the ``notes``
    count.
    """
    lines = all_lines(path)
    objects = [(n, parse_object(line, path, n)) for n, line in enumerate(lines, 1)]
    if not objects:
        raise DataError(f"{name_of(path)}:1: the file is empty; expected JSON lines")
    pairs = [text_of(row, "langs", path, number, default="") for number, row in objects]
    pair = choose(path, "language_pair", language_pair, Counter(pairs))
    rows = AssessmentRows(keep_judges=keep_judges)
    cut = 0
    for (number, row), found in zip(objects, pairs, strict=True):
        if found == pair:
            cut += _add(rows, row, path, number, index_base, whole_names)
    notes = [f"Cut to its text: {counted(cut, 'span')} beyond it."] if cut else []
    return rows.build(stem_of(path), notes)


def language_pairs(path: StrPath) -> list[str]:
    """The language pairs of a file, in the order in which they come."""
    rows = ((n, parse_object(line, path, n)) for n, line in enumerate(all_lines(path), 1))
    return list(dict.fromkeys(text_of(row, "langs", path, n, default="") for n, row in rows))


def _add(
    rows: AssessmentRows,
    row: dict[str, Any],
    path: StrPath,
    number: int,
    index_base: int,
    whole_names: Collection[str],
) -> int:
    """Add the rows of one line; how many spans had to be cut."""
    spans = row.get("esa_spans") or []
    if not isinstance(spans, list):
        raise DataError(f"{name_of(path)}:{number}: 'esa_spans' is something else; expected a list")
    try:
        converted, cut = from_utf16(spans, text_of(row, "tgt", path, number, default=""))
    except DataError as error:
        raise DataError(f"{name_of(path)}:{number}: {error}") from error
    info: dict[str, str | float | None] = {
        "document": text_of(row, "doc_id", path, number) if "doc_id" in row else None,
        "domain": text_of(row, "domain", path, number) if "domain" in row else None,
        "spans": as_json(converted),
    }
    judge = text_of(row, "annotator", path, number)
    segment = _segment(row, path, number, index_base)
    systems = systems_of(text_of(row, "system", path, number), whole_names)
    looks: dict[str, str | float | None] = {"look": float(number)} if len(systems) > 1 else {}
    for system in systems:
        rows.add((system, segment, judge, "TGT", _score(row, path, number)), {**info, **looks})
    return cut


def _segment(row: dict[str, Any], path: StrPath, number: int, index_base: int) -> str:
    line = text_of(row, "line_id", path, number)
    if not line.isascii() or not line.isdigit() or len(line) > 18:
        raise DataError(f"{name_of(path)}:{number}: 'line_id' is {shown(line)}; expected a number")
    return str(int(line) - index_base + 1)


def _score(row: dict[str, Any], path: StrPath, number: int) -> float:
    if "esa_score" not in row:
        raise DataError(f"{name_of(path)}:{number}: no 'esa_score'; expected one")
    score = row["esa_score"]
    return math.nan if score is None else finite_number(str(score), path, number)


def sniff(head: Head) -> bool:
    """Whether the first object has an ESA score."""
    return head.first_object is not None and "esa_score" in head.first_object
