r"""People and machines together: how often intervals hold, and how many judgments are saved.

    python experiments/people_and_machines.py EVALSET TEXTS --runs 400 --seed 1

EVALSET is the folder wmt23 of mt-metrics-eval, with scores of metrics; TEXTS a folder as in
experiments/tracks.py, of which WMT24 has outputs and ESA, and metrics are computed here.

The judged documents of a test set stand for all documents there are. In every run as many are drawn
with replacement as there are: a test set like this one. All of it is scored by the machine, the
first few documents are judged by people, and the estimate is compared with the mean over all
documents, which is the truth here. Judges stay as they were, so that documents are what chance
decides. Prints Markdown: how often 95 % intervals hold the truth, of means and of differences of
two systems, and the share of judgments that the machine saves: 1 - MSE together / MSE alone, and
beside it the median of what `rankwise rank --proxy` says that it saves. ρ is the correlation with
people over segments, and over outputs within segments. The same for shares of wins, people
preferring the output with the better score.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tracks import HUMAN, read_cells, read_rows, texts_of

import rankwise as rw
from rankwise.aggregate.proxies.powered_estimate import PoweredEstimate
from rankwise.aggregate.proxies.powered_values import powered_values
from rankwise.aggregate.proxies.powered_wins import Contests, powered_wins
from rankwise.aggregate.scalar.clustered_errors import ClusteredErrors
from rankwise.aggregate.scalar.judged_values import JudgedValues, numbered

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: Metrics of the EvalSet, from letters to the best there were; the last one knows nothing.
STORED = {
    "chrF": "chrF-{}",
    "BERTScore": "BERTscore-{}",
    "COMET-22": "COMET-{}",
    "XCOMET-XXL": "XCOMET-XXL-{}",
    "MetricX-23": "MetricX-23-{}",
    "GEMBA-MQM": "GEMBA-MQM-src",
    "random": "Random-sysname-src",
}
COMPUTED = {"chrF": "chrf", "softmatch": "softmatch"}
REFERENCE = {"en-de": "refA", "he-en": "refB"}


@dataclass(frozen=True, slots=True)
class Judged:
    """Segments that people judged for all systems: values (S, G), their documents, the machines."""

    name: str
    values: Floats
    document: Codes
    machines: dict[str, Floats]

    @property
    def truth(self) -> Floats:
        """The mean of every system over everything."""
        return self.values.mean(axis=1)

    @property
    def true_wins(self) -> Floats:
        """The share of wins of every system over everything."""
        better = np.sign(self.values[:, None] - self.values[None]).mean(axis=2)
        return np.asarray(0.5 + better.sum(axis=1) / 2 / (len(self.values) - 1))


@dataclass(frozen=True, slots=True)
class Sample:
    """A drawn test set: the columns of it, their documents, and how many columns people judged."""

    columns: Codes
    document: Codes
    judged: int


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("evalset", type=Path)
    parser.add_argument("texts", type=Path)
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, nargs="+", default=[15, 40])
    parser.add_argument("--kinds", nargs="+", choices=["means", "wins"], default=["means", "wins"])
    parser.add_argument("--year", choices=["wmt23", "wmt24"], help="only this one")
    options = parser.parse_args(arguments)
    for kind in options.kinds:
        print(f"\n{kind}\n\n| test set | judged | by | ρ | means hold | differences hold |", end="")
        print(" saved, means | it says | saved, differences | it says |")
        print("|---|---:|---|---:|---:|---:|---:|---:|---:|---:|")
        for judged in judged_sets(options.evalset, options.texts, options.year):
            for count in options.documents:
                print_rows(judged, kind, count, options.runs, options.seed)


def judged_sets(evalset: Path, texts: Path, year: str | None) -> Iterator[Judged]:
    """WMT23 with the metrics of the EvalSet, WMT24 with those that need no model."""
    if year != "wmt24":
        yield from (of_evalset(evalset, pair) for pair in ("en-de", "he-en"))
    if year != "wmt23":
        yield from (of_texts(texts, f"wmt24/{pair}") for pair in ("en-cs", "en-ja"))


def of_evalset(folder: Path, pair: str) -> Judged:
    """MQM of a language pair, as published: one value for an output."""
    human = rw.read_scores(folder / "human-scores" / f"{pair}.mqm.seg.score", format="mtme-scores")
    systems = [name for name in human.systems if not HUMAN.match(name)]
    values = human.over(systems, human.segments)
    tables = {}
    for name, pattern in STORED.items():
        stem = pattern.format(REFERENCE[pair])
        path = folder / "metric-scores" / pair / f"{stem}.seg.score"
        tables[name] = rw.read_scores(path, format="mtme-scores").over(systems, human.segments)
    there = ~np.isnan([values, *tables.values()]).any(axis=(0, 1))
    lines = (folder / "documents" / f"{pair}.docs").read_text(encoding="utf-8").splitlines()
    document = numbered(np.array(lines)[there])
    machines = {name: table[:, there] for name, table in tables.items()}
    return Judged(f"WMT23 {pair}, MQM", values[:, there], document, machines)


def of_texts(folder: Path, name: str) -> Judged:
    """ESA of segments that every system has, and metrics of the texts."""
    cells = read_cells(folder, name, "score", "ESA")
    systems = sorted({system for system, _ in cells})
    judged = [{segment for s, segment in cells if s == system} for system in systems]
    segments = sorted(set.intersection(*judged), key=int)
    keys = [(system, segment) for system in systems for segment in segments]
    shape = (len(systems), len(segments))
    values = np.array([cells[key] for key in keys]).reshape(shape)
    outputs, references = texts_of(folder, name, keys)
    machines = {
        called: np.asarray(rw.metric(metric).segments(outputs, references)).reshape(shape)
        for called, metric in COMPUTED.items()
    }
    machines["random"] = np.random.default_rng(0).normal(size=shape)
    places = {row["seg"]: row["doc"] for row in read_rows(folder / name / "segments.tsv.gz")}
    document = numbered(np.array([places[segment] for segment in segments]))
    title = name.replace("wmt", "WMT").replace("/", " ")
    return Judged(f"{title}, ESA", values, document, machines)


def drawn(random: np.random.Generator, document: Codes, judged: int) -> Sample:
    """Documents drawn with replacement, the first *judged* of them for people."""
    count = int(document.max()) + 1
    chosen = random.integers(0, count, count)
    columns = [np.flatnonzero(document == number) for number in chosen]
    sizes = [len(column) for column in columns]
    numbers = np.repeat(np.arange(count), sizes)
    return Sample(np.concatenate(columns), numbers, sum(sizes[:judged]))


def of_values(judged: Judged, machine: Floats, sample: Sample) -> PoweredEstimate:
    """The means of the drawn test set, of which people judged the first documents."""
    count, size = len(judged.values), sample.judged
    segment = np.repeat(np.arange(size), count)
    system = np.tile(np.arange(count), size)
    value = judged.values[system, sample.columns[segment]]
    document, nothing = sample.document[segment], np.zeros(len(value), np.int64)
    names = tuple(map(str, range(count)))
    columns = (system, segment, nothing, document, nothing, value, value, nothing)
    values = JudgedValues(names, (), True, *columns)
    return powered_values(values, machine[:, sample.columns], segment, sample.document)


def of_wins(judged: Judged, machine: Floats, sample: Sample) -> PoweredEstimate:
    """The shares of wins, where the output with the better value is preferred."""
    first, second = np.triu_indices(len(judged.values), 1)
    segment = np.repeat(np.arange(sample.judged), len(first))
    one, other = np.tile(first, sample.judged), np.tile(second, sample.judged)
    column = sample.columns[segment]
    won = (1 + np.sign(judged.values[one, column] - judged.values[other, column])) / 2
    names = tuple(map(str, range(len(judged.values))))
    document, nothing = sample.document[segment], np.zeros(len(won), np.int64)
    contests = Contests(names, one, other, won, nothing, document, segment)
    return powered_wins(contests, machine[:, sample.columns], sample.document)


def print_rows(judged: Judged, kind: str, count: int, runs: int, seed: int) -> None:
    """A line for people alone and one for every machine."""
    make, truth = (of_values, judged.truth) if kind == "means" else (of_wins, judged.true_wins)
    samples = np.random.default_rng(seed)
    drawings = [drawn(samples, judged.document, count) for _ in range(runs)]
    for place, (name, machine) in enumerate(judged.machines.items()):
        found = [make(judged, machine, sample) for sample in drawings]
        if place == 0:
            alone = [(one.alone, one.alone_errors) for one in found]
            held = f"{means_hold(alone, truth):.3f} | {differences_hold(alone, truth):.3f}"
            print(f"| {judged.name} | {count} of {judged.document.max() + 1} |", end="")
            print(f" people | | {held} | | | | |", flush=True)
        print(f"| | | {line(name, found, truth)} |", flush=True)


def line(name: str, found: Sequence[PoweredEstimate], truth: Floats) -> str:
    """What a machine does."""
    together = [(one.means, one.errors) for one in found]
    along = np.nanmedian([one.correlations for one in found], axis=0).tolist()
    errors = [np.array([getattr(one, k) for one in found]) - truth for k in ("alone", "means")]
    of_means = [float((error**2).mean()) for error in errors]
    of_differences = [float(error.var(axis=1).mean()) for error in errors]
    says = [
        float(np.median([1 - 1 / help_.worth for help_ in helps]))
        for helps in ([o.for_means for o in found], [o.for_differences for o in found])
    ]
    cells = [name, ", ".join(f"{value:.2f}" for value in along)]
    cells.append(f"{means_hold(together, truth):.3f}")
    cells.append(f"{differences_hold(together, truth):.3f}")
    for (alone, both), said in zip((of_means, of_differences), says, strict=True):
        cells += [f"{1 - both / alone:.0%}", f"{said:.0%}"]
    return " | ".join(cells)


def means_hold(found: Sequence[tuple[Floats, ClusteredErrors]], truth: Floats) -> float:
    """How often an interval of a mean holds the true one."""
    ends = [errors.intervals(means, level=0.95) for means, errors in found]
    return float(np.mean([(low <= truth) & (truth <= high) for low, high in ends]))


def differences_hold(found: Sequence[tuple[Floats, ClusteredErrors]], truth: Floats) -> float:
    """How often the true difference of two systems is not rejected."""
    above = np.triu_indices(len(truth), 1)
    return float(np.mean([errors.p_values(m - truth)[above] >= 0.05 for m, errors in found]))


if __name__ == "__main__":
    main()
