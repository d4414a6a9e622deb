"""The JSON object in what a model wrote: bare, fenced, or with words around it.

Only what is there is found. An answer is never completed, and where two objects might be meant,
the caller decides that none is.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_REFUSAL = re.compile(
    r"\b(?:i\s*(?:'|’)?\s*(?:am|m)\s+(?:very\s+|so\s+)?sorry|i\s+(?:can\s*not|can(?:'|’)t|cannot|"
    r"won(?:'|’)t|will\s+not|am\s+(?:not\s+able|unable)\s+to|must\s+(?:decline|refuse))|"
    r"as\s+an\s+ai\b|against\s+(?:my|our)\s+(?:guidelines|policy|policies))",
    re.IGNORECASE,
)
#: How long a text may be, and at how many places an object may begin; the rest is no answer.
_LONGEST, _MOST_BRACES = 100_000, 50


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    r"""Every JSON object of *text* that lies in no other one, in order.

    What a model thought aloud before it answered (``<think>...</think>``) is no answer.

    >>> list(objects_in('Sure! ```json\n{"score": 71,}\n``` Anything else?'))
    [{'score': 71}]
    """
    text = _THOUGHT.sub("", text)[:_LONGEST]
    start, braces = text.find("{"), 0
    while start >= 0 and braces < _MOST_BRACES:
        braces += 1
        found, end = _object_at(text, start)
        if found is not None:
            yield found
        start = text.find("{", end)


def is_refusal(text: str) -> bool:
    """Whether a text without an answer declines to give one.

    >>> is_refusal("I'm sorry, but I cannot judge this."), is_refusal("Both are fine.")
    (True, False)
    """
    return _REFUSAL.search(text[:1000]) is not None


def _object_at(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that begins at *start*, and where to look on; None where there is none."""
    found, end = _decoded(text, start)
    if found is None:
        closing = _closing(text, start)
        if closing is None:
            return None, start + 1
        found, _ = _decoded(_TRAILING_COMMA.sub(r"\1", text[start : closing + 1]), 0)
        end = closing + 1
    return (found, end) if found is not None else (None, start + 1)


def _decoded(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    try:
        found, end = json.JSONDecoder(object_pairs_hook=_once).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, 0
    return (found, end) if isinstance(found, dict) else (None, 0)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys occur once; one that says two things says nothing."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _closing(text: str, start: int) -> int | None:
    """The brace that closes the one at *start*, strings left out of the count."""
    depth, in_string, escaped = 0, False, False
    for place in range(start, len(text)):
        character = text[place]
        if in_string:
            in_string = escaped or character != '"'
            escaped = not escaped and character == "\\"
        elif character == '"':
            in_string = True
        elif character in "{}":
            depth += 1 if character == "{" else -1
            if depth == 0:
                return place
    return None
