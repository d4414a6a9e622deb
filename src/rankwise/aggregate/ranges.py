"""How sure a ranking is: the model on resampled judgments, rank ranges, clusters."""

from rankwise.aggregate.model import Model
from rankwise.aggregate.wins import Unit
from rankwise.types import Judgments, Leaderboard
from rankwise.types.clusters import leaderboard


def resampled_ranking(
    judgments: Judgments,
    model: Model,
    *,
    runs: int = 1000,
    seed: int = 1,
    unit: Unit = "screen",
    level: float = 0.95,
) -> Leaderboard:
    """Systems by their score on all judgments, with ranges and clusters from *runs* resamples.

    Whole screens are drawn with replacement, because the comparisons of one screen are not
    independent; ``unit="pair"`` draws single comparisons, as the WMT scripts did, and makes the
    ranges too narrow. *Ties* share their ranks. Koehn (2012), IWSLT.
    """
    ratings = model.ratings(judgments, seed=seed)
    drawing = f"bootstrap:runs={runs}:seed={seed}:unit={unit}:level={level:g}"
    return leaderboard(
        ratings.systems,
        ratings.means,
        model.runs(judgments, runs=runs, seed=seed, unit=unit),
        level=level,
        signature=f"{model.signature} {drawing}",
    )
