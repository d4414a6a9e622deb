"""METEOR: words matched exactly, by stem, by meaning and by paraphrase, and their order."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.meteor_tasks import ALIASES, RANK, TASKS, Parameters, task_parameters
from rankwise.metrics.metric_class import (
    Metric,
    Rows,
    check_longest,
    check_rows,
    map_references,
)
from rankwise.text.alignment import NORMALISED, STAGES, Aligner, Alignment
from rankwise.text.languages import Language
from rankwise.text.line_limits import check_lengths
from rankwise.text.matchers import check_matchers, matcher_problem
from rankwise.text.segments import References, Texts, check_texts
from rankwise.text.tokenise import PLAIN, spacing
from rankwise.types.named import check_choice


@dataclass(frozen=True)
class Meteor(Metric):
    r"""METEOR of a translation, in [0, 1].

    .. math:: \left(1 - \gamma \left(\frac{c}{m}\right)^\beta\right)
        \frac{P R}{\alpha P + (1 - \alpha) R}

    P and R are the matched words of the hypothesis and of the reference over all of them, each
    match weighted by its matcher, content words by delta and function words by 1 - delta; c is the
    number of chunks, m the mean number of matched words. One chunk of all words has no penalty; no
    match scores 0. Of several references the best one counts, the first of equal ones. The corpus
    score is that of the summed counts. Denkowski and Lavie (2014), Meteor Universal.

    ``modules`` names the matchers (``exact,stem,synonym,paraphrase``); without it, all that the
    language has and this machine can run: synonyms need WordNet 3.0, paraphrases a table in
    ``resources``. The signature says what is used, ``notes`` what is left out and why.
    ``resources`` is a METEOR folder or jar, used instead of our own word lists. ``tokenize`` names
    a tokenizer for languages of which METEOR has no rules, as ``zh`` for Chinese. A text of more
    than ``longest`` characters, 300,000 if not given, is refused.

    ``compat="1.5"`` gives the numbers of METEOR 1.5 to the last digit. The default departs from it:
    in the search, a match that is not exact counts half (1.5 rounds down to nothing) and distance
    weighs on the match that causes it (1.5: on its alternatives); function words are those of the
    language (1.5: English ones, always); weights belong to matchers (1.5: to positions in
    ``modules``); Russian, French and German stems are those of Snowball 2; words are compared by
    their letters (1.5: by a hash).

    >>> meteor = Meteor(modules="exact")
    >>> round(meteor.corpus(["the cat sat"], ["the cat sat down"]), 4)
    0.3799
    """

    name: ClassVar[str] = "meteor"
    best: ClassVar[float | None] = 1.0

    language: str = "en"
    task: str = "rank"
    modules: str | None = None
    normalize: bool | None = None
    lowercase: bool = True
    punctuation: bool = True
    alpha: float | None = None
    beta: float | None = None
    gamma: float | None = None
    delta: float | None = None
    weights: str | None = None
    function_words: str | None = None
    resources: str | None = None
    wordnet: str | None = None
    compat: Literal["none", "1.5"] = "none"
    tokenize: str | None = None
    longest: int | None = None

    def __post_init__(self) -> None:
        """Check the options, and put what was left open to what it means here."""
        for option in ("language", "function_words"):
            value = getattr(self, option)
            if value is not None:
                self._set(option, ALIASES.get(value, value))
                check_choice("meteor", option, getattr(self, option), RANK)
        check_choice("meteor", "task", self.task, TASKS)
        check_choice("meteor", "compat", self.compat, ("none", "1.5"))
        if self.tokenize is not None:
            check_choice("meteor", "tokenizer", self.tokenize, PLAIN)
        spacing(self.tokenize)
        if self.compat == "1.5" and self.resources is None:
            raise DataError(
                "meteor: compat=1.5 needs the word lists of METEOR 1.5: give resources=PATH, a "
                "METEOR folder or jar (pycocoevalcap/meteor in the PyPI package pycocoevalcap)"
            )
        check_longest(self.name, self.longest)
        self._settle_text()
        if self.function_words is None:
            self._set("function_words", "en" if self.compat == "1.5" else self.language)
        self._settle_modules()
        self._check_numbers()

    @classmethod
    def language_options(cls, language: Language) -> dict[str, object]:
        """The language, ``other`` where METEOR has no rules for it, and what finds its words."""
        if not language.code and language.script in ("", "Latin"):
            return {}
        found: dict[str, object] = {"language": language.code if language.code in RANK else "other"}
        return found if language.tokenizer is None else {**found, "tokenize": language.tokenizer}

    def _set(self, option: str, value: object) -> None:
        object.__setattr__(self, option, value)

    def _is_derived(self, option: str) -> bool:
        if option not in ("modules", "normalize", "function_words"):
            return False
        given = {name: getattr(self, name) for name in ("language", "task", "resources", "wordnet")}
        usual = Meteor(**given, punctuation=self.punctuation, compat=self.compat)
        return bool(getattr(self, option) == getattr(usual, option))

    def _settle_text(self) -> None:
        has_rules = self.language in NORMALISED
        if self.normalize is None:
            self._set("normalize", has_rules)
        if self.normalize and not has_rules:
            known = ", ".join(NORMALISED)
            raise DataError(
                f"meteor: no rules to normalize {self.language!r}; expected normalize=false, or "
                f"one of {known}"
            )
        if not self.punctuation and not self.normalize:
            raise DataError("meteor: punctuation=false is a rule of normalize=true")
        if self.compat == "1.5" and self.normalize and not self.lowercase:
            raise DataError("meteor: METEOR 1.5 always lowercases what it normalizes")

    def _settle_modules(self) -> None:
        if self.modules is None:
            usual = task_parameters(self.language, self.task).weights
            usable = [module for module in usual if self._problem(module) is None]
            self._set("modules", ",".join(usable))
        check_matchers(
            self.name,
            self._modules,
            self.language,
            resources=self.resources,
            wordnet=self.wordnet,
        )

    @property
    def _modules(self) -> tuple[str, ...]:
        return tuple((self.modules or "").split(","))

    def _problem(self, module: str) -> str | None:
        """Why a matcher cannot run here, or None."""
        return matcher_problem(
            module, self.language, resources=self.resources, wordnet=self.wordnet
        )

    def _check_numbers(self) -> None:
        for option in ("alpha", "beta", "gamma", "delta"):
            value = getattr(self, option)
            high = np.inf if option == "beta" else 1.0
            if value is not None and not 0 <= value <= high:
                raise DataError(f"meteor: {option} is {value}; expected 0 to {high:g}")
        _ = self.parameters

    @cached_property
    def parameters(self) -> Parameters:
        """The parameters of the task, with those given as options in their place."""
        usual = task_parameters(self.language, self.task)
        given = {
            option: getattr(self, option)
            for option in ("alpha", "beta", "gamma", "delta")
            if getattr(self, option) is not None
        }
        numbers = {option: getattr(usual, option) for option in ("alpha", "beta", "gamma", "delta")}
        return Parameters(**{**numbers, **given}, weights=self._weights(usual.weights))

    def _weights(self, usual: dict[str, float]) -> dict[str, float]:
        modules = self._modules
        if self.weights is not None:
            return dict(zip(modules, _numbers(self.weights, len(modules)), strict=True))
        if self.compat == "1.5":
            by_position = [*usual.values(), *[0.0] * len(modules)]
            return dict(zip(modules, by_position, strict=False))
        return {module: usual.get(module, 0.0) for module in modules}

    @property
    def notes(self) -> tuple[str, ...]:
        """What the language has but this machine cannot run, and how to get it."""
        usual = task_parameters(self.language, self.task).weights
        return tuple(
            f"meteor does not match by {module}: {problem}"
            for module in usual
            if module not in self._modules and (problem := self._problem(module)) is not None
        )

    @cached_property
    def aligner(self) -> Aligner:
        """What prepares and aligns the texts."""
        return Aligner(
            language=self.language,
            stages=self._modules,
            function_words=self.function_words or self.language,
            normalize=bool(self.normalize),
            lowercase=self.lowercase,
            punctuation=self.punctuation,
            original=self.compat == "1.5",
            resources=self.resources,
            wordnet=self.wordnet,
        )

    def statistics(self, hypotheses: Texts, references: References) -> Rows:
        """Counts of the best reference of every segment, (n, 21).

        Lengths of hypothesis and reference, function words in each, chunks (0 for a perfect match);
        then for exact, stem, synonym and paraphrase the matched content and function words of the
        hypothesis and of the reference.
        """
        check_texts(hypotheses, references)
        check_lengths(self.name, self.longest, hypotheses, references)
        split = spacing(self.tokenize)
        if split is not None:
            hypotheses = [split(text) for text in hypotheses]
            references = map_references(split, references)
        aligned = self.aligner.align(hypotheses, references, keep_matches=False)
        if len(aligned.rows) == len(hypotheses):
            return aligned.rows
        return aligned.rows[_first_best(self.score(aligned.rows), aligned.reference_starts)]

    def score(self, rows: Rows) -> Any:
        """METEOR of rows: a float for one row, an array for a stack of rows."""
        p = self.parameters
        counts = check_rows(self.name, rows, 5 + 4 * len(STAGES)).astype(np.float64)
        matched = counts[..., 5:].reshape(*counts.shape[:-1], len(STAGES), 4)
        weights = [p.weights.get(stage, 0.0) for stage in STAGES]
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (
                sum(
                    weight * _weighted(matched[..., stage, side], matched[..., stage, side + 1], p)
                    for stage, weight in enumerate(weights)
                )
                / _weighted(counts[..., n] - counts[..., f], counts[..., f], p)
                for side, n, f in ((0, 0, 2), (2, 1, 3))
            )
            mean = 1 / ((1 - p.alpha) / precision + p.alpha / recall)
            fragmentation = counts[..., 4] / (matched.sum(axis=(-1, -2)) / 2)
            value = np.nan_to_num(np.maximum(0, mean * (1 - p.gamma * fragmentation**p.beta)))
        return float(value) if value.ndim == 0 else value

    def alignment(self, hypothesis: str, reference: str) -> Alignment:
        """Which words match; print it to read it.

        >>> print(Meteor(modules="exact").alignment("on the mat sat the cat", "the cat sat"))
        reference                   hypothesis                  matcher
        0:1 the                     4:1 the                     exact
        1:1 cat                     5:1 cat                     exact
        2:1 sat                     3:1 sat                     exact
        3 matches in 2 chunks
        """
        split = spacing(self.tokenize) or str
        return self.aligner.alignment(split(hypothesis), split(reference))


def _weighted(
    content: NDArray[np.float64], function: NDArray[np.float64], parameters: Parameters
) -> NDArray[np.float64]:
    """Words by delta; written out, as a matrix product rounds differently for other shapes."""
    return parameters.delta * content + (1 - parameters.delta) * function


def _first_best(scores: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.intp]:
    """The place of the first highest score between each start and the next."""
    best = np.maximum.reduceat(scores, starts[:-1])
    segments = np.repeat(np.arange(len(best)), np.diff(starts))
    places = np.flatnonzero(scores == best[segments])
    return places[np.unique(segments[places], return_index=True)[1]]


def _numbers(text: str, count: int) -> Iterable[float]:
    """*count* numbers separated by commas."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(0 <= number <= 1 for number in numbers):
        raise DataError(
            f"meteor: weights are {text!r}; expected {count} numbers from 0 to 1, comma-separated"
        )
    return numbers
