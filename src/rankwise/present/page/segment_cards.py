"""Segments one by one: source, references and outputs with the words that differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from rankwise.text.word_differences import Run


@dataclass(frozen=True, slots=True)
class MarkedPart:
    """Characters of an output, and the errors that cover them in words; none where it is empty."""

    text: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """An output once more with errors marked in it; no parts where none has a place."""

    title: str
    parts: Sequence[MarkedPart]


@dataclass(frozen=True, slots=True)
class CardText:
    """A text of a segment: what it is, and its words in runs (one run where nothing differs).

    ``marks`` are lines with the errors that somebody marked in it.
    """

    label: str
    runs: Sequence[Run]
    language: str = ""
    marks: Sequence[MarkedLine] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """A segment: its name, where it comes from, figures to sort by, and its texts.

    ``figures`` holds for each key of the list the number and its words; nan and empty words where
    there is none.
    """

    name: str
    place: int
    origin: str
    figures: Mapping[str, tuple[float, str]]
    texts: Sequence[CardText]


@dataclass(frozen=True, slots=True)
class CardList:
    """Cards in the order of the page; ``orders`` says what they may be sorted by, key and words."""

    cards: Sequence[Card]
    orders: Mapping[str, str]
    open_cards: int = 3


def card_list(found: CardList) -> str:
    """The tools for searching and sorting, hidden without a script, and the cards."""
    choices = "".join(
        f'<option value="{escape(key)}">{escape(words)}</option>'
        for key, words in found.orders.items()
    )
    cards = "".join(
        card_html(card, found.orders, is_open=number < found.open_cards)
        for number, card in enumerate(found.cards)
    )
    return (
        '<div class="tools" hidden><label>Search <input class="search" type="search"></label>'
        f'<label>Sort by <select class="order">{choices}'
        '<option value="place">place in the test set</option></select></label>'
        '<span class="count" role="status"></span></div>\n'
        f'<div class="segments">\n{cards}</div>\n'
    )


def card_html(card: Card, keys: Mapping[str, str], *, is_open: bool) -> str:
    """A segment that folds; *keys* names the figures that it may be sorted by."""
    values = "".join(
        f' data-{escape(key)}="{card.figures[key][0]:g}"' for key in keys if key in card.figures
    )
    spans = "".join(f"<span>{escape(words)}</span>" for _, words in card.figures.values() if words)
    origin = f"<span>{escape(card.origin)}</span>" if card.origin else ""
    texts = "".join(map(_text, card.texts))
    return (
        f'<details class="segment" data-place="{card.place}"{values}{" open" * is_open}>'
        f"<summary><b>{escape(card.name)}</b>{origin}{spans}</summary>\n<dl>{texts}</dl></details>\n"
    )


def _text(text: CardText) -> str:
    language = f' lang="{escape(text.language)}"' if text.language else ""
    lines = "".join(_marked_line(line, language) for line in text.marks)
    return (
        f'<dt>{escape(text.label)}</dt><dd dir="auto"{language}>{marked(text.runs)}</dd>\n{lines}'
    )


def _marked_line(line: MarkedLine, language: str) -> str:
    """What was marked, in words, and the output with it; words follow what they are about."""
    parts = "".join(map(_part, line.parts))
    text = f'<span dir="auto"{language}>{parts}</span>' if parts else ""
    return f'<dd class="marked"><small>{escape(line.title)}</small> {text}</dd>\n'


def _part(part: MarkedPart) -> str:
    """White space at both ends stays outside the mark."""
    if not part.words or not part.text.strip():
        return escape(part.text)
    inner = part.text.strip()
    before = part.text[: len(part.text) - len(part.text.lstrip())]
    after = part.text[len(part.text.rstrip()) :]
    words = f"<small>{escape(part.words)}</small>"
    return f"{before}<mark>{escape(inner)}{words}</mark>{after}"


def marked(runs: Sequence[Run]) -> str:
    """Runs of words as HTML: ``ins`` for what is added, ``del`` for what is missing.

    >>> marked([Run("same", "a "), Run("added", "<b> "), Run("missing", "c")])
    'a <ins>&lt;b&gt;</ins> <del>c</del>'
    """
    return "".join(map(_run, runs))


def _run(run: Run) -> str:
    """White space at the end stays outside the mark."""
    words = run.text.rstrip()
    return _TAGS[run.kind].format(escape(words)) + escape(run.text[len(words) :])


_TAGS = {"same": "{}", "added": "<ins>{}</ins>", "missing": "<del>{}</del>"}
