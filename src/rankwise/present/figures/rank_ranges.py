"""The ranks that resampling left to each system, with lines between clusters."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import BLUE, GREY, ORANGE, new_figure, short_names
from rankwise.types import Leaderboard

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def rank_ranges(
    board: Leaderboard, ranks: NDArray[Any] | None = None, *, title: str = ""
) -> "Figure":
    """One row per system, best first: its ranks across, dashed lines between clusters.

    With *ranks* (runs, systems in the order of *board*) a box spans the quartiles of a system's
    ranks, a mark is their mean, thin whiskers are their full range and a thick bar is the range
    that the leaderboard states. Without them there are only these bars. Sakaguchi et al. (2014),
    figures 9 and 10.
    """
    count = len(board)
    if ranks is not None and (ranks.ndim != 2 or ranks.shape[1] != count):
        raise DataError(f"ranks have shape {ranks.shape}; expected (runs, {count})")
    figure, (axes,) = new_figure(3.2 + 0.28 * max(count, 10), 1.2 + 0.3 * count)
    _frame(axes, board)
    rows = np.arange(count)
    axes.hlines(rows, board.rank_low, board.rank_high, color=BLUE, alpha=0.35, linewidth=9,
                label="rank range")  # fmt: skip
    if ranks is None:
        axes.plot(rows + 1, rows, "o", color=BLUE, markersize=5)
    else:
        _boxes(axes, ranks)
        figure.legend(loc="outside lower center", ncols=4, frameon=False)
    for row in np.flatnonzero(np.diff(board.clusters)) + 0.5:
        axes.axhline(row, color=GREY, linestyle="--", linewidth=0.8)
    axes.set_title(title)
    return figure


def _frame(axes: "Axes", board: Leaderboard) -> None:
    count = len(board)
    axes.set_yticks(range(count), short_names(board.systems))
    axes.set_ylim(count - 0.5, -0.5)
    axes.set_xlim(0.5, count + 0.5)
    step = 1 if count <= 20 else 5
    axes.set_xticks([rank for rank in range(1, count + 1) if rank == 1 or rank % step == 0])
    axes.set_xlabel("rank")
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)


def _boxes(axes: "Axes", ranks: NDArray[Any]) -> None:
    rows = np.arange(ranks.shape[1])
    low, high = np.percentile(ranks, [25, 75], axis=0)
    axes.hlines(rows, ranks.min(axis=0), ranks.max(axis=0), color=GREY, linewidth=1,
                label="all runs")  # fmt: skip
    axes.barh(rows, high - low, left=low, height=0.5, facecolor="white", edgecolor=BLUE,
              linewidth=1.2, zorder=3, label="quartiles")  # fmt: skip
    axes.plot(ranks.mean(axis=0), rows, "D", color=ORANGE, markersize=4, zorder=4, label="mean")
