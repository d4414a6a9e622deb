"""Which judges marked the same texts, and what of their marks they share, as rows to be added."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.span_overlap import (
    Span,
    character_overlap,
    errors_of,
    matched_spans,
)
from rankwise.types import Assessments
from rankwise.types.judging.assessments import REAL_ROLES

#: The columns of a row. Credits are doubled, so that all but chance are whole numbers.
COLUMNS = (
    "pairs",
    "characters",
    "shared",
    "credit",
    "errors",
    "matched",
    "match_credit",
    "agreed",
    "with_errors",
    "chance",
    "chance_shared",
)
_PLACE = {name: number for number, name in enumerate(COLUMNS)}
#: How many of the columns are whole numbers.
WHOLE = _PLACE["chance"]


@dataclass(frozen=True, slots=True, eq=False)
class SpanRows:
    """Rows by segment and by judge; ``COLUMNS`` says what a row holds.

    A pair is two judges who marked the errors of the same text. ``characters`` and ``errors`` are
    those that either marked, ``agreed`` are the pairs in which both found errors, or none, and
    ``with_errors`` the judgments that found some.
    """

    segments: tuple[str, ...]
    judges: tuple[str, ...]
    by_segment: NDArray[np.float64]
    by_judge: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Look:
    judge: str
    system: str
    look: object
    spans: Sequence[Span]


def span_rows(
    assessments: Assessments, lengths: Mapping[tuple[str, str], int] | None = None
) -> SpanRows:
    """What every two judges of one text share of what they marked.

    Only the first judgment of a judge counts, only of systems' own outputs, and only errors of the
    output, not of the source. Outputs that several systems shared count once. *lengths* are those
    of texts, by system and segment.
    """
    looks = _looks(assessments)
    by_segment: dict[str, NDArray[np.float64]] = {}
    by_judge: dict[str, NDArray[np.float64]] = {}
    seen: set[tuple[object, ...]] = set()
    for (system, segment), found in looks.items():
        length = None if lengths is None else lengths.get((system, segment))
        for left, right in combinations(found, 2):
            key = (segment, left.judge, right.judge, left.look, right.look)
            if left.look is not None and right.look is not None:
                if key in seen:
                    continue
                seen.add(key)
            row = _row(left.spans, right.spans, length)
            _add(by_segment, segment, row)
            _add(by_judge, left.judge, row)
            _add(by_judge, right.judge, row)
    judges = tuple(sorted(by_judge))
    return SpanRows(
        tuple(by_segment),
        judges,
        _stacked(list(by_segment.values())),
        _stacked([by_judge[name] for name in judges]),
    )


def _add(table: dict[str, NDArray[np.float64]], key: str, row: NDArray[np.float64]) -> None:
    table[key] = table[key] + row if key in table else row


def _stacked(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.stack(rows) if rows else np.zeros((0, len(COLUMNS)))


def _looks(assessments: Assessments) -> dict[tuple[str, str], list[_Look]]:
    """The judgments of every text that could mark errors, one a judge."""
    found: dict[tuple[str, str], dict[str, _Look]] = {}
    for system, segment, judge, look, spans in _marked(assessments):
        own = [span for span in json.loads(spans) if span.get("side") != "source"]
        found.setdefault((system, segment), {}).setdefault(judge, _Look(judge, system, look, own))
    return {key: list(by_judge.values()) for key, by_judge in found.items()}


def _marked(assessments: Assessments) -> Iterator[tuple[str, str, str, object, str]]:
    cells = assessments.info.get("spans")
    if cells is None:
        return
    shared: Any = assessments.info.get("look")
    names = assessments.rows()
    for number, (system, segment, judge, role, _) in enumerate(names):
        if role in REAL_ROLES and isinstance(cells[number], str) and cells[number]:
            look = None if shared is None else shared[number]
            look = None if look is None or look != look else look
            yield system, segment, judge, look, cells[number]


def _row(left: Sequence[Span], right: Sequence[Span], length: int | None) -> NDArray[np.float64]:
    marks = character_overlap(left, right, length)
    blind, severe = (matched_spans(left, right, severities=flag) for flag in (False, True))
    errors = len(errors_of(left)) + len(errors_of(right))
    found = {
        "pairs": 1,
        "characters": marks.left + marks.right,
        "shared": marks.shared,
        "credit": 2 * marks.credit,
        "errors": errors,
        "matched": len(blind),
        "match_credit": sum(1 + match.is_severe_alike for match in severe),
        "agreed": bool(left) == bool(right),
        "with_errors": bool(left) + bool(right),
        "chance": marks.chance,
        "chance_shared": marks.chance_shared,
    }
    return np.array([found[name] for name in COLUMNS], np.float64)


@dataclass(frozen=True, slots=True)
class SpanScore:
    """One measure of (sums of) rows, as ``significance`` resamples it."""

    name: str
    higher_is_better = True

    @property
    def signature(self) -> str:
        """The name of the measure."""
        return f"spans-{self.name}"

    def score(self, rows: NDArray[Any]) -> Any:
        """The measure of rows; nan where nothing was marked, or nobody marked the same text."""
        part, whole = _FORMULAS[self.name](np.asarray(rows, np.float64))
        found: NDArray[np.float64] = np.full(part.shape, np.nan)
        np.divide(part, whole, out=found, where=whole > 0)
        return float(found) if found.ndim == 0 else found


def _column(rows: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    column: NDArray[np.float64] = rows[..., _PLACE[name]]
    return column


_FORMULAS = {
    "characters": lambda rows: (_column(rows, "credit"), _column(rows, "characters")),
    "characters-any": lambda rows: (2 * _column(rows, "shared"), _column(rows, "characters")),
    "errors": lambda rows: (_column(rows, "match_credit"), _column(rows, "errors")),
    "errors-any": lambda rows: (2 * _column(rows, "matched"), _column(rows, "errors")),
    "some-or-none": lambda rows: (_column(rows, "agreed"), _column(rows, "pairs")),
}
#: The measures, in the order in which they are shown.
SPAN_MEASURES: tuple[str, ...] = tuple(_FORMULAS)


def chance_level(name: str, rows: NDArray[np.float64]) -> float:
    """What a measure would be if judges marked as much as they did, but anywhere; nan if unknown.

    That of ``some-or-none`` is of judges who find errors as often as all did together, in texts
    that do not matter.
    """
    total = rows.sum(axis=0)
    sums: dict[str, float] = dict(zip(COLUMNS, total.tolist(), strict=True))
    if name == "some-or-none":
        part = sums["with_errors"] / (2 * sums["pairs"]) if sums["pairs"] else float("nan")
        return float(part**2 + (1 - part) ** 2)
    expected = {"characters": sums["chance"], "characters-any": sums["chance_shared"]}
    if name not in expected or not sums["characters"]:
        return float("nan")
    return 2 * expected[name] / sums["characters"]
