"""Who stands against whom: a hypothesis and a reference, edit by edit; and the rate of edits."""

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankwise._lazy import LazyModule
from rankwise.metrics.metric_class import as_scores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = LazyModule("numpy")

MATCH, SUBSTITUTION, INSERTION, DELETION = "=SID"
_NOTHING = "***"


@dataclass(frozen=True, slots=True)
class Shift:
    """A phrase of the hypothesis that moved; positions count from 0.

    ``start`` is where its first token stood before the shift, ``target`` where it stands after it.
    """

    tokens: tuple[str, ...]
    start: int
    target: int

    def __str__(self) -> str:
        """As printed under an alignment, counting from 1."""
        return f"{' '.join(self.tokens)} ({self.start + 1} -> {self.target + 1})"


@dataclass(frozen=True, slots=True)
class EditAlignment:
    """The edits that turn a reference into a hypothesis, in the order of the texts.

    ``operations`` has one letter per edit or match: ``=`` match, ``S`` substitution, ``I``
    insertion (a hypothesis token that the reference lacks), ``D`` deletion (a reference token that
    the hypothesis lacks). ``hypothesis`` is in the order after the ``shifts``, which only TER makes
    and which were made one after the other. Printed, it reads as tercom's and sclite's reports do.

    >>> print(EditAlignment(("this", "is", "a"), ("is", "that", "a"), "I=D="))
    REF   ***  is that a
    HYP   this is ***  a
    EVAL  I       D
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    operations: str
    shifts: tuple[Shift, ...] = ()

    @property
    def substitutions(self) -> int:
        """Reference tokens replaced by another."""
        return self.operations.count(SUBSTITUTION)

    @property
    def insertions(self) -> int:
        """Hypothesis tokens that the reference lacks."""
        return self.operations.count(INSERTION)

    @property
    def deletions(self) -> int:
        """Reference tokens that the hypothesis lacks."""
        return self.operations.count(DELETION)

    @property
    def edits(self) -> int:
        """All edits; a shift counts one, however long the phrase and the way."""
        return len(self.operations) - self.operations.count(MATCH) + len(self.shifts)

    @property
    def columns(self) -> list[tuple[str | None, str | None, str]]:
        """Reference token, hypothesis token (None where there is none) and operation."""
        hypothesis, reference = iter(self.hypothesis), iter(self.reference)
        return [
            (
                None if operation == INSERTION else next(reference),
                None if operation == DELETION else next(hypothesis),
                operation,
            )
            for operation in self.operations
        ]

    def __str__(self) -> str:
        """Three lines with one column per edit or match, then one line per shift."""
        lines = ["REF  ", "HYP  ", "EVAL "]
        for reference, hypothesis, operation in self.columns:
            cells = [_printable(reference), _printable(hypothesis), operation.replace(MATCH, "")]
            wide = max(_columns_on_screen(cell) for cell in cells)
            for number, cell in enumerate(cells):
                lines[number] += " " + cell + " " * (wide - _columns_on_screen(cell))
        shifts = [f"SHIFT {shift}" for shift in self.shifts]
        return "\n".join(line.rstrip() for line in [*lines, *shifts])


def error_rate(edits: "NDArray[Any]", lengths: "NDArray[Any]") -> Any:
    """100 edits / length; where the length is 0, 100 if there is any edit and else 0."""
    edits, lengths = np.asarray(edits, np.float64), np.asarray(lengths, np.float64)
    rates = np.where(edits > 0, 1.0, 0.0)
    np.divide(edits, lengths, out=rates, where=lengths > 0)
    return as_scores(100 * rates)


def plain_error_rate(edits: float, length: float) -> float:
    """The same of one row, without arrays."""
    return 100 * (edits / length if length > 0 else 1.0 if edits > 0 else 0.0)


def _printable(token: str | None) -> str:
    if token is None:
        return _NOTHING
    return "␣" if token == " " else token


def _columns_on_screen(text: str) -> int:
    """Columns of a terminal: two for wide East Asian characters, none for combining ones."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
