"""The human ranking with rank ranges: from rankings, or from scores that people gave."""

from functools import partial

from rankwise.evaluate.ranking.value_ranking import ValueRanking
from rankwise.present.charts.rank_range_chart import rank_range_chart
from rankwise.present.figures.rank_ranges import rank_ranges
from rankwise.present.page.html_page import Chart, Section
from rankwise.present.rank_tables import LINE, leaderboard_table, line_cells
from rankwise.present.report.findings import Findings
from rankwise.present.report.report_cells import ranks_text, rules_of
from rankwise.present.report.score_section import score_chart
from rankwise.present.score_tables import number_formats, signature_lines
from rankwise.present.tables import Column, Table
from rankwise.present.unsure_lines import unsure_notes
from rankwise.present.values.span_section import agreement_tables, place_charts
from rankwise.present.values.value_tables import error_table, value_table
from rankwise.types import Leaderboard

_LEAD = (
    "A line is drawn only where no range of ranks crosses it: every system above it is better than "
    "all below. Within a cluster two systems may differ or not. The column line says in which "
    "share of the resamples the line below held."
)


_VALUES = (
    "The score is the mean of a mixed model that takes strict judges and hard segments away; its "
    "interval and the ranks count judgments of one judge and of one document as dependent. raw is "
    "the plain mean, z that of every judge's standardised values."
)


def human_sections(findings: Findings) -> list[Section]:
    """One section for rankings, one for scores; none without either."""
    found = []
    if findings.ranking is not None:
        board, judgments = findings.ranking.board, findings.ranking.part.judgments
        about = (
            f" {len(judgments):,} rankings ({int(judgments.is_skipped.sum()):,} skipped) give "
            f"{judgments.pair_count:,} pairs."
        )
        if findings.ranking.warning:
            about += f" Note that {findings.ranking.warning}."
        chart = range_chart(board, "human ranking")
        table = leaderboard_table(board)
        found.append(
            Section("Human ranking", _LEAD + about, [table], [chart], signatures=[board.signature])
        )
    if findings.human is not None:
        found.append(_scores(findings))
    return found


def _scores(findings: Findings) -> Section:
    assert findings.human is not None
    standing = findings.human.standings[0]
    name, ranking = str(standing.result.metric), standing.board
    charts = [score_chart(standing, "mean")]
    tables = []
    if findings.values is not None:
        return _values(findings, findings.values, charts)
    if ranking is not None:
        charts.insert(0, range_chart(ranking, name))
        number = number_formats(standing.result)[0]
        columns = [
            Column("cluster", "right"),
            Column("ranks"),
            Column("mean", "right", number),
            LINE,
            Column("system"),
        ]
        cells = (ranking.clusters.tolist(), ranks_text(ranking), ranking.scores.tolist())
        rows = list(zip(*cells, line_cells(ranking), ranking.systems, strict=True))
        tables = [Table(columns, rows, rules=rules_of(ranking), notes=unsure_notes(ranking))]
    judged, every = standing.result.scored_count, findings.human.scored.segments
    over = (
        f"{judged:,} segments"
        if judged == every
        else f"the {judged:,} of {every:,} segments judged"
    )
    lead = f"Means of {name} over {over}, higher is better. {_LEAD}"
    return Section(
        f"Human scores: {name}", lead, tables, charts, signatures=signature_lines(findings.human)
    )


def _values(findings: Findings, values: ValueRanking, charts: list[Chart]) -> Section:
    """The ranking by single values; what judges marked, if they did."""
    assert findings.human is not None
    name = str(findings.human.standings[0].result.metric)
    tables = [value_table(values), *([error_table(values)] if values.errors is not None else [])]
    tables += agreement_tables(findings.study)
    counts = ", ".join(f"{count:,} {what}" for what, count in values.totals.items())
    lead = f"{counts}; higher is better. {_VALUES} {_LEAD}"
    if values.notes:
        lead += f" Note: {'; '.join(values.notes)}."
    return Section(
        f"Human scores: {name}",
        lead,
        tables,
        [
            range_chart(values.board, name),
            *charts,
            *place_charts(findings.study, values.board.systems),
        ],
        signatures=[values.board.signature, *signature_lines(findings.human)],
    )


def range_chart(board: Leaderboard, what: str) -> Chart:
    """The ranges of ranks of a leaderboard."""
    columns = [
        Column("system"),
        Column("score", "right", ".4g"),
        Column("rank low", "right"),
        Column("rank high", "right"),
        Column("cluster", "right"),
    ]
    numbers = (board.scores, board.rank_low, board.rank_high, board.clusters)
    rows = list(zip(board.systems, *(column.tolist() for column in numbers), strict=True))
    title = f"Rank ranges: {what}"
    svg = rank_range_chart(board, title=title)
    caption = "The ranks that resampling left to each system; dashed lines separate clusters."
    draw = partial(rank_ranges, board, title="")
    return Chart(f"ranks-{what}", svg, caption, Table(columns, rows), draw)
