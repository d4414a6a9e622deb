"""How well anything that ranks agrees with people.

Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import lazy_names

if TYPE_CHECKING:
    from rankwise.agreement.lists.best_item import AveragePredicted as AveragePredicted
    from rankwise.agreement.lists.best_item import Bph as Bph
    from rankwise.agreement.lists.best_item import (
        best_predicted_vs_human as best_predicted_vs_human,
    )
    from rankwise.agreement.lists.err import Err as Err
    from rankwise.agreement.lists.gain import Dcg as Dcg
    from rankwise.agreement.lists.gain import Idcg as Idcg
    from rankwise.agreement.lists.gain import Ndcg as Ndcg
    from rankwise.agreement.lists.kendall import Tau as Tau
    from rankwise.agreement.lists.list_measure import ListMeasure as ListMeasure
    from rankwise.agreement.lists.measure_names import LIST_MEASURES as LIST_MEASURES
    from rankwise.agreement.lists.measure_names import list_measure as list_measure
    from rankwise.agreement.lists.normalisation import normalise as normalise
    from rankwise.agreement.lists.ranked_lists import RankedLists as RankedLists
    from rankwise.agreement.lists.reciprocal import Mrr as Mrr
    from rankwise.agreement.tables.correlation import kendall as kendall
    from rankwise.agreement.tables.correlation import pairwise_accuracy as pairwise_accuracy
    from rankwise.agreement.tables.correlation import pearson as pearson
    from rankwise.agreement.tables.correlation import spearman as spearman
    from rankwise.agreement.tables.table_measure import TableMeasure as TableMeasure
    from rankwise.agreement.tables.table_measures import TABLE_MEASURES as TABLE_MEASURES
    from rankwise.agreement.tables.table_measures import table_measure as table_measure
else:
    __getattr__, __dir__ = lazy_names(__name__)
