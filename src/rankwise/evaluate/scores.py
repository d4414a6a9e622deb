"""Every metric on every system of a test set."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.metrics import Metric
from rankwise.metrics.base import Rows
from rankwise.types import ScoreTable, TestSet


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """What one metric says about every system of a test set.

    ``rows[system]`` are its statistics, one row per segment: all that intervals and tests need.
    ``corpus[s]`` is the score of the sum of the rows of ``segments.systems[s]``.
    """

    metric: Metric
    rows: dict[str, Rows]
    corpus: NDArray[np.float64]
    segments: ScoreTable

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.segments.systems

    @property
    def quality(self) -> NDArray[np.float64]:
        """Corpus scores with the sign that makes higher better."""
        return self.corpus if self.metric.higher_is_better else -self.corpus


def score_systems(testset: TestSet, metrics: Sequence[Metric]) -> list[SystemScores]:
    """Every metric on every system of the test set, in the order given.

    A system without an output for some segment, or a segment without a reference, is an error.
    """
    if not testset.outputs:
        raise DataError(f"test set {testset.name!r} has no system outputs; expected at least one")
    outputs = {system: _complete(testset, system) for system in testset.systems}
    return [_scores(testset, outputs, metric) for metric in metrics]


def _scores(testset: TestSet, outputs: dict[str, list[str]], metric: Metric) -> SystemScores:
    references = testset.references
    rows = {system: metric.statistics(texts, references) for system, texts in outputs.items()}
    corpus = [float(metric.score(statistics.sum(axis=0))) for statistics in rows.values()]
    values = np.stack([metric.segment_scores(statistics) for statistics in rows.values()])
    ids = tuple(segment.id for segment in testset.segments)
    table = ScoreTable(testset.systems, ids, values, name=str(metric))
    return SystemScores(metric, rows, np.array(corpus), table)


def _complete(testset: TestSet, system: str) -> list[str]:
    texts = []
    for segment, text in zip(testset.segments, testset.outputs[system], strict=True):
        if text is None:
            raise DataError(f"system {system!r} has no output for segment {segment.id!r}")
        texts.append(text)
    return texts
