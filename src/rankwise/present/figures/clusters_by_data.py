"""How many clusters of systems so many judgments separate."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import CYCLE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARKS = "osD^vP*X"


def clusters_by_data(
    sizes: Sequence[int],
    clusters: Mapping[str, NDArray[Any]],
    *,
    systems: int,
    title: str = "",
) -> "Figure":
    """The number of clusters against the number of pairwise comparisons, a line per model.

    ``clusters[model][repeat, size]`` is what a random part of ``sizes[size]`` comparisons gave; the
    line is the mean of the repeats, the band their range. Sakaguchi et al. (2014), figure 8.
    """
    if not sizes:
        raise DataError("no sizes of data to draw clusters against")
    figure, (axes,) = new_figure(5.6, 3.6)
    for number, (model, found) in enumerate(clusters.items()):
        colour, mark = CYCLE[number % len(CYCLE)], _MARKS[number % len(_MARKS)]
        axes.fill_between(sizes, found.min(axis=0), found.max(axis=0), color=colour, alpha=0.15)
        axes.plot(sizes, found.mean(axis=0), marker=mark, markersize=4, color=colour, label=model)
    axes.set_xlabel("pairwise comparisons")
    axes.set_ylabel("clusters")
    axes.set_ylim(0, systems + 0.5)
    axes.set_xlim(0, 1.06 * max(sizes))
    axes.set_yticks(np.arange(0, systems + 1, 1 if systems <= 15 else 5))
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    axes.set_title(title)
    return figure
