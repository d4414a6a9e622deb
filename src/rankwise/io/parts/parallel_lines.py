"""Files whose lines belong together, read side by side: memory does not grow with them."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from rankwise.errors import DataError
from rankwise.io.files import StrPath, must_differ, name_of, stem_of
from rankwise.io.parts.line_text import counted, line_blocks

Lines = list[str]
Files = Iterable[StrPath] | Mapping[str, StrPath]


def parallel_blocks(paths: Sequence[StrPath]) -> Iterator[list[Lines]]:
    """The next lines of every file, equally many of each, until all end.

    About a megabyte of each file is held at a time. Files that do not end together are an error,
    which says how many lines both have.
    """
    must_read_stdin_once(paths)
    files = [_Lines(path) for path in paths]
    while count := min([file.fill() for file in files]):
        yield [file.take(count) for file in files]
    if any(file.lines for file in files):
        must_be_parallel(paths, [file.count_all() for file in files])


def parallel_lines(paths: Sequence[StrPath]) -> list[Lines]:
    """All lines of every file, of which each must have as many."""
    found: list[Lines] = [[] for _ in paths]
    for block in parallel_blocks(paths):
        for lines, more in zip(found, block, strict=True):
            lines.extend(more)
    return found


def must_be_parallel(paths: Sequence[StrPath], counts: Sequence[int]) -> None:
    """Raise unless all files have as many lines as the first."""
    first, expected = name_of(paths[0]), counts[0]
    for path, count in zip(paths, counts, strict=True):
        if count != expected:
            raise DataError(
                f"{name_of(path)} has {counted(count, 'line')}, but {first} has {expected}; "
                "expected parallel files"
            )


def must_read_stdin_once(paths: Sequence[StrPath]) -> None:
    """Raise when two files are ``-``: standard input has one content."""
    if [os.fspath(path) for path in paths].count("-") > 1:
        raise DataError("two files are read from standard input; expected at most one '-'")


def named_files(files: Files, what: str) -> dict[str, StrPath]:
    """The files by name: as given, or by their file names; two of one name are an error."""
    if isinstance(files, Mapping):
        return dict(files)
    if isinstance(files, str | os.PathLike):
        raise DataError(f"the {what}s are one path, {files!r}; expected a list of paths")
    parted = [name_and_file(path) for path in files]
    must_differ([path for _, path in parted])
    named: dict[str, StrPath] = {}
    for name, path in parted:
        if name in named:
            raise DataError(
                f"{name_of(named[name])} and {name_of(path)} would both be {what} {name!r}; "
                "give one of them as NAME=FILE"
            )
        named[name] = path
    return named


def name_and_file(path: StrPath) -> tuple[str, StrPath]:
    """What a file is called and where it lies: ``NAME=FILE``, or the file by its own name.

    A file whose own name has an equals sign is found as it is.

    >>> name_and_file("Our system=out/run7.txt"), name_and_file("out/run7.txt")
    (('Our system', 'out/run7.txt'), ('run7', 'out/run7.txt'))
    """
    name, equals, file = os.fspath(path).partition("=")
    if not isinstance(path, str) or not equals or Path(path).exists():
        return stem_of(path), path
    if not name.strip() or not file:
        raise DataError(f"found {path!r}; expected NAME=FILE, or a file")
    return name.strip(), file


class _Lines:
    """The lines of one file that were read and not yet taken."""

    def __init__(self, path: StrPath) -> None:
        self.lines: Lines = []
        self._blocks = line_blocks(path)
        self._taken = 0

    def fill(self) -> int:
        """How many lines there are to take, after reading on if need be; 0 at the end."""
        if not self.lines:
            self.lines = next(self._blocks, [])
        return len(self.lines)

    def take(self, count: int) -> Lines:
        taken, self.lines = self.lines[:count], self.lines[count:]
        self._taken += count
        return taken

    def count_all(self) -> int:
        return self._taken + len(self.lines) + sum(map(len, self._blocks))
