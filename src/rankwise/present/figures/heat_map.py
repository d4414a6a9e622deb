"""How often every two systems were compared, as heat."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import HEAT, new_figure, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def heat_map(systems: Sequence[str], counts: NDArray[Any], *, title: str = "") -> "Figure":
    """The share of all comparisons that each pair of systems has, in percent.

    ``counts[i, j]`` says how often *systems* i and j (best first) were compared. The diagonal,
    where nothing can be, stays empty. Sakaguchi et al. (2014), figure 5.
    """
    return heat_maps(systems, [(title, counts)])


def heat_maps(systems: Sequence[str], maps: Sequence[tuple[str, NDArray[Any]]]) -> "Figure":
    """Several such maps side by side, each with its title, on one scale."""
    count = len(systems)
    shares = [_shares(counts, count) for _, counts in maps]
    names = short_names(systems)
    size = 0.3 + 0.26 * max(count, 8)
    labels = 0.075 * max(map(len, names), default=1)
    figure, axes = new_figure(size * len(maps) + labels + 1.2, size + 0.5, len(maps))
    most = max(float(np.nanmax(share, initial=0)) for share in shares)
    for place, (axis, share) in enumerate(zip(axes, shares, strict=True)):
        image = axis.imshow(share, cmap=HEAT, vmin=0, vmax=most or 1)
        _label(axis, names if place == 0 else [""] * count)
        axis.set_title(maps[place][0])
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02)
    bar.set_label("% of comparisons")
    bar.outline.set_visible(False)
    return figure


def _shares(counts: NDArray[Any], count: int) -> NDArray[np.float64]:
    """Percent of the comparisons above the diagonal, nan on it."""
    if counts.shape != (count, count):
        raise DataError(f"counts have shape {counts.shape}; expected ({count}, {count})")
    total = np.triu(counts, 1).sum()
    shares: NDArray[np.float64] = 100 * counts / max(total, 1)
    np.fill_diagonal(shares, np.nan)
    return shares


def _label(axis: "Axes", names: Sequence[str]) -> None:
    """Rows by name and number, columns by number: names would not fit."""
    numbers = [str(number) for number in range(1, len(names) + 1)]
    rows = [f"{name}  {number}".strip() for name, number in zip(names, numbers, strict=True)]
    axis.set_xticks(range(len(names)), numbers)
    axis.set_yticks(range(len(names)), rows)
    axis.tick_params(length=0)
    for spine in axis.spines.values():
        spine.set_visible(False)
