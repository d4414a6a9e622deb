"""Texts a block of segments at a time: a test set cut up, or files read side by side."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from rankwise.errors import DataError, LineError
from rankwise.types.renaming import with_names

if TYPE_CHECKING:
    from rankwise.types.testset import TestSet

Label = str | None


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive segments: their references and what every system made of them.

    ``ids`` are names or numbers; ``references`` hold one text for a segment, or several;
    ``documents`` and ``domains`` hold None where nothing is known, and ``sources`` are empty where
    nobody gave them. ``files`` are those of systems and ``reference_files`` those of references,
    where a line is a segment and ids are the numbers of lines.
    """

    ids: Sequence[str | int]
    references: Sequence[str | Sequence[str]]
    outputs: Mapping[str, Sequence[str]]
    documents: Sequence[Label] = ()
    domains: Sequence[Label] = ()
    sources: Sequence[str] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    reference_files: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @contextmanager
    def places_of(self, system: str) -> Iterator[None]:
        """Errors about a text of *system*, or of a reference, say where it is."""
        try:
            yield
        except LineError as error:
            place, is_line = self._place(system, error)
            subject = "the line" if is_line else "the text"
            raise DataError(f"{place}: {subject} {error.said}") from error

    def _place(self, system: str, error: LineError) -> tuple[str, bool]:
        """File and line, or else what is known, and whether it is a line."""
        name = self.ids[error.segment]
        if error.reference is None:
            if system in self.files:
                return f"{self.files[system]}:{name}", True
            return f"segment {name} of system {system!r}", False
        if self.reference_files:
            entry = self.references[error.segment]
            count = 1 if isinstance(entry, str) else len(entry)
            is_known = count == len(self.reference_files)
            files = self.reference_files
            return f"{files[error.reference] if is_known else ', '.join(files)}:{name}", True
        return f"a reference of segment {name}", False


def first_reference(entry: str | Sequence[str]) -> str:
    """The first of a segment's references, as a block holds them; empty where there is none."""
    return entry if isinstance(entry, str) else entry[0] if entry else ""


def blocks_of(testset: "TestSet", size: int = 10_000) -> Iterator[Block]:
    """The segments of a test set, *size* at a time.

    A system without an output for some segment is an error, and so is a test set without systems.
    """
    if not testset.outputs:
        raise DataError(f"test set {testset.name!r} has no system outputs; expected at least one")
    outputs = {system: _complete(testset, system) for system in testset.systems}
    has_sources = any(segment.source for segment in testset.segments)
    for first in range(0, len(testset), size):
        part = testset.segments[first : first + size]
        yield Block(
            [segment.id for segment in part],
            _entries([segment.references for segment in part]),
            {system: texts[first : first + size] for system, texts in outputs.items()},
            [segment.document for segment in part],
            [segment.domain for segment in part],
            [segment.source for segment in part] if has_sources else [],
        )


def _entries(references: Sequence[tuple[str, ...]]) -> Sequence[str | Sequence[str]]:
    """The references of segments; where each has one, texts alone, which metrics check faster."""
    if all(len(entry) == 1 for entry in references):
        return [entry[0] for entry in references]
    return references


def in_one(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks as one, for what needs whole documents; no block where there is none."""
    every = list(blocks)
    if not every:
        return

    def joined(name: str) -> list[Any]:
        return [entry for block in every for entry in getattr(block, name)]

    outputs = {
        system: [text for block in every for text in block.outputs[system]]
        for system in every[0].outputs
    }
    yield replace(
        every[0],
        ids=joined("ids"),
        references=joined("references"),
        outputs=outputs,
        documents=joined("documents"),
        domains=joined("domains"),
        sources=joined("sources"),
    )


def without(blocks: Iterable[Block], excluded: Collection[str]) -> Iterator[Block]:
    """The blocks without the outputs of some systems, which must be there."""
    for block in blocks:
        check_left_out(excluded, block.outputs)
        kept = {name: texts for name, texts in block.outputs.items() if name not in excluded}
        yield replace(block, outputs=kept)


def renamed(blocks: Iterable[Block], names: Mapping[str, str]) -> Iterator[Block]:
    """The blocks with systems under other names, new ones by old ones."""
    for block in blocks:
        called = dict(zip(block.outputs, with_names(tuple(block.outputs), names), strict=True))
        yield replace(
            block,
            outputs={called[name]: texts for name, texts in block.outputs.items()},
            files={called[name]: path for name, path in block.files.items()},
        )


def check_left_out(excluded: Collection[str], *systems: Collection[str]) -> None:
    """Raise for a system to leave out that is in none of *systems*, and where none would stay."""
    known = dict.fromkeys(name for names in systems for name in names)
    unknown = next((name for name in excluded if name not in known), None)
    if unknown is not None:
        raise DataError(
            f"there is no system {unknown!r} to leave out; there are {', '.join(known)}"
        )
    if excluded and any(names and set(names) <= set(excluded) for names in systems):
        raise DataError("every system is left out; expected at least one to stay")


def _complete(testset: "TestSet", system: str) -> list[str]:
    texts = []
    for segment, text in zip(testset.segments, testset.outputs[system], strict=True):
        if text is None:
            raise DataError(f"system {system!r} has no output for segment {segment.id!r}")
        texts.append(text)
    return texts
