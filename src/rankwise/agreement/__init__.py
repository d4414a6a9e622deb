"""How well anything that ranks agrees with people.

Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.agreement.all_measures import measure
    from rankwise.agreement.lists.best_item import AveragePredicted, Bph, best_predicted_vs_human
    from rankwise.agreement.lists.err import Err
    from rankwise.agreement.lists.gain import Dcg, Idcg, Ndcg
    from rankwise.agreement.lists.kendall import Tau
    from rankwise.agreement.lists.list_measure import Measure
    from rankwise.agreement.lists.measure_names import MEASURES, measures
    from rankwise.agreement.lists.normalisation import invert, normalise
    from rankwise.agreement.lists.ranked_lists import RankedLists
    from rankwise.agreement.lists.reciprocal import Mrr
    from rankwise.agreement.tables.correlation import (
        kendall_tau,
        pairwise_accuracy,
        pearson,
        spearman,
    )

_HOME = {
    "AveragePredicted": "lists.best_item",
    "Bph": "lists.best_item",
    "Dcg": "lists.gain",
    "Err": "lists.err",
    "Idcg": "lists.gain",
    "MEASURES": "lists.measure_names",
    "Measure": "lists.list_measure",
    "Mrr": "lists.reciprocal",
    "Ndcg": "lists.gain",
    "RankedLists": "lists.ranked_lists",
    "Tau": "lists.kendall",
    "best_predicted_vs_human": "lists.best_item",
    "invert": "lists.normalisation",
    "kendall_tau": "tables.correlation",
    "measure": "all_measures",
    "measures": "lists.measure_names",
    "normalise": "lists.normalisation",
    "pairwise_accuracy": "tables.correlation",
    "pearson": "tables.correlation",
    "spearman": "tables.correlation",
}

__getattr__ = loader(__name__, _HOME)

__all__ = [
    "MEASURES",
    "AveragePredicted",
    "Bph",
    "Dcg",
    "Err",
    "Idcg",
    "Measure",
    "Mrr",
    "Ndcg",
    "RankedLists",
    "Tau",
    "best_predicted_vs_human",
    "invert",
    "kendall_tau",
    "measure",
    "measures",
    "normalise",
    "pairwise_accuracy",
    "pearson",
    "spearman",
]
