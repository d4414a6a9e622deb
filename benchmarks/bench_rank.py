"""TrueSkill updates against its package and openskill, whole rankings, and cost against judgments.

    python benchmarks/bench_rank.py [--largest 1000000] [--runs 1000] [--json FILE]

Updates are compared on the same matches in the same order; values are sums of means. The WMT13
judgments are used where the shared data lie beside the checkout, made-up ones elsewhere.
"""

import argparse
import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import trueskill
from harness import Timing, compare, cpu_seconds, table, write_json

from rankwise import _core
from rankwise.aggregate import HopkinsMay, TrueSkill
from rankwise.aggregate.models.trueskill import draw_margin
from rankwise.evaluate import rank
from rankwise.io import read_judgments
from rankwise.types import Judgments

PEER = f"trueskill {trueskill.__version__}"
SHARED = Path(os.environ.get("RANKWISE_SHARED", Path(__file__).parents[2] / "shared"))
WMT13 = SHARED / "data" / "rankings" / "wmt13_fr-en_train.csv.gz"
BETA, DRAWS, SYSTEMS = 12.5, 0.25, 13


def made_up(rankings: int, *, ways: int = 5, seed: int = 1) -> Judgments:
    """Rankings of *ways* of 13 systems whose qualities differ."""
    random = np.random.default_rng(seed)
    system = np.argsort(random.random((rankings, SYSTEMS)), axis=1)[:, :ways]
    ranks = np.round(system / 20 + random.normal(0, 1, system.shape), 1)
    zeros = np.zeros(rankings, np.int32)
    return Judgments(
        tuple(f"system{number:02}" for number in range(SYSTEMS)),
        ("1",),
        ("ann",),
        (("fr", "en"),),
        starts=np.arange(0, rankings * ways + 1, ways),
        system=system.ravel().astype(np.int32),
        rank=ranks.ravel(),
        output=np.tile(np.arange(ways, dtype=np.int16), rankings),
        segment=zeros,
        judge=zeros,
        language=zeros.astype(np.int16),
        screen=np.arange(rankings),
    )


def our_updates(players: np.ndarray, ranks: np.ndarray) -> float:
    """The sum of squared means after all matches."""
    count, ways = players.shape
    means, _ = _core.rate_matches(
        np.zeros(SYSTEMS),
        np.full(SYSTEMS, 0.25),
        np.arange(0, count * ways + 1, ways),
        players.ravel(),
        ranks.ravel(),
        beta=BETA,
        epsilon=draw_margin(DRAWS, beta=BETA),
        tau=0.0,
    )
    return float((means**2).sum())


def their_updates(players: np.ndarray, ranks: np.ndarray, backend: str | None) -> float:
    """The same of the package."""
    env = trueskill.TrueSkill(0, 0.5, BETA, 0, DRAWS, backend=backend)
    ratings = [env.create_rating() for _ in range(SYSTEMS)]
    for match, places in zip(players.tolist(), ranks.tolist(), strict=True):
        rated = env.rate([(ratings[player],) for player in match], ranks=places)
        for player, (rating,) in zip(match, rated, strict=True):
            ratings[player] = rating
    return float(sum(rating.mu**2 for rating in ratings))


def made_matches(ways: int, matches: int) -> tuple[np.ndarray, np.ndarray]:
    """Who met in each match, and their places."""
    random = np.random.default_rng(ways)
    players = np.argsort(random.random((matches, SYSTEMS)), axis=1)[:, :ways].astype(np.int32)
    return players, random.integers(1, 6, (matches, ways)).astype(float)


def update_timings(ways: int, matches: int, backend: str | None) -> Timing:
    """One row: the same matches, ours and theirs."""
    players, ranks = made_matches(ways, matches)
    name = "own erfc" if backend is None else backend
    return compare(
        f"{ways}-way, {name}",
        matches,
        partial(our_updates, players, ranks),
        partial(their_updates, players, ranks, backend),
        peer=PEER,
        repeats=1,
    )


