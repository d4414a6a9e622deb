"""What all charts share: the frame with its accessible title, axes with round ticks, names."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

#: The height of a row that holds a system.
ROW = 24
_LETTER = 7.2  # the width of a letter of the page's 12 px font, rather more than less
_LONGEST = 26  # letters of a name; longer ones are cut and told in full by a tooltip


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from ``low`` to ``high`` as places from ``start`` to ``end``, in pixels.

    >>> Scale(0.0, 10.0, 100.0, 200.0)(2.5)
    125.0
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        if self.high == self.low:
            return (self.start + self.end) / 2
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def drawing(title: str, description: str, width: float, height: float, parts: Sequence[str]) -> str:
    """The whole SVG; a screen reader says *title* and *description* instead of its parts."""
    return (
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}"><title>{escape(title)}</title>'
        f"<desc>{escape(description)}</desc>{''.join(parts)}</svg>"
    )


def round_ticks(low: float, high: float, count: int = 7) -> list[float]:
    """At most about *count* round numbers from *low* to *high*.

    >>> round_ticks(3.0, 18.0, 5), round_ticks(0.2, 0.9, 3), round_ticks(5.0, 5.0)
    ([5.0, 10.0, 15.0], [0.25, 0.5, 0.75], [5.0])
    """
    if high <= low:
        return [low]
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(f * power for f in (1, 2, 2.5, 5, 10) if f * power >= rough * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


def padded_range(values: Sequence[float], share: float = 0.05) -> tuple[float, float]:
    """The smallest and the largest of the numbers, with some room at both ends; nan is skipped.

    >>> padded_range([1.0, float("nan"), 11.0], share=0.1)
    (0.0, 12.0)
    """
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return 0.0, 1.0
    room = share * (max(known) - min(known)) or abs(known[0]) * share or 1.0
    return min(known) - room, max(known) + room


def name_width(names: Sequence[str]) -> float:
    """How many pixels a column of *names* takes, once they are cut."""
    longest = max((min(len(name), _LONGEST) for name in names), default=0)
    return 16 + _LETTER * longest


def cut_name(name: str, longest: int = _LONGEST) -> str:
    """*name*, or its beginning and its end, which tells names of one laboratory apart.

    >>> cut_name("newstest2015.online-B.0.cs-en.txt", 12)
    'newstes….txt'
    """
    if len(name) <= longest:
        return name
    end = (longest - 1) * 2 // 5
    return f"{name[: longest - 1 - end]}…{name[len(name) - end :]}"


def label(text: str, x: float, y: float, anchor: str = "start", kind: str = "") -> str:
    """A text at a place; *kind* is a class of the style sheet."""
    style = f' class="{kind}"' if kind else ""
    return f'<text{style} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of a class of the style sheet."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def system_rows(systems: Sequence[str], left: float, top: float) -> list[str]:
    """The names of systems down the left side, one row each."""
    return [
        label(cut_name(name), left - 10, row_y(row, top) + 4, "end")
        for row, name in enumerate(systems)
    ]


def row_y(row: int, top: float) -> float:
    """The middle of a row."""
    return top + ROW * (row + 0.5)


def cut_lines(clusters: Sequence[int], width: float, top: float) -> list[str]:
    """Dashed lines between systems of different clusters, given in order."""
    return [
        line("cut", 4, top + ROW * row, width - 4, top + ROW * row)
        for row in range(1, len(clusters))
        if clusters[row] != clusters[row - 1]
    ]


def across(scale: Scale, title: str, top: float, bottom: float) -> list[str]:
    """A horizontal axis below *bottom*: grid lines, round numbers and a title."""
    parts = []
    for tick in round_ticks(scale.low, scale.high):
        parts.append(line("grid", scale(tick), top, scale(tick), bottom))
        parts.append(label(f"{tick:g}", scale(tick), bottom + 15, "middle", "tick"))
    middle = (scale.start + scale.end) / 2
    return [*parts, label(title, middle, bottom + 32, "middle", "axis")]
