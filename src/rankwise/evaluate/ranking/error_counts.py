"""Errors that judges marked, counted by system, severity and category."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.scalar.judged_values import JudgedValues
from rankwise.types import Assessments

Counts = NDArray[np.int64]

#: Severities in the order in which people read them; others come after.
SEVERITIES = ("critical", "major", "minor", "neutral")


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCounts:
    """``counts[s, v, c]``: how many errors of severity v and category c were marked in system s.

    ``judgments[s]`` is how many judgments could have marked some. A category is written as the
    judges wrote it, in lower case; empty where a judge named none.
    """

    systems: tuple[str, ...]
    severities: tuple[str, ...]
    categories: tuple[str, ...]
    counts: Counts
    judgments: Counts

    @property
    def groups(self) -> tuple[str, ...]:
        """The first part of every category, each once: ``accuracy`` of ``accuracy/omission``."""
        return tuple(dict.fromkeys(group_of(category) for category in self.categories))

    def of_group(self, group: str) -> Counts:
        """Errors (S,) of all severities whose category belongs to a group."""
        own = [group_of(category) == group for category in self.categories]
        found: Counts = self.counts[:, :, own].sum(axis=(1, 2))
        return found

    @property
    def per_judgment(self) -> NDArray[np.float64]:
        """All errors (S,) divided by judgments."""
        total = self.counts.sum(axis=(1, 2))
        found: NDArray[np.float64] = total / np.maximum(1, self.judgments)
        return found


def error_counts(
    assessments: Assessments, judged: JudgedValues, systems: tuple[str, ...]
) -> ErrorCounts | None:
    """The errors of *systems* in the judgments that count; None where nobody marked any place.

    An error that was marked in several places is one error.
    """
    spans = assessments.info.get("spans")
    if spans is None:
        return None
    cells = [_errors(cell) for cell in spans[judged.row].tolist()]
    if all(errors is None for errors in cells):
        return None
    place = {name: number for number, name in enumerate(systems)}
    codes = [place[judged.systems[code]] for code in judged.system.tolist()]
    found = [
        (code, *error) for code, errors in zip(codes, cells, strict=True) for error in errors or ()
    ]
    severities = _in_order({severity for _, severity, _ in found})
    categories = tuple(sorted({category for *_, category in found}))
    counts = np.zeros((len(systems), len(severities), len(categories)), np.int64)
    for code, severity, category in found:
        counts[code, severities.index(severity), categories.index(category)] += 1
    marked = [code for code, errors in zip(codes, cells, strict=True) if errors is not None]
    judgments = np.bincount(marked, minlength=len(systems)).astype(np.int64)
    return ErrorCounts(systems, severities, categories, counts, judgments)


def group_of(category: str) -> str:
    """The first part of a category.

    >>> group_of("accuracy/omission"), group_of("non-translation!")
    ('accuracy', 'non-translation!')
    """
    return category.partition("/")[0]


def _errors(cell: Any) -> list[tuple[str, str]] | None:
    """Severity and category of every error of a judgment; None where it could mark none."""
    if not isinstance(cell, str) or not cell:
        return None
    return [
        ((span.get("severity") or "").lower(), (span.get("category") or "").lower())
        for span in json.loads(cell)
        if not span.get("part")
    ]


def _in_order(severities: set[str]) -> tuple[str, ...]:
    known = [severity for severity in SEVERITIES if severity in severities]
    return (*known, *sorted(severities - set(known)))
