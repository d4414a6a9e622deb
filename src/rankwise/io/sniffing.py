"""Which format a file has: its beginning is shown to every format of a kind, in table order."""

import json
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rankwise.errors import DataError, StoreError
from rankwise.io.files import StrPath, entries_of, is_folder, name_of, peek_bytes
from rankwise.io.format_table import KINDS, Format, Kind, formats_of, names_of
from rankwise.io.packed.foreign_files import foreign_file
from rankwise.io.parts.line_text import shown

HEAD_BYTES = 1 << 16
#: What to do about a file of a known format that is not recognised.
UNLESS_NAMED = "one of them can be named: rankwise convert --from, or format= in Python"


@dataclass(frozen=True)
class Head:
    """The beginning of a file, decompressed; what ``sniff(head)`` of a format module looks at.

    Bytes that are not UTF-8 became U+FFFD: only the reader reports them. ``is_whole`` says that the
    file is no longer than this. A folder has no text but ``entries``, the names of what lies in it.
    ``foreign`` says what the file is if it is known to be no text.
    """

    name: str
    text: str
    is_whole: bool = True
    is_folder: bool = False
    entries: frozenset[str] = frozenset()
    foreign: str = ""

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
    if is_folder(path):
        return Head(name_of(path), "", is_folder=True, entries=entries_of(path))
    raw = peek_bytes(path, HEAD_BYTES)
    text = raw.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return Head(name_of(path), text, is_whole=len(raw) < HEAD_BYTES, foreign=foreign_file(raw))


def sniff(path: StrPath, kind: Kind | None = None) -> Format:
    """The first format (of one kind, or of all) that recognises the beginning of a file."""
    return sniff_all(path, kind)[0]


def sniff_all(path: StrPath, kind: Kind | None = None) -> tuple[Format, ...]:
    """The first format of each kind that recognises a file: some files hold texts and rankings."""
    head = read_head(path)
    candidates = formats_of(kind)
    found: dict[Kind, Format] = {}
    for candidate in candidates:
        if candidate.kind not in found and candidate.load().sniff(head):
            found[candidate.kind] = candidate
    if found:
        return tuple(found.values())
    expected = (
        f"expected {KINDS[kind] if kind else 'data'} in one of the formats {names_of(candidates)}"
    )
    if head.foreign:
        raise DataError(f"{head.name}:1: {head.foreign}")
    if head.is_folder:
        held = ", ".join(sorted(head.entries)[:5]) or "nothing"
        raise StoreError(f"{head.name}: cannot be read: Is a directory, with {held}; {expected}")
    near = next((near for each in candidates if (near := _lacking(each, head))), "")
    raise DataError(f"{head.name}:1: {_found(head)}; {near or f'{expected}; {UNLESS_NAMED}'}")


def _lacking(candidate: Format, head: Head) -> str:
    """What a file would need to be of this format, if it is nearly."""
    module = candidate.load()
    return str(module.lacking(head)) if hasattr(module, "lacking") else ""


def _found(head: Head) -> str:
    if not head.text.strip():
        return "the file is empty"
    return f"the file begins with {shown(head.first_line)}"
