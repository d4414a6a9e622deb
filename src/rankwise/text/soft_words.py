"""Words of any language, how rare they are, and which of them stand for each other.

``scripts/make_soft_words.py`` makes both tables from the outputs, references and sources of WMT21
and WMT22. They hold words of several languages side by side, so that nobody has to name the
language; a word that they do not hold is as rare as words of its length usually are.
"""

import gzip
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.text.segments import References

# Scripts that put no space between words: every character is a word.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
# Signs that belong to the word they stand in, though they are no letters: vowels, points, accents.
_SIGNS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0dff\u200c\u200d"
)
_SPECIAL = re.compile(rf"[{_UNSPACED}{_SIGNS}]")
_WORD = re.compile(rf"[{_UNSPACED}]|(?:[^\W{_UNSPACED}]|[{_SIGNS}])+|[^\w\s]")
_PLAIN_WORD = re.compile(r"\w+|[^\w\s]")  # the same, and faster, for texts without the special

# How rare a word of 1, 2, 3 ... letters is on average over the tokens of seven languages, as
# ln(segments / segments with the word); longer words are as rare as the last.
_RARITY_BY_LENGTH = (2.8, 2.4, 3.5, 4.8, 5.4, 6.0, 6.2, 6.4, 6.5, 6.6, 6.7, 6.8)
_RARITY_OF_NUMBERS = 6.0
_RARITY_OF_MARKS = 1.0


def soft_words(text: str) -> list[str]:
    """Words, numbers and marks of a text, in lower case.

    >>> soft_words("Don't panic: 42 不要")
    ['don', "'", 't', 'panic', ':', '42', '不', '要']
    """
    lower = text.lower()
    is_plain = lower.isascii() or _SPECIAL.search(lower) is None
    return (_PLAIN_WORD if is_plain else _WORD).findall(lower)


@dataclass(frozen=True, slots=True)
class NumberedTexts:
    """Texts as numbers of words: text k is ``ids[starts[k]:starts[k + 1]]``."""

    words: tuple[str, ...]
    ids: NDArray[np.uint32]
    starts: NDArray[np.int64]


def numbered(hypotheses: Sequence[str], references: References) -> NumberedTexts:
    """The words of hypotheses, then of all references, numbered as they appear.

    The native core splits texts at white space, so that a piece between spaces is read once.
    """
    pieces, ids, starts, _ = _core.meteor_words(
        hypotheses,
        references,
        normalise=False,
        punctuation=True,
        apostrophes=0,
        prefixes=(),
        numeric_prefixes=(),
    )
    number: defaultdict[str, int] = defaultdict()
    number.default_factory = number.__len__
    words = [[number[word] for word in soft_words(piece)] for piece in pieces]
    lengths = np.fromiter(map(len, words), np.int64, len(words))
    flat = np.fromiter(chain.from_iterable(words), np.uint32, lengths.sum())
    begins = np.cumsum(lengths) - lengths
    ends = np.concatenate([[0], np.cumsum(lengths[ids])])
    # Place t of the result is as far behind the begin of its piece as it is in the text.
    places = np.repeat(begins[ids] - ends[:-1], lengths[ids]) + np.arange(ends[-1])
    return NumberedTexts(tuple(number), flat[places], ends[starts])


@dataclass(frozen=True, slots=True)
class WordTable:
    """How rare words are, and how well one stands for another (0-1, the same both ways).

    ``substitutes`` has every pair once, under the word that sorts first.
    """

    rarity: Mapping[str, float]
    substitutes: Mapping[str, Mapping[str, float]]

    def weights(self, words: Sequence[str]) -> NDArray[np.float64]:
        """How rare each word is: what it weighs.

        >>> WordTable({"the": 0.5}, {}).weights(["the", "theodolite", "7", ","]).tolist()
        [0.5, 6.6, 6.0, 1.0]
        """
        return np.array(
            [self.rarity.get(word) or _usual_rarity(word) for word in words], np.float64
        )

    def pairs(
        self, words: Sequence[str]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]:
        """The substitutes among some words: their numbers, and how well they do."""
        number = {word: k for k, word in enumerate(words)}
        found = [
            (k, number[other], value)
            for word, k in number.items()
            for other, value in self.substitutes.get(word, {}).items()
            if other in number
        ]
        firsts, seconds, values = zip(*found, strict=True) if found else ((), (), ())
        return (
            np.array(firsts, np.uint32),
            np.array(seconds, np.uint32),
            np.array(values, np.float64),
        )


def _usual_rarity(word: str) -> float:
    if word.isalpha() or (len(word) > 1 and not word.isdecimal()):
        return _RARITY_BY_LENGTH[min(len(word), len(_RARITY_BY_LENGTH)) - 1]
    return _RARITY_OF_NUMBERS if word.isdecimal() else _RARITY_OF_MARKS


@cache
def word_table() -> WordTable:
    """The table that ships with the package."""
    rarity = {word: int(value) / 100 for word, value in _rows("rarity.tsv.gz")}
    substitutes: dict[str, dict[str, float]] = {}
    for word, other, value in _rows("substitutes.tsv.gz"):
        substitutes.setdefault(word, {})[other] = int(value) / 100
    return WordTable(rarity, substitutes)


def _rows(name: str) -> list[list[str]]:
    data = (files("rankwise.text") / "data" / name).read_bytes()
    return [line.split("\t") for line in gzip.decompress(data).decode().splitlines()]
