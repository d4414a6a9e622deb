"""Resampling over rows of statistics: intervals, paired tests, rank ranges, for any metric.

    resamples = bootstrap({"A": rows_a, "B": rows_b}, metric)   # rows (n, k); metric.score(rows)
    percentile_intervals(resamples)
    paired_bootstrap(resamples, baseline="A")                    # or all pairs
    ranked(resamples)                                            # a Leaderboard with clusters
    paired_randomisation({"A": rows_a, "B": rows_b}, metric)
    sign_tests(systems, wins, ties)                              # human preferences, all pairs

Segment scores of any tool (a ``ScoreTable``) come in as ``MeanScore.rows(table)``.
"""

from rankwise.significance.holm import holm as holm
from rankwise.significance.intervals import Intervals as Intervals
from rankwise.significance.intervals import percentile_intervals as percentile_intervals
from rankwise.significance.paired import Differences as Differences
from rankwise.significance.paired import paired_bootstrap as paired_bootstrap
from rankwise.significance.paired import paired_randomisation as paired_randomisation
from rankwise.significance.resample import Bootstrap as Bootstrap
from rankwise.significance.resample import bootstrap as bootstrap
from rankwise.significance.resampled_ranks import ranked as ranked
from rankwise.significance.sign_test import SignTests as SignTests
from rankwise.significance.sign_test import sign_test as sign_test
from rankwise.significance.sign_test import sign_tests as sign_tests
from rankwise.significance.statistics import MeanScore as MeanScore
