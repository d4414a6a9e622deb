"""Ten million pairs, four ways: a plain loop, two processes, a cluster, a cluster with a death.

    python experiments/scale_run.py --pairs 10_000_000 --output scale.json

Text shards are made with a seed in a temporary folder, which is deleted at the end. Every way runs
in a process of its own, so that its memory is its own; all must give the same scores, bit for bit.
The plain loop shares no code with the others but the metrics: it reads lines, adds rows, scores.
"""

import argparse
import json
import multiprocessing
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

METRICS = ("bleu", "chrf")
WORDS, SHORTEST, LONGEST, WRONG = 30_000, 6, 20, 0.3
MEGABYTE = 1 << 20


# -- the data --------------------------------------------------------------------------------------


def vocabulary(random):
    """Words of 2-9 letters, each once with a space behind it and once with the end of a line."""
    lengths = random.integers(2, 10, WORDS)
    letters = [bytes(random.integers(97, 123, n).astype(np.uint8)) for n in lengths]
    words = [word + b" " for word in letters] + [word + b"\n" for word in letters]
    sizes = np.array([len(word) for word in words])
    return np.frombuffer(b"".join(words), np.uint8), np.cumsum(sizes) - sizes, sizes


def joined(ids, words):
    """The bytes of the words with these numbers."""
    letters, starts, sizes = words
    ends = np.cumsum(sizes[ids])
    places = np.repeat(starts[ids] - (ends - sizes[ids]), sizes[ids]) + np.arange(ends[-1])
    return letters[places].tobytes()


def write_shard(folder, name, count, words, random):
    """References of Zipf's words, and outputs that have some of the words wrong."""
    ends = np.cumsum(random.integers(SHORTEST, LONGEST + 1, count))
    ids = np.minimum(random.zipf(1.2, ends[-1]), WORDS) - 1
    wrong = random.random(len(ids)) < WRONG * random.random(len(ids))
    texts = {"ref": ids, "system": np.where(wrong, random.permutation(ids), ids)}
    for side, chosen in texts.items():
        (folder / side).mkdir(parents=True, exist_ok=True)
        last = np.zeros(len(ids), np.int64)
        last[ends - 1] = WORDS
        (folder / side / name).write_bytes(joined(chosen + last, words))


def generate(folder, pairs, shards, seed):
    random = np.random.default_rng(seed)
    words = vocabulary(random)
    for number in range(shards):
        count = pairs * (number + 1) // shards - pairs * number // shards
        write_shard(folder, f"part-{number:05}.txt", count, words, random)


# -- the ways --------------------------------------------------------------------------------------


def plain(folder):
    """One process and one thread, without any of the engine."""
    import rankwise as rw

    chosen = [rw.metric(name) for name in METRICS]
    totals = [0 for _ in chosen]
    for path in sorted((folder / "ref").iterdir()):
        sides = [(folder / side / path.name).read_text("utf-8") for side in ("system", "ref")]
        outputs, references = (text.removesuffix("\n").split("\n") for text in sides)
        for k, one in enumerate(chosen):
            totals[k] = totals[k] + one.statistics(outputs, references).sum(axis=0)
    return {"scores": [float(m.score(t)) for m, t in zip(chosen, totals, strict=True)]}


def processes(folder, *, workers=2, output=None):
    """The engine ``local``; the memory of its processes is asked for while they live."""
    peaks = [0.0]

    def ask(*_):
        living = [process.pid for process in multiprocessing.active_children()]
        peaks[0] = max(peaks[0], *map(peak, living))

    found = _scored(folder, site=_site(workers=workers), folder=output, on_done=ask)
    return {"scores": found.values[0].tolist(), "worker_mb": peaks[0]}


def cluster(folder, *, victim=False):
    import distributed

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options, processes=True) as running:
        start, done, killed = time.monotonic(), [0], []
        pids = [worker.pid for worker in running.workers.values()]
        shards = len(list((folder / "ref").iterdir()))

        def count(finished, _):
            done[0] += finished
            if victim and not killed and 2 * done[0] >= shards:
                killed.append(time.monotonic() - start)
                os.kill(pids[0], signal.SIGKILL)

        address = running.scheduler_address
        found = _scored(folder, site=_site("dask", address), on_done=count)
        seconds = time.monotonic() - start
        with distributed.Client(address, set_as_default=False) as client:
            peaks = list(client.run(peak).values())
    facts = {"scores": found.values[0].tolist(), "worker_mb": max(peaks), "seconds": seconds}
    return facts | ({"killed_after": killed[0]} if killed else {})


