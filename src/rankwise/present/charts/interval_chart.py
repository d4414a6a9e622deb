"""One row per system: its score as a dot, the interval around it as a bar."""

from collections.abc import Sequence

from rankwise.present.charts.chart_canvas import (
    ROW,
    Scale,
    across,
    cut_lines,
    drawing,
    line,
    name_width,
    padded_range,
    row_y,
    system_rows,
)
from rankwise.present.figures.figure_canvas import short_names

_PLOT = 300.0


def interval_chart(
    systems: Sequence[str],
    scores: Sequence[float],
    ends: Sequence[tuple[float, float]],
    *,
    title: str,
    axis: str,
    clusters: Sequence[int] = (),
) -> str:
    """Systems as given, best first; dashed lines where *clusters* change; nan is not drawn.

    Of names, what all of them share is left out.
    """
    systems = short_names(systems)
    left, top = name_width(systems), 8.0
    bottom, width = top + ROW * len(systems), left + _PLOT + 24
    low, high = padded_range([*scores, *(end for pair in ends for end in pair)])
    scale = Scale(low, high, left, left + _PLOT)
    parts = [*across(scale, axis, top, bottom), *system_rows(systems, left, top)]
    for row, (score, (start, end)) in enumerate(zip(scores, ends, strict=True)):
        y = row_y(row, top)
        if start == start and end == end:
            parts.append(line("range", scale(start), y, scale(end), y))
        if score == score:
            parts.append(f'<circle class="dot" cx="{scale(score):.1f}" cy="{y:.1f}" r="4"/>')
    parts += cut_lines(clusters, width, top)
    described = f"{len(systems)} rows, {axis} across; the table below has the numbers."
    return drawing(title, described, width, bottom + 40, parts)
