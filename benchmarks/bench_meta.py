"""Meta-evaluation: against scipy segment by segment, and against figures of mt-metrics-eval.

    python benchmarks/bench_meta.py [--segments 2000] [--json FILE]

mt-metrics-eval is not on PyPI, so it is not run here. Its CPU seconds are those once measured on
another, busy machine with the same sizes (10 systems, 2,000 segments, 10 metrics, MQM-like gold
scores); those marked ~ were extrapolated from a few draws. They tell the order of magnitude; the
rows against scipy are measured side by side.
"""

import argparse
import functools
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy
from harness import Timing, compare, cpu_seconds, table, write_json
from scipy import stats

from rankwise.agreement.tables.exchange_coins import Coins
from rankwise.agreement.tables.table_measures import table_measure
from rankwise.evaluate.meta.meta_tests import all_pairs

SYSTEMS, METRICS, DRAWS = 10, 10, 1000
PEER = f"scipy {scipy.__version__}"
Tables = list[np.ndarray]


def scores(segments: int) -> tuple[np.ndarray, Tables]:
    """Gold scores like MQM's (whole numbers, many of them 0) and metrics of several strengths."""
    random = np.random.default_rng(1)
    quality = random.normal(size=(SYSTEMS, 1)) * 0.3 + random.normal(size=(1, segments))
    gold = -np.maximum(0, np.rint(3 * (quality + random.normal(size=(SYSTEMS, segments)))))
    noise = [0.3 + 0.1 * number for number in range(METRICS)]
    return gold, [0.1 * gold + level * random.normal(size=gold.shape) for level in noise]


def by_item(function: Callable, gold: np.ndarray, metric: np.ndarray) -> float:
    """The mean of scipy's values over the segments where they are defined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        values = [function(g, m)[0] for g, m in zip(gold.T, metric.T, strict=True)]
    return float(np.nanmean(values))


def value(name: str, gold: np.ndarray, metric: np.ndarray) -> float:
    """Ours."""
    return table_measure(name).of(gold, metric).value


def values(name: str, gold: np.ndarray, metrics: Tables) -> float:
    """Ours of all metrics, added up."""
    return sum(float(v) for v in table_measure(name).values(gold, metrics))


def tested(name: str, gold: np.ndarray, metrics: Tables) -> float:
    """The sum of the p-values of all pairs of metrics."""
    pairs = all_pairs(len(metrics))
    found = table_measure(name).exchanged(gold, metrics, pairs, Coins(DRAWS))
    return float(found.p_values().sum())


def published(gold: np.ndarray, metrics: Tables) -> list[tuple[str, str, Callable[[], float]]]:
    """Tasks with the CPU seconds of mt-metrics-eval; ~ marks extrapolated ones."""
    system = [metric.mean(axis=1, keepdims=True) for metric in metrics]
    people = gold.mean(axis=1, keepdims=True)
    one, two = functools.partial(value, gold=gold, metric=metrics[0]), metrics[:2]
    run = functools.partial
    return [
        ("acc-eq, exact calibration", "1.13", run(one, "acc-eq")),
        ("tau-b by item", "0.88", run(one, "kendall:grouping=item")),
        ("Pearson by item", "0.70", run(one, "pearson:grouping=item")),
        ("Kendall-like by item", "0.023", run(one, "kendall-like:threshold=5")),
        ("SPA, one metric", "0.033", run(one, "spa")),
        ("SPA, ten metrics", "0.31", run(values, "spa", gold, metrics)),
        ("PERM system Pearson, 45 pairs", "31.7", run(tested, "pearson", people, system)),
        ("PERM segment Pearson, 1 pair", "16.1", run(tested, "pearson:test=scores", gold, two)),
        (
            "PERM segment Pearson, 45 pairs",
            "723",
            run(tested, "pearson:test=scores", gold, metrics),
        ),
        (
            "PERM Pearson by item, 45",
            "~53000",
            run(tested, "pearson:grouping=item:test=scores", gold, metrics),
        ),
        ("pairs test of acc-eq, 45", "~8700", run(tested, "acc-eq:test=pairs", gold, metrics)),
        (
            "PERM acc-eq recalibrated, 45",
            "~90000",
            run(tested, "acc-eq:test=scores", gold, metrics),
        ),
        ("PERM SPA, 45 pairs", "~4100", run(tested, "spa:test=scores", gold, metrics)),
    ]


def main() -> None:
    """Measure, print tables, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    gold, metrics = scores(options.segments)
    peers = {"kendall": stats.kendalltau, "pearson": stats.pearsonr, "spearman": stats.spearmanr}
    timings = [
        compare(
            f"{name} by item",
            gold.size,
            functools.partial(value, f"{name}:grouping=item", gold, metrics[0]),
            functools.partial(by_item, function, gold, metrics[0]),
            peer=PEER,
        )
        for name, function in peers.items()
    ]
    print(f"{SYSTEMS} systems, {options.segments:,} segments, {METRICS} metrics, one core")
    print(f"\nagainst {PEER}, segment by segment, in the same run")
    print(table(timings))
    print("\nagainst the CPU seconds of mt-metrics-eval 0.0.3 on another machine (2,000 segments)")
    print(f"{'task':<32}{'ours s':>10}{'mtme s':>10}{'ratio':>10}")
    for task, seconds, function in published(gold, metrics):
        # What takes long enough to be measured is measured once.
        first = cpu_seconds(function)[0]
        ours = first if first > 1 else min(first, *(cpu_seconds(function)[0] for _ in range(9)))
        timings.append(_known(task, gold.size, ours, float(seconds.lstrip("~"))))
        # The figures are of 2,000 segments; with others there is nothing to divide by.
        ratio = f"{timings[-1].ratio:,.0f}x" if options.segments == 2000 else "-"
        print(f"{task:<32}{ours:>10.4f}{seconds:>10}{ratio:>10}", flush=True)
    if options.json:
        write_json(options.json, timings)


def _known(task: str, items: int, ours: float, theirs: float) -> Timing:
    return Timing(task, items, ours, theirs, 0.0, 0.0, "mt-metrics-eval 0.0.3 (known figure)")


if __name__ == "__main__":
    main()
