"""A ranking whose runs are computed on processes or on a cluster."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rankwise.aggregate import Model
from rankwise.aggregate.ranker import Ranker
from rankwise.aggregate.run_batch import Batch, Progress, Unit
from rankwise.engine import Site
from rankwise.types import Judgments, Leaderboard

#: Into how many parts runs are cut: a few for every worker of a small cluster.
PARTS = 40


@dataclass(frozen=True, slots=True)
class SpreadRuns:
    """Computes the runs of a ranking in parts at a site; see ``aggregate.ranker.Ranker``."""

    site: Site

    def __call__(self, work: Callable[[Batch], Any], batch: Batch) -> list[Any]:
        """What *work* makes of the parts of *batch*, in order."""

        def finished(part: Batch) -> None:
            if batch.progress is not None:
                batch.progress(part.count)

        parts = batch.parts(-(-batch.count // PARTS))
        return self.site.values(work, parts, on_done=finished)


def rank(
    judgments: Judgments,
    model: str | Model | None = None,
    *,
    runs: int = 1000,
    seed: int = 1,
    unit: Unit | None = None,
    level: float = 0.95,
    recipe: str | None = None,
    progress: Progress | None = None,
    site: Site | None = None,
) -> Leaderboard:
    """The systems of *judgments*, best first, with rank ranges and clusters.

    *model* is one of ``rankwise.aggregate.MODELS``, or its name with options, such as
    ``"expected-wins:variant=wmt11"``; TrueSkill if not given. *unit* is what is drawn with
    replacement: a ``screen`` (the default), because the comparisons of one screen are not
    independent, or a ``pair``. A *recipe* (``wmt13``, ``wmt15``, ``wmt16``) is the procedure of
    that year and brings its own model and unit; see :mod:`rankwise.aggregate.recipes`. *progress*
    is called with the number of runs just finished.

    Runs are computed on the threads of this process, or at a *site*: processes, or a cluster. A run
    is decided by *seed* and its number, so that the ranking is the same to the last bit.

    >>> from rankwise.types import Ranking
    >>> screens = [Ranking(str(i), "ann", ("A", "B", "C"), (1, 2, 2)) for i in range(20)]
    >>> board = rank(Judgments.from_rankings(screens))
    >>> board.systems, board.scores.round(2), board.clusters
    (('A', 'B', 'C'), array([ 1.11, -0.56, -0.56]), array([1, 2, 2]))
    """
    spread = None if site is None else SpreadRuns(site)
    ranker = Ranker(model, recipe, runs, seed, unit, level, spread)
    return ranker.board(judgments, progress=progress)
