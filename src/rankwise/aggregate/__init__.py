"""From human judgments to a ranking of systems: models of preference, ranges and clusters."""

from rankwise.aggregate.bradley_terry import BradleyTerry
from rankwise.aggregate.expected_wins import ExpectedWins
from rankwise.aggregate.fligner_verducci import FlignerVerducci
from rankwise.aggregate.model import CountModel, Model
from rankwise.aggregate.ranges import resampled_ranking
from rankwise.aggregate.trueskill import TrueSkill
from rankwise.aggregate.wins import Outcomes, Unit
from rankwise.types import Judgments, Leaderboard
from rankwise.types.named import parse

#: Every model by its name.
MODELS: dict[str, type[Model]] = {
    ExpectedWins.name: ExpectedWins,
    BradleyTerry.name: BradleyTerry,
    FlignerVerducci.name: FlignerVerducci,
    TrueSkill.name: TrueSkill,
}

__all__ = [
    "MODELS",
    "BradleyTerry",
    "CountModel",
    "ExpectedWins",
    "FlignerVerducci",
    "Model",
    "Outcomes",
    "TrueSkill",
    "rank",
]


def rank(
    judgments: Judgments,
    model: str | Model = "expected-wins",
    *,
    runs: int = 1000,
    seed: int = 1,
    unit: Unit = "screen",
    level: float = 0.95,
) -> Leaderboard:
    """The systems of *judgments*, best first, with rank ranges and clusters.

    *model* is one of ``MODELS``, or its name with options, such as
    ``"expected-wins:variant=wmt11"``. See :func:`resampled_ranking` for the other options.

    >>> from rankwise.types import Ranking
    >>> screens = [Ranking(str(i), "ann", ("A", "B", "C"), (1, 2, 2)) for i in range(20)]
    >>> board = rank(Judgments.from_rankings(screens))
    >>> board.systems, board.scores, board.clusters
    (('A', 'B', 'C'), array([1., 0., 0.]), array([1, 2, 2]))
    """
    chosen = parse(model, MODELS) if isinstance(model, str) else model
    return resampled_ranking(judgments, chosen, runs=runs, seed=seed, unit=unit, level=level)
