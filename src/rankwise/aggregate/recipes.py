"""The official procedures of WMT, as their scripts carried them out.

What they have in common (``cluster.py``): systems are ordered by the mean of their scores over
the runs; in each run they are ranked by score, equal ones by falling name; the range of a system is
that of its ranks after cutting ceil(2.5 %) of the runs at each end; and a boundary stands below a
system whose worst rank is better than the best of every system after it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.models.expected_wins import ExpectedWins
from rankwise.aggregate.models.outcomes import Outcomes
from rankwise.aggregate.models.trueskill import TrueSkill
from rankwise.aggregate.run_batch import Batch, Spread
from rankwise.types import Judgments, Leaderboard
from rankwise.types.clusters import leaderboard, rank_ranges
from rankwise.types.named import check_choice

Floats = NDArray[np.float64]
Runs = tuple[tuple[str, ...], Floats, str]  # systems, scores (runs, S), signature


def historic_ranking(
    judgments: Judgments,
    recipe: str,
    batch: Batch,
    *,
    level: float = 0.95,
    spread: Spread | None = None,
) -> tuple[Leaderboard, Floats]:
    r"""The ranking that the organisers of one year would have published, and scores (runs, S).

    - ``wmt13``: Expected Wins (divided by \|S\| - 1) on single comparisons drawn with
      replacement; rankings that leave out a system (rank -1) are dropped whole.
    - ``wmt15``: TrueSkill selects its matches, one more than there are comparisons, with
      :math:`\beta` = matches / 80 and draw probability 0.25; runs differ only in what it selects,
      which makes the ranges too narrow. Also what the numbers of the WMT16 IT task agree with.
    - ``wmt16``: the same, after drawing the comparisons with replacement before every run.

    >>> import rankwise as rw
    >>> screens = [rw.Ranking(str(i), "ann", ("A", "B"), (1, 2)) for i in range(40)]
    >>> rw.rank(Judgments.from_rankings(screens), recipe="wmt15", runs=10).clusters
    array([1, 2])
    """
    systems, scores, signature = recipe_runs(judgments, recipe, batch, spread=spread)
    drawing = f"runs={batch.count}:seed={batch.seed}:level={level:g}"
    named = f"{signature} recipe={recipe}:{drawing}"
    board = script_leaderboard(systems, scores, level=level, signature=named)
    return board, scores[:, [systems.index(system) for system in board.systems]]


def recipe_runs(
    judgments: Judgments, recipe: str, batch: Batch, *, spread: Spread | None = None
) -> Runs:
    """Systems, their scores (runs, S) in the runs of *batch*, and the signature of the model.

    A run is decided by the seed and its number alone, so that runs can be computed in pieces,
    put together in order and given to ``script_leaderboard``. *spread* does so elsewhere.
    """
    check_choice("ranking", "recipe", recipe, RECIPES)
    work = partial(RECIPES[recipe], judgments)
    if spread is None:
        return work(batch)
    parts: list[Runs] = spread(work, batch)
    systems, _, signature = parts[0]
    return systems, np.concatenate([scores for _, scores, _ in parts]), signature


def script_leaderboard(
    systems: tuple[str, ...], scores: Floats, *, level: float = 0.95, signature: str = ""
) -> Leaderboard:
    """What ``cluster.py -by-rank`` makes of the scores (runs, S) of all runs.

    >>> script_leaderboard(("A", "B"), np.array([[0.5, 0.5], [0.5, 0.5], [0.6, 0.4]])).rank_low
    array([2, 1])
    """
    board = leaderboard(systems, scores.mean(axis=0), scores, level=level, signature=signature)
    order = [systems.index(system) for system in board.systems]
    low, high = rank_ranges(-_ranks(systems, scores)[:, order], level=level)
    return replace(board, rank_low=low, rank_high=high, clusters=_script_clusters(low, high))


def _wmt13(judgments: Judgments, batch: Batch) -> Runs:
    has_gap = np.add.reduceat(np.isnan(judgments.rank), judgments.starts[:-1])
    complete, model = judgments.select(has_gap == 0), ExpectedWins()
    scores = model.run(complete, replace(batch, unit="pair"))
    return Outcomes.of(complete).systems, scores, model.signature


def _wmt15(judgments: Judgments, batch: Batch) -> Runs:
    model = selecting(judgments)
    systems, means, _ = model.rated(judgments, batch)
    return systems, means, model.signature


def _wmt16(judgments: Judgments, batch: Batch) -> Runs:
    return _wmt15(judgments, replace(batch, unit="pair"))


def selecting(judgments: Judgments) -> TrueSkill:
    """The settings of ``infer_TS.py -n 2 -d 0``; the one match too many is its own."""
    return TrueSkill(
        beta="code", draw_probability=0.25, selection="paper", matches=judgments.pair_count + 1
    )


#: What each year ran, by its name; each sets what it draws before a run.
RECIPES: dict[str, Callable[[Judgments, Batch], Runs]] = {
    "wmt13": _wmt13,
    "wmt15": _wmt15,
    "wmt16": _wmt16,
}


def _ranks(systems: tuple[str, ...], scores: Floats) -> NDArray[np.int64]:
    """Ranks 1 .. S in every run; equal scores by falling name."""
    names = np.argsort(np.argsort(np.array(systems)))
    order = np.lexsort((-np.broadcast_to(names, scores.shape), -scores), axis=1)
    return np.argsort(order, axis=1) + 1


def _script_clusters(low: NDArray[np.int64], high: NDArray[np.int64]) -> NDArray[np.int64]:
    """A boundary where the system above it ends before all below begin; others are not asked."""
    best_below = np.minimum.accumulate(low[::-1])[::-1][1:]
    return np.concatenate(([1], 1 + np.cumsum(high[:-1] < best_below))).astype(np.int64)
