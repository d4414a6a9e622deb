"""``campaign-rankings``: the long table of a campaign that ranks (``rankwise campaign export``).

CSV with a header; a row per judgment and system, with ``rank`` and ``text``, the number of the text
on its screen, which systems may share. ``judge`` is a pseudonym already.
"""

import csv
from collections.abc import Sequence
from itertools import groupby

from rankwise.errors import DataError
from rankwise.io.files import StrPath
from rankwise.io.parts.csv_rows import CsvRows, is_machine
from rankwise.io.parts.line_text import finite_number
from rankwise.io.sniffing import Head
from rankwise.types import Judgments, JudgmentsBuilder

NOT_READ = ("Times, comments, places on the page and how screens were chosen are not read.",)

_HEADER = ("judgment", "role", "judge", "segment", "system", "text", "kind", "rank", "choice")
_LEFT_OUT = ("superseded", "excluded", "surplus")
_VALUES = ("score", "fluency", "adequacy")


def read(path: StrPath) -> Judgments:
    """A ranking per judgment and segment, a screen for every judgment; a skipped one has no ranks.

    What does not count on the campaign's own leaderboard is left out: controls, repeats, tutorials,
    revised and late judgments, those of excluded judges and of machines.
    """
    rows, builder = CsvRows(path), JudgmentsBuilder()
    place = {name: rows.column(name) for name in (*_HEADER, *_LEFT_OUT)}

    def look(row: Sequence[str]) -> tuple[str, str]:
        return row[place["judgment"]], row[place["segment"]]

    for (number, _), group in groupby(rows, key=look):
        found = list(group)
        first = found[0]
        is_left_out = any(first[place[name]] == "1" for name in _LEFT_OUT)
        is_left_out |= is_machine(rows, first)
        if first[place["role"]] != "work" or is_left_out:
            continue
        try:
            builder.add(
                first[place["segment"]],
                first[place["judge"]],
                [row[place["system"]] for row in found],
                [_rank(row, place, path) for row in found],
                screen=number,
                outputs=[int(row[place["text"]]) - 1 for row in found],
                info={"both_bad": 1.0} if first[place["choice"]] == "both_bad" else {},
            )
        except (DataError, ValueError) as error:
            raise rows.error(error, first[-1]) from error
    return builder.build()


def _rank(row: list[str], place: dict[str, int], path: StrPath) -> float | None:
    text = row[place["rank"]]
    if not text:
        if row[place["kind"]] != "skip":
            raise DataError("an answer without a rank; expected one for every system")
        return None
    return finite_number(text, path, int(row[-1]), "rank")


def sniff(head: Head) -> bool:
    """Whether the header is that of a long table, and no row at its beginning has a value."""
    if not {*_HEADER, *_LEFT_OUT} <= set(head.columns):
        return False
    try:
        rows = list(csv.DictReader(head.lines))
    except csv.Error:  # a table of values says so itself
        return False
    return not any(row.get(name) for row in rows for name in _VALUES)
