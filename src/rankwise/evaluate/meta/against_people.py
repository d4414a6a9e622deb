"""How far a metric agrees with people, over systems and over single comparisons."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.lists.kendall import kendall_of_signs
from rankwise.agreement.tables import correlation
from rankwise.errors import DataError
from rankwise.evaluate.given_scores import GivenScores
from rankwise.evaluate.system_scores import SystemScores
from rankwise.metrics import Metric
from rankwise.significance import MeanScore, bootstrap
from rankwise.significance.few_items import intervals_of_few
from rankwise.types import Judgments, Leaderboard
from rankwise.types.shown import Shown


@dataclass(frozen=True, slots=True)
class Agreement(Shown):
    """How far a metric agrees with people, over systems and over single comparisons.

    ``pearson``, ``kendall`` (tau-b) and ``accuracy`` (share of system pairs in the human order)
    compare corpus scores with the scores of a human ranking; ``segment_tau`` (WMT14 variant) and
    ``pairs`` compare segment scores with single human preferences. ``segment_low`` and
    ``segment_high`` are a 95 % interval of ``segment_tau``; nan where none was asked for.
    """

    metric: Metric | GivenScores
    pearson: float
    kendall: float
    accuracy: float
    segment_tau: float
    pairs: int
    segment_low: float = math.nan
    segment_high: float = math.nan

    def __repr__(self) -> str:
        """The metric and its figures, in one line."""
        systems = f"Pearson {self.pearson:.3f}, Kendall {self.kendall:.3f}"
        return f"<Agreement of {self.metric}: {systems}, segment tau {self.segment_tau:.3f}>"


def agreement_with_people(
    scores: SystemScores,
    board: Leaderboard,
    judgments: Judgments,
    *,
    samples: int = 0,
    seed: int = 1,
) -> Agreement:
    """Compare one metric with a human ranking of the systems and with the judgments behind it.

    Systems and segments are matched by name; what one side does not know is left out, and so is a
    pair of outputs of which one has no score. The interval of ``segment_tau`` comes from *samples*
    resamples of the judged segments, if any.
    """
    common = [system for system in board.systems if system in scores.systems]
    human = board.scores[[board.systems.index(system) for system in common]]
    metric = scores.quality[[scores.systems.index(system) for system in common]]
    preferences, predicted, segment = _segment_preferences(scores, judgments)
    told = preferences != 0
    agrees = (preferences * predicted)[told]
    return Agreement(
        scores.metric,
        correlation.pearson(human, metric),
        correlation.kendall(human, metric),
        correlation.pairwise_accuracy(human, metric),
        kendall_of_signs(preferences, predicted, variant="wmt14"),
        len(agrees),
        *_interval(agrees, segment[told], samples, seed),
    )


def _interval(
    agrees: NDArray[np.int8], segment: NDArray[np.int64], samples: int, seed: int
) -> tuple[float, float]:
    """Ends of the 95 % interval of the mean of +1, 0 and -1, over resampled segments."""
    if not samples or not len(agrees):
        return math.nan, math.nan
    _, place = np.unique(segment, return_inverse=True)
    rows = np.stack([np.bincount(place, agrees), np.bincount(place)], axis=1)
    drawn = bootstrap({"": rows}, MeanScore(), samples=samples, seed=seed)
    found = intervals_of_few(drawn, [len(rows)])
    return float(found.low[0]), float(found.high[0])


def must_share_systems(scores: SystemScores, board: Leaderboard) -> None:
    """Raise an error where people judged none of the scored systems."""
    if not set(scores.systems) & set(board.systems):
        raise DataError(
            f"the judgments are of {', '.join(board.systems)}, the scores of "
            f"{', '.join(scores.systems)}; expected some systems of the same name"
        )


def _segment_preferences(
    scores: SystemScores, judgments: Judgments
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
    """The signs of human and metric on every judged pair that the metric has scores for.

    The third is the segment of each.
    """
    pairs = judgments.pairs()
    system = _codes(judgments.systems, scores.systems)
    segment = _codes(judgments.segments, scores.segments.segments)[judgments.segment[pairs.ranking]]
    left, right = system[pairs.left], system[pairs.right]
    known = (left >= 0) & (right >= 0) & (segment >= 0)
    left, right, segment = left[known], right[known], segment[known]
    values = scores.segments.values if scores.metric.higher_is_better else -scores.segments.values
    difference = values[left, segment] - values[right, segment]
    scored = ~np.isnan(difference)
    return (
        pairs.sign[known][scored],
        np.sign(difference[scored]).astype(np.int8),
        segment[scored],
    )


def _codes(names: Sequence[str], known: Sequence[str]) -> NDArray[np.int64]:
    places = {name: place for place, name in enumerate(known)}
    return np.array([places.get(name, -1) for name in names], np.int64)
