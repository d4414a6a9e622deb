"""The pictures of the dashboard: the report's charts, fed from what the background work stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from markupsafe import Markup

from rankwise.present.charts.chart_canvas import ROW, cut_name, drawing, label, name_width, row_y
from rankwise.present.charts.column_chart import column_chart
from rankwise.present.charts.interval_chart import interval_chart
from rankwise.present.charts.matrix_chart import Square, Tone, matrix_chart
from rankwise.present.charts.place_chart import place_chart
from rankwise.present.charts.rank_range_chart import rank_range_chart
from rankwise.server.campaign.standings.boards import LiveRanking
from rankwise.server.campaign.standings.contents import HeatPanel, PacePanel, PlacesPanel
from rankwise.server.campaign.standings.panels.pace import UNIT_MS

_BAR = 260.0


def rank_ranges(found: LiveRanking) -> Markup:
    """The ranks left to every system, with lines between clusters."""
    return Markup(rank_range_chart(found.leaderboard, title="Rank ranges of the systems"))


def score_intervals(found: LiveRanking, model: str) -> Markup:
    """The score of every system with its interval."""
    board = found.leaderboard
    return Markup(
        interval_chart(
            board.systems,
            board.scores.tolist(),
            list(zip(found.low.tolist(), found.high.tolist(), strict=True)),
            title="Scores with 95 % intervals",
            axis=model,
            clusters=board.clusters.tolist(),
        )
    )


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A picture of so many judgments; ``n`` is ``None`` where it is of all."""

    title: str
    n: int | None
    picture: Markup


def heat_maps(heat: HeatPanel) -> list[HeatMap]:
    """Comparisons per pair of systems: all, and the early half against the late one."""
    parts: list[tuple[str, int | None, Sequence[Sequence[int]]]] = [
        ("All comparisons", None, heat["all"])
    ]
    if heat["n_early"] and heat["n_late"]:
        parts += [
            ("The first half", heat["n_early"], heat["early"]),
            ("The second half", heat["n_late"], heat["late"]),
        ]
    return [
        HeatMap(title, count, _heat_map(heat["systems"], counts, title))
        for title, count, counts in parts
    ]


def _heat_map(systems: Sequence[str], counts: Sequence[Sequence[int]], title: str) -> Markup:
    most = max((max(row) for row in counts), default=0) or 1
    squares = [
        [_heat_square(systems, i, j, count, most) for j, count in enumerate(row)]
        for i, row in enumerate(counts)
    ]
    numbers = [str(number + 1) for number in range(len(systems))]
    described = f"Comparisons per pair of systems, best systems first; at most {most}."
    picture = matrix_chart(
        systems, numbers, squares, title=title, description=described, numbered=True
    )
    return Markup(picture)


def _heat_square(systems: Sequence[str], i: int, j: int, count: int, most: int) -> Square:
    if i == j:
        return Square()
    said = f"{systems[i]} and {systems[j]}: {count}"
    return Square("heat", 0.08 + 0.92 * count / most if count else 0.0, str(count), said)


def win_matrix(heat: HeatPanel) -> Markup:
    """How often the system of the row was better than that of the column; a tie is half a win."""
    systems, wins, ties = heat["systems"], heat["wins"], heat["ties"]
    squares = [
        [
            _won(systems, i, j, wins[i][j], wins[j][i], ties[i][j]) if i != j else Square()
            for j in range(len(systems))
        ]
        for i in range(len(systems))
    ]
    numbers = [str(number + 1) for number in range(len(systems))]
    return Markup(
        matrix_chart(
            systems,
            numbers,
            squares,
            title="Who was better than whom",
            description="Percent of the comparisons that the row won; a tie is half a win.",
            numbered=True,
        )
    )


def _won(systems: Sequence[str], i: int, j: int, won: int, lost: int, tied: int) -> Square:
    if not won + lost + tied:
        return Square()
    share = (won + tied / 2) / (won + lost + tied)
    said = f"{systems[i]} against {systems[j]}: {won} won, {tied} tied, {lost} lost"
    tone: Tone = "above" if share >= 0.5 else "below"
    return Square(tone, 0.06 + 0.94 * abs(2 * share - 1), f"{100 * share:.0f}", said)


@dataclass(frozen=True, slots=True)
class Strips:
    """Where errors of one severity lie; ``unit`` is segment or document."""

    severity: str
    unit: str
    picture: Markup


def error_strips(
    places: Sequence[PlacesPanel], severities: Sequence[str], order: Sequence[str]
) -> list[Strips]:
    """Strips of heat by system, those of one unit on one scale; *order* is that of the board."""
    found = []
    for panel in places:
        names = sorted(panel["systems"], key=lambda name: _place(name, order))
        rows = [panel["systems"].index(name) for name in names]
        every = {name: np.array(one, np.float64)[rows] for name, one in panel["shares"].items()}
        for severity in sorted(every, key=lambda name: _place(name, severities)):
            title = f"Where {severity} errors lie in a {panel['unit']}"
            drawn = Markup(place_chart(names, every[severity], title=title))
            found.append(Strips(severity, panel["unit"], drawn))
    return found


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


def screens_over_time(pace: PacePanel) -> Markup:
    """A column of screens for every hour, day or week."""
    start, length = pace["start"] or 0, UNIT_MS[pace["unit"]]
    form = "%d %b %H:00" if pace["unit"] == "hour" else "%d %b"
    times = [start + length * place for place in range(len(pace["counts"]))]
    names = [datetime.fromtimestamp(time / 1000, UTC).strftime(form) for time in times]
    axis = f"screens of one {pace['unit']} (UTC)"
    return Markup(column_chart(names, pace["counts"], title="Screens over time", axis=axis))


def spread(
    names: Sequence[str], own: Sequence[float], everybody: Sequence[float], *, title: str, axis: str
) -> Markup:
    """The shares of one judge's answers in bins; lines are those of all judges."""
    chart = column_chart(names, own, title=title, axis=axis, marks=everybody, percent=True)
    return Markup(chart)


def bars(counts: Sequence[tuple[str, int]], *, title: str) -> Markup:
    """One bar per name, as long as its count."""
    names = [name for name, _ in counts]
    left, most = name_width(names), max((count for _, count in counts), default=0) or 1
    parts = []
    for row, (name, count) in enumerate(counts):
        y, length = row_y(row, 4.0), _BAR * count / most
        parts.append(label(cut_name(name), left - 10, y + 4, "end"))
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{y - 7:.1f}" width="{length:.1f}" height="14"/>'
        )
        parts.append(label(f"{count:,}", left + length + 6, y + 4, kind="tick"))
    return Markup(
        drawing(title, f"At most {most}.", left + _BAR + 60, 8 + ROW * len(counts), parts)
    )
