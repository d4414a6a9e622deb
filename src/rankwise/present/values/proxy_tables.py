"""Rankings by people and a machine as tables: for people, and in columns for programs."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankwise import __version__
from rankwise.evaluate.ranking.proxy_ranking import ProxyRanking
from rankwise.present.rank_tables import LINE, line_cells
from rankwise.present.tables import Cell, Column, Table
from rankwise.present.unsure_lines import unsure_notes
from rankwise.present.values.value_tables import pair_rows, row_objects
from rankwise.types import ScoreTable

Rows = list[tuple[Cell, ...]]

#: Shares of the present width that a plan is made for.
SHARES = (1.0, 0.75, 0.5)


# -- for people ------------------------------------------------------------------------------------


def proxy_table(ranking: ProxyRanking) -> Table:
    """Cluster, range of ranks, score with its interval, the score by people alone, judgments."""
    board, found = ranking.board, ranking.found
    ranks = [
        str(low) if low == high else f"{low}-{high}"
        for low, high in zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    ]
    columns = [Column("cluster", "right"), Column("ranks")]
    columns += [Column(name, "right", ".3f") for name in ("score", "low", "high")]
    cells: list[Sequence[Cell]] = [board.clusters.tolist(), ranks, board.scores.tolist()]
    cells += [[_defined(end) for end in ends.tolist()] for ends in (found.low, found.high)]
    if len(board) > 1:
        columns.append(LINE)
        cells.append(line_cells(board))
    columns += [Column("alone", "right", ".3f"), Column("±", "right", ".3f")]
    half = (ranking.alone_high - ranking.alone_low) / 2
    cells += [ranking.alone.tolist(), [_defined(one) for one in half.tolist()]]
    columns += [Column("judgments", "right"), Column("system")]
    rows: Rows = list(zip(*cells, ranking.judgments, board.systems, strict=True))
    rules = (np.flatnonzero(np.diff(board.clusters)) + 1).tolist()
    notes = [*unsure_notes(board), "alone ±: by people alone"]
    return Table(columns, rows, title=ranking.title, notes=notes, rules=rules)


def plan_table(ranking: ProxyRanking) -> Table:
    """How many judgments intervals of some widths take, with the machine and without.

    The first row of each is how it stands.
    """
    columns = [Column("of"), Column("±", "right", ".3f")]
    columns += [Column(f"with {ranking.proxy}", "right"), Column("people alone", "right")]
    columns.append(Column("saved", "right"))
    rows: Rows = []
    for name, width, share, both in _plans(ranking):
        saved = "" if math.isinf(both[0]) else f"{round(100 * (1 - both[0] / both[1]))} %"
        rows.append((name if share == 1 else "", share * width, *map(_counted, both), saved))
    said = [f"{part} {_signed(value)}" for part, value in ranking.correlations.items()]
    notes = [f"correlation of {ranking.proxy} with people: {', '.join(said)}"]
    if any(row[2] == "-" for row in rows):
        notes.append(f"-: more than {ranking.proxy} scored; so narrow intervals take more texts")
    title = f"{_count_name(ranking)} that intervals take"
    title = f"{ranking.title}: {title}" if ranking.title else title
    return Table(columns, rows, title=title, notes=notes)


def segments_table(
    proxy: ScoreTable, chosen: Sequence[str], documents: Mapping[str, str] | None
) -> Table:
    """Segments to be judged, with their documents and the mean of the machine's scores."""
    places = {name: place for place, name in enumerate(proxy.segments)}
    scores = np.nanmean(proxy.values[:, [places[name] for name in chosen]], axis=0).tolist()
    columns = [Column("segment"), Column(proxy.name, "right", ".3f")]
    rows: Rows = list(zip(chosen, scores, strict=True))
    if documents is not None:
        columns.append(Column("document"))
        rows = [(*row, documents.get(str(row[0]), "")) for row in rows]
    return Table(columns, rows)


