"""A test set as a tab-separated table, wide or long.

Wide: one line per segment with columns ``id`` (or ``seg``), ``source``, ``ref`` (any number) or
``ref:NAME``, ``document`` (``doc``), ``domain``, and one column per system, called by its name. A
column of nothing but numbers, where the references are not, is no system. An
empty reference is no reference; without ``id`` segments are numbered from 1. Long: one line per
output with columns ``system``, ``seg`` (``id``, ``segment``) and ``text``. No quoting.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, stem_of, write_text
from rankwise.io.formats.testsets.testset_columns import lost, reference_columns
from rankwise.io.parts.headed_table import HeadedTable, read_table
from rankwise.io.parts.line_text import CELL_BREAKS, OneLine, counted, joined
from rankwise.io.sniffing import Head
from rankwise.types import Segment, TestSet

ID = ("id", "seg", "segment")
DOCUMENT = ("document", "doc")
#: What people call columns, and what they are called here.
OTHER_NAMES = {"reference": "ref", "references": "ref", "src": "source"}
RESERVED = frozenset({*ID, *DOCUMENT, "source", "ref", "domain", "system", "text"})


def read(path: StrPath, *, outputs: StrPath | None = None, ignore: Collection[str] = ()) -> TestSet:
    """The test set of a wide or long table.

    *outputs* is a further file, a long table with outputs for the segments of a wide one. *ignore*
    lists columns of a wide table to pass over, which would be read as systems otherwise.
    """
    table = read_table(path, repeatable=("ref",))
    missing = [name for name in ignore if name not in table.header]
    if missing:
        raise DataError(
            f"{name_of(path)}:1: no column {missing[0]!r} to ignore among {joined(table.header)}"
        )
    if {"system", "text"} <= set(table.header):
        if outputs is not None:
            raise DataError(
                f"{name_of(path)}: a long table has its own outputs; expected a wide one"
            )
        return _from_long(table)
    _refuse_other_names(table, ignore)
    segments, systems = _wide_rows(table, ignore)
    systems, notes = _without_numbers(segments, systems)
    if outputs is not None:
        systems |= _long_outputs(read_table(outputs), segments)
    return replace(_testset(segments, systems, path), notes=notes)


def _refuse_other_names(table: HeadedTable, ignore: Collection[str]) -> None:
    """Raise for a column that would be a system, but is a source or references by its name."""
    there = {name.partition(":")[0] for name in table.header}
    for other, name in OTHER_NAMES.items():
        if other in table.header and name not in there and other not in ignore:
            raise DataError(
                f"{name_of(table.path)}:1: found a column {other!r} and none called {name!r}; "
                f"expected {name!r}, for another name is that of a system"
            )


def _without_numbers(
    segments: list[Segment], systems: dict[str, list[str | None]]
) -> tuple[dict[str, list[str | None]], tuple[str, ...]]:
    """The columns that may be outputs, and a sentence about those that hold numbers alone."""
    texts = [text for segment in segments for text in (segment.source, *segment.references)]
    if all(map(_is_number, filter(None, texts))):
        return systems, ()
    numbers = [name for name, cells in systems.items() if all(map(_is_number, cells))]
    if not segments or not numbers:
        return systems, ()
    kept = {name: cells for name, cells in systems.items() if name not in numbers}
    return kept, (f"columns of numbers, not systems: {', '.join(numbers)}",)


def _is_number(text: str | None) -> bool:
    try:
        float(text or "x")
    except ValueError:
        return False
    return True


def _testset(
    segments: Iterable[Segment], outputs: dict[str, list[str | None]], path: StrPath
) -> TestSet:
    columns = {name: tuple(texts) for name, texts in outputs.items()}
    return TestSet(tuple(segments), columns, stem_of(path))


def _wide_rows(
    table: HeadedTable, ignore: Collection[str]
) -> tuple[list[Segment], dict[str, list[str | None]]]:
    columns = [
        position
        for position, name in enumerate(table.header)
        if name not in RESERVED and not name.startswith("ref:") and name not in ignore
    ]
    outputs: dict[str, list[str | None]] = {table.header[column]: [] for column in columns}
    add = [(outputs[table.header[column]].append, column) for column in columns]
    make = _SegmentMaker(table)
    segments = []
    for number, cells in table.rows():
        segments.append(make(number, cells))
        for append, column in add:
            append(cells[column])
    return segments, outputs


class _SegmentMaker:
    """Turns rows into segments; knows which column is what, and refuses a second use of an id."""

    def __init__(self, table: HeadedTable) -> None:
        self._path = table.path
        self._id, self._document = table.find(*ID), table.find(*DOCUMENT)
        self._source, self._domain = table.find("source"), table.find("domain")
        header = enumerate(table.header)
        found = [(i, name) for i, name in header if name == "ref" or name.startswith("ref:")]
        self._references = [(position, name.removeprefix("ref:")) for position, name in found]
        self._is_named = any(name != "ref" for _, name in found)
        if self._is_named and any(name == "ref" for _, name in found):
            raise DataError(
                f"{name_of(table.path)}:1: some references have names and some have none; "
                "expected 'ref:NAME' for all or 'ref' for all"
            )
        self._seen: dict[str, int] = {}

    def __call__(self, number: int, cells: list[str]) -> Segment:
        name = str(number - 1) if self._id is None else cells[self._id]
        if name in self._seen:
            raise DataError(
                f"{name_of(self._path)}:{number}: segment {name!r} occurs again after "
                f"line {self._seen[name]}; expected every id once"
            )
        self._seen[name] = number
        return self.segment(name, cells)

    def segment(self, name: str, cells: list[str]) -> Segment:
        """The segment of a row, whatever was seen before."""
        present = [(cells[i], label) for i, label in self._references if cells[i]]
        return Segment(
            name,
            "" if self._source is None else cells[self._source],
            tuple(text for text, _ in present),
            (cells[self._document] or None) if self._document is not None else None,
            (cells[self._domain] or None) if self._domain is not None else None,
            tuple(label for _, label in present) if self._is_named else (),
        )


def _from_long(table: HeadedTable) -> TestSet:
    column = table.require(*ID)
    make = _SegmentMaker(table)
    segments: dict[str, Segment] = {}
    for number, cells in table.rows():
        segment = make.segment(cells[column], cells)
        if segments.setdefault(segment.id, segment) != segment:
            raise DataError(
                f"{name_of(table.path)}:{number}: segment {segment.id!r} has another source, "
                "reference, document or domain than before; expected the same on every line"
            )
    return _testset(segments.values(), _long_outputs(table, list(segments.values())), table.path)


def _long_outputs(table: HeadedTable, segments: list[Segment]) -> dict[str, list[str | None]]:
    system, text, segment = table.require("system"), table.require("text"), table.require(*ID)
    places = {known.id: position for position, known in enumerate(segments)}
    outputs: dict[str, list[str | None]] = {}
    for number, cells in table.rows():
        place = places.get(cells[segment])
        if place is None:
            raise DataError(
                f"{name_of(table.path)}:{number}: found segment {cells[segment]!r}; "
                "expected one of the test set"
            )
        texts = outputs.setdefault(cells[system], [None] * len(segments))
        if texts[place] is not None:
            raise DataError(
                f"{name_of(table.path)}:{number}: system {cells[system]!r} has a second output "
                f"for segment {cells[segment]!r}; expected one"
            )
        texts[place] = cells[text]
    return outputs


def sniff(head: Head) -> bool:
    """Whether the header has a source, a reference or the three columns of the long form."""
    columns = head.first_line.split("\t")
    names = set(columns)
    if len(columns) < 2 or names & {"annotator", "rater", "score"}:  # those hold judgments
        return False
    is_long = {"system", "text"} <= names and bool(names & set(ID))
    return is_long or "source" in names or any(name.split(":")[0] == "ref" for name in names)


def write(testset: TestSet, path: StrPath) -> list[str]:
    """Write a wide table."""
    fit = OneLine(CELL_BREAKS)
    references = reference_columns(testset)
    _check_names(testset, references.names)
    segments = testset.segments
    prefix = "ref:" if references.is_named else "ref"
    columns: dict[str, list[str | None]] = {"id": [segment.id for segment in segments]}
    columns |= {"document": [segment.document for segment in segments]}
    columns |= {"domain": [segment.domain for segment in segments]}
    columns = {name: texts for name, texts in columns.items() if any(texts) or name == "id"}
    columns["source"] = [segment.source for segment in segments]
    header = [*columns, *(prefix + n * references.is_named for n in references.names)]
    texts = [*columns.values(), *references.texts, *testset.outputs.values()]
    with write_text(path) as stream:
        stream.write("\t".join([*header, *testset.systems]) + "\n")
        for row in zip(*texts, strict=True):
            stream.write("\t".join(fit(cell or "") for cell in row) + "\n")
    losses = lost(testset, holds=("ids", "documents", "domains"), read_name=stem_of(path))
    losses += references.losses
    return losses + _empty(testset) + fit.losses()


def _check_names(testset: TestSet, references: Iterable[str]) -> None:
    for name in (*testset.systems, *references):
        if not name or set(name) & set(CELL_BREAKS):
            raise DataError(f"{name!r} cannot be the name of a column; rename it first")
    for segment in testset.segments:
        if set(segment.id) & set(CELL_BREAKS):
            raise DataError(f"segment id {segment.id!r} cannot be written; rename it first")
    for name in testset.systems:
        if name in RESERVED or name.startswith("ref:"):
            raise DataError(f"system {name!r} has the name of another column; rename it first")


def _empty(testset: TestSet) -> list[str]:
    """Sentences about empty texts that the table reads as no text."""
    references = sum(text == "" for row in testset.references for text in row)
    places = sum("" in (s.document, s.domain) for s in testset.segments)
    losses = []
    if references:
        losses.append(f"{counted(references, 'empty reference')} became no reference.")
    if places:
        losses.append(f"{counted(places, 'empty document or domain name')} became no name.")
    return losses
