"""What feature sets of matched words share: METEOR's alignment, and counts taken from it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.errors import DataError
from rankwise.learning.features.feature_class import FeatureSet, Floats
from rankwise.text.alignment import NORMALISED, STAGES, Aligned, Aligner
from rankwise.text.languages import Language
from rankwise.text.matchers import check_matchers, usable_matchers
from rankwise.text.segments import References, Texts
from rankwise.text.stemming import ALGORITHMS
from rankwise.text.trees.tree_counts import TreeCounts, aligned_counts
from rankwise.types.named import check_choice

#: Languages with rules, a stemmer or function words; "other" is any without.
LANGUAGES = (*sorted({*ALGORITHMS, *NORMALISED}), "other")

MAX_CHAR_ORDER = 6


@dataclass(frozen=True)
class Counts:
    """Counts of pairs of texts, a row each.

    ``lengths`` are words of the hypothesis and of the reference; ``function`` those that are
    function words. ``matched[:, stage, side, is_function]`` are matched words, the sides being
    hypothesis and reference. ``ngrams[:, n - 1]`` are the character n-grams of the hypothesis, of
    the reference and of both. ``unmatched_runs`` are those of the hypothesis.
    """

    lengths: NDArray[np.int64]
    function: NDArray[np.int64]
    matched: NDArray[np.int64]
    ngrams: NDArray[np.int64]
    trees: TreeCounts
    unmatched_runs: NDArray[np.int64]


@dataclass(frozen=True)
class MatchedFeatures(FeatureSet):
    """A feature set of aligned words; the options are those of the alignment.

    ``modules`` names the matchers (``exact,stem,synonym,paraphrase``), of which earlier ones come
    first where several match; without it, all that the language has and this machine can run.
    ``normalize`` is METEOR's normaliser, on for languages
    that have rules; without it, words stand between white space. ``resources`` is a METEOR folder
    or jar, ``wordnet`` a folder of WordNet 3.0. ``original`` repeats METEOR 1.5 to the last quirk.
    """

    language: str = "en"
    modules: str | None = None
    normalize: bool | None = None
    lowercase: bool = True
    original: bool = False
    resources: str | None = None
    wordnet: str | None = None

    def __post_init__(self) -> None:
        """Check the options, and put what was left open to what it means here."""
        super().__post_init__()
        check_choice(self.name, "language", self.language, LANGUAGES)
        if self.normalize is None:
            object.__setattr__(self, "normalize", self.language in NORMALISED)
        if self.normalize and self.language not in NORMALISED:
            known = ", ".join(NORMALISED)
            raise DataError(
                f"{self.name}: no rules to normalize {self.language!r}; expected normalize=false, "
                f"or one of {known}"
            )
        if self.modules is None:
            usable = usable_matchers(self.language, resources=self.resources, wordnet=self.wordnet)
            object.__setattr__(self, "modules", ",".join(usable))
        check_matchers(
            self.name,
            self.stages,
            self.language,
            resources=self.resources,
            wordnet=self.wordnet,
            any_order=True,
        )

    def _is_derived(self, option: str) -> bool:
        if option not in ("modules", "normalize"):
            return False
        usual = type(self)(language=self.language, resources=self.resources, wordnet=self.wordnet)
        return bool(getattr(self, option) == getattr(usual, option))

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:
        """The language, ``other`` for one without stems and words of its own here."""
        if not language.code and language.script in ("", "Latin"):
            return {}
        return {"language": language.code if language.code in LANGUAGES else "other"}

    @property
    def stages(self) -> tuple[str, ...]:
        """The matchers, in the order they run."""
        return tuple((self.modules or "").split(","))

    @cached_property
    def aligner(self) -> Aligner:
        """What prepares and aligns the texts."""
        return Aligner(
            language=self.language,
            stages=self.stages,
            function_words=self.language,
            normalize=bool(self.normalize),
            lowercase=self.lowercase,
            original=self.original,
            resources=self.resources,
            wordnet=self.wordnet,
        )

    def counts(self, hypotheses: Texts, references: References, *, utf16: bool) -> Counts:
        """The counts of every hypothesis with each of its references."""
        return counts_of(self.aligner.align(hypotheses, references), utf16=utf16)


def counts_of(aligned: Aligned, *, utf16: bool) -> Counts:
    """Counts from alignments; *utf16* takes characters as Java does, in units of UTF-16."""
    trees, unmatched_runs = aligned_counts(aligned)
    segments = np.repeat(
        np.arange(len(aligned.reference_starts) - 1), np.diff(aligned.reference_starts)
    )
    pairs, first_reference = len(segments), len(aligned.reference_starts) - 1
    ngrams = _core.joined_ngrams(
        aligned.words,
        aligned.ids,
        aligned.starts,
        segments,
        np.arange(pairs) + first_reference,
        max_order=MAX_CHAR_ORDER,
        utf16=utf16,
    )
    return Counts(
        lengths=aligned.rows[:, :2],
        function=aligned.rows[:, 2:4],
        matched=aligned.rows[:, 5:].reshape(pairs, len(STAGES), 2, 2),
        ngrams=ngrams.reshape(pairs, MAX_CHAR_ORDER, 3),
        trees=trees,
        unmatched_runs=unmatched_runs,
    )


def ratio(numerator: NDArray[np.number], denominator: NDArray[np.number]) -> Floats:
    """The quotient, 0 where it divides by zero."""
    zero = denominator == 0
    return np.where(zero, 0.0, numerator / np.where(zero, 1, denominator))


def precision_recall_f(
    matched: NDArray[np.number], totals: NDArray[np.number]
) -> tuple[Floats, Floats, Floats]:
    """P, R and F1 from matched and all things; the sides are on the last axis. 0 / 0 is 0."""
    shares = ratio(matched, totals)
    precision, recall = shares[..., 0], shares[..., 1]
    return precision, recall, ratio(2 * precision * recall, precision + recall)
