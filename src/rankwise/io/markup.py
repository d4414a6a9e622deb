"""Text inside XML and SGML: what has to be escaped, and what cannot be written at all."""

import re

from rankwise.io.lines import counted

# XML 1.0 has no way to write these, not even as a number.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
# A parser turns a carriage return into a line feed, and white space in attributes into spaces.
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = {**_TEXT, ord('"'): "&quot;", ord("\n"): "&#10;", ord("\t"): "&#9;"}


class Escaper:
    """Escapes texts and counts those that held what XML cannot write."""

    def __init__(self) -> None:
        self.changed = 0

    def __call__(self, text: str) -> str:
        """*text* as the content of an element."""
        return self.allowed(text).translate(_TEXT)

    def attribute(self, name: str, value: str | None) -> str:
        """`` name="value"``, or nothing when the value is ``None``."""
        if value is None:
            return ""
        return f' {name}="{self.allowed(value).translate(_ATTRIBUTE)}"'

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