def _site(*options, **named):
    import rankwise as rw

    return rw.Site(*options, **named)


def _scored(data, **options):
    import rankwise as rw

    found = rw.score_table([data / "system"], METRICS, references=[data / "ref"], **options)
    if found.failed:
        raise SystemExit(f"failed: {found.failed}")
    return found


def peak(process="self"):
    """The most memory that a process ever held, in MB; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    except FileNotFoundError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


WAYS = {
    "plain": plain,
    "1 process": lambda folder: processes(folder, workers=1),
    "2 processes": processes,
    "2 processes, Parquet": lambda f: processes(f, output=f.with_name("out")),
    "2 workers of Dask": cluster,
    "2 workers, 1 killed": lambda folder: cluster(folder, victim=True),
}


def measured(way, folder):
    """Seconds, CPU seconds of all processes, memory and scores; a cluster starts before."""
    load, start = os.getloadavg()[0], time.monotonic()
    found = WAYS[way](folder)
    facts = {
        "way": way,
        "seconds": time.monotonic() - start,
        "cpu_seconds": sum(os.times()[:4]),
        "own_mb": peak(),
        "load": load,
    }
    return facts | found


def costs(seed, pairs=20_000):
    """CPU seconds of each metric for one pair, on one thread."""
    os.environ |= {"RANKWISE_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    import rankwise as rw

    with tempfile.TemporaryDirectory(prefix="rankwise-scale-") as folder:
        generate(Path(folder), pairs, 1, seed)
        sides = [(Path(folder) / side / "part-00000.txt") for side in ("system", "ref")]
        outputs, references = (path.read_text("utf-8").splitlines() for path in sides)
    for name in ("bleu", "wer", "ter", "chrf", "chrf:word_order=2", "meteor", "softmatch"):
        chosen = rw.metric(name)
        chosen.statistics(outputs[:100], references[:100])  # what is loaded once does not count
        start = time.process_time()
        chosen.statistics(outputs, references)
        print(f"{name:18} {(time.process_time() - start) / pairs * 1e6:7.2f} µs a pair")


# -- all of it -------------------------------------------------------------------------------------


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--shards", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", nargs="*", default=list(WAYS))
    parser.add_argument("--output", type=Path)
    parser.add_argument("--costs", action="store_true", help="of the metrics alone")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measured(given.one[0], Path(given.one[1]))))
        return
    if given.costs:
        costs(given.seed)
        return
    rows = run_all(given)
    report(rows, given)


def run_all(given):
    rows = []
    with tempfile.TemporaryDirectory(prefix="rankwise-scale-") as folder:
        data, start = Path(folder) / "data", time.monotonic()
        generate(data, given.pairs, given.shards, given.seed)
        size = sum(path.stat().st_size for path in data.rglob("*.txt")) / MEGABYTE
        print(f"{size:.0f} MB in {time.monotonic() - start:.0f} s", file=sys.stderr)
        for way in given.ways:
            command = [sys.executable, __file__, "--one", way, str(data)]
            environment = os.environ | {"RANKWISE_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
            done = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, check=True, text=True
            )
            rows.append(json.loads(done.stdout) | {"data_mb": size})
            written = Path(folder) / "out"
            if written.exists():
                bytes_ = sum(path.stat().st_size for path in written.iterdir())
                rows[-1]["written_mb"] = bytes_ / MEGABYTE
                shutil.rmtree(written)
            print(json.dumps(rows[-1]), file=sys.stderr)
    return rows


def report(rows, given):
    """A table, and whether all scores are the same to the last bit."""
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} CPUs")
    for row in rows:
        rate, busy = given.pairs / row["seconds"], given.pairs / row["cpu_seconds"]
        memory = row.get("worker_mb", row["own_mb"])
        wall = f"{row['seconds']:7.1f} s {rate:9,.0f}/s"
        cpu = f"{row['cpu_seconds']:7.1f} CPU s {busy:9,.0f}/CPU s"
        print(f"{row['way']:22} {wall} {cpu} {memory:6.0f} MB")
    same = all(row["scores"] == rows[0]["scores"] for row in rows)
    print(f"scores {rows[0]['scores']}: {'equal bit for bit' if same else 'NOT EQUAL'}")
    if given.output is not None:
        given.output.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
