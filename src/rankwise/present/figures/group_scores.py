"""Scores of systems on groups of segments: domains, documents, lengths."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import BLUE, ORANGE, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def group_scores(
    systems: Sequence[str],
    groups: Sequence[str],
    scores: NDArray[np.float64],
    lead: NDArray[np.float64],
    *,
    axis: str = "score",
) -> "Figure":
    """Squares of systems by groups with their scores; *lead* (-1 to 1) over the mean colours them.

    Blue is better than the mean of the group, orange worse; white is missing.
    """
    if not scores.shape == lead.shape == (len(systems), len(groups)):
        raise DataError(
            f"scores have shape {scores.shape} and leads {lead.shape}; expected "
            f"({len(systems)}, {len(groups)})"
        )
    figure, (axes,) = new_figure(1.8 + 0.5 * len(groups), 1.4 + 0.26 * len(systems))
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("lead", [ORANGE, "#ffffff", BLUE])
    axes.imshow(lead, cmap=colours, vmin=-1.6, vmax=1.6, aspect="auto")
    digits = ".3f" if np.nanmax(np.abs(scores), initial=0.0) <= 2 else ".1f"
    for row, column in zip(*np.nonzero(~np.isnan(scores)), strict=True):
        text = format(float(scores[row, column]), digits)
        axes.text(column, row, text, ha="center", va="center", fontsize=7)
    axes.set_xticks(range(len(groups)), groups, rotation=40, ha="right", fontsize=8)
    axes.set_yticks(range(len(systems)), short_names(systems))
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(axis)
    return figure
