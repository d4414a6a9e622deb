"""Scores of people and of metrics over the same systems and segments of one language pair."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.evaluate.system_scores import SystemScores
from rankwise.types import ScoreTable

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of segments (systems, segments) and of systems (systems, 1); nan where there is none.

    ``segments`` is None where only whole systems were scored.
    """

    segments: Array | None
    systems: Array


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """What people and metrics say about the systems of one language pair.

    Rows of all arrays are ``systems``, columns of segment scores are ``segments``. ``notes`` says
    in sentences what is missing.
    """

    pair: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    gold: Scores
    metrics: Mapping[str, Scores]
    gold_name: str = ""
    notes: tuple[str, ...] = ()

    def with_metrics(self, more: Mapping[str, Scores]) -> "PairScores":
        """The same with further metrics; a name that is there already is an error."""
        twice = next((name for name in more if name in self.metrics), None)
        if twice is not None:
            raise DataError(f"there are two metrics {twice!r} of {self.pair}; expected one")
        return replace(self, metrics={**self.metrics, **more})


def pair_scores(
    pair: str,
    segments: ScoreTable | None,
    systems: ScoreTable | None,
    *,
    excluded: Collection[str] = (),
    gold_name: str = "",
) -> PairScores:
    """Gold scores, as yet without metrics: the systems that people judged, sorted by name.

    A system score that is not given is the mean of the system's segment scores.
    """
    given = [table for table in (segments, systems) if table is not None]
    if not given:
        raise DataError(f"there are no human scores of {pair}; expected some")
    judged = {
        name
        for table in given
        for name, row in zip(table.systems, table.values, strict=True)
        if not np.isnan(row).all()
    }
    kept = tuple(sorted(judged - set(excluded)))
    if len(kept) < 2:
        raise DataError(f"{pair} has {len(kept)} judged systems; expected two or more")
    columns = segments.segments if segments is not None else ()
    empty = PairScores(pair, kept, columns, Scores(None, np.full((len(kept), 1), np.nan)), {})
    return replace(empty, gold=aligned(empty, segments, systems), gold_name=gold_name)


def aligned(target: PairScores, segments: ScoreTable | None, systems: ScoreTable | None) -> Scores:
    """Scores in the rows and columns of *target*, matched by names; nan where one is missing."""
    table = None
    if segments is not None and target.segments:
        table = _rows(segments, target.systems)[:, _columns(segments, target.segments)]
        table = np.where(_columns(segments, target.segments) < 0, np.nan, table)
    if systems is not None:
        return Scores(table, _rows(systems, target.systems)[:, :1])
    if segments is None:
        raise DataError(f"{target.pair}: neither segments nor systems have scores")
    means = replace(segments, values=segments.values).system_means()[:, np.newaxis]
    whole = ScoreTable(segments.systems, ("all",), means, segments.name, "system")
    return Scores(table, _rows(whole, target.systems))


def computed(target: PairScores, result: SystemScores) -> Scores:
    """Scores of one of our own metrics, signed so that higher is better."""
    sign = 1.0 if result.metric.higher_is_better else -1.0
    table = result.segments
    segments = replace(table, values=sign * table.values)
    corpus = result.quality[:, np.newaxis]
    systems = ScoreTable(result.systems, ("all",), corpus, table.name, "system")
    return aligned(target, segments, systems)


def _rows(table: ScoreTable, systems: tuple[str, ...]) -> Array:
    places = {name: row for row, name in enumerate(table.systems)}
    found = np.full((len(systems), len(table.segments)), np.nan)
    for row, name in enumerate(systems):
        if name in places:
            found[row] = table.values[places[name]]
    return found


def _columns(table: ScoreTable, segments: tuple[str, ...]) -> NDArray[np.intp]:
    if table.segments == segments:
        return np.arange(len(segments))
    places = {name: column for column, name in enumerate(table.segments)}
    columns = np.array([places.get(name, -1) for name in segments], np.intp)
    if (columns < 0).all():
        raise DataError(
            f"scores {table.name!r} and the gold scores have no segment in common; "
            f"found {table.segments[0]!r} and {segments[0]!r}"
        )
    return columns
