"""Tables of results: a grid of lines for people, booktabs for LaTeX, both byte for byte.

sacreBLEU's tables have columns at least two characters wider than their headings, the first
aligned at its right, all others in the middle, and rows as high as their highest cell.
"""

import re
from collections.abc import Mapping, Sequence

Columns = Mapping[str, Sequence[str]]

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_ROOM = 2  # beside a heading
_IN_LATEX = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "^": r"\^{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "\\": r"\textbackslash{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}


def grid(columns: Columns, decimals: int) -> str:
    """A table with lines around every cell; a cell may have several lines.

    >>> print(grid({"System": ["one", "two"], "BLEU": ["1.0", "2.0"]}, 1))
    ╒══════════╤════════╕
    │   System │  BLEU  │
    ╞══════════╪════════╡
    │      one │  1.0   │
    ├──────────┼────────┤
    │      two │  2.0   │
    ╘══════════╧════════╛
    """
    headings, *rows = _aligned(columns, decimals)
    widths = [len(_visible(cell[0])) for cell in headings]
    rules = (_rule(widths, ends) for ends in ("╒═╤╕", "╞═╪╡", "├─┼┤", "╘═╧╛"))
    top, below_headings, between, bottom = rules
    body = f"\n{between}\n".join(_lines(row, widths) for row in rows)
    return "\n".join([top, _lines(headings, widths), below_headings, body, bottom])


def booktabs(columns: Columns, decimals: int) -> str:
    """A table for LaTeX."""
    headings, *rows = ([cell[0] for cell in row] for row in _aligned(columns, decimals))
    places = "r" + "c" * (len(columns) - 1)
    lines = [f"\\begin{{tabular}}{{{places}}}", "\\toprule", _latex_row(headings), "\\midrule"]
    lines += [*map(_latex_row, rows), "\\bottomrule", "\\end{tabular}"]
    return "\n".join(lines)


def _aligned(columns: Columns, decimals: int) -> list[list[list[str]]]:
    """Rows of cells, each a list of lines as wide as their column; the headings come first."""
    found = []
    for place, (heading, cells) in enumerate(columns.items()):
        texts = [cell.strip().split("\n") for cell in _numbers(cells, decimals)]
        widest = max(len(_visible(line)) for cell in texts for line in cell)
        width = max(widest, len(_visible(heading)) + _ROOM)
        align = _right if place == 0 else _middle
        found.append([[align(line, width) for line in cell] for cell in [[heading], *texts]])
    return [list(row) for row in zip(*found, strict=True)]


def _numbers(cells: Sequence[str], decimals: int) -> Sequence[str]:
    """A column of nothing but numbers with that many decimals, if any of them has some."""
    texts = [_visible(cell) for cell in cells]
    if all(map(_is_whole, texts)) or not all(map(_is_number, texts)):
        return cells
    pairs = zip(cells, texts, strict=True)
    return [cell.replace(text, f"{float(text):.{decimals}f}") for cell, text in pairs]


def _is_whole(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _visible(text: str) -> str:
    return _COLOUR.sub("", text)


def _right(text: str, width: int) -> str:
    return " " * (width - len(_visible(text))) + text


def _middle(text: str, width: int) -> str:
    room = width - len(_visible(text))
    return " " * (room // 2) + text + " " * (room - room // 2)


def _rule(widths: Sequence[int], ends: str) -> str:
    left, line, cross, right = (*ends,)
    return left + cross.join(line * (width + 2) for width in widths) + right


def _lines(row: Sequence[Sequence[str]], widths: Sequence[int]) -> str:
    """The lines of a row as high as its highest cell."""
    height = max(len(cell) for cell in row)
    lines = []
    for number in range(height):
        parts = [
            cell[number] if number < len(cell) else " " * width
            for cell, width in zip(row, widths, strict=True)
        ]
        lines.append("│ " + " │ ".join(parts) + " │")
    return "\n".join(lines)


def _latex_row(cells: Sequence[str]) -> str:
    escaped = ("".join(_IN_LATEX.get(char, char) for char in cell) for cell in cells)
    return " " + " & ".join(escaped) + " \\\\"
