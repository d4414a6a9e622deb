"""Measures of ranked lists by their names."""

from collections.abc import Mapping

from rankwise._lazy import LazyClasses
from rankwise.agreement.lists.list_measure import ListMeasure, without_at
from rankwise.types.named import parse

#: Every measure of ranked lists by its name.
LIST_MEASURES: Mapping[str, type[ListMeasure]] = LazyClasses(
    "rankwise.agreement",
    {
        "kendall": "Tau",
        "mrr": "Mrr",
        "dcg": "Dcg",
        "idcg": "Idcg",
        "ndcg": "Ndcg",
        "err": "Err",
        "bph": "Bph",
        "avg-predicted": "AveragePredicted",
    },
)


def list_measure(name: str) -> ListMeasure:
    """The measure of ranked lists that *name* describes, with its options.

    >>> list_measure("ndcg@5")
    Ndcg(k=5, ties='ceiling', order='expected', gain='exponential', compat=None)
    >>> print(list_measure("kendall:variant=wmt12"))
    kendall:variant=wmt12
    """
    return parse(without_at(name, _behind_at), LIST_MEASURES)


def _behind_at(name: str) -> str | None:
    return LIST_MEASURES[name].at if name in LIST_MEASURES else None
