"""The tags of WMT and NIST SGML, which was never proper SGML: found by pattern, not by a parser."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rankwise.errors import DataError
from rankwise.io.files import StrPath, name_of
from rankwise.io.parts.line_text import shown
from rankwise.io.parts.xml_text import unescape

_TAG = re.compile(r"<(/?)(srcset|refset|tstset|doc|seg)(?=[\s/>])([^<>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_SPACE = re.compile("[ \t\n\r\v\f]+")  # other spaces are part of a text


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag of interest; a segment comes as one tag with its text."""

    name: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    is_end: bool = False
    text: str = ""


def tags(text: str, path: StrPath) -> Iterator[Tag]:
    """The tags of interest in order; what looks like another tag inside a segment is its text."""
    position, line, counted_to = 0, 1, 0
    while match := _TAG.search(text, position):
        line += text.count("\n", counted_to, match.start())
        counted_to, position = match.start(), match.end()
        name, content = match[2].lower(), ""
        if name == "seg":
            end = _TAG.search(text, position) if not match[1] else None
            if end is None or (end[1], end[2].lower()) != ("/", "seg"):
                raise DataError(
                    f"{name_of(path)}:{line}: found {shown(match[0])} alone; expected its partner"
                )
            content, position = one_spaced(unescape(text[position : end.start()])), end.end()
        yield Tag(name, line, _attributes(match[3]), match[1] == "/", content)


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(text)
    return {name.lower(): unescape(a or b or c) for name, a, b, c in found}


def first_tag(text: str) -> str | None:
    """The name of the first tag of interest in *text*."""
    match = _TAG.search(text)
    return None if match is None else match[2].lower()


def one_spaced(text: str) -> str:
    r"""*text* without white space at its ends, and with one space for any within.

    >>> one_spaced(" a \n b\u00a0c ")
    'a b\xa0c'
    """
    return _SPACE.sub(" ", text).strip(" ")
