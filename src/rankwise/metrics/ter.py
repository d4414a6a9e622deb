"""Translation edit rate: edits, with the move of a phrase as one of them, per reference word."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rankwise import _core
from rankwise.metrics.edit_alignment import EditAlignment, Shift, error_rate, plain_error_rate
from rankwise.metrics.metric_class import Metric, Rows, check_flag, check_rows, map_references
from rankwise.text.languages import Language
from rankwise.text.segments import References, Texts, check_texts, lower_case
from rankwise.text.tokenise import PLAIN, spacing
from rankwise.types.named import check_choice

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMPAT = ("none", "sacrebleu")


@dataclass(frozen=True, kw_only=True)
class Ter(Metric):
    r"""Translation edit rate: like WER, but moving a phrase anywhere costs a single edit too.

    .. math:: 100 \cdot \frac{\text{shifts} + S + I + D}{N}

    Shifts are found greedily with the limits of tercom as sacreBLEU has them: at each step the
    phrase (at most 10 words, matching the reference at most 50 positions away) whose move reduces
    the edit distance most; of equals the longest phrase, then the one that starts first, then the
    one that goes furthest to the front. The edit distance keeps to a beam of 25 cells on either
    side of the diagonal, and at most 1,000 moves are tried per segment and reference.

    With several references, N is their mean length and the edits are the fewest against any.
    Text is tokenised by tercom's rules: lower case unless ``case_sensitive``; ``normalized`` undoes
    XML escapes and splits off punctuation; ``no_punct`` drops punctuation; ``asian_support`` makes
    these two know Chinese and Japanese characters. ``tokenize`` names a tokenizer that comes before
    these rules, as ``char`` for Thai, whose words they cannot find.

    sacreBLEU tokenises references twice but hypotheses once. With ``normalized`` that may give
    identical texts different tokens; only ``compat="sacrebleu"`` does the same.

    Snover et al. (2006), A study of translation edit rate with targeted human annotation.

    >>> ter = Ter()
    >>> ter.corpus(["c d a b"], ["a b c d"])
    25.0
    >>> print(ter.alignment("c d a b", "a b c e"))
    REF   a b c e
    HYP   a b c d
    EVAL        S
    SHIFT a b (3 -> 1)
    >>> text = "It is Jim's."
    >>> [Ter(normalized=True, compat=c).corpus([text], [text]) for c in ("none", "sacrebleu")]
    [0.0, 40.0]
    """

    name: ClassVar[str] = "ter"
    higher_is_better: ClassVar[bool] = False
    best: ClassVar[float | None] = 0.0

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False
    compat: Literal["none", "sacrebleu"] = "none"
    tokenize: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        if self.tokenize is not None:
            check_choice(self.name, "tokenizer", self.tokenize, PLAIN)
        spacing(self.tokenize)
        for option in ("normalized", "no_punct", "asian_support", "case_sensitive"):
            check_flag(self.name, option, getattr(self, option))
        check_choice(self.name, "compat", self.compat, COMPAT)

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:
        """What makes a word of every Chinese character; of other scripts without spaces, too."""
        if language.is_by_characters:
            return {"normalized": True, "asian_support": True}
        return {} if language.is_spaced else {"tokenize": language.tokenizer}

    def statistics(self, hypotheses: Texts, references: References) -> "NDArray[np.float64]":
        """``[edits, mean reference length]`` per segment; edits include shifts."""
        check_texts(hypotheses, references)
        return _core.ter_counts(
            *self._prepared(hypotheses, references), *self._tokenizer, self._tokenizes_twice
        )

    def plain_totals(self, hypotheses: Texts, references: References) -> list[float]:
        """The sum of the rows."""
        check_texts(hypotheses, references)
        return _core.ter_totals(
            *self._prepared(hypotheses, references), *self._tokenizer, self._tokenizes_twice
        )

    def plain_score(self, totals: Sequence[float]) -> float:
        """The error rate of a sum of rows."""
        return plain_error_rate(*totals)

    def score(self, rows: Rows) -> Any:
        """Edits per 100 reference words; 0 is best, and more than 100 is possible.

        Against empty references it is 0 if there is nothing to edit and 100 otherwise.
        """
        rows = check_rows(self.name, rows, 2)
        return error_rate(rows[..., 0], rows[..., 1])

    def alignment(self, hypothesis: str, reference: str) -> EditAlignment:
        """The shifts, and the edits that are left after them."""
        return self.alignments([hypothesis], [reference])[0]

    def alignments(self, hypotheses: Texts, references: References) -> list[EditAlignment]:
        """Shifts and edits of every segment, against the first reference that needs the fewest."""
        check_texts(hypotheses, references)
        hyps, refs = self._prepared(hypotheses, references)
        found = _core.ter_operations(hyps, refs, *self._tokenizer, self._tokenizes_twice)
        chosen = [
            entry if isinstance(entry, str) else entry[number]
            for entry, (number, _, _) in zip(refs, found, strict=True)
        ]
        hyp_tokens = _core.tercom_tokens(hyps, *self._tokenizer, False)
        ref_tokens = _core.tercom_tokens(chosen, *self._tokenizer, self._tokenizes_twice)
        return [
            _alignment(hypothesis, reference, operations, moves)
            for hypothesis, reference, (_, operations, moves) in zip(
                hyp_tokens, ref_tokens, found, strict=True
            )
        ]

    @property
    def _tokenizer(self) -> tuple[bool, bool, bool]:
        return self.normalized, self.no_punct, self.asian_support

    @property
    def _tokenizes_twice(self) -> bool:
        return self.compat == "sacrebleu"

    def total(self, rows: Rows) -> Rows:
        """The sum; sacreBLEU adds one by one, so that with 3 references the last bit may differ."""
        if self.compat == "sacrebleu":
            found: Rows = rows.sum(axis=0)
            return found
        return super().total(rows)

    def _prepared(self, hypotheses: Texts, references: References) -> tuple[Texts, References]:
        if not self.case_sensitive:
            hypotheses, references = _core.lower_case(hypotheses), lower_case(references)
        split = spacing(self.tokenize)
        if split is not None:
            hypotheses = [split(text) for text in hypotheses]
            references = map_references(split, references)
        return hypotheses, references


def _alignment(
    tokens: list[str], reference: list[str], operations: str, moves: Iterable[tuple[int, int, int]]
) -> EditAlignment:
    """The record of one segment: *moves* (start, length, target) are made one after the other."""
    shifts = []
    for start, length, target in moves:
        phrase = tokens[start : start + length]
        rest = tokens[:start] + tokens[start + length :]
        tokens = rest[:target] + phrase + rest[target:]
        shifts.append(Shift(tuple(phrase), start, target))
    return EditAlignment(tuple(tokens), tuple(reference), operations, tuple(shifts))
