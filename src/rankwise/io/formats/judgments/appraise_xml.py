"""``appraise-xml``: ranking results as the annotation tool Appraise exports them.

Two layouts are read, whatever the root is called::

    <WMT15-results>
      <HIT hit-id="0a1b" source-language="cze" target-language="eng" block-id="-1">
        <ranking-task id="17">
          <ranking-result duration="00:00:35.337000" user="ann">
            <translation system="alpha" rank="1" />
            <translation system="beta,gamma" rank="2" />

    <appraise-results>
      <ranking-task source-language="cze" target-language="eng">
        <ranking-item id="17" duration="00:00:35.337000" user="ann"> <translation .../>
        <3-way-ranking-item id="18" duration="00:00:12" user="ann" result="A&gt;B" />

The segment is the ``id`` of the item, or else of the task around it. ``beta,gamma`` is a text that
both systems produced. Rank -1 is not ranked; ``skipped="true"`` is a ranking without systems. The
result of a three-way item is ``A>B``, ``A=B`` or ``A<B``; it names no systems, so they are called A
and B. Durations become seconds in ``info["duration"]``; other attributes of the hit and the item
are kept in ``info`` too. Users become judge1, judge2, ... by first appearance (skipped screens
count). Every item is a screen, numbered from 1.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, write_text
from rankwise.io.formats.judgments.wmt_cells import Names, Ranks, rank_cell
from rankwise.io.parts import losses
from rankwise.io.parts.xml_events import follow_xml
from rankwise.io.parts.xml_text import start_tag
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

# An element's name must not begin with a digit; Appraise writes this one nevertheless.
_NOT_A_NAME = re.compile(rb"\d+-way-ranking-item")
_ITEM = re.compile(r"ranking-item|ranking-result|_\d+-way-ranking-item")
_DURATION = re.compile(r"(?:(\d{1,6}) days?, )?(\d{1,3}):(\d\d):(\d\d(?:\.\d{1,6})?)", re.ASCII)
_THREE_WAY = {"A>B": (1.0, 2.0), "A=B": (1.0, 1.0), "A<B": (2.0, 1.0)}
_KNOWN = {"id", "user", "duration", "skipped", "result", "source-language", "target-language"}
_HIT = ("hit-id", "block-id")


def sniff(head: Head) -> bool:
    """Whether there is XML with ranking items or results, or an empty root of results."""
    if not head.is_xml:
        return False
    return (
        "ranking-item" in head.text
        or "<ranking-result" in head.text
        or (re.search(r"<(WMT\d\d|appraise)-results\b", head.text) is not None)
    )


def read(path: StrPath, *, keep_judges: bool = False) -> Judgments:
    """The rankings of a file.

    *keep_judges* keeps the names of users instead of calling them judge1, judge2, ...
    """
    reader = _Reader(keep_judges=keep_judges)
    follow_xml(path, reader.start, reader.end, repair=_NOT_A_NAME)
    if not reader.found:
        expected = "expected ranking-result or ranking-item within results of Appraise"
        raise DataError(f"{name_of(path)}:1: found no ranking; {expected}")
    return reader.builder.build()


class _Reader:
    """Follows the elements of a file down to the rankings."""

    def __init__(self, *, keep_judges: bool) -> None:
        self.builder = JudgmentsBuilder()
        self.found = False
        self._names = Names(separator=",")
        self._ranks = Ranks()
        self._judges: dict[str, str] = {}
        self._keep_judges = keep_judges
        self._open: list[tuple[str, dict[str, str]]] = []
        self._item_depth = 0  # how many elements are open around an item's content; 0 outside
        self._cells: list[str] = []  # what the item's translations say
        self._given: list[float | None] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins: remember it, and an item's translations."""
        self._open.append((name, attributes))
        if self._item_depth:
            if name == "translation" and len(self._open) == self._item_depth + 1:
                self._add_translation(attributes)
        elif "user" in attributes and _ITEM.fullmatch(name):
            # One judge's look: older exports use one name for lists of them too.
            self._item_depth = len(self._open)
        if name.endswith("-results"):
            self.found = True

    def _add_translation(self, attributes: dict[str, str]) -> None:
        if "system" not in attributes or "rank" not in attributes:
            missing = min({"system", "rank"} - attributes.keys())
            raise DataError(f"found a translation without {missing}; expected one")
        self._given.append(self._ranks[attributes["rank"]])
        self._cells.append(attributes["system"])

    def end(self, _name: str, _text: str) -> None:
        """An element ends: if it is an item, the ranking is complete."""
        is_item = len(self._open) == self._item_depth
        _, attributes = self._open.pop()
        if is_item:
            self.found, self._item_depth = True, 0
            self._add(attributes)
            self._cells, self._given = [], []

    def _add(self, attributes: dict[str, str]) -> None:
        systems, ranks, outputs = self._names.expanded(self._cells, self._given)
        if "result" in attributes and not systems:
            systems, ranks = ("A", "B"), _three_way(attributes["result"])
        if attributes.get("skipped", "false").lower() == "true":
            ranks = [None] * len(systems)
        source, target = self._inherited("source-language"), self._inherited("target-language")
        self.builder.add(
            self._segment(attributes),
            self._judge(attributes["user"]),
            systems,
            ranks,
            outputs=outputs,
            languages=(source, target),
            info=dict(self._info(attributes)),
        )

    def _segment(self, attributes: dict[str, str]) -> str:
        tasks = [held for name, held in self._open if name == "ranking-task"]
        for place in (attributes, *reversed(tasks)):
            if "id" in place:
                return place["id"]
        raise DataError("found an item without id; expected one there or on its ranking-task")

    def _judge(self, user: str) -> str:
        if self._keep_judges:
            return user
        return self._judges.setdefault(user, f"judge{len(self._judges) + 1}")

    def _inherited(self, name: str) -> str:
        for _, attributes in reversed(self._open):
            if name in attributes:
                return attributes[name]
        return ""

    def _info(self, attributes: dict[str, str]) -> Iterator[tuple[str, str | float]]:
        if "duration" in attributes:
            yield "duration", _seconds(attributes["duration"])
        for name in _HIT:
            value = self._inherited(name)
            if value and (name, value) != ("block-id", "-1"):
                yield name, value
        yield from ((name, value) for name, value in attributes.items() if name not in _KNOWN)


