"""Systems by metrics, with intervals and clusters."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rankwise.evaluate.scoreboard import Scoreboard, Standing
from rankwise.present.charts.interval_chart import interval_chart
from rankwise.present.figures.score_intervals import score_intervals
from rankwise.present.page.html_page import Chart, Section
from rankwise.present.report.report_cells import ranks_text, rules_of
from rankwise.present.score_tables import number_formats, signature_lines, table_for_people
from rankwise.present.tables import Cell, Column, Table


def score_section(board: Scoreboard) -> Section:
    """The table of all metrics, and a chart for each."""
    level = board.resampling.level
    table = table_for_people(board)
    lead = "Systems sorted by the first metric; the best of each column is bold."
    ranking = board.standings[0].board
    if ranking is not None:
        table = replace(table, rules=rules_of(ranking))
        lead = (
            "Systems sorted and clustered by the first metric: every system of a cluster is better "
            "than all of the next, in resampled test sets; within a cluster two may differ or not. "
            f"Brackets hold the {level:.0%} interval, ranks are those that resampling left to a "
            "system, the best of each column is bold."
        )
    return Section(
        "Automatic scores",
        lead,
        [replace(table, facts={})],
        [score_chart(standing) for standing in board.standings],
        signatures=signature_lines(board),
    )


def score_chart(standing: Standing, what: str = "score") -> Chart:
    """Scores with intervals under one metric, by its own ranking."""
    result, ranking = standing.result, standing.board
    name = str(result.metric)
    names = list(ranking.systems) if ranking is not None else _by_quality(standing)
    places = [result.systems.index(system) for system in names]
    scores = result.corpus[places].tolist()
    ends = _ends(standing, places)
    clusters = [] if ranking is None else ranking.clusters.tolist()
    lower = "" if result.metric.higher_is_better else ", lower is better"
    title = f"{name}: scores of the systems"
    svg = interval_chart(names, scores, ends, title=title, axis=f"{name}{lower}", clusters=clusters)
    caption = f"{name}{lower}."
    if ranking is not None:
        caption = f"{name}{lower}: {what} and interval; dashed lines separate clusters."
    table = _numbers(standing, names, scores, ends)
    draw = partial(score_intervals, names, scores, ends, clusters=clusters, title="", axis=name)
    return Chart(f"scores-{name}", svg, caption, table, draw)


def _numbers(
    standing: Standing, names: list[str], scores: list[float], ends: list[tuple[float, float]]
) -> Table:
    """The table behind a chart; intervals and clusters only where there are any."""
    ranking, number = standing.board, number_formats(standing.result)[0]
    columns = [Column("system"), Column("score", "right", number)]
    parts: list[Sequence[Cell]] = [names, scores]
    if standing.intervals is not None:
        columns += [Column(head, "right", number) for head in ("low", "high")]
        parts += list(zip(*ends, strict=True))
    if ranking is not None:
        columns += [Column("cluster", "right"), Column("ranks")]
        parts += [ranking.clusters.tolist(), ranks_text(ranking)]
    return Table(columns, list(zip(*parts, strict=True)))


def _by_quality(standing: Standing) -> list[str]:
    quality = standing.result.quality.tolist()
    order = sorted(range(len(quality)), key=lambda place: -quality[place])
    return [standing.result.systems[place] for place in order]


def _ends(standing: Standing, places: list[int]) -> list[tuple[float, float]]:
    if standing.intervals is None:
        return [(float("nan"), float("nan"))] * len(places)
    low, high = standing.intervals.low[places].tolist(), standing.intervals.high[places].tolist()
    return list(zip(low, high, strict=True))
