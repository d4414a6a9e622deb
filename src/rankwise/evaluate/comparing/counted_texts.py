"""Two outputs and the references of every segment as words, and their n-grams counted as numbers.

Every word is a number, in the order of the alphabet; so is every n-gram. All segments are counted
at once, by sorting.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from rankwise.text.languages import Language, target_language_of
from rankwise.text.tokenise import tokenise
from rankwise.text.word_differences import reading_tokenizer
from rankwise.types import TestSet

Words = list[str]
Ngram = tuple[str, ...]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PairTexts:
    """The words of a first and a second output, and of all references, segment by segment.

    Words are those between spaces, punctuation apart; in a language without spaces, characters.
    """

    first: Sequence[Words]
    second: Sequence[Words]
    references: Sequence[Sequence[Words]]

    @classmethod
    def of(cls, testset: TestSet, systems: Sequence[str]) -> "PairTexts":
        """The texts of two systems of a test set; a missing output has no words."""
        language = target_language_of(testset)
        first, second = (_words(testset.outputs[name], language) for name in systems)
        flat = [text for segment in testset.segments for text in segment.references]
        split = iter(_words(flat, language))
        references = [[next(split) for _ in s.references] for s in testset.segments]
        return cls(first, second, references)

    def __len__(self) -> int:
        return len(self.references)

    @cached_property
    def numbered(self) -> "NumberedWords":
        """All words as numbers."""
        return NumberedWords.of(self)

    def counted(self, orders: Collection[int]) -> Iterator["CountedNgrams"]:
        """The n-grams of each of the *orders*, from the shortest."""
        words = self.numbered
        starts, ngrams = np.arange(len(words.numbers)), words.numbers
        parts: list[Numbers] = []
        for order in range(1, max(orders) + 1):
            if order > 1:
                goes_on = words.left[starts] >= order
                starts = starts[goes_on]
                longer = ngrams[goes_on] * words.kinds + words.numbers[starts + order - 1]
                part, ngrams = np.unique(longer, return_inverse=True)
                parts.append(part)
            if order in orders:
                yield CountedNgrams.of(words, starts, ngrams, tuple(parts))


@dataclass(frozen=True, slots=True, eq=False)
class NumberedWords:
    """The words of all texts, one text after the other: what each is, and where it stands.

    ``known`` are the words in the order of the alphabet, ``numbers`` places in it; ``segments`` is
    the segment of each, ``texts`` is 0 in the first output, 1 in the second and from 2 on in the
    references; ``left`` says how many words its text has from there.
    """

    known: tuple[str, ...]
    numbers: Numbers
    segments: Numbers
    texts: Numbers
    left: Numbers

    @property
    def kinds(self) -> int:
        """How many words are known."""
        return len(self.known)

    @classmethod
    def of(cls, texts: PairTexts) -> "NumberedWords":
        """The words of both outputs and of all references."""
        segment_of_reference = [n for n, some in enumerate(texts.references) for _ in some]
        place_of_reference = [2 + n for some in texts.references for n in range(len(some))]
        segment = [*range(len(texts.first)), *range(len(texts.second)), *segment_of_reference]
        text = [*[0] * len(texts.first), *[1] * len(texts.second), *place_of_reference]
        every = [*texts.first, *texts.second, *chain.from_iterable(texts.references)]
        sizes = np.array([len(words) for words in every], np.int64)
        known = tuple(sorted(set(chain.from_iterable(every))))
        number_of = {word: number for number, word in enumerate(known)}
        found = map(number_of.__getitem__, chain.from_iterable(every))
        whole = int(sizes.sum())
        return cls(
            known,
            np.fromiter(found, np.int64, whole),
            np.repeat(np.array(segment, np.int64), sizes),
            np.repeat(np.array(text, np.int64), sizes),
            np.repeat(sizes.cumsum(), sizes) - np.arange(whole),
        )


@dataclass(frozen=True, slots=True, eq=False)
class CountedNgrams:
    """How often each segment's outputs and references have an n-gram.

    Row i is of segment ``segments[i]`` and n-gram number ``ngrams[i]``: the first output has it
    ``first[i]`` times, the second ``second[i]`` times, and the reference that has most of it
    ``wanted[i]`` times, as BLEU counts it. Numbers go by the alphabet.
    """

    known: tuple[str, ...]
    parts: tuple[Numbers, ...]
    kinds: int
    segments: Numbers
    ngrams: Numbers
    first: Numbers
    second: Numbers
    wanted: Numbers

    @classmethod
    def of(
        cls, words: NumberedWords, starts: Numbers, ngrams: Numbers, parts: tuple[Numbers, ...]
    ) -> "CountedNgrams":
        """Count the *ngrams* that begin at *starts*; *parts* say what longer ones are made of."""
        kinds = len(parts[-1]) if parts else words.kinds
        texts = 1 + int(words.texts.max(initial=2))
        cells = words.segments[starts] * kinds + ngrams
        rows, number = _numbers_of(np.sort(cells * texts + words.texts[starts]))
        cells, places = _numbers_of(rows // texts)
        counts = np.zeros((texts, len(cells)), np.int64)
        counts[rows % texts, np.repeat(np.arange(len(cells)), places)] = number
        return cls(
            words.known, parts, kinds, cells // max(kinds, 1), cells % max(kinds, 1),
            counts[0], counts[1], counts[2:].max(axis=0),
        )  # fmt: skip

    def words(self, number: int) -> Ngram:
        """The words of the n-gram of this number."""
        tail: list[str] = []
        for part in reversed(self.parts):
            number, last = divmod(int(part[number]), len(self.known))
            tail.append(self.known[last])
        return (self.known[number], *reversed(tail))

    def total(self, counts: Numbers) -> Numbers:
        """The sum of *counts*, which stand beside the rows, for every n-gram."""
        return np.bincount(self.ngrams, counts, self.kinds).astype(np.int64)

    @property
    def first_matches(self) -> Numbers:
        """How often the first output matches, in every row."""
        return np.minimum(self.first, self.wanted)

    @property
    def second_matches(self) -> Numbers:
        """How often the second output matches, in every row."""
        return np.minimum(self.second, self.wanted)


def _numbers_of(ordered: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct values of a sorted array, and how often each occurs.

    >>> [part.tolist() for part in _numbers_of(np.array([3, 3, 5]))]
    [[3, 5], [2, 1]]
    """
    is_first = ordered[:1] == ordered[:1]  # none of nothing
    begins = np.flatnonzero(np.concatenate([is_first, ordered[1:] != ordered[:-1]]))
    return ordered[begins], np.diff(begins, append=len(ordered))


def _words(texts: Sequence[str | None], language: Language | None) -> list[Words]:
    return tokenise([text or "" for text in texts], tokenizer=reading_tokenizer(language))
