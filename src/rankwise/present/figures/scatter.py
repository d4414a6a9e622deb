"""Systems by what people and a metric say of them, with those named that do not fit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rankwise.present.figures.figure_canvas import BLUE, RED, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Vector = NDArray[np.float64]


def scatter(
    systems: Sequence[str],
    human: Vector,
    metric: Vector,
    *,
    title: str = "",
    human_label: str = "human",
    metric_label: str = "metric",
) -> "Figure":
    """One point per system and the line through them; systems without both scores are left out.

    Named are the systems far from the line (over 1.5 deviations) and, as hollow points, those
    whose human scores lie far from the others (:func:`outliers`).
    """
    present = ~(np.isnan(human) | np.isnan(metric))
    names = [name for name, is_there in zip(systems, present.tolist(), strict=True) if is_there]
    x, y = human[present], metric[present]
    figure, [axes] = new_figure(4.6, 3.6)
    axes.set(xlabel=human_label, ylabel=metric_label)
    axes.margins(x=0.15, y=0.1)  # room for names
    axes.set_title(title, fontsize=10)
    is_outlier = outliers(x)
    axes.scatter(x[~is_outlier], y[~is_outlier], color=BLUE, zorder=3)
    axes.scatter(x[is_outlier], y[is_outlier], facecolors="none", edgecolors=RED, zorder=3)
    residuals = _line(axes, x, y)
    is_rising = bool((x - x.mean()) @ y >= 0) if len(x) else True
    named = is_outlier | (np.abs(residuals) > 1.5)
    for place in np.flatnonzero(named).tolist():
        point = float(x[place]), float(y[place])
        _name(axes, names[place], point, bool(residuals[place] > 0), is_rising)
    return figure


def outliers(scores: Vector) -> NDArray[np.bool_]:
    r"""Scores far from the others, by the median absolute deviation.

    .. math:: |x_i - \text{med}| / (1.483 \cdot \text{MAD}) > 2.5

    Where more than half of the scores are equal (MAD 0) there are none. Mathur et al. (2020), ACL.

    >>> outliers(np.array([70.0, 71.0, 72.0, 73.0, 20.0])).tolist()
    [False, False, False, False, True]
    """
    if not len(scores):
        return np.zeros(0, np.bool_)
    distance = np.abs(scores - np.median(scores))
    deviation = 1.483 * float(np.median(distance))
    is_far: NDArray[np.bool_] = distance > 2.5 * deviation
    return is_far if deviation > 0 else np.zeros(len(scores), np.bool_)


def _line(axes: "Axes", x: Vector, y: Vector) -> Vector:
    """Draws the least-squares line; the distances from it, in deviations."""
    if len(x) < 3 or x.min() == x.max():
        return np.zeros(len(x))
    centred = x - x.mean()
    slope = float(centred @ y / (centred @ centred))
    ends = np.array([x.min(), x.max()])
    axes.plot(ends, y.mean() + slope * (ends - x.mean()), color="#999999", linewidth=1, zorder=1)
    residuals = y - y.mean() - slope * centred
    deviation = float(residuals.std())
    return residuals / deviation if deviation > 0 else np.zeros(len(x))


def _name(
    axes: "Axes", name: str, point: tuple[float, float], is_above: bool, is_rising: bool
) -> None:
    """Writes a name beside its point, on the side away from the line."""
    is_right = is_above != is_rising
    axes.annotate(
        name,
        point,
        xytext=(4 if is_right else -4, 4 if is_above else -4),
        textcoords="offset points",
        ha="left" if is_right else "right",
        va="bottom" if is_above else "top",
        fontsize=8,
    )
