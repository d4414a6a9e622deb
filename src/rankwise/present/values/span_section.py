"""What people marked, in the report: how far they agree on errors, and where errors lie."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from rankwise.evaluate.marked.error_places import ErrorPlaces, error_places
from rankwise.evaluate.marked.span_agreement import span_agreement
from rankwise.present.charts.place_chart import place_chart
from rankwise.present.figures.error_strips import error_strips
from rankwise.present.page.html_page import Chart
from rankwise.present.tables import Column, Table
from rankwise.present.values.span_tables import WORDS, span_table
from rankwise.types import Study


def agreement_tables(study: Study) -> list[Table]:
    """How far judges agree on errors; nothing where no two marked the same text."""
    if study.assessments is None or "spans" not in study.assessments.info:
        return []
    found = span_agreement(study.assessments, texts=study.texts)
    if not found.pairs:
        return []
    table = span_table(found)
    rows = [(WORDS[str(name)], *rest) for name, *rest in table.rows]
    return [replace(table, rows=rows, title="agreement of judges on errors")]


def place_charts(study: Study, systems: Sequence[str]) -> list[Chart]:
    """A strip of heat for every system and severity: within segments, and within documents.

    They come in the order of *systems*.
    """
    if study.assessments is None or study.texts is None:
        return []
    found = []
    for unit, in_documents in (("segment", False), ("document", True)):
        places = error_places(study.assessments, study.texts, in_documents=in_documents)
        if places is not None:
            found += list(_charts(places.ordered(systems), unit))
    return found


def _charts(places: ErrorPlaces, unit: str) -> Iterator[Chart]:
    strips = {name: places.shares(name) for name in places.severities}
    for severity, shares in strips.items():
        words = severity or "all"
        title = f"Where {words} errors lie in a {unit}"
        columns = [Column("system")]
        columns += [Column(f"tenth {n + 1}", "right", ".4f") for n in range(shares.shape[1])]
        cells = [[None if cell != cell else cell for cell in row] for row in shares.tolist()]
        rows = [(name, *row) for name, row in zip(places.systems, cells, strict=True)]
        yield Chart(
            f"errors-{words}-{unit}",
            place_chart(places.systems, shares, title=title),
            f"Percent of the characters of every tenth of a {unit} that judges marked as {words} "
            "errors.",
            Table(columns, rows),
            partial(error_strips, places.systems, shares, axis=f"tenth of the {unit}"),
        )
