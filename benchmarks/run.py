"""Run every benchmark, print the tables, and write docs/explanation/benchmarks.md with pictures.

``--quick`` uses small sizes, to see that everything runs; the page then goes where ``--page`` says,
or nowhere. Rows in which a peer is ahead are red, on the terminal and on the page. A part that
takes longer than ``--limit``, or than what is left of ``--total``, is ended, and the page says so.
A part that fails is named there too; the rest is measured, and the exit code is 1.
"""

import argparse
import html
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from pictures import growth_lines, peer_bars

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "explanation" / "benchmarks.md"


class Printed(NamedTuple):
    """What a script printed, and whether it ended with an error."""

    text: str
    has_failed: bool = False


class Part(NamedTuple):
    """A script, what it compares, its arguments, smaller ones, and how many limits it may take."""

    script: str
    title: str
    usual: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    shares: int = 1


PARTS = (
    Part(
        "bench_peers",
        "Every peer in every script",
        quick=("--segments", "20", "--scripts", "Latin", "Han"),
        shares=2,
    ),
    Part(
        "bench_growth",
        "How cost grows",
        quick=("--largest", "1000", "--patience", "0.5"),
    ),
    Part("bench_metrics", "BLEU and chrF against sacreBLEU", ("--memory",), ("--segments", "300")),
    Part(
        "bench_edits",
        "TER against sacreBLEU, WER and CER against rapidfuzz",
        quick=("--ter-lines", "5"),
    ),
    Part("bench_significance", "Paired tests against sacreBLEU", quick=("--repeats", "1")),
    Part(
        "bench_agree",
        "Ranked lists against plain Python, and alpha of judges",
        ("--memory",),
        ("--lists", "2000"),
    ),
    Part("bench_meta", "Meta-evaluation of metrics", quick=("--segments", "100")),
    Part("bench_meteor", "METEOR against the JVM", quick=("--segments", "200")),
    Part(
        "bench_rank",
        "TrueSkill against its package and openskill, and whole rankings",
        quick=("--largest", "100000", "--runs", "20", "--matches", "100"),
    ),
    Part(
        "bench_systems",
        "Many systems, and Bradley-Terry against choix",
        quick=("--comparisons", "3000", "--systems", "10", "60", "--runs", "2"),
    ),
    Part(
        "bench_learn",
        "Learned metrics: scoring, features, learning",
        quick=("--segments", "300", "--pairs", "5000", "--permutations", "5000"),
    ),
    Part(
        "bench_startup",
        "Commands, from start to end",
        quick=("--lines", "200", "--repeats", "1"),
    ),
    Part("bench_shards", "Shards", quick=("--pairs", "2000", "--shards", "20")),
    Part("bench_io", "Reading rankings", quick=("--comparisons", "20000")),
    Part("bench_io_texts", "Reading test sets and scores", quick=("--segments", "500")),
)

#: Peers that multiply matrices get one thread as well.
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

#: What is named beside the machine, where it is installed.
PACKAGES = (
    *("numpy", "scipy", "sacrebleu", "bleuscore", "fastchrf", "rapidfuzz", "Levenshtein", "jiwer"),
    *("nltk", "torchmetrics", "trueskill", "openskill", "choix", "krippendorff", "distributed"),
)

INTRO = """\
# Benchmarks

One run of `make bench` (`benchmarks/run.py`) wrote this whole page: ours and the peer on the same
data, in the same run, CPU seconds of one thread (the least of several runs). **Ratios are what to
read**: how many times faster ours is. A row in red is one in which a peer is ahead. Real WMT data
is used where the folder of shared data lies beside the checkout, made-up text elsewhere. Every
line carries a number of its own, because sacreBLEU keeps the tokens of lines it has seen, and a
peer is made afresh for every run. Memory is what the peak of a fresh process grows by.

{machine}

The machine was {load}.
"""

PICTURES = """\
![CPU time of peers over ours, one bar for each task and peer](benchmarks-peers.svg)

![CPU seconds by size, with fitted exponents](benchmarks-growth.svg)
"""

#: A ratio below one, as the tables write it.
_BEHIND = re.compile(r"(?<![\d.,])0\.\d+x")
_RED, _PLAIN = "\033[31m", "\033[0m"


