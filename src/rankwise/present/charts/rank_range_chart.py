"""One row per system: the ranks that resampling left to it, and lines between clusters."""

from rankwise.present.charts.chart_canvas import (
    ROW,
    cut_lines,
    drawing,
    label,
    line,
    name_width,
    row_y,
    system_rows,
)
from rankwise.present.figures.figure_canvas import short_names
from rankwise.types import Leaderboard

_STEPS = ((12, 34.0), (20, 17.0), (1 << 30, 11.0))  # pixels of a rank, by the number of systems


def rank_range_chart(board: Leaderboard, *, title: str) -> str:
    """A bar from the best to the worst rank of each system, a dot at its place."""
    systems = short_names(board.systems)
    count, left, top = len(board), name_width(systems), 26.0
    step = next(pixels for limit, pixels in _STEPS if count <= limit)
    width, bottom = left + step * count + 12, top + ROW * count

    def place(rank: int) -> float:
        return left + step * (rank - 0.5)

    parts = system_rows(systems, left, top)
    for rank in range(1, count + 1):
        if count <= 20 or rank == 1 or rank % 5 == 0:
            parts.append(label(str(rank), place(rank), 16, "middle", "tick"))
            parts.append(line("grid", place(rank), top - 4, place(rank), bottom))
    ranges = zip(board.rank_low.tolist(), board.rank_high.tolist(), strict=True)
    for row, (low, high) in enumerate(ranges):
        y = row_y(row, top)
        parts.append(line("range", place(low), y, place(high), y))
        parts.append(f'<circle class="dot" cx="{place(row + 1):.1f}" cy="{y:.1f}" r="4"/>')
    parts += cut_lines(board.clusters.tolist(), width, top)
    described = f"{count} systems, ranks across; dashed lines separate clusters."
    return drawing(title, described, width, bottom + 8, parts)
