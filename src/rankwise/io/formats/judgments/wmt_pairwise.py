"""``wmt-pairwise``: the ranking files of WMT15 and WMT16, one pair of systems per row.

Columns by name: ``srclang``, ``trglang``, ``srcIndex``, ``segmentId``, ``judgeID``, ``system1Id``,
``system1rank``, ``system2Id``, ``system2rank``, ``rankingID``. Consecutive rows that agree in
screen (``rankingID``), languages, segment and judge are one run:

- A run that holds every pair of its k systems once is one ranking of k systems, in the order in
  which they first appear.
- A run in which pairs are missing stays what it is, one ranking of two systems per row; they share
  the screen.
- When a pair occurs again within a run, in either order, a further ranking of the same screen
  begins: a file of one screen joined with itself holds the screen twice. The same happens when
  the rows of a screen come back later in the file.
- A system with two different ranks within a run is an error.

Rank -1 is not ranked. ``a+b`` (the *collapsed* files) is a text that both systems produced.
"""

import csv
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations, groupby
from math import isqrt
from operator import itemgetter

import numpy as np

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_text
from rankwise.io.formats.judgments.wmt_cells import Names, Ranks, rank_cell
from rankwise.io.parts import losses
from rankwise.io.parts.csv_rows import CsvRows
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

_PAIR = ("system1Id", "system1rank", "system2Id", "system2rank")
_HEADER = ("srclang", "trglang", "srcIndex", "segmentId", "judgeID", *_PAIR, "rankingID")

Pair = tuple[str, str, str, str]  # system, rank, system, rank
Item = tuple[str, str]


def sniff(head: Head) -> bool:
    """Whether there is a header with two ranked systems and screens."""
    columns = {name.lower() for name in head.columns}
    return {"srclang", "trglang", "system1id", "system2rank", "rankingid"} <= columns


def read(path: StrPath, *, whole_names: Collection[str] = ()) -> Judgments:
    """The rankings of a file.

    *whole_names* lists systems whose own names contain ``+``, such as ``Transformer+R2L``; any
    other ``a+b`` is two systems.
    """
    rows = CsvRows(path)
    index = rows.column("srcIndex", "segmentId")
    segment = rows.column("segmentId", "srcIndex")
    places = [rows.column(name) for name in ("srclang", "trglang")]
    places += [index, segment, rows.column("judgeID"), rows.column("rankingID")]
    pair_of = itemgetter(*[rows.column(name) for name in _PAIR])
    runs = _Runs(rows, whole_names)
    for key, group in groupby(rows, itemgetter(*places)):
        run = list(group)
        runs.add(key, [pair_of(row) for row in run], [row[-1] for row in run])
    return runs.builder.build()


class _Runs:
    """Turns runs of rows into rankings."""

    def __init__(self, rows: CsvRows, whole_names: Collection[str]) -> None:
        self.builder = JudgmentsBuilder()
        self._error = rows.error
        self._names, self._ranks = Names(whole_names), Ranks()

    def add(self, key: tuple[str, ...], pairs: list[Pair], lines: list[int]) -> None:
        """Add one run: its key, its pairs and the lines they are on."""
        items = _items_in_order(pairs)
        if items is not None and self._are_readable(items):
            self._add_ranking(key, items, lines[0])
            return
        self._check(pairs, lines)
        begin = 0
        for end in _ends_of_parts(pairs):
            part = pairs[begin:end]
            items = list(
                {name: (name, rank) for pair in part for name, rank in _two(pair)}.values()
            )
            if len(part) == len(items) * (len(items) - 1) // 2:
                self._add_ranking(key, items, lines[begin])
            else:
                for pair, line in zip(part, lines[begin:end], strict=True):
                    self._add_ranking(key, _two(pair), line)
            begin = end

    def _check(self, pairs: list[Pair], lines: list[int]) -> None:
        """Refuse a system compared with itself or with two ranks within a run."""
        known: dict[str, tuple[float | None, int]] = {}
        for pair, line in zip(pairs, lines, strict=True):
            if pair[0] == pair[2]:
                raise self._error(f"system {pair[0]!r} is compared with itself", line)
            for name, cell in _two(pair):
                rank = self._rank(name, cell, line)
                first, first_line = known.setdefault(name, (rank, line))
                if first != rank:
                    raise self._error(
                        f"system {name!r} has rank {rank_cell(rank)}, but {rank_cell(first)} on "
                        f"line {first_line} of the same screen; expected one rank",
                        line,
                    )

    def _are_readable(self, items: list[Item]) -> bool:
        """Whether names and ranks were met before; what is new is checked row by row."""
        return all(name in self._names and rank in self._ranks for name, rank in items)

    def _rank(self, name: str, cell: str, line: int) -> float | None:
        try:
            return self._ranks[cell] if self._names[name] else None
        except DataError as error:
            raise self._error(error, line) from error

    def _add_ranking(self, key: tuple[str, ...], items: list[Item], line: int) -> None:
        source, target, index, segment, judge, screen = key
        try:
            if not screen:
                raise DataError("found an empty rankingID; expected the name of a screen")
            systems, ranks, outputs = self._names.expanded(
                [name for name, _ in items], [self._ranks[rank] for _, rank in items]
            )
            self.builder.add(
                index,
                judge,
                systems,
                ranks,
                screen=screen,
                outputs=outputs,
                languages=(source, target),
                info=None if index == segment else {"segmentId": segment},
            )
        except DataError as error:
            raise self._error(error, line) from error


