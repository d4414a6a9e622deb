"""Whole files as lists of lines, numbers in cells, and text made to fit on one line.

What the line-based formats share: plain text, TSV and the score files.
"""

import math
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence

from rankwise import _core
from rankwise.errors import DataError
from rankwise.io.files import StrPath, decode, must_be_text, name_of, raw_blocks


def all_lines(path: StrPath) -> list[str]:
    r"""The lines of a file without their ends, ``\n`` or ``\r\n``; a NUL is an error.

    The last line may lack its end; an empty file has no lines.
    """
    return [line for lines in line_blocks(path) for line in lines]


def line_blocks(path: StrPath) -> Iterator[list[str]]:
    """The lines of :func:`all_lines`, about a megabyte at a time."""
    number = 1
    for raw in raw_blocks(path):
        lines = _core.utf8_lines(raw.removeprefix(BOM_UTF8) if number == 1 else raw)
        if lines is None:
            raise _no_text(raw, path, number)
        yield lines
        number += len(lines)


def _no_text(raw: bytes, path: StrPath, number: int) -> DataError:
    """What is wrong with bytes that begin on line *number*: they are no UTF-8, or hold a NUL."""
    block = decode(raw, path, number)
    must_be_text(raw, path, number)
    line = number + block.count("\n", 0, block.index("\0"))
    return DataError(
        f"{name_of(path)}:{line}: the line holds a NUL; expected text in UTF-8 "
        "(is the file UTF-16?)"
    )


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
    r"""*text* as a message quotes it: cut when long, sooner where it needs many escapes.

    >>> print(shown("abc" * 30, 9), shown("\0" * 30, 9))
    'abcabcabc'... '\x00\x00\x00\x00'...
    """
    cut = text[:length]
    while len(repr(cut)) > 2 * length:
        cut = cut[:-1]
    return repr(text) if cut == text else f"{cut!r}..."


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
    r"""Names for a message, at most ten of them; a terminal takes none of them for a command.

    >>> print(joined(["judge", "\x1b[2J"]), joined(["a" * 900]) == repr("a" * 200) + "...")
    judge, '\x1b[2J' True
    """
    listed = list(names)
    more = f", ... ({len(listed)} in all)" if len(listed) > 10 else ""
    return ", ".join(map(_name, listed[:10])) + more


def _name(name: str) -> str:
    return name if name.isprintable() and len(name) <= 200 else shown(name, 200)
