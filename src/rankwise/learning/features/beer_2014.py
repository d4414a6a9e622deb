"""The 33 features of BEER: matched words, character n-grams, and the order of words."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from rankwise.learning.features.feature_class import Feature, Floats
from rankwise.learning.features.matched import (
    MAX_CHAR_ORDER,
    Counts,
    MatchedFeatures,
    precision_recall_f,
)
from rankwise.text.segments import References, Texts
from rankwise.text.trees.tree_counts import CONVENTIONS, Convention
from rankwise.types.named import check_choice

_SHARES = {
    "precision": "share of the hypothesis's",
    "recall": "share of the reference's",
    "f1": "harmonic mean of precision and recall of",
}
_WORDS = {"function": "function words", "content": "content words", "all": "words of any kind"}
_TREES = {
    "count": "permutation trees, as a share of those of words in order",
    "monotone": "tree nodes of two parts in order",
    "inverted": "tree nodes of two parts swapped",
    "four": "tree nodes of four parts",
    "larger": "tree nodes of more than four parts",
}


@dataclass(frozen=True)
class BeerFeatures(MatchedFeatures):
    r"""The features of BEER as its paper lists them: 27 of adequacy, 6 of order.

    P, R and F1 of matched function words, content words and all words, of character n-grams of
    orders 1 to 6 (of words joined by spaces); Kendall's tau and five measures of permutation trees.

    ``convention`` says how the last six are normalised (:class:`TreeCounts`): ``paper`` as printed,
    ``beer-1.1`` as the authors' program does. ``share`` says what matched function and content
    words are a share of: all words of the ``sentence``, as in that program, or those of their
    ``class``. What divides by zero is 0; with nothing matched, only character n-grams are left.
    Stanojević and Sima'an (2014), WMT.

    >>> beer = BeerFeatures(modules="exact")
    >>> values = beer.values(["the cat sat"], ["the cat sat down"])
    >>> values.shape, values[0, beer.names.index("all.recall")]
    ((1, 33), np.float64(0.75))
    """

    name: ClassVar[str] = "beer"

    convention: Convention = "paper"
    share: Literal["sentence", "class"] = "sentence"

    def __post_init__(self) -> None:
        """Check the options."""
        super().__post_init__()
        check_choice(self.name, "convention", self.convention, CONVENTIONS)
        check_choice(self.name, "share", self.share, ("sentence", "class"))

    @cached_property
    def own(self) -> tuple[Feature, ...]:
        """The 33 features."""
        things = {
            **{kind: f"matched {words}" for kind, words in _WORDS.items()},
            **{f"char{n}": f"character {n}-grams" for n in range(1, MAX_CHAR_ORDER + 1)},
        }
        adequacy = [
            Feature(f"{thing}.{share}", f"{_SHARES[share]} {what}")
            for thing, what in things.items()
            for share in _SHARES
        ]
        return (*adequacy, self._kendall, *self._tree_features)

    @property
    def _kendall(self) -> Feature:
        if self.convention == "paper":
            return Feature("kendall", "share of pairs of matched words in the wrong order", 0.0)
        return Feature("kendall", "share of pairs of matched words in the right order")

    @property
    def _tree_features(self) -> list[Feature]:
        wrong = {"inverted", "four", "larger"}
        return [
            Feature(f"trees.{name}", text, 0.0 if name in wrong else np.inf)
            for name, text in _TREES.items()
        ]

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The 33 features of every reference."""
        counts = self.counts(hypotheses, references, utf16=False)
        columns = [*self._word_columns(counts), *_char_columns(counts)]
        return np.hstack([np.stack(columns, axis=1), counts.trees.measures(self.convention)])

    def _word_columns(self, counts: Counts) -> list[Floats]:
        by_class = counts.matched.sum(axis=1)  # over matchers: (pairs, sides, is_function)
        content, function = by_class[..., 0], by_class[..., 1]
        totals = dict.fromkeys(_WORDS, counts.lengths)
        if self.share == "class":
            totals["function"] = counts.function
            totals["content"] = counts.lengths - counts.function
        matched = {"function": function, "content": content, "all": content + function}
        return [
            share for kind in _WORDS for share in precision_recall_f(matched[kind], totals[kind])
        ]


def _char_columns(counts: Counts) -> list[Floats]:
    return [
        share
        for n in range(MAX_CHAR_ORDER)
        for share in precision_recall_f(counts.ngrams[:, n, 2:], counts.ngrams[:, n, :2])
    ]
