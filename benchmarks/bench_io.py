"""Reading rankings: speed and peak memory, against plain loops over the standard library.

    python benchmarks/bench_io.py [--comparisons 1000000] [--repeats 2]

The pairwise file is the largest of WMT15 (English-Czech, expanded), repeated up to the number of
comparisons, or made-up rankings where the shared data are absent. The other formats hold the same
rankings. The peer only parses: ``csv.DictReader`` as WMT's own scripts do, ``json.loads``,
``ElementTree.iterparse``. Every run is a process of its own, so peaks do not add up.
"""

import argparse
import csv
import gzip
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

from harness import ratio_text

from rankwise.io import read_judgments, write_judgments

SHARED = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
WMT15 = SHARED / "data" / "rankings" / "expanded" / "wmt15.eng-ces.csv.gz"
HEADER = (
    "srclang,trglang,srcIndex,segmentId,judgeID,"
    "system1Id,system1rank,system2Id,system2rank,rankingID\n"
)


def write_pairs(path: Path, comparisons: int) -> None:
    """A pairwise file of about so many comparisons."""
    if WMT15.is_file():
        header, *rows = gzip.decompress(WMT15.read_bytes()).decode().splitlines(keepends=True)
    else:
        header, rows = HEADER, list(made_up_rows(6000))
    with path.open("w") as stream:
        stream.write(header)
        while comparisons > 0:
            stream.writelines(rows[:comparisons])
            comparisons -= len(rows)


def made_up_rows(screens: int) -> Iterator[str]:
    """Rankings of seven of fifteen systems, pair by pair."""
    rng = random.Random(1)
    names = [f"newstest2015.system-{n}.{4000 + n}.en-cs.txt" for n in range(15)]
    for screen in range(1, screens + 1):
        items = [(name, rng.randint(1, 5)) for name in rng.sample(names, 7)]
        segment = rng.randint(1, 2999)
        start = f"eng,ces,{segment},{segment},judge{screen % 90}"
        for (left, x), (right, y) in combinations(items, 2):
            yield f"{start},{left},{x},{right},{y},{screen}\n"


def parse_csv(path: Path) -> int:
    """Rows of a CSV file as dictionaries."""
    with path.open(newline="") as stream:
        return sum(1 for _ in csv.DictReader(stream))


def parse_json(path: Path) -> int:
    """Objects of a JSON-lines file."""
    with path.open() as stream:
        return sum(1 for line in stream if json.loads(line))


def parse_xml(path: Path) -> int:
    """Elements of an XML file."""
    return sum(1 for _, element in ElementTree.iterparse(path) if element.clear() is None)


PEERS: dict[str, Callable[[Path], int]] = {
    "wmt-pairwise": parse_csv,
    "wmt-csv": parse_csv,
    "jsonl": parse_json,
    "appraise-xml": parse_xml,
    "jcml": parse_xml,
}


def child(what: str, name: str, path: Path) -> None:
    """Print seconds of CPU and peak megabytes of one reading, and how many comparisons it gave."""
    start = time.process_time()
    size = 0
    if what == "peer":
        PEERS[name](path)
    else:
        judgments = read_judgments(path, format=name)
        if what == "pairs":
            start = time.process_time()
            size = len(judgments.pairs())
        else:
            size = len(judgments)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps([seconds, peak, size]))


def measure(what: str, name: str, path: Path, repeats: int) -> tuple[float, float, int]:
    """The fastest of some runs, each in a process of its own."""
    command = [sys.executable, __file__, "--child", what, name, str(path)]
    runs = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for _ in range(repeats)
    ]
    seconds, peak, size = min(runs)
    return seconds, peak, size


def report(folder: Path, comparisons: int, repeats: int) -> None:
    """Print one line per format."""
    pairs = folder / "pairs.csv"
    write_pairs(pairs, comparisons)
    judgments = read_judgments(pairs)
    print(f"{comparisons} comparisons in {len(judgments)} rankings")
    print("format\tmegabytes\trankings/s\tcomparisons/s\tpeak MB\tratio")
    for name in PEERS:
        path = pairs if name == "wmt-pairwise" else folder / name
        if path is not pairs:
            write_judgments(judgments, path, format=name)
        seconds, peak, size = measure("ours", name, path, repeats)
        peer, _, _ = measure("peer", name, path, repeats)
        print(
            f"{name}\t{path.stat().st_size / 1e6:.0f}\t{size / seconds:,.0f}\t"
            f"{comparisons / seconds:,.0f}\t{peak:.0f}\t{ratio_text(peer / seconds)}",
            flush=True,
        )
    seconds, peak, size = measure("pairs", "wmt-pairwise", pairs, repeats)
    print(f"pairs()\t\t\t{size / seconds:,.0f}\t{peak:.0f}\t")


def main() -> None:
    """Run the benchmark, or one reading of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--child", nargs=3, metavar=("WHAT", "FORMAT", "PATH"))
    options = parser.parse_args()
    if options.child:
        what, name, path = options.child
        child(what, name, Path(path))
        return
    with tempfile.TemporaryDirectory() as folder:
        report(Path(folder), options.comparisons, options.repeats)


if __name__ == "__main__":
    main()
