"""Resampling over rows of statistics: intervals, paired tests, rank ranges, for any metric.

    resamples = bootstrap({"A": rows_a, "B": rows_b}, metric)   # rows (n, k); metric.score(rows)
    percentile_intervals(resamples)
    paired_bootstrap(resamples, baseline="A")                    # or all pairs
    ranked(resamples)                                            # a Leaderboard with clusters
    paired_randomisation({"A": rows_a, "B": rows_b}, metric)
    sign_tests(systems, wins, ties)                              # human preferences, all pairs

Segment scores of any tool (a ``ScoreTable``) come in as ``MeanScore.rows(table)``.
"""

from rankwise.significance.holm import holm
from rankwise.significance.intervals import Intervals, percentile_intervals
from rankwise.significance.paired import Differences, paired_bootstrap, paired_randomisation
from rankwise.significance.resample import Bootstrap, bootstrap
from rankwise.significance.resampled_ranks import ranked
from rankwise.significance.sign_test import SignTests, sign_test, sign_tests
from rankwise.significance.statistics import MeanScore

__all__ = [
    "Bootstrap",
    "Differences",
    "Intervals",
    "MeanScore",
    "SignTests",
    "bootstrap",
    "holm",
    "paired_bootstrap",
    "paired_randomisation",
    "percentile_intervals",
    "ranked",
    "sign_test",
    "sign_tests",
]
