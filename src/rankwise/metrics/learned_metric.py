"""A metric that somebody learned: the model file says from what."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.learning.features.context import NO_CONTEXT, Context, missing_scores
from rankwise.learning.text_scorer import TextScorer
from rankwise.metrics.features import computed_by, needs_of, programs_of, reads_of
from rankwise.metrics.metric_class import Needs, Rows, check_flag, mean_rows
from rankwise.metrics.model_metric import ModelMetric
from rankwise.metrics.outside.batching import Batching
from rankwise.metrics.outside.missing_texts import must_have_texts_for
from rankwise.metrics.stored_models import model_options, model_there
from rankwise.text.line_limits import check_lengths
from rankwise.text.segments import References, Texts
from rankwise.types import ScoreTable
from rankwise.types.text_block import Block


@dataclass(frozen=True)
class LearnedMetric(ModelMetric):
    r"""A metric from a file that ``rankwise learn`` wrote, of any features.

    .. math:: \min(1, 2 / (1 + e^{-\text{slope} \cdot (m - m^*)}))

    m is the margin that the model gives the output, and m* the one it gives the reference taken as
    its own translation, which so scores 1. A model may have a curve that rises to 1 in place of
    this one, where many human scores say how it runs. Of several references the best counts. Where
    a feature reads more than references, no output is known to be perfect: the score is
    :math:`1 / (1 + e^{-\text{slope} \cdot (m - a)})` with an anchor a, and never quite 1. The
    corpus score is the mean over segments, 0 without any.

    It needs what its features need: the file names their metrics, with the hashes of their models.
    They are computed in batches, and what is kept of them is taken. Scores of another tool that it
    was learned from must be given again, under the same name.

    ``model`` is the file. ``language`` takes the place of the language in the model's features;
    ``resources``, a METEOR folder or jar, and ``wordnet``, a folder of WordNet 3.0, are for models
    that match paraphrases or synonyms. ``sha256`` is the beginning of the hash of the file: the
    signature has it, and a model with another is refused. A text of more than ``longest``
    characters, 20,000 if not given, is refused. A model that starts programs (features like
    ``command:./score.sh``) is refused unless ``programs`` is true.
    """

    name: ClassVar[str] = "learned"

    model: str | None = None
    language: str | None = None
    sha256: str | None = None
    resources: str | None = None
    wordnet: str | None = None
    longest: int | None = None
    programs: bool = False

    _given: ClassVar[Mapping[str, ScoreTable]] = {}

    def __post_init__(self) -> None:
        """Load the model, and put down its hash."""
        if self.model is None:
            raise DataError("learned: no model is named; expected learned:model=FILE")
        check_flag(self.name, "programs", self.programs)
        found = model_there(self.model, model_options(self), programs=self.programs)
        self._take(found, self.sha256)
        if not self._text_scorer.features.has_perfect:
            object.__setattr__(self, "best", None)

    @property
    def _text_scorer(self) -> TextScorer:
        found: TextScorer = self._scorer  # type: ignore[attr-defined]
        return found

    @property
    def needs(self) -> Needs:
        """What its features need."""
        return needs_of(self._text_scorer.features)

    @property
    def reads(self) -> Needs:
        """What its features read."""
        return reads_of(self._text_scorer.features)

    @property
    def kept_as(self) -> str | None:
        """The signature, and what the scores of its features are kept under."""
        found = self._text_scorer.features.kept_as(NO_CONTEXT)
        return None if found is None else f"{self.signature} {found}"

    @property
    def programs_started(self) -> tuple[str, ...]:
        """The commands among its features."""
        return tuple(programs_of(self._text_scorer.features))

    def computed_by(self, batching: Batching) -> "LearnedMetric":
        """The same metric, with metrics among its features computed in other batches, or kept."""
        scorer = self._text_scorer
        found = copy.copy(self)
        changed = replace(scorer, features=computed_by(scorer.features, batching))
        object.__setattr__(found, "_scorer", changed)
        return found

    def given(self, tables: Mapping[str, ScoreTable]) -> "LearnedMetric":
        """The same metric with scores of other tools, of those names that it needs."""
        found = copy.copy(self)
        named = {name: tables[name] for name in self.needs.scores if name in tables}
        object.__setattr__(found, "_given", named)
        return found

    def block_rows(self, block: Block) -> dict[str, Rows]:
        """``[score, 1]`` of every segment of every system, whose texts are scored together."""
        if self.reads == Needs():
            return super().block_rows(block)
        must_have_texts_for([self], block)
        context = Context(list(block.sources) * len(block.outputs), self._scores(block))
        for system, texts in block.outputs.items():
            with block.places_of(system):
                check_lengths(self.name, self.longest, texts, block.references)
        hypotheses = [text for texts in block.outputs.values() for text in texts]
        references = list(block.references) * len(block.outputs)
        scores = self._text_scorer.segments(hypotheses, references, context)
        parts = np.split(mean_rows(scores), len(block.outputs)) if block.outputs else []
        return dict(zip(block.outputs, parts, strict=True))

    def _scores(self, block: Block) -> dict[str, NDArray[np.float64]]:
        """The scores of other tools for all systems of a block, one after the other."""
        lacking = next((name for name in self.needs.scores if name not in self._given), None)
        if lacking is not None:
            raise DataError(f"{self}: {missing_scores(lacking)}")
        ids, systems = [str(name) for name in block.ids], tuple(block.outputs)
        return {
            name: table.of_all(systems, ids, called=name).ravel()
            for name, table in self._given.items()
        }

    def statistics(
        self, hypotheses: Texts, references: References = (), *, sources: Texts = ()
    ) -> Rows:
        """``[score, 1]`` of every segment."""
        if self.reads == Needs():
            return super().statistics(hypotheses, references)
        given = references if len(references) else [()] * len(hypotheses)
        block = Block(range(1, len(hypotheses) + 1), given, {"": hypotheses}, sources=sources)
        return self.block_rows(block)[""]

    def segments(
        self, hypotheses: Texts, references: References = (), **others: Any
    ) -> NDArray[np.float64]:
        """The score of every segment; *others* are ``sources``."""
        return self.segment_scores(self.statistics(hypotheses, references, **others))

    def corpus(self, hypotheses: Texts, references: References = (), **others: Any) -> float:
        """The mean score of the segments; *others* are ``sources``."""
        return float(self.score(self.total(self.statistics(hypotheses, references, **others))))

    def pairwise_statistics(self, candidates: Texts, source: str | None = None) -> Rows:
        """Rows of every candidate with every candidate as its reference."""
        hypotheses = [text for text in candidates for _ in candidates]
        sources = [] if source is None else [source] * len(hypotheses)
        return self.statistics(hypotheses, list(candidates) * len(candidates), sources=sources)
