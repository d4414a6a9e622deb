"""One self-contained HTML page: no network, light and dark, on screen and on paper."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from rankwise.io.files import StrPath, write_text
from rankwise.present.html_tables import html_table
from rankwise.present.page.page_script import SCRIPT, policy
from rankwise.present.page.page_style import STYLE
from rankwise.present.page.pair_view import PairView, pair_view_html
from rankwise.present.page.segment_cards import CardList, card_list
from rankwise.present.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDE = 480  # pixels of a chart that needs the whole width of a sheet of paper
_BROAD = 640  # and of one that needs the whole width of the page
_ROW = 36  # pixels of a row of a table


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing (SVG), a sentence below it, and the numbers behind it.

    ``name`` is for files; ``figure`` draws the same with matplotlib, for a paper.
    """

    name: str
    svg: str
    caption: str
    table: Table
    figure: Callable[[], "Figure"] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with a sentence, then tables, charts, segments, commands and signatures.

    ``pairs`` are segments of two systems to look through.
    """

    title: str
    lead: str = ""
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    segments: CardList | None = None
    commands: Sequence[str] = ()
    signatures: Sequence[str] = ()
    pairs: PairView | None = None

    @property
    def anchor(self) -> str:
        """What links to the section.

        >>> Section("Metrics and people").anchor
        'metrics-and-people'
        """
        return re.sub(r"\W+", "-", self.title.lower()).strip("-")


@dataclass(frozen=True, slots=True)
class Page:
    """A title, a sentence, some figures to see first, sections, and what is not there and why."""

    title: str
    lead: str
    sections: Sequence[Section]
    tiles: Sequence[tuple[str, str]] = ()
    absent: Sequence[str] = ()

    def __repr__(self) -> str:
        """The title and the sections, in one line."""
        return f"<Page {self.title!r}: {', '.join(section.title for section in self.sections)}>"

    def html(self) -> str:
        """The page as one string of HTML; every text is escaped."""
        return html_page(self)

    def save(self, path: StrPath) -> None:
        """Write the page, whole or not at all."""
        with write_text(path) as stream:
            stream.write(html_page(self))


def html_page(page: Page) -> str:
    """The page as one string of HTML; every text is escaped."""
    tiles = "".join(f"<li><b>{escape(a)}</b>{escape(b)}</li>" for a, b in page.tiles)
    links = "".join(
        f'<li><a href="#{escape(section.anchor)}">{escape(section.title)}</a></li>'
        for section in page.sections
    )
    absent = f'<p class="absent">Not on this page: {escape("; ".join(page.absent))}.</p>\n'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">\n'
        f"<title>{escape(page.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f'<h1>{escape(page.title)}</h1>\n<p class="lead">{escape(page.lead)}</p>\n'
        + (f'<ul class="tiles">{tiles}</ul>\n' if tiles else "")
        + f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n'
        + "".join(map(_section, page.sections))
        + (absent if page.absent else "")
        + f"</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _section(section: Section) -> str:
    figures = "".join(map(_chart, section.charts))
    tables = "".join(map(html_table, section.tables))
    commands = "\n".join(map(escape, section.commands))
    notes = "".join(f"<li><code>{escape(note)}</code></li>" for note in section.signatures)
    return (
        f'<section id="{escape(section.anchor)}">\n<h2>{escape(section.title)}</h2>\n'
        + (f"<p>{escape(section.lead)}</p>\n" if section.lead else "")
        + f'<div class="{_parts(section)}">'
        + (f'<div class="tables">{tables}</div>\n' if tables else "")
        + (f'<div class="figures">{figures}</div>\n' if figures else "")
        + "</div>\n"
        + (card_list(section.segments) if section.segments is not None else "")
        + (pair_view_html(section.pairs) if section.pairs is not None else "")
        + (f"<pre><code>{commands}</code></pre>\n" if commands else "")
        + (f"<details><summary>Signatures</summary><ul>{notes}</ul></details>\n" if notes else "")
        + "</section>\n"
    )


def _parts(section: Section) -> str:
    """Charts stand beside the tables of a section where they are not much higher than these."""
    tables = sum(_ROW * (len(table.rows) + 2) for table in section.tables)
    charts = sum(_pixels(chart, "height") + 2 * _ROW for chart in section.charts)
    return "parts beside" if charts <= 2 * tables else "parts"


def _pixels(chart: Chart, side: str) -> int:
    """How wide or high a chart is drawn."""
    found = re.search(rf' {side}="(\d+)', chart.svg)
    return 0 if found is None else int(found[1])


def _chart(chart: Chart) -> str:
    width = _pixels(chart, "width")
    kinds = [*(["wide"] if width > _WIDE else []), *(["broad"] if width > _BROAD else [])]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<figure{kind} style="--drawn: {width}px"><div class="scroll">{chart.svg}</div>'
        f"<figcaption>{escape(chart.caption)}</figcaption>\n"
        f"<details><summary>Data of this chart</summary>{html_table(chart.table)}</details>"
        "</figure>\n"
    )
