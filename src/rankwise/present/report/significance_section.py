"""Which system is better than which, and how surely: one matrix per metric, one for people."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.ranking.human_ranking import HumanRanking
from rankwise.evaluate.scoreboard import ALPHA, Scoreboard, Standing
from rankwise.present.charts.matrix_chart import Square, Tone, matrix_chart
from rankwise.present.figures.significance import significance_matrix
from rankwise.present.page.html_page import Chart, Section
from rankwise.present.report.findings import Findings
from rankwise.present.report.report_cells import defined
from rankwise.present.tables import Cell, Column, Table

#: A p-value below the number has the strength beside it.
_LEVELS = ((0.001, 1.0), (0.01, 0.75), (0.05, 0.45))
_SHOWN = 16  # systems up to which the p-values are written into the squares
Matrix = NDArray[np.float64]


def significance_section(findings: Findings) -> Section | None:
    """The matrices of all tests; None without any."""
    charts = []
    if findings.ranking is not None and findings.ranking.tests is not None:
        charts.append(_human(findings.ranking))
    for board in (findings.human, findings.board):
        charts += [
            _metric(standing, board)
            for standing in (() if board is None else board.standings)
            if board is not None and standing.tests is not None and standing.board is not None
        ]
    if not charts:
        return None
    lead = (
        "A blue square says that the system of its row is better than that of its column, an "
        "orange one that it is worse; the stronger the colour the smaller the p-value (below .05, "
        ".01, .001). Columns are systems by their number. The p-values are of single pairs, not "
        "corrected for their number; the tables have Holm's correction too, where there are draws "
        "enough for it."
    )
    return Section("Pairwise significance", lead, charts=charts)


def _metric(standing: Standing, board: Scoreboard) -> Chart:
    """With Holm's correction where so many draws can find something after it."""
    tests, ranking = standing.tests, standing.board
    assert tests is not None and ranking is not None
    systems = ranking.systems
    order = [tests.systems.index(system) for system in systems]
    p_values, corrected = (
        _symmetric(tests.left, tests.right, values, len(systems))[np.ix_(order, order)]
        for values in (tests.p_values, tests.holm)
    )
    quality = standing.result.quality[[standing.result.systems.index(s) for s in systems]]
    ahead = np.sign(quality[:, np.newaxis] - quality[np.newaxis, :])
    what = f"{standing.result.metric}, paired {board.resampling.test}"
    is_possible = board.resampling.least_p(len(tests), board.units) < ALPHA
    return pair_chart(systems, ahead, p_values, corrected if is_possible else None, what)


def _human(ranking: HumanRanking) -> Chart:
    assert ranking.tests is not None
    ahead = np.sign(ranking.wins - ranking.wins.T).astype(np.float64)
    p_values, corrected = (ranking.tests.matrix(corrected=c) for c in (False, True))
    return pair_chart(ranking.board.systems, ahead, p_values, corrected, "human ranking, sign test")


def pair_chart(
    systems: tuple[str, ...], ahead: Matrix, p_values: Matrix, corrected: Matrix | None, what: str
) -> Chart:
    """The matrix of p-values; ``ahead[i, j]`` is 1 where system i is better than j, -1 if worse."""
    size = len(systems)
    squares = [
        [
            _square(systems[i], systems[j], float(ahead[i, j]), float(p_values[i, j]), size)
            for j in range(size)
        ]
        for i in range(size)
    ]
    numbers = [str(number) for number in range(1, size + 1)]
    title = f"Significance: {what}"
    described = f"{size} systems by {size} systems, best first."
    svg = matrix_chart(systems, numbers, squares, title=title, description=described, numbered=True)
    draw = partial(significance_matrix, systems, np.where(ahead > 0, p_values, 1.0), title=what)
    table = _table(systems, ahead, p_values, corrected)
    return Chart(f"significance-{what}", svg, f"{what}.", table, draw)


def _square(one: str, two: str, ahead: float, p: float, size: int) -> Square:
    if one == two or np.isnan(p):
        return Square()
    strength = next((strength for limit, strength in _LEVELS if p < limit), 0.0)
    word = "better than" if ahead > 0 else "worse than" if ahead < 0 else "level with"
    text = ("<.01" if p < 0.01 else f"{p:.2f}".removeprefix("0")) if size <= _SHOWN else ""
    tone: Tone = "none" if not strength or not ahead else "above" if ahead > 0 else "below"
    return Square(tone, strength, text, f"{one} {word} {two}: p = {p:.3g}")


def _table(
    systems: tuple[str, ...], ahead: Matrix, p_values: Matrix, corrected: Matrix | None
) -> Table:
    """Every pair once, the better system first."""
    rows: list[tuple[Cell, ...]] = []
    for i in range(len(systems)):
        for j in range(i + 1, len(systems)):
            better, worse = (i, j) if ahead[i, j] >= 0 else (j, i)
            given = [p_values, *([] if corrected is None else [corrected])]
            numbers = [defined(float(values[i, j])) for values in given]
            rows.append((systems[better], systems[worse], *numbers))
    heads = [Column("better"), Column("worse")]
    names = ("p", "p holm")[: 1 if corrected is None else 2]
    return Table([*heads, *(Column(name, "right", ".4f") for name in names)], rows)


def _symmetric(
    left: NDArray[np.intp], right: NDArray[np.intp], values: Matrix, size: int
) -> Matrix:
    matrix = np.full((size, size), np.nan)
    matrix[left, right] = values
    matrix[right, left] = values
    return matrix
