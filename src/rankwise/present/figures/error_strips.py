"""How much of every tenth of the texts of a system is marked as wrong, as heat."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import HEAT, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def error_strips(
    systems: Sequence[str],
    shares: NDArray[np.float64],
    *,
    title: str = "",
    most: float | None = None,
    axis: str = "tenth of the text",
) -> "Figure":
    """A strip for every system: the share (S, tenths) of its characters that is marked.

    The strongest heat is *most*, or the largest share. White is missing.
    """
    if shares.ndim != 2 or len(shares) != len(systems):
        raise DataError(f"shares have shape {shares.shape}; expected ({len(systems)}, tenths)")
    figure, (axes,) = new_figure(2.6 + 0.34 * shares.shape[1], 1.2 + 0.26 * len(systems))
    largest = float(np.nanmax(shares, initial=0)) if most is None else most
    image = axes.imshow(100 * shares, cmap=HEAT, vmin=0, vmax=100 * largest or 1, aspect="auto")
    axes.set_xticks(range(shares.shape[1]), [str(n + 1) for n in range(shares.shape[1])])
    axes.set_yticks(range(len(systems)), short_names(systems))
    axes.set_xlabel(axis)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_title(title)
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02)
    bar.set_label("% of characters marked")
    bar.outline.set_visible(False)
    return figure
