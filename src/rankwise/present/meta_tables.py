"""A meta-evaluation as tables: narrow for people, with every number apart for programs."""

import math
from collections.abc import Mapping, Sequence

from rankwise import __version__
from rankwise.agreement.tables.score_value import Value
from rankwise.evaluate.meta.against_people import Agreement
from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation, MetaTask
from rankwise.evaluate.meta.meta_intervals import Ends
from rankwise.evaluate.meta.meta_scores import PairScores
from rankwise.present.tables import Cell, Column, Table

_TESTS = {"permutation": "permutation test", "bootstrap": "bootstrap", "williams": "Williams test"}


def meta_table(
    found: MetaEvaluation,
    *,
    for_people: bool = True,
    intervals: Mapping[str, Ends] | None = None,
) -> Table:
    """One row per metric, best average first; every task with its rank and value.

    Metrics of one rank are not significantly worse than the best of it. People see ``2 0.972``;
    programs see ranks, values and thresholds in columns of their own. With *intervals*, each value
    is followed by the ends of its interval.
    """
    columns = [Column("metric")]
    order = found.order.tolist()
    cells: list[list[Cell]] = [[found.metrics[place] for place in order]]
    marked: list[tuple[int, int]] = []
    has_average = len(found.tasks) > 1
    if has_average:
        _add(columns, cells, "average", found.ranks, found.average, order, for_people)
    for task in found.tasks:
        _add(columns, cells, task.label, task.ranks, task.numbers, order, for_people)
        if intervals is not None:
            _add_ends(columns, cells, task.label, intervals[task.label], order, for_people)
        if not for_people and any(v is not None and v.epsilon is not None for v in task.values):
            columns.append(Column(f"{task.label} epsilon", "right"))
            cells.append([_epsilon(task.values[place]) for place in order])
    if for_people:
        marked = _first_ranks(found, columns, order)
    rows: list[tuple[Cell, ...]] = list(zip(*cells, strict=True))
    return Table(columns, rows, notes=_notes(found), marked=marked, facts=_facts(found))


def _first_ranks(
    found: MetaEvaluation, columns: list[Column], order: list[int]
) -> list[tuple[int, int]]:
    """The cells of metrics with rank 1."""
    ranks = {task.label: task.ranks for task in found.tasks} | {"average": found.ranks}
    return [
        (row, column)
        for column, heading in enumerate(columns)
        for row, place in enumerate(order)
        if heading.name in ranks and ranks[heading.name][place] == 1
    ]


def agreement_table(found: Sequence[Agreement]) -> Table:
    """One row per metric: agreement over systems, and over single human preferences.

    The ends of intervals have columns where there is any.
    """
    has_intervals = not all(math.isnan(a.segment_low) for a in found)
    names = ["Pearson", "Kendall", "accuracy", "segment tau"] + ["low", "high"] * has_intervals
    columns = [
        Column("metric"),
        *(Column(name, "right", ".3f") for name in names),
        Column("pairs", "right"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            str(a.metric),
            *(a.pearson, a.kendall, a.accuracy, a.segment_tau),
            *((_number(a.segment_low), _number(a.segment_high)) if has_intervals else ()),
            a.pairs,
        )
        for a in found
    ]
    return Table(columns, rows)


def significance_table(found: MetaEvaluation) -> Table:
    """Every pair of metrics under every task, the better one first, with its p-value."""
    columns = [
        Column("task"),
        Column("better"),
        Column("worse"),
        Column("difference", "right", ".4f"),
        Column("p", "right", ".4f"),
    ]
    rows: list[tuple[Cell, ...]] = []
    for task in found.tasks:
        order = [p for p in (-task.numbers).argsort(kind="stable").tolist() if task.ranks[p]]
        for place, a in enumerate(order):
            rows += [
                (
                    task.label,
                    found.metrics[a],
                    found.metrics[b],
                    float(task.numbers[a] - task.numbers[b]),
                    _number(float(task.better[a, b])),
                )
                for b in order[place + 1 :]
            ]
    return Table(columns, rows, facts=_facts(found))