def after_sentence(ranking: ProxyRanking, segments: int) -> str:
    """How wide intervals are now, and after so many more *segments*, with and without."""
    times = 1 + segments / ranking.totals["segments"]
    said = []
    for name, help_ in (("means", ranking.means), ("differences", ranking.differences)):
        now = ranking.half_widths[name][1]
        if math.isnan(now):
            continue
        together, alone = (share * now for share in help_.after(times))
        said.append(f"{name} ± {now:.3g} now, ± {together:.3g} then (people alone ± {alone:.3g})")
    return "; ".join(said) or "how wide intervals will be is not known yet"


# -- for programs ----------------------------------------------------------------------------------


def proxy_rows(rankings: Sequence[ProxyRanking]) -> Table:
    """All rankings in one table with every number in a column of its own."""
    labels = tuple(rankings[0].labels)
    names = ("cluster", "rank low", "rank high", "score", "low", "high", "deviation", "boundary")
    people = ("alone", "alone low", "alone high", "judgments", "system")
    rows: Rows = [
        (*ranking.labels.values(), *row) for ranking in rankings for row in _board_rows(ranking)
    ]
    facts = _facts(rankings[0]) if len(rankings) == 1 else {}
    return Table([Column(name) for name in (*labels, *names, *people)], rows, facts=facts)


def json_table(rankings: Sequence[ProxyRanking]) -> Table:
    """The rows of all rankings, and ``parts`` with what the machine does for each."""
    table = proxy_rows(rankings)
    parts = [
        {
            "labels": dict(ranking.labels),
            **_facts(ranking),
            **ranking.totals,
            "notes": list(ranking.notes),
            "pairwise": row_objects(pair_rows([ranking]), len(ranking.labels)),
        }
        for ranking in rankings
    ]
    return Table(table.columns, table.rows, facts={"parts": parts, "version": __version__})


def _facts(ranking: ProxyRanking) -> dict[str, Any]:
    """What decides the numbers, and what the machine does."""
    return {
        "signature": ranking.board.signature,
        "proxy": ranking.proxy,
        "weights": dict(ranking.weights),
        "correlations": {name: _defined(r) for name, r in ranking.correlations.items()},
        "worth": {
            "means": _defined(ranking.means.worth),
            "differences": _defined(ranking.differences.worth),
        },
        "plan": [
            {
                "of": name,
                "half width": _defined(share * width),
                "with proxy": _whole(both[0]),
                "people alone": _whole(both[1]),
            }
            for name, width, share, both in _plans(ranking)
        ],
    }


def _plans(ranking: ProxyRanking) -> list[tuple[str, float, float, tuple[float, float]]]:
    """Of means and differences: the width now, the share of it, and judgments with and without."""
    totals, found = ranking.totals, []
    count = next(iter(totals.values()))
    most = totals["scored segments"] / totals["segments"]  # nobody judges what was not scored

    for name, help_ in (("means", ranking.means), ("differences", ranking.differences)):
        if name == "differences" and len(ranking.board) < 2:
            continue
        width = ranking.half_widths[name][1]
        if math.isnan(width):
            continue
        for share in SHARES:
            with_machine, without = help_.needed(share)
            with_machine = with_machine if with_machine <= most else math.inf
            found.append((name, width, share, (count * with_machine, count * without)))
    return found


def _board_rows(ranking: ProxyRanking) -> Rows:
    board, found = ranking.board, ranking.found
    support = np.full(len(board), np.nan)
    if board.boundary_support is not None:
        support[:-1] = board.boundary_support
    deviations = np.full(len(board), np.nan) if board.deviations is None else board.deviations
    columns = (
        board.clusters, board.rank_low, board.rank_high, board.scores, found.low, found.high,
        deviations, support, ranking.alone, ranking.alone_low, ranking.alone_high,
    )  # fmt: skip
    cells = [[_defined(cell) for cell in column.tolist()] for column in columns]
    return list(zip(*cells, ranking.judgments, board.systems, strict=True))


def _count_name(ranking: ProxyRanking) -> str:
    return next(iter(ranking.totals))


def _counted(number: float) -> str:
    return "-" if math.isinf(number) else f"{math.ceil(number - 1e-6):,}"


def _whole(number: float) -> int | None:
    return None if math.isinf(number) or math.isnan(number) else math.ceil(number - 1e-6)


def _signed(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.2f}"


def _defined(cell: Any) -> Any:
    return None if isinstance(cell, float) and math.isnan(cell) else cell
