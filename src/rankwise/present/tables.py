r"""Tables of results, printed as text, TSV, CSV, JSON, Markdown, LaTeX or HTML.

Programs read TSV, CSV and JSON, so these carry every digit; people read the others, so there
numbers are rounded as their column says. A missing value (``None``) is an empty cell in TSV and
CSV, ``null`` in JSON and a dash elsewhere. JSON has no nan and no infinity: both are ``null``
there. Control characters would end a line or steer a terminal; they become spaces, in TSV only
tabs, line ends and NUL do.
"""

import io
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rankwise.errors import DataError

Cell = str | float | int | bool | None
Align = Literal["left", "right", "center"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading, the side its cells stand on, and how numbers are written for people.

    ``number`` is a Python format such as ``".2f"``; the empty one writes every digit.
    """

    name: str
    align: Align = "left"
    number: str = ""

    def __post_init__(self) -> None:
        if self.align not in _ALIGNED:
            choices = ", ".join(_ALIGNED)
            raise DataError(f"column {self.name!r} is aligned {self.align!r}; expected {choices}")
        try:
            format(0.5, self.number)
        except ValueError as error:
            raise DataError(
                f"column {self.name!r} has number format {self.number!r}; "
                "expected one for floats, such as '.2f'"
            ) from error


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns, with a title above and notes below where the format has room.

    ``marked`` names cells by (row, column) that people should see at once: a star in text, bold in
    Markdown and LaTeX; programs do not see it. ``rules`` names rows above which a line is drawn, in
    text and LaTeX. ``facts`` are further fields of the JSON object, such as signatures. NumPy
    scalars become Python numbers.

    >>> table = Table([Column("system"), Column("BLEU", "right", ".1f")], [("A", 31.25), ("B", 9)])
    >>> print(render(table, "text"), end="")
    system  BLEU
    A       31.2
    B        9.0
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    notes: Sequence[str] = ()
    marked: Collection[tuple[int, int]] = ()
    facts: Mapping[str, object] = field(default_factory=dict)
    rules: Collection[int] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "marked", frozenset(self.marked))
        object.__setattr__(self, "rules", frozenset(self.rules))
        object.__setattr__(self, "columns", tuple(self.columns))
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "rows", tuple(tuple(map(_plain, row)) for row in self.rows))
        names = [column.name for column in self.columns]
        if not names:
            raise DataError(f"table {self.title!r} has no columns; expected at least one")
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"column {twice!r} occurs twice in table {self.title!r}")
        for number, row in enumerate(self.rows, 1):
            if len(row) != len(names):
                raise DataError(
                    f"row {number} of table {self.title!r} has {len(row)} cells; "
                    f"expected {len(names)}: {', '.join(names)}"
                )

    def __str__(self) -> str:
        return render(self, "text").rstrip("\n")

    def _repr_html_(self) -> str:
        from rankwise.present.html_tables import html_table

        return html_table(self, sortable=False)


def render(table: Table, format: str) -> str:
    """The table in one of the formats of ``RENDERERS``, with a final line end.

    >>> print(render(Table([Column("x", "right", ".1f")], [(1 / 3,), (None,)]), "tsv"), end="")
    x
    0.3333333333333333
    <BLANKLINE>
    """
    if format not in RENDERERS:
        raise DataError(f"unknown table format {format!r}; choose from {', '.join(RENDERERS)}")
    return RENDERERS[format](table)


# -- for people ----------------------------------------------------------------------------------


def _text(table: Table) -> str:
    written = _padded(table, _one_line, mark=lambda cell: f"{cell}*", unmarked=" ")
    lines = ["  ".join(cells).rstrip() for cells in written]
    lines = _ruled(lines, table, "-" * max(map(_width, lines)))
    above = [_one_line(table.title), ""] if table.title else []
    below = ["", *map(_one_line, table.notes)] if table.notes else []
    return _joined([*above, *lines, *below])


def _markdown(table: Table) -> str:
    """A table of GitHub's Markdown; the rule under the heading carries the alignment."""
    heading, *rows = _padded(table, _markdown_text, mark=lambda cell: f"**{cell}**", least=3)
    rules = [
        _RULES[column.align](_width(cell) - 2)
        for column, cell in zip(table.columns, heading, strict=True)
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in (heading, rules, *rows)]
    above = [f"**{_markdown_text(table.title)}**", ""] if table.title else []
    below = [line for note in table.notes for line in ("", _markdown_text(note))]
    return _joined([*above, *lines, *below])


def _latex(table: Table) -> str:
    """A floating table; its rules are those of the package booktabs."""
    written = _padded(
        table, _latex_text, mark=lambda cell: rf"\textbf{{{cell}}}", number=_latex_number
    )
    written_rows = [" & ".join(cells) + r" \\" for cells in written]
    heading, *rows = _ruled(written_rows, table, r"\midrule")
    sides = "".join(column.align[0] for column in table.columns)
    caption = [rf"\caption{{{_latex_text(table.title)}}}"] if table.title else []
    return _joined(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            *caption,
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            heading,
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            *(rf"\par\smallskip{{\footnotesize {_latex_text(note)}}}" for note in table.notes),
            r"\end{table}",
        ]
    )


