"""The pictures of the dashboard: the report's charts, fed from what the background work stored."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from rankwise.present.charts.chart_canvas import ROW, cut_name, drawing, label, name_width, row_y
from rankwise.present.charts.interval_chart import interval_chart
from rankwise.present.charts.matrix_chart import Square, matrix_chart
from rankwise.present.charts.rank_range_chart import rank_range_chart
from rankwise.server.campaign.standings.boards import LiveRanking
from rankwise.server.campaign.standings.contents import HeatPanel

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
