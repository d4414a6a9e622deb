"""Scores of shards: the work on one of them, and the sum of all."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.bulk.shard_sums import ShardSums, kept_sums, shard_key, write_record
from rankwise.bulk.shards import Given, Shard, StrPath, shards_of
from rankwise.engine import Site
from rankwise.errors import DataError, RankwiseError
from rankwise.evaluate.system_scores import blocks_for, number_of_references, reference_counts
from rankwise.io.formats.scores.segment_rows import SegmentRows, write_segment_rows
from rankwise.metrics import Metric, metrics_of
from rankwise.text.languages import Language, language_of
from rankwise.types.sums import Exact, as_row, exact_sums
from rankwise.types.text_block import Block

Statistics = list[list[NDArray[Any]]]  # by metric and system
OnDone = Callable[[int, int], object]


@dataclass(frozen=True, slots=True, eq=False)
class BulkScores:
    """Corpus scores over all shards; ``failed`` says of each shard without a result why."""

    metrics: tuple[Metric, ...]
    shards: tuple[ShardSums, ...]
    failed: dict[str, str]

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.shards[0].systems if self.shards else ()

    @property
    def segments(self) -> int:
        """How many segments were scored."""
        return sum(shard.segments for shard in self.shards)

    @property
    def nrefs(self) -> str:
        """The number of references of a signature: ``2``, or ``var`` where it varies."""
        return number_of_references({n for s in self.shards for n in (s.fewest, s.most)})

    @property
    def values(self) -> NDArray[np.float64]:
        """``[s, m]``: the corpus score of system s by metric m."""
        scores = [
            [float(chosen.score(self._sum(m, s))) for m, chosen in enumerate(self.metrics)]
            for s in range(len(self.systems))
        ]
        return np.array(scores)

    def _sum(self, metric: int, system: int) -> NDArray[Any]:
        parts = (shard.sums[metric][system] for shard in self.shards)
        return as_row([sum(cells) for cells in zip(*parts, strict=True)])


def score_table(
    shards: Given,
    metrics: str | Metric | Sequence[str | Metric],
    *,
    references: Sequence[StrPath | Sequence[StrPath]] = (),
    folder: StrPath | None = None,
    site: Site | None = None,
    language: str = "",
    on_done: OnDone | None = None,
) -> BulkScores:
    """Corpus scores of many files, shard by shard: on processes, or on a Dask cluster.

    *shards* is a folder or a list of files that hold references and outputs, Parquet or any format
    of test sets; with *references*, folders or lists of text files side by side
    (:func:`rankwise.bulk.shards.shards_of`). What the name of a metric leaves open follows the
    *language*, or else that of the first shard: it is one choice for all. They are scored at a
    *site*, processes of this machine unless given; its workers read the files themselves. Sums are
    exact, so that neither the cut nor the site can change a score.

    With a *folder*, shard ``x`` leaves the scores of its segments in ``x.parquet`` and its sums in
    ``x.json``; when the same work is asked for again, shards whose files are there and whose input
    has not changed since are not computed again. *on_done* is called with how many shards are
    done now and how many segments were scored for them: none where they were there, or failed.
    A shard that cannot be scored is in ``failed`` and the others are scored all the same; systems
    that differ between shards are an error.
    """
    site = site or Site()
    todo = shards_of(shards, references)
    if site.engine == "dask":  # whose workers are at home elsewhere
        todo = [shard.absolute() for shard in todo]
        folder = None if folder is None else Path(folder).absolute()
    chosen = _metrics(metrics, todo, language, site)
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
    found = _kept(todo, chosen, folder)
    if found and on_done is not None:
        on_done(len(found), 0)
    left = [place for place in range(len(todo)) if place not in found]
    work = partial(score_shard, metrics=chosen, folder=folder)
    failed: dict[str, str] = {}
    items = [todo[place] for place in left]
    for done in site.run(work, items):
        place = left[done.place]
        if done.value is None:
            failed[todo[place].name] = str(done.error)
        else:
            found[place] = done.value
        if on_done is not None:
            on_done(1, done.value.segments if done.value else 0)
    parts = tuple(found[place] for place in sorted(found))
    _check_systems(parts)
    return BulkScores(chosen, parts, dict(sorted(failed.items())))


def score_shard(shard: Shard, *, metrics: Sequence[Metric], folder: StrPath | None) -> ShardSums:
    """The sums of one shard; runs on a worker. With a *folder*, its results are kept there."""
    work = _ShardWork(shard, metrics)
    if folder is None:
        for _ in work.statistics():
            pass
        return work.sums()
    signatures = [one.signature for one in metrics]
    kept = kept_sums(folder, shard, signatures)
    if kept is not None:  # by a worker that died before it could say so
        return kept
    key = shard_key(shard, signatures)  # of the files as they are before they are read
    write_segment_rows(
        work.scores(),
        Path(folder) / f"{shard.name}.parquet",
        format="parquet",
        metrics=[str(one) for one in metrics],
        facts=lambda: {"signatures": {str(one): one.signature for one in metrics}},
    )
    sums = work.sums()
    write_record(folder, key, sums)  # last: where it is, the scores are whole
    return sums


class _ShardWork:
    """Reads a shard block by block and adds up what it sees."""

    def __init__(self, shard: Shard, metrics: Sequence[Metric]) -> None:
        self._shard, self._metrics = shard, metrics
        self._systems: tuple[str, ...] = ()
        self._counts: set[int] = set()
        self._segments = 0
        self._sums: list[list[list[Exact]]] = []

    def statistics(self) -> Iterator[tuple[Block, Statistics]]:
        """Every block with its statistics, by metric and system; they are added up on the way."""
        for block in blocks_for(self._metrics, self._shard.blocks()):
            rows = [list(one.block_rows(block).values()) for one in self._metrics]
            self._add(block, rows)
            yield block, rows

    def scores(self) -> Iterator[SegmentRows]:
        """The scores of every block."""
        for block, rows in self.statistics():
            scores = [
                [one.segment_scores(part) for part in parts]
                for one, parts in zip(self._metrics, rows, strict=True)
            ]
            values = np.asarray(np.transpose(scores, (2, 1, 0)), np.float64)
            yield SegmentRows(block.ids, tuple(block.outputs), values)

    def _add(self, block: Block, rows: Statistics) -> None:
        sums = [[exact_sums(part) for part in parts] for parts in rows]
        self._sums = _added(self._sums, sums) if self._sums else sums
        self._systems = tuple(block.outputs)
        self._counts |= reference_counts(block)
        self._segments += len(block)

    def sums(self) -> ShardSums:
        """What was added up."""
        if not self._segments:
            raise DataError(f"{self._shard.paths[0]}: the shard holds no segment")
        sums = tuple(tuple(tuple(row) for row in rows) for rows in self._sums)
        counts = self._counts
        return ShardSums(
            self._shard.name, self._systems, self._segments, min(counts), max(counts), sums
        )


def _added(old: list[list[list[Exact]]], new: list[list[list[Exact]]]) -> list[list[list[Exact]]]:
    return [
        [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(*systems, strict=True)]
        for systems in zip(old, new, strict=True)
    ]


def shards_language(
    shards: Sequence[Shard], given: str = "", *, site: Site | None = None
) -> Language:
    """The target language of shards: the one given, or that of the first that can be read.

    A worker of a cluster looks, where files may be that are not here.
    """
    named = language_of((), given)
    if named.is_known:
        return named
    for shard in shards:
        found = _language(shard, given, site)
        if found is not None:
            return found
    return named


def _language(shard: Shard, given: str, site: Site | None) -> Language | None:
    """The language of one shard; None where it cannot be read, which is said when it is scored."""
    if site is not None and site.engine == "dask":
        [done] = site.run(partial(Shard.language, given=given), [shard])
        return done.value
    try:
        return shard.language(given)
    except (RankwiseError, OSError):
        return None


def _metrics(
    given: str | Metric | Sequence[str | Metric],
    shards: Sequence[Shard],
    language: str,
    site: Site,
) -> tuple[Metric, ...]:
    """The metrics, each once; where names leave something open, in the language of the shards."""
    several = [given] if isinstance(given, str | Metric) else given
    is_open = any(isinstance(one, str) for one in several)
    spoken = shards_language(shards, language, site=site) if is_open else None
    chosen = tuple(dict.fromkeys(metrics_of(several, spoken)))
    if not chosen:
        raise DataError("nothing to score: expected at least one metric")
    return chosen


def _kept(
    shards: Sequence[Shard], metrics: Sequence[Metric], folder: StrPath | None
) -> dict[int, ShardSums]:
    """By place: what an earlier run of the same work has finished."""
    signatures = [one.signature for one in metrics]
    kept = ((place, kept_sums(folder, shard, signatures)) for place, shard in enumerate(shards))
    return {place: sums for place, sums in kept if sums is not None}


def _check_systems(parts: Sequence[ShardSums]) -> None:
    for part in parts[1:]:
        if part.systems != parts[0].systems:
            raise DataError(
                f"shard {part.name!r} has the systems {', '.join(part.systems)}, but "
                f"{parts[0].name!r} has {', '.join(parts[0].systems)}"
            )
