"""How the scores of segments are spread, system by system."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankwise.present.figures.figure_canvas import BLUE, GREY, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def boxes(
    systems: Sequence[str],
    quantiles: Sequence[Sequence[float]],
    *,
    title: str = "",
    axis: str = "score",
    ends: tuple[float, float] | None = None,
) -> "Figure":
    """A box per system from its five quantiles: whisker, box, median, box, whisker.

    *ends* are those of the axis; without them it holds everything.
    """
    figure, (axes,) = new_figure(5.6, 1.2 + 0.3 * len(systems))
    for row, (first, start, middle, end, last) in enumerate(quantiles):
        axes.hlines(row, first, last, color=GREY, linewidth=1)
        axes.barh(row, end - start, left=start, height=0.5, color=BLUE, alpha=0.4)
        axes.plot([middle, middle], [row - 0.25, row + 0.25], color="black", linewidth=1.6)
    axes.set_yticks(range(len(systems)), short_names(systems))
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.set_xlabel(axis)
    if ends is not None:
        room = 0.05 * (ends[1] - ends[0])
        axes.set_xlim(ends[0] - room, ends[1] + room)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
    axes.set_title(title)
    return figure
