"""Human rankings as tables: as the WMT papers print them, and in columns for programs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.judges.annotators import WmtKappa
from rankwise.evaluate.ranking.human_ranking import HumanRanking
from rankwise.evaluate.ranking.judge_agreement import KappaAndAlpha
from rankwise.present.tables import Cell, Column, Table
from rankwise.present.unsure_lines import unsure_notes
from rankwise.types import Leaderboard

Rows = list[tuple[Cell, ...]]

#: What a p-value below the number is marked with, the smallest first.
_MARKS = ((0.01, "‡"), (0.05, "†"), (0.1, "*"))
MARKS_NOTE = "* † ‡: p < .10, .05, .01 (sign test, ties set aside)"


# -- for people ----------------------------------------------------------------------------------


def leaderboard_table(board: Leaderboard, *, title: str = "") -> Table:
    """Cluster, range of ranks, score and system, with lines between clusters.

    ``line`` is the share of resamples in which the line below a system held; notes name the lines
    that another seed may draw otherwise.
    """
    columns = [Column("cluster", "right"), Column("ranks"), Column("score", "right", ".3f")]
    ranks = [
        str(low) if low == high else f"{low}-{high}"
        for low, high in zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    ]
    cells: list[Sequence[Cell]] = [board.clusters.tolist(), ranks, board.scores.tolist()]
    if board.boundary_support is not None and len(board) > 1:
        columns.append(LINE)
        cells.append(line_cells(board))
    rows: Rows = list(zip(*cells, board.systems, strict=True))
    rules = (np.flatnonzero(np.diff(board.clusters)) + 1).tolist()
    notes = unsure_notes(board)
    return Table([*columns, Column("system")], rows, title=title, notes=notes, rules=rules)


#: How often the line below a system held.
LINE = Column("line", "right")


def line_cells(board: Leaderboard) -> list[Cell]:
    """The support of the line below each system, nothing where there is no line."""
    drawn = [*(np.diff(board.clusters) > 0).tolist(), False]
    supports = _support(board).tolist()
    return [
        f"{support:.3f}" if is_drawn else ""
        for support, is_drawn in zip(supports, drawn, strict=True)
    ]


def win_table(ranking: HumanRanking) -> Table:
    """How often the system of the column was better than that of the row, ties left out.

    Columns are systems by their number, best first; marks say where the difference is significant.
    """
    p_values = np.full(ranking.wins.shape, np.nan)
    if ranking.tests is not None:
        p_values = ranking.tests.matrix(corrected=False)
    cells = [
        [_won(share, p) for share, p in zip(shares, row, strict=True)]
        for shares, row in zip(ranking.shares.T.tolist(), p_values.tolist(), strict=True)
    ]
    note = f"share of the decided comparisons won by the system of the column; {MARKS_NOTE}"
    return _matrix(ranking, cells, _titled("wins of column over row", ranking), [note])


def count_table(ranking: HumanRanking) -> Table:
    """How often every two systems were compared, ties included."""
    counts: list[list[Cell]] = ranking.compared.tolist()
    for place, row in enumerate(counts):
        row[place] = None
    return _matrix(ranking, counts, _titled("comparisons", ranking), ["ties count here"])


def agreement_table(ranking: HumanRanking) -> Table:
    """Agreement between judges and of judges with themselves: kappa, its interval, alpha."""
    found = 0 if ranking.agreement is None else ranking.agreement.found_texts
    return kinds_table(
        _kinds(ranking), title=_titled("agreement of judges", ranking), found_texts=found
    )


def kinds_table(kinds: Sequence[KappaAndAlpha], *, title: str = "", found_texts: int = 0) -> Table:
    """A row for each kind of agreement."""
    columns = [
        Column("agreement"),
        *(Column(name, "right", ".3f") for name in ("observed", "chance", "kappa", "low", "high")),
        *(Column(name, "right", ".3f") for name in ("cohen", "alpha", "ordinal alpha")),
        *(Column(name, "right") for name in ("identical", "comparable", "labels")),
    ]
    notes = [f"{kind.counts.kind}: {kind.counts.reason}" for kind in kinds if kind.counts.reason]
    if found_texts:
        notes.append(
            f"in {found_texts} rankings systems that shared a text, which the file does not say, "
            "were found again and count as one"
        )
    rows: Rows = [tuple(_defined(cell) for cell in _figures(kind)) for kind in kinds]
    return Table(columns, rows, title=title, notes=notes)


def judge_table(ranking: HumanRanking) -> Table:
    """One row per judge: rankings, agreement with the others and with itself."""
    rows: Rows = [tuple(_defined(cell) for cell in row) for row in judge_figures(ranking)]
    return Table(_JUDGE_COLUMNS, rows, title=_titled("agreement by judge", ranking))


# -- for programs --------------------------------------------------------------------------------


#: The columns of a ranking for programs.
_RANKING = ("cluster", "rank low", "rank high", "score", "deviation", "boundary", "system")


def leaderboard_rows(board: Leaderboard) -> Table:
    """One ranking with every number in a column of its own; see :func:`ranking_rows`."""
    columns = [Column(name) for name in _RANKING]
    return Table(columns, _board_rows(board), facts={"signature": board.signature})


def ranking_rows(rankings: Sequence[HumanRanking]) -> Table:
    """All rankings in one table; what parts are made by comes first.

    ``deviation`` is that of the score over the runs, ``boundary`` the share of runs in which no
    system down to this one scores less than one below it.
    """
    rows: Rows = [
        (*ranking.part.labels.values(), *row)
        for ranking in rankings
        for row in _board_rows(ranking.board)
    ]
    return Table([Column(name) for name in (*_labels(rankings), *_RANKING)], rows)


def _board_rows(board: Leaderboard) -> Rows:
    whole = (board.clusters, board.rank_low, board.rank_high)
    columns = (*whole, board.scores, _spread(board), _support(board))
    cells = zip(*(column.tolist() for column in columns), board.systems, strict=True)
    return [tuple(map(_defined, row)) for row in cells]


def pair_rows(rankings: Sequence[HumanRanking]) -> Table:
    """Every two systems that met, the better ranked first, with the sign test of them."""
    names = ("system", "other", "wins", "losses", "ties", "share", "p", "p holm")
    rows: Rows = []
    for ranking in rankings:
        tests = ranking.tests
        if tests is None:
            continue
        sides = (tests.left, tests.right)
        better, worse = ([tests.systems[s] for s in side.tolist()] for side in sides)
        shares = ranking.shares[tests.left, tests.right]
        columns = (tests.wins, tests.losses, tests.ties, shares, tests.p_values, tests.holm)
        cells = zip(better, worse, *(column.tolist() for column in columns), strict=True)
        rows += [
            (*ranking.part.labels.values(), *(_defined(cell) for cell in row))
            for row in cells
            if sum(row[2:5]) > 0
        ]
    return Table([Column(name) for name in (*_labels(rankings), *names)], rows)


def agreement_rows(rankings: Sequence[HumanRanking]) -> Table:
    """The agreement of all parts in one table."""
    columns = agreement_table(rankings[0]).columns
    rows: Rows = [
        (*ranking.part.labels.values(), *(_defined(cell) for cell in _figures(kind)))
        for ranking in rankings
        for kind in _kinds(ranking)
    ]
    return Table([*(Column(name) for name in _labels(rankings)), *columns], rows)


def judge_rows(rankings: Sequence[HumanRanking]) -> Table:
    """The judges of all parts in one table."""
    rows: Rows = [
        (*ranking.part.labels.values(), *(_defined(cell) for cell in row))
        for ranking in rankings
        for row in judge_figures(ranking)
    ]
    return Table([*(Column(name) for name in _labels(rankings)), *_JUDGE_COLUMNS], rows)


def judge_figures(ranking: HumanRanking) -> Rows:
    """Name, rankings, and agreement with others and with itself of the judges, busiest first."""
    kappa = WmtKappa()
    judgments = ranking.part.judgments
    counts = np.bincount(judgments.judge, minlength=len(judgments.judges))
    columns: list[Sequence[Cell]] = [counts.tolist()]
    for kind in _kinds(ranking):
        rows = kind.counts.per_judge
        columns += [kappa.observed(rows).tolist(), kappa.score(rows).tolist(), rows[:, 1].tolist()]
    order = sorted(
        np.flatnonzero(counts).tolist(), key=lambda code: (-counts[code], judgments.judges[code])
    )
    return [(judgments.judges[code], *(column[code] for column in columns)) for code in order]


_JUDGE_COLUMNS = (
    Column("judge"),
    Column("rankings", "right"),
    *(
        Column(f"{kind} {what}", "right", "" if what == "comparable" else ".3f")
        for kind in ("inter", "intra")
        for what in ("observed", "kappa", "comparable")
    ),
)


# -- parts -----------------------------------------------------------------------------------------


def _matrix(
    ranking: HumanRanking, cells: Sequence[Sequence[Cell]], title: str, notes: Sequence[str]
) -> Table:
    systems = ranking.board.systems
    columns = [Column("#", "right"), Column("system")]
    columns += [Column(str(number), "right") for number in range(1, len(systems) + 1)]
    rows: Rows = [
        (number, system, *row)
        for number, (system, row) in enumerate(zip(systems, cells, strict=True), 1)
    ]
    return Table(columns, rows, title=title, notes=notes)


def _won(share: float, p_value: float) -> Cell:
    if np.isnan(share):
        return None
    written = f"{share:.2f}".removeprefix("0")
    return written + next((mark for limit, mark in _MARKS if p_value < limit), " ")


def _figures(kind: KappaAndAlpha) -> tuple[Cell, ...]:
    counts = kind.counts
    return (
        counts.kind, counts.observed, counts.expected, counts.kappa, kind.low, kind.high,
        kind.cohen, kind.alpha, kind.ordinal_alpha,
        counts.identical, counts.comparable, counts.labels,
    )  # fmt: skip


def _kinds(ranking: HumanRanking) -> tuple[KappaAndAlpha, ...]:
    found = ranking.agreement
    return () if found is None else (found.inter, found.intra)


def _titled(what: str, ranking: HumanRanking) -> str:
    return f"{ranking.part.title}: {what}" if ranking.part.labels else what


def _spread(board: Leaderboard) -> NDArray[np.float64]:
    return np.full(len(board), np.nan) if board.deviations is None else board.deviations


def _support(board: Leaderboard) -> NDArray[np.float64]:
    """The support of the boundary below each system; there is none below the last."""
    support = np.full(len(board), np.nan)
    if board.boundary_support is not None:
        support[:-1] = board.boundary_support
    return support


def _labels(rankings: Sequence[HumanRanking]) -> tuple[str, ...]:
    """Columns of what parts are made by, named so that they cannot meet those of a table."""
    names = rankings[0].part.labels
    return tuple(name if name == "language pair" else f"by {name}" for name in names)


def _defined(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and np.isnan(cell) else cell
