"""Candidate translations, one per line: a blank line ends a segment, or every N lines are one."""

from collections.abc import Iterator

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.line_text import counted, line_blocks


def read_candidates(path: StrPath, *, size: int | None = None) -> Iterator[list[str]]:
    """The candidates of every segment in turn.

    Without *size*, blank lines separate segments (several count as one). With it, every *size*
    lines are a segment and a blank line is an empty candidate.
    """
    lines = (line for block in line_blocks(path) for line in block)
    return _separated(lines) if size is None else _counted(lines, size, path)


def _separated(lines: Iterator[str]) -> Iterator[list[str]]:
    segment: list[str] = []
    for line in lines:
        if line.strip():
            segment.append(line)
        elif segment:
            yield segment
            segment = []
    if segment:
        yield segment


def _counted(lines: Iterator[str], size: int, path: StrPath) -> Iterator[list[str]]:
    segment: list[str] = []
    number = 0
    for number, line in enumerate(lines, 1):  # noqa: B007 - said in the error
        segment.append(line)
        if len(segment) == size:
            yield segment
            segment = []
    if segment:
        raise DataError(
            f"{name_of(path)} has {counted(number, 'line')}; expected a multiple of {size}"
        )
