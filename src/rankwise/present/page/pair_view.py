"""Segments of any two systems to look through: what the script needs, and what is there without.

The data travel in the page as JSON; ``pair_view.js`` shows a page of them at a time.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rankwise.present.page.segment_cards import Card, card_html

_SORTS = {
    "size": "how much they differ",
    "first": "where A is better",
    "second": "where B is better",
    "place": "place in the test set",
}
_MARKS = {"reference": "the reference", "other": "the other"}


@dataclass(frozen=True, slots=True)
class PairView:
    """``data`` as the script reads them, and the ``cards`` that are there without it.

    The keys of the data are ``systems``, ``metrics`` (name, sign, digits), ``ids``, ``places``,
    ``domains``, ``documents``, ``words``, ``weights``, ``sources``, ``references`` and ``texts``
    (each with the lengths of its pieces), ``outputs`` (which text is whose), ``scores`` (metric,
    system, segment), ``tests`` (by pair of systems) and ``languages``. Where two systems are
    ``chosen`` at first, others may be chosen, and a table shows their scores.
    """

    data: Mapping[str, Any]
    cards: Sequence[Card] = ()
    chosen: tuple[int, int] | None = None


def pair_view_html(view: PairView) -> str:
    """Fields to filter and sort with, hidden without a script, the segments and the data."""
    data = view.data
    names = [metric["name"] for metric in data["metrics"]]
    systems = dict(enumerate(data["systems"]))
    domains = dict.fromkeys(domain for domain in data["domains"] if domain)
    is_fixed = " hidden" if view.chosen is None else ""
    one, two = view.chosen or (0, 1)
    both = _select("A", "first", systems, one) + _select("B", "second", systems, two)
    choices = (
        f"<span{is_fixed}>{both}"
        '<button type="button" class="pair-swap">Swap A and B</button></span>'
    )
    table = "" if view.chosen is None else '<div class="scroll pair-table"></div>\n'
    fields = (
        _field("Search", "search", kind="search")
        + _select("Domain", "domain", {"": "all", **{name: name for name in domains}})
        + _field("Document", "document", kind="search")
        + _span("Words", "least", "most")
        + _select("By", "metric", dict(enumerate(names)))
        + _span("Difference", "from", "to")
        + _span("Score of A or B", "low", "high")
        + _select("Sort by", "sort", _SORTS)
        + _select("Mark words not in", "marks", _MARKS)
    )
    cards = "".join(card_html(card, {}, is_open=True) for card in view.cards)
    pager = (
        '<p class="pager" hidden><button type="button" class="pair-back">Back</button> '
        '<span class="pair-page" role="status"></span> '
        '<button type="button" class="pair-on">Next</button></p>\n'
    )
    return (
        '<div class="pair-view">\n'
        f'<div class="filters" hidden>{choices}</div>\n{table}<div class="filters" hidden>{fields}'
        f'<span class="pair-count" role="status"></span></div>\n{pager}'
        f'<div class="pair-list" tabindex="-1">\n{cards}</div>\n{pager}'
        f'<script type="application/json">{_json(data)}</script>\n</div>\n'
    )


def _json(data: Mapping[str, Any]) -> str:
    """JSON that ends no element of the page."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _field(label: str, name: str, *, kind: str = "text") -> str:
    return f'<label>{escape(label)} <input class="pair-{name}" type="{kind}"></label>'


def _span(label: str, low: str, high: str) -> str:
    """Two numbers, either of which may be left out."""
    return (
        f"<label>{escape(label)} from "
        f'<input class="pair-{low} short" type="text" inputmode="decimal"></label>'
        f'<label>to <input class="pair-{high} short" type="text" inputmode="decimal" '
        f'aria-label="{escape(label)} to"></label>'
    )


def _select(label: str, name: str, options: Mapping[Any, str], chosen: int = 0) -> str:
    """A list to choose from; *chosen* is the place of what is chosen at first."""
    choices = "".join(
        f'<option value="{escape(str(value))}"{" selected" * (place == chosen)}>'
        f"{escape(words)}</option>"
        for place, (value, words) in enumerate(options.items())
    )
    return f'<label>{escape(label)} <select class="pair-{name}">{choices}</select></label>'
