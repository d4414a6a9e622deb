"""How judgments become a ranking: the one record of all that decides it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate import MODELS, Model, TrueSkill
from rankwise.aggregate.recipes import historic_ranking, selecting
from rankwise.aggregate.resampled_ranking import resampled_ranking
from rankwise.aggregate.run_batch import Batch, Progress, Spread, Unit
from rankwise.errors import DataError
from rankwise.types import Judgments, Leaderboard
from rankwise.types.defaults import USUAL_MODEL
from rankwise.types.named import parse


@dataclass(frozen=True, slots=True)
class Ranker:
    """How judgments are ranked, as :func:`rankwise.rank` explains it.

    A recipe brings its own model and unit; without one they are TrueSkill and the screen, unless
    named. ``spread`` computes the runs elsewhere, which does not change them: a function that takes
    a function of a batch and the batch of all runs, and gives what the former makes of parts of the
    latter, in order.

    >>> Ranker("expected-wins:variant=wmt11").name, Ranker().name, Ranker(recipe="wmt15").name
    ('expected-wins:variant=wmt11', 'trueskill', 'wmt15')
    """

    model: str | Model | None = None
    recipe: str | None = None
    runs: int = 1000
    seed: int = 1
    unit: Unit | None = None
    level: float = 0.95
    spread: Spread | None = None

    def __post_init__(self) -> None:
        for name, value in (("model", self.model), ("unit", self.unit)):
            if self.recipe is not None and value is not None:
                raise DataError(
                    f"recipe {self.recipe!r} brings its own {name}; leave out {value!r}"
                )

    @property
    def name(self) -> str:
        """The model or the recipe, as short as it can be written."""
        return self.recipe or str(self.parsed)

    @property
    def parsed(self) -> Model:
        """The model itself."""
        if isinstance(self.model, Model):
            return self.model
        return parse(self.model or USUAL_MODEL, MODELS)

    def selecting(self, judgments: Judgments) -> TrueSkill | None:
        """The model, if it selects which pairs of *judgments* to look at."""
        if self.recipe in ("wmt15", "wmt16"):
            return selecting(judgments)
        model = self.parsed if self.recipe is None else None
        if isinstance(model, TrueSkill) and model.selection == "paper":
            return model if model.ways == 2 else None
        return None

    def board(self, judgments: Judgments, *, progress: Progress | None = None) -> Leaderboard:
        """The ranking of *judgments*; *progress* is told how many runs were just finished."""
        return self.board_and_runs(judgments, progress=progress)[0]

    def board_and_runs(
        self, judgments: Judgments, *, progress: Progress | None = None
    ) -> tuple[Leaderboard, NDArray[np.float64]]:
        """The ranking, and the scores (runs, S) of its systems that its ranges of ranks rest on."""
        if self.recipe is not None:
            batch = Batch(self.runs, self.seed, None, progress=progress)
            return historic_ranking(
                judgments, self.recipe, batch, level=self.level, spread=self.spread
            )
        batch = Batch(self.runs, self.seed, self.unit or "screen", progress=progress)
        return resampled_ranking(
            judgments, self.parsed, batch, level=self.level, spread=self.spread
        )