def _ruled(lines: Sequence[str], table: Table, rule: str) -> list[str]:
    """A heading and rows with a line above the rows that ask for one."""
    ruled = []
    for row, line in enumerate(lines, -1):
        ruled += [rule, line] if row in table.rules else [line]
    return ruled


def _padded(
    table: Table,
    escape: Callable[[str], str],
    *,
    mark: Callable[[str], str],
    unmarked: str = "",
    number: Callable[[str], str] | None = None,
    least: int = 0,
) -> list[list[str]]:
    """The heading and the rows as cells of equal width per column, texts escaped.

    *unmarked* goes where a mark would: after cells of a right-aligned column that has marks.
    """
    written = [[escape(column.name) for column in table.columns]]
    written += for_people(table, escape, number=number)
    for place, column in enumerate(table.columns):
        rows = {row for row, marked in table.marked if marked == place}
        fill = unmarked if rows and column.align == "right" else ""
        for row, cells in enumerate(written, -1):
            cells[place] = mark(cells[place]) if row in rows else cells[place] + fill
    widths = [max(least, *map(_width, cells)) for cells in zip(*written, strict=True)]
    return [
        [
            _ALIGNED[column.align](cell, width - _width(cell))
            for cell, column, width in zip(cells, table.columns, widths, strict=True)
        ]
        for cells in written
    ]


def for_people(
    table: Table,
    escape: Callable[[str], str],
    *,
    number: Callable[[str], str] | None = None,
) -> list[list[str]]:
    """The cells of every row as a person reads them: numbers rounded, texts escaped."""
    return [
        [
            _for_people(cell, column, escape, number)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]


def _for_people(
    cell: Cell, column: Column, escape: Callable[[str], str], number: Callable[[str], str] | None
) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return escape(cell)
    if isinstance(cell, bool):
        return _exact(cell)
    written = format(cell, column.number)
    if set(written) <= set("-0.,%"):  # what rounds to zero has no sign
        written = written.removeprefix("-")
    return escape(written) if number is None else number(written)


# -- for programs --------------------------------------------------------------------------------


def _tsv(table: Table) -> str:
    """A header and the rows, nothing else: titles and notes would be read as data."""
    rows = [[column.name for column in table.columns], *table.rows]
    return _joined(["\t".join(_exact(cell).translate(_TSV_BREAKS) for cell in row) for row in rows])


def _csv(table: Table) -> str:
    """As spreadsheets read it: a header and the rows, every digit."""
    import csv

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows([_exact(cell) for cell in row] for row in table.rows)
    return text.getvalue()


def _html(table: Table) -> str:
    """A page with nothing but the table, for those who paste it elsewhere."""
    import html

    from rankwise.present.html_tables import html_table

    title = html.escape(table.title or "Rankwise")
    head = f'<head><meta charset="utf-8"><title>{title}</title></head>'
    body = f"<body>\n{html_table(table, sortable=False)}</body>"
    return f'<!DOCTYPE html>\n<html lang="en">\n{head}\n{body}\n</html>\n'


def table_object(table: Table) -> dict[str, object]:
    """The title, the rows as dictionaries, the notes and the facts: what JSON holds."""
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, map(_finite, row), strict=True)) for row in table.rows]
    return {"title": table.title, "rows": rows, "notes": list(table.notes), **table.facts}


