"""The leaderboards of a campaign: by every model, with ranges, clusters, intervals and counts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate import MODELS
from rankwise.aggregate.means import rank_assessments
from rankwise.errors import RankwiseError
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import LEVEL, plain
from rankwise.types import Assessments, Judgments, Leaderboard
from rankwise.types.clusters import leaderboard
from rankwise.types.named import parse

#: The models that rank, and the averages of values, as the dashboard offers them. Expected Wins is
#: not the first, because it counts two systems that never met as lost for both: early on, and where
#: a strategy chooses who meets, that says more about the choice than about the systems.
RANKING_MODELS = ("trueskill", "expected-wins", "bradley-terry")
VALUE_MODELS = ("means-z", "means")

#: How many outcomes all resamples together may hold: they bound the time a refresh takes.
_OUTCOMES = 2e8


def models_of(plan: Plan) -> tuple[str, ...]:
    """The models of a campaign; the first is what everybody sees who asks for none."""
    return VALUE_MODELS if plan.rules.is_scalar else RANKING_MODELS


def runs_for(pairs: int) -> int:
    """How many resamples a leaderboard gets: 1000, fewer where there is very much to draw from.

    >>> runs_for(5_000), runs_for(1_000_000)
    (1000, 200)
    """
    return int(np.clip(_OUTCOMES / max(pairs, 1), 100, 1000))


def ranking_board(judgments: Judgments, model: str, *, seed: int) -> dict[str, Any]:
    """A leaderboard of rankings; why there is none is in ``problem``."""
    pairs = judgments.pair_count
    runs = runs_for(pairs)
    content = {"model": model, "n_judgments": len(judgments), "n_pairs": pairs, "runs": runs}

    def made() -> tuple[Leaderboard, NDArray[np.float64], tuple[str, ...]]:
        chosen = parse(model, MODELS)
        ratings = chosen.ratings(judgments, seed=seed)
        drawn = chosen.runs(judgments, runs=runs, seed=seed)
        signature = f"{chosen.signature} bootstrap:runs={runs}:seed={seed}:unit=screen"
        board = leaderboard(ratings.systems, ratings.means, drawn, level=LEVEL, signature=signature)
        return board, drawn, ratings.systems

    return content | _board(made, _shown(judgments.systems, judgments.system))


def value_board(assessments: Assessments, model: str, *, seed: int) -> dict[str, Any]:
    """A leaderboard of values: ``means``, or ``means-z`` of every judge's standardised values."""
    runs = 1000 if len(assessments) <= 20000 else 200
    looks = len(np.unique(assessments.info["judgment"]))
    content = {"model": model, "n_judgments": looks, "n_pairs": 0, "runs": runs}

    def made() -> tuple[Leaderboard, None, tuple[str, ...]]:
        board = rank_assessments(
            assessments,
            normalise="judge" if model == "means-z" else "none",
            runs=runs,
            seed=seed,
            level=LEVEL,
        )
        return board, None, board.systems

    return content | _board(made, _shown(assessments.systems, assessments.system))


def _board(
    made: Callable[[], tuple[Leaderboard, NDArray[np.float64] | None, tuple[str, ...]]],
    shown: Mapping[str, int],
) -> dict[str, Any]:
    try:
        board, runs, systems = made()
    except RankwiseError as error:
        return {"problem": str(error), "signature": "", "level": LEVEL, "clusters": 0, "rows": []}
    low, high = _intervals(board, runs, systems)
    return {
        "problem": None,
        "signature": board.signature,
        "level": LEVEL,
        "clusters": int(board.clusters.max(initial=0)),
        "rows": plain(
            [
                {
                    "system": name,
                    "score": board.scores[place],
                    "low": low[place],
                    "high": high[place],
                    "rank_low": board.rank_low[place],
                    "rank_high": board.rank_high[place],
                    "cluster": board.clusters[place],
                    "n": shown.get(name, 0),
                    "support_below": _support(board, place),
                }
                for place, name in enumerate(board.systems)
            ]
        ),
    }


def _intervals(
    board: Leaderboard, runs: NDArray[np.float64] | None, systems: Sequence[str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Percentiles of the resamples; where only their deviation is known, two of these around."""
    if runs is None:
        wide = 1.96 * board.deviations if board.deviations is not None else np.nan
        return board.scores - wide, board.scores + wide
    place = [systems.index(name) for name in board.systems]
    cut = (1 - LEVEL) / 2
    low, high = np.nanquantile(runs[:, place], [cut, 1 - cut], axis=0)
    return low, high


def _support(board: Leaderboard, place: int) -> float | None:
    """How stable a boundary below this system is; the last one has none."""
    if board.boundary_support is None or place >= len(board.boundary_support):
        return None
    return float(board.boundary_support[place])


def _shown(names: Sequence[str], codes: NDArray[np.int32]) -> dict[str, int]:
    """How many judgments each system is in."""
    counts = np.bincount(codes, minlength=len(names)).tolist()
    return dict(zip(names, counts, strict=True))
