"""Which ranks are left to each system when the items are drawn anew, and who shares a cluster."""

from rankwise.significance.resample import Bootstrap
from rankwise.types import Leaderboard
from rankwise.types.clusters import leaderboard


def ranked(resamples: Bootstrap, *, level: float = 0.95) -> Leaderboard:
    """Systems best first, with rank ranges and clusters from their resampled scores.

    The order is that of the scores on all items; metrics for which lower is better are ranked so.
    *Ties* share their ranks. A system without a score on all items is an error: it has no rank.
    Koehn (2012), IWSLT; see :func:`rankwise.types.clusters.rank_ranges`.

    >>> from rankwise.significance import MeanScore, bootstrap
    >>> rows = {"A": [[0, 1], [1, 1]] * 20, "B": [[1, 1], [0, 1]] * 20, "C": [[3, 1]] * 40}
    >>> board = ranked(bootstrap(rows, MeanScore()))
    >>> board.systems, board.clusters
    (('C', 'A', 'B'), array([1, 2, 2]))
    """
    return leaderboard(
        resamples.systems,
        resamples.scores,
        resamples.resampled,
        level=level,
        higher_is_better=resamples.higher_is_better,
        signature=f"{resamples.signature}:level={level:g}",
    )
