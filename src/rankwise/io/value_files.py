"""Scalar judgments of several files as one record, with the documents of another file."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError, RankwiseError
from rankwise.io.any_format import options_of
from rankwise.io.assessment_files import read_assessments
from rankwise.io.files import StrPath, must_differ, name_of
from rankwise.io.parts.line_text import all_lines, shown
from rankwise.io.parts.place_lines import place_of, read_places
from rankwise.io.sniffing import sniff, sniff_all
from rankwise.types import Assessments


def hold_values(paths: Sequence[StrPath]) -> bool:
    """Whether files hold scalar judgments, not rankings; an error where some do and others do not.

    What looks like both, or like nothing known, is left to the readers of rankings.
    """
    of_values = [path for path in paths if _holds_values(path)]
    if of_values and len(of_values) < len(paths):
        other = next(path for path in paths if path not in of_values)
        raise DataError(
            f"{name_of(of_values[0])} holds values and {name_of(other)} does not; "
            "rank them one by one"
        )
    return bool(of_values)


def _holds_values(path: StrPath) -> bool:
    try:
        kinds = {found.kind for found in sniff_all(path)}
    except RankwiseError:  # the reader of rankings says what is wrong
        return False
    return "assessments" in kinds and "judgments" not in kinds


def language_pairs(paths: Sequence[StrPath]) -> list[str]:
    """The language pairs of files that name some, in the order in which they come."""
    found: list[str] = []
    for path in paths:
        module = sniff(path, "assessments").load()
        found += module.language_pairs(path) if hasattr(module, "language_pairs") else []
    return list(dict.fromkeys(found))


def read_values(
    paths: Sequence[StrPath],
    *,
    kind: str | None = None,
    language_pair: str | None = None,
    weights: str | None = None,
    documents: StrPath | None = None,
) -> Assessments:
    """The scalar judgments of all files.

    *kind*, *language_pair* and *weights* are for the readers that know them; one that no reader
    knows is an error. *documents* names the document and the domain of every segment, by its
    number: a line each.
    """
    must_differ(paths)
    if language_pair is not None and len(paths) > 1:  # a file each for every pair
        paths = [path for path in paths if language_pair in language_pairs([path])] or paths
    asked = {"kind": kind, "language_pair": language_pair, "weights": weights}
    asked = {name: value for name, value in asked.items() if value is not None}
    known = {path: options_of(sniff(path, "assessments").load().read) for path in paths}
    for option in asked:
        if not any(option in options for options in known.values()):
            raise DataError(f"{name_of(paths[0])}: files of this format have no {option!r}")
    records = []
    for path in paths:
        options: dict[str, Any] = {n: v for n, v in asked.items() if n in known[path]}
        if len(paths) > 1 and "keep_judges" in known[path]:
            options["keep_judges"] = True  # the first judge of one file is not that of another
        records.append(read_assessments(path, **options))
    found = records[0]
    if len(records) > 1:
        found = _joined(records, ["keep_judges" not in known[path] for path in paths])
    return found if documents is None else placed(found, documents)


def _joined(records: Sequence[Assessments], keeps_names: Sequence[bool]) -> Assessments:
    """All rows; judges whose names must not be seen are numbered over all records."""
    pseudonyms: dict[str, str] = {}
    rows = []
    for record, keeps in zip(records, keeps_names, strict=True):
        for system, segment, judge, role, value in record.rows():
            name = judge
            if not keeps:
                name = pseudonyms.setdefault(judge, f"judge{len(pseudonyms) + 1}")
            rows.append((system, segment, name, role, value))
    names = dict.fromkeys(name for record in records for name in record.info)
    info = {name: np.concatenate([_cells(record, name) for record in records]) for name in names}
    notes = tuple(dict.fromkeys(note for record in records for note in record.notes))
    return Assessments.from_rows(rows, name=records[0].name, info=info, notes=notes)


def _cells(record: Assessments, name: str) -> NDArray[Any]:
    if name in record.info:
        return record.info[name].astype(object)
    return np.full(len(record), None, object)


def placed(assessments: Assessments, path: StrPath) -> Assessments:
    """The judgments with the documents, and where there are any the domains, of a file of lines."""
    lines = all_lines(path)
    found = []
    for segment in assessments.segments:
        if not segment.isascii() or not segment.isdigit() or not 0 < int(segment) <= len(lines):
            raise DataError(
                f"{name_of(path)} has {len(lines)} lines, and a segment is {shown(segment)}; "
                "expected the number of a line"
            )
        found.append(place_of(lines[int(segment) - 1]))
    info = dict(assessments.info)
    codes = assessments.segment
    info["document"] = np.array([place.document for place in found], object)[codes]
    if all(place.domain is not None for place in found):
        info["domain"] = np.array([place.domain for place in found], object)[codes]
    return replace(assessments, info=info)


def documents_by_line(path: StrPath) -> dict[str, str]:
    """The document of every segment, by the number of its line from 1."""
    return {str(number): place.document for number, place in enumerate(read_places(path), 1)}
