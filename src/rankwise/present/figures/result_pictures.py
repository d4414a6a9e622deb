"""The picture of a result: it shows itself in a notebook, and is saved as PNG, SVG or PDF."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankwise.errors import DataError
from rankwise.present.figures.figure_canvas import rendered
from rankwise.present.figures.rank_ranges import rank_ranges
from rankwise.present.figures.score_intervals import score_intervals
from rankwise.present.figures.significance import significance_matrix

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rankwise.evaluate.meta.meta_evaluation import MetaEvaluation
    from rankwise.evaluate.scoreboard import Scoreboard
    from rankwise.types import Leaderboard


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A figure of matplotlib that is drawn when somebody looks; equal figures give equal bytes."""

    figure: "Figure"

    def to_bytes(self, file_format: str = "svg") -> bytes:
        """The file of the picture: png, svg or pdf."""
        return rendered(self.figure, file_format)

    def _repr_svg_(self) -> str:
        return self.to_bytes("svg").decode()


def picture_of(result: object) -> Picture:
    """The picture of a result; one that has none is an error."""
    name = type(result).__name__
    if name not in PICTURES:
        raise DataError(f"a {name} has no picture; those have one: {', '.join(PICTURES)}")
    return Picture(PICTURES[name](result))


def _leaderboard(board: "Leaderboard") -> "Figure":
    """The ranks that resampling left to every system."""
    return rank_ranges(board)


def _scoreboard(board: "Scoreboard") -> "Figure":
    """The first metric with its intervals, and lines between clusters."""
    first, order = board.standings[0], board.order
    scores = first.result.corpus[order]
    ends = [(score, score) for score in scores.tolist()]
    if first.intervals is not None:
        low, high = first.intervals.low[order], first.intervals.high[order]
        ends = list(zip(low.tolist(), high.tolist(), strict=True))
    clusters = () if first.board is None else first.board.clusters.tolist()
    name = str(first.result.metric)
    return score_intervals(board.systems, scores.tolist(), ends, clusters=clusters, axis=name)


def _meta(found: "MetaEvaluation") -> "Figure":
    """Which metric agrees better with people than which, by the average of all tasks."""
    order = found.order[~np.isnan(found.average[found.order])]
    names = [found.metrics[place] for place in order.tolist()]
    return significance_matrix(names, found.better[np.ix_(order, order)])


PICTURES: dict[str, Callable[[Any], "Figure"]] = {
    "Leaderboard": _leaderboard,
    "MetaEvaluation": _meta,
    "Scoreboard": _scoreboard,
}
