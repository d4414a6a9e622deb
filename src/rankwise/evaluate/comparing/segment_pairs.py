"""Segments by how much two systems differ there, and which of them to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.evaluate.segment_groups import length_weights, words_of_segments
from rankwise.evaluate.system_scores import SystemScores
from rankwise.text.languages import target_language_of
from rankwise.types import TestSet

Array = NDArray[np.float64]
Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SegmentFilter:
    """Which segments count, and which of them are listed.

    *domains*, *documents* and *words* (the least and the most words of the reference) say what is
    compared at all. *scores* (either system's) and *differences* (of the first minus the second) by
    the names of metrics only say what is listed: to test what was chosen by its outcome would find
    differences that are not there.
    """

    domains: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    words: Range | None = None
    scores: Mapping[str, Range] = field(default_factory=dict)
    differences: Mapping[str, Range] = field(default_factory=dict)

    @property
    def narrows(self) -> bool:
        """Whether some segments may not be compared at all."""
        return bool(self.domains or self.documents or self.words)

    def compared(self, testset: TestSet) -> list[int]:
        """The places of the segments that are compared; none at all is an error."""
        for kind, wanted in (("domain", self.domains), ("document", self.documents)):
            _must_be_known(kind, wanted, [getattr(s, kind) for s in testset.segments])
        words = words_of_segments(testset, target_language_of(testset))
        low, high = self.words or (-np.inf, np.inf)
        places = [
            place
            for place, segment in enumerate(testset.segments)
            if (not self.domains or segment.domain in self.domains)
            and (not self.documents or segment.document in self.documents)
            and low <= words[place] <= high
        ]
        if not places:
            raise DataError("no segment is left; expected some of those domains, documents, words")
        return places


def _must_be_known(kind: str, wanted: Sequence[str], found: Sequence[str | None]) -> None:
    known = dict.fromkeys(label for label in found if label is not None)
    unknown = next((label for label in wanted if label not in known), None)
    if unknown is not None:
        there = ", ".join(list(known)[:20]) if known else "none is known"
        raise DataError(f"there is no {kind} {unknown!r}; choose from {there}")


@dataclass(frozen=True, slots=True, eq=False)
class SegmentPairs:
    """What every metric says about two systems, segment by segment.

    ``scores[m, s, i]`` is nan where there is none; ``signs[m]`` is -1 where less is better;
    ``weights[i]`` is how much a difference counts, by the number of words.
    """

    ids: tuple[str, ...]
    metrics: tuple[str, ...]
    signs: Array
    scores: Array
    weights: Array

    @classmethod
    def of(cls, results: Sequence[SystemScores], testset: TestSet | None) -> "SegmentPairs":
        """The first two systems of every result."""
        ids = results[0].segments.segments
        weights = np.ones(len(ids))
        if testset is not None:
            counted = words_of_segments(testset, target_language_of(testset))
            weights = length_weights(counted) if any(counted) else weights
        return cls(
            ids,
            tuple(str(result.metric) for result in results),
            np.array([1.0 if result.metric.higher_is_better else -1.0 for result in results]),
            np.stack([result.segments.values[:2] for result in results]),
            weights,
        )

    @property
    def differences(self) -> Array:
        """``[m, i]``: the score of the first system minus that of the second."""
        return np.asarray(self.scores[:, 0] - self.scores[:, 1], np.float64)

    def metric_place(self, name: str) -> int:
        """The place of a metric; one that is not there is an error."""
        if name not in self.metrics:
            raise DataError(f"there is no metric {name!r}; choose from {', '.join(self.metrics)}")
        return self.metrics.index(name)

    def sizes(self, where: SegmentFilter | None = None) -> dict[str, Array]:
        """By metric how much every segment differs, for sorting; nan for what *where* leaves out.

        A difference counts by :math:`n / (n + 5)` where the reference has *n* words.
        """
        apart, keep = self.differences, np.ones(len(self.ids), bool)
        for name, (low, high) in ({} if where is None else where.scores).items():
            both = self.scores[self.metric_place(name)]
            keep &= ((both >= low) & (both <= high)).any(axis=0)
        for name, (low, high) in ({} if where is None else where.differences).items():
            of_metric = apart[self.metric_place(name)]
            keep &= (of_metric >= low) & (of_metric <= high)
        sizes = np.where(keep, np.abs(apart) * self.weights, np.nan)
        return dict(zip(self.metrics, sizes, strict=True))

    def listed(self, by: str | None = None, where: SegmentFilter | None = None) -> list[int]:
        """The places of segments that differ by a metric (the first unless named), most first.

        Segments that do not differ by it, or that *where* leaves out, are not listed.
        """
        name = self.metrics[0 if by is None else self.metric_place(by)]
        size = np.nan_to_num(self.sizes(where)[name], nan=-1.0)
        order = np.argsort(-size, kind="stable")
        return [place for place in order.tolist() if size[place] > 0]
