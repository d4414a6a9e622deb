"""One self-contained HTML page: no network, no script, light and dark."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rankwise.report.tables import Table, for_people

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60666d; --line: #d9dde1; --back: #fff;
  --accent: #1c6dd0; --cut: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a2a8af; --line: #3b4046;
  --back: #16181b; --accent: #7db4ff; --cut: #ff8a80; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back);
  max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
p.lead, figcaption, .notes { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid var(--line); text-align: left; }
.right { text-align: right; } .center { text-align: center; } th { font-weight: 600; }
.figures { display: flex; flex-wrap: wrap; gap: 1.5rem; } figure { margin: 0; max-width: 100%; }
svg { max-width: 100%; height: auto; font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .axis, svg .tick { fill: var(--soft); } svg .grid { stroke: var(--line); }
svg .frame { fill: none; stroke: var(--line); } svg .range { stroke: var(--accent);
  stroke-width: 8; stroke-linecap: round; opacity: .35; } svg .dot { fill: var(--accent); }
svg .cut { stroke: var(--cut); stroke-dasharray: 5 4; }
code { font-size: .85rem; overflow-wrap: anywhere; }
@media print { body { max-width: none; margin: 0; } section { break-inside: avoid; } }
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a sentence, tables, figures (SVG with a caption) and notes below."""

    title: str
    lead: str = ""
    tables: Sequence[Table] = ()
    figures: Sequence[tuple[str, str]] = ()
    notes: Sequence[str] = ()


def page(title: str, lead: str, sections: Sequence[Section]) -> str:
    """The page as one string of HTML; every text is escaped."""
    body = "".join(_section(section) for section in sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f'<main>\n<h1>{escape(title)}</h1>\n<p class="lead">{escape(lead)}</p>\n{body}</main>\n'
        "</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    figures = "".join(
        f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
        for svg, caption in section.figures
    )
    notes = "".join(f"<li><code>{escape(note)}</code></li>" for note in section.notes)
    return (
        f"<section>\n<h2>{escape(section.title)}</h2>\n<p>{escape(section.lead)}</p>\n"
        + "".join(_table(table) for table in section.tables)
        + (f'<div class="figures">{figures}</div>\n' if figures else "")
        + (f'<ul class="notes">{notes}</ul>\n' if notes else "")
        + "</section>\n"
    )


def _table(table: Table) -> str:
    head = "".join(
        f'<th scope="col" class="{column.align}">{escape(column.name)}</th>'
        for column in table.columns
    )
    rows = "".join(
        f"<tr>{_cells(cells, row, table)}</tr>\n"
        for row, cells in enumerate(for_people(table, escape))
    )
    return (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}</tbody>\n</table></div>\n"
    )


def _cells(texts: Sequence[str], row: int, table: Table) -> str:
    cells = []
    for place, (text, column) in enumerate(zip(texts, table.columns, strict=True)):
        shown = f"<strong>{text}</strong>" if (row, place) in table.marked else text
        cells.append(f'<td class="{column.align}">{shown}</td>')
    return "".join(cells)
