"""A test set as columns, and what a format that cannot hold some of it loses.

Formats with one column, file or element per reference share this view of it.
"""

from collections.abc import Collection
from dataclasses import dataclass

from rankwise.io.parts.line_text import counted, joined
from rankwise.types import TestSet

Text = str | None


@dataclass(frozen=True, slots=True)
class ReferenceColumns:
    """One column of texts per reference; ``None`` where a segment does not have it.

    ``names`` are ``"1"``, ``"2"``, ... when the references have no names (``is_named`` is false).
    """

    names: tuple[str, ...]
    texts: tuple[list[Text], ...]
    is_named: bool
    losses: list[str]


def reference_columns(testset: TestSet) -> ReferenceColumns:
    """The references of *testset* as columns, with a sentence for what does not fit."""
    segments = [segment for segment in testset.segments if segment.references]
    is_named = bool(segments) and all(segment.reference_names for segment in segments)
    if is_named:
        names = testset.reference_names
        rows = [dict(zip(s.reference_names, s.references, strict=True)) for s in testset.segments]
    else:
        longest = max((len(segment.references) for segment in segments), default=0)
        names = tuple(str(number) for number in range(1, longest + 1))
        rows = [dict(zip(names, s.references, strict=False)) for s in testset.segments]
    losses = []
    if not is_named and testset.reference_names:
        losses.append("The names of references were dropped, because some have none.")
    if is_named and any(tuple(n for n in names if n in row) != tuple(row) for row in rows):
        losses.append("The order of references within a segment became the same for all.")
    texts = tuple([row.get(name) for row in rows] for name in names)
    return ReferenceColumns(names, texts, is_named, losses)


def lost(testset: TestSet, *, holds: Collection[str] = (), read_name: str = "") -> list[str]:
    """One sentence for everything in *testset* beyond the texts and what a format *holds*.

    *read_name* is how a reader of the file will call the test set.
    """
    segments = testset.segments
    missing = sum(text is None for texts in testset.outputs.values() for text in texts)
    documents = len({s.document for s in segments if s.document is not None})
    domains = len({s.domain for s in segments if s.domain is not None})
    languages = [text for text in (testset.source_language, testset.target_language) if text]
    sentences: dict[str, str] = {}
    if any(segment.id != str(number) for number, segment in enumerate(segments, 1)):
        sentences["ids"] = "Segment ids became line numbers, from 1."
    if documents:
        sentences["documents"] = f"The names of {counted(documents, 'document')} were dropped."
    if domains:
        sentences["domains"] = f"The names of {counted(domains, 'domain')} were dropped."
    if testset.name != read_name:
        dropped = f"The name of the test set, {testset.name!r}, was dropped."
        given = f"The test set got the name {read_name!r}."
        sentences["name"] = dropped if testset.name else given
    if languages:
        sentences["languages"] = f"The languages, {joined(languages)}, were dropped."
    if missing:
        sentences["missing outputs"] = f"{counted(missing, 'missing output')} became empty."
    return [sentence for facet, sentence in sentences.items() if facet not in holds]


def empty_columns(testset: TestSet) -> list[str]:
    """A sentence when references that some segments lack become empty texts."""
    columns = reference_columns(testset).texts
    absent = sum(text is None for column in columns for text in column)
    return [f"{counted(absent, 'missing reference')} became empty."] if absent else []


def sorted_files(testset: TestSet, references: ReferenceColumns) -> list[str]:
    """A sentence when files, which are read in the order of their names, change an order."""
    systems, names = list(testset.systems), list(references.names)
    if systems == sorted(systems) and names == sorted(names):
        return []
    return ["Systems and references are read back in the order of their names."]
