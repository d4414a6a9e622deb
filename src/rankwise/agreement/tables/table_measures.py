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
from rankwise.agreement.tables.table_measure import TableMeasure
from rankwise.types.named import parse

#: Every measure of tables of scores by its name.
TABLE_MEASURES: Mapping[str, type[TableMeasure]] = {
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


def table_measure(name: str) -> TableMeasure:
    """The measure of tables of scores that *name* describes, with its options.

    >>> table_measure("kendall:grouping=item").grouping
    'item'
    """
    return parse(name, TABLE_MEASURES)
