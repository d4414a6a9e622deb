"""Answers of Pearmut: JSON lines, one for every document that a judge handed in.

A line has ``user_id``, ``item_i`` (the number of the document; ``welcome_1``, ``random_2`` and the
like are tutorials and checks), ``item`` (the segments as shown: ``item_id``, ``src`` and ``tgt``
with a text for every system) and ``annotation``, for every segment the ``score`` and the
``error_spans`` of every system, and where they were asked for its ``sliders`` and ``textfield``.
DA, ESA, contrastive ESA and MQM are written alike.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of
from rankwise.io.formats.assessments.assessment_rows import AssessmentRows
from rankwise.io.formats.assessments.error_spans import (
    Span,
    as_json,
    from_utf16,
    weight,
    weights_of,
)
from rankwise.io.parts.json_values import parse_object, text_of
from rankwise.io.parts.line_text import all_lines, counted, finite_number
from rankwise.io.sniffing import Head
from rankwise.types import Assessments

NOT_READ = ("Texts, actions, comments on documents and the results of checks are not read.",)
#: What stands for an annotation that was taken back.
_RESET = "__RESET__"
#: What joins the domain, the document and the segment in the ids of WMT26.
_JOINT = "_###_"


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a judge said about one output."""

    line: int
    score: float | None
    spans: list[Span]
    document: str
    further: Mapping[str, str]


Key = tuple[str, str, str, str]  # user, number of the document, segment, system


def read(
    path: StrPath, *, keep_judges: bool = False, weights: str | Mapping[str, float] = "published"
) -> Assessments:
    """One row per judge, segment and system.

    Of several answers of a judge to the same output the last counts; one that was taken back
    (an annotation ``__RESET__`` of the same judge and document) does not. Tutorials and attention
    checks are left out, which the ``notes`` count. The document is the part of ``item_id`` before
    its last ``_###_``, and the domain the part before the first, as in WMT26; other documents
    are called by their first segment.

    Where nobody gave a score and there are spans, this is MQM: the value is minus the sum of the
    *weights* of its errors (see ``mqm-tsv``). Spans are in code points, ends exclusive; those on
    marks behind the text, such as ``[missing]``, have no place; ``given`` are those that the judge
    began with. *keep_judges* keeps the names of
    judges instead of calling them judge1, judge2, ...
    """
    answers: dict[Key, _Answer] = {}
    controls = 0
    for number, line in enumerate(all_lines(path), 1):
        row = parse_object(line, path, number)
        user, item = (text_of(row, key, path, number) for key in ("user_id", "item_i"))
        if row.get("annotation") == _RESET:
            answers = {key: found for key, found in answers.items() if key[:2] != (user, item)}
        elif not item.isdigit():
            controls += 1
        else:
            for segment, system, answer in _answers(row, path, number):
                answers[user, item, segment, system] = answer
    is_mqm = any(a.spans for a in answers.values()) and not any(a.score for a in answers.values())
    table, rows = weights_of(weights), AssessmentRows(keep_judges=keep_judges)
    for (user, _, segment, system), answer in answers.items():
        value = _penalty(answer, table, path) if is_mqm else answer.score
        info = {"document": answer.document, "spans": as_json(answer.spans)}
        info |= answer.further
        if _JOINT in segment:
            info["domain"] = segment.partition(_JOINT)[0]
        rows.add((system, segment, user, "TGT", float("nan") if value is None else value), info)
    notes = (
        [f"Left out: {counted(controls, 'answer')} to tutorials and checks."] if controls else []
    )
    notes += ["Nobody gave a score, so values were computed from the spans."] if is_mqm else []
    return rows.build(stem_of(path), notes)


def _answers(row: dict[str, Any], path: StrPath, number: int) -> Iterator[tuple[str, str, _Answer]]:
    """Segment, system and answer of everything that a line says."""
    items, said = row.get("item"), row.get("annotation")
    if not isinstance(items, list) or not isinstance(said, list) or len(items) != len(said):
        raise DataError(
            f"{name_of(path)}:{number}: 'item' and 'annotation' do not fit each other; expected "
            "two lists with as many segments each"
        )
    first = None
    for item, systems in zip(items, said, strict=True):
        if not isinstance(item, dict) or not isinstance(systems, dict):
            raise DataError(f"{name_of(path)}:{number}: a segment is no object; expected one")
        segment = text_of(item, "item_id", path, number)
        first = segment if first is None else first
        document = segment.rpartition(_JOINT)[0] if _JOINT in segment else first
        texts = item.get("tgt")
        for system, answer in systems.items():
            text = texts.get(system) if isinstance(texts, dict) else None
            given = item.get("error_spans")
            marked = given.get(system) if isinstance(given, dict) else None
            yield segment, system, _answer(answer, text, document, marked, path, number)


def _answer(
    answer: Any, text: Any, document: str, given: Any, path: StrPath, number: int
) -> _Answer:
    if not isinstance(answer, dict) or not isinstance(answer.get("error_spans") or [], list):
        raise DataError(
            f"{name_of(path)}:{number}: the answer to an output is {answer!r}; expected an object "
            "with a score and a list of error_spans"
        )
    score = answer.get("score")
    raw = answer.get("error_spans") or []
    try:
        spans = spans_in(raw, text)
        further = _further(answer, given, text)
    except DataError as error:
        raise DataError(f"{name_of(path)}:{number}: {error}") from error
    value = None if score is None else finite_number(str(score), path, number)
    return _Answer(number, value, spans, document, further)


def spans_in(raw: list[Any], text: Any) -> list[Span]:
    """Pearmut's spans of a text as all readers give them; on a mark behind it without a place."""
    return from_utf16([_inside(span, text) for span in raw], _text(text))[0]


def _further(answer: dict[str, Any], given: Any, text: Any) -> dict[str, str]:
    """Sliders, the text field, and the errors that the judge began with."""
    found = {}
    if isinstance(answer.get("sliders"), dict) and answer["sliders"]:
        found["sliders"] = json.dumps(answer["sliders"], ensure_ascii=False)
    if isinstance(answer.get("textfield"), str) and answer["textfield"]:
        found["textfield"] = answer["textfield"]
    if isinstance(given, list):
        found["given"] = as_json(spans_in(given, text))
    return found


def _text(text: Any) -> str | None:
    return text if isinstance(text, str) else None


def _inside(span: Any, text: Any) -> Any:
    """The span; without a place if it lies on a mark behind the text."""
    if not isinstance(span, dict) or not isinstance(text, str):
        return span
    start, units = span.get("start_i"), len(text.encode("utf-16-le")) // 2
    if isinstance(start, int) and start >= units:
        return {**span, "start_i": None, "end_i": None}
    return span


def _penalty(answer: _Answer, weights: Mapping[str, float], path: StrPath) -> float:
    try:
        return 0.0 - sum(
            weight(span["severity"] or "", span["category"] or "", weights) for span in answer.spans
        )
    except DataError as error:
        raise DataError(f"{name_of(path)}:{answer.line}: {error}") from error


def sniff(head: Head) -> bool:
    """Whether the first object is the answer of a judge."""
    wanted = {"user_id", "item_i", "annotation"}
    return head.first_object is not None and wanted <= set(head.first_object)
