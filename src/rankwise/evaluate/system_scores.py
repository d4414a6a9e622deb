"""Every metric on every system: rows of statistics, from which scores and tests follow."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.evaluate.given_scores import GivenScores
from rankwise.evaluate.segment_groups import block_labels
from rankwise.metrics import Metric, metrics_of
from rankwise.metrics.metric_class import Rows
from rankwise.metrics.outside.missing_texts import must_have_texts_for
from rankwise.text.languages import Language, target_language_of
from rankwise.types import ScoreTable, TestSet
from rankwise.types.text_block import Block, blocks_of, in_one


@dataclass(frozen=True, eq=False)
class SystemScores:
    """What one metric says about every system of a test set.

    ``rows[system]`` are its statistics, one row per segment: all that intervals and tests need.
    ``ids`` names the segments.
    """

    metric: Metric | GivenScores
    rows: dict[str, Rows]
    ids: Sequence[str | int]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.rows)

    @cached_property
    def corpus(self) -> NDArray[np.float64]:
        """The score of the sum of the rows of every system."""
        # One by one: numpy may round the last bit of a stack otherwise than that of a number.
        return np.array([self.metric.score(self.metric.total(rows)) for rows in self.rows.values()])

    @property
    def quality(self) -> NDArray[np.float64]:
        """Corpus scores with the sign that makes higher better."""
        return self.corpus if self.metric.higher_is_better else -self.corpus

    @cached_property
    def segments(self) -> ScoreTable:
        """The score of every segment."""
        values = np.stack([self.metric.segment_scores(rows) for rows in self.rows.values()])
        ids = tuple(str(segment) for segment in self.ids)
        return ScoreTable(self.systems, ids, values, name=str(self.metric))

    @property
    def scored_count(self) -> int:
        """How many segments have a score of any system; people judge only some."""
        return self._scored_in(slice(None))

    def scored_up_to(self, most: int) -> int:
        """The same, counted no further than *most*: mostly the first segments will do."""
        found = self._scored_in(slice(2 * most))
        return min(most, found if found >= most else self.scored_count)

    def _scored_in(self, places: slice) -> int:
        scores = [self.metric.segment_scores(rows[places]) for rows in self.rows.values()]
        return int((~np.isnan(scores)).any(axis=0).sum())

    def __repr__(self) -> str:
        """The metric and how much it scored, in one line."""
        return (
            f"<SystemScores of {self.metric}: {len(self.rows)} systems on {len(self.ids)} segments>"
        )

    def where(self, chosen: NDArray[np.intp]) -> "SystemScores":
        """The same on the segments at the places *chosen*."""
        rows = {system: found[chosen] for system, found in self.rows.items()}
        return SystemScores(self.metric, rows, [self.ids[place] for place in chosen.tolist()])


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """All metrics on all systems, and what there is to say about the segments.

    ``fewest`` and ``most`` are the numbers of references per segment, ``references`` their names
    where some of several were chosen; ``labels[grouping]`` has the label of every segment, for each
    grouping that was asked for.
    """

    results: tuple[SystemScores, ...]
    segments: int
    fewest: int
    most: int
    labels: dict[str, list[str]]
    references: tuple[str, ...] = ()

    def where(self, chosen: NDArray[np.intp]) -> "Scored":
        """The same on the segments at the places *chosen*."""
        return replace(
            self,
            results=tuple(result.where(chosen) for result in self.results),
            segments=len(chosen),
            labels={
                grouping: [labels[place] for place in chosen.tolist()]
                for grouping, labels in self.labels.items()
            },
        )

    @property
    def which_references(self) -> str:
        """The end of a signature; see :func:`which_references`."""
        return which_references({self.fewest, self.most}, self.references)

    @property
    def nrefs(self) -> str:
        """The number of references of a signature: ``2``, or ``var`` where it varies."""
        return number_of_references({self.fewest, self.most})


def which_references(counts: Collection[int], names: Sequence[str] = ()) -> str:
    """The end of a signature, where segments have so many references, chosen by these names.

    >>> which_references({2}), which_references({1}, ["refA"]), which_references({1, 2})
    ('nrefs=2', 'nrefs=1:refs=refA', 'nrefs=var')
    """
    chosen = f":refs={','.join(names)}" if names else ""
    return f"nrefs={number_of_references(counts)}{chosen}"


def whole_signature(metric: Metric, references: str) -> str:
    """The signature of a metric, and which references it read if it reads any."""
    has_read = metric.reads.references and references != "nrefs=0"
    return f"{metric.signature}:{references}" if has_read else metric.signature


def number_of_references(counts: Collection[int]) -> str:
    """``2`` where every segment has as many references, or ``var`` where that varies."""
    return str(next(iter(counts))) if len(counts) == 1 else "var"


def score_systems(
    testset: TestSet, metrics: str | Metric | Sequence[str | Metric]
) -> list[SystemScores]:
    """Every metric, or metric of that name, on every system of the test set, in the order given.

    What a name leaves open follows the target language (:func:`rankwise.metrics.in_language`).
    A system without an output for some segment, or a segment without a reference, is an error.

    >>> import rankwise as rw
    >>> [bleu] = score_systems(rw.example().testset, "bleu")
    >>> round(float(bleu.corpus[bleu.systems.index("rowan")]), 2)
    92.55
    """
    chosen = metrics_of(metrics, target_language_of(testset))
    return list(score_blocks(blocks_of(testset), chosen).results)


def score_blocks(
    blocks: Iterable[Block],
    metrics: Sequence[Metric],
    *,
    groupings: Iterable[str] = (),
    references: tuple[str, ...] = (),
    language: Language | None = None,
) -> Scored:
    """Every metric on every system of *blocks*, with the labels of segments by *groupings*.

    *references* are the names of those that were chosen, which signatures then state. The length of
    segments is counted as in their *language*.

    Only statistics are kept, not texts. No segment at all is an error.
    """
    if not metrics:
        raise DataError("no metric is given; expected at least one")
    parts: list[dict[str, list[Rows]]] = [{} for _ in metrics]
    labels: dict[str, list[str]] = {grouping: [] for grouping in groupings}
    ids: list[str | int] = []
    counts: set[int] = set()
    for block in blocks_for(metrics, blocks):
        ids += block.ids
        counts |= reference_counts(block)
        for grouping in labels:
            labels[grouping] += block_labels(block, grouping, language)
        for metric, rows in zip(metrics, parts, strict=True):
            for system, found in metric.block_rows(block).items():
                rows.setdefault(system, []).append(found)
    if not ids:
        raise DataError("there is no segment to score; expected at least one")
    results = [
        SystemScores(metric, {system: np.concatenate(some) for system, some in rows.items()}, ids)
        for metric, rows in zip(metrics, parts, strict=True)
    ]
    return Scored(tuple(results), len(ids), min(counts), max(counts), labels, references)


def blocks_for(metrics: Sequence[Metric], blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks as *metrics* need them; one without what they need is an error.

    They come as one where a metric needs whole documents, or scores of another tool, which may know
    segments by their place alone.
    """
    needs_all = any(metric.needs.document or metric.needs.scores for metric in metrics)
    for block in in_one(blocks) if needs_all else blocks:
        must_have_texts_for(metrics, block)
        yield block


def reference_counts(block: Block) -> set[int]:
    """How many references segments of *block* have."""
    if set(map(type, block.references)) <= {str}:
        return {1}
    return {1 if isinstance(entry, str) else len(entry) for entry in block.references}


def block_scores(block: Block, metrics: Sequence[Metric]) -> NDArray[np.float64]:
    """``[i, s, m]``: what metric m says about segment i of system s."""
    columns = [
        [metric.segment_scores(rows) for rows in metric.block_rows(block).values()]
        for metric in metrics
    ]
    return np.asarray(np.transpose(columns, (2, 1, 0)), np.float64)
