"""A learned metric as tables: its weights, its agreement with people, its learning curve."""

from collections.abc import Sequence
from dataclasses import asdict

from rankwise.evaluate.metric_learning.held_out import LEARNED, HeldOutAccuracy
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
    facts = dict(found.model.measured) | {"compared": [asdict(entry) for entry in found.compared]}
    return Table(columns, rows, notes=tried_notes(found), facts=facts)


def tried_notes(found: Learned) -> tuple[str, ...]:
    """Sentences on what was tried and chosen."""
    tried = [f"{trial.learner}: accuracy {trial.mean:.4f}" for trial in found.trials]
    return (*tried, f"learner: {found.learner}")


def compared_table(found: Learned) -> Table:
    """The learned metric beside the usual ones on what was held out, with intervals."""
    columns = [
        Column("held out"),
        Column("metric"),
        *(Column(name, "right", ".4f") for name in ("accuracy", "low", "high")),
        Column("learned leads by", "right"),
        Column("preferences", "right"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (entry.part, entry.metric, entry.accuracy, entry.low, entry.high, _lead(entry),
         entry.preferences)
        for entry in found.compared
    ]  # fmt: skip
    return Table(columns, rows, notes=_beaten_notes(found))


def _lead(entry: HeldOutAccuracy) -> Cell:
    if entry.metric == LEARNED:
        return None
    return f"{entry.lead:+.4f} [{entry.lead_low:+.4f}, {entry.lead_high:+.4f}]"


def _beaten_notes(found: Learned) -> list[str]:
    """Which usual metrics the learned one does not clearly beat, part by part."""
    notes = []
    for part in dict.fromkeys(entry.part for entry in found.compared):
        near = [
            entry.metric
            for entry in found.compared
            if entry.part == part and entry.metric != LEARNED and not entry.lead_low > 0
        ]
        if near:
            notes.append(f"{part}: not clearly better than {', '.join(near)}")
    return notes


def curve_table(points: Sequence[CurvePoint]) -> Table:
    """A row per share of the training data."""
    columns = [
        Column("share", "right", ".0%"),
        Column("preferences", "right"),
        Column("accuracy", "right", ".4f"),
    ]
    return Table(columns, [tuple(point) for point in points])
