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

_WIDTH, _LEFT, _TOP, _BOTTOM = 430.0, 62.0, 10.0, 292.0
_BELOW = 48.0  # the axis and its title
_KEY_ROW, _KEY_COLUMNS = 15.0, 3
_LONGEST = 18  # letters of a name


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

    A name that would cover something stands below the chart, and its number at the dot.
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
    names = [name for name, _, _ in points]
    labels, left_over = _names(names, places, residuals)
    for place, (name, (across_x, up_y)) in enumerate(zip(names, places, strict=True)):
        radius = 7 if place in left_over else 4
        parts.append(
            f'<circle class="dot" cx="{across_x:.1f}" cy="{up_y:.1f}" r="{radius}">'
            f"<title>{escape(name)}</title></circle>"
        )
    key, height = _key([names[place] for place in left_over])
    parts += [*labels, *_numbers([places[place] for place in left_over]), *key]
    described = f"{len(points)} systems, {x_title} across, {y_title} up."
    return drawing(title, described, _WIDTH, _BOTTOM + _BELOW + height, parts)


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
) -> tuple[list[str], list[int]]:
    """Names beside their dots, the odd ones first, and the places of dots without room for one."""
    parts: list[str] = []
    left_over = []
    boxes = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]  # dots, and then names
    order = sorted(range(len(names)), key=lambda place: -abs(residuals[place]))
    for place in order:
        name = cut_name(names[place], _LONGEST)
        found = _room(name, places[place], boxes)
        if found is None:
            left_over.append(place)
            continue
        start, base, size = found
        boxes.append((start, base - 9, start + size, base + 2))
        parts.append(label(name, start + size / 2, base, "middle", "name"))
    return parts, sorted(left_over)


def _room(
    name: str, place: tuple[float, float], boxes: Sequence[tuple[float, ...]]
) -> tuple[float, float, float] | None:
    """Where a name begins, its base line and its width; None where it would cover something."""
    (x, y), size = place, 6.6 * len(name)
    beside, above = ((x + 7, x - 7 - size), (x - size / 2, x + 2, x - 2 - size))
    starts = [*((start, y + 4) for start in beside)]
    starts += [(start, base) for start in above for base in (y - 8, y + 16)]
    for start, base in starts:
        box = (start, base - 9, start + size, base + 2)
        is_inside = start >= _LEFT and start + size <= _WIDTH and _TOP < base < _BOTTOM
        if is_inside and not any(_overlap(box, other) for other in boxes):
            return start, base, size
    return None


def _numbers(places: Sequence[tuple[float, float]]) -> list[str]:
    """Numbers in dots whose names stand in the key."""
    return [
        label(str(number), x, y + 3.5, "middle", "inverse")
        for number, (x, y) in enumerate(places, 1)
    ]


def _key(names: Sequence[str]) -> tuple[list[str], float]:
    """What the numbers in dots stand for, in columns below the chart, and how high that is."""
    rows = -(-len(names) // _KEY_COLUMNS)
    width = (_WIDTH - 16) / _KEY_COLUMNS
    parts = [
        label(
            f"{number + 1} {cut_name(name, _LONGEST)}",
            8 + width * (number // max(rows, 1)),
            _BOTTOM + _BELOW + _KEY_ROW * (number % max(rows, 1) + 0.7),
            "start",
            "name",
        )
        for number, name in enumerate(names)
    ]
    return parts, _KEY_ROW * rows + (4 if rows else 0)


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
