"""METEOR against the original on the JVM: segments per second of one core.

    python benchmarks/bench_meteor.py [--meteor FOLDER]

FOLDER has meteor-1.5.jar; where RANKWISE_METEOR names one, or the PyPI package pycocoevalcap is
installed (without what it depends on), it need not be given. With it and java, both run side by
side on the same text with the same word lists and compat=1.5, and their scores are compared; the
JVM's start-up and loading (a run over one segment) are taken off its time and shown on their own.
Without, ours alone is timed beside figures of the JVM that were measured once. Modules whose tables
are not here are named below.
"""

import argparse
import os
import random
import resource
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from textwrap import fill

os.environ["RANKWISE_THREADS"] = "1"

from harness import ratio_text

from rankwise.metrics.meteor import Meteor

SIDE_BY_SIDE = "METEOR 1.5 on this machine, on the same texts; segments per second of CPU\n"
ELSEWHERE = """\
Ours is measured here. The figures of the JVM are known ones, of another machine: METEOR 1.5 on
OpenJDK 17, one of two busy cores, WMT texts of the same lengths, CPU time less that of start-up
and loading. So ratios tell the order of magnitude. Segments per second of CPU
"""

#: Those figures.
JVM = {
    (17, "exact"): 2250,
    (17, "exact,stem,synonym"): 1060,
    (47, "exact"): 490,
    (47, "exact,stem,synonym"): 260,
    (47, "exact,stem,synonym,paraphrase"): 140,
}


def texts(length: int, count: int) -> tuple[list[str], list[str]]:
    """Pairs whose references have about *length* words: WMT23 where it is, else made up."""
    shared = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
    folder = shared / "data" / "texts" / "wmt23" / "de-en"
    pairs = _wmt(folder) if folder.is_dir() else _made_up(length)
    near = [pair for pair in pairs if abs(len(pair[1].split()) - length * 0.88) <= length * 0.2]
    random.Random(1).shuffle(near)
    chosen = [near[i % len(near)] for i in range(count)]
    return [hypothesis for hypothesis, _ in chosen], [reference for _, reference in chosen]


def _wmt(folder: Path) -> list[tuple[str, str]]:
    import gzip

    def rows(name: str) -> list[list[str]]:
        lines = gzip.decompress((folder / name).read_bytes()).decode().split("\n")
        return [line.split("\t") for line in lines[1:] if line]

    references = {row[0]: row[4] for row in rows("segments.tsv.gz")}
    return [(row[2], references[row[1]]) for row in rows("outputs.tsv.gz")]


def _made_up(length: int) -> list[tuple[str, str]]:
    rng = random.Random(1)
    weights = [1 / (rank + 1) for rank in range(5000)]
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in weights]
    pairs = []
    for _ in range(3000):
        reference = rng.choices(words, weights, k=int(length * 0.88))
        changed = [rng.choice(words) if rng.random() < 0.3 else word for word in reference]
        pairs.append((" ".join(changed) + ".", " ".join(reference) + "."))
    return pairs


def our_seconds(metric: Meteor, hypotheses: list[str], references: list[str]) -> float:
    """CPU seconds of the fastest of five runs."""
    times = []
    for _ in range(5):
        start = time.process_time()
        metric.segments(hypotheses, references)
        times.append(time.process_time() - start)
    return min(times)


def jvm_seconds(
    folder: Path, modules: str, hypotheses: list[str], references: list[str]
) -> tuple[float, list[float]]:
    """CPU seconds of the JVM on these segments, and their scores."""
    with tempfile.TemporaryDirectory() as place:
        for name, lines in (("hyp", hypotheses), ("ref", references)):
            (Path(place) / name).write_text("\n".join(lines) + "\n", "utf-8")
        command = ["java", "-XX:+UseSerialGC", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar"]
        options = ["hyp", "ref", "-l", "en", "-norm", "-m", modules.replace(",", " "), "-q"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(
            [*command, str(folder.resolve() / "meteor-1.5.jar"), *options],
            cwd=place,
            capture_output=True,
            text=True,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, [float(line) for line in run.stderr.split("\n") if line]


def compare(
    folder: Path | None, length: int, modules: str, *, count: int, wordnet: str | None
) -> str:
    """A line: our segments per second, the JVM's, the ratio."""
    hypotheses, references = texts(length, count)
    original = {"compat": "1.5", "resources": str(folder)} if folder else {"wordnet": wordnet}
    start = time.process_time()
    metric = Meteor(modules=modules, **original)
    metric.segments(hypotheses[:1], references[:1])
    loading = time.process_time() - start
    ours = count / our_seconds(metric, hypotheses, references)
    line = f"{length:>5}  {modules:<33}{ours:>9,.0f}{loading:>9.2f}"
    if folder is None:
        theirs = JVM[length, modules]
        return f"{line}{theirs:>10,.0f}{'-':>9}{ratio_text(ours / theirs):>8}"
    start_up, _ = jvm_seconds(folder, modules, hypotheses[:1], references[:1])
    total, scores = jvm_seconds(folder, modules, hypotheses, references)
    theirs = count / (total - start_up)
    found = metric.segments(hypotheses, references)
    difference = max(abs(a - b) for a, b in zip(found, scores, strict=True))
    ratio = ratio_text(ours / theirs)
    return f"{line}{theirs:>10,.0f}{start_up:>9.2f}{ratio:>8}  differ by {difference:.1e}"


def original_folder(given: Path | None) -> Path | None:
    """The folder of the original: the one given, or that of an installed package; None without."""
    package = find_spec("pycocoevalcap")
    places = list(package.submodule_search_locations or ()) if package else []
    installed = Path(places[0]) / "meteor" if places else None
    named = os.environ.get("RANKWISE_METEOR")
    folder = given or (Path(named) if named else installed)
    is_there = folder is not None and (folder / "meteor-1.5.jar").is_file()
    if given is not None and not (is_there and which("java")):
        raise SystemExit(f"{given}: expected a folder with meteor-1.5.jar, and java to run it")
    return folder if is_there and which("java") else None


def lacks(modules: str, folder: Path | None, wordnet: str | None) -> str:
    """What is not here that these modules need; nothing where they can run."""
    original = {"compat": "1.5", "resources": str(folder)} if folder else {"wordnet": wordnet}
    try:
        Meteor(modules=modules, **original).segments(["a"], ["a"])
    except (ValueError, ImportError) as error:
        return str(error)
    return ""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--meteor", type=Path, help="folder with meteor-1.5.jar")
    parser.add_argument("--wordnet", help="folder of WordNet 3.0")
    parser.add_argument("--segments", type=int, default=2000)
    options = parser.parse_args()
    folder = original_folder(options.meteor)
    print(SIDE_BY_SIDE if folder else ELSEWHERE)
    print(f"words  {'modules':<33}  ours /s   load s    JVM /s   load s   ratio")
    left_out = {}
    for length, modules in JVM:
        reason = lacks(modules, folder, options.wordnet)
        if reason:
            left_out[modules] = reason
            continue
        line = compare(folder, length, modules, count=options.segments, wordnet=options.wordnet)
        print(line, flush=True)
    for modules, reason in left_out.items():
        print(fill(f"{modules}: not measured, {reason}", 100))


if __name__ == "__main__":
    main()
