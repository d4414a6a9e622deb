"""The rating of each system and how sure the model is of it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import BLUE, GREY, new_figure, short_names
from rankwise.types import Leaderboard

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rating_intervals(board: Leaderboard, deviations: NDArray[Any], *, title: str = "") -> "Figure":
    """The rating μ of each system with one deviation σ to either side, best first.

    Dashed lines set the clusters apart. A deviation that is nan is not drawn.
    """
    count = len(board)
    if deviations.shape != (count,):
        raise DataError(f"deviations have shape {deviations.shape} for {count} systems")
    figure, (axes,) = new_figure(5.6, 1.2 + 0.3 * count)
    axes.errorbar(board.scores, range(count), xerr=deviations, fmt="o", color=BLUE, markersize=5,
                  elinewidth=1.4, capsize=3)  # fmt: skip
    axes.set_yticks(range(count), short_names(board.systems))
    axes.set_ylim(count - 0.5, -0.5)
    axes.set_xlabel("rating: μ ± σ")
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    for row in np.flatnonzero(np.diff(board.clusters)) + 0.5:
        axes.axhline(row, color=GREY, linestyle="--", linewidth=0.8)
    axes.set_title(title)
    return figure
