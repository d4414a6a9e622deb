"""Agreement of judges on values and on errors as tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankwise.evaluate.marked.span_agreement import SpanAgreement, SpanMeasure
from rankwise.present.tables import Cell, Column, Table

Rows = list[tuple[Cell, ...]]
#: What the measures are called for people.
WORDS: Mapping[str, str] = {
    "alpha": "alpha of values",
    "characters": "F1 of characters",
    "characters-any": "F1 of characters, any severity",
    "errors": "F1 of errors",
    "errors-any": "F1 of errors, any severity",
    "some-or-none": "some errors or none",
}
_NUMBERS = [Column(name, "right", ".3f") for name in ("value", "low", "high", "chance")]


@dataclass(frozen=True, slots=True)
class JudgesOfValues:
    """How far the judges of one part agree on values, and on errors where they marked some."""

    labels: Mapping[str, str]
    alpha: SpanMeasure
    values: int
    spans: SpanAgreement | None

    def rows(self) -> Rows:
        """A row for every measure: name, value, interval, chance, on how much it rests."""
        found = [(*_cells(self.alpha), self.values)]
        if self.spans is not None:
            found += [(*_cells(one), self.spans.pairs) for one in self.spans.measures]
        return found


def span_table(found: SpanAgreement) -> Table:
    """A row for every measure of agreement on errors."""
    rows: Rows = [(*_cells(one), found.pairs) for one in found.measures]
    return Table(_columns(), rows, notes=_notes(found))


def values_agreement_table(found: JudgesOfValues) -> Table:
    """Agreement on values and on errors, for people."""
    title = ": ".join(filter(None, ("agreement of judges", ", ".join(found.labels.values()))))
    rows: Rows = [(WORDS[str(name)], *rest) for name, *rest in found.rows()]
    return Table(_columns(), rows, title=title, notes=_notes(found.spans))


def values_agreement_rows(parts: Sequence[JudgesOfValues]) -> Table:
    """The same of all parts in one table, for programs."""
    rows: Rows = [(*part.labels.values(), *row) for part in parts for row in part.rows()]
    return Table([*map(Column, parts[0].labels), *_columns()], rows)


def judges_table(parts: Sequence[JudgesOfValues], *, title: str = "") -> Table:
    """Every judge's agreement on errors with the others."""
    rows: Rows = []
    for part in parts:
        spans = part.spans
        for judge, values in {} if spans is None else spans.by_judge.items():
            pairs = 0 if spans is None else spans.pairs_of[judge]
            rows.append((*part.labels.values(), judge, pairs, *map(_defined, values)))
    names = [name for name in WORDS if name != "alpha"]
    columns = [*map(Column, parts[0].labels), Column("judge"), Column("pairs", "right")]
    columns += [Column(name, "right", ".3f") for name in names]
    return Table(columns, rows, title=title)


def _columns() -> list[Column]:
    return [Column("agreement"), *_NUMBERS, Column("n", "right")]


def _notes(found: SpanAgreement | None) -> list[str]:
    if found is None:
        return ["nobody marked errors"]
    if not found.pairs:
        return ["no text's errors were marked by two judges"]
    return [f"{found.errors} errors in {found.segments} segments; n: judges of one text, in pairs"]


def _cells(one: SpanMeasure) -> tuple[Cell, ...]:
    numbers = (one.value, one.low, one.high, one.chance)
    return (one.name, *map(_defined, numbers))


def _defined(value: float) -> float | None:
    return None if value != value else value