def _three_way(result: str) -> tuple[float, float]:
    ranks = _THREE_WAY.get(result.replace(" ", ""))
    if ranks is None:
        raise DataError(f"found result {result!r}; expected {', '.join(_THREE_WAY)}")
    return ranks


def _seconds(duration: str) -> float:
    parts = _DURATION.fullmatch(duration)
    if parts is None:
        raise DataError(f"found duration {duration!r}; expected HH:MM:SS with or without .ffffff")
    days, hours, minutes, seconds = parts.groups()
    whole = (int(days or 0) * 24 + int(hours)) * 3600 + int(minutes) * 60
    return round(whole + float(seconds), 6)


# -- writing ---------------------------------------------------------------------------------------


def write(judgments: Judgments, path: StrPath) -> list[str]:
    """Write the layout of WMT13-16; consecutive rankings share a hit and a task where they can."""
    with write_text(path) as stream:
        stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<appraise-results>\n')
        for hit, rankings in groupby(judgments, _hit):
            stream.write(start_tag("HIT", dict(hit)) + "\n")
            for segment, group in groupby(rankings, lambda ranking: ranking.segment):
                stream.write(start_tag("ranking-task", {"id": segment}) + "\n")
                stream.writelines(line for ranking in group for line in _lines(ranking))
                stream.write("</ranking-task>\n")
            stream.write("</HIT>\n")
        stream.write("</appraise-results>\n")
    return [
        *losses.lost_screens(judgments),
        *losses.lost_info(judgments, kept=_HIT, numbers=("duration",)),
        *_lost_fractions(judgments),
        *losses.lost_names(judgments, ","),
        *losses.lost_order(judgments),
    ]


def _hit(ranking: Ranking) -> tuple[tuple[str, str], ...]:
    return (
        ("hit-id", str(ranking.info.get("hit-id", ""))),
        ("source-language", ranking.source_language),
        ("block-id", str(ranking.info.get("block-id", "-1"))),
        ("target-language", ranking.target_language),
    )


def _lines(ranking: Ranking) -> Iterator[str]:
    attributes: dict[str, Any] = {}
    if "duration" in ranking.info:
        attributes["duration"] = _clock(ranking.info["duration"])
    attributes["user"] = ranking.judge
    if not ranking.systems:
        yield f"  {start_tag('ranking-result', attributes | {'skipped': 'true'}, is_empty=True)}\n"
        return
    yield f"  {start_tag('ranking-result', attributes)}\n"
    for systems, rank in _shown(ranking):
        cells = {"system": ",".join(systems), "rank": rank_cell(rank)}
        yield f"    {start_tag('translation', cells, is_empty=True)}\n"
    yield "  </ranking-result>\n"


def _shown(ranking: Ranking) -> Iterator[tuple[list[str], float | None]]:
    """The texts of a screen: the systems that produced each, and its rank."""
    texts: dict[int, tuple[list[str], float | None]] = {}
    outputs = ranking.outputs or range(len(ranking.systems))
    for system, rank, output in zip(ranking.systems, ranking.ranks, outputs, strict=True):
        texts.setdefault(output, ([], rank))[0].append(system)
    yield from texts.values()


def _lost_fractions(judgments: Judgments) -> list[str]:
    durations = (ranking.info.get("duration", 0.0) for ranking in judgments)
    finer = any(isinstance(d, float) and round(d, 6) != d for d in durations)
    return ["Durations are held to the microsecond."] if finer else []


def _clock(duration: str | float) -> str:
    if isinstance(duration, str) or not 0 <= duration < 3.6e6:
        raise DataError(f"duration {duration!r} cannot be written; expected seconds below 3600000")
    microseconds = round(duration * 1_000_000)
    minutes, rest = divmod(microseconds, 60_000_000)
    seconds = f"{rest // 1_000_000:02}.{rest % 1_000_000:06}"
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds}"
