"""What segments can be grouped by: their documents, their domains, the length of references."""

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.text.languages import Language
from rankwise.types.testset import TestSet
from rankwise.types.text_block import Block, Label

#: Upper ends of the buckets of reference lengths; longer ones share the last bucket.
LENGTHS = (10, 20, 30, 40, 50)
#: How many characters are about as long as a word, where words are not written apart: of Chinese
#: and Japanese, and of scripts of letters like Thai.
CHARACTERS, LETTERS = 2, 5
#: The number of words at which a difference counts half.
SHORT = 5
_LATIN = re.compile("[A-Za-z0-9]+")


def length_label(entry: str | Sequence[str], language: Language | None = None) -> str:
    """The bucket of a segment by the length of its (first) reference.

    It counts words, split at white space, and in a *language* that writes no spaces characters.

    >>> length_label("one two three"), length_label(["word " * 51, "word"])
    ('1-10', '51+')
    >>> length_label("今天天气很好。" * 5, Language("zh", is_given=True))
    '21-40 chars'
    """
    words = (entry if isinstance(entry, str) else entry[0]).split()
    if language is None or language.is_spaced:
        return _bucket(len(words), 1)
    size = CHARACTERS if language.is_by_characters else LETTERS
    return f"{_bucket(sum(map(len, words)), size)} chars"


def words_in(text: str, language: Language | None = None) -> float:
    """About how many words *text* has; what holds no letter and no digit, as an emoji, is none.

    In a *language* that writes no spaces a word has so many such characters, and words in Latin
    letters count as they are.

    >>> words_in("Well – 3 cats! 😀"), words_in("今天很好 #Flying", Language("zh", is_given=True))
    (3, 3.0)
    """
    if language is None or language.is_spaced:
        return sum(any(map(str.isalnum, word)) for word in text.split())
    size = CHARACTERS if language.is_by_characters else LETTERS
    others = _LATIN.sub("", text)
    return len(_LATIN.findall(text)) + sum(map(str.isalnum, others)) / size


def length_weights(words: Sequence[float]) -> NDArray[np.float64]:
    r"""How much the figures of a segment count: :math:`n / (n + 5)` where it has *n* words.

    A metric of one or two words says 0 or 100 by luck, and such segments would come first in every
    order; one without any word, as an emoji alone, does not count at all.

    >>> length_weights([0, 1, 5, 20])
    array([0.        , 0.16666667, 0.5       , 0.8       ])
    """
    counts = np.asarray(words, np.float64)
    weights: NDArray[np.float64] = counts / (counts + SHORT)
    return weights


def words_of_segments(testset: TestSet, language: Language | None = None) -> list[float]:
    """About how many words the first reference of every segment has; without one, the source."""
    return [
        words_in(segment.references[0] if segment.references else segment.source, language)
        for segment in testset.segments
    ]


def _bucket(length: int, size: int) -> str:
    """The bucket of a length, each *size* times as wide as one of words."""
    if length == 0:
        return "0"
    low = 1
    for high in (size * end for end in LENGTHS):
        if length <= high:
            return f"{low}-{high}"
        low = high + 1
    return f"{low}+"


def in_order_of_length(labels: Iterable[str]) -> list[str]:
    """Different labels of lengths, short ones first.

    >>> in_order_of_length(["21-30", "51+", "0", "1-10", "21-30"])
    ['0', '1-10', '21-30', '51+']
    """
    return sorted(set(labels), key=lambda label: int(re.findall(r"\d+", label)[0]))


def places_of_groups(labels: Sequence[str], grouping: str) -> Mapping[str, NDArray[np.intp]]:
    """Places of the segments of every group, in the order they first occur, or by length."""
    names = list(dict.fromkeys(labels))
    if grouping == "length":
        names = in_order_of_length(names)
    array = np.array(labels, object)
    return {name: np.flatnonzero(array == name) for name in names}


def block_labels(block: Block, grouping: str, language: Language | None = None) -> list[str]:
    """The label of every segment of *block*; a segment without one is an error."""
    labels = _labels(block, grouping, language) or [None] * len(block)
    found = [label for label in labels if label is not None]
    if len(found) < len(block):
        segment = next(i for i, label in zip(block.ids, labels, strict=True) if label is None)
        raise DataError(f"segment {str(segment)!r} has no {grouping}; expected one for each")
    return found


def _labels(block: Block, grouping: str, language: Language | None) -> Sequence[Label]:
    if grouping == "length":
        entries = block.references
        return [length_label(entry, language) if entry != () else None for entry in entries]
    return block.documents if grouping == "document" else block.domains
