"""A scoreboard as tables: narrow for people, with every number apart for programs.

People see ``34.21 [33.1, 35.4] .012†``: a score, the interval around it and, after a test, the
p-value with a dagger where it is below 0.05. Programs see these in columns of their own.
"""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise import __version__
from rankwise.evaluate.given_scores import GivenScores
from rankwise.evaluate.scoreboard import ALPHA, Scoreboard, Standing
from rankwise.evaluate.segment_groups import places_of_groups
from rankwise.evaluate.system_scores import Scored, SystemScores, whole_signature
from rankwise.present.tables import Cell, Column, Table
from rankwise.present.unsure_lines import unsure_notes
from rankwise.significance import Differences
from rankwise.significance.few_items import LEAST, few_draws

Cells = list[Cell]


def table_for_people(board: Scoreboard, *, with_letters: bool = False) -> Table:
    """Cluster and ranks by the first metric, the system, and one column per metric.

    *with_letters* adds the groups in which no two systems differ.
    """
    columns, cells = _places(board, together=True)
    _add_letters(columns, cells, board if with_letters else None)
    marked = []
    for standing in board.standings:
        columns.append(Column(str(standing.result.metric), "right"))
        cells.append(written_cells(standing, board))
        marked += [(row, len(columns) - 1) for row in best_rows(standing.result, board.order)]
    notes = [*_explanations(board), *(_about_letters(board) if with_letters else [])]
    ranking = board.standings[0].board
    notes += [] if ranking is None else unsure_notes(ranking)
    return _table(board, columns, cells, marked=marked, notes=notes)


def table_for_programs(board: Scoreboard, *, with_letters: bool = False) -> Table:
    """The same with every number in a column of its own."""
    columns, cells = _places(board, together=False)
    _add_letters(columns, cells, board if with_letters else None)
    for standing in board.standings:
        name = str(standing.result.metric)
        for suffix, values in number_cells(standing, board).items():
            columns.append(Column(name + suffix, "right"))
            cells.append(values)
    return _table(board, columns, cells)


def _add_letters(columns: list[Column], cells: list[Cells], board: Scoreboard | None) -> None:
    """The column of letters before that of the systems, which is the last or the first."""
    if board is None or board.letters is None:
        return
    place = next(place for place, column in enumerate(columns) if column.name == "system")
    columns.insert(place, Column("groups"))
    cells.insert(place, list(board.letters))


def _about_letters(board: Scoreboard) -> list[str]:
    metric = board.standings[0].result.metric
    correction = ", Holm's correction" if board.is_corrected else ""
    test = f"paired {board.resampling.test}{correction}, p < {ALPHA}"
    said = f"systems that share a letter do not differ by {metric} ({test})"
    return [said, *_too_few_units(board)]


def pairs_table(board: Scoreboard) -> Table:
    """Every tested pair of systems under every metric, the better system first."""
    columns = [
        Column("metric"),
        Column("better"),
        Column("worse"),
        Column("difference", "right", ".4f"),
        Column("p", "right", ".4f"),
        *([Column("p holm", "right", ".4f")] if board.is_corrected else []),
    ]
    rows: list[list[Cell]] = []
    for standing in board.standings:
        rows += _pair_rows(standing, board)
    last = len(columns) - 1
    marked = [(row, last) for row, cells in enumerate(rows) if _is_below(cells[last])]
    notes = [f"* below {ALPHA}"] if marked else []
    notes += _too_few_units(board)
    return Table(columns, rows, marked=marked, notes=notes, facts=facts(board))


def group_table(board: Scoreboard, grouping: str, *, shown: Collection[str] | None = None) -> Table:
    """Corpus scores of every system on every group of segments, the best of a group marked.

    *shown* names the groups to keep; all of them unless given.
    """
    results = board.scored.results
    columns = [Column(grouping), Column("segments", "right"), Column("system")]
    columns += [Column(str(r.metric), "right", number_formats(r)[0]) for r in results]
    rows: list[list[Cell]] = []
    marked = []
    for label, places in places_of_groups(board.scored.labels[grouping], grouping).items():
        if shown is not None and label not in shown:
            continue
        parts = [result.where(places) for result in results]
        for column, part in enumerate(parts, 3):
            marked += [(len(rows) + row, column) for row in best_rows(part, board.order)]
        count = max(part.scored_count for part in parts)
        for system, place in zip(board.systems, board.order.tolist(), strict=True):
            rows.append([label, count, system, *(part.corpus[place] for part in parts)])
    return Table(columns, rows, marked=marked, facts=facts(board))


def facts(board: Scoreboard) -> dict[str, object]:
    """What decides the numbers, for the JSON object."""
    return scored_facts(board.scored) | drawn_facts(board)


