"""From human judgments to a ranking of systems: models of preference, ranges and clusters."""

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.batch import Progress, Spread, Unit
from rankwise.aggregate.bradley_terry import BradleyTerry
from rankwise.aggregate.expected_wins import ExpectedWins
from rankwise.aggregate.fligner_verducci import FlignerVerducci
from rankwise.aggregate.hopkins_may import HopkinsMay
from rankwise.aggregate.model import CountModel, Model
from rankwise.aggregate.ranges import resampled_ranking
from rankwise.aggregate.recipes import RECIPES, historic_ranking, recipe_runs
from rankwise.aggregate.trueskill import TrueSkill
from rankwise.aggregate.wins import Outcomes
from rankwise.errors import DataError
from rankwise.types import Judgments, Leaderboard
from rankwise.types.named import parse

#: Every model by its name.
MODELS: dict[str, type[Model]] = {
    ExpectedWins.name: ExpectedWins,
    BradleyTerry.name: BradleyTerry,
    FlignerVerducci.name: FlignerVerducci,
    HopkinsMay.name: HopkinsMay,
    TrueSkill.name: TrueSkill,
}

__all__ = [
    "MODELS",
    "RECIPES",
    "BradleyTerry",
    "CountModel",
    "ExpectedWins",
    "FlignerVerducci",
    "HopkinsMay",
    "Model",
    "Outcomes",
    "TrueSkill",
    "rank",
    "rank_with_runs",
    "recipe_runs",
]


def rank(
    judgments: Judgments,
    model: str | Model | None = None,
    *,
    runs: int = 1000,
    seed: int = 1,
    unit: Unit | None = None,
    level: float = 0.95,
    recipe: str | None = None,
    progress: Progress | None = None,
) -> Leaderboard:
    """The systems of *judgments*, best first, with rank ranges and clusters.

    *model* is one of ``MODELS``, or its name with options, such as
    ``"expected-wins:variant=wmt11"``; Expected Wins if not given. *unit* is what is drawn with
    replacement: a ``screen`` (the default) or a ``pair``; see :func:`resampled_ranking`. A *recipe*
    (``wmt13``, ``wmt15``, ``wmt16``) is the procedure of that year and brings its own model and
    unit; see :mod:`rankwise.aggregate.recipes`. *progress* is called with the number of runs just
    finished; it does not change them.

    >>> from rankwise.types import Ranking
    >>> screens = [Ranking(str(i), "ann", ("A", "B", "C"), (1, 2, 2)) for i in range(20)]
    >>> board = rank(Judgments.from_rankings(screens))
    >>> board.systems, board.scores, board.clusters
    (('A', 'B', 'C'), array([1., 0., 0.]), array([1, 2, 2]))
    """
    return rank_with_runs(
        judgments,
        model,
        runs=runs,
        seed=seed,
        unit=unit,
        level=level,
        recipe=recipe,
        progress=progress,
    )[0]


def rank_with_runs(
    judgments: Judgments,
    model: str | Model | None = None,
    *,
    runs: int = 1000,
    seed: int = 1,
    unit: Unit | None = None,
    level: float = 0.95,
    recipe: str | None = None,
    progress: Progress | None = None,
    spread: Spread | None = None,
) -> tuple[Leaderboard, NDArray[np.float64]]:
    """What :func:`rank` gives, and the scores (runs, S) that its ranges of ranks rest on.

    Scores come in the order of the systems of the ranking. *spread* computes the runs elsewhere:
    a function that takes a function of a batch and the batch of all runs, and gives what the
    former makes of parts of the latter, in order.
    """
    if recipe is not None:
        for name, value in (("model", model), ("unit", unit)):
            if value is not None:
                raise DataError(f"recipe {recipe!r} brings its own {name}; leave out {value!r}")
        return historic_ranking(
            judgments, recipe, runs=runs, seed=seed, level=level, progress=progress, spread=spread
        )
    chosen = parse(model or ExpectedWins.name, MODELS) if not isinstance(model, Model) else model
    return resampled_ranking(
        judgments,
        chosen,
        runs=runs,
        seed=seed,
        unit=unit or "screen",
        level=level,
        progress=progress,
        spread=spread,
    )
