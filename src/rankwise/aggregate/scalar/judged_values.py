"""Scalar judgments as numbered columns: who gave which value to which system, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.types import Assessments
from rankwise.types.judging.assessments import REAL_ROLES

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: What columns that say where a segment stands are called, in lower case.
DOCUMENT = ("document", "documentid", "doc", "doc_id", "docid")
DOMAIN = ("domain",)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedValues:
    """Judgments with a value of systems' own outputs, by numbers from 0.

    ``standardised`` are the values on each judge's own scale. ``document`` is that of the segment;
    where nothing says which, the segment is its own document, and ``has_documents`` is false.
    ``domain`` numbers ``domains``, which are empty where any judgment lacks one. ``row`` is the
    row of the assessments.
    """

    systems: tuple[str, ...]
    domains: tuple[str, ...]
    has_documents: bool
    system: Codes
    segment: Codes
    judge: Codes
    document: Codes
    domain: Codes
    value: Floats
    standardised: Floats
    row: Codes

    @classmethod
    def of(cls, assessments: Assessments) -> "JudgedValues":
        """What counts of *assessments*: the controls and judgments without a value do not."""
        row = counted_rows(assessments)
        if not len(row):
            raise DataError("the assessments hold no value of a system's own output")
        systems, system = np.unique(assessments.system[row], return_inverse=True)
        segment = numbered(assessments.segment[row])
        documents = _documents(assessments, row)
        domains = _cells(assessments, DOMAIN, row)
        named = [domain for domain in domains or () if domain is not None]
        names = sorted(set(named)) if len(named) == len(row) else []
        places = {name: place for place, name in enumerate(names)}
        return cls(
            systems=tuple(assessments.systems[code] for code in systems.tolist()),
            domains=tuple(names),
            has_documents=documents is not None,
            system=system.astype(np.int64),
            segment=segment,
            judge=numbered(assessments.judge[row]),
            document=segment if documents is None else numbered(np.array(documents)),
            domain=np.array([places[domain] for domain in named] if names else [0] * len(row)),
            value=assessments.value[row],
            standardised=assessments.standardised()[row],
            row=row,
        )

    def __len__(self) -> int:
        return len(self.value)

    def of_domain(self, domain: int) -> NDArray[np.intp]:
        """The judgments of one domain, as indices."""
        return np.flatnonzero(self.domain == domain)

    def segment_domains(self) -> Codes:
        """The domain of every segment."""
        found = np.zeros(int(self.segment.max()) + 1, np.int64)
        found[self.segment] = self.domain
        return found

    def must_have_domains(self, owner: str) -> None:
        """Raise unless every judgment names a domain and every system was judged in each."""
        if not self.domains:
            raise DataError(
                f"{owner} averages over domains, but not every judgment names one; "
                "give --documents FILE with domains, or another model"
            )
        held = table_of_counts(self.domain, self.system, (len(self.domains), len(self.systems)))
        if not held.all():
            domain, system = (int(code[0]) for code in np.nonzero(held == 0))
            raise DataError(
                f"{owner} averages over domains, but {self.systems[system]!r} was not judged in "
                f"{self.domains[domain]!r}"
            )

    def shares(self) -> Floats:
        """The share of every judgment in the mean of its system and segment."""
        cell = self.system * (int(self.segment.max()) + 1) + self.segment
        found: Floats = 1 / np.bincount(cell)[cell]
        return found

    def cell_means(self, value: Floats) -> Floats:
        """Mean values (S, segments) of systems and segments; nan without judgments."""
        shape = (len(self.systems), int(self.segment.max()) + 1)
        cell = self.system * shape[1] + self.segment
        total = np.bincount(cell, value, shape[0] * shape[1])
        count = np.bincount(cell, minlength=shape[0] * shape[1])
        means: Floats = np.full(len(total), np.nan)
        return np.divide(total, count, out=means, where=count > 0).reshape(shape)


def counted_rows(assessments: Assessments) -> Codes:
    """The rows that count: of systems' own outputs, with a value."""
    counts = ~np.isnan(assessments.value)
    real = np.array([role in REAL_ROLES for role in assessments.roles], np.bool_)
    counts[counts] = real[assessments.role[counts]]
    return np.flatnonzero(counts).astype(np.int64)


def numbered(values: NDArray[Any]) -> Codes:
    """Values by their numbers from 0."""
    _, codes = np.unique(values, return_inverse=True)
    return codes.astype(np.int64)


def table_of_counts(rows: Codes, columns: Codes, shape: tuple[int, int]) -> Floats:
    """How often every row number stands beside every column number."""
    counts = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1])
    return counts.reshape(shape).astype(np.float64)


def _documents(assessments: Assessments, row: Codes) -> list[str] | None:
    """The document of every row; a row without one is a document of its own segment.

    Appraise writes ``document#system``; what a system is called does not make a document.
    """
    cells = _cells(assessments, DOCUMENT, row)
    if cells is None or all(cell is None for cell in cells):
        return None
    systems = assessments.system[row].tolist()
    segments = assessments.segment[row].tolist()
    return [
        f"\0{segment}" if cell is None else _plain_document(cell, assessments.systems[system])
        for cell, system, segment in zip(cells, systems, segments, strict=True)
    ]


def _plain_document(name: str, system: str) -> str:
    """The document without the name of its system.

    >>> _plain_document("news.1#alpha", "alpha"), _plain_document("no#1", "alpha")
    ('news.1', 'no#1')
    """
    document, mark, rest = name.rpartition("#")
    shared = rest.split("+")  # systems that shared an output
    return document if mark and (rest == system or system in shared) else name


def _cells(assessments: Assessments, names: Sequence[str], row: Codes) -> list[str | None] | None:
    """A column of texts by one of its names; None where there is none."""
    known = {name.lower(): name for name in assessments.info}
    found = next((known[name] for name in names if name in known), None)
    if found is None:
        return None
    cells = assessments.info[found][row].tolist()
    return [None if cell is None or cell != cell or cell == "" else str(cell) for cell in cells]
