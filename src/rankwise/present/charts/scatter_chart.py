"""One dot per system: what people say across, what a metric says up."""

import math
from collections.abc import Sequence
from html import escape

from rankwise.present.charts.chart_canvas import (
    Scale,
    across,
    cut_name,
    drawing,
    label,
    line,
    padded_range,
    round_ticks,
)
from rankwise.present.figures.figure_canvas import short_names

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 330.0, 290.0, 62.0, 10.0, 242.0
_NAMED = 14  # systems that are named; with more, only those far from the line are


def scatter_chart(
    systems: Sequence[str],
    x: Sequence[float],
    y: Sequence[float],
    *,
    title: str,
    x_title: str,
    y_title: str,
) -> str:
    """Systems with both values, and the least-squares line through them; every dot is named.

    With many systems only those farthest from the line are named, the others by a tooltip.
    """
    points = [
        (name, a, b)
        for name, a, b in zip(short_names(systems), x, y, strict=True)
        if not (math.isnan(a) or math.isnan(b))
    ]
    xs, ys = [a for _, a, _ in points], [b for _, _, b in points]
    right = Scale(*padded_range(xs, 0.12), _LEFT, _WIDTH - 8)
    up = Scale(*padded_range(ys, 0.08), _BOTTOM, _TOP)
    parts = [*across(right, x_title, _TOP, _BOTTOM), *_upwards(up, y_title)]
    slope = _slope(xs, ys)
    residuals = _residuals(xs, ys, slope)
    if slope is not None:
        parts.append(_fitted(xs, ys, slope, right, up))
    places = [(right(a), up(b)) for a, b in zip(xs, ys, strict=True)]
    for (name, _, _), (across_x, up_y) in zip(points, places, strict=True):
        parts.append(
            f'<circle class="dot" cx="{across_x:.1f}" cy="{up_y:.1f}" r="4">'
            f"<title>{escape(name)}</title></circle>"
        )
    parts += _names([name for name, _, _ in points], places, residuals)
    described = f"{len(points)} systems, {x_title} across, {y_title} up."
    return drawing(title, described, _WIDTH, _HEIGHT, parts)


def _upwards(scale: Scale, title: str) -> list[str]:
    parts = []
    for tick in round_ticks(scale.low, scale.high):
        parts.append(line("grid", _LEFT, scale(tick), _WIDTH - 8, scale(tick)))
        parts.append(label(f"{tick:g}", _LEFT - 6, scale(tick) + 4, "end", "tick"))
    middle = (_TOP + _BOTTOM) / 2
    return [
        *parts,
        f'<text class="axis" transform="translate(14 {middle:g}) rotate(-90)" '
        f'text-anchor="middle">{escape(cut_name(title, 34))}</text>',
    ]


def _names(
    names: Sequence[str], places: Sequence[tuple[float, float]], residuals: Sequence[float]
) -> list[str]:
    """Names beside their dots, the odd ones first; one that would cover something is left out."""
    parts: list[str] = []
    boxes = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]  # dots, and then names
    order = sorted(range(len(names)), key=lambda place: -abs(residuals[place]))
    for place in order[:_NAMED]:
        name, (x, y) = cut_name(names[place], 18), places[place]
        size = 6.6 * len(name)
        starts = (
            (x + 7, y + 4),
            (x - 7 - size, y + 4),
            (x - size / 2, y - 8),
            (x - size / 2, y + 16),
        )
        for start, base in starts:
            box = (start, base - 9, start + size, base + 2)
            if start < _LEFT or start + size > _WIDTH or any(_overlap(box, b) for b in boxes):
                continue
            boxes.append(box)
            parts.append(label(name, start + size / 2, base, "middle", "name"))
            break
    return parts


def _overlap(one: tuple[float, ...], two: tuple[float, ...]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _slope(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """Of the least-squares line; None where there is none to see."""
    if len(xs) < 3 or max(xs) == min(xs):
        return None
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    products = sum((a - mean_x) * (b - mean_y) for a, b in zip(xs, ys, strict=True))
    return products / sum((a - mean_x) ** 2 for a in xs)


def _residuals(xs: Sequence[float], ys: Sequence[float], slope: float | None) -> list[float]:
    if slope is None:
        return [0.0] * len(xs)
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return [b - mean_y - slope * (a - mean_x) for a, b in zip(xs, ys, strict=True)]


def _fitted(xs: Sequence[float], ys: Sequence[float], slope: float, right: Scale, up: Scale) -> str:
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    ends = [(a, mean_y + slope * (a - mean_x)) for a in (min(xs), max(xs))]
    (x1, y1), (x2, y2) = ((right(a), up(b)) for a, b in ends)
    return line("fit", x1, y1, x2, y2)
