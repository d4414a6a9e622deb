"""MQM ratings as Google publishes them: tab-separated, one line per error, no quoting.

Ten columns: system, document, segment in the document, segment, rater, source, target, category,
severity, metadata (older files: a comment, or nothing). The marked text lies between ``<v>`` and
``</v>`` in the target, or in the source. The header line may be absent.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows
from rankwise.io.formats.assessments.error_spans import (
    Span,
    as_json,
    marked_spans,
    weight,
    weights_of,
)
from rankwise.io.parts.line_text import all_lines, counted
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

COLUMNS = "system, doc, docSegId, globalSegId, rater, source, target, category, severity, metadata"
NOT_READ = ("Texts and metadata of ratings (times, token spans, references) are not read.",)


@dataclass(slots=True)
class _Rating:
    """What one rater found in one output."""

    document: str
    penalty: float = 0.0
    spans: list[Span] = field(default_factory=list)


def read(
    path: StrPath,
    *,
    weights: str | Mapping[str, float] = "published",
    machine_raters: bool = False,
    keep_judges: bool = False,
) -> Assessments:
    r"""One row per system, segment and rater, with minus the sum of the weights of the errors.

    .. math:: score = -\sum_{errors} weight(severity, category)

    An output without errors has 0. *weights* is ``"published"`` (Freitag et al. 2021; errors on
    the source side count by their severity), ``"wmt23"`` (source issues and creative
    reinterpretations count 0), ``"wmt24"`` (the same, and critical errors count 5) or a mapping of
    ``severity`` or ``severity/category`` to weights.
    Rows of attention checks, without a rater, and of raters called ``AutoMQM...`` are left out,
    which the ``notes`` count; *machine_raters* keeps the last. *keep_judges* keeps the names of
    raters instead of calling them judge1, judge2, ...
    """
    table = weights_of(weights)
    left_out: dict[str, int] = {}
    ratings: dict[tuple[str, str, str], _Rating] = {}
    for number, cells in _rows(path):
        reason = _reason(cells, machine_raters=machine_raters)
        if reason:
            left_out[reason] = left_out.get(reason, 0) + 1
            continue
        key = (cells[0], cells[3], cells[4])
        _add_error(ratings.setdefault(key, _Rating(cells[1])), cells, table, path, number)
    rows = AssessmentRows(keep_judges=keep_judges)
    for (system, segment, rater), rating in ratings.items():
        info = {"document": rating.document, "spans": as_json(rating.spans)}
        rows.add((system, segment, rater, "TGT", 0.0 - rating.penalty), info)
    notes = [f"Left out: {counted(n, 'row')} {reason}." for reason, n in left_out.items()]
    return rows.build(stem_of(path), notes)


def _rows(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    width = 0
    for number, line in enumerate(all_lines(path), 1):
        if number == 1 and line.startswith("system\tdoc"):
            continue
        cells = line.split("\t")
        width = width or len(cells)
        if len(cells) != width or width not in (9, 10):
            raise DataError(
                f"{name_of(path)}:{number}: the line has {len(cells)} columns; expected "
                f"{width if width in (9, 10) else '10, or 9 in older files'}: {COLUMNS}"
            )
        yield number, cells


def _reason(cells: list[str], *, machine_raters: bool) -> str:
    """Why a row is left out, or nothing."""
    if not cells[4]:
        return "of metadata, without a rater"
    if cells[8].lower().startswith("hotw"):
        return "of attention checks"
    if cells[4].startswith("AutoMQM") and not machine_raters:
        return "of machine raters (AutoMQM)"
    return ""


def _add_error(
    rating: _Rating, cells: list[str], weights: Mapping[str, float], path: StrPath, number: int
) -> None:
    category, severity = cells[7], cells[8]
    try:
        penalty = weight(severity, category, weights)
    except DataError as error:
        raise DataError(f"{name_of(path)}:{number}: {error}") from error
    if severity.lower() == "no-error":
        return
    rating.penalty += penalty
    for side, text in (("target", cells[6]), ("source", cells[5])):
        plain, places = marked_spans(text)
        for part, (start, end) in enumerate(places):
            span = {"start": start, "end": end, "severity": severity, "category": category}
            more = {"part": part} if part else {}  # the same error goes on elsewhere
            rating.spans.append({**span, "side": side, "text": plain[start:end], **more})
        if places:
            return
    span = {"start": None, "end": None, "severity": severity, "category": category}
    rating.spans.append(span)


def sniff(head: Head) -> bool:
    """Whether there is the known header, or ten columns with a known severity in the ninth."""
    if head.first_line.startswith("system\tdoc\t") and "severity" in head.first_line:
        return True
    cells = head.first_line.split("\t")
    return len(cells) in (9, 10) and cells[8].lower() in ("major", "minor", "neutral", "no-error")
