"""How sure a ranking is: the model on resampled judgments, rank ranges, clusters."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.preference_model import Model
from rankwise.aggregate.run_batch import Batch, Progress, Spread, Unit
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
    progress: Progress | None = None,
    spread: Spread | None = None,
) -> tuple[Leaderboard, NDArray[np.float64]]:
    """Systems by their score on all judgments, and their scores (runs, S) in *runs* resamples.

    Whole screens are drawn with replacement, because the comparisons of one screen are not
    independent; ``unit="pair"`` draws single comparisons, as the WMT scripts did, and makes the
    ranges too narrow. *Ties* share their ranks. *spread* computes the runs elsewhere. Koehn
    (2012), IWSLT.
    """
    ratings = model.ratings(judgments, seed=seed)
    batch, work = Batch(runs, seed, unit, progress=progress), partial(model.run, judgments)
    scores = work(batch) if spread is None else np.concatenate(spread(work, batch))
    drawing = f"bootstrap:runs={runs}:seed={seed}:unit={unit}:level={level:g}"
    signature = f"{model.signature} {drawing}"
    board = leaderboard(ratings.systems, ratings.means, scores, level=level, signature=signature)
    return board, scores[:, [ratings.systems.index(system) for system in board.systems]]
