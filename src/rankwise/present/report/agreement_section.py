"""Metrics against people: one scatter plot per metric, and the measures of agreement."""

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
from rankwise.present.report.report_cells import written
from rankwise.present.tables import Cell, Column, Table


def agreement_section(findings: Findings, done: Done | None = None) -> Section | None:
    """How far metrics agree with people; None without both.

    *done* is called with shares of what takes long, the intervals.
    """
    if not findings.results or not findings.golds:
        return None
    leads = ["Each dot is a system: people across, the metric up; the line is the best fit."]
    tables: list[Table] = []
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
