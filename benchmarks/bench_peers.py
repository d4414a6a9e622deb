"""Every installed peer in every script: CPU time and peak memory of both, one thread and all.

    python benchmarks/bench_peers.py [--segments 1000] [--scripts Latin Han] [--json FILE]

Lines are distinct and peers made afresh. CPU seconds are the least of several runs, taken in turns;
then come our wall seconds with one thread and with all, and memory: what the peak of a fresh
process grows by, in the first script.
"""

import argparse
import functools
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from harness import Timing, compare, in_fresh_process, peak_megabytes, table, write_json
from peers import Peer, installed, missing
from script_texts import SCRIPTS, texts_in

from rankwise.metrics import metric

#: What we call what peers compute; sentence scores are averaged.
OURS = {
    "BLEU": "bleu",
    "sentence BLEU": "bleu",
    "chrF": "chrf",
    "sentence chrF": "chrf",
    "chrF++": "chrf:word_order=2",
    "TER": "ter",
    "WER": "wer",
    "CER": "cer",
}


def ours(task: str) -> Callable[[list[str], list[str]], float]:
    """What gives our score, with the options that peers have in every language."""
    chosen = metric(OURS[task])
    if not task.startswith("sentence"):
        return chosen.corpus
    return lambda hypotheses, references: float(chosen.segments(hypotheses, references).mean())


def our_run(task: str, script: str, count: int) -> Callable[[], float]:
    """What a fresh process is asked to do, its texts in place."""
    hypotheses, references, _ = texts_in(script, count)
    score = ours(task)
    score(hypotheses[:2], references[:2])  # what is loaded first is no memory of the job
    return lambda: score(hypotheses, references)


def peer_run(place: int, script: str, count: int) -> Callable[[], float]:
    """The same for a peer, by its place among those installed."""
    hypotheses, references, _ = texts_in(script, count)
    peer = installed()[place]
    peer.score(hypotheses[:2], references[:2])
    return lambda: peer.score(hypotheses, references)


def wall_seconds(script: str, count: int) -> list[float]:
    """The least wall time of three runs, task by task."""
    found = []
    for run in [our_run(task, script, count) for task in OURS]:
        times = []
        for _ in range(3):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        found.append(min(times))
    return found


def row(peer: Peer, script: str, segments: int) -> Timing:
    """One peer on one script."""
    count = min(segments, peer.most)
    hypotheses, references, _ = texts_in(script, count)
    peer.score(hypotheses[:2], references[:2])  # what is loaded first is no part of the job
    return compare(
        f"{script}: {peer.task}",
        count,
        functools.partial(ours(peer.task), hypotheses, references),
        functools.partial(peer.score, hypotheses, references),
        peer=peer.name,
        is_same=peer.is_same,
    )


def memory_lines(script: str, segments: int) -> Iterator[str]:
    """The peak of memory that every peer adds, and ours for the same job."""
    yield f"{'task':<26}{'peer':<20}{'items':>9}{'ours MB':>9}{'peer MB':>9}"
    for place, peer in enumerate(installed()):
        count = min(segments, peer.most)
        used = (
            peak_megabytes(functools.partial(our_run, peer.task, script, count)),
            peak_megabytes(functools.partial(peer_run, place, script, count)),
        )
        yield f"{peer.task:<26}{peer.name:<20}{count:>9,}{used[0]:>9.1f}{used[1]:>9.1f}"


def threads_table(script: str, segments: int) -> str:
    """Our wall time with one thread and with all, by task."""
    job = functools.partial(wall_seconds, script, segments)
    cores = str(len(os.sched_getaffinity(0)))  # said, or the harness would take one
    one, every = (in_fresh_process(job, RANKWISE_THREADS=threads) for threads in ("1", cores))
    lines = [f"{'task':<26}{'items':>9}{'1 thread s':>12}{'all s':>10}{'speed-up':>10}"]
    for task, a, b in zip(OURS, one, every, strict=True):
        lines.append(f"{task:<26}{segments:>9,}{a:>12.4f}{b:>10.4f}{a / b:>10.1f}")
    return "\n".join(lines)


def main() -> None:
    """Measure, print tables, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=1000)
    parser.add_argument("--scripts", nargs="+", default=list(SCRIPTS))
    parser.add_argument("--no-memory", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print(f"not installed, so not measured: {', '.join(missing()) or 'none'}")
    timings: list[Timing] = []
    for script in options.scripts:
        source = texts_in(script, 1)[2]
        here = [row(peer, script, options.segments) for peer in installed()]
        timings += here
        print(f"\n{script} ({source}), one core\n{table(here)}", flush=True)
        if options.json:  # what is there should the run be ended
            write_json(options.json, timings)
    first = options.scripts[0]
    print(f"\nwall time by threads, {first}\n{threads_table(first, 10 * options.segments)}")
    if not options.no_memory:
        print(f"\nmemory, {first}", flush=True)
        for line in memory_lines(first, options.segments):
            print(line, flush=True)


if __name__ == "__main__":
    main()
