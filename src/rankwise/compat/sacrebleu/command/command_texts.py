"""The texts of a run: references, and the outputs of one or several systems."""

import io
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rankwise.compat.sacrebleu.command.command_refused import CommandRefused
from rankwise.compat.sacrebleu.log import sacrelogger
from rankwise.compat.sacrebleu.utils import smart_open
from rankwise.errors import DataError, StoreError

#: sacreBLEU's exit code for lines that do not have as many columns as they should.
WRONG_COLUMNS = 17


@dataclass(frozen=True, slots=True)
class Systems:
    """Names of systems, and their lines in the same order."""

    names: list[str]
    lines: list[list[str]]


def read_references(args: Namespace, sets: Sequence[Sequence[str]]) -> list[list[str]]:
    """Streams of references: those of the files of each test set, one set after the other.

    With ``--num-refs`` above 1 a file has several in columns.
    """
    streams: list[list[str]] = [[] for _ in range(max(len(sets[0]), args.num_refs))]
    for files in sets:
        for place, file in enumerate(files):
            lines = _lines_of(file, args.encoding)
            if args.num_refs == 1:
                streams[place] += lines
                continue
            for number, line in enumerate(lines, 1):
                for stream, text in zip(streams, _columns(line, number, args), strict=True):
                    stream.append(text)
    return streams


def _columns(line: str, number: int, args: Namespace) -> list[str]:
    found = line.split("\t", maxsplit=args.num_refs - 1)
    if len(found) != args.num_refs:
        raise CommandRefused(
            f"FATAL: line {number}: expected {args.num_refs} fields, but found {len(found)}.",
            code=WRONG_COLUMNS,
        )
    return found


def read_systems(args: Namespace) -> Systems:
    """The outputs to score; in a paired test the name of the first says that it is the baseline."""
    found = _from_stdin(args) if args.input is None else _from_files(args)
    if not args.is_paired:
        return found
    if args.input is None:
        numbered = [f"System {number}" for number in range(1, len(found.names))]
        return Systems(["Baseline", *numbered], found.lines)
    return Systems([f"Baseline: {found.names[0]}", *found.names[1:]], found.lines)


def _from_stdin(args: Namespace) -> Systems:
    """Standard input, where every column is a system."""
    systems: list[list[str]] = []
    for line in _decoded("<stdin>", _stdin_lines(args.encoding)):
        cells = line.split("\t")
        if not systems:
            systems = [[] for _ in cells]
        if len(cells) != len(systems):
            raise CommandRefused(
                "FATAL: the number of tab-delimited fields in the input stream differ across "
                "lines.",
                code=WRONG_COLUMNS,
            )
        for lines, cell in zip(systems, cells, strict=True):
            lines.append(cell.rstrip() if lines else cell)
    names = [f"System {number}" for number in range(1, len(systems) + 1)]
    return Systems(names, systems) if systems else Systems(["System 1"], [[""]])


def _stdin_lines(encoding: str) -> Iterator[str]:
    """Lines as Python reads text: a carriage return ends one too, other than in files."""
    yield from io.TextIOWrapper(io.BytesIO(sys.stdin.buffer.read()), encoding=encoding)


def _from_files(args: Namespace) -> Systems:
    systems: dict[str, list[str]] = {}
    for file in args.input:
        if file not in systems:
            systems[file] = _lines_of(file, args.encoding)
        elif args.is_paired and file == next(iter(systems)):
            sacrelogger.info(f"Ignoring {file!r} as it was also given as the baseline.")
        else:
            raise CommandRefused(
                f"{file!r} already used to name a system.",
                "Make sure to have a different basename for each system.",
            )
    if not systems:
        raise DataError("--input names no file; expected at least one")
    return Systems([*systems], [*systems.values()])


def _lines_of(file: str, encoding: str) -> list[str]:
    try:
        with smart_open(file, encoding=encoding) as stream:
            return list(_decoded(file, stream))
    except OSError as error:
        raise StoreError(f"{file}: cannot be read: {error.strerror or error}") from error
    except LookupError as error:
        raise DataError(f"--encoding {encoding}: there is no such encoding") from error


def _decoded(name: str, lines: Iterable[str]) -> Iterator[str]:
    try:
        for line in lines:
            yield line.rstrip()
    except UnicodeError as error:
        raise DataError(f"{name}: {error}; --encoding names another encoding") from error
