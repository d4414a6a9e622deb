"""A table as HTML: headings with a scope, marked cells bold, lines where the table has rules."""

from collections.abc import Sequence
from html import escape

from rankwise.present.tables import Table, for_people

_LONG = 60  # letters of a cell from which its text may be broken into lines


def html_table(table: Table, *, sortable: bool = True) -> str:
    """The table in a box that scrolls by itself; title above, notes below."""
    head = "".join(
        f'<th scope="col"{_side(column.align)}>{escape(column.name)}</th>'
        for column in table.columns
    )
    rows = "".join(
        f"<tr{_rule(row, table)}>{_cells(cells, row, table)}</tr>\n"
        for row, cells in enumerate(for_people(table, escape))
    )
    title = f"<h3>{escape(table.title)}</h3>\n" if table.title else ""
    notes = "".join(f'<p class="notes">{escape(note)}</p>\n' for note in table.notes)
    kind = ' class="sortable"' if sortable and len(table.rows) > 1 else ""
    return (
        f'{title}<div class="scroll"><table{kind}>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n{notes}"
    )


def _cells(texts: Sequence[str], row: int, table: Table) -> str:
    cells = []
    for place, (text, column) in enumerate(zip(texts, table.columns, strict=True)):
        shown = f"<strong>{text}</strong>" if (row, place) in table.marked else text
        side = ' class="long"' if len(text) > _LONG else _side(column.align)
        cells.append(f"<td{side}>{shown}</td>")
    return "".join(cells)


def _side(align: str) -> str:
    return "" if align == "left" else f' class="{align}"'


def _rule(row: int, table: Table) -> str:
    return ' class="rule"' if row in table.rules else ""
