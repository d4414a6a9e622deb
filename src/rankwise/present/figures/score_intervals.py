"""The score of each system under a metric, with the interval around it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankwise.present.figures.figure_canvas import BLUE, GREY, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def score_intervals(
    systems: Sequence[str],
    scores: Sequence[float],
    ends: Sequence[tuple[float, float]],
    *,
    clusters: Sequence[int] = (),
    title: str = "",
    axis: str = "score",
) -> "Figure":
    """A dot and a bar per system, best first; dashed lines where *clusters* change."""
    figure, (axes,) = new_figure(5.6, 1.2 + 0.3 * len(systems))
    rows = np.arange(len(systems))
    low, high = np.array(ends, np.float64).reshape(-1, 2).T
    axes.hlines(rows, low, high, color=BLUE, alpha=0.35, linewidth=7)
    axes.plot(scores, rows, "o", color=BLUE, markersize=4)
    axes.set_yticks(rows, short_names(systems))
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.set_xlabel(axis)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    for row in np.flatnonzero(np.diff(clusters)) + 0.5:
        axes.axhline(row, color=GREY, linestyle="--", linewidth=0.8)
    axes.set_title(title)
    return figure
