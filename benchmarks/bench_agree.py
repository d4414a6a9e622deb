"""Measures of ranked lists against plain Python and scipy, list by list; alpha of judges.

    python benchmarks/bench_agree.py [--lists 100000] [--memory] [--json FILE]

The peer of the first rows is RankEval's set of measures in plain Python, our slow twin of the
tests: the tool itself needs Python 2, and its port to Python 3 takes 20 s of CPU for 100,000 lists
of five items.
"""

import argparse
import functools
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from harness import Timing, compare, peak_megabytes, table, write_json
from scipy import stats

import rankwise as rw
from rankwise.agreement import Ndcg, Tau
from rankwise.agreement.judges.krippendorff import LEVELS, krippendorff_alpha
from rankwise.compat import rankeval
from rankwise.evaluate.list_agreement import agree_in_blocks

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from reference import rankeval as slow

MEASURES = ("kendall", "kendall:average=macro", "mrr", "ndcg", "err", "avg-predicted", "bph@1")
Lists = list[list[int]]


def lists(count: int, *, ties: bool) -> tuple[Lists, Lists]:
    """Predicted orders of five items (or three grades of them) and gold draws from 1 to 5."""
    random = np.random.default_rng(1)
    permuted = random.permuted(np.tile(np.arange(1, 6), (count, 1)), axis=1)
    predicted = random.integers(1, 4, (count, 5)) if ties else permuted
    return predicted.tolist(), random.integers(1, 6, (count, 5)).tolist()


def total(values: dict[str, float]) -> float:
    """One number that all values are in; RankEval rounds its percentages."""
    return sum(value for name, value in values.items() if not name.startswith("bph"))


def tau_b(predicted: Lists, gold: Lists) -> float:
    """The sum of scipy's tau-b over lists."""
    pairs = zip(predicted, gold, strict=True)
    values = [stats.kendalltau(p, g).statistic for p, g in pairs if len(set(g)) > 1]
    return float(np.nansum(values))


def sklearn_ndcg(gains: np.ndarray, scores: np.ndarray) -> float:
    """scikit-learn's mean NDCG, ties averaged list by list."""
    from sklearn.metrics import ndcg_score

    return float(ndcg_score(gains, scores))


def judged(units: int) -> np.ndarray:
    """Labels that five judges give from 1 to 5, a third of them missing."""
    random = np.random.default_rng(2)
    truth = random.integers(1, 6, units)
    noise = random.integers(1, 6, (5, units))
    table = np.where(random.random((5, units)) < 0.6, truth, noise).astype(float)
    table[random.random((5, units)) < 1 / 3] = np.nan
    return table


def alpha_timings(units: int, repeats: int) -> list[Timing]:
    """Krippendorff's alpha against the package of that name; none where it is not installed."""
    if find_spec("krippendorff") is None:
        print("not installed, so not measured: krippendorff")
        return []
    package, table = import_module("krippendorff"), judged(units)
    return [
        compare(
            f"alpha, {level}",
            units,
            functools.partial(krippendorff_alpha, table, level=level),
            functools.partial(package.alpha, reliability_data=table, level_of_measurement=level),
            peer=f"krippendorff {version('krippendorff')}",
            repeats=repeats,
        )
        for level in LEVELS
    ]


def stream(count: int) -> object:
    """What the measured child process runs: so many lists, a block at a time."""
    predicted, gold = (np.array(side) for side in lists(100_000, ties=True))
    blocks = ((predicted, gold) for _ in range(count // 100_000))
    return functools.partial(agree_in_blocks, blocks, MEASURES)


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    untied, tied = lists(options.lists, ties=False), lists(options.lists, ties=True)
    rankeval.allmetrics(*([[1, 2]],) * 2)  # scipy is imported now, not while timed
    some = options.lists // 10
    few = untied[0][:some], untied[1][:some]
    grades = np.array(tied[1][:some])
    gains = 2.0 ** (6 - (grades[:, :, None] >= grades[:, None, :]).sum(axis=2)) - 1
    scores = -np.array(tied[0][:some], float)
    timed = functools.partial(compare, repeats=options.repeats)
    timings = [
        timed(
            f"RankEval's set{', ties' if pair is tied else ''}",
            options.lists,
            lambda pair=pair: total(dict(rankeval.allmetrics(*pair))),
            lambda pair=pair: total(slow.allmetrics(*pair)),
            peer="plain Python",
        )
        for pair in (untied, tied)
    ]
    timings += [
        timed(
            "tau-b",
            some,
            lambda: float(np.nansum(Tau(variant="b").segments(*few))),
            lambda: tau_b(*few),
            peer="scipy",
        ),
        timed(
            "NDCG, ties averaged",
            some,
            lambda: Ndcg().micro(tied[0][:some], tied[1][:some]),
            lambda: sklearn_ndcg(gains, scores),
            peer="scikit-learn",
        ),
        timed(
            "agree, 7 measures",
            options.lists,
            lambda: rw.agree(*untied, MEASURES)["kendall"],
            lambda: slow.allmetrics(*untied)["tau"],
            peer="plain Python",
        ),
    ]
    timings += alpha_timings(options.lists // 10, options.repeats)
    peers = ", ".join(dict.fromkeys(timing.peer for timing in timings))
    print(f"Lists of five items, one core; peers: {peers}")
    print(table(timings))
    memory = {}
    if options.memory:
        for count in (1_000_000, 4_000_000):
            memory[count] = peak_megabytes(functools.partial(stream, count))
            print(f"{count:,} lists in blocks of 100,000: adds {memory[count]:.0f} MB")
    if options.json:
        write_json(options.json, timings, memory_megabytes=memory)


if __name__ == "__main__":
    main()
