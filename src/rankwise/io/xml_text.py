"""Writing XML: start tags with escaped attributes, one way for every writer."""

import re
from collections.abc import Mapping
from xml.sax.saxutils import quoteattr

from rankwise.errors import DataError

# What XML 1.0 cannot hold, not even as a character reference.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


def start_tag(name: str, attributes: Mapping[str, str], *, is_empty: bool = False) -> str:
    """``<name key="value">``, or ``<name key="value" />``.

    >>> start_tag("tgt", {"system": "A&B", "rank": "1"}, is_empty=True)
    '<tgt system="A&amp;B" rank="1" />'
    """
    cells = "".join(f" {key}={_quoted(value)}" for key, value in attributes.items())
    return f"<{name}{cells}{' />' if is_empty else '>'}"


def is_xml_name(name: str) -> bool:
    """Whether *name* can be the name of an attribute (plain letters only)."""
    return _NAME.fullmatch(name) is not None and not name.lower().startswith("xml")


def _quoted(value: str) -> str:
    forbidden = _FORBIDDEN.search(value)
    if forbidden:
        raise DataError(f"text {value[:40]!r} has {forbidden[0]!a}, which XML cannot hold")
    return quoteattr(value)
