"""A text column that keeps every Python string on both databases.

PostgreSQL holds no NUL and neither database a lone surrogate, yet a system may write both. They are
kept as ESC and four hexadecimal digits, and so is ESC itself, so that what was put in comes out.
"""

import re
from typing import Any

from sqlalchemy import Dialect, Text, TypeDecorator

_ESCAPE = "\x1b"
_UNSAFE = re.compile("[\x00\x1b\ud800-\udfff]")
_ESCAPED = re.compile("\x1b([0-9a-f]{4})")


def escaped(text: str) -> str:
    r"""*text* without NUL and surrogates.

    >>> escaped("a\0b")
    'a\x1b0000b'
    """
    return _UNSAFE.sub(lambda match: f"{_ESCAPE}{ord(match[0]):04x}", text)


def unescaped(text: str) -> str:
    r"""What ``escaped`` was given.

    >>> unescaped(escaped("\x1b\0\ud800"))
    '\x1b\x00\ud800'
    """
    if _ESCAPE not in text:
        return text
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


class AnyText(TypeDecorator[str]):
    """``TEXT`` for strings that people and systems wrote."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """What is stored for *value*."""
        return None if value is None else escaped(value)

    def process_result_value(self, value: Any | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        """The string that was given."""
        return None if value is None else unescaped(value)
