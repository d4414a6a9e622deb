"""Several measures over a series of experiments, to see them rise and fall together."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankwise.present.figures.figure_canvas import CYCLE, MARKERS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def measures_over_experiments(
    experiments: Sequence[str],
    values: Mapping[str, NDArray[np.float64]],
    *,
    label: str = "experiments",
) -> "Figure":
    """One line per measure over the experiments, which the first measure orders, best first.

    Only the ups and downs of lines can be compared: each measure has a scale of its own. A missing
    value leaves a gap. Avramidis (2013), figure 1.
    """
    by = next(iter(values))
    order = np.argsort(-values[by], kind="stable")
    few = len(experiments) <= 60
    figure, [axes] = new_figure(max(5.0, 1.5 + 0.17 * len(experiments)), 5.0 if few else 4.0)
    for number, (name, line) in enumerate(values.items()):
        axes.plot(
            line[order],
            label=name,
            marker=MARKERS[number // len(CYCLE) % len(MARKERS)],
            color=CYCLE[number % len(CYCLE)],
            linewidth=2.0 if name == by else 1.2,
            markersize=3,
        )
    if few:
        names = [experiments[place] for place in order.tolist()]
        axes.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
    axes.set_xlabel(f"{label}, by {by}")
    axes.grid(axis="y", color="#eeeeee")
    figure.legend(loc="outside right upper", fontsize=8, frameon=False)
    return figure
