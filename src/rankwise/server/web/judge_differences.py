"""What differs between two texts, by words; by characters where words are not written apart.

A word of letters or digits is one token, every other character (with its combining marks) another,
so that a changed full stop does not mark the word before it. Nothing is normalised: texts that
differ in code points differ.
"""

import re
import unicodedata
from difflib import SequenceMatcher
from typing import TypedDict

#: Comparing takes time by the product of both lengths; beyond this the middle counts as changed.
LARGEST = 4_000_000

#: Scripts without spaces between words: Thai to Myanmar, Khmer, Han, kana, Hangul stays a word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"[{_UNSPACED}]|\s+|(?:(?![{_UNSPACED}])\w)+|.", re.DOTALL)


class Part(TypedDict):
    """A stretch of a text that is common to both, or not."""

    text: str
    changed: bool


def tokens(text: str) -> list[str]:
    """The tokens of a text; joined they are the text again.

    >>> tokens("Don't go."), tokens("東京へ行く")
    (['Don', "'", 't', ' ', 'go', '.'], ['東', '京', 'へ', '行', 'く'])
    """
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if found and unicodedata.category(token[0]).startswith("M"):
            found[-1] += token
        else:
            found.append(token)
    return found


def differences(left: str, right: str) -> tuple[list[Part], list[Part]]:
    """Both texts as parts, those marked that the other text does not have at that place.

    >>> differences("The red house", "The house")
    ([{'text': 'The ', 'changed': False}, {'text': 'red', 'changed': True},
      {'text': ' house', 'changed': False}], [{'text': 'The house', 'changed': False}])
    """
    one, other = tokens(left), tokens(right)
    same = _common(one, other)
    return _parts(one, {i for i, _ in same}), _parts(other, {j for _, j in same})


def _common(one: list[str], other: list[str]) -> list[tuple[int, int]]:
    """The places that match; the common beginning and end are found first, they cost little."""
    shorter = min(len(one), len(other))
    head = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    left = shorter - head
    tail = next((i for i in range(left) if one[-1 - i] != other[-1 - i]), left)
    ends = [(i, i) for i in range(head)]
    ends += [(len(one) - 1 - i, len(other) - 1 - i) for i in range(tail)]
    middle, other_middle = one[head : len(one) - tail], other[head : len(other) - tail]
    if len(middle) * len(other_middle) > LARGEST:
        return ends
    blocks = SequenceMatcher(None, middle, other_middle, autojunk=False).get_matching_blocks()
    return ends + [
        (head + block.a + i, head + block.b + i) for block in blocks for i in range(block.size)
    ]


def _parts(found: list[str], same: set[int]) -> list[Part]:
    parts: list[Part] = []
    for place, token in enumerate(found):
        changed = place not in same and not _is_edge(found, same, place)
        if parts and parts[-1]["changed"] == changed:
            parts[-1]["text"] += token
        else:
            parts.append({"text": token, "changed": changed})
    return parts


def _is_edge(found: list[str], same: set[int], place: int) -> bool:
    """Whether the token is the one space between a word that changed and one that did not."""
    neighbours = [near for near in (place - 1, place + 1) if 0 <= near < len(found)]
    return found[place] == " " and any(near in same for near in neighbours)
