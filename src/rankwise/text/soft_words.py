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
from functools import cache, cached_property
from importlib.resources import files
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.text.segments import References

# Scripts that put no space between words: every character is a word. The native core knows these
# ranges, and those below.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff"
)
# Signs that belong to the word they stand in, though they are no letters: vowels, points, accents.
_SIGNS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0dff\u200c\u200d"
)
_SPECIAL = re.compile(rf"[{_UNSPACED}{_SIGNS}]")
_WORD = rf"[{_UNSPACED}]|(?:[^\W{_UNSPACED}]|[{_SIGNS}])+|[^\w\s]"
_PLAIN_WORD = r"\w+|[^\w\s]"  # the same, and faster, for texts without the special
# Of one text, and of texts that are lines: there the end of a line is a token too.
_WORDS = {False: re.compile(_WORD), True: re.compile(_PLAIN_WORD)}
_LINES = {False: re.compile(rf"{_WORD}|\n"), True: re.compile(rf"{_PLAIN_WORD}|\n")}

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
    return _WORDS[_is_plain(lower)].findall(lower)


def _is_plain(text: str) -> bool:
    return text.isascii() or _SPECIAL.search(text) is None


@dataclass(frozen=True, slots=True)
class NumberedTexts:
    """Texts as numbers of words: text k is ``ids[starts[k]:starts[k + 1]]``."""

    words: tuple[str, ...]
    ids: NDArray[np.uint32]
    starts: NDArray[np.int64]


def numbered(hypotheses: Sequence[str], references: References) -> NumberedTexts:
    """The words of hypotheses, then of all references, numbered.

    The native core finds words by what each character is. Where that is not enough, as in a word
    with a capital sigma, what stands between spaces is searched here, once.
    """
    words, pieces, ids, starts = _core.split_words(hypotheses, references)
    if not pieces:
        return NumberedTexts(tuple(words), ids, starts)
    all_words, found, lengths = _numbered_lines(pieces, words)
    texts = _core.words_of_pieces(ids, starts, len(words), found, lengths)
    return NumberedTexts(all_words, *texts)


def _numbered_lines(
    lines: Sequence[str], known: Sequence[str]
) -> tuple[tuple[str, ...], NDArray[np.uint32], NDArray[np.int64]]:
    """Known and new words of texts without line ends, numbers of all words, and words by text.

    All texts are searched at once: a call for every text would take most of the time.
    """
    text = "\n".join([*lines, ""]).lower()
    number = defaultdict(None, zip(["\n", *known], range(len(known) + 1), strict=True))
    number.default_factory = number.__len__
    tokens = _LINES[_is_plain(text)].findall(text)
    found = np.fromiter(map(number.__getitem__, tokens), np.int64, len(tokens))
    ends = np.flatnonzero(found == 0)
    words = tuple(number)[1:]
    return words, (found[found > 0] - 1).astype(np.uint32), np.diff(ends, prepend=-1) - 1


@dataclass(frozen=True)
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
        known = np.fromiter(map(self.rarity.get, words, repeat(0.0)), np.float64, len(words))
        return np.where(known != 0, known, _usual_rarity(words))

    def pairs(
        self, words: Sequence[str]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]:
        """The substitutes among some words: their numbers, and how well they do."""
        place, firsts, seconds, values = self._columns
        places = np.fromiter(map(place.get, words, repeat(-1)), np.int64, len(words))
        number = np.full(len(place) + 1, -1)  # the last is for words without substitutes
        number[places] = np.arange(len(words))
        number[-1] = -1
        is_there = (number[firsts] >= 0) & (number[seconds] >= 0)
        return (
            number[firsts[is_there]].astype(np.uint32),
            number[seconds[is_there]].astype(np.uint32),
            values[is_there],
        )

    @cached_property
    def _columns(
        self,
    ) -> tuple[dict[str, int], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Places of all words that have substitutes; and the pairs by their places."""
        rows = [(a, b, value) for a, row in self.substitutes.items() for b, value in row.items()]
        place = {word: k for k, word in enumerate({w: None for a, b, _ in rows for w in (a, b)})}
        return (
            place,
            np.array([place[a] for a, _, _ in rows], np.int64),
            np.array([place[b] for _, b, _ in rows], np.int64),
            np.array([value for _, _, value in rows], np.float64),
        )


def _usual_rarity(words: Sequence[str]) -> NDArray[np.float64]:
    lengths = np.fromiter(map(len, words), np.intp, len(words))
    is_alphabetic = np.fromiter(map(str.isalpha, words), np.bool_, len(words))
    is_number = np.fromiter(map(str.isdecimal, words), np.bool_, len(words))
    by_length = np.array(_RARITY_BY_LENGTH)
    return np.select(
        [is_alphabetic | ((lengths > 1) & ~is_number), is_number],
        [by_length[np.minimum(lengths, len(by_length)) - 1], _RARITY_OF_NUMBERS],
        _RARITY_OF_MARKS,
    )


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
