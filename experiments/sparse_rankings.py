"""Which model of preference holds where most pairs of systems never met.

    python experiments/sparse_rankings.py

Twelve systems with skills drawn from a normal distribution; 30 % of the pairs meet (a ring joins
all), one pair a screen. Printed for every model: Kendall's tau with the true skills, how many of
the true ranks lie in the range of ranks, how many scores lie outside the interval of their own
resamples, and how many of the data sets the model refuses.
"""

import argparse
import random
from collections.abc import Sequence

import numpy as np

from rankwise.aggregate.ranker import Ranker
from rankwise.agreement import kendall
from rankwise.errors import RankwiseError
from rankwise.types import Judgments, Ranking

MODELS = ("expected-wins", "trueskill", "bradley-terry", "bradley-terry:prior=0.1")
SYSTEMS, NOISE, TIE = 12, 0.7, 0.25


def campaign(seed: int, screens: int, share: float) -> tuple[Judgments, dict[str, float]]:
    """Judgments of pairs, of which only a share meets, and the true skills."""
    draw = random.Random(seed)
    names = [f"s{number:02}" for number in range(SYSTEMS)]
    skill = {name: draw.gauss(0, 0.6) for name in names}
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    ring = [(names[n], names[(n + 1) % SYSTEMS]) for n in range(SYSTEMS)]
    met = sorted({*ring, *draw.sample(pairs, int(share * len(pairs)))})
    shown = [*ring, *draw.choices(met, k=screens - SYSTEMS)]
    looks = [
        Ranking(str(n), "judge", pair, _ranks(*(draw.gauss(skill[s], NOISE) for s in pair)))
        for n, pair in enumerate(shown)
    ]
    return Judgments.from_rankings(looks), skill


def _ranks(one: float, other: float) -> tuple[int, int]:
    if abs(one - other) < TIE:
        return 1, 1
    return (1, 2) if one > other else (2, 1)


def figures(model: str, screens: int, share: float, sets: int, runs: int) -> Sequence[float]:
    """Tau, true ranks in their ranges, scores outside their intervals, refused sets."""
    found = []
    for seed in range(sets):
        judgments, skill = campaign(seed, screens, share)
        try:
            board, drawn = Ranker(model, runs=runs).board_and_runs(judgments)
        except RankwiseError:
            continue
        low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0)
        true = sorted(board.systems, key=lambda name: -skill[name])
        places = np.array([true.index(name) + 1 for name in board.systems])
        found.append(
            (
                kendall(board.scores, [skill[name] for name in board.systems]),
                np.mean((board.rank_low <= places) & (places <= board.rank_high)),
                np.mean((board.scores < low - 1e-9) | (board.scores > high + 1e-9)),
            )
        )
    means = np.mean(found, axis=0) if found else np.full(3, np.nan)
    return [*means.tolist(), sets - len(found)]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()
    print("| pairs that meet | screens | model | tau | true rank in range | outside | refused |")
    print("|---|---|---|---|---|---|---|")
    for share, screens in ((0.3, 40), (0.3, 100), (0.3, 300), (0.3, 1000), (1.0, 66)):
        for model in MODELS:
            tau, inside, outside, refused = figures(
                model, screens, share, options.sets, options.runs
            )
            print(
                f"| {share:.0%} | {screens:,} | {model} | {tau:.3f} | {inside:.3f} | "
                f"{outside:.3f} | {refused:.0f} of {options.sets} |"
            )


if __name__ == "__main__":
    main()
