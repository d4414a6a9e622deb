"""Builds of the native core side by side: whether their numbers are equal, and what each costs.

    python benchmarks/bench_builds.py FOLDER... [--segments 5000] [--repeats 5] [--instructions]

A FOLDER is where one build was put (``pip install --no-deps --target FOLDER WHEEL``); the packages
it needs are those of the environment. Times are CPU seconds of one thread, the least of the
repeats, the builds taking turns; ``--instructions`` counts what valgrind sees instead, which a
busy machine does not disturb. Every bit of the values is compared.
"""

import argparse
import functools
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

Task = Callable[[], np.ndarray]
METRICS = (
    "bleu",
    "chrf",
    "chrf:word_order=2",
    "ter",
    "wer",
    "cer",
    "meteor",
    "beer",
    "beer:model=soft",
    "beer:model=beer",
)
MODELS = ("trueskill", "trueskill:ways=5", "hopkins-may")


@dataclass(frozen=True)
class Run:
    """What one build did with one task: seconds or instructions, and a digest of the values."""

    cost: float
    digest: str


def scoring(name: str, segments: int) -> Task:
    """The scores of all segments by a metric."""
    from script_texts import texts

    import rankwise as rw

    hypotheses, references, _ = texts(segments)
    metric = rw.metric(name)
    metric.segments(hypotheses[:2], references[:2])  # tables are read once
    return lambda: metric.segments(hypotheses, references)


def ranking(name: str, segments: int) -> Task:
    """The ratings of the systems of the bundled example, and their deviations."""
    import rankwise as rw

    judgments = rw.example().judgments

    def ratings() -> np.ndarray:
        board = rw.rank(judgments, model=name, runs=max(1, segments // 20), seed=1)
        return np.concatenate([board.scores, board.deviations])

    return ratings


def resampling(segments: int) -> Task:
    """The scores of a system by BLEU on resampled segments."""
    from script_texts import texts

    import rankwise as rw
    from rankwise.significance import bootstrap

    bleu = rw.metric("bleu")
    rows = {"one": bleu.statistics(*texts(segments)[:2])}
    return lambda: bootstrap(rows, bleu, seed=1).resampled


def calibrating(segments: int) -> Task:
    """The accuracy of a metric with ties calibrated."""
    from rankwise.agreement.score_measures import score_measure

    random = np.random.default_rng(1)
    gold = -np.maximum(0, np.rint(3 * random.normal(size=(10, segments))))
    metric = 0.1 * gold + random.normal(size=gold.shape)
    return lambda: np.array([score_measure("acc-eq").of(gold, metric).value])


TASKS: dict[str, Callable[[int], Task]] = {
    **{name: functools.partial(scoring, name) for name in METRICS},
    **{name: functools.partial(ranking, name) for name in MODELS},
    "bootstrap": resampling,
    "acc-eq": calibrating,
}


def child(name: str, segments: int, calls: int, build: Path) -> None:
    """Call a task and print the least CPU seconds of a call, and a digest of its values."""
    from harness import cpu_seconds

    import rankwise

    if build.resolve() not in Path(rankwise.__file__).parents:
        raise SystemExit(f"{rankwise.__file__} is not of {build}")
    task = TASKS[name](segments)
    values: list[np.ndarray] = []
    seconds = min(cpu_seconds(lambda: values.append(task()) or 0.0)[0] for _ in range(calls))
    print(seconds, hashlib.sha256(np.ascontiguousarray(values[0]).tobytes()).hexdigest())


def ran(name: str, build: Path, segments: int, calls: int, before: tuple[str, ...] = ()) -> str:
    """What a child process printed."""
    command = [*before, sys.executable, __file__, str(build), "--segments", str(segments)]
    path = os.pathsep.join([str(build), str(Path(__file__).parent)])
    done = subprocess.run(
        [*command, "--task", name, "--calls", str(calls)],
        env={**os.environ, "PYTHONPATH": path, "RANKWISE_THREADS": "1", "PYTHONHASHSEED": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stdout)
    return done.stdout


def timed(name: str, build: Path, segments: int) -> Run:
    """The least CPU seconds of ten calls."""
    seconds, digest = ran(name, build, segments, 10).split()[-2:]
    return Run(float(seconds), digest)


def counted(name: str, build: Path, segments: int) -> Run:
    """Instructions of a call: those of a process with six calls less those of one with two."""
    valgrind = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null")
    outputs = [ran(name, build, segments, calls, valgrind) for calls in (2, 6)]
    few, many = (int(re.findall(r"Collected : (\d+)", text)[0]) for text in outputs)
    return Run((many - few) / 4, re.findall(r"\b[0-9a-f]{64}\b", outputs[0])[0])


def main() -> None:
    """Print a row per task: the cost of each build, its ratio to the first, and equality."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("builds", nargs="+", type=Path)
    parser.add_argument("--segments", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--task", choices=TASKS, help="one task, called in this process")
    parser.add_argument("--calls", type=int, default=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        child(options.task, options.segments, options.calls, options.builds[0])
        return
    measure = counted if options.instructions else timed
    repeats = 1 if options.instructions else options.repeats
    print(f"{'task':<24}" + "".join(f"{build.name:>24}" for build in options.builds) + "  equal")
    for name in TASKS:
        rounds = [
            [measure(name, build, options.segments) for build in options.builds]
            for _ in range(repeats)
        ]
        costs = [min(run.cost for run in runs) for runs in zip(*rounds, strict=True)]
        equal = len({run.digest for runs in rounds for run in runs}) == 1
        cells = [f"{cost:>16,.4g}{cost / costs[0]:>7.2f}x" for cost in costs]
        print(f"{name:<24}" + "".join(cells) + ("  yes" if equal else "  NO"), flush=True)


if __name__ == "__main__":
    main()
