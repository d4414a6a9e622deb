"""Reading rankings: speed and peak memory, against plain loops over the standard library.

    python benchmarks/bench_io.py [--comparisons 1000000] [--repeats 2]

The pairwise file is the largest of WMT15 (English-Czech, expanded), repeated up to the number of
comparisons, or made-up rankings where the shared data are absent. The other formats hold the same
rankings. A peer is the loop that one would write: ``csv.DictReader`` as WMT's own scripts do,
``json.loads`` or ``ElementTree.iterparse``, every ranking kept as a tuple, nothing checked. Every
run is a process of its own, so peaks do not add up; its modules are loaded before it is measured.
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
from itertools import combinations, groupby, islice
from operator import itemgetter
from pathlib import Path
from xml.etree import ElementTree

from harness import ratio_text

from rankwise.io import read_judgments, write_judgments
from rankwise.types import Judgments
from rankwise.types import Ranking as Ranked

#: What rows of one screen have in common beside its number.
ABOUT = ("srclang", "trglang", "srcIndex", "judgeID")

Ranking = tuple[str, str, tuple[str, ...], tuple[float | None, ...]]

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


def ranking(segment: str, judge: str, systems: list[str], ranks: list[str]) -> Ranking:
    """What a peer keeps: texts, and ranks as numbers, None where there is none."""
    numbers = tuple([None if rank in ("-1", None) else float(rank) for rank in ranks])
    return segment, judge, tuple(systems), numbers


def loop_pairs(path: Path) -> list[Ranking]:
    """Rows of one screen that follow each other are a ranking."""
    with path.open(newline="") as stream:
        found = []
        for _, rows in groupby(csv.DictReader(stream), itemgetter("rankingID", *ABOUT)):
            ranks = {}
            for row in rows:
                ranks[row["system1Id"]] = row["system1rank"]
                ranks[row["system2Id"]] = row["system2rank"]
            found.append(ranking(row["srcIndex"], row["judgeID"], list(ranks), [*ranks.values()]))
        return found


def loop_rows(path: Path) -> list[Ranking]:
    """A row is a ranking."""
    with path.open(newline="") as stream:
        rows = csv.DictReader(stream)
        size = sum(name.endswith("rank") for name in rows.fieldnames or ())
        ids = [f"system{n}Id" for n in range(1, size + 1)]
        ranks = [f"system{n}rank" for n in range(1, size + 1)]
        found = []
        for row in rows:
            count = sum(row[name] != "PLACEHOLDER" for name in ids)
            systems, given = [row[n] for n in ids[:count]], [row[n] for n in ranks[:count]]
            found.append(ranking(row["srcIndex"], row["judgeId"], systems, given))
        return found


def loop_json(path: Path) -> list[Ranking]:
    """A line is a ranking, but for the first."""
    with path.open() as stream:
        values = map(json.loads, islice(stream, 1, None))
        return [ranking(v["segment"], v["judge"], v["systems"], v["ranks"]) for v in values]


def loop_appraise(path: Path) -> list[Ranking]:
    """A ``ranking-result`` is a ranking, its segment that of the task around it."""
    found, task = [], ""
    for event, element in ElementTree.iterparse(path, ("start", "end")):
        if event == "start":
            task = element.get("id") if element.tag == "ranking-task" else task
        elif element.tag == "ranking-result":
            systems = [one.get("system") for one in element]
            ranks = [one.get("rank") for one in element]
            found.append(ranking(task, element.get("user"), systems, ranks))
            element.clear()
    return found


def loop_jcml(path: Path) -> list[Ranking]:
    """A ``judgedsentence`` is a ranking."""
    found = []
    for _, element in ElementTree.iterparse(path):
        if element.tag == "judgedsentence":
            outputs = element.findall("tgt")
            systems = [one.get("system") for one in outputs]
            ranks = [one.get("rank") for one in outputs]
            found.append(ranking(element.get("id"), element.get("judge_id"), systems, ranks))
            element.clear()
    return found


#: What reads each format, and the name of what it is made of.
PEERS: dict[str, tuple[Callable[[Path], list[Ranking]], str]] = {
    "wmt-pairwise": (loop_pairs, "csv.DictReader"),
    "wmt-csv": (loop_rows, "csv.DictReader"),
    "jsonl": (loop_json, "json.loads"),
    "appraise-xml": (loop_appraise, "ElementTree.iterparse"),
    "jcml": (loop_jcml, "ElementTree.iterparse"),
}


def child(what: str, name: str, path: Path) -> None:
    """Print seconds of CPU and peak megabytes of one reading, and how many comparisons it gave."""
    load_modules(name)
    start = time.process_time()
    if what == "peer":
        size = len(PEERS[name][0](path))
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


def load_modules(name: str) -> None:
    """What is loaded by the first file of a format is no part of reading it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one"
        one = Judgments.from_rankings([Ranked("1", "ann", ("A", "B"), (1.0, 2.0))])
        write_judgments(one, path, format=name)
        read_judgments(path, format=name)


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
    print(f"{comparisons:,} comparisons in {len(judgments):,} rankings; peers are plain loops")
    print(
        f"{'format':<14}{'peer made of':<23}{'file MB':>8}{'ours s':>8}{'peer s':>8}{'ratio':>8}"
        f"{'comparisons/s':>15}{'ours MB':>9}{'peer MB':>9}"
    )
    for name, (_, made_of) in PEERS.items():
        path = pairs if name == "wmt-pairwise" else folder / name
        if path is not pairs:
            write_judgments(judgments, path, format=name)
        seconds, peak, size = measure("ours", name, path, repeats)
        peer, peer_peak, peer_size = measure("peer", name, path, repeats)
        if abs(size - peer_size) > size / 100:  # the loop keeps screens whole that lack pairs
            raise SystemExit(f"{name}: ours read {size} rankings, the peer {peer_size}")
        print(
            f"{name:<14}{made_of:<23}{path.stat().st_size / 1e6:>8.0f}{seconds:>8.3f}{peer:>8.3f}"
            f"{ratio_text(peer / seconds):>8}{comparisons / seconds:>15,.0f}{peak:>9.0f}"
            f"{peer_peak:>9.0f}",
            flush=True,
        )
    seconds, peak, size = measure("pairs", "wmt-pairwise", pairs, repeats)
    print(f"{'pairs()':<53}{seconds:>8.3f}{'':>16}{size / seconds:>15,.0f}{peak:>9.0f}")


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
