"""Reading test sets and scores: speed and peak memory, against plain loops in Python.

    python benchmarks/bench_io_texts.py [--segments 100000] [--systems 5] [--repeats 3]

Made-up segments of about 100 characters as parallel files, a table, XML and JSON lines; the real
WMT23 EvalSet (texts, and all its score files) where the shared data are. The peer only parses:
``open().read().split``, ``csv.reader``, ``ElementTree.iterparse``, ``json.loads``. Every run is a
process of its own, so peaks do not add up; times are CPU seconds, the smallest of the repeats.
"""

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from archives import unpack

SHARED = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
EVALSET = SHARED / "data" / "evalset" / "wmt23.tar.xz"
FORMATS = {"text": "text", "tsv": "set.tsv", "wmt-xml": "set.xml", "testset-jsonl": "set.jsonl"}


def make(folder: Path, segments: int, systems: int) -> None:
    """The same made-up test set in every format."""
    from rankwise.io import write_testset
    from rankwise.types import Segment, TestSet

    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyzäöü"
    words = ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(5000)]

    def text() -> str:
        return " ".join(rng.choices(words, k=16))

    parts = tuple(
        Segment(str(i), text(), (text(),), f"doc{i // 20}", "news", ("A",))
        for i in range(1, segments + 1)
    )
    outputs = {f"system{n}": tuple(text() for _ in parts) for n in range(systems)}
    for name, file in FORMATS.items():
        write_testset(TestSet(parts, outputs, "set", "de", "en"), folder / file, format=name)
    if EVALSET.is_file():
        unpack(EVALSET, folder / "evalset")


def evalset(folder: Path) -> Path:
    """The folder that holds ``sources``."""
    return next(path.parent for path in (folder / "evalset").rglob("sources"))


def ours(task: str, folder: Path) -> int:
    """How many texts or scores were read by Rankwise."""
    from rankwise.io import read_scores, read_testset

    if task == "scores":
        return sum(read_scores(path).values.size for path in evalset(folder).rglob("*.score"))
    if task == "evalset":
        read = [read_testset(evalset(folder), language_pair=pair) for pair in ("en-de", "he-en")]
    else:
        read = [read_testset(folder / FORMATS[task])]
    return sum(len(one) * (1 + len(one.reference_names) + len(one.systems)) for one in read)


def theirs(task: str, folder: Path) -> int:
    """How many texts or scores a plain loop reads."""
    return PEERS[task](folder)


def _plain(paths: list[Path]) -> int:
    texts = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in paths]
    return sum(len(lines) for lines in texts)


def _plain_scores(folder: Path) -> int:
    count = 0
    for path in evalset(folder).rglob("*.score"):
        scores: dict[str, list[float | None]] = {}
        for line in path.read_text().splitlines():
            *_, system, score = line.split("\t")
            scores.setdefault(system, []).append(None if score == "None" else float(score))
        count += sum(len(row) for row in scores.values())
    return count


def _plain_csv(folder: Path) -> int:
    with (folder / "set.tsv").open(encoding="utf-8", newline="\n") as stream:
        rows = list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    return sum(len(row) - 3 for row in rows[1:])


def _plain_xml(folder: Path) -> int:
    texts = []
    for _, element in ElementTree.iterparse(folder / "set.xml"):
        if element.tag == "seg":
            texts.append(element.text or "")
        elif element.tag == "doc":
            element.clear()
    return len(texts)


def _plain_json(folder: Path) -> int:
    with (folder / "set.jsonl").open(encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream][1:]
    return sum(1 + len(row["references"]) + len(row["outputs"]) for row in rows)


PEERS: dict[str, Callable[[Path], int]] = {
    "text": lambda folder: _plain(sorted((folder / "text").rglob("*.txt"))),
    "tsv": _plain_csv,
    "wmt-xml": _plain_xml,
    "testset-jsonl": _plain_json,
    "evalset": lambda folder: _plain(sorted(evalset(folder).rglob("*.txt"))),
    "scores": _plain_scores,
}


def run(task: str, side: str, folder: Path) -> tuple[float, float, int]:
    """CPU seconds, megabytes above the imports, and the count, of a fresh process."""
    command = [sys.executable, __file__, "--task", task, "--side", side, "--folder", str(folder)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(output[0]), float(output[1]), int(output[2])


def status(field: str) -> int:
    """A field of /proc/self/status, in kB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


def measure(task: str, side: str, folder: Path) -> None:
    """What a child process prints."""
    import rankwise.io  # noqa: F401 - not what is measured

    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far (Linux)
    before = status("VmRSS")
    start = time.process_time()
    count = {"ours": ours, "peer": theirs}[side](task, folder)
    seconds = time.process_time() - start
    grown = status("VmHWM") - before
    print(seconds, grown / 1024, count)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=100_000)
    parser.add_argument("--systems", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=3)
    for option in ("--task", "--side", "--folder"):
        parser.add_argument(option, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.task:
        measure(options.task, options.side, Path(options.folder))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, options.segments, options.systems)
        columns = ("items", "ours s", "peer s", "ratio", "ours MB", "peer MB")
        print(f"{'task':<15}" + "".join(f"{column:>10}" for column in columns))
        for task in PEERS:
            if task in FORMATS or EVALSET.is_file():
                mine = min(run(task, "ours", folder) for _ in range(options.repeats))
                peer = min(run(task, "peer", folder) for _ in range(options.repeats))
                if mine[2] != peer[2]:
                    raise SystemExit(f"{task}: ours read {mine[2]}, the peer {peer[2]}")
                print(
                    f"{task:<15}{mine[2]:>10,}{mine[0]:>10.2f}{peer[0]:>10.2f}"
                    f"{peer[0] / mine[0]:>9.2f}x{mine[1]:>10.0f}{peer[1]:>10.0f}"
                )


if __name__ == "__main__":
    main()
