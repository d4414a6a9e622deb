"""Word and character error rates: edit distance over the length of the reference."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from rankwise import _core
from rankwise.metrics.edit_alignment import EditAlignment, error_rate, plain_error_rate
from rankwise.metrics.metric_class import (
    Metric,
    Rows,
    check_flag,
    check_longest,
    check_rows,
    map_references,
)
from rankwise.text.languages import Language
from rankwise.text.line_limits import check_lengths, too_far_apart
from rankwise.text.segments import References, Texts, check_texts
from rankwise.text.tokenise import PLAIN, spacing
from rankwise.types.named import check_choice
from rankwise.types.sums import column_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")

# What the native core counts.
_WORDS, _CHARACTERS, _CHARACTERS_WITHOUT_SPACE = range(3)


@dataclass(frozen=True, kw_only=True)
class ErrorRate(Metric):
    """What WER and CER share; they differ in what they count.

    Rows are ``[substitutions, insertions, deletions, reference length]``. With several references,
    a segment is scored against the one of lowest error rate, the first of equals. A text of more
    than ``longest`` characters is refused, if that is given; texts that are too long to be aligned
    are refused in any case.
    """

    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float | None] = 0.0

    lowercase: bool = False
    longest: int | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        check_flag(self.name, "lowercase", self.lowercase)
        check_longest(self.name, self.longest)

    @property
    @abstractmethod
    def _unit(self) -> int:
        """What the native core counts."""

    @abstractmethod
    def _tokens(self, text: str) -> tuple[str, ...]:
        """The units of a text, to be printed."""

    def statistics(self, hypotheses: Texts, references: References) -> "NDArray[np.int64]":
        """``[substitutions, insertions, deletions, reference length]`` per segment.

        Where several alignments have the fewest edits, the one is counted that is found backwards
        from the ends of both texts by preferring a match or substitution, then an insertion, then
        a deletion.
        """
        check_texts(hypotheses, references)
        prepared = self._prepared(hypotheses, references)
        return self._counted(_core.edit_counts, *prepared)

    def _counted(
        self,
        count: Callable[[Texts, References, int], T],
        hypotheses: Texts,
        references: References,
    ) -> T:
        """What the native core counts; where it would take minutes, an error."""
        try:
            return count(hypotheses, references, self._unit)
        except ValueError as error:
            number = str(error)
            if not number.isdecimal():
                raise
            raise too_far_apart(self.name, int(number)) from None

    def segments(self, hypotheses: Texts, references: References) -> "NDArray[np.float64]":
        """The score of every segment."""
        if not self._scores_distances:
            return super().segments(hypotheses, references)
        edits, lengths = self._distances(hypotheses, references).T
        scores: NDArray[np.float64] = error_rate(edits, lengths)
        return scores

    def corpus(self, hypotheses: Texts, references: References) -> float:
        """The score of all segments together."""
        if not self._scores_distances:
            return super().corpus(hypotheses, references)
        return float(error_rate(*column_sums(self._distances(hypotheses, references))))

    @property
    def _scores_distances(self) -> bool:
        """Whether scores need no more than distances: a class may score rows of its own."""
        names = ("statistics", "score", "total", "segment_scores")
        return all(getattr(type(self), name) is getattr(ErrorRate, name) for name in names)

    def _distances(self, hypotheses: Texts, references: References) -> "NDArray[np.int64]":
        """``[edits, reference length]`` per segment, without their kinds: faster than rows."""
        check_texts(hypotheses, references)
        return self._counted(_core.edit_distances, *self._prepared(hypotheses, references))

    def plain_totals(self, hypotheses: Texts, references: References) -> list[float]:
        """The sum of the rows."""
        check_texts(hypotheses, references)
        return [*self._counted(_core.edit_totals, *self._prepared(hypotheses, references))]

    def plain_score(self, totals: Sequence[float]) -> float:
        """The error rate of a sum of rows."""
        return plain_error_rate(sum(totals[:3]), totals[3])

    def score(self, rows: Rows) -> Any:
        r"""Edits per 100 units of the reference; 0 is best, and more than 100 is possible.

        .. math:: 100 \cdot \frac{S + I + D}{N}

        Against empty references (N = 0) it is 0 if nothing was inserted and 100 otherwise, as
        sacreBLEU has it for TER.
        """
        rows = check_rows(self.name, rows, 4)
        return error_rate(rows[..., :3].sum(axis=-1), rows[..., 3])

    def alignment(self, hypothesis: str, reference: str) -> EditAlignment:
        """The edits between two texts."""
        return self.alignments([hypothesis], [reference])[0]

    def alignments(self, hypotheses: Texts, references: References) -> list[EditAlignment]:
        """The edits of every segment, against the reference that the segment is scored with."""
        check_texts(hypotheses, references)
        hyps, refs = self._prepared(hypotheses, references)
        found = self._counted(_core.edit_operations, hyps, refs)
        return [
            EditAlignment(
                self._tokens(hypothesis),
                self._tokens(entry if isinstance(entry, str) else entry[number]),
                operations,
            )
            for hypothesis, entry, (number, operations) in zip(hyps, refs, found, strict=True)
        ]

    def _prepared(self, hypotheses: Texts, references: References) -> tuple[Texts, References]:
        if self.longest is not None:
            check_lengths(self.name, self.longest, hypotheses, references)
        for function in self._transforms():
            hypotheses = [function(text) for text in hypotheses]
            references = map_references(function, references)
        return hypotheses, references

    def _transforms(self) -> list[Callable[[str], str]]:
        """What is done to every text before its units are counted."""
        return [str.lower] if self.lowercase else []


@dataclass(frozen=True, kw_only=True)
class Wer(ErrorRate):
    r"""Word error rate: the fewest substituted, inserted and deleted words per reference word.

    .. math:: 100 \cdot \frac{S + I + D}{N}

    Words are what ``str.split`` gives, unless ``tokenize`` names a tokenizer, as for Chinese.

    >>> wer = Wer()
    >>> hypothesis = "Israeli officials responsibility of airport safety"
    >>> reference = "Israeli officials are responsible for airport security"
    >>> wer.statistics([hypothesis], [reference]).tolist()
    [[3, 0, 1, 7]]
    >>> round(wer.corpus([hypothesis], [reference]), 1)
    57.1
    >>> print(wer.alignment(hypothesis, reference))
    REF   Israeli officials are responsible    for airport security
    HYP   Israeli officials *** responsibility of  airport safety
    EVAL                    D   S              S           S
    """

    name: ClassVar[str] = "wer"

    tokenize: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        if self.tokenize is not None:
            check_choice(self.name, "tokenizer", self.tokenize, PLAIN)
        spacing(self.tokenize)

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:
        """The tokenizer of a language that writes no spaces."""
        return {} if language.is_spaced else {"tokenize": language.tokenizer}

    def _transforms(self) -> list[Callable[[str], str]]:
        split = spacing(self.tokenize)
        return [*super()._transforms(), *([] if split is None else [split])]

    @property
    def _unit(self) -> int:
        return _WORDS

    def _tokens(self, text: str) -> tuple[str, ...]:
        return tuple(text.split())


@dataclass(frozen=True, kw_only=True)
class Cer(ErrorRate):
    r"""Character error rate: the fewest edited characters per character of the reference.

    Characters are code points. White space at the ends does not count and any other stretch of it
    counts as one space; with ``whitespace=False`` none of it counts.

    >>> Cer().statistics(["a  cat"], ["the cat "]).tolist()
    [[1, 0, 2, 7]]
    >>> Cer(whitespace=False).statistics(["a  cat"], ["the cat "]).tolist()
    [[1, 0, 2, 6]]
    >>> round(Cer().corpus(["a  cat"], ["the cat "]), 2)
    42.86
    """

    name: ClassVar[str] = "cer"

    whitespace: bool = True

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        check_flag(self.name, "whitespace", self.whitespace)

    @property
    def _unit(self) -> int:
        return _CHARACTERS if self.whitespace else _CHARACTERS_WITHOUT_SPACE

    def _tokens(self, text: str) -> tuple[str, ...]:
        return tuple((" " if self.whitespace else "").join(text.split()))
