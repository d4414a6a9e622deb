"""The errors that people and models marked in outputs, for the segments that a report shows."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rankwise.evaluate.system_scores import SystemScores
from rankwise.metrics.outside.scoring.scoring_metric import ScoringMetric
from rankwise.present.page.segment_cards import MarkedLine, MarkedPart
from rankwise.types import Assessments, Study, TestSet
from rankwise.types.judging.assessments import REAL_ROLES


@dataclass(frozen=True, slots=True)
class ErrorMark:
    """An error: characters ``start`` to ``end`` (not included) of an output, and what it is.

    Both are None where an error has no place, such as an omission.
    """

    start: int | None
    end: int | None
    words: str


#: Who marked which errors, by system and segment.
Marks = Mapping[tuple[str, str], Sequence[tuple[str, tuple[ErrorMark, ...]]]]


def given_marks(study: Study) -> dict[tuple[str, str], list[tuple[str, tuple[ErrorMark, ...]]]]:
    """The errors that the files of a study say: those of people first."""
    found: dict[tuple[str, str], list[tuple[str, tuple[ErrorMark, ...]]]] = {}
    people = () if study.assessments is None else (study.assessments,)
    for values in (*people, *study.marks):
        for system, segment, judge, text in _marked_rows(values):
            found.setdefault((system, segment), []).append((judge, _marks_in(text)))
    return found


def _marked_rows(values: Assessments) -> Iterable[tuple[str, str, str, str]]:
    spans = values.info.get("spans")
    if spans is None:
        return
    for row, text in enumerate(spans):
        if text and values.roles[values.role[row]] in REAL_ROLES:
            yield (
                values.systems[values.system[row]],
                values.segments[values.segment[row]],
                values.judges[values.judge[row]],
                str(text),
            )


def _marks_in(text: str) -> tuple[ErrorMark, ...]:
    return tuple(
        ErrorMark(span["start"], span["end"], _words(span["severity"], span.get("category")))
        for span in json.loads(text)
    )


def _words(severity: str | None, category: str | None) -> str:
    return " ".join(filter(None, (severity, category))) or "error"


def model_marks(
    results: Sequence[SystemScores], testset: TestSet | None, wanted: Sequence[tuple[str, int]]
) -> dict[tuple[str, str], list[tuple[str, tuple[ErrorMark, ...]]]]:
    """The errors that computed metrics mark in the outputs *wanted*: systems and places.

    A model that reads references is given the first of them.
    """
    found: dict[tuple[str, str], list[tuple[str, tuple[ErrorMark, ...]]]] = {}
    if testset is None:
        return found
    there = [
        (system, testset.segments[place], text)
        for system, place in wanted
        if (text := testset.outputs[system][place]) is not None
    ]
    segments = [segment for _, segment, _ in there]
    references = [segment.references[0] for segment in segments if segment.references]
    for result in results:
        metric = result.metric
        if not isinstance(metric, ScoringMetric) or not metric.marks_errors:
            continue
        spans = metric.error_spans(
            [text for _, _, text in there],
            [segment.source or "" for segment in segments],
            references if len(references) == len(there) else None,
        )
        keys = [(system, segment.id) for system, segment, _ in there]
        for key, some in zip(keys, spans, strict=True):
            marks = tuple(ErrorMark(one.start, one.end, one.severity) for one in some)
            found.setdefault(key, []).append((metric.name, marks))
    return found


def marked_line(who: str, marks: Sequence[ErrorMark], text: str) -> MarkedLine:
    """An output with its errors: neighbouring characters that the same errors cover are one part.

    >>> marks = [ErrorMark(2, 5, "major"), ErrorMark(None, None, "gap")]
    >>> line = marked_line("xcomet", marks, "a red")
    >>> line.title, [(part.text, part.words) for part in line.parts]
    ('xcomet marks 2 errors; without a place: gap', [('a ', ''), ('red', 'major')])
    """
    placed = [
        (min(mark.start, len(text)), min(mark.end, len(text)), mark.words)
        for mark in marks
        if mark.start is not None and mark.end is not None
    ]
    loose = [mark.words for mark in marks if mark.start is None or mark.end is None]
    count = "no error" if not marks else f"{len(marks)} error{'s' * (len(marks) > 1)}"
    title = f"{who} marks {count}"
    if loose:
        title += f"; without a place: {', '.join(loose)}"
    if not placed:
        return MarkedLine(title, ())
    edges = sorted({0, len(text), *(edge for start, end, _ in placed for edge in (start, end))})
    parts = [
        MarkedPart(text[a:b], ", ".join(w for start, end, w in placed if start <= a and b <= end))
        for a, b in pairwise(edges)
    ]
    return MarkedLine(title, tuple(parts))
