"""The features of the program BEER 1.1, by the names it gives them."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from rankwise.learning.features.feature_class import Feature, Floats
from rankwise.learning.features.matched import (
    MAX_CHAR_ORDER,
    Counts,
    MatchedFeatures,
    precision_recall_f,
    ratio,
)
from rankwise.text.alignment import STAGES
from rankwise.text.segments import References, Texts

# What BEER calls the columns of TreeCounts.measures, and what they say.
_ORDER = {
    "Kendall": "share of pairs of matched words in the right order",
    "PETcount": "permutation trees beyond one, as a share of those of words in order",
    "MonoNode": "share of tree nodes of two parts in order",
    "InvNode": "share of tree nodes of two parts swapped",
    ".EQ.4": "share of tree nodes of four parts",
    ".BT.4": "share of tree nodes of more than four parts",
}
_POWERS = ("0.25", "0.5", "0.75")
_SHARES = ("precision", "recall", "fScore")


@dataclass(frozen=True)
class Beer11(MatchedFeatures):
    """What BEER 1.1 computes of a pair of sentences, in the order of the names.

    Words are matched per matcher (``WordMatching:stem:recall``), function and content words as a
    share of all words; ``KendallScaled:a`` is (Kendall * recall)^a, where BEER adds to the matched
    words of the reference the runs of unmatched words of the hypothesis, so that it may exceed 1.
    Characters are units of UTF-16. What divides by zero is 0. The features of dependencies, for
    which BEER needs a parser, are not here.

    >>> beer = Beer11(modules="exact")
    >>> values = beer.values(["the cat"], ["the big cat"])
    >>> len(beer.names), values[0, beer.names.index("WordMatching:exact:precision")]
    (36, np.float64(1.0))
    """

    name: ClassVar[str] = "beer-1.1"

    @cached_property
    def own(self) -> tuple[Feature, ...]:
        """33 features and three per matcher."""
        texts = {**_ORDER}
        texts |= {f"KendallScaled:{a}": f"(Kendall * recall)^{a}" for a in _POWERS}
        for share in _SHARES:
            for n in range(1, MAX_CHAR_ORDER + 1):
                texts[f"{share}CharNGrams{n}"] = f"{share} of character {n}-grams"
            for kind in ("cont", "func"):
                text = f"{share} of matched {kind}. words, over all words"
                texts[f"FunctionAndContentWordsCoverage:{share}:{kind}Words"] = text
            for stage in self.stages:
                text = f"{share} of words matched by {stage}, over all words"
                texts[f"WordMatching:{stage}:{share}"] = text
        wrong = ("InvNode", ".EQ.4", ".BT.4")
        return tuple(
            Feature(name, texts[name], 0.0 if name in wrong else np.inf) for name in sorted(texts)
        )

    def rows(self, hypotheses: Texts, references: References) -> Floats:
        """The features of every reference."""
        return self.columns(self.counts(hypotheses, references, utf16=True))

    def columns(self, counts: Counts) -> Floats:
        """The features of counts, however these were made."""
        columns = {**_order(counts), **_characters(counts), **_classes(counts)}
        for stage in self.stages:
            matched = counts.matched[:, STAGES.index(stage)].sum(axis=-1)
            shares = precision_recall_f(matched, counts.lengths)
            columns |= _named(f"WordMatching:{stage}:{{}}", shares)
        return np.stack([columns[feature.name] for feature in self.own], axis=1)


def _order(counts: Counts) -> dict[str, Floats]:
    columns = dict(zip(_ORDER, counts.trees.measures("beer-1.1").T, strict=True))
    aligned = counts.trees.rows[:, 0]
    recall = ratio(aligned + counts.unmatched_runs, counts.lengths[:, 1])
    scaled = columns["Kendall"] * recall
    return columns | {f"KendallScaled:{a}": scaled ** float(a) for a in _POWERS}


def _characters(counts: Counts) -> dict[str, Floats]:
    columns: dict[str, Floats] = {}
    for n in range(MAX_CHAR_ORDER):
        shares = precision_recall_f(counts.ngrams[:, n, 2:], counts.ngrams[:, n, :2])
        columns |= _named(f"{{}}CharNGrams{n + 1}", shares)
    return columns


def _classes(counts: Counts) -> dict[str, Floats]:
    by_class = counts.matched.sum(axis=1)
    columns: dict[str, Floats] = {}
    for place, kind in enumerate(("cont", "func")):
        shares = precision_recall_f(by_class[..., place], counts.lengths)
        columns |= _named(f"FunctionAndContentWordsCoverage:{{}}:{kind}Words", shares)
    return columns


def _named(pattern: str, shares: tuple[Floats, Floats, Floats]) -> dict[str, Floats]:
    return {pattern.format(name): share for name, share in zip(_SHARES, shares, strict=True)}
