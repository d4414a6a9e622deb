"""A learned metric as tables: its weights, its agreement with people, its learning curve."""

from collections.abc import Sequence

from rankwise.evaluate.metric_learning.learned import CurvePoint, Learned
from rankwise.present.tables import Cell, Column, Table


def weight_table(found: Learned) -> Table:
    """A row per feature, the weightiest first; features without weight come last.

    The weight is that of the feature on its standard scale, so that weights compare; of steps it is
    the sum of a feature's steps, of trees how many nodes ask for the feature.
    """
    weights = found.model.scorer.importance(found.model.columns)
    described = {feature.name: feature.description for feature in found.features.features}
    order = sorted(weights, key=lambda name: -abs(weights[name]))
    rows: list[tuple[Cell, ...]] = [(name, weights[name], described[name]) for name in order]
    columns = [Column("feature"), Column("weight", "right", "+.4f"), Column("what it is")]
    return Table(columns, rows, notes=measured_notes(found), facts=dict(found.model.measured))


def measured_notes(found: Learned) -> tuple[str, ...]:
    """Sentences on what was tried and how far the model agrees with people."""
    tried = [f"{trial.learner}: accuracy {trial.mean:.4f}" for trial in found.trials]
    measured = [f"{name}: {value:.4f}" for name, value in found.model.measured.items()]
    return (*tried, f"learner: {found.learner}", *measured)


def curve_table(points: Sequence[CurvePoint]) -> Table:
    """A row per share of the training data."""
    columns = [
        Column("share", "right", ".0%"),
        Column("preferences", "right"),
        Column("accuracy", "right", ".4f"),
    ]
    return Table(columns, [tuple(point) for point in points])
