"""Lower case, for one text per segment or for several."""

from collections.abc import Sequence

Nested = Sequence[str | Sequence[str]]


def lowercase(texts: Nested) -> list[str | Sequence[str]]:
    """Every text in lower case as ``str.lower`` has it: full Unicode, final sigma included.

    >>> lowercase(["ΟΔΟΣ", ["A", "B"]])
    ['οδος', ['a', 'b']]
    """
    return [
        entry.lower() if isinstance(entry, str) else [text.lower() for text in entry]
        for entry in texts
    ]
