"""The error spans of xCOMET, as ``comet-score --to_json`` writes them: one machine as the judge.

``{"FILE": [{"src": ..., "mt": ..., "COMET": 0.81, "errors": [{"text": ..., "severity": "minor",
"confidence": 0.4, "start": 3, "end": 9}, ...]}, ...], ...}``. The value is the score; a segment
without ``errors`` has no error.
"""

from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows
from rankwise.io.formats.assessments.error_spans import Span, as_json
from rankwise.io.formats.scores import comet_json
from rankwise.io.parts.line_text import counted, shown
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

NOT_READ = ("Texts of sources, outputs and references, and how sure the model is, are not read.",)


def read(path: StrPath) -> Assessments:
    """The scores with their error spans, given by the judge ``xcomet``.

    Spans are in code points, ends exclusive; one beyond its text is cut to it, which the ``notes``
    count.
    """
    rows = AssessmentRows(keep_judges=True)
    cut = 0
    for file, number, segment, score in comet_json.scored_segments(path):
        where = f"{name_of(path)}: segment {number} of {file}"
        spans, surplus = _spans(segment, where)
        cut += surplus
        row = (stem_of(file), str(number), "xcomet", "TGT", score)
        rows.add(row, {"spans": as_json(spans)})
    if not len(rows):
        raise DataError(f"{name_of(path)}: there is no segment; expected lists of them by file")
    notes = [f"Cut to its text: {counted(cut, 'span')} beyond it."] if cut else []
    return rows.build(stem_of(path), notes)


def _spans(segment: dict[str, Any], where: str) -> tuple[list[Span], int]:
    """The spans of a segment, and how many were cut to its text."""
    errors, text = segment.get("errors", []), segment.get("mt")
    if not isinstance(errors, list) or not isinstance(text, str):
        raise DataError(f"{where}: expected the text 'mt', and a list of 'errors' if there are any")
    spans, cut = [], 0
    for error in errors:
        start, end = (_offset(error, key, where) for key in ("start", "end"))
        place = min(start, len(text)), min(end, len(text))
        cut += place != (start, end)
        severity = error.get("severity")
        if not isinstance(severity, str):
            raise DataError(f"{where}: a severity is {shown(str(severity))}; expected a text")
        spans.append({"start": place[0], "end": place[1], "severity": severity, "category": None})
    return spans, cut


def _offset(error: Any, key: str, where: str) -> int:
    value = error.get(key) if isinstance(error, dict) else None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise DataError(f"{where}: {key!r} of an error is {value!r}; expected a position")
    return value


def sniff(head: Head) -> bool:
    """Whether it is a file of comet-score, and some of its first segments have errors."""
    return comet_json.sniff(head) and '"errors":' in head.text
