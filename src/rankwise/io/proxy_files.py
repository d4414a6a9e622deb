"""The scores of one metric for everything, as a proxy of people."""

from collections.abc import Sequence
from dataclasses import replace

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.place_lines import read_places
from rankwise.io.study_scores import named_tables
from rankwise.types import ScoreTable


def read_proxy(paths: Sequence[StrPath]) -> ScoreTable:
    """The scores of one metric, of one file or of a file of plain numbers for every system.

    Files that hold several metrics are an error.
    """
    tables, notes = named_tables(paths)
    if len(tables) != 1:
        raise DataError(
            f"{', '.join(map(name_of, paths))}: found scores of {', '.join(tables) or 'nothing'}; "
            "a proxy is one metric"
        )
    [(name, table)] = tables.items()
    return replace(table, name=name, notes=notes)


def documents_by_line(path: StrPath) -> dict[str, str]:
    """The document of every segment, by the number of its line from 1."""
    return {str(number): place.document for number, place in enumerate(read_places(path), 1)}
