"""A finished campaign as pages of a folder: every screen as its judges saw it, and the results.

No server, no script, no network; judges are numbered, and what they wrote in comments is left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from rankwise.io.files import write_text
from rankwise.present.html_tables import html_table
from rankwise.present.page.page_style import STYLE
from rankwise.present.tables import Column, Table
from rankwise.server.campaign.exchange.media_copies import Content, copy_media
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocol_kinds import Ordered, Valued
from rankwise.server.campaign.standings.boards import models_of, ranking_board, value_board
from rankwise.server.campaign.standings.contents import LiveBoard
from rankwise.server.campaign.standings.counted import (
    WORK,
    Keep,
    assessments_of,
    judgments_of,
    kept,
)
from rankwise.server.records import NO_ASSETS, SegmentAsset, Slot, StoredJudgment
from rankwise.types import TestSet

_LEAD = "As its judges saw it; to them the names of systems were not shown."
#: ``file:`` is for pages opened from a disk, where some browsers know no 'self'.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; media-src 'self' file:"
)
#: The folder of pictures, sounds and videos beside the pages.
MEDIA = "media"
_OWN_STYLE = """
.looks{display:grid;gap:1rem}
.row{display:flex;flex-wrap:wrap;gap:.75rem;margin:.5rem 0 1rem}
.text{flex:1 1 14rem;min-width:0;border:1px solid color-mix(in srgb,currentColor 25%,transparent);
border-radius:.4rem;padding:.6rem .75rem}
.text p{margin:.25rem 0;overflow-wrap:anywhere;white-space:pre-wrap}
.text .who{font-size:.85rem;opacity:.8}
.text img,.text video{max-width:100%;max-height:20rem;border-radius:.3rem}
.text audio{width:100%}
mark{background:color-mix(in srgb,#e8a33d 40%,transparent);color:inherit;
border-bottom:2px solid #b36b00}
mark.strong{background:color-mix(in srgb,#e5484d 35%,transparent);border-bottom:3px double #e5484d}
"""


@dataclass(frozen=True, slots=True)
class PublishedPages:
    """Where the first page is, and how many screens, judgments and bytes of files there are."""

    first: Path
    screens: int
    judgments: int
    files: int = 0
    size: int = 0


def publish(
    plan: Plan,
    testset: TestSet,
    stored: Sequence[StoredJudgment],
    folder: Path,
    *,
    machines: bool = False,
    assets: Mapping[int, SegmentAsset] = NO_ASSETS,
    content: Content | None = None,
) -> PublishedPages:
    """Write ``index.html`` and a page for every screen to *folder*: what the leaderboard counts.

    With *machines*, what they said is shown too, marked as theirs, and a second leaderboard counts
    it; the first is of people alone in any case. *assets* are what the segments have beside their
    texts; the files that the screens show lie in the folder ``media``, where *content* gives them,
    and otherwise what is to be seen or heard in them stands in their place.
    """
    keep = replace(WORK, machines=machines)
    chosen = [one for one in kept(stored, keep).judgments if one.kind == "answer"]
    names: dict[str, str] = {}
    screens: dict[int, list[StoredJudgment]] = {}
    for one in sorted(chosen, key=lambda one: one.is_machine):
        numbered = f"Judge {len(names) + 1}"
        names.setdefault(one.judge, f"{numbered} (machine)" if one.is_machine else numbered)
    for one in chosen:
        screens.setdefault(one.screen, []).append(one)
    places = {segment.id: place for place, segment in enumerate(testset.segments)}
    shown = _shown(plan, chosen, places, assets)
    copies = None if content is None else copy_media(shown.values(), content, folder / MEDIA)
    files = {} if copies is None else copies.names
    pages = _Pages(plan, testset, names, places, keep, shown, files)
    (folder / "screens").mkdir(parents=True, exist_ok=True)
    for number, looks in enumerate(screens.values(), 1):
        _write(folder / "screens" / f"{number}.html", pages.screen(number, looks, len(screens)))
    first = folder / "index.html"
    _write(first, pages.index(stored, list(screens.values())))
    size = 0 if copies is None else copies.size
    return PublishedPages(first, len(screens), len(chosen), len(files), size)


def _shown(
    plan: Plan,
    chosen: Iterable[StoredJudgment],
    places: Mapping[str, int],
    assets: Mapping[int, SegmentAsset],
) -> dict[int, SegmentAsset]:
    """What of *assets* the screens show, in the order of the segments."""
    if not assets:
        return {}
    seen = {places[part.segment or ""] for one in chosen for part in plan.rules.parts(one)}
    return {place: assets[place] for place in sorted(seen) if place in assets}


def _write(path: Path, html: str) -> None:
    with write_text(path) as stream:
        stream.write(html)


@dataclass(frozen=True, slots=True)
class _Pages:
    """What every page needs to know."""

    plan: Plan
    testset: TestSet
    judges: Mapping[str, str]
    places: Mapping[str, int]
    keep: Keep
    assets: Mapping[int, SegmentAsset]
    files: Mapping[int, str]

    def index(
        self, stored: Sequence[StoredJudgment], screens: Sequence[Sequence[StoredJudgment]]
    ) -> str:
        """The results, and a link to every screen."""
        judged = sum(map(len, screens))
        tables = "".join(
            f"<h3>{escape(board['model'] + words)}</h3>{_board(board)}"
            for words, board in self._boards(stored)
        )
        links = "".join(
            f'<li><a href="screens/{number}.html">Screen {number}</a>: segment '
            f"{escape(looks[0].segment or '')}, {_count(len(looks), 'judgment')}</li>"
            for number, looks in enumerate(screens, 1)
        )
        lead = f"{self.plan.rules.title}, {'-'.join(self.plan.languages)}: "
        machines = sum(look.is_machine for looks in screens for look in looks)
        people = [name for name in self.judges.values() if not name.endswith("(machine)")]
        lead += f"{_count(judged - machines, 'judgment')} by {_count(len(people), 'judge')} "
        lead += f"and {machines} by machines " if machines else ""
        lead += f"on {_count(len(screens), 'screen')}."
        told = escape(self.plan.instructions)
        body = (
            f"<section><h2>Results</h2>{tables}</section>"
            f"<section><h2>What judges were told</h2><p>{told}</p></section>"
            f"<section><h2>Screens</h2><ol>{links}</ol></section>"
        )
        return _page(self.plan.name, lead, body)

    def _boards(self, stored: Sequence[StoredJudgment]) -> Iterator[tuple[str, LiveBoard]]:
        """The leaderboard of people, and of everybody where machines are shown."""
        yield "", self._leaderboard(stored, WORK)
        if self.keep.machines and any(one.is_machine for one in stored):
            yield ", machines counted like people", self._leaderboard(stored, self.keep)

    def _leaderboard(self, stored: Sequence[StoredJudgment], keep: Keep) -> LiveBoard:
        plan = self.plan
        model = models_of(plan)[0]
        if plan.rules.is_scalar:
            return value_board(assessments_of(stored, plan, keep=keep), model, seed=plan.seed)
        return ranking_board(judgments_of(stored, plan, keep=keep), model, seed=plan.seed)

    def screen(self, number: int, looks: Sequence[StoredJudgment], last: int) -> str:
        """One screen as each of its judges saw it, with the answers."""
        links = [("../index.html", "Results")]
        links += [(f"{number - 1}.html", "Earlier screen")] if number > 1 else []
        links += [(f"{number + 1}.html", "Later screen")] if number < last else []
        ways = "".join(f'<li><a href="{to}">{words}</a></li>' for to, words in links)
        body = f'<nav aria-label="Screens"><ul>{ways}</ul></nav><div class="looks">'
        body += "".join(map(self._look, looks)) + "</div>"
        return _page(f"{self.plan.name}, screen {number}", _LEAD, body)

    def _look(self, look: StoredJudgment) -> str:
        rows = "".join(
            self._row(part, place) for place, part in enumerate(self.plan.rules.parts(look))
        )
        return f"<section><h2>{escape(self.judges[look.judge])}</h2>{rows}</section>"

    def _row(self, part: StoredJudgment, place: int) -> str:
        at = self.places[part.segment or ""]
        segment = self.testset.segments[at]
        source = escape(segment.source)
        cells = [_cell("Source", source, self.plan.source_language, "", self._asset(at))]
        if self.plan.show_reference and segment.references:
            reference = escape(segment.references[0])
            cells.append(_cell("Reference", reference, self.plan.target_language, ""))
        for number in part.shown:
            slot = part.slots[number]
            text = _marked(self._text(slot, at, place), self._spans(part, number))
            said = self._said(part, number)
            cells.append(_cell(", ".join(slot.systems), text, self.plan.target_language, said))
        return f'<div class="row">{"".join(cells)}</div>'

    def _asset(self, at: int) -> str:
        """The picture, sound or video of a segment, or what is to be seen or heard in it."""
        one = self.assets.get(at)
        if one is None:
            return ""
        kind = one.asset.kind.partition("/")[0]
        words, file = escape(one.words), self.files.get(one.asset.id)
        if file is None:
            name = {"image": "A picture", "audio": "A sound", "video": "A video"}[kind]
            return f'<p class="who">{name}{": " if words else ""}{words}</p>'
        address = f"../{MEDIA}/{file}"
        if kind == "image":
            return f'<p><img src="{address}" alt="{words}"></p>'
        return f'<p><{kind} src="{address}" controls preload="none"></{kind}></p>' + (
            f'<p class="who">{words}</p>' if words else ""
        )

    def _text(self, slot: Slot, at: int, place: int) -> str:
        if slot.texts is not None:
            return slot.texts[place]
        given = slot.text if slot.text is not None else self.testset.outputs[slot.systems[0]][at]
        return given or ""

    def _spans(self, part: StoredJudgment, number: int) -> Sequence[Mapping[str, Any]]:
        return part.answer["spans"][number] if "spans" in part.answer else ()

    def _said(self, part: StoredJudgment, number: int) -> str:
        """The answer about one text, in words."""
        rules = self.plan.rules
        words = []
        if isinstance(rules, Ordered):
            words.append(f"rank {rules.ranks(part.answer)[number]}")
        if isinstance(rules, Valued):
            names = {"scores": "score"}
            scales = rules.scales
            words += [f"{names.get(s, s)} {part.answer[s][number]:g}" for s in scales]
        for span in self._spans(part, number):
            kind = " ".join(filter(None, (span["severity"], span.get("category"))))
            words += [f"{span['mark']} ({kind})"] if "mark" in span else []
        return "; ".join(words)


def _cell(title: str, text: str, language: str, said: str, asset: str = "") -> str:
    answer = f'<p class="said"><b>{escape(said)}</b></p>' if said else ""
    return (
        f'<div class="text"><p class="who">{escape(title)}</p>'
        f'{asset}<p lang="{escape(language)}" dir="auto">{text}</p>{answer}</div>'
    )


def _marked(text: str, spans: Sequence[Mapping[str, Any]]) -> str:
    """Text as HTML with its errors marked; where some overlap, each piece names all of them."""
    placed = [span for span in spans if "start" in span]
    edges = sorted({0, len(text), *(e for s in placed for e in (s["start"], s["end"]))})
    parts = []
    for start, end in pairwise(edges):
        over = [s for s in placed if s["start"] <= start and end <= s["end"]]
        piece = escape(text[start:end])
        if over:
            words = "; ".join(
                " ".join(filter(None, (s["severity"], s.get("category")))) for s in over
            )
            strong = ' class="strong"' if any(s["severity"] != "minor" for s in over) else ""
            piece = f'<mark{strong} title="{escape(words)}">{piece}</mark>'
        parts.append(piece)
    return "".join(parts)


def _board(board: LiveBoard) -> str:
    if board["problem"]:
        return f"<p>{escape(board['problem'])}</p>"
    columns = [Column("system"), Column("score", "right", ".4f"), Column("low", "right", ".4f")]
    columns += [Column("high", "right", ".4f"), Column("ranks", "right"), Column("n", "right")]
    rows = [
        (r["system"], r["score"], r["low"], r["high"], f"{r['rank_low']}-{r['rank_high']}", r["n"])
        for r in board["rows"]
    ]
    return html_table(Table(columns, rows, facts={"signature": board["signature"]}))


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _page(title: str, lead: str, body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{_OWN_STYLE}</style>\n</head>\n<body>\n"
        f'<main>\n<h1>{escape(title)}</h1>\n<p class="lead">{escape(lead)}</p>\n{body}\n'
        "</main>\n</body>\n</html>\n"
    )
