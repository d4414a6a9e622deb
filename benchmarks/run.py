"""Run every benchmark, print the tables, and keep them in docs/explanation/benchmarks.md.

``--quick`` uses small sizes, to see that everything runs.
"""

import argparse
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "explanation" / "benchmarks.md"

#: Script, what it compares, its arguments, and smaller ones.
BENCHMARKS = (
    ("bench_metrics", "BLEU and chrF against sacreBLEU", ["--memory"], ["--segments", "300"]),
    (
        "bench_edits",
        "TER against sacreBLEU, WER and CER against rapidfuzz",
        [],
        ["--ter-lines", "5"],
    ),
    ("bench_significance", "Paired tests against sacreBLEU", [], ["--repeats", "1"]),
    ("bench_agree", "Ranked lists against plain Python", ["--memory"], ["--lists", "2000"]),
    ("bench_meta", "Meta-evaluation of metrics", [], ["--segments", "100"]),
    ("bench_meteor", "METEOR against the JVM", [], ["--segments", "200"]),
    (
        "bench_rank",
        "TrueSkill against the PyPI package, and whole rankings",
        [],
        ["--largest", "100000", "--runs", "20", "--matches", "100"],
    ),
    (
        "bench_systems",
        "Many systems, and Bradley-Terry against choix",
        [],
        ["--comparisons", "3000", "--systems", "10", "60", "--runs", "2"],
    ),
    (
        "bench_learn",
        "Learned metrics: scoring, features, learning",
        [],
        ["--segments", "300", "--pairs", "5000", "--permutations", "5000"],
    ),
    ("bench_startup", "Starting, and a small job end to end", [], []),
    ("bench_io", "Reading rankings", [], ["--comparisons", "20000"]),
    ("bench_io_texts", "Reading test sets and scores", [], ["--segments", "500"]),
)

#: Peers that multiply matrices get one thread as well.
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

INTRO = """\
# Benchmarks

The last run of `make bench` (`benchmarks/run.py`): ours and the peer on the same data, in the
same run, one thread, CPU seconds (the least of several runs). Ratios are what to read: the
machine was {load}. Real WMT data is used where the folder of shared data lies beside the
checkout, made-up text elsewhere. In the BLEU and chrF rows every line carries a number of its
own, because sacreBLEU keeps the tokens of lines it has seen.

{machine}
"""


def machine() -> str:
    """What ran this, without its name."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "unknown")
    cores = len(os.sched_getaffinity(0))
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "sacrebleu"))
    return f"{model}, {cores} cores; Python {platform.python_version()}, {packages}."


def main() -> None:
    """Run all, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="the name of one script")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    parts = [
        INTRO.format(machine=machine(), load="idle" if load < 1 else f"busy (load {load:.0f})")
    ]
    for script, title, usual, quick in BENCHMARKS:
        if options.only and options.only != script:
            continue
        print(f"== {title}", flush=True)
        command = [sys.executable, str(HERE / f"{script}.py"), *(quick if options.quick else usual)]
        done = subprocess.run(
            command, env=ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True
        )
        print(done.stdout, flush=True)
        parts.append(f"## {title}\n\n```text\n{done.stdout.rstrip()}\n```\n")
    if not (options.quick or options.only):
        PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
