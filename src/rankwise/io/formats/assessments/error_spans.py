"""Error spans: from the units of the annotation tools to code points, ends exclusive.

A span here is an object with ``start``, ``end`` (None for an error that has no place, such as an
omission), ``severity`` and ``category``; readers keep the spans of a judgment as JSON text.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from rankwise.errors import DataError
from rankwise.io.parts.line_text import joined

Span = dict[str, Any]

#: Weights of errors by ``severity`` or ``severity/category``; the longest key that fits decides.
#: Freitag et al. (2021), table 4: neutral 0, minor 1, minor punctuation 0.1, major 5,
#: non-translation 25.
PUBLISHED = {
    "no-error": 0.0,
    "neutral": 0.0,
    "minor": 1.0,
    "minor/fluency/punctuation": 0.1,
    "minor/non-translation": 25.0,
    "major": 5.0,
    "major/non-translation": 25.0,
}
#: As in the ratings of WMT23: errors of the source and free renderings weigh nothing.
WMT23 = {
    **PUBLISHED,
    **{
        f"{severity}/{category}": 0.0
        for severity in ("minor", "major")
        for category in ("source issue", "source error", "accuracy/creative reinterpretation")
    },
}
#: As the organisers of WMT24 counted: the same, and a critical error weighs as much as a major one.
WMT24 = {
    **WMT23,
    **{key.replace("major", "critical"): value for key, value in WMT23.items() if "major" in key},
}
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "published": PUBLISHED,
    "wmt23": WMT23,
    "wmt24": WMT24,
}


def weights_of(choice: str | Mapping[str, float]) -> Mapping[str, float]:
    """A table of weights by its name, or the given one with its keys in lower case."""
    if isinstance(choice, str):
        if choice not in WEIGHTS:
            raise DataError(f"unknown weights {choice!r}; choose from {', '.join(WEIGHTS)}")
        return WEIGHTS[choice]
    return {key.lower(): float(value) for key, value in choice.items()}


def weight(severity: str, category: str, weights: Mapping[str, float]) -> float:
    """The weight of one error.

    >>> weight("Minor", "Fluency/Punctuation", PUBLISHED)
    0.1
    >>> weight("Major", "Non-translation!", PUBLISHED)
    25.0
    """
    key = f"{severity}/{category}".lower().rstrip("!")
    while key not in weights:
        key, slash, _ = key.rpartition("/")
        if not slash:
            raise DataError(
                f"severity {severity!r} has no weight; expected one of {joined(weights)}"
            )
    return weights[key]


def from_utf16(spans: list[Any], text: str | None) -> tuple[list[Span], int]:
    """Spans of Appraise (UTF-16 units, ends inclusive) over *text*, and how many were cut to it.

    Without the text nobody can convert the units: they stay as they are, with exclusive ends.
    """
    units = None if text is None else _units_before(text)
    found, cut = [], 0
    for raw in spans:
        start, end = (_offset(raw, key) for key in ("start_i", "end_i"))
        place: tuple[int | None, int | None] = (None, None)
        if start is not None and end is not None:
            place = (start, end + 1)
            if units is not None:
                place = (bisect_right(units, start) - 1, bisect_left(units, end + 1))
                bounded = (min(place[0] or 0, len(units) - 1), min(place[1] or 0, len(units) - 1))
                cut += bounded != place or end + 1 > units[-1] or start > end
                place = bounded
        category = raw.get("error_type", raw.get("category"))
        found.append(_span(*place, raw.get("severity"), category))
    return found, cut


def _units_before(text: str) -> list[int]:
    """How many UTF-16 units come before each code point, and before the end."""
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


def _offset(raw: Any, key: str) -> int | None:
    if not isinstance(raw, dict):
        raise DataError(f"a span is {raw!r}; expected an object")
    value = raw.get(key)
    if value is None or value == "missing":
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise DataError(f"{key!r} of a span is {value!r}; expected a position or 'missing'")
    return value


def _span(start: int | None, end: int | None, severity: Any, category: Any) -> Span:
    for name, value in (("severity", severity), ("category", category)):
        if value is not None and not isinstance(value, str):
            raise DataError(f"the {name} of a span is {value!r}; expected text")
    return {"start": start, "end": end, "severity": severity, "category": category}


def marked_spans(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Text without its marks ``<v>`` and ``</v>``, and the places they marked.

    >>> marked_spans("green <v>doors</v>.")
    ('green doors.', [(6, 11)])
    """
    plain, places = "", []
    for position, part in enumerate(text.split("<v>")):
        inside, end, after = part.partition("</v>")
        if position and end:
            places.append((len(plain), len(plain) + len(inside)))
        plain += inside + after
    return plain, places


def as_json(spans: list[Span]) -> str:
    """Spans as the JSON text that readers keep."""
    return json.dumps(spans, ensure_ascii=False)
