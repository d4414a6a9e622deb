"""Metrics against people: one scatter plot per metric, and the measures of agreement."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from rankwise.agreement.tables import correlation
from rankwise.evaluate.meta.meta_intervals import meta_intervals
from rankwise.evaluate.system_scores import SystemScores
from rankwise.evaluate.work_done import Done, part_of
from rankwise.present.charts.scatter_chart import scatter_chart
from rankwise.present.figures.scatter import scatter
from rankwise.present.meta_tables import agreement_table, meta_table
from rankwise.present.page.html_page import Chart, Section
from rankwise.present.report.findings import Findings, Gold
from rankwise.present.report.report_cells import defined, written
from rankwise.present.score_tables import number_formats
from rankwise.present.tables import Cell, Column, Table


def agreement_section(findings: Findings, done: Done | None = None) -> Section | None:
    """How far metrics agree with people; None without both.

    *done* is called with shares of what takes long, the intervals.
    """
    if not findings.results or not findings.golds:
        return None
    leads = [
        "Systems stand in the order of people; the best of each column is bold. In the pictures "
        "each dot is a system: people across, the metric up; the line is the best fit."
    ]
    tables = [_side_by_side(findings.golds, findings.results)]
    signatures: list[str] = []
    if findings.agreements:
        leads.append(
            "Against rankings, Pearson, Kendall (tau-b) and pairwise accuracy compare scores of "
            "systems; segment tau (WMT14) compares scores of segments with single preferences; "
            "low and high are its 95 % interval over resampled segments."
        )
        title = "Agreement with the human ranking"
        tables.append(replace(agreement_table(findings.agreements), title=title))
    if findings.meta is not None:
        leads.append(
            "Against human scores, metrics of one rank do not differ significantly, by exchanging "
            "whole segments; spa compares confidence in pairs of systems, acc-eq "
            "preferences with ties in segments. Brackets hold 95 % intervals over resampled "
            "segments."
        )
        name = findings.meta.data[0].gold_name
        ends = None
        if findings.options.draws:
            ends = meta_intervals(findings.meta, progress=part_of(done, 100))
        found = meta_table(findings.meta, intervals=ends)
        tables.append(
            Table(
                [replace(column, name=column.name.strip()) for column in found.columns],
                found.rows,
                f"Agreement with {name}",
                [line.replace("; * rank 1", "; rank 1 is bold").lstrip() for line in found.notes],
                found.marked,
            )
        )
        signatures += [
            f"{task.label.strip()}: {task.measure.signature}" for task in findings.meta.tasks
        ]
    charts = [_scatter(result, gold) for gold in findings.golds for result in findings.results]
    return Section("Metrics and people", " ".join(leads), tables, charts, signatures=signatures)


def _side_by_side(golds: Sequence[Gold], results: Sequence[SystemScores]) -> Table:
    """The scores of all systems, in the order of the first of *golds*; the best are marked.

    A cell is empty where a system has no score of that column.
    """
    systems = tuple(dict.fromkeys(golds[0].board.systems + results[0].systems))
    columns = [Column("system")]
    cells: list[list[Cell]] = [list(systems)]
    marked: list[tuple[int, int]] = []
    for gold in golds:
        scores = dict(zip(gold.board.systems, gold.board.scores.tolist(), strict=True))
        columns.append(Column(f"people: {gold.name.removeprefix('human ')}", "right", ".3f"))
        cells.append([_cell(scores, system) for system in systems])
        marked += _best(cells[-1], len(cells) - 1, 1)
    for result in results:
        scores = dict(zip(result.systems, result.corpus.tolist(), strict=True))
        columns.append(Column(str(result.metric), "right", number_formats(result)[0]))
        cells.append([_cell(scores, system) for system in systems])
        marked += _best(cells[-1], len(cells) - 1, 1 if result.metric.higher_is_better else -1)
    rows = list(zip(*cells, strict=True))
    return Table(columns, rows, "People and metrics side by side", marked=marked)


def _cell(scores: dict[str, float], system: str) -> Cell:
    return defined(scores[system]) if system in scores else None


def _best(cells: Sequence[Cell], column: int, sign: int) -> list[tuple[int, int]]:
    """The places of the best scores of a column."""
    known = [sign * cell for cell in cells if isinstance(cell, float)]
    return [
        (row, column)
        for row, cell in enumerate(cells)
        if isinstance(cell, float) and sign * cell == max(known)
    ]


def _scatter(result: SystemScores, gold: Gold) -> Chart:
    names = [system for system in gold.board.systems if system in result.systems]
    human = gold.board.scores[[gold.board.systems.index(system) for system in names]]
    metric = result.corpus[[result.systems.index(system) for system in names]]
    quality = metric if result.metric.higher_is_better else -metric
    figures = {
        "Pearson": correlation.pearson(human, quality),
        "Kendall": correlation.kendall(human, quality),
        "accuracy": correlation.pairwise_accuracy(human, quality),
    }
    name = str(result.metric)
    words = ", ".join(f"{what} {written(value, '.3f')}" for what, value in figures.items())
    lower = "" if result.metric.higher_is_better else " (lower is better)"
    svg = scatter_chart(
        names,
        human.tolist(),
        metric.tolist(),
        title=f"{name} against {gold.name}",
        x_title=gold.name,
        y_title=f"{name}{lower}",
    )
    rows: list[tuple[Cell, ...]] = list(zip(names, human.tolist(), metric.tolist(), strict=True))
    columns = [Column("system"), Column("people", "right", ".4g"), Column(name, "right", ".4f")]
    draw = partial(
        scatter, names, np.asarray(human), np.asarray(metric), title=words,
        human_label=gold.name, metric_label=f"{name}{lower}",
    )  # fmt: skip
    caption = f"{name} against {gold.name}: {words}."
    return Chart(f"agreement-{gold.name}-{name}", svg, caption, Table(columns, rows), draw)