def drawn_facts(board: Scoreboard) -> dict[str, object]:
    """What intervals and tests rest on; nothing where nothing was drawn."""
    first, found = board.standings[0], dict[str, object]()
    if first.intervals is not None:
        drawn = {"resamples": board.resampling.draws, "seed": board.resampling.seed}
        found["intervals"] = drawn | {
            "level": board.resampling.level,
            "unit": board.resampling.unit,
            "method": "bootstrap, percentiles",
        }
    if first.tests is not None:
        found["test"] = {
            "method": f"paired {board.resampling.test}",
            "baseline": board.baseline,
            "correction": "holm" if board.is_corrected else None,
            "signatures": _by_metric(board, "tests"),
        }
    return found


def scored_facts(scored: Scored) -> dict[str, object]:
    """Signatures, numbers of references and segments, version."""
    return {
        "signatures": {str(r.metric): signature(r, scored) for r in scored.results},
        "nrefs": scored.nrefs,
        "segments": scored.segments,
        "version": __version__,
    }


def signature(result: SystemScores, scored: Scored) -> str:
    """The signature of a metric with its references; scores that were given have none."""
    if isinstance(result.metric, GivenScores):
        return result.metric.signature
    return whole_signature(result.metric, scored.which_references)


def signature_lines(board: Scoreboard) -> list[str]:
    """What a person should copy beside the numbers: one line per metric, one for resampling."""
    lines = [
        line
        for result in board.scored.results
        for line in (signature(result, board.scored), *result.metric.notes)
    ]
    first = board.standings[0]
    drawn = board.resampling
    if first.intervals is not None:
        few = f"; widened by Student's t for {board.units} {drawn.unit}s" if board.has_few else ""
        lines.append(
            f"{drawn.level:.0%} intervals: {drawn.draws} bootstrap resamples of {drawn.unit}s, "
            f"seed {drawn.seed}{few}"
        )
        few_resamples = few_draws(drawn.draws, drawn.level, "resamples")
        lines += [] if few_resamples is None else [few_resamples]
        if board.units < LEAST:
            lines.append(
                f"fewer than {LEAST} {drawn.unit}s: ranks and clusters look surer than they "
                f"are, as it takes {LEAST} that agree to tell two systems apart"
            )
    elif board.units == 1:
        lines.append(f"no intervals, no clusters: 1 {drawn.unit} says nothing about others")
    if first.tests is not None and drawn.test == "randomisation":
        lines.append(f"test: {drawn.shuffles} shuffles of {drawn.unit}s, seed {drawn.seed}")
    if first.tests is not None and drawn.compat is not None:
        often = ", which calls equal systems different too often"
        lines.append(f"p as sacreBLEU computes it{often if drawn.test == 'bootstrap' else ''}")
    return lines


# -- parts -----------------------------------------------------------------------------------------


def _places(board: Scoreboard, *, together: bool) -> tuple[list[Column], list[Cells]]:
    """Columns that say who stands where by the first metric."""
    ranking = board.standings[0].board
    if ranking is None:
        return [Column("system")], [list(board.systems)]
    clusters: Cells = ranking.clusters.tolist()
    low, high = ranking.rank_low.tolist(), ranking.rank_high.tolist()
    if together and board.baseline is not None:  # p-values need the room
        return [Column("cluster", "right"), Column("system")], [clusters, list(board.systems)]
    if together:
        ranks: Cells = [str(a) if a == b else f"{a}-{b}" for a, b in zip(low, high, strict=True)]
        columns = [Column("cluster", "right"), Column("ranks"), Column("system")]
        return columns, [clusters, ranks, list(board.systems)]
    columns = [Column(name) for name in ("system", "cluster", "rank low", "rank high")]
    cells = [list(board.systems), clusters, low, high]
    if ranking.boundary_support is not None and len(clusters) > 1:
        columns.append(Column("boundary"))
        cells.append([*ranking.boundary_support.tolist(), None])
    return columns, cells


def number_cells(standing: Standing, board: Scoreboard) -> dict[str, Cells]:
    """Values of one metric by what follows its name in the heading."""
    order = board.order
    numbers: dict[str, Cells] = {"": standing.result.corpus[order].tolist()}
    if standing.intervals is not None:
        numbers[" low"] = standing.intervals.low[order].tolist()
        numbers[" high"] = standing.intervals.high[order].tolist()
    if standing.tests is not None and board.baseline is not None:
        numbers[" p"] = _against_baseline(standing.tests, standing.tests.p_values, order)
        if board.is_corrected:
            numbers[" p holm"] = _against_baseline(standing.tests, standing.tests.holm, order)
    return numbers