def machine() -> str:
    """What ran this, without its name."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "unknown")
    cores = len(os.sched_getaffinity(0))
    packages = ", ".join(f"{name} {found}" for name in PACKAGES if (found := _version(name)))
    return f"{model}, {cores} cores; Python {platform.python_version()}, {packages}."


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def load_words(before: float, after: float) -> str:
    """How busy the machine was, from the load averages of both ends of the run."""
    ends = f"load {before:.1f} at the start, {after:.1f} at the end"
    return f"idle ({ends})" if max(before, after) < 1.5 else f"busy ({ends}): times are too long"


def block(text: str) -> str:
    """A table for the page, its rows in red where a peer is ahead."""
    if not _BEHIND.search(text):
        return f"```text\n{text}\n```\n"
    lines = [html.escape(line, quote=False) or " " for line in text.splitlines()]
    red = '<span style="color: #c62828">{}</span>'
    marked = [red.format(line) if _BEHIND.search(line) else line for line in lines]
    return "<pre>\n" + "\n".join(marked) + "\n</pre>\n"


def coloured(text: str) -> str:
    """The same for a terminal."""
    if not sys.stdout.isatty():
        return text
    lines = text.splitlines()
    return "\n".join(f"{_RED}{x}{_PLAIN}" if _BEHIND.search(x) else x for x in lines)


def run(part: Part, arguments: tuple[str, ...], limit: float) -> tuple[Printed, dict[str, Any]]:
    """What a script printed within *limit* seconds, and the JSON it wrote if it writes any."""
    script = HERE / f"{part.script}.py"
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        writes = '"--json"' in script.read_text(encoding="utf-8")
        command = [sys.executable, "-W", "ignore", str(script), *arguments]
        command += ["--json", str(found)] if writes else []
        printed = output(command, limit)
        data = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else {}
    return printed, data


def output(command: list[str], limit: float) -> Printed:
    """What a program printed; ended, with all it started, after *limit* seconds."""
    if limit <= 0:
        return Printed("(not measured: the whole run had taken all its time)")
    environment = {**ONE_THREAD, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        try:
            text = program.communicate(timeout=limit)[0].rstrip()
        except subprocess.TimeoutExpired:
            os.killpg(program.pid, signal.SIGKILL)
            text = program.communicate()[0].rstrip()
            return Printed(f"{text}\n(ended after {limit:.0f} s; the rest was not measured)")
    if program.returncode == 0:
        return Printed(text)
    why = f"(failed with exit code {program.returncode}; the rest was not measured)"
    return Printed(f"{text}\n{why}", has_failed=True)


def write_page(page: Path, parts: list[str], data: list[dict[str, Any]]) -> None:
    """The page, and the pictures beside it."""
    timings = [row for found in data for row in found.get("timings", [])]
    growth = [row for found in data for row in found.get("growth", [])]
    if timings:
        peer_bars(timings, page.with_name("benchmarks-peers.svg"))
    if growth:
        growth_lines(growth, page.with_name("benchmarks-growth.svg"))
    page.write_text("\n".join(parts), encoding="utf-8")


def main() -> None:
    """Run all, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="SCRIPT", help="names of scripts")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds of a part at most")
    parser.add_argument("--total", type=float, default=1200.0, help="seconds of all at most")
    parser.add_argument("--page", type=Path, help="where to write the page")
    options = parser.parse_args()
    chosen = [part for part in PARTS if not options.only or part.script in options.only]
    before, tables, data = os.getloadavg()[0], [], []
    end, failed = time.perf_counter() + options.total, []
    for part in chosen:
        print(f"== {part.title}", flush=True)
        started = time.perf_counter()
        arguments = part.quick if options.quick else part.usual
        limit = min(part.shares * options.limit, end - started)
        printed, found = run(part, arguments, limit)
        failed += [part.script] if printed.has_failed else []
        text = printed.text + f"\n\n{time.perf_counter() - started:.0f} s in all"
        print(coloured(text), flush=True)
        tables.append(f"## {part.title}\n\n{block(text)}")
        data.append(found)
    page = options.page or (None if options.quick or options.only else PAGE)
    if page is not None:
        load = load_words(before, os.getloadavg()[0])
        intro = INTRO.format(machine=machine(), load=load)
        write_page(page, [intro, PICTURES, *tables], data)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
