"""Where systems, metrics and people differ most: figures per segment, and which to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.evaluate.system_scores import SystemScores
from rankwise.types import ScoreTable

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentDifferences:
    """One figure per segment; nan where there is none.

    ``systems`` is the largest minus the smallest score of the first metric. ``people`` is the
    largest distance, over systems, between the percentile that metrics give an output (the mean
    over metrics) and the one that people give it, with its sign: positive where metrics like it
    more; ``people_system`` is the system it is of, -1 where there is none. ``metrics`` is the
    largest distance between the percentiles that two metrics give one output.
    """

    systems: Array
    people: Array
    people_system: NDArray[np.intp]
    metrics: Array

    def sizes(self, weights: Array | None = None) -> dict[str, Array]:
        """What segments are chosen and sorted by: only figures that some segment has.

        They are multiplied by the *weights* of segments, if there are any.
        """
        found = {
            "people": np.abs(self.people),
            "systems": self.systems,
            "metrics": self.metrics,
        }
        known = {name: values for name, values in found.items() if not np.isnan(values).all()}
        return known if weights is None else {name: v * weights for name, v in known.items()}


def percentiles(values: Array) -> Array:
    """Where each number stands among all: 0 for the least, 100 for the greatest; *ties* share.

    nan stays nan. A number alone has 50.

    >>> percentiles(np.array([[10.0, 30.0], [20.0, 20.0]]))
    array([[  0., 100.], [ 50.,  50.]])
    """
    present = ~np.isnan(values)
    known = values[present]
    placed = np.full(values.shape, np.nan)
    _, place, counts = np.unique(known, return_inverse=True, return_counts=True)
    first = np.concatenate(([0], np.cumsum(counts)[:-1]))
    middle = first + (counts - 1) / 2
    placed[present] = 100 * middle[place] / (len(known) - 1) if len(known) > 1 else 50.0
    return placed


def differences(results: Sequence[SystemScores], gold: ScoreTable | None) -> SegmentDifferences:
    """The figures of every segment of *results*; *gold* is what people say of outputs."""
    signs = [1.0 if result.metric.higher_is_better else -1.0 for result in results]
    tables = [result.segments.values for result in results]
    places = np.stack([percentiles(s * t) for s, t in zip(signs, tables, strict=True)])
    first = results[0].segments
    people, system = _against_people(_mean(places), gold, first)
    metrics = np.full(len(first.segments), np.nan)
    if len(results) > 1:
        metrics = _largest(np.ptp(places, axis=0))
    return SegmentDifferences(_spread(tables[0]), people, system, metrics)


def chosen_segments(sizes: Mapping[str, Array], count: int) -> list[int]:
    """At most *count* segments: in turn the next largest of every figure, each segment once.

    >>> chosen_segments({"a": np.array([1.0, 3.0, 2.0]), "b": np.array([9.0, np.nan, 0.0])}, 2)
    [1, 0]
    """
    orders = [
        [place for place in np.argsort(-values, kind="stable").tolist() if values[place] > 0]
        for values in sizes.values()
    ]
    chosen: dict[int, None] = {}
    for turn in range(max(map(len, orders), default=0)):
        for order in orders:
            if turn < len(order) and len(chosen) < count:
                chosen.setdefault(order[turn])
    return list(chosen)


def _against_people(
    metrics: Array, gold: ScoreTable | None, frame: ScoreTable
) -> tuple[Array, NDArray[np.intp]]:
    nothing = np.full(len(frame.segments), np.nan), np.full(len(frame.segments), -1, np.intp)
    if gold is None:
        return nothing
    human = percentiles(over_frame(gold, frame))
    both = np.where(np.isnan(human), np.nan, metrics)
    gap = percentiles(both) - human  # both among the outputs that people judged
    size = np.where(np.isnan(gap), -1.0, np.abs(gap))
    system = np.argmax(size, axis=0)
    columns = np.arange(len(frame.segments))
    is_known = size[system, columns] >= 0
    return (
        np.where(is_known, gap[system, columns], np.nan),
        np.where(is_known, system, -1).astype(np.intp),
    )


def over_frame(gold: ScoreTable, frame: ScoreTable) -> Array:
    """The scores of *gold* in the rows and columns of *frame*; nan where it has none."""
    rows = {name: place for place, name in enumerate(gold.systems)}
    columns = {name: place for place, name in enumerate(gold.segments)}
    row = np.array([rows.get(name, -1) for name in frame.systems], np.intp)
    column = np.array([columns.get(name, -1) for name in frame.segments], np.intp)
    if gold.values.size == 0:
        return np.full((len(row), len(column)), np.nan)
    found = gold.values[np.ix_(row, column)]
    known = (row >= 0)[:, np.newaxis] & (column >= 0)[np.newaxis, :]
    placed: Array = np.where(known, found, np.nan)
    return placed


def _mean(stacked: Array) -> Array:
    """The mean over the first axis of what is not nan."""
    present = ~np.isnan(stacked)
    count = present.sum(axis=0)
    total = np.where(present, stacked, 0.0).sum(axis=0)
    means: Array = np.full(count.shape, np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means


def _spread(table: Array) -> Array:
    known = ~np.isnan(table)
    high = np.where(known, table, -np.inf).max(axis=0)
    low = np.where(known, table, np.inf).min(axis=0)
    spread: Array = np.where(known.any(axis=0), high - low, np.nan)
    return spread


def _largest(table: Array) -> Array:
    known = ~np.isnan(table)
    high = np.where(known, table, -np.inf).max(axis=0)
    largest: Array = np.where(known.any(axis=0), high, np.nan)
    return largest
