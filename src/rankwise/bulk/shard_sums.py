"""The sums of one shard, and the record that says that it is done."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

from rankwise.bulk.shards import Shard, StrPath
from rankwise.io.files import write_text
from rankwise.types.sums import Exact

Sums = tuple[tuple[tuple[Exact, ...], ...], ...]  # by metric, system and statistic


@dataclass(frozen=True, slots=True)
class ShardSums:
    """Of one shard: how many segments and references, and the exact sums of statistics.

    ``sums[m][s]`` is the sum of the rows of metric m for system s, without any rounding.
    """

    name: str
    systems: tuple[str, ...]
    segments: int
    fewest: int
    most: int
    sums: Sums


def shard_key(shard: Shard, signatures: Sequence[str]) -> str:
    """What decides a shard's result: its files, by size and time of change, and the metrics."""
    found = [(Path(path).absolute(), Path(path).stat()) for path in shard.paths]
    facts = [(str(path), status.st_size, status.st_mtime_ns) for path, status in found]
    named = [system for system, _ in shard.outputs]
    return sha256(json.dumps([facts, named, list(signatures)]).encode()).hexdigest()


def write_record(folder: StrPath, key: str, sums: ShardSums) -> None:
    """Write ``NAME.json``, which appears when it is complete."""
    cells = [[[_written(cell) for cell in row] for row in rows] for rows in sums.sums]
    found = {name: getattr(sums, name) for name in ShardSums.__slots__}
    with write_text(Path(folder) / f"{sums.name}.json") as stream:
        json.dump({"key": key, **found, "sums": cells}, stream, ensure_ascii=False)


def kept_sums(folder: StrPath | None, shard: Shard, signatures: Sequence[str]) -> ShardSums | None:
    """The sums that an earlier run of the same work left in *folder*; None where it left none."""
    if folder is None:
        return None
    record = Path(folder) / f"{shard.name}.json"
    try:
        found = json.loads(record.read_text("utf-8"))
        if found.pop("key") != shard_key(shard, signatures):
            return None
        if not record.with_suffix(".parquet").exists():
            return None
        found["systems"] = tuple(found["systems"])
        found["sums"] = tuple(
            tuple(tuple(map(_read, row)) for row in rows) for rows in found["sums"]
        )
        return ShardSums(**found)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):  # not one of our records
        return None


def _written(cell: Exact) -> int | str:
    """JSON has no fractions: they are texts, ``3/4``."""
    return cell if isinstance(cell, int) else str(cell)


def _read(cell: int | str) -> Exact:
    return cell if isinstance(cell, int) else Fraction(cell)
