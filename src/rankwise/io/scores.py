"""Scores and scalar human judgments from files of any format, and into them."""

from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath
from rankwise.io.formats import Format, formats_of, names_of
from rankwise.io.records import read_as, read_record, write_record
from rankwise.io.sniff import sniff
from rankwise.types import Assessments, ScoreTable


def read_scores(path: StrPath, *, format: str | None = None, **options: Any) -> ScoreTable:
    """The scores in a file; assessments are averaged per system and segment."""
    chosen = sniff(path, "scores", "assessments") if format is None else _either(format)
    record: ScoreTable | Assessments = read_as(chosen, path, options)
    return record.scores() if isinstance(record, Assessments) else record


def read_assessments(path: StrPath, *, format: str | None = None, **options: Any) -> Assessments:
    """The scalar human judgments in a file."""
    found: Assessments = read_record(path, kind="assessments", format=format, **options)
    return found


def write_scores(
    table: ScoreTable, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write scores; one sentence for everything that the format could not hold."""
    return write_record(table, path, kind="scores", format=format, **options)


def write_assessments(
    assessments: Assessments, path: StrPath, *, format: str | None = None, **options: Any
) -> list[str]:
    """Write assessments; one sentence for everything that the format could not hold."""
    return write_record(assessments, path, kind="assessments", format=format, **options)


def _either(name: str) -> Format:
    known = (*formats_of("scores"), *formats_of("assessments"))
    for candidate in known:
        if candidate.name == name:
            return candidate
    raise DataError(f"unknown format {name!r}; choose from {names_of(known)}")
