"""How sure a ranking is: the model on resampled judgments, rank ranges, clusters."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.preference_model import Model
from rankwise.aggregate.run_batch import Batch, Spread
from rankwise.types import Judgments, Leaderboard
from rankwise.types.clusters import leaderboard


def resampled_ranking(
    judgments: Judgments,
    model: Model,
    batch: Batch,
    *,
    level: float = 0.95,
    spread: Spread | None = None,
) -> tuple[Leaderboard, NDArray[np.float64]]:
    """Systems by their score on all judgments, and their scores (runs, S) in the runs of *batch*.

    Whole screens are drawn with replacement, because the comparisons of one screen are not
    independent; ``unit="pair"`` draws single comparisons, as the WMT scripts did, and makes the
    ranges too narrow. *Ties* share their ranks. *spread* computes the runs elsewhere. Koehn
    (2012), IWSLT.
    """
    ratings, work = model.ratings(judgments, seed=batch.seed), partial(model.run, judgments)
    scores = work(batch) if spread is None else np.concatenate(spread(work, batch))
    drawing = f"runs={batch.count}:seed={batch.seed}:unit={batch.unit}:level={level:g}"
    signature = f"{model.signature} bootstrap:{drawing}"
    board = leaderboard(ratings.systems, ratings.means, scores, level=level, signature=signature)
    return board, scores[:, [ratings.systems.index(system) for system in board.systems]]
