"""Measures of agreement between tables of scores, by name, such as ``pearson`` or ``acc-eq``.

A measure maps a table of gold scores and one of a metric (systems by segments, nan for none) to a
``Value``; measures of the level ``system`` take one column of system scores.
"""

from collections.abc import Mapping

from rankwise.agreement.tables.correlation_measures import Kendall, Pearson, Spearman
from rankwise.agreement.tables.difference_measures import (
    PairwiseDifferencePearson,
    SoftPairwiseAccuracy,
)
from rankwise.agreement.tables.pair_measures import AccEq, KendallLike, PairwiseAccuracy
from rankwise.agreement.tables.score_measure import ScoreMeasure
from rankwise.types.named import parse

MEASURES: Mapping[str, type[ScoreMeasure]] = {
    measure.name: measure
    for measure in (
        Pearson,
        Spearman,
        Kendall,
        KendallLike,
        PairwiseAccuracy,
        AccEq,
        SoftPairwiseAccuracy,
        PairwiseDifferencePearson,
    )
}


def score_measure(text: str) -> ScoreMeasure:
    """The measure that a name with options describes.

    >>> score_measure("kendall:grouping=item").grouping
    'item'
    """
    return parse(text, MEASURES)
