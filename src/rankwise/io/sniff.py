"""Which format a file has: its beginning is shown to every format of a kind, in table order."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of, peek_bytes
from rankwise.io.formats import FORMATS, Format, Kind, names_of

HEAD_BYTES = 1 << 16


@dataclass(frozen=True)
class Head:
    """The beginning of a file, decompressed; what ``sniff(head)`` of a format module looks at.

    Bytes that are not UTF-8 became U+FFFD: only the reader reports them. ``is_whole`` says that the
    file is no longer than this.
    """

    name: str
    text: str
    is_whole: bool = True

    @cached_property
    def lines(self) -> tuple[str, ...]:
        r"""The lines without ``\n`` and ``\r``; the last may be cut short when not whole."""
        lines = self.text.split("\n")
        return tuple(line.rstrip("\r") for line in (lines if lines[-1] else lines[:-1]))

    @property
    def first_line(self) -> str:
        """The first line, or nothing."""
        return self.lines[0] if self.lines else ""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The fields of the first line, as of a CSV header."""
        return tuple(field.strip().strip('"') for field in self.first_line.split(","))

    @cached_property
    def first_object(self) -> dict[str, Any] | None:
        """The first JSON object, of the file or of a list, when it is whole within the head."""
        start = self.text.lstrip().removeprefix("[").lstrip()
        if not start.startswith("{"):
            return None
        try:
            value, _ = json.JSONDecoder().raw_decode(start)
        except (ValueError, RecursionError):
            return None
        return value if isinstance(value, dict) else None

    @property
    def first_keys(self) -> frozenset[str]:
        """The keys of the first JSON object; if it is cut short, all that look like its keys."""
        if self.first_object is not None:
            return frozenset(self.first_object)
        if not re.match(r"\s*(\[\s*)?\{", self.text):
            return frozenset()
        return frozenset(re.findall(r'"(\w+)"\s*:', self.text))

    @property
    def is_xml(self) -> bool:
        """Whether the text begins with a tag, a comment or an XML declaration."""
        return self.text.lstrip().startswith("<")


def read_head(path: StrPath) -> Head:
    """The beginning of a file; of standard input or a pipe it stays readable."""
    raw = peek_bytes(path, HEAD_BYTES)
    text = raw.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return Head(name_of(path), text, is_whole=len(raw) < HEAD_BYTES)


def sniff(path: StrPath, *kinds: Kind) -> Format:
    """The first format (of these kinds, or of all) that recognises a file or folder."""
    return sniff_all(path, *kinds)[0]


def sniff_all(path: StrPath, *kinds: Kind) -> tuple[Format, ...]:
    """The first format of each kind that recognises a file: some files hold texts and rankings."""
    candidates = tuple(f for f in FORMATS if not kinds or f.kind in kinds)
    if Path(path).is_dir():
        return (_folder_format(Path(path), candidates),)
    head = read_head(path)
    found: dict[Kind, Format] = {}
    for candidate in candidates:
        if candidate.kind not in found and candidate.load().sniff(head):
            found[candidate.kind] = candidate
    if found:
        return tuple(found.values())
    raise DataError(
        f"{head.name}:1: {_found(head)}; expected {' or '.join(kinds) or 'data'} in one of the "
        f"formats {names_of(candidates)}; name the format if it is one of them"
    )


#: What must lie in a folder for it to be of a format.
FOLDER_MARKS = {"evalset": "sources", "text": "source.txt", "sgml": "source.sgm"}


def _folder_format(folder: Path, candidates: tuple[Format, ...]) -> Format:
    for candidate in candidates:
        mark = FOLDER_MARKS.get(candidate.name)
        if mark is not None and (folder / mark).exists():
            return candidate
    raise DataError(
        f"{folder}: the folder has none of {', '.join(FOLDER_MARKS.values())}; expected the folder "
        "of an EvalSet, of text files or of SGML files"
    )


def _found(head: Head) -> str:
    if not head.text.strip():
        return "the file is empty"
    line = head.first_line
    return f"the file begins with {line[:60]!r}{'...' if len(line) > 60 else ''}"
