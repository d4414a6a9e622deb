"""What a command costs before it does anything, and whole jobs, end to end.

    python benchmarks/bench_startup.py [--lines 2000 100000] [--repeats 7]

CPU and wall seconds of a process, the smallest of several runs, and the peak of its memory;
``python -c pass`` is the floor. The jobs are corpus BLEU from files, ours and sacreBLEU's command.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from harness import ratio_text
from script_texts import texts

BIN = Path(sys.executable).parent


class Cost(NamedTuple):
    """What a process took: seconds of CPU and of the wall, and megabytes at its peak."""

    cpu: float
    wall: float
    megabytes: float


def cost(command: list[str], repeats: int) -> Cost:
    """The least of several runs."""
    found = [_once(command) for _ in range(repeats)]
    return Cost(*(min(values) for values in zip(*found, strict=True)))


def _once(command: list[str]) -> Cost:
    start = time.perf_counter()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    quiet = [(os.POSIX_SPAWN_DUP2, nowhere, stream) for stream in (1, 2)]
    child = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    _, status, used = os.wait4(child, 0)
    os.close(nowhere)
    if status:
        raise RuntimeError(f"{' '.join(command)} ended with {status}")
    wall = time.perf_counter() - start
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def starts() -> dict[str, list[str]]:
    """Commands that do nothing yet."""
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import rankwise": [sys.executable, "-c", "import rankwise"],
        "rankwise --help": [str(BIN / "rankwise"), "--help"],
        "sacrebleu --help": [str(BIN / "sacrebleu"), "--help"],
    }


def jobs(folder: Path, lines: int) -> dict[str, list[str]]:
    """BLEU of so many lines; the last is the peer's."""
    hypotheses, references, _ = texts(lines)
    paths = {"hyp": hypotheses, "ref": references}
    for name, content in paths.items():
        text = "".join(" ".join(line.split()) + "\n" for line in content)
        (folder / f"{name}{lines}.txt").write_text(text, encoding="utf-8")
    hyp, ref = (str(folder / f"{name}{lines}.txt") for name in paths)
    rankwise, peer = str(BIN / "rankwise"), str(BIN / "sacrebleu")
    score = [rankwise, "score", "-r", ref, hyp, "-m", "bleu"]
    return {
        "rankwise score --resamples 0": [*score, "--resamples", "0"],
        "rankwise score, with intervals": score,
        "rankwise sacrebleu": [rankwise, "sacrebleu", ref, "-i", hyp, "-m", "bleu"],
        "sacrebleu": [peer, ref, "-i", hyp, "-m", "bleu"],
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, nargs="+", default=[2000, 100_000])
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    os.environ["RANKWISE_THREADS"] = "1"
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every start would compile our modules
    print(f"{'command':<44}{'CPU s':>8}{'wall s':>8}{'peak MB':>9}{'ratio':>8}")
    for name, command in starts().items():
        print(_row(name, cost(command, options.repeats)))
    with tempfile.TemporaryDirectory() as folder:
        for lines in options.lines:
            repeats = options.repeats if lines <= 10_000 else 1
            found = {
                name: cost(command, repeats) for name, command in jobs(Path(folder), lines).items()
            }
            for name, one in found.items():
                ratio = "" if name == "sacrebleu" else ratio_text(found["sacrebleu"].cpu / one.cpu)
                print(_row(f"{name}, {lines:,} lines", one, ratio), flush=True)


def _row(name: str, found: Cost, ratio: str = "") -> str:
    return f"{name:<44}{found.cpu:>8.3f}{found.wall:>8.3f}{found.megabytes:>9.0f}{ratio:>8}"


if __name__ == "__main__":
    main()
