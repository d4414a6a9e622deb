"""A metric that scores whole batches: one with a model, or of another program."""

import copy
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics.metric_class import Metric, Needs, Rows, mean_of_rows, mean_rows
from rankwise.metrics.outside.batching import Batching, BatchWork, runs_out_of_memory
from rankwise.metrics.outside.missing_texts import must_have_texts_for
from rankwise.metrics.outside.text_batch import (
    TextBatch,
    TextItem,
    items_of,
    passages_of,
    what_there_is,
)
from rankwise.text.segments import References, Texts
from rankwise.types.text_block import Block


@dataclass(frozen=True)
class BatchMetric(Metric):
    """A metric whose segment scores come batch by batch; the corpus score is their mean.

    One that derives from it gives the scores of a batch, and says what it needs. Everything else is
    done here: each distinct text is scored once for all systems, batches hold texts of like length,
    a batch that memory does not hold is halved, and scores are kept where somebody keeps them.
    """

    #: How many segments make a batch unless somebody says otherwise.
    batch_size: ClassVar[int] = 32
    _batching: ClassVar[Batching] = Batching()

    @abstractmethod
    def batch_scores(self, batch: TextBatch) -> NDArray[np.float64]:
        """The score of every output of a batch."""

    @property
    def identity(self) -> str:
        """All that decides a score but the model and the texts: the signature."""
        return self.signature

    @property
    def model_hash(self) -> str | None:
        """What changes whenever the model does; without it, scores are not kept."""
        return None

    @property
    def kept_as(self) -> str | None:
        """What scores are kept under, beside the texts; None where they are not kept."""
        kept = self.model_hash
        return None if kept is None else f"{self.identity} {kept}"

    def is_out_of_memory(self, error: BaseException) -> bool:
        """Whether an error of :meth:`batch_scores` says that the batch was too large."""
        return runs_out_of_memory(error)

    def computed_by(self, batching: Batching) -> "BatchMetric":
        """The same metric, computed in batches of another size, kept, or with somebody told."""
        found = copy.copy(self)
        object.__setattr__(found, "_batching", batching)
        return found

    def block_rows(self, block: Block) -> dict[str, Rows]:
        """``[score, 1]`` of every segment of every system; texts that several have count once."""
        must_have_texts_for([self], block)
        reads = what_there_is(block, self.reads)
        by_document = self.needs.document
        passages = {
            system: list(passages_of(items_of(block, texts, reads), by_document=by_document))
            for system, texts in block.outputs.items()
        }
        work = self._work(reads)
        found = work.scores([one for some in passages.values() for one in some], self._batching)
        return {
            system: mean_rows(np.concatenate([[], *(found[passage] for passage in some)]))
            for system, some in passages.items()
        }

    def _work(self, reads: Needs) -> BatchWork:
        def score(items: Sequence[TextItem]) -> NDArray[np.float64]:
            return self.batch_scores(TextBatch.of(items, reads))

        return BatchWork(self.name, score, self.batch_size, self.kept_as, self.is_out_of_memory)

    def statistics(
        self,
        hypotheses: Texts,
        references: References = (),
        *,
        sources: Texts = (),
        documents: Sequence[str] = (),
    ) -> Rows:
        """``[score, 1]`` of every segment."""
        given = references if len(references) else [()] * len(hypotheses)
        ids = range(1, len(hypotheses) + 1)
        _must_be_parallel(hypotheses, references=given, sources=sources, documents=documents)
        block = Block(ids, given, {"": hypotheses}, documents, sources=sources)
        return self.block_rows(block)[""]

    def segments(
        self, hypotheses: Texts, references: References = (), **others: Any
    ) -> NDArray[np.float64]:
        """The score of every segment; *others* are ``sources`` and ``documents``."""
        return self.segment_scores(self.statistics(hypotheses, references, **others))

    def corpus(self, hypotheses: Texts, references: References = (), **others: Any) -> float:
        """The mean score of the segments; *others* are ``sources`` and ``documents``."""
        return float(self.score(self.total(self.statistics(hypotheses, references, **others))))

    def pairwise_statistics(self, candidates: Texts, source: str | None = None) -> Rows:
        """Rows of every candidate with every candidate as its reference, if it needs one."""
        hypotheses = [text for text in candidates for _ in candidates]
        references = list(candidates) * len(candidates) if self.needs.references else []
        sources = [] if source is None else [source] * len(hypotheses)
        return self.statistics(hypotheses, references, sources=sources)

    def score(self, rows: Rows) -> Any:
        """The mean score of the segments of rows, 0 without any."""
        return mean_of_rows(self.name, rows)


def _must_be_parallel(hypotheses: Texts, **others: Sequence[object]) -> None:
    """Raise unless everything that is given has an entry for every hypothesis."""
    for what, entries in {"hypotheses": hypotheses, **others}.items():
        if isinstance(entries, str | bytes) or not isinstance(entries, Sequence | np.ndarray):
            found = type(entries).__name__
            raise DataError(f"{what} are a {found}; expected a list with one entry per segment")
        if what in ("hypotheses", "sources") and not all(isinstance(x, str) for x in entries):
            raise DataError(f"{what} are not all texts; expected a list of str")
        if len(entries) not in (0, len(hypotheses)):
            raise DataError(
                f"{len(hypotheses)} hypotheses but {what} for {len(entries)} segments; "
                "expected one entry per segment"
            )
