"""``rankwise score --resamples 0``: a table of corpus scores alone."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankwise.evaluate.plain_scores import PlainScores, digits_of

if TYPE_CHECKING:
    from rankwise.metrics import Metric
    from rankwise.present.tables import Table


def plain_table(found: PlainScores) -> "Table":
    """A row per system, a column per metric, the best of each marked."""
    from rankwise.present.tables import Column, Table

    columns = [Column("system"), *(Column(str(metric), "right") for metric in found.metrics)]
    rows: list[list[str]] = []
    marked = []
    for row, system in enumerate(found.order):
        cells = zip(found.metrics, found.values, strict=True)
        written = [format(values[system], digits_of(metric)) for metric, values in cells]
        rows.append([found.systems[system], *written])
        best = [m for m in range(len(found.metrics)) if found.is_best(m, system)]
        marked += [(row, 1 + m) for m in best]
    return Table(columns, rows, marked=marked)


def signatures(metrics: "Sequence[Metric]") -> list[str]:
    """What a person should copy beside the numbers of text files with one reference."""
    return [line for metric in metrics for line in (f"{metric.signature}:nrefs=1", *metric.notes)]
