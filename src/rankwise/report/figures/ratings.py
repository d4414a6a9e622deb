"""The rating of each system and how sure the model is of it."""

from typing import TYPE_CHECKING

import numpy as np

from rankwise.errors import DataError
from rankwise.report.figures.canvas import BLUE, GREY, new_figure, short_names
from rankwise.types import Leaderboard
from rankwise.types.ratings import Ratings

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rating_intervals(ratings: Ratings, board: Leaderboard, *, title: str = "") -> "Figure":
    """The mean of each system's rating with one deviation to either side, best first.

    The systems come in the order of *board*, whose clusters are set apart by dashed lines.
    """
    order = _places(ratings, board)
    means, deviations = ratings.means[order], ratings.deviations[order]
    if np.isnan(deviations).any():
        raise DataError("this model states no deviations of its ratings; there is nothing to draw")
    count = len(board)
    figure, (axes,) = new_figure(5.6, 1.2 + 0.3 * count)
    axes.errorbar(means, range(count), xerr=deviations, fmt="o", color=BLUE, markersize=5,
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


def _places(ratings: Ratings, board: Leaderboard) -> list[int]:
    places = {name: place for place, name in enumerate(ratings.systems)}
    missing = [name for name in board.systems if name not in places]
    if missing:
        raise DataError(f"system {missing[0]!r} of the leaderboard has no rating")
    return [places[name] for name in board.systems]
