"""How well models foretell held-out judgments: tables 2 to 4 of Sakaguchi et al. (2014), WMT.

    python experiments/rank_accuracy.py TRAIN.csv TEST.csv --runs 100 --seed 1

Prints Markdown. The test rankings are removed from the training ones; 200 rankings of researchers
are set aside to choose decision radii. "all" trains on every judge, "researchers" and "crowd" on
some of them.
"""

import argparse
import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb, sqrt
from pathlib import Path
from typing import Literal

from rankwise.aggregate import BradleyTerry, ExpectedWins, HopkinsMay, TrueSkill
from rankwise.aggregate.prediction import RADII, accuracy, cluster_outlook, most_frequent_share
from rankwise.evaluate import rank
from rankwise.evaluate.ranking.prediction_curves import (
    SIZES,
    CurveLearner,
    PredictionCurve,
    learning_curve,
    part,
    without,
)
from rankwise.io import read_judgments
from rankwise.types import Judgments

#: Table 2 of the paper, the mean over ten language pairs.
PAPER = {
    "all": {
        "Expected Wins": (0.465, 0.471, 0.479, 0.486, 0.487),
        "Hopkins-May": (0.471, 0.475, 0.477, 0.489, 0.490),
        "TrueSkill": (0.479, 0.483, 0.493, 0.493, 0.495),
    },
    "researchers": {
        "Expected Wins": (0.460, 0.475, 0.481, 0.492, 0.495),
        "Hopkins-May": (0.463, 0.473, 0.482, 0.494, 0.496),
        "TrueSkill": (0.484, 0.488, 0.493, 0.497, 0.497),
    },
}
PATTERNS = {"all": "*", "researchers": "researcher*", "crowd": "turker*"}
WAYS = (2, 3, 4, 5)
CLUSTERED = ("expected-wins", "fligner-verducci", "hopkins-may", "trueskill", "bradley-terry")

Parts = tuple[Judgments, Judgments, Judgments]


def original_trueskill(
    matches: int, *, ways: int = 2, selection: Literal["paper", "uniform"] = "paper"
) -> TrueSkill:
    """The settings of the published code, which chooses its matches itself."""
    return TrueSkill(
        beta="code", draw_probability=0.25, selection=selection, ways=ways, matches=matches
    )


LEARNERS = (
    # The published code takes 0.001 for the variance of Expected Wins.
    CurveLearner("Expected Wins", ExpectedWins(), deviation=sqrt(0.001)),
    # The paper's sampler; its outcomes scatter by sigma_a = 0.5 (the code reads 0.5 as a variance).
    CurveLearner("Hopkins-May", HopkinsMay(), draw="rankings", deviation=0.5),
    CurveLearner(
        "Hopkins-May, code",
        HopkinsMay(compat="wmt-trueskill"),
        draw="rankings",
        deviation=sqrt(0.5),
    ),
    CurveLearner("TrueSkill", original_trueskill, draw="model"),
    CurveLearner(
        "TrueSkill, uniform",
        functools.partial(original_trueskill, selection="uniform"),
        draw="model",
    ),
    # Ours: no order, no selection, and outcomes with the noise of single performances (beta).
    CurveLearner("TrueSkill, posterior", TrueSkill(), noise=0.5),
    CurveLearner("Bradley-Terry", BradleyTerry(prior=0.1), own_chances=True),
)


def free_for_all(ways: int, pairs_per_match: int) -> CurveLearner:
    """TrueSkill on matches of so many systems, one for every *pairs_per_match* of the size."""

    def model(size: int) -> TrueSkill:
        return original_trueskill(max(1, size // pairs_per_match), ways=ways)

    return CurveLearner(f"N={ways}", model, draw="model")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield f"| {' | '.join(header)} |"
    yield f"|{'---|' * len(header)}"
    for row in rows:
        yield f"| {' | '.join(str(cell) for cell in row)} |"


def by_size(
    curves: Sequence[PredictionCurve], cell: Callable[[PredictionCurve, int], str]
) -> Iterator[str]:
    """A table with a row per size and a column per curve."""
    header = ["judgments", *(curve.name for curve in curves)]
    sizes = curves[0].sizes
    return table(header, [[size, *(cell(c, i) for c in curves)] for i, size in enumerate(sizes)])


def accuracy_cell(paper: Mapping[str, Sequence[float]], curve: PredictionCurve, place: int) -> str:
    """Accuracy and its standard error, and the paper's."""
    found = f"{curve.accuracy[place]:.4f} ± {curve.accuracy_error[place]:.4f}"
    return f"{found} ({paper[curve.name][place]:.3f})" if curve.name in paper else found


def perplexity_cell(curve: PredictionCurve, place: int) -> str:
    """Perplexity and the radius it was chosen with."""
    return f"{curve.perplexity[place]:.3f} (r = {curve.perplexity_radius[place]:g})"


def read_parts(train: Path, test: Path, *, seed: int) -> Parts:
    """Training, development and test rankings, without overlap."""
    held_out = read_judgments(test)
    rest, development = part(
        without(read_judgments(train), held_out), 200, seed=seed, judges="researcher*"
    )
    return rest, development, held_out


def main() -> None:
    """Read, learn, print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--band", choices=["symmetric", "one-sided"], default="one-sided")
    parser.add_argument("--radii", type=float, nargs="+", default=list(RADII))
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    options = parser.parse_args()
    train, development, test = read_parts(options.train, options.test, seed=options.seed)

    def curves(learners: Sequence[CurveLearner], pool: Judgments) -> list[PredictionCurve]:
        found = []
        for learner in learners:
            print(learner.name, end=" ", file=sys.stderr, flush=True)
            found.append(
                learning_curve(
                    learner,
                    pool,
                    development,
                    test,
                    sizes=options.sizes,
                    runs=options.runs,
                    seed=options.seed,
                    radii=options.radii,
                    band=options.band,
                )
            )
        return found

    def show(title: str, lines: Iterator[str]) -> None:
        print(f"\n### {title}\n", *lines, sep="\n", flush=True)

    print(
        f"{len(train)} training, {len(development)} development, {len(test)} test rankings; "
        f"{options.runs} runs, seed {options.seed}, {options.band} band of ties; upper bound "
        f"{most_frequent_share(test.pairs()):.4f}. In brackets: the paper, mean of ten pairs."
    )
    for name, pattern in PATTERNS.items():
        found = curves(LEARNERS, train.where(judges=pattern))
        paper = PAPER.get(name, {}) if options.sizes == list(SIZES) else {}
        cell = functools.partial(accuracy_cell, paper)
        show(f"Accuracy after training on judges: {name}", by_size(found, cell))
        show(f"Perplexity, judges: {name}", by_size(found, perplexity_cell))
    for title, per_match in (
        ("matches", lambda _: 1),
        ("pairwise judgments", lambda n: comb(n, 2)),
    ):
        found = curves([free_for_all(n, per_match(n)) for n in WAYS], train)
        cell = functools.partial(accuracy_cell, {})
        show(f"Free-for-alls of N systems, the same number of {title}", by_size(found, cell))
    boards = {name: rank(train, name, seed=options.seed) for name in CLUSTERED}
    rows = [
        [name, board.clusters[-1], f"{accuracy(cluster_outlook(board), test.pairs()):.4f}"]
        for name, board in boards.items()
    ]
    show(
        "Clusters from all training judgments: a tie is foretold within a cluster",
        table(["model", "clusters", "accuracy"], rows),
    )


if __name__ == "__main__":
    main()
