"""Two outputs and the references of every segment as words, ready to be counted."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rankwise.text.languages import Language, target_language_of
from rankwise.text.tokenise import tokenise
from rankwise.text.word_differences import reading_tokenizer
from rankwise.types import TestSet

Words = list[str]
Ngram = tuple[str, ...]
Counts = Counter[Ngram]


@dataclass(frozen=True, slots=True, eq=False)
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

    def counted(self, order: int) -> Iterator[tuple[Counts, Counts, Counts]]:
        """The n-grams of that *order* of every segment: first, second, references."""
        texts = zip(self.first, self.second, self.references, strict=True)
        for first, second, references in texts:
            yield ngrams(first, order), ngrams(second, order), most_of(references, order)


def _words(texts: Sequence[str | None], language: Language | None) -> list[Words]:
    return tokenise([text or "" for text in texts], tokenizer=reading_tokenizer(language))


def ngrams(words: Words, order: int) -> Counter[Ngram]:
    """How often every n-gram of *words* occurs.

    >>> ngrams(["a", "b", "a", "b"], 2)
    Counter({('a', 'b'): 2, ('b', 'a'): 1})
    """
    return Counter(zip(*(words[start:] for start in range(order)), strict=False))


def most_of(references: Sequence[Words], order: int) -> Counter[Ngram]:
    """Of every n-gram the most that any of the references has, as BLEU counts them.

    >>> most_of([["a", "a"], ["a", "b"]], 1)
    Counter({('a',): 2, ('b',): 1})
    """
    if len(references) == 1:
        return ngrams(references[0], order)
    found: Counter[Ngram] = Counter()
    for words in references:
        found |= ngrams(words, order)
    return found
