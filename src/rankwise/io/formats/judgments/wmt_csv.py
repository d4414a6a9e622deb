"""``wmt-csv``: the five-way ranking files of WMT07 to WMT14, one ranking per row.

Columns by name, upper or lower case: ``srclang``, ``trglang``, ``srcIndex``, ``judgeId``, and for
n = 1, 2, ... as many ``systemNId`` and ``systemNrank`` as there are. ``documentId``, ``segmentId``
and ``systemNNumber`` are kept as ``info`` where they say something: -1 in the first and last, and
the same as ``srcIndex`` in the second, say nothing. Rank 1 is best, equal ranks are ties, -1 is not
ranked; ``PLACEHOLDER`` fills up rows with fewer items and is dropped. An item ``a+b`` is a text
that both systems produced. A segment is named by ``srcIndex``, a screen by the ranking's number.
"""

import csv
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count
from operator import itemgetter
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, write_text
from rankwise.io.formats.judgments.wmt_cells import Names, Ranks, rank_cell
from rankwise.io.parts import losses
from rankwise.io.parts.csv_rows import CsvRows
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder, Ranking

PLACEHOLDER = "PLACEHOLDER"
_NOTHING = "-1"
_INFO = ("documentId", "segmentId", "systemNumbers")


def sniff(head: Head) -> bool:
    """Whether there is a header with ranked systems and no screens."""
    columns = {name.lower() for name in head.columns}
    return {"srclang", "trglang", "system1id", "system1rank"} <= columns and (
        "rankingid" not in columns
    )


class _Layout:
    """Where the columns are; calls of C for the ones that come in numbers."""

    def __init__(self, rows: CsvRows) -> None:
        self.source, self.target = rows.column("srclang"), rows.column("trglang")
        self.index, self.judge = rows.column("srcIndex", "segmentId"), rows.column("judgeId")
        size = next(n for n in count(1) if not rows.has(f"system{n}Id")) - 1
        places = range(1, max(size, 1) + 1)
        self.systems = _cells([rows.column(f"system{n}Id") for n in places])
        self.ranks = _cells([rows.column(f"system{n}rank") for n in places])
        numbered = all(rows.has(f"system{n}Number") for n in places)
        columns = [rows.column(f"system{n}Number") for n in places] if numbered else []
        self.numbers, self.no_numbers = _cells(columns), (_NOTHING,) * len(columns)
        self.document = rows.column("documentId") if rows.has("documentId") else None
        self.segment = rows.column("segmentId") if rows.has("segmentId") else self.index


def _cells(places: list[int]) -> Callable[[list[Any]], tuple[str, ...]]:
    """The cells at some places of a row."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple(row[place] for place in places)


def read(path: StrPath, *, whole_names: Collection[str] = ()) -> Judgments:
    """The rankings of a file.

    *whole_names* lists systems whose own names contain ``+``, such as ``Transformer+R2L``; any
    other ``a+b`` is two systems.
    """
    rows = CsvRows(path)
    layout = _Layout(rows)
    builder, names, ranks = JudgmentsBuilder(), Names(whole_names), Ranks()
    for row in rows:
        try:
            _add(builder, row, layout, names, ranks)
        except DataError as error:
            raise rows.error(error, row[-1]) from error
    return builder.build()


def _add(
    builder: JudgmentsBuilder, row: list[Any], layout: _Layout, names: Names, ranks: Ranks
) -> None:
    cells: Sequence[str] = layout.systems(row)
    given = [ranks[cell] for cell in layout.ranks(row)]
    if PLACEHOLDER in cells:
        kept = [place for place, cell in enumerate(cells) if cell != PLACEHOLDER]
        cells, given = [cells[place] for place in kept], [given[place] for place in kept]
    systems, expanded, outputs = names.expanded(cells, given)
    builder.add(
        row[layout.index],
        row[layout.judge],
        systems,
        expanded,
        outputs=outputs,
        languages=(row[layout.source], row[layout.target]),
        info=_info(row, layout),
    )


def _info(row: list[Any], layout: _Layout) -> dict[str, str]:
    info = {}
    if layout.document is not None and row[layout.document] != _NOTHING:
        info["documentId"] = row[layout.document]
    if row[layout.segment] != row[layout.index]:
        info["segmentId"] = row[layout.segment]
    numbers = layout.numbers(row)
    if numbers != layout.no_numbers:
        info["systemNumbers"] = " ".join(numbers)
    return info


def write(judgments: Judgments, path: StrPath, *, columns: int = 5) -> list[str]:
    """Write one row per ranking.

    Every row has places for *columns* items, five as the tools of WMT expect, or for as many as
    the largest ranking has; ``PLACEHOLDER`` fills up smaller ones.
    """
    size = int(judgments.text_counts.max(initial=columns))
    with write_text(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_header(size))
        writer.writerows(_row(ranking.collapsed(), size) for ranking in judgments)
    return [
        *losses.lost_screens(judgments),
        *losses.lost_info(judgments, kept=_INFO),
        *losses.lost_names(judgments, "+", PLACEHOLDER),
        *losses.lost_order(judgments),
    ]


def _header(size: int) -> list[str]:
    places = range(1, size + 1)
    items = [name for n in places for name in (f"system{n}Number", f"system{n}Id")]
    head = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    return [*head, *items, *(f"system{n}rank" for n in places)]


def _row(ranking: Ranking, size: int) -> Iterator[str]:
    yield from (ranking.source_language, ranking.target_language, ranking.segment)
    yield str(ranking.info.get("documentId", "-1"))
    yield str(ranking.info.get("segmentId", ranking.segment))
    yield ranking.judge
    numbers = _padded(str(ranking.info.get("systemNumbers", "")).split(" "), size, "-1")
    for number, system in zip(numbers, _padded(ranking.systems, size, PLACEHOLDER), strict=True):
        yield from (number or "-1", system)
    yield from _padded([rank_cell(rank) for rank in ranking.ranks], size, "-1")


def _padded(cells: Sequence[str], size: int, filler: str) -> list[str]:
    return [*cells[:size], *[filler] * (size - len(cells))]
