"""Duh's 20 features: what BLEU is made of, and who is best of the set."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.learning.features.feature_class import Feature, FeatureSet, Floats
from rankwise.text.languages import Language
from rankwise.text.segments import References, Texts
from rankwise.text.tokenise import NATIVE
from rankwise.types.named import check_choice

_ORDERS = range(1, 5)

#: The subsets of the paper's experiments, by how many columns they have.
SUBSETS = {"1-12": 12, "1-13": 13, "1-20": 20}

_OWN = (
    *(Feature(f"log_precision{n}", f"logarithm of the {n}-gram precision") for n in _ORDERS),
    Feature("length_ratio", "length of the hypothesis over that of the reference", 1.0),
    *(Feature(f"precision{n}", f"{n}-gram precision") for n in _ORDERS),
    Feature("hypothesis_length", "tokens of the hypothesis"),
    Feature("reference_length", "tokens of the reference"),
    Feature("bleu", "BLEU of the sentence, from 0 to 1"),
    Feature("smooth_bleu", "BLEU with one added to matches and totals of every order"),
)
_COMPARED = ("length_ratio", *(f"precision{n}" for n in _ORDERS), "bleu", "smooth_bleu")


@dataclass(frozen=True)
class Duh(FeatureSet):
    r"""The features of Duh (2008), WMT: 1-13 of a sentence, 14-20 of the set it is ranked in.

    Logarithms of the n-gram precisions (1-4), the ratio of lengths (5), the precisions (6-9), both
    lengths (10-11), sentence-level BLEU without and with smoothing (12-13); and for 5-9, 12 and 13
    whether the output is the best of its set (14-20): 1 for the best, all of them if tied, else 0.

    The paper leaves three things open. The logarithm of no match is that of half a match, of an
    order without n-grams that of one half. The best ratio of lengths is the one closest to 1. A
    length over nothing is that length. Several references count as in BLEU: an n-gram as often as
    any of them has it, and the closest length.

    >>> duh = Duh()
    >>> values = duh.values(["a b", "a b c"], ["a b c", "a b c"], groups=["s", "s"])
    >>> values.shape, values[:, -1]
    ((2, 20), array([0., 1.]))
    """

    name: ClassVar[str] = "duh"

    subset: Literal["1-12", "1-13", "1-20"] = "1-20"
    tokenize: str = "13a"
    lowercase: bool = False

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:
        """What finds the words where there are no spaces: characters, if nothing better is here."""
        if language.is_spaced:
            return {}
        known = language.tokenizer in NATIVE
        return {"tokenize": language.tokenizer if known else "char"}

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        check_choice(self.name, "subset", self.subset, SUBSETS)
        check_choice(self.name, "tokenize", self.tokenize, NATIVE)

    @property
    def own(self) -> tuple[Feature, ...]:
        """Features 1 to 12 or 13."""
        return _OWN[: SUBSETS[self.subset]]

    @property
    def intra(self) -> tuple[tuple[str, str], ...]:
        """Features 14 to 20, if wanted."""
        compared = _COMPARED if self.subset == "1-20" else ()
        ours = tuple(("best", name) for name in compared)
        return ours + tuple(pair for pair in super().intra if pair not in ours)

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The features of every segment: BLEU takes all references at once."""
        if self.lowercase:
            hypotheses, references = _lowercased(hypotheses, references)
        counts = _core.bleu_statistics(hypotheses, references, self.tokenize, len(_ORDERS))
        return _columns(counts)[:, : len(self.own)]


def _columns(counts: NDArray[np.int64]) -> Floats:
    hyp, ref = counts[:, 0].astype(np.float64), counts[:, 1].astype(np.float64)
    matches, totals = counts[:, 2:6].astype(np.float64), counts[:, 6:].astype(np.float64)
    precision = matches / np.maximum(totals, 1)
    logarithm = np.log(np.maximum(matches, 0.5) / np.maximum(totals, 1))
    with np.errstate(divide="ignore"):
        brevity = np.exp(np.minimum(0.0, 1 - ref / hyp, where=hyp > 0, out=np.zeros_like(hyp)))
        bleu = np.exp(np.log(precision).mean(axis=1)) * brevity
    smooth = np.exp(np.log((matches + 1) / (totals + 1)).mean(axis=1)) * brevity
    empty = hyp == 0
    columns = [hyp / np.maximum(ref, 1), *precision.T, hyp, ref]
    scores = [np.where(empty, 0.0, bleu), np.where(empty, 0.0, smooth)]
    return np.stack([*logarithm.T, *columns, *scores], axis=1)


def _lowercased(hypotheses: Texts, references: References) -> tuple[Texts, References]:
    lowered: list[str | list[str]] = [
        entry.lower() if isinstance(entry, str) else [text.lower() for text in entry]
        for entry in references
    ]
    return [text.lower() for text in hypotheses], lowered
