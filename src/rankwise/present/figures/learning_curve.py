"""How well a metric or a ranking agrees with people, by how much it has learned from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import BLUE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def learning_curve(
    sizes: Sequence[int],
    accuracy: Sequence[float],
    *,
    units: str = "preferences",
    title: str = "",
) -> "Figure":
    """Accuracy against the number of *units*, on a logarithmic axis. Duh (2008), figure 1."""
    if not sizes:
        raise DataError("no amount of training data to draw a learning curve from")
    figure, (axes,) = new_figure(5.6, 3.6)
    axes.plot(sizes, accuracy, marker="o", markersize=4, color=BLUE)
    for count, value in zip(sizes, accuracy, strict=True):
        axes.annotate(
            f"{value:.3f}", (count, value), (-3, 5), textcoords="offset points", ha="right"
        )
    axes.set_xscale("log")
    axes.margins(x=0.12, y=0.15)
    axes.set_xticks(list(sizes), [f"{count:,}" for count in sizes], rotation=20)
    axes.set_xticks([], minor=True)
    axes.set_xlabel(f"{units} learned from")
    axes.set_ylabel("accuracy on others")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_title(title)
    return figure
