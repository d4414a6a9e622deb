"""Which metric beats which: a matrix of p-values."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankwise.present.figures.figure_canvas import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEVELS = (0.001, 0.01, 0.05)
_SHADES = ("#08306b", "#2171b5", "#9ecae1", "#ffffff")


def significance_matrix(
    metrics: Sequence[str], better: NDArray[np.float64], *, title: str = ""
) -> "Figure":
    """A square for every pair of metrics, given best first; ``better[a, b]`` is a's p-value over b.

    A dark square says that the metric of the row beats that of the column, the darker the surer;
    pairs without a test are grey.
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    count = len(metrics)
    side = 1.6 + 0.16 * count
    figure, [axes] = new_figure(side + 0.9, side)
    colours = ListedColormap(_SHADES).with_extremes(bad="#dddddd")
    norm = BoundaryNorm((0.0, *_LEVELS, 1.0), colours.N)
    shown = np.ma.masked_invalid(np.where(np.eye(count, dtype=np.bool_), np.nan, better))
    image = axes.imshow(shown, cmap=colours, norm=norm)
    size = 7 if count > 12 else 8
    axes.set_xticks(range(count), metrics, rotation=90, fontsize=size)
    axes.set_yticks(range(count), metrics, fontsize=size)
    axes.set_xticks(np.arange(count + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(count + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="#eeeeee", linewidth=0.5)
    axes.tick_params(which="both", length=0)
    axes.set_title(title, fontsize=10)
    bar = figure.colorbar(image, ax=axes, shrink=0.5, label="p: row better than column")
    bar.ax.tick_params(labelsize=8)
    return figure
