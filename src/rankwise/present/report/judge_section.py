"""What the judges did: how often which systems met, and how far the judges agree."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.krippendorff import alpha_of_values
from rankwise.evaluate.ranking.human_ranking import HumanRanking
from rankwise.present.charts.matrix_chart import Square, matrix_chart
from rankwise.present.figures.heat_map import heat_map
from rankwise.present.page.html_page import Chart, Section
from rankwise.present.rank_tables import agreement_table, judge_table, win_table
from rankwise.present.report.findings import Findings
from rankwise.present.report.report_cells import defined
from rankwise.present.tables import Cell, Column, Table
from rankwise.types import Assessments
from rankwise.types.judging.assessments import REAL_ROLES


def judgment_section(findings: Findings) -> Section | None:
    """How often every two systems were compared, and who won."""
    ranking = findings.ranking
    if ranking is None:
        return None
    lead = (
        "How often people compared every two systems, ties included: an uneven map says that some "
        "differences rest on few judgments. The table says how often the system of the column was "
        "better than that of the row, ties left out."
    )
    return Section("Judgments", lead, [win_table(ranking)], [heat_chart(ranking)])


def heat_chart(ranking: HumanRanking) -> Chart:
    """The numbers of comparisons as squares."""
    systems, counts = ranking.board.systems, ranking.compared
    numbers = [str(number) for number in range(1, len(systems) + 1)]
    most = max(1, int((counts - np.diag(np.diag(counts))).max()))
    squares = [
        [
            Square()
            if i == j
            else Square(
                "heat", counts[i, j] / most, str(counts[i, j]), _met(one, two, counts[i, j])
            )
            for j, two in enumerate(systems)
        ]
        for i, one in enumerate(systems)
    ]
    svg = matrix_chart(
        systems, numbers, squares, title="Judgments per pair of systems", numbered=True,
        description=f"{len(systems)} by {len(systems)} systems, best first.",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (systems[i], systems[j], int(counts[i, j]))
        for i in range(len(systems))
        for j in range(i + 1, len(systems))
    ]
    table = Table([Column("system"), Column("other"), Column("comparisons", "right")], rows)
    draw = partial(heat_map, systems, counts, title="")
    return Chart("judgments", svg, "Comparisons of every two systems.", table, draw)


def _met(one: str, two: str, count: int) -> str:
    return f"{one} and {two}: {count} comparisons"


def annotator_section(findings: Findings) -> Section | None:
    """How far judges agree, with each other and with themselves; None without judges."""
    tables = []
    if findings.ranking is not None and findings.ranking.agreement is not None:
        tables += [agreement_table(findings.ranking), judge_table(findings.ranking)]
    if findings.study.assessments is not None:
        tables.append(assessment_table(findings.study.assessments))
    if not tables:
        return None
    lead = (
        "Kappa and alpha are 1 where judges always agree and 0 where they agree as often as chance "
        "would have it. Inter is agreement with other judges on the same outputs, intra that of "
        "judges with themselves; low and high are the ends of the interval over segments."
    )
    return Section("Annotator agreement", lead, tables)


def assessment_table(assessments: Assessments) -> Table:
    """Krippendorff's alpha of scores on outputs that several judges scored, raw and standardised.

    A judge's second score of an output counts as another value of it.
    """
    wanted = np.array([role in REAL_ROLES for role in assessments.roles], np.bool_)
    real = wanted[assessments.role] & ~np.isnan(assessments.value)
    unit = assessments.system.astype(np.int64) * len(assessments.segments) + assessments.segment
    units, sizes = np.unique(unit[real], return_counts=True)
    rows: list[tuple[Cell, ...]] = [
        (what, len(assessments.judges), len(units), int((sizes > 1).sum()),
         defined(_alpha(unit[real], values[real])))
        for what, values in (
            ("as given", assessments.value), ("standardised by judge", assessments.standardised())
        )
    ]  # fmt: skip
    columns = [
        Column("scores"),
        *(Column(head, "right") for head in ("judges", "outputs", "scored twice or more")),
        Column("interval alpha", "right", ".3f"),
    ]
    return Table(columns, rows, title="agreement of scores")


def _alpha(unit: NDArray[np.int64], values: NDArray[np.float64]) -> float:
    if not len(values):
        return float("nan")
    return alpha_of_values(np.unique(unit, return_inverse=True)[1], values, level="interval")
