"""Upright columns over a few or many places: counts over time, shares of bins."""

from collections.abc import Sequence
from html import escape

from rankwise.present.charts.chart_canvas import (
    Scale,
    drawing,
    label,
    line,
    name_width,
    round_ticks,
)

_HEIGHT, _WIDE, _NARROW = 120.0, 34.0, 3.0
#: The width of a picture of many columns, and of a letter.
_PLOT, _LETTER = 420.0, 7.2


def column_chart(
    names: Sequence[str],
    values: Sequence[float],
    *,
    title: str,
    axis: str,
    marks: Sequence[float] = (),
    percent: bool = False,
) -> str:
    """A column for every name, as high as its value; *marks* are lines across the columns.

    Where names do not fit, only some of them are written. With *percent* values are shares.
    """
    count = max(1, len(names))
    step = max(_NARROW, min(_WIDE, _PLOT / count))
    most = max([*values, *marks, 0.0]) or 1.0
    reach = _LETTER * len(names[0]) if names else 0.0  # the first slanted name goes to the left
    left, top = max(44.0, reach - step / 2), 10.0
    up = Scale(0.0, most, top + _HEIGHT, top)
    parts = []
    ticks = round_ticks(0.0, most, 4)
    for tick in ticks if percent else filter(float.is_integer, ticks):
        parts.append(line("grid", left, up(tick), left + step * count, up(tick)))
        text = f"{100 * tick:g} %" if percent else f"{tick:,g}"
        parts.append(label(text, left - 6, up(tick) + 4, "end", "tick"))
    for place, (name, value) in enumerate(zip(names, values, strict=True)):
        x, y = left + step * place, up(value)
        said = f"{name}: {100 * value:.1f} %" if percent else f"{name}: {value:,g}"
        parts.append(
            f'<rect class="bar" x="{x + step * 0.1:.1f}" y="{y:.1f}" width="{step * 0.8:.1f}" '
            f'height="{top + _HEIGHT - y:.1f}"><title>{escape(said)}</title></rect>'
        )
    for place, value in enumerate(marks):
        x = left + step * place
        parts.append(line("mark", x, up(value), x + step, up(value)))
    parts += _names(names, left, step, top + _HEIGHT)
    width = left + step * count + 40
    below = top + _HEIGHT + 28 + 0.58 * name_width(names)  # the slanted names end there
    half = 8 + _LETTER * len(axis) / 2
    middle = max(left + step * count / 2, half)  # of few columns the axis is the wider
    parts.append(label(axis, middle, below, "middle", "axis"))
    columns = f"{len(names)} columns" if len(names) != 1 else "1 column"
    described = f"{columns}, {axis}; at most {most:.3g}."
    return drawing(title, described, max(width, middle + half, 200.0), below + 8, parts)


def _names(names: Sequence[str], left: float, step: float, bottom: float) -> list[str]:
    """Slanted names below the columns, every one or every so many."""
    every = max(1, -(-18 // max(1, int(step))))
    parts = []
    for place in range(0, len(names), every):
        x = left + step * (place + 0.5)
        parts.append(
            f'<text class="tick" text-anchor="end" transform="translate({x + 3:.1f} '
            f'{bottom + 14:.1f}) rotate(-35)">{escape(names[place])}</text>'
        )
    return parts
