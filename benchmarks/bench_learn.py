"""Learned metrics: scoring beside chrF, features beside recorded figures, trees, and learning.

    python benchmarks/bench_learn.py [--segments 10000] [--pairs 500000] [--permutations 1000000]

CPU seconds of one thread. BEER 1.1 on the JVM takes 80 to 100 segments a second (recorded once, on
the text of its golden numbers, start-up left out); it cannot be run here.
"""

import argparse
import os
import time
from collections.abc import Callable

os.environ["RANKWISE_THREADS"] = "1"
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from script_texts import SCRIPTS, texts, texts_in

import rankwise as rw
from rankwise import _core
from rankwise.learning.examples import Examples
from rankwise.learning.features import feature_set
from rankwise.learning.learners import learner

FEATURES = 33
FEATURE_SETS = (
    "soft",
    "beer:modules=exact,stem",
    "beer-1.1:modules=exact,stem",
    "beer-2.0",
)
LEARNERS = ("logistic", "ranksvm", "rankboost", "svr", "ridge", "lambdamart")
MODELS = ("softmatch", "beer")
PARAGRAPH = 2000  # characters


def seconds(function: Callable[[], object], repeats: int = 3) -> float:
    """The least CPU time of some calls."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        found.append(time.process_time() - start)
    return min(found)


def scoring(hypotheses: list[str], references: list[str]) -> list[str]:
    """Segments a second of every model that ships, and their share of chrF's."""
    chrf = rw.metric("chrf")
    base = seconds(lambda: chrf.segments(hypotheses, references), 5)
    lines = [f"{'chrf':34}{len(hypotheses) / base:12,.0f} segments/s"]
    for name in MODELS:
        rw.metric(name).segments(hypotheses[:2], references[:2])  # tables are read once
        taken = seconds(lambda name=name: rw.metric(name).segments(hypotheses, references))
        speed = len(hypotheses) / taken
        lines.append(f"{name:34}{speed:12,.0f} segments/s {base / taken:8.2f} of chrF's")
    return lines


def by_script(count: int) -> list[str]:
    """Softmatch's share of chrF's speed by script, on lines and on paragraphs made of them."""
    lines = [f"{'softmatch / chrF':34}{'lines':>12}{'paragraphs':>12}"]
    for script in SCRIPTS:
        hypotheses, references, _ = texts_in(script, count)
        size = -(-PARAGRAPH * count // sum(map(len, references)))
        paragraphs = [paragraphs_of(side, size) for side in (hypotheses, references)]
        shares = [share(hypotheses, references), share(*paragraphs)]
        lines.append(f"{script:34}{shares[0]:12.2f}{shares[1]:12.2f}")
    return lines


def paragraphs_of(lines: list[str], size: int) -> list[str]:
    """So many lines at a time, one after the other, up to 2,000 characters of them."""
    return [" ".join(lines[k : k + size])[:PARAGRAPH] for k in range(0, len(lines), size)]


def share(hypotheses: list[str], references: list[str]) -> float:
    """The median of several ratios, the two measured in turns."""
    chrf, softmatch = rw.metric("chrf"), rw.metric("softmatch")
    ratios = [
        seconds(lambda: chrf.segments(hypotheses, references), 1)
        / seconds(lambda: softmatch.segments(hypotheses, references), 1)
        for _ in range(7)
    ]
    return float(np.median(ratios))


def extraction(hypotheses: list[str], references: list[str]) -> list[str]:
    """Segments a second of feature sets."""
    lines = []
    for name in FEATURE_SETS:
        found = feature_set(name)
        taken = seconds(lambda found=found: found.rows(hypotheses, references), 2)
        lines.append(f"{name:34}{len(hypotheses) / taken:12,.0f} segments/s")
    return lines


def trees(count: int) -> str:
    """Permutation trees of permutations of 20."""
    random = np.random.default_rng(1)
    values = random.permuted(np.tile(np.arange(20, dtype=np.int32), (count, 1)), axis=1)
    starts = np.arange(0, 20 * count + 1, 20)
    taken = seconds(lambda: _core.permutation_counts(values.reshape(-1), starts), 1)
    return (
        f"{'permutation trees, length 20':34}{count / taken:12,.0f} a second, {taken:.1f} s in all"
    )


def examples(pairs: int) -> Examples:
    """Outputs of ten per segment with noisy preferences among them."""
    random = np.random.default_rng(1)
    segments = max(1, pairs // 50)
    rows = random.normal(size=(10 * segments, FEATURES))
    merit = rows @ random.normal(size=FEATURES) + 3 * random.normal(size=len(rows))
    first = 10 * random.integers(0, segments, pairs)
    one = first + random.integers(0, 10, pairs)
    other = first + (one - first + random.integers(1, 10, pairs)) % 10
    is_better = merit[one] > merit[other]
    return Examples(
        tuple(f"x{k}" for k in range(FEATURES)),
        rows,
        np.arange(len(rows)) // 10,
        np.zeros(len(rows), np.int64),
        ("made up",),
        np.where(is_better, one, other),
        np.where(is_better, other, one),
        np.ones(pairs),
        merit,
    )


def learning(pairs: int) -> list[str]:
    """Seconds to learn from preferences."""
    data = examples(pairs)
    return [
        f"{name:34}{seconds(lambda name=name: learner(name).fit(data, seed=1), 1):12.1f} s"
        for name in LEARNERS
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--segments", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=500_000)
    parser.add_argument("--permutations", type=int, default=1_000_000)
    options = parser.parse_args()
    hypotheses, references, source = texts(options.segments)
    print(
        f"scoring {len(hypotheses):,} segments ({source})",
        *scoring(hypotheses, references),
        sep="\n",
    )
    print(*by_script(options.segments), sep="\n")
    print("features (BEER 1.1 on the JVM: 80-100 segments/s)")
    print(*extraction(hypotheses, references), sep="\n")
    print(trees(options.permutations))
    print(f"learning from {options.pairs:,} preferences of {FEATURES} features")
    print(*learning(options.pairs), sep="\n")


if __name__ == "__main__":
    main()
