"""How the scores of segments are spread: a box of quartiles per system, whiskers, the median."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.present.charts.chart_canvas import (
    ROW,
    Scale,
    across,
    drawing,
    label,
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
#: How far an axis goes beyond the usual box, in lengths of it.
_REACH = 3.0


def quantiles(values: NDArray[np.float64]) -> list[float]:
    """The quantiles that a box shows; nan where there are no values.

    >>> quantiles(np.array([0.0, 10.0, np.nan, 20.0]))
    [1.0, 5.0, 10.0, 15.0, 19.0]
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return [float("nan")] * len(QUANTILES)
    return [float(value) for value in np.percentile(known, QUANTILES)]


def usual_range(boxes: Sequence[Sequence[float]]) -> tuple[float, float]:
    """What an axis shows of *boxes*: all, unless a few reach so far that the others are squashed.

    It ends three lengths of the usual box beyond that box, whose ends are the medians of the ends
    of all boxes. Without any box it runs from 0 to 1.

    >>> usual_range([[0, 2, 3, 4, 6], [1, 2, 3, 4, 500]])
    (0.0, 10.0)
    """
    known = [box for box in boxes if not any(value != value for value in box)]
    if not known:
        return 0.0, 1.0
    ends = np.array(known, np.float64)
    start, end = (float(np.median(ends[:, place])) for place in (1, 3))
    reach = _REACH * (end - start) or math.inf
    return max(float(ends.min()), start - reach), min(float(ends.max()), end + reach)


def box_chart(
    systems: Sequence[str], boxes: Sequence[Sequence[float]], *, title: str, axis: str
) -> str:
    """One box per system: *boxes* holds its five quantiles; those of nan are not drawn.

    What reaches beyond the usual range is cut there, with an arrow.
    """
    systems = short_names(systems)
    left, top = name_width(systems), 8.0
    bottom, width = top + ROW * len(systems), left + _PLOT + 24
    ends = usual_range(boxes)
    scale = Scale(*padded_range(ends), left, left + _PLOT)
    parts = [*across(scale, axis, top, bottom), *system_rows(systems, left, top)]
    for row, box in enumerate(boxes):
        if any(value != value for value in box):
            continue
        y, inside = row_y(row, top), np.clip(box, *ends)
        first, start, middle, end, last = map(scale, inside.tolist())
        parts.append(line("whisker", first, y, last, y))
        parts.append(
            f'<rect class="box" x="{start:.1f}" y="{y - 6:.1f}" width="{end - start:.1f}" '
            'height="12"/>'
        )
        if inside[2] == box[2]:
            parts.append(line("median", middle, y - 6, middle, y + 6))
        parts += _arrows(box, ends, scale, y)
    described = f"{len(systems)} boxes, {axis} across; the table below has the numbers."
    return drawing(title, described, width, bottom + 40, parts)


def _arrows(box: Sequence[float], ends: tuple[float, float], scale: Scale, y: float) -> list[str]:
    """At each end of the axis that a whisker would pass."""
    parts = []
    if box[0] < ends[0]:
        parts.append(label("◂", scale(ends[0]) - 2, y + 4, "end", "tick"))
    if box[-1] > ends[1]:
        parts.append(label("▸", scale(ends[1]) + 2, y + 4, "start", "tick"))
    return parts
