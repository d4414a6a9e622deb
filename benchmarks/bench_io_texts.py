"""Reading test sets and scores: speed and peak memory, against sacreBLEU and plain loops.

    python benchmarks/bench_io_texts.py [--segments 100000] [--systems 5] [--repeats 3]

Made-up segments of about 100 characters as parallel files, a table, XML and JSON lines; the real
WMT23 EvalSet (texts, and all its score files) where the shared data are. WMT's XML is also read by
sacreBLEU's own reader. The other peers are the loops that one would write, which keep an id, the
source and the references of every segment in a tuple, the outputs in lists by system, and check
nothing. Every run is a process of its own, so peaks do not add up; its modules are loaded before.
Times are CPU seconds, the smallest of the repeats.
"""

import argparse
import csv
import functools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from harness import ratio_text

from archives import unpack

SHARED = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
EVALSET = SHARED / "data" / "evalset" / "wmt23.tar.xz"
FILES = {"text": "text", "tsv": "set.tsv", "wmt-xml": "set.xml", "testset-jsonl": "set.jsonl"}
PAIRS = ("en-de", "he-en")
#: Fields of sacreBLEU's reader that hold no text of a segment.
ABOUT_DOCUMENTS = ("docid", "origlang", "domain")


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
    folder.mkdir(exist_ok=True)
    for name, file in FILES.items():
        write_testset(TestSet(parts, outputs, "set", "de", "en"), folder / file, format=name)
    with_language(folder / FILES["wmt-xml"])


def with_language(path: Path) -> None:
    """Name the language in which every document was written, which sacreBLEU's reader wants."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("<doc ", '<doc origlang="de" '), encoding="utf-8")


def evalset(folder: Path) -> Path:
    """The folder that holds ``sources``."""
    return next(path.parent for path in (folder / "evalset").rglob("sources"))


def ours(task: str, folder: Path) -> int:
    """How many texts or scores were read by Rankwise."""
    from rankwise.io import read_scores, read_testset

    if task == "scores":
        return sum(read_scores(path).values.size for path in evalset(folder).rglob("*.score"))
    if task == "evalset":
        read = [read_testset(evalset(folder), language_pair=pair) for pair in PAIRS]
    else:
        read = [read_testset(folder / FILES[task])]
    return sum(len(one) * (1 + len(one.reference_names) + len(one.systems)) for one in read)


def theirs(task: str, folder: Path, place: int) -> int:
    """How many texts or scores one of the peers reads."""
    return PEERS[task][place].count(folder)


class Plain(NamedTuple):
    """What a loop keeps of a test set."""

    segments: list[tuple[str, str, tuple[str, ...]]]
    outputs: dict[str, list[str]]

    def count(self) -> int:
        """How many texts there are."""
        references = sum(len(references) for _, _, references in self.segments)
        return len(self.segments) + references + sum(map(len, self.outputs.values()))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def _parallel(source: Path, references: list[Path], outputs: list[Path]) -> Plain:
    sources = _lines(source)
    rows = zip(*map(_lines, references), strict=True)
    ids = map(str, range(1, len(sources) + 1))
    return Plain(
        list(zip(ids, sources, rows, strict=True)), {path.stem: _lines(path) for path in outputs}
    )


def _loop_text(folder: Path) -> int:
    place = folder / "text"
    references = sorted((place / "references").iterdir())
    outputs = sorted((place / "outputs").iterdir())
    return _parallel(place / "source.txt", references, outputs).count()


def _loop_evalset(folder: Path) -> int:
    place, found = evalset(folder), 0
    for pair in PAIRS:
        references = sorted((place / "references").glob(f"{pair}.*"))
        outputs = sorted((place / "system-outputs" / pair).glob("*.txt"))
        found += _parallel(place / "sources" / f"{pair}.txt", references, outputs).count()
    return found


def _loop_scores(folder: Path) -> int:
    count = 0
    for path in evalset(folder).rglob("*.score"):
        scores: dict[str, list[float | None]] = {}
        for line in path.read_text().splitlines():
            *_, system, score = line.split("\t")
            scores.setdefault(system, []).append(None if score == "None" else float(score))
        count += sum(len(row) for row in scores.values())
    return count


def _loop_csv(folder: Path) -> int:
    with (folder / "set.tsv").open(encoding="utf-8", newline="\n") as stream:
        rows = csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = next(rows)
        source, systems = header.index("source"), _systems(header)
        references = [i for i, name in enumerate(header) if name.startswith("ref")]
        found = Plain([], {header[i]: [] for i in systems})
        for row in rows:
            found.segments.append((row[0], row[source], tuple(row[i] for i in references)))
            for i in systems:
                found.outputs[header[i]].append(row[i])
    return found.count()


def _systems(header: list[str]) -> list[int]:
    return [i for i, name in enumerate(header) if name.startswith("system")]


def _loop_xml(folder: Path) -> int:
    found = Plain([], {})
    for _, element in ElementTree.iterparse(folder / "set.xml"):
        if element.tag == "doc":
            texts = {one: [seg.text or "" for seg in one.iter("seg")] for one in element}
            kinds = {kind: [texts[one] for one in element.iter(kind)] for kind in ("src", "ref")}
            rows = zip(*kinds["ref"], strict=True)
            found.segments.extend(zip(count(1), kinds["src"][0], rows, strict=False))
            for one in element.iter("hyp"):
                found.outputs.setdefault(one.get("system"), []).extend(texts[one])
            element.clear()
    return found.count()


def _sacrebleu_xml(folder: Path) -> int:
    from sacrebleu.dataset.wmt_xml import WMTXMLDataset

    fields = WMTXMLDataset._unwrap_wmt21_or_later(folder / "set.xml")
    return sum(len(texts) for name, texts in fields.items() if name not in ABOUT_DOCUMENTS)


def _loop_json(folder: Path) -> int:
    with (folder / "set.jsonl").open(encoding="utf-8") as stream:
        systems = json.loads(next(stream))["systems"]
        found = Plain([], {name: [] for name in systems})
        for line in stream:
            row = json.loads(line)
            found.segments.append((row["id"], row["source"], tuple(row["references"])))
            for name in systems:
                found.outputs[name].append(row["outputs"][name])
    return found.count()


class Peer(NamedTuple):
    """Who reads a format beside us, and what it counts."""

    name: str
    count: Callable[[Path], int]


PEERS: dict[str, tuple[Peer, ...]] = {
    "text": (Peer("read().split", _loop_text),),
    "tsv": (Peer("csv.reader", _loop_csv),),
    "wmt-xml": (
        Peer("sacrebleu", _sacrebleu_xml),
        Peer("ElementTree.iterparse", _loop_xml),
    ),
    "testset-jsonl": (Peer("json.loads", _loop_json),),
    "evalset": (Peer("read().split", _loop_evalset),),
    "scores": (Peer("line.split", _loop_scores),),
}


class Run(NamedTuple):
    """CPU seconds, megabytes above the imports, and how many texts or scores were read."""

    seconds: float
    megabytes: float
    items: int


def run(task: str, side: str, folder: Path, repeats: int) -> Run:
    """The least of several fresh processes."""
    command = [sys.executable, __file__, "--task", task, "--side", side, "--folder", str(folder)]
    found = []
    for _ in range(repeats):
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        found.append(Run(float(output[0]), float(output[1]), int(output[2])))
    return min(found)


def status(field: str) -> int:
    """A field of /proc/self/status, in kB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))


