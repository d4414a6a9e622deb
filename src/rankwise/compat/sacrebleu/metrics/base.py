"""What the metrics share: arguments, statistics of segments, scores, intervals, signatures."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankwise.compat.sacrebleu.environment_seed import seed_name, seed_number
from rankwise.compat.sacrebleu.log import sacrelogger
from rankwise.compat.sacrebleu.metrics.score import Score
from rankwise.compat.sacrebleu.metrics.signature import Signature
from rankwise.compat.sacrebleu.metrics.streams import (
    SegmentReferences,
    Streams,
    by_segment,
    check_hypotheses,
    check_same_length,
    check_sentence,
    check_streams,
    of_segment,
)
from rankwise.metrics import Metric as NativeMetric
from rankwise.metrics.metric_class import Rows
from rankwise.text.segments import References

S = TypeVar("S", bound=Score)
#: Sums of resampled rows. sacreBLEU keeps them in single precision, whose rounding is printed.
Sums = NDArray[np.float32]

__all__ = ["Metric", "Score", "Signature"]

_LOOKS_TOKENIZED = (
    "That's 100 lines that end in a tokenized period ('.')",
    "It looks like you forgot to detokenize your test data, which may hurt your score.",
    "If you insist your data is detokenized, or don't care, you can suppress this message with "
    "the `force` parameter.",
)


class Metric(ABC, Generic[S]):
    """A metric of sacreBLEU over one of Rankwise; its attributes are its options.

    The attributes may be changed between calls. ``num_refs`` exists once something was scored or
    references were given to the constructor.
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature

    num_refs: int

    def __init__(self, references: Streams | None) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._force = True
        self._ref_cache: SegmentReferences | None = None
        if references is not None:
            self._ref_cache = by_segment(references)
            self.num_refs = self._ref_cache.count

    @abstractmethod
    def native(self) -> NativeMetric:
        """The metric of Rankwise that has these options."""

    def scorer(self) -> NativeMetric:
        """What scores the sums of resamples, many at a time."""
        return self.native()

    @abstractmethod
    def _compute_score_from_stats(self, stats: Any) -> S:
        """The score object of one row of statistics, or of a sum of rows."""

    @abstractmethod
    def resampled_scores(self, sums: Sums) -> Rows:
        """Scores of the sums (resamples, columns) of resamples, rounded as sacreBLEU rounds."""

    def corpus_score(
        self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1
    ) -> S:
        """The score of all *hypotheses* against streams of *references*, or those of the metric.

        With *n_bootstrap* above 1 the score also has the mean and the 95 per cent interval of so
        many resamples, drawn with the seed in ``SACREBLEU_SEED`` (12345 unless set).
        """
        name = type(self).__name__
        check_hypotheses(name, hypotheses)
        if references is not None:
            check_streams(name, references)
        rows = self._extract_corpus_statistics(hypotheses, references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            from rankwise.compat.sacrebleu.significance import bootstrap_scores

            self.n_bootstrap, self.seed = n_bootstrap, seed_name()
            score.set_interval(list(bootstrap_scores(self, rows, n_bootstrap, seed_number())))
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> S:
        """The score of one *hypothesis* against all of its *references*."""
        name = type(self).__name__
        check_sentence(name, hypothesis, references)
        return self._aggregate_and_compute(self._rows([hypothesis], of_segment(references)))

    def get_signature(self) -> Signature:
        """What decided the latest score; only known once the number of references is."""
        return self._SIGNATURE_TYPE(vars(self))

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Streams | None
    ) -> Rows:
        """One row per segment; rows may be summed."""
        cached = by_segment(references) if references else self._ref_cache
        if cached is None:
            raise RuntimeError("no references were given, neither here nor to the constructor")
        check_same_length(type(self).__name__, hypotheses, cached)
        if not self._force:
            _warn_if_tokenized(hypotheses)
        return self._rows(hypotheses, cached)

    def _rows(self, hypotheses: Sequence[str], references: SegmentReferences) -> Rows:
        rows = self._statistics(hypotheses, references.entries)
        self.num_refs = references.count
        return rows

    def _statistics(self, hypotheses: Sequence[str], references: References) -> Rows:
        return self.native().statistics(hypotheses, references)

    def _aggregate_and_compute(self, stats: Any) -> S:
        """The score object of the sum of rows."""
        rows = np.asarray(stats)
        if np.issubdtype(rows.dtype, np.integer):
            return self._compute_score_from_stats(rows.sum(axis=0))
        # One by one from the first, as sacreBLEU adds: the last digit depends on the order.
        return self._compute_score_from_stats(np.cumsum(rows, axis=0)[-1])


def _warn_if_tokenized(hypotheses: Sequence[str]) -> None:
    if sum(text.endswith(" .") for text in hypotheses) >= 100:
        for line in _LOOKS_TOKENIZED:  # sacreBLEU's own words, which scripts look for
            sacrelogger.warning(line)
