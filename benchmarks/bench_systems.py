"""How rankings grow with the number of systems, and Bradley-Terry against choix.

    python benchmarks/bench_systems.py [--comparisons 100000] [--systems 10 100 1000] [--json FILE]

All have the same number of comparisons of two systems, drawn at random, without ties (choix knows
none). Ours reads judgments and gives standard errors too; choix reads a list of pairs, or a matrix
of wins. Values are sums of squared strengths.
"""

import argparse
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from harness import Timing, compare, cpu_seconds, table, write_json

from rankwise.aggregate import BradleyTerry, ExpectedWins, HopkinsMay, Model, TrueSkill
from rankwise.types import Judgments


def made_up(systems: int, comparisons: int) -> tuple[Judgments, np.ndarray]:
    """Judgments of systems whose strengths differ, and the same as rows of winner and loser."""
    random = np.random.default_rng(systems)
    strength = random.normal(0, 1, systems)
    left = random.integers(0, systems, comparisons)
    right = (left + random.integers(1, systems, comparisons)) % systems
    won = random.random(comparisons) < 1 / (1 + np.exp(strength[right] - strength[left]))
    pairs = np.where(won, [left, right], [right, left]).T
    zeros = np.zeros(comparisons, np.int32)
    judgments = Judgments(
        tuple(f"system{number:04}" for number in range(systems)),
        ("1",),
        ("ann",),
        (("fr", "en"),),
        starts=np.arange(0, 2 * comparisons + 1, 2),
        system=pairs.ravel().astype(np.int32),
        rank=np.tile([1.0, 2.0], comparisons),
        output=np.tile(np.arange(2, dtype=np.int16), comparisons),
        segment=zeros,
        judge=zeros,
        language=zeros.astype(np.int16),
        screen=np.arange(comparisons),
    )
    return judgments, pairs


def against_choix(systems: int, comparisons: int) -> list[Timing]:
    """Rows: judgments against a list of pairs, and a matrix against a matrix."""
    import choix

    judgments, pairs = made_up(systems, comparisons)
    rows = [tuple(pair) for pair in pairs.tolist()]
    wins = np.zeros((systems, systems))
    np.add.at(wins, tuple(pairs.T), 1)
    listed = compare(
        f"{systems:,} systems, judgments",
        comparisons,
        lambda: float((BradleyTerry().ratings(judgments).means ** 2).sum()),
        lambda: float((choix.ilsr_pairwise(systems, rows) ** 2).sum()),
        peer="choix",
    )
    dense = compare(
        f"{systems:,} systems, matrix",
        comparisons,
        lambda: float((BradleyTerry().scores(wins, np.zeros_like(wins)) ** 2).sum()),
        lambda: float((choix.ilsr_pairwise_dense(wins) ** 2).sum()),
        peer="choix",
    )
    return [listed, dense]


def growth_lines(sizes: list[int], comparisons: int, runs: int) -> list[str]:
    """Seconds of CPU of whole models, and milliseconds of a run, for more and more systems."""
    models: dict[str, Model] = {
        "trueskill": TrueSkill(),
        "bradley-terry": BradleyTerry(),
        "expected-wins": ExpectedWins(),
        "hopkins-may": HopkinsMay(),
    }
    lines = [f"{'systems':>8}" + "".join(f"{name + ', s':>19}{'ms a run':>10}" for name in models)]
    for systems in sizes:
        judgments, _ = made_up(systems, comparisons)
        cells = []
        for model in models.values():
            once = _seconds(partial(model.ratings, judgments))
            few, many = (_seconds(partial(_runs, model, judgments, n)) for n in (1, 1 + runs))
            cells.append(f"{once:>19.3f}{(many - few) / runs * 1e3:>10.1f}")
        lines.append(f"{systems:>8,}" + "".join(cells))
    return lines


def _runs(model: Model, judgments: Judgments, runs: int) -> float:
    return float(np.nansum(model.runs(judgments, runs=runs, seed=1)))


def _seconds(task: Callable[[], object]) -> float:
    return min(cpu_seconds(lambda: float(task() is None))[0] for _ in range(2))


def main() -> None:
    """Measure, print tables, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--comparisons", type=int, default=100_000)
    parser.add_argument("--systems", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    timings: list[Timing] = []
    if find_spec("choix") is None:
        print("choix is not installed: ours alone")
    else:
        for systems in options.systems:
            timings += against_choix(systems, options.comparisons)
        print("Bradley-Terry, ours with standard errors where it reads judgments; choix's ILSR")
        print(table(timings))
    print(f"\nwhole models on {options.comparisons:,} comparisons")
    print("\n".join(growth_lines(options.systems, options.comparisons, options.runs)))
    if options.json:
        write_json(options.json, timings)


if __name__ == "__main__":
    main()
