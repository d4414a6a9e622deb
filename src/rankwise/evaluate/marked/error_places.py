"""Where in their texts errors lie: how much of every tenth of a segment or document is marked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.ranking.error_counts import SEVERITIES
from rankwise.types import Assessments, TestSet
from rankwise.types.judging.assessments import REAL_ROLES

Counts = NDArray[np.int64]
#: Into how many parts a text is cut.
PARTS = 10


@dataclass(frozen=True, slots=True, eq=False)
class ErrorPlaces:
    """``marked[s, v, t]``: characters of tenth t that were marked with severity v in system s.

    ``judged[s, t]`` are all characters of the tenth, as often as somebody judged them.
    """

    systems: tuple[str, ...]
    severities: tuple[str, ...]
    marked: Counts
    judged: Counts

    def ordered(self, systems: Sequence[str]) -> "ErrorPlaces":
        """The same with its systems in the order of *systems*; others are left out."""
        names = [name for name in systems if name in self.systems]
        rows = [self.systems.index(name) for name in names]
        return ErrorPlaces(tuple(names), self.severities, self.marked[rows], self.judged[rows])

    def shares(self, severity: str) -> NDArray[np.float64]:
        """The share (S, tenths) of characters that were marked with a severity; nan: none judged.

        >>> places = ErrorPlaces(("A",), ("minor",), np.array([[[1, 0]]]), np.array([[4, 0]]))
        >>> places.shares("minor")
        array([[0.25,  nan]])
        """
        counts = self.marked[:, self.severities.index(severity)]
        found: NDArray[np.float64] = np.full(counts.shape, np.nan)
        return np.divide(counts, self.judged, out=found, where=self.judged > 0)


def error_places(
    assessments: Assessments, texts: TestSet, *, in_documents: bool = False
) -> ErrorPlaces | None:
    r"""Where the errors of *assessments* lie in the outputs of *texts*.

    Character c of a text of L characters is in tenth :math:`\lfloor 10 c / L \rfloor`; with
    *in_documents* texts are the outputs of a system for a whole document, one behind the other.
    A character under two errors of one severity counts once. None where nobody marked a place, or
    with *in_documents* where no document has two segments.
    """
    spans = assessments.info.get("spans")
    tenths = _tenths(texts, in_documents=in_documents)
    if spans is None or tenths is None:
        return None
    found: dict[str, dict[str, Counts]] = {}
    judged: dict[str, Counts] = {}
    for row, (system, segment, _, role, _) in enumerate(assessments.rows()):
        places = tenths.get((system, segment))
        if places is None or role not in REAL_ROLES or not isinstance(spans[row], str):
            continue
        if spans[row]:
            judged[system] = judged.get(system, 0) + np.bincount(places, minlength=PARTS)
            for severity, counts in _marked(json.loads(spans[row]), places).items():
                own = found.setdefault(system, {})
                own[severity] = own.get(severity, 0) + counts
    named = {severity for own in found.values() for severity in own}
    if not named:
        return None
    systems = tuple(name for name in texts.systems if name in judged)
    known = [severity for severity in SEVERITIES if severity in named]
    severities = (*known, *sorted(named - set(known)))
    nothing = np.zeros(PARTS, np.int64)
    marked = [[found.get(s, {}).get(v, nothing) for v in severities] for s in systems]
    return ErrorPlaces(
        systems, severities, np.array(marked), np.array([judged[name] for name in systems])
    )


def _tenths(texts: TestSet, *, in_documents: bool) -> dict[tuple[str, str], Counts] | None:
    """The tenth of every character of every output, by system and segment."""
    if not in_documents:
        return {
            (system, segment.id): np.arange(len(text)) * PARTS // max(1, len(text))
            for system, column in texts.outputs.items()
            for segment, text in zip(texts.segments, column, strict=True)
            if text is not None
        }
    runs = [
        list(run)
        for document, run in groupby(
            range(len(texts)), key=lambda place: texts.segments[place].document
        )
        if document is not None
    ]
    if not any(len(run) > 1 for run in runs):
        return None
    found = {}
    for system, column in texts.outputs.items():
        for run in runs:
            sizes = [len(column[place] or "") for place in run]
            ends = np.cumsum(sizes)
            for place, size, end in zip(run, sizes, ends.tolist(), strict=True):
                there = np.arange(end - size, end) * PARTS // max(1, int(ends[-1]))
                found[system, texts.segments[place].id] = there
    return found


def _marked(spans: list[dict[str, Any]], places: Counts) -> dict[str, Counts]:
    """The marked characters of every tenth, by severity."""
    masks: dict[str, NDArray[np.bool_]] = {}
    for span in spans:
        if span.get("start") is not None and span.get("side") != "source":
            severity = (span.get("severity") or "").lower()
            mask = masks.setdefault(severity, np.zeros(len(places), np.bool_))
            mask[span["start"] : span["end"]] = True
    return {
        severity: np.bincount(places[mask], minlength=PARTS) for severity, mask in masks.items()
    }
