"""Measures of ranked lists by the names that people ask for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from numpy.typing import ArrayLike

from rankwise.agreement import Measure, RankedLists, best_predicted_vs_human
from rankwise.agreement.lists import rankeval
from rankwise.agreement.lists.measure_names import ALIASES, GROUPS, list_measure
from rankwise.errors import DataError

#: RankEval's name of a value that has another one here.
_ORIGINAL = {"ndcg": "ndgc", "avg_predicted": "avg_predicted_ranked"} | {
    target: name for name, target in ALIASES.items() if name == "tau_avg_seg"
}


def named_measures(
    names: Sequence[str | Measure], lists: RankedLists | None, *, ties: str | None = None
) -> dict[str, Measure]:
    """Measures by the names they were asked for, with *ties* where they leave that open.

    Names of groups stand for their members; ``best_predicted_vs_human`` for ``bph@1``, ``bph@2``
    and so on, as far as the lists have such ranks.
    """
    found: dict[str, Measure] = {}
    for name in names:
        for member in _members(name, lists, ties):
            found[str(member)] = _with_ties(member, ties)
    if not found:
        raise DataError("no measure is named; expected at least one")
    return found


def _members(
    name: str | Measure, lists: RankedLists | None, ties: str | None
) -> Sequence[str | Measure]:
    if isinstance(name, Measure) or name != "best_predicted_vs_human":
        return (name,) if isinstance(name, Measure) else GROUPS.get(name, (name,))
    if lists is None:
        raise DataError(f"{name} needs all lists at once; name bph@1, bph@2, ... instead")
    ranks = best_predicted_vs_human(lists, ties=ties or "minimize")
    return [f"bph@{rank:g}" for rank in ranks]


def _with_ties(name: str | Measure, ties: str | None) -> Measure:
    if isinstance(name, Measure):
        return name
    found = list_measure(name)
    if ties is None or not hasattr(found, "ties") or ":ties=" in name:
        return found
    return cast(Measure, replace(cast(Any, found), ties=ties))


def as_rankeval(
    lists: RankedLists,
    measures: Sequence[str | Measure],
    ties: str | None,
    weights: ArrayLike | None,
) -> dict[str, float]:
    """The values of RankEval (2013) by the names that were asked for."""
    if weights is not None or ties not in (None, "ceiling"):
        raise DataError("RankEval has no weights and ranks ties by ceiling; leave both out")
    found = rankeval.allmetrics(lists)
    names = [n for name in measures for n in GROUPS.get(str(name), (str(name),))]
    values = {name: _ORIGINAL.get(ALIASES.get(name, name), name) for name in names}
    unknown = [name for name, value in values.items() if value not in found]
    if unknown:
        raise DataError(f"RankEval has no {unknown[0]!r}; choose from {', '.join(sorted(found))}")
    return {name: found[value] for name, value in values.items()}