def _add(
    columns: list[Column],
    cells: list[list[Cell]],
    label: str,
    ranks: object,
    values: object,
    order: list[int],
    for_people: bool,
) -> None:
    """Rank and value, in one column or in two."""
    rank: list[int] = ranks.tolist()  # type: ignore[attr-defined]
    value: list[float] = values.tolist()  # type: ignore[attr-defined]
    if not for_people:
        columns += [Column(label, "right", ".4f"), Column(f"{label} rank", "right")]
        cells.append([_number(value[place]) for place in order])
        cells.append([rank[place] or None for place in order])
        return
    columns.append(Column(label, "right"))
    width = len(str(max(rank, default=0)))
    cells.append(
        [
            None if math.isnan(value[p]) else f"{rank[p] or '':>{width}} {value[p]:6.3f}".strip()
            for p in order
        ]
    )


def _add_ends(
    columns: list[Column],
    cells: list[list[Cell]],
    label: str,
    ends: Ends,
    order: list[int],
    for_people: bool,
) -> None:
    """The interval, behind the value for people, in two columns for programs."""
    low, high = (end.tolist() for end in ends)
    if for_people:
        columns.append(Column(f"{label} interval", "right"))
        cells.append(
            [None if math.isnan(low[p]) else f"[{low[p]:.3f}, {high[p]:.3f}]" for p in order]
        )
        return
    for name, end in (("low", low), ("high", high)):
        columns.append(Column(f"{label} {name}", "right", ".4f"))
        cells.append([_number(end[place]) for place in order])


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _epsilon(value: Value | None) -> Cell:
    return None if value is None else value.epsilon


def _notes(found: MetaEvaluation) -> list[str]:
    trial = found.trial
    notes = [_about(scores) for scores in found.data]
    notes.append("based on: " + "; ".join(f"{task.label} {task.basis}" for task in found.tasks))
    if trial.test in _TESTS:
        drawn = f", {trial.draws} draws, seed {trial.seed}" if trial.test != "williams" else ""
        notes.append(
            f"ranks: {_TESTS[trial.test]} of all pairs of metrics, p <= {trial.alpha:g}"
            f"{drawn}; * rank 1"
        )
    notes += [text for scores in found.data for text in scores.notes]
    return notes + undefined_notes(found)


def _about(scores: PairScores) -> str:
    table = scores.gold.segments if scores.gold.segments is not None else scores.gold.systems
    missing = int((table != table).sum())
    lacking = f"; {missing} of {table.size} cells have no human score" if missing else ""
    segments = f", {len(scores.segments)} segments" if scores.segments else ""
    gold = f" {scores.gold_name}" if scores.gold_name else ""
    return f"{scores.pair}{gold}: {len(scores.systems)} systems{segments}{lacking}"


def undefined_notes(found: MetaEvaluation) -> list[str]:
    """Why values are missing, and how many groups were undefined."""
    notes = []
    for task in found.tasks:
        for name, value in zip(found.metrics, task.values, strict=True):
            if value is not None and math.isnan(value.value):
                notes.append(f"{task.label}: {name} has no value: {value.reason}")
        notes += _lacking_cells(found, task)
    return notes


def _lacking_cells(found: MetaEvaluation, task: MetaTask) -> list[str]:
    """Metrics that lack scores which others have."""
    most = max((value.cells for value in task.values if value is not None), default=0)
    return [
        f"{task.label}: {name} lacks {most - value.cells} of {most} scores"
        for name, value in zip(found.metrics, task.values, strict=True)
        if value is not None and value.cells < most and not math.isnan(value.value)
    ]


def _facts(found: MetaEvaluation) -> dict[str, object]:
    trial = found.trial
    return {
        "measures": {task.label: task.measure.signature for task in found.tasks},
        "based on": {task.label: task.basis for task in found.tasks},
        "weights": {task.label: task.weight for task in found.tasks},
        "test": {
            "method": trial.test,
            "draws": trial.draws,
            "seed": trial.seed,
            "alpha": trial.alpha,
        },
        "data": {
            scores.pair: {
                "gold": scores.gold_name,
                "systems": list(scores.systems),
                "segments": len(scores.segments),
            }
            for scores in found.data
        },
        "counts": {
            task.label: {
                name: {
                    "cells": value.cells,
                    "missing": value.missing,
                    "groups": value.groups,
                    "undefined": value.undefined,
                }
                for name, value in zip(found.metrics, task.values, strict=True)
                if value is not None
            }
            for task in found.tasks
        },
        "notes": undefined_notes(found),
        "version": __version__,
    }