def written_cells(standing: Standing, board: Scoreboard) -> Cells:
    """What people see of one metric: the score, its interval and its p-value."""
    score, end = number_formats(standing.result)
    numbers = number_cells(standing, board)
    p_values = numbers.get(" p holm", numbers.get(" p"))
    cells = [format(value, score) for value in numbers[""]]
    if " low" in numbers:
        ends = zip(numbers[" low"], numbers[" high"], strict=True)
        intervals = [f"[{format(low, end)}, {format(high, end)}]" for low, high in ends]
        cells = [f"{cell} {interval}" for cell, interval in zip(cells, intervals, strict=True)]
    if p_values is not None:
        cells = [f"{cell} {p}" for cell, p in zip(cells, _p_values(p_values), strict=True)]
    return list(cells)


def _p_values(values: Cells) -> list[str]:
    """p-values without their leading zero, in cells of one width."""
    written = [_p(value) for value in values]
    width = max(map(len, written))
    return [cell.rjust(width) for cell in written]


def _p(value: Cell) -> str:
    if not isinstance(value, float):
        return " "
    short = "<.001" if value < 0.0005 else f"{value:.3f}".removeprefix("0")
    return short + ("†" if _is_below(value) else " ")


def _is_below(value: Cell) -> bool:
    return isinstance(value, float) and value < ALPHA


def _against_baseline(tests: Differences, values: NDArray[Any], order: NDArray[np.intp]) -> Cells:
    """The value of every system against the baseline; None for the baseline itself."""
    by_system: dict[int, float] = dict(zip(tests.right.tolist(), values.tolist(), strict=True))
    return [by_system.get(place) for place in order.tolist()]


def _pair_rows(standing: Standing, board: Scoreboard) -> list[list[Cell]]:
    tests = standing.tests
    assert tests is not None
    values = [tests.p_values, tests.holm] if board.is_corrected else [tests.p_values]
    p_values = np.stack(values, axis=1).tolist()
    quality, names = standing.result.quality, tests.systems
    rank = {int(place): number for number, place in enumerate(board.order)}
    rows = []
    for left, right, p in zip(tests.left.tolist(), tests.right.tolist(), p_values, strict=True):
        worse, better = sorted((left, right), key=lambda s: (quality[s], -rank[s]))
        difference = abs(float(quality[better] - quality[worse]))
        cells: list[Cell] = [str(standing.result.metric), names[better], names[worse]]
        rows.append((rank[better], rank[worse], [*cells, difference, *p]))
    return [cells for _, _, cells in sorted(rows, key=lambda row: row[:2])]


def best_rows(result: SystemScores, order: NDArray[np.intp]) -> list[int]:
    """Rows of the best systems in the shown order; none where nothing is defined."""
    quality = result.quality[order]
    if np.isnan(quality).all():
        return []
    return np.flatnonzero(quality == np.nanmax(quality)).tolist()


def number_formats(result: SystemScores) -> tuple[str, str]:
    """Digits of scores and of interval ends: fewer for percentages than for scores up to 1."""
    scale = result.metric.best
    if scale is None:
        scale = 1.0 if np.nanmax(np.abs(result.corpus), initial=0.0) <= 2 else 100.0
    return (".4f", ".3f") if scale == 1.0 else (".2f", ".1f")


def _explanations(board: Scoreboard) -> list[str]:
    if board.baseline is None:
        return []
    explained = f"p against {board.baseline}{_correction(board)}; † below {ALPHA}"
    return [explained, *_too_few_units(board)]


def _too_few_units(board: Scoreboard) -> list[str]:
    """A sentence where there is so little to draw from that no cell could have been significant.

    Draws that are too few are refused before.
    """
    tests, drawn = board.standings[0].tests, board.resampling
    if tests is None or drawn.compat is not None:
        return []
    least = board.least_p
    if least < ALPHA:
        return []
    which = f"corrected p-value of {len(tests)} tests" if board.is_corrected else "p-value"
    return [f"of {board.units} {drawn.unit}s no {which} can be below {least:.2f}"]


def _correction(board: Scoreboard) -> str:
    return ", corrected (Holm)" if board.is_corrected else ""


def _by_metric(board: Scoreboard, what: str) -> dict[str, str]:
    return {str(s.result.metric): getattr(s, what).signature for s in board.standings}


def _table(
    board: Scoreboard,
    columns: list[Column],
    cells: list[Cells],
    *,
    marked: Sequence[tuple[int, int]] = (),
    notes: Sequence[str] = (),
) -> Table:
    rows = list(zip(*cells, strict=True))
    return Table(columns, rows, notes=notes, marked=marked, facts=facts(board))
