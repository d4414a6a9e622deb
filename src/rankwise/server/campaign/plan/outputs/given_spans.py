"""Errors that a machine marked beforehand (ESA-AI): read for a campaign, and what judges changed.

Zouhar et al. (2025), "AI-Assisted Human Evaluation of Machine Translation", NAACL.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rankwise.errors import DataError
from rankwise.io import read_assessments
from rankwise.io.files import StrPath, name_of
from rankwise.server.campaign.plan.span_rules import Span, SpanRules
from rankwise.server.records import Json
from rankwise.types import TestSet

#: The spans of every system, one list for each segment; None where nothing was said.
GivenSpans = Mapping[str, Sequence[Sequence[Json] | None]]

#: What became of an error that was given, or where a new one comes from.
KEPT, CHANGED, REMOVED, ADDED = CHANGES = ("kept", "changed", "removed", "added")
#: What some machines say that a plan may not know: as severe as it gets.
_MOST_SEVERE = "critical"


def read_given(path: StrPath, rules: SpanRules, testset: TestSet) -> GivenSpans:
    """The spans of a file, in any format of values with spans; systems and segments of *testset*.

    A category that the campaign does not have is left to the judge. ``critical`` is the most
    severe that it has.
    """
    values = read_assessments(path)
    spans = values.info.get("spans")
    name = name_of(path)
    if spans is None:
        raise DataError(f"{name}: nobody marked an error in it; expected a file with error spans")
    found: dict[tuple[str, str], Sequence[Mapping[str, Any]]] = {}
    for number, (system, segment, _, _, _) in enumerate(values.rows()):
        if (system, segment) in found:
            where = f"segment {segment!r}, system {system!r}"
            raise DataError(f"{name}: {where} is there twice; expected one list of errors for each")
        found[system, segment] = json.loads(spans[number] or "[]")
    try:
        return given_spans(found, rules, testset)
    except DataError as error:
        raise DataError(f"{name}: {error}") from error


def given_spans(
    found: Mapping[tuple[str, str], Sequence[Mapping[str, Any]]],
    rules: SpanRules,
    testset: TestSet,
) -> GivenSpans:
    """Spans by system and segment, in the form in which judges mark; or a DataError."""
    places = {segment.id: place for place, segment in enumerate(testset.segments)}
    columns: dict[str, list[Sequence[Json] | None]] = {}
    for (system, segment), spans in found.items():
        where = f"segment {segment!r}, system {system!r}"
        if segment not in places or system not in testset.systems:
            raise DataError(f"{where}: not in the campaign; expected its segments and systems")
        text = testset.outputs[system][places[segment]]
        if text is None:
            raise DataError(f"{where}: the campaign has no such output")
        column = columns.setdefault(system, [None] * len(testset))
        try:
            column[places[segment]] = _fitting(spans, rules, text)
        except DataError as error:
            raise DataError(f"{where}: {error}") from error
    return columns


def _fitting(spans: Sequence[Mapping[str, Any]], rules: SpanRules, text: str) -> list[Span]:
    marked = rules.normal([as_marked(span, rules) for span in spans], is_given=True)
    last = max((span.get("end", 0) for span in marked), default=0)
    if last > len(text):
        raise DataError(f"an error ends at {last}; the text has {len(text)} characters")
    return marked


def as_marked(span: Mapping[str, Any], rules: SpanRules) -> Span:
    """An error as the campaign's own judges would have marked it.

    One without a place gets the mark that its category names, or else the first of the plan.

    >>> as_marked({"start": 0, "end": 3, "severity": "Critical"}, SpanRules())
    {'severity': 'major', 'start': 0, 'end': 3}
    """
    category, severity = span.get("category"), str(span.get("severity") or "").lower()
    known = {name.lower(): name for name in rules.severities}
    if severity == _MOST_SEVERE and rules.severities:
        known.setdefault(severity, rules.severities[-1])
    found: Span = {"severity": known.get(severity, severity)}
    if span.get("start") is not None:
        found |= {"start": span["start"], "end": span["end"]}
    elif rules.marks:
        found["mark"] = category if category in rules.marks else rules.marks[0]
    else:
        raise DataError("an error has no place in the text, and the campaign has no marks")
    if rules.categories:
        names = {name.lower(): name for name in rules.category_names}
        found["category"] = names.get(str(category or "").lower())
    return found


def still_there(spans: Sequence[Json], text: str, spoilt: str) -> list[Json]:
    """The errors of *text* whose words are at the same place of a *spoilt* one.

    >>> still_there([{"start": 0, "end": 3, "severity": "minor"}], "The cat", "The dog")
    [{'start': 0, 'end': 3, 'severity': 'minor'}]
    """
    return [
        span
        for span in spans
        if "mark" in span
        or text[span["start"] : span["end"]] == spoilt[span["start"] : span["end"]]
    ]


def changes_of_spans(
    given: Sequence[Mapping[str, Any]], spans: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """What became of every error that was given, and every error that was added.

    An error at the same place (or with the same mark) is kept, or changed where its severity or
    its category is another; one that moved is removed and added.

    >>> minor, major = ({"start": 0, "end": 3, "severity": s} for s in ("minor", "major"))
    >>> [what for what, _ in changes_of_spans([minor], [major])]
    ['changed']
    """
    left = list(spans)
    for span in given:
        same = [one for one in left if _place(one) == _place(span)]
        match = next((one for one in same if dict(one) == dict(span)), same[0] if same else None)
        if match is None:
            yield REMOVED, span
        else:
            left.remove(match)
            yield (KEPT if dict(match) == dict(span) else CHANGED), match
    for span in left:
        yield ADDED, span


def change_counts(
    given: Sequence[Mapping[str, Any]], spans: Sequence[Mapping[str, Any]]
) -> dict[str, int]:
    """How many errors were kept, changed, removed and added.

    >>> change_counts([{"start": 0, "end": 3, "severity": "minor"}], [])
    {'kept': 0, 'changed': 0, 'removed': 1, 'added': 0}
    """
    counts = Counter(what for what, _ in changes_of_spans(given, spans))
    return {what: counts[what] for what in CHANGES}


def _place(span: Mapping[str, Any]) -> tuple[object, object, object]:
    return span.get("start"), span.get("end"), span.get("mark")
