"""What differs between two texts, by words; by characters where words are not written apart.

A word of letters or digits is one token, every other character (with its combining marks) another,
so that a changed full stop does not mark the word before it. Nothing is normalised: texts that
differ in code points differ. The most tokens that both have in the same order are common (Myers,
"An O(ND) difference algorithm", Algorithmica 1986).
"""

import re
import unicodedata
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypedDict

#: Looks at two tokens, at most (half a second); texts that need more are compared coarsely.
LARGEST = 500_000

#: Scripts without spaces between words: Thai to Myanmar, Khmer, Han, kana, Hangul stays a word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
_TOKEN = re.compile(rf"[{_UNSPACED}]|\s+|(?:(?![{_UNSPACED}])\w)+|.", re.DOTALL)


class TextPart(TypedDict):
    """A stretch of a text that is common to both, or not."""

    text: str
    changed: bool


class TextDifferences(NamedTuple):
    """Two texts as parts; ``is_coarse``: between the common ends everything counts as changed."""

    left: list[TextPart]
    right: list[TextPart]
    is_coarse: bool

    def to_json(self) -> dict[str, object]:
        """What the page gets."""
        return {"left": self.left, "right": self.right, "coarse": self.is_coarse}


#: Matches as a linked list, the last first: what is before, two places, how many tokens.
_Path = tuple["_Path | None", int, int, int]


def tokens(text: str) -> list[str]:
    """The tokens of a text; joined they are the text again.

    >>> tokens("Don't go."), tokens("東京へ行く")
    (['Don', "'", 't', ' ', 'go', '.'], ['東', '京', 'へ', '行', 'く'])
    """
    found: list[list[str]] = []
    for token in _TOKEN.findall(text):
        if found and unicodedata.category(token[0]).startswith("M"):
            found[-1].append(token)
        else:
            found.append([token])
    return ["".join(parts) for parts in found]


def differences(left: str, right: str) -> TextDifferences:
    """Both texts as parts, those marked that the other text does not have at that place.

    >>> found = differences("The red house", "The house")
    >>> found.left
    [{'text': 'The ', 'changed': False}, {'text': 'red', 'changed': True},
     {'text': ' house', 'changed': False}]
    >>> found.right, found.is_coarse
    ([{'text': 'The house', 'changed': False}], False)
    """
    one, other = tokens(left), tokens(right)
    same, is_coarse = _common(one, other)
    parts = _parts(one, {i for i, _ in same}), _parts(other, {j for _, j in same})
    return TextDifferences(*parts, is_coarse)


def _common(one: list[str], other: list[str]) -> tuple[list[tuple[int, int]], bool]:
    """The places that match, and whether only the ends were looked at; ends cost little."""
    shorter = min(len(one), len(other))
    head = next((i for i in range(shorter) if one[i] != other[i]), shorter)
    left = shorter - head
    tail = next((i for i in range(left) if one[-1 - i] != other[-1 - i]), left)
    ends = [(i, i) for i in range(head)]
    ends += [(len(one) - 1 - i, len(other) - 1 - i) for i in range(tail)]
    middle, other_middle = one[head : len(one) - tail], other[head : len(other) - tail]
    found = _matches(middle, other_middle)
    return ends + [(head + i, head + j) for i, j in found or ()], found is None


def _matches(one: list[str], other: list[str]) -> list[tuple[int, int]] | None:
    """The most places that match in order; ``None`` if that takes more than ``LARGEST`` looks.

    After d tokens left out, ``ends`` has for each diagonal (place in *one* less place in *other*)
    how far *one* is matched or left out at best, and what matched on the way.
    """
    ends: dict[int, tuple[int, _Path | None]] = {1: (0, None)}
    looks = 0
    for left_out in range(len(one) + len(other) + 1):
        for diagonal in range(-left_out, left_out + 1, 2):
            end, path = _step(ends, diagonal, left_out)
            begin = end
            most = min(len(one), len(other) + diagonal)
            while end < most and one[end] == other[end - diagonal]:
                end += 1
            if end > begin:
                path = (path, begin, begin - diagonal, end - begin)
            ends[diagonal] = end, path
            if end >= len(one) and end - diagonal >= len(other):
                return _places(path)
            looks += 1 + end - begin
        if looks > LARGEST:
            return None
    return None  # never: leaving out everything is a way


def _step(
    ends: dict[int, tuple[int, _Path | None]], diagonal: int, left_out: int
) -> tuple[int, _Path | None]:
    """The better way onto a diagonal: a token of the other text left out, or one of this."""
    from_above = diagonal == -left_out or (
        diagonal != left_out and ends[diagonal - 1][0] < ends[diagonal + 1][0]
    )
    if from_above:
        return ends[diagonal + 1]
    end, path = ends[diagonal - 1]
    return end + 1, path


def _places(path: _Path | None) -> list[tuple[int, int]]:
    found = []
    while path is not None:
        path, i, j, size = path
        found += [(i + more, j + more) for more in range(size)]
    return found


def _parts(found: list[str], same: set[int]) -> list[TextPart]:
    changes = [
        place not in same and not _is_edge(found, same, place) for place in range(len(found))
    ]
    stretches = groupby(zip(changes, found, strict=True), key=itemgetter(0))
    return [
        {"text": "".join(token for _, token in stretch), "changed": changed}
        for changed, stretch in stretches
    ]


def _is_edge(found: list[str], same: set[int], place: int) -> bool:
    """Whether the token is the one space between a word that changed and one that did not."""
    neighbours = [near for near in (place - 1, place + 1) if 0 <= near < len(found)]
    return found[place] == " " and any(near in same for near in neighbours)
