"""How well anything that ranks agrees with people.

Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.agreement.lists.best_item import AveragePredicted, Bph, best_predicted_vs_human
    from rankwise.agreement.lists.err import Err
    from rankwise.agreement.lists.gain import Dcg, Idcg, Ndcg
    from rankwise.agreement.lists.kendall import Tau
    from rankwise.agreement.lists.list_measure import ListMeasure
    from rankwise.agreement.lists.measure_names import LIST_MEASURES, list_measure
    from rankwise.agreement.lists.normalisation import invert, normalise
    from rankwise.agreement.lists.ranked_lists import RankedLists
    from rankwise.agreement.lists.reciprocal import Mrr
    from rankwise.agreement.tables.correlation import (
        kendall,
        pairwise_accuracy,
        pearson,
        spearman,
    )
    from rankwise.agreement.tables.table_measure import TableMeasure
    from rankwise.agreement.tables.table_measures import TABLE_MEASURES, table_measure

_HOME = {
    "AveragePredicted": "lists.best_item",
    "Bph": "lists.best_item",
    "Dcg": "lists.gain",
    "Err": "lists.err",
    "Idcg": "lists.gain",
    "LIST_MEASURES": "lists.measure_names",
    "ListMeasure": "lists.list_measure",
    "Mrr": "lists.reciprocal",
    "Ndcg": "lists.gain",
    "RankedLists": "lists.ranked_lists",
    "TABLE_MEASURES": "tables.table_measures",
    "TableMeasure": "tables.table_measure",
    "Tau": "lists.kendall",
    "best_predicted_vs_human": "lists.best_item",
    "invert": "lists.normalisation",
    "kendall": "tables.correlation",
    "list_measure": "lists.measure_names",
    "normalise": "lists.normalisation",
    "pairwise_accuracy": "tables.correlation",
    "pearson": "tables.correlation",
    "spearman": "tables.correlation",
    "table_measure": "tables.table_measures",
}

__getattr__ = loader(__name__, _HOME)

__all__ = [
    "LIST_MEASURES",
    "TABLE_MEASURES",
    "AveragePredicted",
    "Bph",
    "Dcg",
    "Err",
    "Idcg",
    "ListMeasure",
    "Mrr",
    "Ndcg",
    "RankedLists",
    "TableMeasure",
    "Tau",
    "best_predicted_vs_human",
    "invert",
    "kendall",
    "list_measure",
    "normalise",
    "pairwise_accuracy",
    "pearson",
    "spearman",
    "table_measure",
]