def measure(task: str, side: str, folder: Path) -> None:
    """What a child process prints; *side* is ``ours`` or the place of a peer."""
    read: Callable[[], int] = functools.partial(ours, task, folder)
    if side != "ours":
        read = functools.partial(theirs, task, folder, int(side))
    load_modules(folder)
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far (Linux)
    before = status("VmRSS")
    start = time.process_time()
    count = read()
    seconds = time.process_time() - start
    grown = status("VmHWM") - before
    print(seconds, grown / 1024, count)


def load_modules(folder: Path) -> None:
    """What is loaded by the first file of a format is no part of reading it."""
    from rankwise.io import FORMATS

    for found in FORMATS:
        if found.kind in ("testset", "scores"):
            found.load()
    for task in FILES:
        ours(task, folder / "tiny")
        for place in range(len(PEERS[task])):
            theirs(task, folder / "tiny", place)


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
        make(folder / "tiny", 2, 1)
        if EVALSET.is_file():
            unpack(EVALSET, folder / "evalset")
        columns = ("items", "ours s", "peer s", "ratio", "ours MB", "peer MB")
        heads = "".join(f"{column:>10}" for column in columns)
        print("peers: sacreBLEU's reader of WMT's XML, and plain loops that check nothing")
        print(f"{'task':<15}{'peer':<23}{heads}")
        for task in PEERS:
            if task in FILES or EVALSET.is_file():
                for line in rows(task, folder, options.repeats):
                    print(line, flush=True)


def rows(task: str, folder: Path, repeats: int) -> Iterator[str]:
    """A line of the table for every peer."""
    mine = run(task, "ours", folder, repeats)
    for place, peer in enumerate(PEERS[task]):
        other = run(task, str(place), folder, repeats)
        if mine.items != other.items:
            raise SystemExit(f"{task}: ours read {mine.items}, {peer.name} {other.items}")
        yield (
            f"{task:<15}{peer.name:<23}{mine.items:>10,}{mine.seconds:>10.3f}{other.seconds:>10.3f}"
            f"{ratio_text(other.seconds / mine.seconds):>10}"
            f"{mine.megabytes:>10.0f}{other.megabytes:>10.0f}"
        )


if __name__ == "__main__":
    main()
