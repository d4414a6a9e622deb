"""METEOR's alignment of translations with references: who matches whom, and by which matcher."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.text.function_words import function_words
from rankwise.text.lexicon import Lexicon
from rankwise.text.line_limits import too_many_matches
from rankwise.text.prefixes import PREFIXES, Prefixes
from rankwise.text.resources import meteor_resources, read_paraphrases, read_wordnet
from rankwise.text.stemming import stems_of

#: The matchers, in METEOR's order; the position is the stage's number in the native core.
STAGES = ("exact", "stem", "synonym", "paraphrase")

#: Languages METEOR has rules of normalisation for.
NORMALISED = tuple(PREFIXES)

_APOSTROPHES = {"en": 1, "fr": 2}


class Match(NamedTuple):
    """Words of the reference matched with words of the hypothesis, by a matcher."""

    reference_start: int
    reference_length: int
    hypothesis_start: int
    hypothesis_length: int
    stage: str


@dataclass(frozen=True)
class Alignment:
    """The matches of one hypothesis with one reference, ordered by the reference."""

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    matches: tuple[Match, ...]

    @property
    def chunks(self) -> int:
        """Runs of matches that are adjacent and in the same order on both sides."""
        ends = [
            (m.reference_start + m.reference_length, m.hypothesis_start + m.hypothesis_length)
            for m in self.matches
        ]
        starts = [(m.reference_start, m.hypothesis_start) for m in self.matches]
        return sum(start != end for start, end in zip(starts, [(-1, -1), *ends], strict=False))

    def __str__(self) -> str:
        """A line per match: place and words in the reference, in the hypothesis, the matcher."""
        lines = [f"{'reference':<28}{'hypothesis':<28}matcher"]
        for m in self.matches:
            ref = _span(self.reference, m.reference_start, m.reference_length)
            hyp = _span(self.hypothesis, m.hypothesis_start, m.hypothesis_length)
            lines.append(f"{ref:<28}{hyp:<28}{m.stage}")
        return "\n".join([*lines, f"{len(self.matches)} matches in {self.chunks} chunks"])


def _span(tokens: Sequence[str], start: int, length: int) -> str:
    return f"{start}:{length} {' '.join(tokens[start : start + length])}"


@dataclass(frozen=True)
class Aligned:
    """Alignments of many hypotheses with all their references, as arrays.

    Reference ``k`` (all references of all segments, in order) has the counts ``rows[k]`` and the
    matches ``matches[match_starts[k]:match_starts[k + 1]]``, each [reference start, reference
    length, hypothesis start, hypothesis length, stage]. Segment ``i`` has the references
    ``reference_starts[i]`` to ``reference_starts[i + 1]``. Text ``t`` (hypotheses, then references)
    has the tokens ``words[ids[starts[t]:starts[t + 1]]]``.

    A row is [hypothesis length, reference length, function words in the hypothesis, in the
    reference, chunks (0 for a perfect match)], then per stage the matched [content words of the
    hypothesis, function words, content words of the reference, function words].
    """

    rows: NDArray[np.int64]
    matches: NDArray[np.int32]
    match_starts: NDArray[np.int64]
    reference_starts: NDArray[np.int64]
    words: list[str]
    ids: NDArray[np.uint32]
    starts: NDArray[np.int64]

    def tokens(self, text: int) -> tuple[str, ...]:
        """The tokens of a text: hypotheses first, then all references."""
        return tuple(self.words[i] for i in self.ids[self.starts[text] : self.starts[text + 1]])


@dataclass(frozen=True)
class Aligner:
    """How texts are prepared and matched; everything that can change an alignment.

    ``stages`` are the matchers, of which earlier ones come first where several match alike.
    ``function_words`` is the language of the list to use. ``original`` repeats METEOR 1.5 to the
    last quirk: its search, its stemmers, and words told apart by their hash. ``resources`` is a
    METEOR folder or jar, ``wordnet`` a folder of WordNet 3.0 (None: the usual places).
    """

    language: str
    stages: tuple[str, ...]
    function_words: str
    normalize: bool = True
    lowercase: bool = True
    punctuation: bool = True
    original: bool = False
    resources: str | None = None
    wordnet: str | None = None

    def align(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str | Sequence[str]],
        *,
        keep_matches: bool = True,
    ) -> Aligned:
        """Align every hypothesis with each of its references."""
        words, ids, starts, reference_starts = self._words(hypotheses, references)
        lexicon = _lexicon(self)
        forms = lexicon.forms(words)
        segments = np.repeat(np.arange(len(hypotheses)), np.diff(reference_starts))
        try:
            rows, matches, match_starts = _core.align_texts(
                ids,
                starts,
                segments,
                np.arange(len(segments)) + len(hypotheses),
                **lexicon.columns(words),
                **self._phrases(forms),
                stages="".join(str(STAGES.index(stage)) for stage in self.stages),
                original=self.original,
                keep_matches=keep_matches,
            )
        except ValueError as error:
            if not str(error).isdecimal():  # the number of a pair that has too many matches
                raise
            raise too_many_matches(int(segments[int(str(error))])) from None
        return Aligned(rows, matches, match_starts, reference_starts, forms, ids, starts)

    def alignment(self, hypothesis: str, reference: str) -> Alignment:
        """The alignment of one hypothesis with one reference."""
        aligned = self.align([hypothesis], [reference])
        rows = aligned.matches.tolist()
        matches = tuple(Match(j, n, i, m, STAGES[stage]) for j, n, i, m, stage in rows)
        return Alignment(aligned.tokens(0), aligned.tokens(1), matches)

    def _words(self, hypotheses: Sequence[str], references: Sequence[str | Sequence[str]]) -> Any:
        prefixes = _prefixes(self) if self.normalize else Prefixes()
        return _core.meteor_words(
            hypotheses,
            references,
            normalise=self.normalize,
            punctuation=self.punctuation,
            apostrophes=_APOSTROPHES.get(self.language, 0),
            prefixes=tuple(prefixes.always),
            numeric_prefixes=tuple(prefixes.numeric),
        )

    def _phrases(self, forms: list[str]) -> Any:
        if "paraphrase" not in self.stages:
            return {"phrase_words": np.full(len(forms), -1, np.int32), "paraphrases": None}
        table = _paraphrases(self)
        return {"phrase_words": table.word_ids(forms), "paraphrases": table}


@functools.lru_cache(maxsize=8)
def _lexicon(aligner: Aligner) -> Lexicon:
    """One lexicon per way of matching: it keeps what it worked out about words."""
    language, resources = aligner.language, aligner.resources
    listed = meteor_resources(resources).function_words if resources else function_words
    stems = stems_of(language, original=aligner.original) if "stem" in aligner.stages else None
    synonyms = None
    if "synonym" in aligner.stages:
        use_meteor = resources is not None and meteor_resources(resources).has_synonyms()
        synonyms = (
            meteor_resources(str(resources)).synonyms
            if use_meteor
            else read_wordnet(aligner.wordnet)
        )
    return Lexicon(
        listed(aligner.function_words), stems, synonyms, aligner.lowercase, aligner.original
    )


@functools.lru_cache(maxsize=8)
def _prefixes(aligner: Aligner) -> Prefixes:
    if aligner.resources is None:
        return PREFIXES[aligner.language]
    return meteor_resources(aligner.resources).prefixes(aligner.language)


def _paraphrases(aligner: Aligner) -> _core.ParaphraseTable:
    path = meteor_resources(str(aligner.resources)).paraphrase_file(aligner.language)
    return read_paraphrases(path) if path is not None else _core.ParaphraseTable(b"")
