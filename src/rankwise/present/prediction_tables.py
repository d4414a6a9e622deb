"""How well rankings foretell judgments, as tables."""

from collections.abc import Sequence

from rankwise.evaluate.ranking.prediction_curves import PredictionCurve
from rankwise.evaluate.ranking.predictions import Prediction
from rankwise.present.tables import Cell, Column, Table


def prediction_table(found: Sequence[tuple[str, Prediction]]) -> Table:
    """A row for each language pair, named where there are several."""
    columns = [
        Column("model"),
        Column("accuracy", "right", ".4f"),
        Column("radius", "right", "g"),
        Column("upper bound", "right", ".4f"),
        Column("perplexity", "right", ".3f"),
        Column("radius for perplexity", "right", "g"),
        Column("comparisons", "right"),
        Column("unknown", "right"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            one.model,
            one.accuracy,
            one.accuracy_radius,
            one.upper_bound,
            one.perplexity,
            one.perplexity_radius,
            one.compared,
            one.unknown,
        )
        for _, one in found
    ]
    return _with_parts([title for title, _ in found], columns, rows)


def prediction_curve_table(found: Sequence[tuple[str, PredictionCurve]]) -> Table:
    """A row for each amount of data; accuracy and perplexity with their standard errors."""
    columns = [
        Column("pairs", "right"),
        Column("accuracy", "right", ".4f"),
        Column("± accuracy", "right", ".4f"),
        Column("radius", "right", "g"),
        Column("perplexity", "right", ".3f"),
        Column("± perplexity", "right", ".3f"),
        Column("radius for perplexity", "right", "g"),
    ]
    rows: list[tuple[Cell, ...]] = []
    titles = []
    for title, curve in found:
        numbers = (
            curve.accuracy,
            curve.accuracy_error,
            curve.accuracy_radius,
            curve.perplexity,
            curve.perplexity_error,
            curve.perplexity_radius,
        )
        rows += zip(curve.sizes, *(column.tolist() for column in numbers), strict=True)
        titles += [title] * len(curve.sizes)
    return _with_parts(titles, columns, rows)


def _with_parts(
    titles: Sequence[str], columns: Sequence[Column], rows: Sequence[tuple[Cell, ...]]
) -> Table:
    """The table, with a column of language pairs where they have names."""
    if not any(titles):
        return Table(columns, rows)
    named = [(title, *row) for title, row in zip(titles, rows, strict=True)]
    return Table([Column("language pair"), *columns], named)
