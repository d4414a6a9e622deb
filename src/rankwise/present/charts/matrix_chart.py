"""Squares of one strength each: p-values of pairs, numbers of judgments, scores of groups."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from rankwise.present.charts.chart_canvas import cut_name, drawing, label, name_width
from rankwise.present.figures.figure_canvas import short_names

Tone = Literal["above", "below", "heat", "none"]
_TITLED = 20  # rows up to which every square has a tooltip


@dataclass(frozen=True, slots=True)
class Square:
    """A cell: its colour, how strong that is (0 to 1), a short text in it, a tooltip."""

    tone: Tone = "none"
    strength: float = 0.0
    text: str = ""
    title: str = ""


def matrix_chart(
    rows: Sequence[str],
    columns: Sequence[str],
    squares: Sequence[Sequence[Square]],
    *,
    title: str,
    description: str = "",
    numbered: bool = False,
) -> str:
    """Rows by name; columns by slanted names, or if *numbered* by the numbers of the rows.

    Texts are left out where squares are too small to hold them.
    """
    rows = short_names(rows)
    texts = [square.text for cells in squares for square in cells]
    is_small = len(columns) > 24 or not any(texts)
    side = (13.0 if len(rows) > 24 else 18.0) if is_small else max(30.0, 7 * max(map(len, texts)))
    height = 13.0 if is_small and len(rows) > 24 else 18.0 if is_small else 22.0
    left = name_width(rows) + (22 if numbered else 0)
    top = 20.0 if numbered else 14 + 0.62 * name_width(list(map(_short, columns)))
    parts = _heads(rows, columns, left, top, side, height, numbered=numbered)
    has_titles = len(rows) <= _TITLED
    for row, cells in enumerate(squares):
        for column, square in enumerate(cells):
            place = (left + side * column, top + height * row, side, height)
            parts.append(_square(square, place, shows_text=not is_small, has_title=has_titles))
    slant = 0.0 if numbered else 0.62 * name_width([_short(columns[-1])]) if columns else 0.0
    width = left + side * len(columns) + max(8.0, slant)
    return drawing(title, description, width, top + height * len(rows) + 6, parts)


def _heads(
    rows: Sequence[str],
    columns: Sequence[str],
    left: float,
    top: float,
    side: float,
    height: float,
    *,
    numbered: bool,
) -> list[str]:
    parts = []
    for row, name in enumerate(rows):
        y = top + height * (row + 0.5) + 4
        shown = f"{cut_name(name)}  {row + 1}" if numbered else cut_name(name)
        parts.append(label(shown, left - 6, y, "end"))
    for column, name in enumerate(columns):
        x = left + side * (column + 0.5)
        if numbered:
            if len(columns) <= 24 or column == 0 or (column + 1) % 5 == 0:
                parts.append(label(name, x, top - 5, "middle", "tick"))
            continue
        parts.append(
            f'<text class="tick" transform="translate({x - 2:.1f} {top - 6:.1f}) rotate(-40)">'
            f"{escape(_short(name))}</text>"
        )
    return parts


def _short(name: str) -> str:
    return cut_name(name, 18)


def _square(
    square: Square, place: tuple[float, float, float, float], *, shows_text: bool, has_title: bool
) -> str:
    x, y, width, height = place
    strength = f' fill-opacity="{square.strength:.2f}"' if square.tone != "none" else ""
    rectangle = (
        f'<rect class="{square.tone}"{strength} x="{x:g}" y="{y:g}" width="{width - 1:g}" '
        f'height="{height - 1:g}"'
    )
    title = f"<title>{escape(square.title)}</title>" if has_title and square.title else ""
    drawn = f"{rectangle}>{title}</rect>" if title else f"{rectangle}/>"
    if shows_text and square.text:
        kind = "inverse" if square.strength > 0.6 else "cell"
        drawn += label(square.text, x + width / 2, y + height / 2 + 4, "middle", kind)
    return drawn