def _json(table: Table) -> str:
    """An object of :func:`table_object`, its rows one per line."""
    return json_text(table_object(table))


def json_text(found: Mapping[str, object]) -> str:
    """An object as JSON; of its fields those that are lists of rows have a row per line."""
    parts = {}
    for key, value in found.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n".join(f"  {_dumped(row)}" for row in value)
            parts[key] = f"[\n{rows}\n ]"
        else:
            parts[key] = _dumped(value)
    return "{\n" + ",\n".join(f' "{key}": {value}' for key, value in parts.items()) + "\n}\n"


def one_type(cells: Sequence[Cell]) -> list[Cell]:
    """The cells of a column for files that have types: texts where any is one, else one number.

    >>> one_type([1, None, 2.5]), one_type([1, "a", None])
    ([1.0, None, 2.5], ['1', 'a', None])
    """
    if any(isinstance(cell, str) for cell in cells):
        return [None if cell is None else _exact(cell) for cell in cells]
    if any(isinstance(cell, float) for cell in cells):
        return [None if cell is None else float(cell) for cell in cells]
    return list(cells)


def _dumped(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _exact(cell: Cell) -> str:
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _finite(cell: Cell) -> Cell:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


# -- characters ----------------------------------------------------------------------------------


def _width(text: str) -> int:
    """How many terminal cells *text* takes: wide characters two, combining and invisible none."""
    return sum(map(_character_width, text))


def _character_width(character: str) -> int:
    if character == "\u00ad":  # the soft hyphen is of an invisible category, but terminals show it
        return 1
    if unicodedata.category(character) in {"Mn", "Me", "Cf"} or "\u1160" <= character <= "\u11ff":
        return 0  # the range: vowels and finals that join the Korean syllable before them
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _one_line(text: str) -> str:
    """*text* with a space for every control character and line separator."""
    return "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in text)


def _markdown_text(text: str) -> str:
    return re.sub(_MARKDOWN_SPECIAL, r"\\\g<0>", _one_line(text))


def _latex_text(text: str) -> str:
    return _one_line(text).translate(_LATEX_SPECIAL)


def _latex_number(text: str) -> str:
    """A number with a minus instead of a hyphen."""
    return _latex_text(text).replace("-", "$-$")


def _plain(cell: object) -> Cell:
    if cell is None or type(cell) in (str, float, int, bool):
        return cell  # type: ignore[return-value]
    import numpy as np  # whose numbers are no cells of a small job

    value = cell.item() if isinstance(cell, np.generic) else cell
    if isinstance(value, str | float | int):
        return value
    raise DataError(f"a table cell is {cell!r}; expected text, a number or None")


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines) + "\n"


RENDERERS: Mapping[str, Callable[[Table], str]] = {
    "text": _text,
    "tsv": _tsv,
    "csv": _csv,
    "json": _json,
    "markdown": _markdown,
    "latex": _latex,
    "html": _html,
}

# How a cell meets the spaces it has too few of.
_ALIGNED: Mapping[str, Callable[[str, int], str]] = {
    "left": lambda cell, missing: cell + " " * missing,
    "right": lambda cell, missing: " " * missing + cell,
    "center": lambda cell, missing: " " * (missing // 2) + cell + " " * (missing - missing // 2),
}

_RULES: Mapping[str, Callable[[int], str]] = {
    "left": lambda inner: f":-{'-' * inner}",
    "right": lambda inner: f"-{'-' * inner}:",
    "center": lambda inner: f":{'-' * inner}:",
}

_TSV_BREAKS = str.maketrans(dict.fromkeys("\t\n\r\0", " "))

# An underscore inside a word and an ampersand outside an entity mean nothing: they stay readable.
_MARKDOWN_SPECIAL = r"[\\`|*<\[~]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])"

# A bracket or star that begins a row would be taken as an argument of the line end before it.
_LATEX_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%_#${}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",
        "*": "{*}",
    }
)
