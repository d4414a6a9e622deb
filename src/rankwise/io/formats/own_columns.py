"""Tables that people keep themselves: who judged which output, by the names of the columns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.headed_table import HeadedTable, header_of, read_table
from rankwise.io.parts.line_text import joined
from rankwise.io.sniffing import Head

#: What a column may be called, in any case, with ``_id`` behind it or without.
NAMES = {
    "judge": ("judge", "annotator", "rater", "evaluator"),
    "segment": ("segment", "seg", "item", "sentence"),
    "system": ("system", "model"),
    "rank": ("rank",),
    "score": ("score", "rating", "value"),
    "screen": ("screen", "hit"),
    "language_pair": ("language_pair", "lp", "langs"),
    "document": ("document", "doc"),
    "domain": ("domain",),
}
NEEDED = ("judge", "segment", "system")
EXPECTED = (
    "expected the columns judge, segment, system and score, for values that people gave, or judge, "
    "segment, system and rank, for rankings"
)


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """A table, and where in it the columns are that mean something."""

    table: HeadedTable
    places: dict[str, int]

    def cell(self, cells: Sequence[str], name: str) -> str:
        """What a row says of *name*; nothing where there is no such column."""
        place = self.places.get(name)
        return "" if place is None else cells[place]

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Line number and cells of each row, which says who judged what of whom."""
        for number, cells in self.table.rows():
            for name in NEEDED:
                if not self.cell(cells, name).strip():
                    place = f"{name_of(self.table.path)}:{number}"
                    raise DataError(f"{place}: the {name} is empty; expected one in every row")
            yield number, cells

    def further(self) -> dict[str, int]:
        """The columns that mean nothing to us, by their own names."""
        taken = set(self.places.values())
        return {name: k for k, name in enumerate(self.table.header) if k not in taken}


def read_judged(path: StrPath, what: str) -> JudgedTable:
    """The table in a file, which must have a judge, a segment, a system and *what*."""
    table = read_table(path, takes_csv=True)
    places: dict[str, int] = {}
    for place, name in enumerate(table.header):
        meaning = _meaning(name)
        if meaning in places:
            twice = f"columns {table.header[places[meaning]]} and {name} mean the same"
            raise DataError(f"{name_of(path)}:1: {twice}; expected one of them")
        if meaning:
            places[meaning] = place
    lacking = next((name for name in (*NEEDED, what) if name not in places), None)
    if lacking is not None:
        known = " or ".join(map(repr, NAMES[lacking]))
        found = joined(table.header)
        raise DataError(f"{name_of(path)}:1: no column {known} among {found}; expected one")
    return JudgedTable(table, places)


def has_columns(head: Head, what: str, *, but_not: str = "") -> bool:
    """Whether a header has a judge, a segment, a system and *what*; not that of a campaign."""
    found = _meanings(head)
    return found.issuperset((*NEEDED, what)) and not (but_not and but_not in found)


def names_a_judge(header: Iterable[str]) -> bool:
    """Whether there is a column of judges."""
    return any(_meaning(name) == "judge" for name in header)


def lacking(head: Head) -> str:
    """What a table would need to be one of judgments; nothing where it is about something else."""
    found = _meanings(head)
    return EXPECTED if "system" in found and found & {"score", "rank"} else ""


def _meanings(head: Head) -> set[str]:
    """What the columns of a file mean; nothing for the table of a campaign, read by its own."""
    _, header = header_of(head.first_line)
    return set() if "receipt" in header else {_meaning(name) for name in header}


def _meaning(column: str) -> str:
    name = column.strip().lower().replace(" ", "_").removesuffix("_id")
    return next((meaning for meaning, names in NAMES.items() if name in names), "")
