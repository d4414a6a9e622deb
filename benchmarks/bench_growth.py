"""How cost grows: sizes ten times apart, ours and the peer's, and the exponent of a fitted power.

    python benchmarks/bench_growth.py [--largest 100000] [--patience 5] [--json FILE]

An exponent of 1 is linear. A size is left out once the one before it took so long that ten times
that would take more than *patience* seconds.
"""

import argparse
import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from bench_systems import made_up
from harness import cpu_seconds, ratio_text, write_whole
from peers import Peer, installed
from script_texts import texts

from rankwise.aggregate import BradleyTerry, TrueSkill
from rankwise.agreement.tables.table_measures import table_measure
from rankwise.metrics import metric
from rankwise.significance import bootstrap

Task = Callable[[], float]


@dataclass(frozen=True)
class Growth:
    """CPU seconds by size, of one task and one program."""

    task: str
    who: str
    sizes: list[int]
    seconds: list[float]

    @property
    def exponent(self) -> float:
        """The slope of the logarithms, by least squares; nan for fewer than two sizes."""
        if len(self.sizes) < 2:
            return float("nan")
        return float(np.polyfit(np.log(self.sizes), np.log(self.seconds), 1)[0])


def grown(task: str, who: str, make: Callable[[int], Task], sizes: list[int], patience: float):
    """The least of up to three runs at each size."""
    found = Growth(task, who, [], [])
    for size in sizes:
        run = make(size)
        first = cpu_seconds(run)[0]
        again = [cpu_seconds(run)[0] for _ in range(2)] if first < 1 else []
        found.sizes.append(size)
        found.seconds.append(max(min([first, *again]), 1e-6))
        if 10 * found.seconds[-1] > patience:
            break
    return found


def scored(name: str, size: int) -> Task:
    """A metric on so many segments."""
    hypotheses, references, _ = texts(size)
    return lambda: metric(name).corpus(hypotheses, references)


def peer_scored(peer: Peer, size: int) -> Task:
    """A peer on so many segments."""
    hypotheses, references, _ = texts(size)
    return lambda: peer.score(hypotheses, references)


def long_lines(score: Callable[[list[str], list[str]], float], size: int) -> Task:
    """Something on ten lines of so many characters."""
    hypotheses, references, _ = texts(2000)
    one, other = " ".join(hypotheses)[: size * 10], " ".join(references)[: size * 10]
    cut = range(0, 10 * size, size)
    return lambda: score([one[i : i + size] for i in cut], [other[i : i + size] for i in cut])


def drawn(size: int) -> Task:
    """1,000 resamples of so many segments."""
    rows = np.random.default_rng(1).integers(0, 60, (size, 10))
    rows[:, 6:] += rows[:, 2:6]  # no more matches than n-grams
    return lambda: float(bootstrap({"a": rows}, metric("bleu")).resampled.mean())


def calibrated(size: int) -> Task:
    """Tie calibration of ten systems on so many segments."""
    chance = np.random.default_rng(1)
    gold = -np.maximum(0, np.rint(3 * chance.normal(size=(10, size))))
    other = gold + chance.normal(size=gold.shape)
    return lambda: table_measure("acc-eq").of(gold, other).value


def ranked(model: BradleyTerry | TrueSkill, systems: int) -> Task:
    """So many systems from 100,000 comparisons."""
    judgments, _ = made_up(systems, 100_000)
    return lambda: float(np.sum(model.ratings(judgments).means))


def tasks(largest: int, patience: float) -> Iterator[Growth]:
    """Everything that is measured."""
    run = functools.partial(grown, patience=patience)
    segments = [size for size in (100, 1000, 10_000, 100_000, 1_000_000) if size <= largest]
    letters = [size for size in (60, 600, 6000, 60_000) if size <= largest]
    peers = {peer.task: peer for peer in reversed(installed())}
    names = {"BLEU": "bleu", "chrF": "chrf", "chrF++": "chrf:word_order=2", "TER": "ter"}
    for task, name in {**names, "WER": "wer", "CER": "cer"}.items():
        title = f"{task}, segments"
        yield run(title, "rankwise", functools.partial(scored, name), segments)
        if task in peers:
            made = functools.partial(peer_scored, peers[task])
            yield run(title, peers[task].package, made, segments)
    for task in ("BLEU", "chrF", "CER"):
        title = f"{task}, characters a line"
        ours = metric({"BLEU": "bleu", "chrF": "chrf", "CER": "cer"}[task]).corpus
        yield run(title, "rankwise", functools.partial(long_lines, ours), letters)
        if task in peers:
            made = functools.partial(long_lines, peers[task].score)
            yield run(title, peers[task].package, made, letters)
    yield run("1,000 resamples, segments", "rankwise", drawn, segments)
    yield run("acc-eq, segments", "rankwise", calibrated, segments)
    systems = [size for size in (10, 100, 1000) if size <= largest]
    yield run("TrueSkill, systems", "rankwise", functools.partial(ranked, TrueSkill()), systems)
    model = BradleyTerry()
    yield run("Bradley-Terry, systems", "rankwise", functools.partial(ranked, model), systems)


def lines(found: Iterable[Growth]) -> Iterator[str]:
    """A row per task and program."""
    yield f"{'task':<28}{'who':<14}{'exponent':>9}  CPU seconds by size"
    ours: dict[str, Growth] = {}
    for growth in found:
        cells = [
            f"{size:,}: {seconds:.4g}"
            for size, seconds in zip(growth.sizes, growth.seconds, strict=True)
        ]
        ratio = ""
        if growth.who == "rankwise":
            ours[growth.task] = growth
        elif growth.task in ours:
            last = len(growth.sizes) - 1
            ratio = ratio_text(growth.seconds[last] / ours[growth.task].seconds[last])
            ratio = f"  (at the last, ours {ratio})"
        row = f"{growth.task:<28}{growth.who:<14}{growth.exponent:>9.2f}  "
        yield row + "  ".join(cells) + ratio


def main() -> None:
    """Measure, print, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--patience", type=float, default=5.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: list[dict[str, object]] = []

    def kept(growth: Growth) -> Growth:
        rows.append({**asdict(growth), "exponent": growth.exponent})
        if options.json:  # what is there should the run be ended
            write_whole(options.json, {"growth": rows})
        return growth

    for line in lines(map(kept, tasks(options.largest, options.patience))):
        print(line, flush=True)


if __name__ == "__main__":
    main()
