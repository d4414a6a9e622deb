"""Scores of shards: the work on one of them, and the sum of all."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.bulk.shards import Shard, StrPath
from rankwise.engine import Engine, run
from rankwise.errors import DataError
from rankwise.evaluate.blocks import Block
from rankwise.evaluate.scores import reference_counts
from rankwise.io.files import write_text
from rankwise.io.segment_rows import SegmentRows, write_segment_rows
from rankwise.metrics import Metric, metric

Statistics = list[list[NDArray[Any]]]  # by metric and system


@dataclass(frozen=True, slots=True, eq=False)
class ShardSums:
    """Of one shard: how many segments and references, and the sums of statistics.

    ``sums[m][s]`` is the sum of the rows of metric m for system s, in whole numbers.
    """

    name: str
    systems: tuple[str, ...]
    segments: int
    fewest: int
    most: int
    sums: tuple[tuple[tuple[int, ...], ...], ...]


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
        counts = {n for shard in self.shards for n in (shard.fewest, shard.most)}
        return str(counts.pop()) if len(counts) == 1 else "var"

    @property
    def values(self) -> NDArray[np.float64]:
        """``[s, m]``: the corpus score of system s by metric m."""
        scores = [
            [
                float(chosen.score(np.array(self._sum(m, s))))
                for m, chosen in enumerate(self.metrics)
            ]
            for s in range(len(self.systems))
        ]
        return np.array(scores)

    def _sum(self, metric: int, system: int) -> list[int]:
        parts = (shard.sums[metric][system] for shard in self.shards)
        return [sum(cells) for cells in zip(*parts, strict=True)]


def score_table(
    shards: Sequence[Shard],
    metrics: Sequence[str | Metric],
    *,
    folder: StrPath | None = None,
    engine: Engine = "local",
    address: str | None = None,
    workers: int | None = None,
    on_done: Callable[[ShardSums], None] | None = None,
) -> BulkScores:
    """Score *shards* on an engine (see :func:`rankwise.engine.run`).

    With a *folder*, shard ``x`` leaves the scores of its segments in ``x.parquet`` and its sums in
    ``x.json``; when the same work is asked for again, shards whose files are there and whose input
    has not changed since are not computed again. *on_done* hears of every shard as it is finished.
    A shard that cannot be scored is in ``failed`` and the others are scored all the same; systems
    that differ between shards are an error.
    """
    chosen = tuple(metric(name) if isinstance(name, str) else name for name in metrics)
    if not chosen or not shards:
        raise DataError("nothing to score: expected at least one metric and one shard")
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
    work = partial(score_shard, metrics=tuple(m.signature for m in chosen), folder=folder)
    found: dict[int, ShardSums] = {}
    failed: dict[str, str] = {}
    for done in run(work, shards, engine=engine, address=address, workers=workers):
        if done.value is None:
            failed[shards[done.place].name] = str(done.error)
            continue
        found[done.place] = done.value
        if on_done is not None:
            on_done(done.value)
    parts = tuple(found[place] for place in sorted(found))
    _check_systems(parts)
    return BulkScores(chosen, parts, dict(sorted(failed.items())))


def score_shard(shard: Shard, *, metrics: Sequence[str], folder: StrPath | None) -> ShardSums:
    """The sums of one shard, taken from *folder* if they are there; runs on a worker."""
    chosen = [metric(name) for name in metrics]
    if folder is None:
        work = _ShardWork(shard, chosen)
        for _ in work.statistics():
            pass
        return work.sums()
    key, record = _key(shard, metrics), Path(folder) / f"{shard.name}.json"
    kept = _kept(record, key)
    if kept is not None and record.with_suffix(".parquet").exists():
        return kept
    work = _ShardWork(shard, chosen)
    write_segment_rows(
        work.scores(),
        record.with_suffix(".parquet"),
        format="parquet",
        metrics=[str(one) for one in chosen],
        facts=lambda: {"signatures": {str(one): one.signature for one in chosen}},
    )
    sums = work.sums()
    # The record comes last: where it is, the scores are whole.
    with write_text(record) as stream:
        json.dump({"key": key, **_as_dict(sums)}, stream, ensure_ascii=False)
    return sums


class _ShardWork:
    """Reads a shard block by block and adds up what it sees."""

    def __init__(self, shard: Shard, metrics: Sequence[Metric]) -> None:
        self._shard, self._metrics = shard, metrics
        self._systems: tuple[str, ...] = ()
        self._counts: set[int] = set()
        self._segments = 0
        self._sums: Statistics = []

    def statistics(self) -> Iterator[tuple[Block, Statistics]]:
        """Every block with its statistics, by metric and system; they are added up on the way."""
        for block in self._shard.blocks():
            rows = [
                [one.statistics(texts, block.references) for texts in block.outputs.values()]
                for one in self._metrics
            ]
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
        sums = [[part.sum(axis=0) for part in parts] for parts in rows]
        if self._sums:
            pairs = zip(self._sums, sums, strict=True)
            sums = [[a + b for a, b in zip(old, new, strict=True)] for old, new in pairs]
        self._sums = sums
        self._systems = tuple(block.outputs)
        self._counts |= reference_counts(block)
        self._segments += len(block)

    def sums(self) -> ShardSums:
        """What was added up."""
        if not self._segments:
            raise DataError(f"{self._shard.paths[0]}: the shard holds no segment")
        sums = tuple(tuple(tuple(int(cell) for cell in row) for row in rows) for rows in self._sums)
        counts = self._counts
        return ShardSums(
            self._shard.name, self._systems, self._segments, min(counts), max(counts), sums
        )


def _key(shard: Shard, metrics: Sequence[str]) -> str:
    """What decides a shard's result: its files, by size and time of change, and the metrics."""
    facts = [(path, (s := Path(path).stat()).st_size, s.st_mtime_ns) for path in shard.paths]
    named = [system for system, _ in shard.outputs]
    return sha256(json.dumps([facts, named, list(metrics)]).encode()).hexdigest()


def _as_dict(sums: ShardSums) -> dict[str, Any]:
    return {name: getattr(sums, name) for name in ShardSums.__slots__}


def _kept(record: Path, key: str) -> ShardSums | None:
    """The sums of an earlier run of the same work; None where there is none."""
    try:
        found = json.loads(record.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.pop("key", None) != key:
        return None
    found["systems"] = tuple(found["systems"])
    found["sums"] = tuple(tuple(tuple(row) for row in rows) for rows in found["sums"])
    return ShardSums(**found)


def _check_systems(parts: Sequence[ShardSums]) -> None:
    for part in parts[1:]:
        if part.systems != parts[0].systems:
            raise DataError(
                f"shard {part.name!r} has the systems {', '.join(part.systems)}, but "
                f"{parts[0].name!r} has {', '.join(parts[0].systems)}"
            )
