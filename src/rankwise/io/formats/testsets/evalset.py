"""The folder of a test set as mt-metrics-eval keeps it (an EvalSet), one language pair at a time.

``sources/PAIR.txt``, ``documents/PAIR.docs`` (``DOMAIN<TAB>DOCUMENT`` per line),
``references/PAIR.NAME.txt`` and ``system-outputs/PAIR/SYSTEM.txt`` are parallel; segments are
called by their line number, from 1. Its score files are read on their own.

What is written mt-metrics-eval reads: it has a document for every segment, takes no ``-`` and no
``.`` in the name of a reference, and splits the lines of documents at spaces.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import StrPath, target_name, write_text
from rankwise.io.folders import file_name, new_folder, text_files
from rankwise.io.formats.testsets.testset_columns import (
    ReferenceColumns,
    empty_columns,
    lost,
    reference_columns,
    sorted_files,
)
from rankwise.io.formats.testsets.text_files import Place, parallel_texts, write_lines
from rankwise.io.parts.line_text import LINE_BREAKS, OneLine, all_lines, joined, shown
from rankwise.io.parts.which_part import choose
from rankwise.io.sniffing import Head
from rankwise.types import TestSet

NO_NAME = "unknown"


def read(path: StrPath, *, language_pair: str | None = None) -> TestSet:
    """The test set of one language pair.

    *language_pair*, as in ``en-de``, may stay unsaid when the folder has only one.
    """
    folder = Path(path)
    pair = _pair(folder, language_pair)
    references = {
        name.removeprefix(f"{pair}."): file
        for name, file in text_files(folder / "references").items()
        if name.startswith(f"{pair}.")
    }
    source = folder / "sources" / f"{pair}.txt"
    outputs = text_files(folder / "system-outputs" / pair)
    texts = parallel_texts(source, references, outputs)
    places = _places(folder / "documents" / f"{pair}.docs", source, len(texts.sources))
    source_language, _, target_language = pair.partition("-")
    return replace(
        texts.testset(places),
        name=folder.resolve().name,
        source_language=source_language,
        target_language=target_language,
    )


def language_pairs(path: StrPath) -> tuple[str, ...]:
    """The language pairs of a folder."""
    return tuple(text_files(Path(path) / "sources"))


def _pair(folder: Path, wanted: str | None) -> str:
    pairs = language_pairs(folder)
    if not pairs:
        raise DataError(f"{folder}: there is no sources/PAIR.txt; expected a folder of an EvalSet")
    return choose(folder, "language_pair", wanted, pairs)


def _places(path: Path, source: Path, count: int) -> Sequence[Place]:
    """Domain and document of every segment; nothing without the file."""
    if not path.exists():
        return ()
    lines = all_lines(path)
    if len(lines) != count:
        raise DataError(
            f"{path} has {len(lines)} lines, but {source} has {count}; expected parallel files"
        )
    places: list[Place] = []
    for number, line in enumerate(lines, 1):
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != 2:
            raise DataError(f"{path}:{number}: found {shown(line)}; expected 'DOMAIN<TAB>DOCUMENT'")
        places.append((cells[0], cells[1]))
    return places


def sniff(head: Head) -> bool:
    """Whether it is a folder with sources."""
    return "sources" in head.entries


def write(testset: TestSet, path: StrPath, *, language_pair: str | None = None) -> list[str]:
    """Write a folder, which must not exist.

    *language_pair*, as in ``en-de``, is part of the file names; the languages of the test set
    unless given.
    """
    pair = pair_of(testset, path, language_pair)
    with new_folder(path) as folder:
        return write_texts(testset, folder, pair, Path(path).name)


def pair_of(testset: TestSet, path: StrPath, language_pair: str | None = None) -> str:
    """The language pair that files are called by; an error where nobody says it."""
    pair = language_pair or f"{testset.source_language}-{testset.target_language}"
    if not all(pair.partition("-")) or set(pair) & set("/\\\n\r\t\0"):
        found = f"the language pair is {pair!r}" if pair != "-" else "the languages are not known"
        raise DataError(
            f"{target_name(path)}: {found}; expected the option 'language_pair', as in 'en-de'"
        )
    return pair


def write_texts(testset: TestSet, folder: Path, pair: str, read_name: str) -> list[str]:
    """Fill an empty folder, which will be called *read_name*, with the texts."""
    fit, references = OneLine(LINE_BREAKS), reference_columns(testset)
    names = _reference_names(references)
    for place in ("sources", "documents", "references", "system-outputs"):
        (folder / place).mkdir()
    texts: list[str | None] = [segment.source for segment in testset.segments]
    write_lines(folder / "sources" / f"{pair}.txt", texts, fit)
    for name, texts in zip(names, references.texts, strict=True):
        place = file_name(f"{pair}.{name}", ".txt")
        write_lines(folder / "references" / place, texts, fit)
    (folder / "system-outputs" / pair).mkdir()
    for system, outputs in testset.outputs.items():
        place = file_name(system, ".txt")
        write_lines(folder / "system-outputs" / pair / place, outputs, fit)
    place_losses = _write_places(testset, folder / "documents" / f"{pair}.docs")
    losses = lost(testset, holds=("documents", "domains", "languages"), read_name=read_name)
    if pair.partition("-")[::2] != (testset.source_language, testset.target_language):
        losses.append(f"The languages became those of {pair}.")
    losses += references.losses + empty_columns(testset) + place_losses
    if tuple(names) != references.names:
        losses.append(f"The references got the names {joined(names)}.")
    return losses + sorted_files(testset, references) + fit.losses()


def _reference_names(references: ReferenceColumns) -> list[str]:
    """Names that mt-metrics-eval takes: without - and ., and none that means something else."""
    names = [name.replace("-", "_").replace(".", "_") for name in references.names]
    reserved = ("all", "src") if references.is_named else names
    names = [f"ref{name}" if name in reserved else name for name in names]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"two references would be called {twice!r}; rename one first")
    return names


def places_of(testset: TestSet) -> list[tuple[str, str]]:
    """Domain and document of every segment as the folder has them.

    A segment without a document is one of its own, called by its number, or with a word before it
    where a document has that name.
    """
    given = [_word(segment.document) for segment in testset.segments]
    taken, numbers = set(given), range(1, len(given) + 1)
    own = next(
        word
        for word in ("", *("segment" + "_" * count for count in range(len(given) + 1)))
        if not any(f"{word}{number}" in taken for number in numbers)
    )
    return [
        (_word(segment.domain) or NO_NAME, document or f"{own}{number}")
        for number, (segment, document) in enumerate(zip(testset.segments, given, strict=True), 1)
    ]


def _word(name: str | None) -> str:
    r"""A name without spaces.

    >>> _word("One\tor two"), _word(None)
    ('One_or_two', '')
    """
    return "_".join((name or "").replace("\0", " ").split())


def _write_places(testset: TestSet, path: Path) -> list[str]:
    places = places_of(testset)
    with write_text(path) as stream:
        stream.writelines(f"{domain}\t{document}\n" for domain, document in places)
    given = [(segment.domain, segment.document) for segment in testset.segments]
    losses = []
    if not all(domain and document for domain, document in given):
        losses.append(
            f"Domains without a name became {NO_NAME!r}, "
            "and segments without a document documents of their own."
        )
    if any(all(names) and names != found for names, found in zip(given, places, strict=True)):
        losses.append("Spaces in the names of documents and domains became '_'.")
    named = {name for _, name in given if name}
    if len({_word(name) for name in named}) != len(named):
        losses.append("Documents whose names differ in spaces alone became one.")
    documents = [document for _, document in places]
    runs = [name for i, name in enumerate(documents) if not i or documents[i - 1] != name]
    if len(set(runs)) != len(runs):
        losses.append("A document lies in several places, which mt-metrics-eval refuses to read.")
    return losses
