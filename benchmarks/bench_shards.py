"""What it costs to cut work into shards: for one of them, for two processes, for a thousand.

    python benchmarks/bench_shards.py [--pairs 200000] [--shards 1000] [--json FILE]

CPU seconds of this process and its children, less those of starting them, since the wall time of
two processes says nothing on a busy machine. The last rows are a Dask cluster of two workers whose
memory is so small that results wait on disk.
"""

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from script_texts import texts

from rankwise.bulk import score_table
from rankwise.bulk.score import score_shard
from rankwise.bulk.shards import shards_of
from rankwise.engine import Site
from rankwise.metrics import metric

METRICS = ("bleu", "chrf")


def write_shards(folder: Path, pairs: int, shards: int) -> list[Path]:
    """Folders ``ref`` and ``sys`` of equally named files, together *pairs* lines."""
    hypotheses, references, _ = texts(min(pairs, 50_000))
    for side, lines in (("ref", references), ("sys", hypotheses)):
        place = folder / side
        place.mkdir(parents=True)
        flat = [" ".join(line.split()) for line in lines]
        for number in range(shards):
            cut = range(number * pairs // shards, (number + 1) * pairs // shards)
            text = "".join(f"{flat[i % len(flat)]}\n" for i in cut)
            (place / f"{number:05}.txt").write_text(text, encoding="utf-8")
    return [folder / "sys", folder / "ref"]


def used(task: Callable[[], object]) -> tuple[float, float]:
    """CPU seconds of this process and of children that ended, and wall seconds."""
    before, start = _cpu(), time.perf_counter()
    task()
    return _cpu() - before, time.perf_counter() - start


def _cpu() -> float:
    sides = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, sides))


def overhead(folder: Path, shards: int) -> float:
    """Milliseconds that a shard of one line takes, in this process."""
    outputs, references = write_shards(folder / "tiny", shards, shards)
    chosen = [metric(name) for name in METRICS]
    found = shards_of([outputs], [references])
    cpu, _ = used(lambda: [score_shard(shard, metrics=chosen, folder=None) for shard in found])
    return cpu / shards * 1e3


def spread(folder: Path, pairs: int, shards: int) -> dict[str, tuple[float, float]]:
    """CPU and wall seconds of the same pairs on one process and on two."""
    outputs, references = write_shards(folder / "large", pairs, shards)

    def run(workers: int) -> None:
        score_table([outputs], METRICS, references=[references], site=Site(workers=workers))

    return {f"processes: {workers}": used(partial(run, workers)) for workers in (1, 2)}


def spilled(folder: Path, pairs: int, shards: int) -> tuple[float, float]:
    """CPU and wall seconds on a cluster whose workers keep results on disk."""
    from distributed import LocalCluster

    outputs, references = write_shards(folder / "many", pairs, shards)

    def run() -> None:
        with LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            memory_limit="400MB",
            dashboard_address=None,
            local_directory=str(folder),
        ) as cluster:
            site = Site(engine="dask", address=cluster.scheduler_address)
            score_table([outputs], METRICS, references=[references], site=site)

    return used(run)


def main() -> None:
    """Measure, print, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    os.environ["RANKWISE_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        milliseconds = overhead(folder, min(options.shards, 200))
        print(f"a shard of one line, BLEU and chrF: {milliseconds:.2f} ms of CPU")
        found = spread(folder, options.pairs, 10)
        found[f"Dask, {options.shards:,} shards"] = spilled(folder, options.pairs, options.shards)
    one = found["processes: 1"][0]
    print(f"{options.pairs:,} pairs, BLEU and chrF, processes started and ended")
    print(f"{'where':<24}{'CPU s':>8}{'wall s':>8}{'CPU of one process':>20}")
    for where, (cpu, wall) in found.items():
        print(f"{where:<24}{cpu:>8.2f}{wall:>8.2f}{cpu / one:>19.2f}×")
    if options.json:
        rows = {"shard_milliseconds": milliseconds, "seconds": found}
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
