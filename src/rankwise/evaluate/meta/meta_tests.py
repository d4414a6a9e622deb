"""Whether one metric is better than another: every pair of metrics under one measure."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from rankwise.agreement.tables.correlation import pearson
from rankwise.agreement.tables.correlation_measures import Pearson
from rankwise.agreement.tables.exchange import CountedPairs, Exchanged
from rankwise.agreement.tables.exchange_coins import Coins
from rankwise.agreement.tables.score_cells import Table
from rankwise.agreement.tables.table_measure import TableMeasure
from rankwise.agreement.tables.williams import williams
from rankwise.errors import DataError
from rankwise.evaluate.work_done import Done
from rankwise.significance import Bootstrap, bootstrap
from rankwise.significance.statistics import Rows

Tables = Sequence[Table | None]


def all_pairs(count: int) -> list[tuple[int, int]]:
    """Every pair of metrics, the earlier one first: the order of all differences here."""
    return list(combinations(range(count), 2))


def permutation_test(
    measure: TableMeasure,
    gold: Table,
    metrics: Tables,
    coins: Coins,
    done: Done | None = None,
) -> Exchanged:
    """Differences of all pairs when the two exchange scores; nan where a metric is absent (None).

    A pair is compared on the cells that both metrics have; pairs with the same cells are drawn
    together. *done* is called as pairs are finished, with how many.
    """
    pairs = all_pairs(len(metrics))
    observed = np.full(len(pairs), np.nan)
    drawn = np.full((len(pairs), coins.draws), np.nan)
    for members in _alike(gold, metrics, pairs):
        chosen = sorted({metric for number in members for metric in pairs[number]})
        place = {metric: number for number, metric in enumerate(chosen)}
        tables = [table for m in chosen if (table := metrics[m]) is not None]
        local = [(place[pairs[n][0]], place[pairs[n][1]]) for n in members]
        ends = [tables[place] for place in local[0]]
        common = ~np.isnan(np.stack([gold, *ends])).any(axis=0)
        if not common.any():
            continue
        masked = [np.where(common, table, np.nan) for table in tables]
        counted = local if done is None else CountedPairs(local, done)
        found = measure.exchanged(np.where(common, gold, np.nan), masked, counted, coins)
        observed[members], drawn[members] = found.observed, found.drawn
    return Exchanged(observed, drawn)


def _alike(gold: Table, metrics: Tables, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Pairs (by number) in lots that have the same cells."""
    absent = [None if t is None else (~np.isnan(gold) & np.isnan(t)).tobytes() for t in metrics]
    lots: dict[frozenset[bytes], list[int]] = {}
    for number, (left, right) in enumerate(pairs):
        one, two = absent[left], absent[right]
        if one is not None and two is not None:
            lots.setdefault(frozenset((one, two)), []).append(number)
    return list(lots.values())


def bootstrap_test(
    measure: TableMeasure,
    gold: Table,
    metrics: Tables,
    *,
    draws: int,
    seed: int,
    done: Done | None = None,
) -> Exchanged:
    """The paired bootstrap over segments (over systems, where there is one score for each).

    The chance that the observed difference vanishes or turns round: a draw counts where the
    resampled difference is 0 or on the other side. Efron (1979); Koehn (2004), EMNLP. *done* is
    called with shares of the work as they are finished.
    """
    resampled = resampled_values(measure, gold, metrics, draws=draws, seed=seed, done=done)
    left, right = np.array(all_pairs(len(metrics)), np.intp).reshape(-1, 2).T
    observed = resampled.scores[left] - resampled.scores[right]
    differences = (resampled.resampled[:, left] - resampled.resampled[:, right]).T
    return Exchanged(observed, observed[:, np.newaxis] - differences)


def resampled_values(
    measure: TableMeasure,
    gold: Table,
    metrics: Tables,
    *,
    draws: int,
    seed: int,
    done: Done | None = None,
) -> Bootstrap:
    """Values of all metrics on resamples of segments, for intervals and tests.

    Where the rows of segments add up they are summed; else the measure is worked out anew. The
    threshold of acc-eq stays that of all segments. *done* is called with shares of the work: of
    metrics whose rows are known, or of draws.
    """
    present = {str(n): table for n, table in enumerate(metrics) if table is not None}
    names = tuple(str(number) for number in range(len(metrics)))
    rows = _additive_rows(measure, gold, present, done)
    if rows is not None:
        found = bootstrap(rows, measure, samples=draws, seed=seed)
    else:
        found = _resampled_anew(measure, gold, present, draws=draws, seed=seed, done=done)
    scores, resampled = np.full(len(names), np.nan), np.full((draws, len(names)), np.nan)
    places = [int(name) for name in found.systems]
    scores[places], resampled[:, places] = found.scores, found.resampled
    return Bootstrap(names, scores, resampled, signature=found.signature)


def _additive_rows(
    measure: TableMeasure, gold: Table, metrics: Mapping[str, Table], done: Done | None
) -> dict[str, Rows] | None:
    """Rows of segments that add up, of every metric; None where there are none."""
    if gold.shape[1] < 2:
        return None
    rows: dict[str, Rows] = {}
    for name, table in metrics.items():
        row = measure.statistics(gold, table)
        if row is None:  # for this measure it is so with every metric
            return None
        rows[name] = row
        if done is not None:
            done(1 / len(metrics))
    return rows


def _resampled_anew(
    measure: TableMeasure,
    gold: Table,
    metrics: Mapping[str, Table],
    *,
    draws: int,
    seed: int,
    done: Done | None,
) -> Bootstrap:
    axis = 1 if gold.shape[1] > 1 else 0
    random = np.random.default_rng(seed)
    tables = list(metrics.values())
    values = []
    for _ in range(draws):
        picks = random.integers(gold.shape[axis], size=gold.shape[axis])
        drawn = [np.take(table, picks, axis=axis) for table in (gold, *tables)]
        values.append([float(v) for v in measure.values(drawn[0], drawn[1:])])
        if done is not None:
            done(1 / draws)
    scores = np.array([float(value) for value in measure.values(gold, tables)])
    return Bootstrap(tuple(metrics), scores, np.array(values), signature=measure.signature)


def williams_p_values(measure: TableMeasure, gold: Table, metrics: Tables) -> NDArray[np.float64]:
    """One-sided p-values of all pairs, for Pearson's correlation without groups only."""
    if not isinstance(measure, Pearson) or measure.grouping != "none":
        raise DataError(
            f"Williams' test is for Pearson's correlation without groups, not {measure}"
        )
    found = []
    for left, right in all_pairs(len(metrics)):
        one, two = metrics[left], metrics[right]
        if one is None or two is None:
            found.append(np.nan)
            continue
        present = ~np.isnan(np.stack([gold, one, two])).any(axis=0)
        h, a, b = gold[present], one[present], two[present]
        found.append(williams(pearson(h, a), pearson(h, b), pearson(a, b), len(h)))
    return np.array(found)
