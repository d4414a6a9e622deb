"""How well anything that ranks agrees with people.

Names are loaded when they are first used.
"""

from typing import TYPE_CHECKING

from rankwise._lazy import loader

if TYPE_CHECKING:
    from rankwise.agreement.all_measures import measure
    from rankwise.agreement.base import Measure
    from rankwise.agreement.best import AveragePredicted, Bph, best_predicted_vs_human
    from rankwise.agreement.correlation import kendall_tau, pairwise_accuracy, pearson, spearman
    from rankwise.agreement.err import Err
    from rankwise.agreement.gain import Dcg, Idcg, Ndcg
    from rankwise.agreement.kendall import Tau
    from rankwise.agreement.lists import RankedLists
    from rankwise.agreement.names import MEASURES, measures
    from rankwise.agreement.normalisation import invert, normalise
    from rankwise.agreement.reciprocal import Mrr

_HOME = {
    "AveragePredicted": "best",
    "Bph": "best",
    "Dcg": "gain",
    "Err": "err",
    "Idcg": "gain",
    "MEASURES": "names",
    "Measure": "base",
    "Mrr": "reciprocal",
    "Ndcg": "gain",
    "RankedLists": "lists",
    "Tau": "kendall",
    "best_predicted_vs_human": "best",
    "invert": "normalisation",
    "kendall_tau": "correlation",
    "measure": "all_measures",
    "measures": "names",
    "normalise": "normalisation",
    "pairwise_accuracy": "correlation",
    "pearson": "correlation",
    "spearman": "correlation",
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
