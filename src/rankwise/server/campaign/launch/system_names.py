"""Whether a text names a system: thousands of names are looked for at once, letter by letter."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

#: Marks the end of a name in the tree of letters; no letter is empty.
_END = ""
#: Where a name can begin: not in the middle of a word.
_BEGINNINGS = re.compile(r"(?<!\w).", re.DOTALL)


class SystemNames:
    """The names of systems and their parts, as a tree of letters.

    Parts are what stands between punctuation; they need four letters, of which one is no digit,
    because shorter ones are found by accident; a whole name needs three. Large and small letters
    are the same.

    >>> names = SystemNames(["uedin-nmt.2017"])
    >>> list(names.found("by UEDIN, as ever; not uedinburgh"))
    ['uedin']
    """

    def __init__(self, systems: Sequence[str]) -> None:
        """Take the names."""
        self._tree: dict[str, Any] = {}
        for name in systems:
            parts = (p for p in re.split(r"[\W_]+", name) if len(p) >= 4 and not p.isdigit())
            for word in (*parts, *([name] if len(name) >= 3 else [])):
                self._add(word.casefold())

    def _add(self, word: str) -> None:
        node = self._tree
        for letter in word:
            node = node.setdefault(letter, {})
        node[_END] = {}

    def found(self, text: str) -> Iterator[str]:
        """Every name in *text*, in small letters: the longest that begins at a place."""
        folded = text.casefold()
        after = 0
        for begins in _BEGINNINGS.finditer(folded):
            end = self._longest(folded, begins.start()) if begins.start() >= after else None
            if end is not None:
                after = end
                yield folded[begins.start() : end]

    def are_in(self, text: str) -> bool:
        """Whether *text* names a system."""
        return next(self.found(text), None) is not None

    def _longest(self, text: str, begin: int) -> int | None:
        """Where the longest name that begins there ends, as long as a word ends with it."""
        node, longest = self._tree, None
        for place in range(begin, len(text)):
            node = node.get(text[place], {})
            if not node:
                break
            if _END in node and not _goes_on(text, place + 1):
                longest = place + 1
        return longest


def _goes_on(text: str, place: int) -> bool:
    return place < len(text) and (text[place].isalnum() or text[place] == "_")
