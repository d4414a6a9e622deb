"""Two judges' error spans of one text: the characters they share, and which errors are the same.

A span is an object with ``start`` and ``end`` (code points, the end exclusive; None for an error
without a place, such as an omission), ``severity`` and ``category``; further places of one error
have ``part``.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Span = Mapping[str, Any]
#: What a shared character or error is worth where the severities differ.
HALF = 0.5


class CharacterOverlap(NamedTuple):
    """Characters that the left and the right judge marked, those both marked, and their credit.

    ``chance`` and ``chance_shared`` are the credit and the shared characters to expect if the
    errors lay anywhere in the text; nan where the length of the text is not known.
    """

    left: int
    right: int
    shared: int
    credit: float
    chance: float
    chance_shared: float


def character_overlap(
    left: Sequence[Span], right: Sequence[Span], length: int | None = None
) -> CharacterOverlap:
    r"""What two judges marked of one text, character by character.

    A character that both marked has the credit 1 where a severity is the same, and .5 where none
    is; one that lies in several errors of a judge counts once, with the best of them. The character
    F1 of any number of texts is

    .. math:: F_1 = \frac{2 \sum \text{credit}}{\sum (\text{left} + \text{right})}

    which is the same whoever of the two is called right. Blain et al. (2023), Findings of the WMT
    2023 Shared Task on Quality Estimation, fine-grained error spans.

    Chance is the mean over all *length* places to which the right judge's marks can be turned, the
    end of the text joined to its beginning. Errors without a place have no characters.

    >>> minor, major = ({"start": 0, "end": 4, "severity": s} for s in ("minor", "major"))
    >>> character_overlap([minor], [major], 8)
    CharacterOverlap(left=4, right=4, shared=4, credit=2.0, chance=1.0, chance_shared=2.0)
    """
    kinds = sorted({_severity(span) for span in (*left, *right)})
    size = max([0, *(span["end"] or 0 for span in (*left, *right))])
    ours, theirs = (_masks(spans, kinds, size) for spans in (left, right))
    marked = (int(np.count_nonzero(ours)), int(np.count_nonzero(theirs)))
    shared = int(np.count_nonzero((ours > 0) & (theirs > 0)))
    alike = int(np.count_nonzero(ours & theirs))
    credit = HALF * (shared + alike)
    if length is None:
        return CharacterOverlap(*marked, shared, credit, float("nan"), float("nan"))
    by_chance = marked[0] * marked[1] / max(length, size, 1)
    same = _same_by_chance(ours, theirs) / max(length, size, 1)
    return CharacterOverlap(*marked, shared, credit, HALF * (by_chance + same), by_chance)


def _severity(span: Span) -> str:
    return (span.get("severity") or "").lower()


def _masks(spans: Sequence[Span], kinds: Sequence[str], size: int) -> NDArray[np.int64]:
    """Per character a bit for every severity it was marked with."""
    found = np.zeros(size, np.int64)
    for span in spans:
        if span["start"] is not None:
            found[span["start"] : span["end"]] |= 1 << kinds.index(_severity(span))
    return found


def _same_by_chance(ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> int:
    """How many pairs of a left and a right character have a severity in common."""
    (left, many), (right, times) = (np.unique(m, return_counts=True) for m in (ours, theirs))
    return int(many @ ((left[:, None] & right) != 0) @ times)


class SameError(NamedTuple):
    """Errors ``left`` and ``right`` of two judges that are the same error.

    ``overlap`` is the share of their characters that both have, ``is_severe_alike`` whether they
    have the same severity.
    """

    left: int
    right: int
    overlap: float
    is_severe_alike: bool


def matched_spans(
    left: Sequence[Span], right: Sequence[Span], *, severities: bool = True
) -> list[SameError]:
    r"""The errors of two judges that are the same, each with at most one of the other's.

    Two errors can be the same if they share a character. Of all ways to pair them this is the one
    with the largest sum of

    .. math:: \text{overlap}(a, b) = \frac{|a \cap b|}{|a \cup b|}

    halved where the severities differ, unless *severities* is false. Errors without a place are
    the same if they have the same category, and then overlap wholly. An error in several places is
    one error; numbers are those of errors, further places not counted.

    >>> def span(start, end):
    ...     return {"start": start, "end": end, "severity": "minor", "category": None}
    >>> [match[:2] for match in matched_spans([span(0, 9)], [span(0, 2), span(3, 9)])]
    [(0, 1)]
    """
    from scipy.optimize import linear_sum_assignment  # slow to import

    ours, theirs = errors_of(left), errors_of(right)
    if not ours or not theirs:
        return []
    overlap = np.array([[_overlap(a, b) for b in theirs] for a in ours])
    alike = np.array([[_severity(a[0]) == _severity(b[0]) for b in theirs] for a in ours])
    weight = overlap * np.where(alike, 1, HALF) if severities else overlap
    rows, columns = linear_sum_assignment(weight, maximize=True)
    return [
        SameError(row, column, float(overlap[row, column]), bool(alike[row, column]))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if overlap[row, column] > 0
    ]


def errors_of(spans: Sequence[Span]) -> list[list[Span]]:
    """The errors of a judge, each with all its places.

    >>> first, more = ({"start": n, "end": n + 1, "severity": "minor"} for n in (0, 5))
    >>> len(errors_of([first, {**more, "part": 1}, more]))
    2
    """
    found: list[list[Span]] = []
    for span in spans:
        if span.get("part") and found:
            found[-1].append(span)
        else:
            found.append([span])
    return found


def _overlap(left: Sequence[Span], right: Sequence[Span]) -> float:
    ours, theirs = _characters(left), _characters(right)
    if not ours and not theirs:
        kinds = {(span.get("category") or "").lower() for span in (left[0], right[0])}
        return float(len(kinds) == 1)
    return len(ours & theirs) / len(ours | theirs)


def _characters(error: Sequence[Span]) -> set[int]:
    places = (span for span in error if span["start"] is not None)
    return {number for span in places for number in range(span["start"], span["end"])}
