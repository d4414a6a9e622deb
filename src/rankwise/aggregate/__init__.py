"""From human judgments to a ranking of systems: models of preference, ranges and clusters."""

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.bradley_terry import BradleyTerry as BradleyTerry
from rankwise.aggregate.models.expected_wins import ExpectedWins as ExpectedWins
from rankwise.aggregate.models.fligner_verducci import FlignerVerducci as FlignerVerducci
from rankwise.aggregate.models.hopkins_may import HopkinsMay as HopkinsMay
from rankwise.aggregate.models.outcomes import Outcomes as Outcomes
from rankwise.aggregate.models.preference_model import CountModel as CountModel
from rankwise.aggregate.models.preference_model import Model as Model
from rankwise.aggregate.models.trueskill import TrueSkill as TrueSkill
from rankwise.aggregate.recipes import RECIPES as RECIPES
from rankwise.aggregate.recipes import historic_ranking
from rankwise.aggregate.recipes import recipe_runs as recipe_runs
from rankwise.aggregate.resampled_ranking import resampled_ranking
from rankwise.aggregate.run_batch import Progress, Spread, Unit
from rankwise.errors import DataError
from rankwise.types import Judgments, Leaderboard
from rankwise.types.defaults import USUAL_MODEL
from rankwise.types.named import parse

#: Every model by its name.
MODELS: dict[str, type[Model]] = {
    ExpectedWins.name: ExpectedWins,
    BradleyTerry.name: BradleyTerry,
    FlignerVerducci.name: FlignerVerducci,
    HopkinsMay.name: HopkinsMay,
    TrueSkill.name: TrueSkill,
}


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
    """What :func:`rankwise.rank` gives, and the scores (runs, S) that its ranges of ranks rest on.

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
    chosen = parse(model or USUAL_MODEL, MODELS) if not isinstance(model, Model) else model
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
