"""How sure a ranking is: the model on resampled judgments, rank ranges, clusters."""

import numpy as np

from rankwise.aggregate.model import CountModel
from rankwise.aggregate.wins import Outcomes, Unit
from rankwise.types import Leaderboard
from rankwise.types.clusters import leaderboard


def resampled_ranking(
    outcomes: Outcomes,
    model: CountModel,
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
    blocks = outcomes.resampled(runs=runs, seed=seed, unit=unit)
    scores = [model.scores(*outcomes.wins_and_ties(counts)) for counts in blocks]
    drawing = f"bootstrap:runs={runs}:seed={seed}:unit={unit}:level={level:g}"
    return leaderboard(
        outcomes.systems,
        model.scores(*outcomes.wins_and_ties()),
        np.concatenate(scores),
        level=level,
        signature=f"{model.signature} {drawing}",
    )
