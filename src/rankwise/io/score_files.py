"""Scores from files of any format, and into files of any format."""

from typing import Any

from rankwise.errors import DataError
from rankwise.io.any_format import read_record, write_record
from rankwise.io.assessment_files import read_assessments
from rankwise.io.files import StrPath
from rankwise.io.format_table import Kind, formats_of, names_of
from rankwise.io.sniffing import UNLESS_NAMED, read_head
from rankwise.types import ScoreTable

KINDS: tuple[Kind, ...] = ("scores", "assessments")


def read_scores(path: StrPath, *, format: str | None = None, **options: Any) -> ScoreTable:
    """The scores of a file; assessments are averaged per system and segment.

    The format is sniffed unless *format* names it; *options* are those of the format's reader.
    """
    kind, name = _find(path, format)
    if kind == "assessments":
        return read_assessments(path, format=name, **options).scores()
    table: ScoreTable = read_record(path, kind, format=name, **options)
    return table


def _find(path: StrPath, name: str | None) -> tuple[Kind, str]:
    candidates = tuple(candidate for kind in KINDS for candidate in formats_of(kind))
    head = None if name is not None else read_head(path)
    for candidate in candidates:
        if candidate.name == name or (head is not None and candidate.load().sniff(head)):
            return candidate.kind, candidate.name
    if head is None:
        raise DataError(f"unknown format {name!r}; choose from {names_of(candidates)}")
    if head.foreign:
        raise DataError(f"{head.name}:1: {head.foreign}")
    found = f"{head.name}:1: found {head.first_line[:60]!r}"
    if head.is_folder:
        found = f"{head.name}: found a folder"
    raise DataError(
        f"{found}; expected scores or assessments in one of "
        f"the formats {names_of(candidates)}; {UNLESS_NAMED}"
    )


def write_scores(
    table: ScoreTable, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write scores; the result is one sentence for everything that the format cannot hold.

    Without *format* the file's suffix decides: ``.json`` holds everything, ``.tsv`` is
    ``scores-tsv``, ``.score`` is ``mtme-scores``, ``.txt`` is ``numbers``.
    """
    return write_record(table, path, "scores", format=format, **options)
