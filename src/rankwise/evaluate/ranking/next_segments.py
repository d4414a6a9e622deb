"""Which segments to give to people next, where a machine scored all of them."""

from collections.abc import Mapping

import numpy as np

from rankwise.aggregate.asking.spread_sample import spread_sample
from rankwise.aggregate.scalar.judged_values import counted_rows, numbered
from rankwise.errors import DataError
from rankwise.types import Assessments, Judgments, ScoreTable


def next_segments(
    proxy: ScoreTable,
    people: Assessments | Judgments | None = None,
    *,
    count: int = 10,
    seed: int = 1,
    documents: Mapping[str, str] | None = None,
) -> list[str]:
    """*count* segments for people to judge next, all systems of each, in random order.

    Of the segments that *proxy* scored and *people* did not judge, each has the same chance, which
    is what makes intervals of :func:`rankwise.rank_with_proxy` hold. But segments of one document,
    and segments that the proxy scored alike for all systems, are seldom drawn together: the sample
    looks like the whole. *documents* names the document of every segment by its id.

    >>> table = ScoreTable(("A",), tuple("abcdefgh"), np.array([[1, 1, 1, 1, 9, 9, 9, 9.0]]))
    >>> next_segments(table, count=2)
    ['f', 'b']
    """
    judged = set() if people is None else _judged(people)
    there = ~np.isnan(proxy.values[~np.isnan(proxy.values).all(axis=1)]).any(axis=0)
    is_open = np.array([name not in judged for name in proxy.segments], np.bool_) & there
    places = np.flatnonzero(is_open)
    if count < 0 or count > len(places):
        raise DataError(
            f"{count} segments are asked for; {len(places)} of those that {proxy.name!r} scored "
            "are not judged"
        )
    label = documents or {}
    names = [proxy.segments[place] for place in places.tolist()]
    groups = numbered(np.array([label.get(name, f"\0{name}") for name in names]))
    if not label:
        groups = np.zeros(len(names), np.int64)
    chosen = spread_sample(proxy.values[:, places], groups, count, seed=seed)
    return [names[place] for place in chosen.tolist()]


def _judged(people: Assessments | Judgments) -> set[str]:
    """The segments with a judgment."""
    if isinstance(people, Judgments):
        codes = people.segment[~people.is_skipped]
    else:
        codes = people.segment[counted_rows(people)]
    return {people.segments[code] for code in np.unique(codes).tolist()}