def openskill_updates(players: np.ndarray, ranks: np.ndarray) -> float:
    """The same of openskill, whose model is Plackett and Luce's: other numbers, the same job."""
    model = import_module("openskill.models").PlackettLuce(mu=0, sigma=0.5, beta=BETA, tau=0)
    ratings = [model.rating() for _ in range(SYSTEMS)]
    for match, places in zip(players.tolist(), ranks.tolist(), strict=True):
        rated = model.rate([[ratings[player]] for player in match], ranks=places)
        for player, (rating,) in zip(match, rated, strict=True):
            ratings[player] = rating
    return float(sum(rating.mu**2 for rating in ratings))


def openskill_timings(cases: list[tuple[int, int]]) -> list[Timing]:
    """Updates against openskill; none where it is not installed."""
    if find_spec("openskill") is None:
        print("not installed, so not measured: openskill")
        return []
    return [
        compare(
            f"{ways}-way, openskill",
            matches,
            partial(our_updates, *made_matches(ways, matches)),
            partial(openskill_updates, *made_matches(ways, matches)),
            peer=f"openskill {version('openskill')}",
            repeats=1,
            is_same=False,
        )
        for ways, matches in cases
    ]


def ranking_lines(judgments: Judgments, runs: int) -> list[str]:
    """Seconds of CPU of whole rankings."""
    tasks: dict[str, Callable[[], object]] = {
        f"trueskill, {runs} runs": lambda: rank(judgments, "trueskill", runs=runs),
        f"trueskill ways=5, {runs // 10} runs": lambda: rank(
            judgments, "trueskill:ways=5", runs=max(1, runs // 10)
        ),
        f"expected-wins, {runs} runs": lambda: rank(judgments, runs=runs),
        f"hopkins-may, {runs} runs": lambda: rank(judgments, "hopkins-may", runs=runs),
        f"recipe wmt13, {runs} runs": lambda: rank(judgments, recipe="wmt13", runs=runs),
        f"recipe wmt15, {runs} runs": lambda: rank(judgments, recipe="wmt15", runs=runs),
        "hopkins-may, 200 iterations": lambda: HopkinsMay().ratings(judgments),
        "the same as published": lambda: HopkinsMay(compat="wmt-trueskill").ratings(judgments),
    }
    return [f"{name:<32}{_seconds(task):>10.3f} s" for name, task in tasks.items()]


def linearity_lines(largest: int) -> list[str]:
    """Nanoseconds of CPU per comparison, for more and more of them."""
    lines = [
        f"{'comparisons':>12}{'all, ns each':>14}{'replay, ns each':>17}{'100 runs, ns each':>19}"
    ]
    size = 10_000
    while size <= largest:
        judgments = made_up(size // 10)
        models = (TrueSkill(), TrueSkill(selection="replay"))
        each = [_seconds(partial(model.ratings, judgments)) / size * 1e9 for model in models]
        each.append(_seconds(partial(rank, judgments, "trueskill", runs=100)) / size * 1e9)
        lines.append(f"{size:>12,}{each[0]:>14.0f}{each[1]:>17.0f}{each[2]:>19.0f}")
        size *= 10
    return lines


def _seconds(task: Callable[[], object]) -> float:
    return min(cpu_seconds(lambda: float(task() is None))[0] for _ in range(2))


def main() -> None:
    """Measure, print tables, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--matches", type=int, default=5000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    cases = [(2, options.matches), (5, options.matches // 4)]
    timings = [
        update_timings(ways, matches // (10 if backend else 1), backend)
        for ways, matches in cases
        for backend in (None, "scipy")
    ]
    timings += openskill_timings(cases)
    print(f"updates, one core, {PEER}; its own erfc is 1e-7 wrong, hence NO")
    print(table(timings))
    judgments = read_judgments(WMT13) if WMT13.is_file() else made_up(9996)
    source = "WMT13 fr-en" if WMT13.is_file() else "made-up"
    print(f"\n{source}: {len(judgments):,} rankings, {judgments.pair_count:,} comparisons")
    print("\n".join(ranking_lines(judgments, options.runs)))
    print("\n" + "\n".join(linearity_lines(options.largest)))
    if options.json:
        write_json(options.json, timings, source=source)


if __name__ == "__main__":
    main()
