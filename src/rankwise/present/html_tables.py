"""A table as HTML: headings with a scope, marked cells bold, lines where the table has rules.

The column that names the rows has a class of its own, so that it stays when a table is scrolled.
"""

from collections.abc import Sequence
from html import escape

from rankwise.present.tables import Table, for_people

_LONG = 60  # letters of a cell from which its text may be broken into lines


def html_table(table: Table, *, sortable: bool = True) -> str:
    """The table in a box that scrolls by itself; title above, notes below.

    One that is not *sortable* stands on a page that is not ours, such as a notebook.
    """
    named = name_column(table) if sortable else -1
    head = "".join(
        f'<th scope="col"{_kind(column.align, place == named)}>{escape(column.name)}</th>'
        for place, column in enumerate(table.columns)
    )
    rows = "".join(
        f"<tr{_rule(row, table, has_style=sortable)}>{_cells(cells, row, table, named)}</tr>\n"
        for row, cells in enumerate(for_people(table, escape))
    )
    title = f"<h3>{escape(table.title)}</h3>\n" if table.title else ""
    notes = "".join(f'<p class="notes">{escape(note)}</p>\n' for note in table.notes)
    kind = ' class="sortable"' if sortable and len(table.rows) > 1 else ""
    return (
        f'{title}<div class="scroll"><table{kind}>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n{notes}"
    )


def name_column(table: Table) -> int:
    """The column that says what a row is about: that of systems or metrics, or else the first."""
    heads = [column.name for column in table.columns]
    return next((heads.index(name) for name in ("system", "metric") if name in heads), 0)


def _cells(texts: Sequence[str], row: int, table: Table, named: int) -> str:
    cells = []
    for place, (text, column) in enumerate(zip(texts, table.columns, strict=True)):
        shown = f"<strong>{text}</strong>" if (row, place) in table.marked else text
        align = "long" if len(text) > _LONG else column.align
        cells.append(f"<td{_kind(align, place == named)}>{shown}</td>")
    return "".join(cells)


def _kind(align: str, is_name: bool) -> str:
    """The classes of a cell: that of a name, and the side on which it stands."""
    words = [*(["name"] if is_name else []), *([align] if align != "left" else [])]
    return f' class="{" ".join(words)}"' if words else ""


def _rule(row: int, table: Table, *, has_style: bool) -> str:
    """The line above a row; a table in a notebook brings its own, a page has a style for it."""
    if row not in table.rules:
        return ""
    return ' class="rule"' if has_style else ' style="border-top: 2px solid currentColor"'