def _two(pair: Pair) -> list[Item]:
    return [(pair[0], pair[1]), (pair[2], pair[3])]


def _items_in_order(pairs: list[Pair]) -> list[Item] | None:
    """The items whose pairs, written one after the other, are exactly these; None without such.

    This is what WMT's own tools write, so nearly every run goes this way.
    """
    size = (1 + isqrt(1 + 8 * len(pairs))) // 2
    items = [pairs[0][:2], *[pair[2:] for pair in pairs[: size - 1]]]
    if pairs != [left + right for left, right in combinations(items, 2)]:
        return None
    return items if len({name for name, _ in items}) == size else None


def _ends_of_parts(pairs: list[Pair]) -> Iterator[int]:
    """Where a run is cut: before each pair that the part already holds, and at the end."""
    seen: set[frozenset[str]] = set()
    for position, pair in enumerate(pairs):
        systems = frozenset((pair[0], pair[2]))
        if systems in seen:
            yield position
            seen.clear()
        seen.add(systems)
    yield len(pairs)


def write(judgments: Judgments, path: StrPath, *, collapsed: bool = False) -> list[str]:
    """Write every pair of every ranking.

    Systems that shared a text are expanded, as WMT's tool does: each has its own pairs, those
    within the text are ties. With *collapsed* a text is one item, ``a+b``.
    """
    _check_writable(judgments)
    with write_text(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_HEADER)
        for ranking in judgments:
            writer.writerows(_rows(ranking.collapsed() if collapsed else ranking))
    return [
        *(losses.lost_order if collapsed else losses.lost_outputs)(judgments),
        *losses.lost_info(judgments, kept=("segmentId",)),
        *losses.lost_names(judgments, "+"),
        *_lost_rankings(judgments, collapsed=collapsed),
        *_joined_rankings(judgments),
    ]


def _rows(ranking: Ranking) -> Iterable[tuple[str, ...]]:
    segment = str(ranking.info.get("segmentId", ranking.segment))
    head = (ranking.source_language, ranking.target_language, ranking.segment, segment)
    items = [(s, rank_cell(r)) for s, r in zip(ranking.systems, ranking.ranks, strict=True)]
    for left, right in combinations(items, 2):
        yield (*head, ranking.judge, *left, *right, ranking.screen)


def _lost_rankings(judgments: Judgments, *, collapsed: bool) -> list[str]:
    items = judgments.text_counts if collapsed else judgments.sizes
    lost = int((items < 2).sum())
    return [f"Rankings without a pair of items are not held ({lost})."] if lost else []


def _followers(judgments: Judgments) -> Iterator[int]:
    """The rankings that agree with the one before in all that makes a run."""
    same = np.ones(max(len(judgments) - 1, 0), np.bool_)
    for column in (judgments.screen, judgments.segment, judgments.judge, judgments.language):
        same &= column[1:] == column[:-1]
    yield from (np.flatnonzero(same) + 1).tolist()


def _check_writable(judgments: Judgments) -> None:
    """Refuse what reading would refuse: two ranks of a system in consecutive rows of a screen."""
    for index in _followers(judgments):
        before, after = judgments[index - 1], judgments[index]
        ranks = dict(zip(before.systems, before.ranks, strict=True))
        for system, rank in zip(after.systems, after.ranks, strict=True):
            if ranks.get(system, rank) != rank:
                raise DataError(
                    f"system {system!r} has ranks {ranks[system]} and {rank} in two rankings of "
                    f"screen {after.screen!r}; wmt-pairwise can hold one"
                )


def _joined_rankings(judgments: Judgments) -> list[str]:
    following = sum(1 for _ in _followers(judgments))
    if not following:
        return []
    return [f"Rankings that follow one of the same screen may be joined to it ({following})."]
