"""The leaderboards of a campaign: by every model, with ranges, clusters, intervals and counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.ranker import Ranker
from rankwise.aggregate.scalar.judged_values import JudgedValues
from rankwise.aggregate.scalar.value_models import Mean, Mixed
from rankwise.errors import RankwiseError
from rankwise.present.unsure_lines import unsure_notes
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import LEVEL, plain
from rankwise.server.campaign.standings.contents import BoardRow, LiveBoard
from rankwise.types import Assessments, Judgments, Leaderboard
from rankwise.types.defaults import USUAL_MODEL

#: The models that rank, and the averages of values, as the dashboard offers them. Expected Wins is
#: not the first, because it counts two systems that never met as lost for both: early on, and where
#: a strategy chooses who meets, that says more about the choice than about the systems.
RANKING_MODELS = (USUAL_MODEL, "expected-wins", "bradley-terry")
VALUE_MODELS = ("mixed", "means-z", "means")

#: How many outcomes all resamples together may hold: they bound the time a refresh takes.
_OUTCOMES = 2e8


def models_of(plan: Plan) -> tuple[str, ...]:
    """The models of a campaign; the first is what everybody sees who asks for none.

    Scores side by side are ranked by their values, and by the order that they give.
    """
    values = VALUE_MODELS if plan.rules.is_scalar else ()
    return (*values, *RANKING_MODELS) if plan.compares else values


def runs_for(pairs: int) -> int:
    """How many resamples a leaderboard gets: 1000, fewer where there is very much to draw from.

    >>> runs_for(5_000), runs_for(1_000_000)
    (1000, 200)
    """
    return int(np.clip(_OUTCOMES / max(pairs, 1), 100, 1000))


@dataclass(frozen=True, slots=True)
class LiveRanking:
    """A leaderboard with an interval of every score; what the pictures are drawn from."""

    leaderboard: Leaderboard
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @classmethod
    def of(cls, board: LiveBoard) -> Self:
        """The ranking whose rows *board* has."""
        rows = board["rows"]
        found = Leaderboard(
            tuple(row["system"] for row in rows),
            np.array([row["score"] for row in rows], np.float64),
            np.array([row["rank_low"] for row in rows], np.int64),
            np.array([row["rank_high"] for row in rows], np.int64),
            np.array([row["cluster"] for row in rows], np.int64),
            board["signature"],
        )
        low = np.array([row["low"] for row in rows], np.float64)  # None becomes nan
        return cls(found, low, np.array([row["high"] for row in rows], np.float64))

    def rows(self, shown: Mapping[str, int]) -> list[BoardRow]:
        """A row for every system; *shown* is how many judgments each is in."""
        board = self.leaderboard
        return [
            {
                "system": name,
                "score": float(board.scores[place]),
                "low": float(self.low[place]),
                "high": float(self.high[place]),
                "rank_low": int(board.rank_low[place]),
                "rank_high": int(board.rank_high[place]),
                "cluster": int(board.clusters[place]),
                "n": shown.get(name, 0),
                "support_below": _support(board, place),
                "score_all": None,
                "rank_low_all": None,
                "rank_high_all": None,
                "cluster_all": None,
                "n_all": None,
            }
            for place, name in enumerate(board.systems)
        ]


def ranking_board(judgments: Judgments, model: str, *, seed: int) -> LiveBoard:
    """The leaderboard that ``rank`` gives; why there is none is in ``problem``."""
    pairs = judgments.pair_count
    runs = runs_for(pairs)
    shown = _shown(judgments.systems, judgments.system)

    def made() -> LiveRanking:
        ranker = Ranker(model, runs=runs, seed=seed, level=LEVEL)
        board, scores = ranker.board_and_runs(judgments)
        cut = (1 - LEVEL) / 2
        low, high = np.nanquantile(scores, [cut, 1 - cut], axis=0)
        once = np.array([shown[name] < 2 for name in board.systems])  # nothing that varies
        low[once] = high[once] = np.nan
        return LiveRanking(board, low, high)

    board = _board(model, made, shown)
    return {**board, "n_judgments": len(judgments), "n_pairs": pairs, "runs": runs}


def value_board(assessments: Assessments, model: str, *, seed: int) -> LiveBoard:
    """A leaderboard of values, by one of ``VALUE_MODELS``.

    ``mixed`` takes strict judges and hard segments away; ``means`` are plain, ``means-z`` those of
    every judge's standardised values.
    """
    runs = 1000 if len(assessments) <= 20000 else 200
    looks = len(np.unique(assessments.info["judgment"]))

    def made() -> LiveRanking:
        judged = JudgedValues.of(assessments)
        mean = Mean(normalise="judge" if model == "means-z" else "none")
        chosen = Mixed() if model == "mixed" else mean
        found = chosen.ranked(judged, runs=runs, seed=seed, level=LEVEL)
        return LiveRanking(found.board, found.low, found.high)

    board = _board(model, made, _shown(assessments.systems, assessments.system))
    return {**board, "n_judgments": looks, "runs": runs}


def _board(model: str, made: Callable[[], LiveRanking], shown: Mapping[str, int]) -> LiveBoard:
    board: LiveBoard = {
        "model": model,
        "n_judgments": 0,
        "n_pairs": 0,
        "runs": 0,
        "problem": None,
        "signature": "",
        "level": LEVEL,
        "clusters": 0,
        "rows": [],
        "unjudged": [],
        "left_out": {},
        "n_excluded": 0,
        "unsure": [],
    }
    try:
        found = made()
    except RankwiseError as error:
        return {**board, "problem": str(error)}
    return {
        **board,
        "signature": found.leaderboard.signature,
        "clusters": int(found.leaderboard.clusters.max(initial=0)),
        "rows": plain(found.rows(shown)),
        "unsure": unsure_notes(found.leaderboard),
    }


def _support(board: Leaderboard, place: int) -> float | None:
    """How stable a boundary below this system is; the last one has none."""
    if board.boundary_support is None or place >= len(board.boundary_support):
        return None
    return float(board.boundary_support[place])


def _shown(names: Sequence[str], codes: NDArray[np.int32]) -> dict[str, int]:
    """How many judgments each system is in."""
    counts = np.bincount(codes, minlength=len(names)).tolist()
    return dict(zip(names, counts, strict=True))
