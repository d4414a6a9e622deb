"""Scores of people and of metrics over the same systems and segments of one language pair."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rankwise.errors import DataError
from rankwise.evaluate.system_scores import SystemScores
from rankwise.types import LevelScores, ScoreTable

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
    pair: str, gold: LevelScores, *, excluded: Collection[str] = (), gold_name: str = ""
) -> PairScores:
    """Gold scores, as yet without metrics: the systems that people judged, sorted by name."""
    if not gold.tables:
        raise DataError(f"there are no human scores of {pair}; expected some")
    kept = tuple(sorted(gold.scored - set(excluded)))
    if len(kept) < 2:
        judged = "1 judged system" if kept else "no judged system"
        raise DataError(f"{pair} has {judged}; expected two or more")
    columns = gold.segments.segments if gold.segments is not None else ()
    empty = PairScores(pair, kept, columns, Scores(None, np.full((len(kept), 1), np.nan)), {})
    return replace(empty, gold=aligned(empty, gold), gold_name=gold_name)


def aligned(target: PairScores, scores: LevelScores) -> Scores:
    """Scores in the rows and columns of *target*, matched by names; nan where one is missing.

    A system score that is not given is the mean of the system's segment scores.
    """
    given = scores.segments
    table = None
    if given is not None and target.segments:
        table = given.over(target.systems, target.segments)
    if scores.systems is not None:
        return Scores(table, scores.systems.over(target.systems, scores.systems.segments)[:, :1])
    if given is None:
        raise DataError(f"{target.pair}: neither segments nor systems have scores")
    means = ScoreTable(given.systems, ("all",), given.system_means()[:, np.newaxis])
    return Scores(table, means.over(target.systems, ("all",)))


def computed(target: PairScores, result: SystemScores) -> Scores:
    """Scores of one of our own metrics, signed so that higher is better."""
    sign = 1.0 if result.metric.higher_is_better else -1.0
    table = result.segments
    segments = replace(table, values=sign * table.values)
    corpus = result.quality[:, np.newaxis]
    systems = ScoreTable(result.systems, ("all",), corpus, table.name, "system")
    return aligned(target, LevelScores(segments, systems))
