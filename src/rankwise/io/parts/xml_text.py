"""Text of XML and SGML: escaped by writers, unescaped by readers, and what XML cannot hold."""

import re
from collections.abc import Mapping

from rankwise.errors import DataError
from rankwise.io.parts.line_text import counted

# XML 1.0 has no way to write these, not even as a number; half a surrogate pair has no UTF-8.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# A parser turns a carriage return into a line feed, and white space in attributes into spaces.
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = {**_TEXT, ord('"'): "&quot;", ord("\n"): "&#10;", ord("\t"): "&#9;"}
_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


class Escaper:
    """Escapes texts and counts those that held what XML cannot write."""

    def __init__(self) -> None:
        self.changed = 0

    def __call__(self, text: str) -> str:
        """*text* as the content of an element."""
        return self.allowed(text).translate(_TEXT)

    def attribute(self, name: str, value: str | None) -> str:
        """`` name="value"``, or nothing when the value is ``None``."""
        return "" if value is None else _attribute(name, self.allowed(value))

    def allowed(self, text: str) -> str:
        """*text* with U+FFFD for what XML cannot write."""
        allowed, count = _FORBIDDEN.subn("\ufffd", text)
        self.changed += count > 0
        return allowed

    def losses(self) -> list[str]:
        """The sentence about the texts that were changed, if any."""
        if not self.changed:
            return []
        return [f"{counted(self.changed, 'text')} had characters that XML forbids, now U+FFFD."]


def start_tag(name: str, attributes: Mapping[str, str], *, is_empty: bool = False) -> str:
    """``<name key="value">``, or ``<name key="value" />``; what XML cannot hold is an error.

    >>> start_tag("tgt", {"system": "A&B", "rank": "1"}, is_empty=True)
    '<tgt system="A&amp;B" rank="1" />'
    """
    for value in attributes.values():
        if forbidden := _FORBIDDEN.search(value):
            raise DataError(f"text {value[:40]!r} has {forbidden[0]!a}, which XML cannot hold")
    cells = "".join(_attribute(key, value) for key, value in attributes.items())
    return f"<{name}{cells}{' />' if is_empty else '>'}"


def is_xml_name(name: str) -> bool:
    """Whether *name* can be the name of an attribute (plain letters only)."""
    return _NAME.fullmatch(name) is not None and not name.lower().startswith("xml")


def _attribute(name: str, value: str) -> str:
    return f' {name}="{value.translate(_ATTRIBUTE)}"'


_ENTITY = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7})));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def unescape(text: str) -> str:
    """*text* with its entities replaced once; an ``&`` that begins none stays as it is.

    >>> unescape("R&D &lt; 5 &amp;amp; &#228; &nbsp;")
    'R&D < 5 &amp; ä &nbsp;'
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    named, hexadecimal, decimal = match.groups()
    if named:
        return _NAMED[named]
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    if not 0 < code <= 0x10FFFF or 0xD800 <= code < 0xE000:
        return match.group()
    return chr(code)
