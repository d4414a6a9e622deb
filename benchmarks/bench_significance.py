"""Paired tests and intervals against sacreBLEU, scoring included, called from Python.

    python benchmarks/bench_significance.py [--repeats 2] [--json FILE]

The values compared are sums of p-values, which must be equal, not close.
"""

import argparse
import functools
import gzip
import os
import random
from collections.abc import Callable
from pathlib import Path

import sacrebleu
from harness import compare, peak_megabytes, table, write_json
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

from rankwise.metrics import Bleu, Chrf, Metric
from rankwise.significance import bootstrap, paired_bootstrap, paired_randomisation

PEER = f"sacreBLEU {sacrebleu.__version__}"
SHARED = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
WMT22 = SHARED / "data" / "texts" / "wmt22" / "ru-en"
Systems = dict[str, list[str]]


def systems() -> tuple[Systems, list[str], str]:
    """Outputs of eleven systems, references, and where they are from."""
    if not WMT22.is_dir():
        return *_made_up(), "made-up text"
    rows = {name: _rows(WMT22 / f"{name}.tsv.gz") for name in ("segments", "outputs")}
    place = rows["segments"][0].index("ref:A")
    references = {row[0]: row[place] for row in rows["segments"][1:]}
    outputs: dict[str, dict[str, str]] = {}
    for name, segment, text in rows["outputs"][1:]:
        outputs.setdefault(name, {})[segment] = text
    complete = {
        name: [texts[segment] for segment in references]
        for name, texts in outputs.items()
        if len(texts) == len(references)
    }
    while len(complete) < 11:  # the data has ten: the missing ones repeat the first, line by line
        first = next(iter(complete.values()))
        complete[f"copy{len(complete)}"] = [f"{line}!" for line in first]
    return complete, list(references.values()), "WMT22 ru-en"


def ours(test: str, metric: Metric, outputs: Systems, references: list[str]) -> float:
    """The sum of the p-values of all systems against the first."""
    rows = {name: metric.statistics(lines, references) for name, lines in outputs.items()}
    baseline = next(iter(rows))
    if test == "ar":
        return float(paired_randomisation(rows, metric, baseline=baseline).p_values.sum())
    return float(paired_bootstrap(bootstrap(rows, metric), baseline=baseline).p_values.sum())


def theirs(test: str, metric: object, outputs: Systems, references: list[str]) -> float:
    """The same of sacreBLEU."""
    paired = PairedTest(list(outputs.items()), {"m": metric}, [references], test_type=test)
    _, results = paired()
    (scores,) = (column for name, column in results.items() if name != "System")
    return sum(result.p_value for result in scores[1:])


def memory_task(test: str, metric: Metric) -> Callable[[], float]:
    """What the measured child process runs."""
    outputs, references, _ = systems()
    return functools.partial(ours, test, metric, outputs, references)


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    outputs, references, source = systems()
    pairs = {"BLEU": (Bleu, BLEU), "chrF": (Chrf, CHRF)}
    names = {"bs": "bootstrap 1,000", "ar": "randomisation 10,000"}
    timings = [
        compare(
            f"{metric} {names[test]}",
            len(outputs) * len(references),
            functools.partial(ours, test, one(), outputs, references),
            # A fresh metric each time, so that nothing is cached.
            lambda test=test, other=other: theirs(test, other(), outputs, references),
            peer=PEER,
            repeats=options.repeats,
        )
        for metric, (one, other) in pairs.items()
        for test in names
    ]
    print(f"{source}: {len(outputs)} systems, {len(references):,} segments, one core, {PEER}")
    print(table(timings))
    memory = {test: peak_megabytes(functools.partial(memory_task, test, Bleu())) for test in names}
    for test, megabytes in memory.items():
        print(f"BLEU {names[test]}: adds {megabytes:.0f} MB")
    if options.json:
        write_json(options.json, timings, source=source, memory_megabytes=memory)


def _rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def _made_up() -> tuple[Systems, list[str]]:
    chance = random.Random(1)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 8))) for _ in range(3000)]
    references = [" ".join(chance.choices(words, k=chance.randint(8, 30))) for _ in range(2074)]
    outputs = {
        f"system{number}": [
            " ".join(chance.choice(words) if chance.random() < rate else w for w in line.split())
            for line in references
        ]
        for number, rate in enumerate(0.3 + 0.002 * step for step in range(11))
    }
    return outputs, references


if __name__ == "__main__":
    main()
