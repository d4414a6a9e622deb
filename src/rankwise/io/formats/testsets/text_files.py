r"""Parallel plain-text files: the source, any number of references, one file per system.

Line *i* of every file belongs to segment *i*. A folder that ``write`` made holds ``source.txt``,
``references/NAME.txt`` and ``outputs/SYSTEM.txt`` and reads back as a whole.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from rankwise.errors import DataError
from rankwise.io.files import StrPath, is_folder, name_of, write_text
from rankwise.io.folders import file_name, new_folder, text_files
from rankwise.io.formats.testsets.testset_columns import (
    empty_columns,
    lost,
    reference_columns,
    sorted_files,
)
from rankwise.io.parts.line_text import LINE_BREAKS, OneLine, all_lines
from rankwise.io.parts.parallel_lines import (
    Files,
    must_be_parallel,
    must_read_stdin_once,
    named_files,
)
from rankwise.io.sniffing import Head
from rankwise.types import Segment, TestSet

#: Domain and document of a segment.
Place = tuple[str | None, str | None]


def read(path: StrPath, *, references: Files = (), outputs: Files = ()) -> TestSet:
    """The test set of a source file and its parallel files, or of a folder that ``write`` made.

    *references* and *outputs* are further files, called by their names without directories and
    suffix, or by the keys of a mapping. A folder brings its own files.
    """
    if not is_folder(path):
        return read_parallel(path, references, outputs)
    if references or outputs:
        raise DataError(f"{name_of(path)}: a folder brings its own references and outputs")
    folder = Path(path)
    testset = read_parallel(
        folder / "source.txt", text_files(folder / "references"), text_files(folder / "outputs")
    )
    return TestSet(testset.segments, testset.outputs, folder.name)


def read_parallel(source: StrPath | None, references: Files = (), outputs: Files = ()) -> TestSet:
    """The test set of parallel files; segments are called by their line number, from 1.

    Systems and references are called by their file's name without directories and suffix, or by
    the keys of a mapping. Without a *source* file the sources are empty. ``-`` is standard input,
    for one of the files.
    """
    return parallel_texts(source, references, outputs).testset()


class ParallelTexts(NamedTuple):
    """The lines of parallel files, those of references and systems by their names."""

    sources: list[str]
    references: dict[str, list[str]]
    outputs: dict[str, list[str]]

    def testset(self, places: Sequence[Place] = ()) -> TestSet:
        """The test set, its segments in *places*; nothing is known of their documents without."""
        names, count = tuple(self.references), len(self.sources)
        rows = zip(*self.references.values(), strict=True) if names else repeat((), count)
        numbers = map(str, range(1, count + 1))
        lines = zip(numbers, self.sources, rows, places or repeat((None, None), count), strict=True)
        segments = [
            Segment(number, source, row, document, domain, names)
            for number, source, row, (domain, document) in lines
        ]
        return TestSet(tuple(segments), {name: tuple(t) for name, t in self.outputs.items()})


def parallel_texts(
    source: StrPath | None, references: Files = (), outputs: Files = ()
) -> ParallelTexts:
    """The lines of the files of :func:`read_parallel`."""
    named = {
        "reference": named_files(references, "reference"),
        "output": named_files(outputs, "output"),
    }
    paths = [source] if source is not None else []
    paths += [path for files in named.values() for path in files.values()]
    if not paths:
        raise DataError("no file is given; expected a source, references or outputs")
    must_read_stdin_once(paths)
    texts = [all_lines(path) for path in paths]
    must_be_parallel(paths, [len(lines) for lines in texts])
    rest = iter(texts if source is None else texts[1:])
    sources = [""] * len(texts[0]) if source is None else texts[0]
    by_reference = {name: next(rest) for name in named["reference"]}
    return ParallelTexts(sources, by_reference, {name: next(rest) for name in named["output"]})


def sniff(head: Head) -> bool:
    """Whether it is a folder that ``write`` made; a file never, for any text could be a source."""
    return "source.txt" in head.entries


def write(testset: TestSet, path: StrPath) -> list[str]:
    """Write a folder of parallel files; it must not exist."""
    fit = OneLine(LINE_BREAKS)
    references = reference_columns(testset)
    losses = lost(testset, read_name=Path(path).name) + references.losses + empty_columns(testset)
    if references.names and not references.is_named:
        losses.append("The references got numbers as names.")
    with new_folder(path) as folder:
        _write(folder / "source.txt", [segment.source for segment in testset.segments], fit)
        for name, texts in zip(references.names, references.texts, strict=True):
            _write(folder / "references" / file_name(name, ".txt"), texts, fit)
        for name, outputs in testset.outputs.items():
            _write(folder / "outputs" / file_name(name, ".txt"), outputs, fit)
    return losses + sorted_files(testset, references) + fit.losses()


def _write(path: Path, texts: Iterable[str | None], fit: OneLine) -> None:
    path.parent.mkdir(exist_ok=True)
    write_lines(path, texts, fit)


def write_lines(path: StrPath, texts: Iterable[str | None], fit: OneLine) -> None:
    """Write one text per line; ``None`` is an empty line."""
    with write_text(path) as stream:
        for number, text in enumerate(texts):
            line = fit(text or "")
            # A reader drops U+FEFF at the start of a file; a second one saves the first.
            stream.write("\ufeff" * (number == 0 and line.startswith("\ufeff")) + line + "\n")
