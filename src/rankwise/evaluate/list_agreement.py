"""How well predicted rankings agree with gold ones: values, what is undefined, intervals.

Everything is computed from rows, one per list, so that lists may come in blocks of any number.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement import ListMeasure, RankedLists
from rankwise.agreement.lists.list_measure import Rows, rows_of
from rankwise.agreement.lists.ranked_lists import Lists
from rankwise.compat import rankeval
from rankwise.errors import DataError
from rankwise.evaluate.list_measures import named_measures
from rankwise.significance import bootstrap
from rankwise.significance.few_items import intervals_of_few
from rankwise.types.named import check_choice
from rankwise.types.shown import Shown

#: What is measured when nothing is said.
MEASURES = ("kendall", "mrr", "ndcg", "err")

_BLOCK = 1 << 13  # lists whose rows are made at a time


def agree(
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    measures: Sequence[str | ListMeasure] = MEASURES,
    *,
    ties: str | None = None,
    weights: ArrayLike | None = None,
    compat: str | None = None,
) -> dict[str, float]:
    """How well predicted ranks agree with gold ones, by the names of *measures*.

    Both sides are lists of ranks, one list per segment over the same items (smaller is better, None
    or nan where not ranked), arrays, or two :class:`~rankwise.types.Judgments`, joined by their
    names. *ties* says how tied ranks are normalised wherever that matters and a measure's name does
    not say it: ``ceiling`` unless told otherwise. *weights*, one per list, make weighted means. An
    undefined value is nan; :func:`compare_lists` tells why, and gives intervals.
    ``compat="rankeval"`` gives the numbers of RankEval (2013), its mistakes included, by its names
    too.

    >>> agree([[1, 2, 3], [2, 1, 2]], [[1, 2, 3], [1, 2, 3]], measures=["kendall", "mrr", "ndcg@1"])
    {'kendall': 0.3333333333333333, 'mrr': 0.6666666666666666, 'ndcg@1': 0.7142857142857143}
    """
    lists = RankedLists.of(predicted, gold)
    if compat is not None:
        check_choice("agree", "compat", compat, ("rankeval",))
        if weights is not None or ties not in (None, "ceiling"):
            raise DataError("RankEval has no weights and ranks ties by ceiling; leave both out")
        return dict(rankeval.results_named(lists, [str(measure) for measure in measures]))
    found = compare_lists(lists, None, measures, ties=ties, weights=weights, samples=0)
    return found.values


@dataclass(frozen=True, slots=True)
class ListResult:
    """What one measure says of many lists.

    ``undefined`` lists have no value, for the ``reason`` given, and are left out. ``low`` and
    ``high`` are the ends of the interval, nan without one.
    """

    name: str
    measure: ListMeasure
    value: float
    lists: int
    undefined: int
    low: float = float("nan")
    high: float = float("nan")

    @property
    def reason(self) -> str:
        """Why lists have no value; empty if all have one."""
        return self.measure.undefined if self.undefined else ""


@dataclass(frozen=True, slots=True)
class ListAgreement(Shown):
    """The results of several measures on the same lists.

    ``notes`` says in sentences what of the input was not compared; ``signature`` how intervals were
    made, and is empty without them.
    """

    results: tuple[ListResult, ...]
    notes: tuple[str, ...] = ()
    signature: str = ""

    @property
    def values(self) -> dict[str, float]:
        """The value of every measure by its name."""
        return {result.name: result.value for result in self.results}

    def __repr__(self) -> str:
        """Names and values, in one line."""
        shown = [f"{name} {value:.4f}" for name, value in self.values.items()]
        return f"<ListAgreement: {', '.join(shown[:6])}{', ...' if len(shown) > 6 else ''}>"


def compare_lists(
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    measures: Sequence[str | ListMeasure] = MEASURES,
    *,
    ties: str | None = None,
    weights: ArrayLike | None = None,
    samples: int = 1000,
    seed: int = 12345,
    level: float = 0.95,
) -> ListAgreement:
    """The values of *measures*, with intervals by a bootstrap over lists.

    Those of few lists are widened by Student's t. Options as in :func:`agree`; no *samples*, no
    intervals.
    """
    lists = RankedLists.of(predicted, gold)
    asked = named_measures(measures, lists, ties=ties)
    weight = None if weights is None else _weights(weights, len(lists))
    totals = _Totals(asked)
    blocks = [totals.add(part, w) for part, w in _blocks(lists, weight)]
    if not samples or len(lists) == 0:
        return ListAgreement(totals.results(), lists.notes)
    rows = [np.concatenate(parts) for parts in zip(*blocks, strict=True)]
    resamples = bootstrap(_padded(asked, rows), _Together(asked), samples=samples, seed=seed)
    found = totals.results()
    ends = intervals_of_few(resamples, [r.lists - r.undefined for r in found], level=level)
    results = tuple(
        replace(result, low=float(low), high=float(high))
        for result, low, high in zip(found, ends.low, ends.high, strict=True)
    )
    signature = f"{len(lists)} lists, {level:g} {resamples.signature.split(' ')[-1]}"
    return ListAgreement(results, lists.notes, signature)


def list_values(
    predicted: Lists | RankedLists,
    gold: Lists | None = None,
    measures: Sequence[str | ListMeasure] = MEASURES,
    *,
    ties: str | None = None,
) -> dict[str, NDArray[np.float64]]:
    """The value of every list by the names of *measures*, nan where it is undefined.

    >>> list_values([[1, 2], [1, 2]], [[2, 1], [1, 1]], ["kendall"])["kendall"].tolist()
    [-1.0, nan]
    """
    lists = RankedLists.of(predicted, gold)
    asked = named_measures(measures, lists, ties=ties)
    rows = rows_of(list(asked.values()), lists)
    return {
        name: np.asarray(m.score(part), np.float64)
        for (name, m), part in zip(asked.items(), rows, strict=True)
    }


def agree_in_blocks(
    blocks: Iterable[tuple[Lists, Lists]],
    measures: Sequence[str | ListMeasure] = MEASURES,
    *,
    ties: str | None = None,
) -> ListAgreement:
    """The values of *measures* over pairs of blocks of lists, of which one at a time is held.

    >>> blocks = (([[1, 2]], [gold]) for gold in ([1, 2], [2, 1], [1, 1]))
    >>> found = agree_in_blocks(blocks, ["kendall", "mrr"])
    >>> [(r.name, r.value, r.undefined) for r in found.results]
    [('kendall', 0.0, 1), ('mrr', 0.8333333333333334, 0)]
    """
    totals = _Totals(named_measures(measures, None, ties=ties))
    notes: dict[str, None] = {}
    for predicted, gold in blocks:
        lists = RankedLists.of(predicted, gold)
        notes |= dict.fromkeys(lists.notes)
        for part, _ in _blocks(lists, None):
            totals.add(part)
    return ListAgreement(totals.results(), tuple(notes))


class _Totals:
    """Sums of rows, and how many lists had no value."""

    def __init__(self, asked: Mapping[str, ListMeasure]) -> None:
        self._asked = asked
        self._sums: list[Rows] | None = None
        self._lists = 0
        self._undefined = np.zeros(len(asked), np.int64)

    def add(self, lists: RankedLists, weights: Rows | None = None) -> list[Rows]:
        """Count the lists; their rows, weighted."""
        rows = rows_of(list(self._asked.values()), lists)
        for place, (m, part) in enumerate(zip(self._asked.values(), rows, strict=True)):
            self._undefined[place] += np.isnan(m.score(part)).sum()
        if weights is not None:
            rows = [part * weights[:, None] for part in rows]
        sums = [part.sum(axis=0) for part in rows]
        before = self._sums or [np.zeros_like(part) for part in sums]
        self._sums = [old + new for old, new in zip(before, sums, strict=True)]
        self._lists += len(lists)
        return rows

    def results(self) -> tuple[ListResult, ...]:
        """What each measure says of all lists so far."""
        if self._sums is None:
            self.add(RankedLists.of([], []))
        return tuple(
            ListResult(name, m, float(m.score(total)), self._lists, int(undefined))
            for (name, m), total, undefined in zip(
                self._asked.items(), cast(list[Rows], self._sums), self._undefined, strict=True
            )
        )


class _Together:
    """Several measures as systems of one bootstrap: all see the same draws."""

    signature = "measures"

    def __init__(self, asked: Mapping[str, ListMeasure]) -> None:
        self._measures = list(asked.values())
        empty = rows_of(self._measures, RankedLists.of([], []))
        self._widths = [part.shape[1] for part in empty]

    def score(self, rows: Rows, /) -> Any:
        """The values of rows (..., measures, columns), of which each measure takes its own."""
        parts = [
            m.score(rows[..., place, :width])
            for place, (m, width) in enumerate(zip(self._measures, self._widths, strict=True))
        ]
        return np.stack([np.asarray(part) for part in parts], axis=-1)


def _blocks(lists: RankedLists, weights: Rows | None) -> Iterator[tuple[RankedLists, Rows | None]]:
    """The lists, so many at a time that what is computed of them stays in the cache."""
    for first in range(0, len(lists), _BLOCK):
        last = min(first + _BLOCK, len(lists))
        weight = None if weights is None else weights[first:last]
        yield lists.part(first, last), weight


def _padded(asked: Mapping[str, ListMeasure], rows: Sequence[Rows]) -> dict[str, Rows]:
    """Rows of equal width by the names of their measures."""
    width = max(part.shape[1] for part in rows)
    return {
        name: np.pad(part, ((0, 0), (0, width - part.shape[1])))
        for name, part in zip(asked, rows, strict=True)
    }


def _weights(weights: ArrayLike, lists: int) -> Rows:
    found = np.asarray(weights, np.float64)
    if found.shape != (lists,) or not (np.isfinite(found) & (found >= 0)).all():
        raise DataError(
            f"weights have shape {found.shape}; "
            f"expected {lists} numbers, one per list, none below 0"
        )
    return found


def p_values(
    found: ListAgreement,
    lists: RankedLists,
    *,
    samples: int,
    seed: int,
    done: Callable[[float], object] | None = None,
) -> dict[str, float]:
    """The two-sided p-value of every measure over random orders; without *samples*, nothing.

    *done* is called with how many orders were measured, by one measure.
    """
    from rankwise.agreement.lists.p_values import permutation_p_value

    if samples == 0:
        return {}
    return {
        result.name: permutation_p_value(
            result.measure, lists, samples=samples, seed=seed, done=done
        )
        for result in found.results
    }
