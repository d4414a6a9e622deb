"""Measures by their names, and the names that RankEval and others use for them."""

import re
from collections.abc import Iterable, Mapping

from rankwise._lazy import LazyClasses
from rankwise.agreement.lists.list_measure import Measure, without_at
from rankwise.types.named import parse

#: Every measure of ranked lists by its name.
MEASURES: Mapping[str, type[Measure]] = LazyClasses(
    "rankwise.agreement",
    {
        "tau": "Tau",
        "mrr": "Mrr",
        "dcg": "Dcg",
        "idcg": "Idcg",
        "ndcg": "Ndcg",
        "err": "Err",
        "bph": "Bph",
        "avg_predicted": "AveragePredicted",
    },
)

#: Other names: those of RankEval's results and functions, and of variants of tau.
ALIASES: Mapping[str, str] = {
    "kendall_tau": "tau",
    "tau_avg_seg": "tau:average=macro",
    "tau_weighed": "tau:average=weighted",
    "tau_a": "tau:variant=a",
    "tau_b": "tau:variant=b",
    "tau_c": "tau:variant=c",
    "tau_eq": "tau:variant=eq",
    "acc_eq": "tau:variant=acc_eq",
    "gamma": "tau:variant=gamma",
    "darr": "tau:variant=darr",
    "rr": "mrr",
    "reciprocal_rank": "mrr",
    "ndgc": "ndcg",
    "avg_predicted_ranked": "avg_predicted",
}

#: Names that stand for several measures.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "kendall_tau_set": ("tau", "tau:average=macro"),
    "avg_ndgc_err": ("ndcg", "err"),
}

_BPH = re.compile(r"bph_(\d+)(?:\.0)?(?=:|$)")


def list_measure(name: str) -> Measure:
    """The measure that *name* describes, as in ``tau:variant=wmt12`` or ``ndcg@5:ties=floor``.

    The names of RankEval's results (``tau_avg_seg``, ``ndgc``, ``bph_1.0``, ...) are known too.

    >>> list_measure("ndcg@5")
    Ndcg(k=5, ties='ceiling', order='expected', gain='exponential', compat=None)
    >>> print(list_measure("tau_avg_seg"))
    tau:average=macro
    """
    word, colon, options = _BPH.sub(r"bph@\1", name).partition(":")
    text = ALIASES.get(word, word) + colon + options
    return parse(without_at(text, _behind_at), MEASURES)


def measures(names: Iterable[str]) -> list[Measure]:
    """The measures of *names*, each once; a name of a group stands for its members."""
    found = [list_measure(member) for name in names for member in GROUPS.get(name, (name,))]
    return list(dict.fromkeys(found))


def _behind_at(name: str) -> str | None:
    return MEASURES[name].at if name in MEASURES else None
