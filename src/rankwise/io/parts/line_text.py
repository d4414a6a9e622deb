"""Whole files as lists of lines, numbers in cells, and text made to fit on one line.

What the line-based formats share: plain text, TSV and the score files.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, read_blocks


def all_lines(path: StrPath) -> list[str]:
    r"""The lines of a file without their ends, ``\n`` or ``\r\n``; a NUL is an error.

    The last line may lack its end; an empty file has no lines.
    """
    return [line for lines in line_blocks(path) for line in lines]


def line_blocks(path: StrPath) -> Iterator[list[str]]:
    """The lines of :func:`all_lines`, about a megabyte at a time."""
    for number, block in read_blocks(path):
        if "\0" in block:
            line = number + block.count("\n", 0, block.index("\0"))
            raise DataError(
                f"{name_of(path)}:{line}: the line holds a NUL; expected text in UTF-8 "
                "(is the file UTF-16?)"
            )
        yield block.replace("\r\n", "\n").removesuffix("\r").removesuffix("\n").split("\n")


def finite_number(text: str, path: StrPath, line: int, what: str = "score") -> float:
    """The finite number that *text* writes."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or "_" in text:
        raise DataError(
            f"{name_of(path)}:{line}: the {what} is {shown(text)}; expected a finite number"
        )
    return value


def shown(text: str, length: int = 60) -> str:
    """*text* as a message quotes it: cut when long."""
    return repr(text) if len(text) <= length else f"{text[:length]!r}..."


def must_be_unique(names: Sequence[str], path: StrPath, line: int, what: str) -> None:
    """Raise when a name occurs twice, as of columns."""
    if len(set(names)) != len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        raise DataError(f"{name_of(path)}:{line}: {what} {twice!r} occurs twice; expected it once")


class OneLine:
    """Makes texts fit into a line or a cell and counts how many it had to change."""

    def __init__(self, forbidden: str) -> None:
        self._table = str.maketrans(dict.fromkeys(forbidden, " "))
        self.changed = 0

    def __call__(self, text: str) -> str:
        """*text* with every forbidden character as a space."""
        flat = text.translate(self._table)
        self.changed += flat != text
        return flat

    def losses(self) -> list[str]:
        """The sentence about the texts that were changed, if any."""
        if not self.changed:
            return []
        return [f"{counted(self.changed, 'text')} had line breaks or tabs, now spaces."]


#: What no line of text and no cell of a TSV can hold.
LINE_BREAKS = "\n\r\0"
CELL_BREAKS = "\n\r\0\t"


def counted(count: int, noun: str) -> str:
    """``1 text``, ``2 texts``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def joined(names: Iterable[str]) -> str:
    """Names for a message, at most ten of them."""
    listed = list(names)
    more = f", ... ({len(listed)} in all)" if len(listed) > 10 else ""
    return ", ".join(listed[:10]) + more
