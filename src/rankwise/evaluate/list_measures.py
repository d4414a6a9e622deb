"""Measures of ranked lists by the names that people ask for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from rankwise.agreement import ListMeasure, RankedLists, best_predicted_vs_human, list_measure
from rankwise.errors import DataError

#: Stands for ``bph`` at every rank that occurs.
EVERY_BPH = "bph@all"


def named_measures(
    names: Sequence[str | ListMeasure], lists: RankedLists | None, *, ties: str | None = None
) -> dict[str, ListMeasure]:
    """Measures by the names they were asked for, with *ties* where they leave that open.

    ``bph@all`` stands for ``bph@1``, ``bph@2`` and so on, as far as the lists have such ranks.
    """
    found: dict[str, ListMeasure] = {}
    for name in names:
        for member in _members(name, lists, ties):
            found[str(member)] = _with_ties(member, ties)
    if not found:
        raise DataError("no measure is named; expected at least one")
    return found


def _members(
    name: str | ListMeasure, lists: RankedLists | None, ties: str | None
) -> Sequence[str | ListMeasure]:
    if name != EVERY_BPH:
        return (name,)
    if lists is None:
        raise DataError(f"{name} needs all lists at once; name bph@1, bph@2, ... instead")
    ranks = best_predicted_vs_human(lists, ties=ties or "minimize")
    return [f"bph@{rank:g}" for rank in ranks]


def _with_ties(name: str | ListMeasure, ties: str | None) -> ListMeasure:
    if isinstance(name, ListMeasure):
        return name
    found = list_measure(name)
    if ties is None or not hasattr(found, "ties") or ":ties=" in name:
        return found
    return cast(ListMeasure, replace(cast(Any, found), ties=ties))
