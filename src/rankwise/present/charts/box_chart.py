"""How the scores of segments are spread: a box of quartiles per system, whiskers, the median."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.present.charts.chart_canvas import (
    ROW,
    Scale,
    across,
    drawing,
    line,
    name_width,
    padded_range,
    row_y,
    system_rows,
)
from rankwise.present.figures.figure_canvas import short_names

_PLOT = 300.0
#: What a box shows, in percent: whisker, box, median, box, whisker.
QUANTILES = (5, 25, 50, 75, 95)


def quantiles(values: NDArray[np.float64]) -> list[float]:
    """The quantiles that a box shows; nan where there are no values.

    >>> quantiles(np.array([0.0, 10.0, np.nan, 20.0]))
    [1.0, 5.0, 10.0, 15.0, 19.0]
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return [float("nan")] * len(QUANTILES)
    return [float(value) for value in np.percentile(known, QUANTILES)]


def box_chart(
    systems: Sequence[str], boxes: Sequence[Sequence[float]], *, title: str, axis: str
) -> str:
    """One box per system: *boxes* holds its five quantiles; those of nan are not drawn."""
    systems = short_names(systems)
    left, top = name_width(systems), 8.0
    bottom, width = top + ROW * len(systems), left + _PLOT + 24
    low, high = padded_range([value for box in boxes for value in box])
    scale = Scale(low, high, left, left + _PLOT)
    parts = [*across(scale, axis, top, bottom), *system_rows(systems, left, top)]
    for row, box in enumerate(boxes):
        if any(value != value for value in box):
            continue
        y, (first, start, middle, end, last) = row_y(row, top), map(scale, box)
        parts.append(line("whisker", first, y, last, y))
        parts.append(
            f'<rect class="box" x="{start:.1f}" y="{y - 6:.1f}" width="{end - start:.1f}" '
            'height="12"/>'
        )
        parts.append(line("median", middle, y - 6, middle, y + 6))
    described = f"{len(systems)} boxes, {axis} across; the table below has the numbers."
    return drawing(title, described, width, bottom + 40, parts)
