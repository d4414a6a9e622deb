"""Where scores come from: their spread over segments, and by domain, document and length."""

from collections.abc import Collection, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.scoreboard import Scoreboard, Standing
from rankwise.evaluate.segment_groups import places_of_groups
from rankwise.evaluate.system_scores import SystemScores
from rankwise.present.charts.box_chart import box_chart, quantiles, usual_range
from rankwise.present.charts.chart_canvas import cut_name
from rankwise.present.charts.matrix_chart import Square, Tone, matrix_chart
from rankwise.present.figures.boxes import boxes
from rankwise.present.figures.group_scores import group_scores
from rankwise.present.page.html_page import Chart, Section
from rankwise.present.report.findings import Findings
from rankwise.present.report.report_cells import defined
from rankwise.present.score_tables import group_table, number_formats
from rankwise.present.tables import Cell, Column, Table

#: Groups that a chart has room for: those with the most segments.
SHOWN = 20


def distribution_section(findings: Findings) -> Section | None:
    """One chart of boxes per metric, and for human scores; None without scores of segments."""
    boards = [board for board in (findings.board, findings.human) if board is not None]
    if not boards:
        return None
    charts = [_boxes(standing) for board in boards for standing in board.standings]
    lead = (
        "Scores of single segments: a box spans the middle half of them with the median in it, "
        "whiskers reach from 5 % to 95 %. An arrow marks one that goes on beyond the chart; the "
        "data behind it has the numbers."
    )
    return Section("Score distributions", lead, charts=charts)


def _boxes(standing: Standing) -> Chart:
    result = standing.result
    name, (number, _) = str(result.metric), number_formats(result)
    systems = result.systems if standing.board is None else standing.board.systems
    spread = [quantiles(result.segments.row(system)) for system in systems]
    svg = box_chart(systems, spread, title=f"{name}: scores of segments", axis=name)
    heads = ("5 %", "25 %", "median", "75 %", "95 %")
    columns = [Column("system"), *(Column(head, "right", number) for head in heads)]
    rows: list[tuple[Cell, ...]] = [(s, *box) for s, box in zip(systems, spread, strict=True)]
    draw = partial(boxes, systems, spread, title="", axis=name, ends=usual_range(spread))
    return Chart(f"distribution-{name}", svg, f"{name} of segments.", Table(columns, rows), draw)


def group_sections(findings: Findings) -> list[Section]:
    """One section for each of domain, document and length that segments have."""
    boards = [board for board in (findings.board, findings.human) if board is not None]
    groupings = dict.fromkeys(name for board in boards for name in board.scored.labels)
    found = []
    for grouping in groupings:
        groups = places_of_groups(boards[0].scored.labels[grouping], grouping)
        if len(groups) < 2:
            continue
        shown = _largest(groups)
        charts = [_groups(board, grouping, shown) for board in boards]
        found.append(Section(f"By {grouping}", _lead(grouping, groups), charts=charts))
    return found


def _lead(grouping: str, groups: Collection[str]) -> str:
    count, what = len(groups), grouping
    if grouping == "length":
        unit = "characters" if any(label.endswith("chars") for label in groups) else "words"
        what = f"length of the reference in {unit}"
    cut = f" Shown are the {SHOWN} with the most segments of {count}." if count > SHOWN else ""
    return (
        f"Scores by {what}: blue is better than the mean of all systems there, orange worse; the "
        f"table behind a chart has the other metrics too.{cut}"
    )


def _largest(groups: Mapping[str, NDArray[np.intp]]) -> dict[str, NDArray[np.intp]]:
    """The groups with the most segments, in their own order."""
    order = sorted(groups, key=lambda name: -len(groups[name]))[:SHOWN]
    return {name: places for name, places in groups.items() if name in order}


def _groups(board: Scoreboard, grouping: str, shown: Mapping[str, NDArray[np.intp]]) -> Chart:
    """The first metric on every group; the table behind has all metrics."""
    result = board.scored.results[0]
    order = board.order.tolist()
    systems = board.systems
    parts = {label: result.where(places) for label, places in shown.items()}
    scores = np.stack([part.corpus[order] for part in parts.values()], axis=1)
    name, short = str(result.metric), number_formats(result)[1]
    most = 13 if grouping == "length" else 12
    heads = [f"{cut_name(label, most)} ({part.scored_count})" for label, part in parts.items()]
    svg = matrix_chart(
        systems, heads, _squares(result, scores, systems, heads, short),
        title=f"{name} by {grouping}",
        description=f"{len(systems)} systems by {len(heads)} groups.",
    )  # fmt: skip
    draw = partial(group_scores, systems, heads, scores, _lead_over_mean(result, scores), axis=name)
    caption = f"{name} by {grouping}; in brackets, segments with a score."
    table = group_table(board, grouping, shown=set(shown))
    rows = [[defined(c) if isinstance(c, float) else c for c in row] for row in table.rows]
    plain = Table(table.columns, rows, marked=table.marked)
    return Chart(f"{grouping}-{name}", svg, caption, plain, draw)


def _lead_over_mean(result: SystemScores, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much better than the mean of its group every score is, as a share of the largest lead."""
    sign = 1.0 if result.metric.higher_is_better else -1.0
    present = ~np.isnan(scores)
    totals = np.where(present, scores, 0.0).sum(axis=0)
    lead: NDArray[np.float64] = sign * (scores - totals / np.maximum(1, present.sum(axis=0)))
    largest = float(np.nanmax(np.abs(lead), initial=0.0))
    return lead / largest if largest > 0 else lead


def _squares(
    result: SystemScores,
    scores: NDArray[np.float64],
    systems: tuple[str, ...],
    heads: list[str],
    number: str,
) -> list[list[Square]]:
    lead = _lead_over_mean(result, scores)
    rows = []
    for row, system in enumerate(systems):
        cells = []
        for column, head in enumerate(heads):
            score, ahead = float(scores[row, column]), float(lead[row, column])
            if np.isnan(score):
                cells.append(Square())
                continue
            tone: Tone = "above" if ahead >= 0 else "below"
            text = format(score, number)
            cells.append(Square(tone, 0.8 * abs(ahead), text, f"{system}, {head}: {text}"))
        rows.append(cells)
    return rows
