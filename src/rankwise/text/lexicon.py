"""What METEOR's matchers know about words, worked out once per distinct word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from rankwise.text.snowball import Stems
from rankwise.text.synonyms import Synonyms


class Word(NamedTuple):
    """A word as the native aligner sees it: equal numbers are equal things."""

    key: int
    stem: int
    synsets: tuple[int, ...]
    is_function: bool


class WordColumns(TypedDict):
    """The words of a text as columns; ``_core.align_texts`` explains them."""

    keys: NDArray[np.int64]
    stems: NDArray[np.int64]
    first_synset: NDArray[np.int64]
    synsets: NDArray[np.int64]
    function: NDArray[np.uint8]


def java_hash(text: str) -> int:
    """Java's ``String.hashCode`` without its sign: METEOR 1.5 takes equal hashes for equal words.

    >>> java_hash("Aa") == java_hash("BB")
    True
    """
    value = 0
    units = text.encode("utf-16-le", "surrogatepass")
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value


@dataclass(frozen=True)
class Lexicon:
    """Numbers for words: keys, stems, synsets, function words. Grows with the words it is asked.

    ``stems`` and ``synonyms`` are None where these matchers are off; ``hashes`` numbers words as
    METEOR 1.5 does, by their hash.
    """

    function_words: frozenset[str]
    stems: Stems | None
    synonyms: Synonyms | None
    lowercase: bool
    hashes: bool
    _known: dict[str, Word] = field(default_factory=dict, repr=False)
    _numbers: dict[str, int] = field(default_factory=dict, repr=False)

    def forms(self, words: Iterable[str]) -> list[str]:
        """*words* as they are compared."""
        return [word.lower() for word in words] if self.lowercase else list(words)

    def columns(self, words: Sequence[str]) -> WordColumns:
        """What is known about *words*, in their order."""
        self._learn([word for word in words if word not in self._known])
        known = [self._known[word] for word in words]
        counts = np.fromiter((len(word.synsets) for word in known), np.int64, len(known))
        return {
            "keys": np.fromiter((word.key for word in known), np.int64, len(known)),
            "stems": np.fromiter((word.stem for word in known), np.int64, len(known)),
            "first_synset": np.concatenate([[0], counts.cumsum()]),
            "synsets": np.fromiter((s for word in known for s in word.synsets), np.int64),
            "function": np.fromiter((word.is_function for word in known), np.uint8, len(known)),
        }

    def _learn(self, words: Sequence[str]) -> None:
        forms = self.forms(words)
        stems = [None] * len(forms) if self.stems is None else self.stems(forms)
        for word, form, stem in zip(words, forms, stems, strict=True):
            self._known[word] = Word(
                key=self._number(form),
                stem=-1 if stem is None else self._number(stem),
                synsets=() if self.synonyms is None else tuple(sorted(self.synonyms.synsets(form))),
                is_function=form.lower() in self.function_words,
            )

    def _number(self, text: str) -> int:
        return (
            java_hash(text) if self.hashes else self._numbers.setdefault(text, len(self._numbers))
        )
