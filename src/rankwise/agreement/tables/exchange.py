"""Permutation tests between metrics, which exchange some of their scores.

Outputs of one segment share its source, its references and what a metric makes of them; so do pairs
of these outputs. Units that depend on each other must be exchanged together, hence whole segments
unless single scores (or outcomes of pairs) are asked for, as the metrics tasks of WMT exchange
them.

All functions take the coins of all draws and give, for pairs (left, right) of metrics, the observed
difference of agreement and that of every draw. Both come from the same arithmetic, exact where it
can be: a draw that changes nothing has the observed difference, not almost.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rankwise import _core
from rankwise.agreement.tables.calibration import pair_groups, pair_weights
from rankwise.agreement.tables.exchange_coins import Coins, Units, whole_numbers
from rankwise.agreement.tables.score_cells import Cells, Table

Vector = NDArray[np.float64]
Pair = tuple[int, int]
Pairs = Sequence[Pair]
_ROUNDING = 1e-12  # of differences of values between -1 and 1


@dataclass(frozen=True, slots=True, eq=False)
class CountedPairs(Sequence[Pair]):
    """Pairs of metrics as they are; *done* is told whenever one of them was gone through.

    Who goes through all of them more than once says so (:meth:`in_rounds`): each is one in all.

    >>> seen = []
    >>> pairs = CountedPairs([(0, 1), (0, 2)], seen.append)
    >>> [pair for pair in pairs], [pair for pair in pairs.in_rounds(2)], seen
    ([(0, 1), (0, 2)], [(0, 1), (0, 2)], [1.0, 1.0, 0.5, 0.5])
    """

    pairs: Pairs
    done: Callable[[float], object]
    rounds: int = 1

    def __len__(self) -> int:
        return len(self.pairs)

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> Pairs: ...

    def __getitem__(self, place: int | slice) -> Pair | Pairs:
        return self.pairs[place]

    def __iter__(self) -> Iterator[Pair]:
        for pair in self.pairs:
            yield pair
            self.done(1 / self.rounds)

    def in_rounds(self, rounds: int) -> "CountedPairs":
        """The same, to be gone through so often."""
        return CountedPairs(self.pairs, self.done, rounds)


@dataclass(frozen=True, slots=True, eq=False)
class Exchanged:
    """``observed[p]`` and ``drawn[p, d]``: differences left minus right of every pair of metrics.

    The p-value is one-sided: the chance of a difference at least as large as the observed one if
    left and right were alike.
    """

    observed: Vector
    drawn: NDArray[np.float64]

    def p_values(self, *, compat: str = "") -> Vector:
        r"""One p-value per pair; nan where the observed difference is.

        .. math:: p = \frac{1 + |\{d : \delta_d \ge \delta\}|}{1 + D}

        of D draws (Phipson and Smyth, 2010); ``compat="mtme"`` leaves both ones out. A difference
        that equals the observed one but for rounding is as large. A draw without a value counts
        as no evidence, that is, among those at least as large.
        """
        extreme = (~(self.drawn < self.observed[:, np.newaxis] - _ROUNDING)).sum(axis=1)
        one = 0 if compat == "mtme" else 1
        p: Vector = (one + extreme) / (one + self.drawn.shape[1])
        return np.where(np.isnan(self.observed), np.nan, p)


def standardised(scores: Vector) -> Vector:
    """Scores with mean 0 and deviation 1, so that two metrics can be mixed; 0 if constant."""
    centred = scores - scores.mean(axis=-1, keepdims=True)
    deviation = scores.std(axis=-1, keepdims=True)
    varies = scores.max(axis=-1, keepdims=True) != scores.min(axis=-1, keepdims=True)
    result: Vector = np.divide(centred, deviation, out=np.zeros_like(centred), where=varies)
    return result


def evened(scores: Vector) -> Vector:
    """Scores by their median and their middle distance from it, so that two metrics can be mixed.

    The middle distance is the median over the scores that are not the median; 0 if all are. A few
    wild scores decide a deviation, and then two metrics that are alike would not be after it.

    >>> evened(np.array([1.0, 2.0, 3.0, 5.0, 900.0]))
    array([ -1. ,  -0.5,   0. ,   1. , 448.5])
    """
    centred = scores - np.median(scores, axis=-1, keepdims=True)
    distance = np.where(centred == 0, np.nan, np.abs(centred))
    varies = (centred != 0).any(axis=-1, keepdims=True)
    middle = np.nanmedian(np.where(varies, distance, 1.0), axis=-1, keepdims=True)
    return np.asarray(centred / middle, np.float64)


def _mixable(scores: Vector, units: Units | None) -> Vector:
    """As mt-metrics-eval standardises single scores; whole segments so that wild ones do less."""
    return standardised(scores) if units is None else evened(scores)


def exchange_rows(
    score: Callable[[Vector], Vector], rows: Sequence[Vector], pairs: Pairs, coins: Coins
) -> Exchanged:
    """Metrics exchange whole segments: *rows* (segments, columns) of each, whose sums are scored.

    What a measure says of a mixture is the score of mixed sums, and a sum over coins is taken of
    each metric alone: one product of matrices serves all pairs.
    """
    columns = np.moveaxis(np.stack(rows, axis=1), 2, 0)  # (columns, segments, metrics)
    whole, exponents = zip(*(whole_numbers(column) for column in columns), strict=True)
    heads = coins.sums(np.concatenate(whole, axis=1)).reshape(coins.draws, len(whole), -1)
    totals = np.stack([column.sum(axis=0) for column in whole])

    def value(sums: NDArray[np.int64]) -> Vector:
        scaled = [np.ldexp(s.astype(np.float64), -e) for s, e in zip(sums, exponents, strict=True)]
        return score(np.stack(scaled, axis=-1))

    observed, drawn = [], []
    for left, right in pairs:
        one = (heads[:, :, left] + totals[:, right] - heads[:, :, right]).T
        two = (heads[:, :, right] + totals[:, left] - heads[:, :, left]).T
        drawn.append(value(one) - value(two))
        ends = value(totals[:, [left]]) - value(totals[:, [right]])
        observed.append(float(ends[0]))
    return Exchanged(np.array(observed), np.stack(drawn))


def exchange_pearson(
    cells: Cells, pairs: Pairs, coins: Coins, units: Units | None = None
) -> Exchanged:
    r"""PERM-BOTH of Pearson's correlation over all cells (no grouping).

    A mixture needs three sums only, of :math:`v`, :math:`v g` and :math:`v^2`, and these are sums
    over the coins of each metric alone: one product of matrices serves all pairs. Deutsch et al.
    (2021), TACL.
    """
    gold = standardised(cells.gold)
    metrics = _mixable(cells.scores[1:], units)
    kinds = [metrics, metrics * gold, metrics**2]
    whole, exponents = zip(*(whole_numbers(kind.T) for kind in kinds), strict=True)
    rows = np.concatenate(whole, axis=1)
    rows = rows if units is None else units.sums(rows, cells.places)
    heads = coins.sums(rows).reshape(coins.draws, 3, -1)
    totals = np.stack([kind.sum(axis=0) for kind in whole])
    gold_sum, gold_square = gold.sum(), float(gold @ gold)

    def correlation(sums: NDArray[np.int64]) -> Vector:
        scaled = [np.ldexp(s.astype(np.float64), -e) for s, e in zip(sums, exponents, strict=True)]
        return _moment_correlation(
            *scaled, count=len(cells), gold_sum=gold_sum, gold_square=gold_square
        )

    observed, drawn = [], []
    for left, right in pairs:
        one = (heads[:, :, left] + totals[:, right] - heads[:, :, right]).T
        two = (heads[:, :, right] + totals[:, left] - heads[:, :, left]).T
        drawn.append(correlation(one) - correlation(two))
        ends = correlation(totals[:, [left]]) - correlation(totals[:, [right]])
        observed.append(float(ends[0]))
    return Exchanged(np.array(observed), np.stack(drawn))


def _moment_correlation(
    total: Vector,
    product: Vector,
    square: Vector,
    *,
    count: int,
    gold_sum: float,
    gold_square: float,
) -> Vector:
    spread = count * square - total**2
    scale = np.sqrt(np.maximum(spread, 0.0) * max(count * gold_square - gold_sum**2, 0.0))
    found: Vector = np.full(len(total), np.nan)
    # What is left of a constant mixture is rounding; a real spread of scores is far above it.
    is_spread = (spread > 1e-10 * count * np.maximum(square, 1.0)) & (scale > 0)
    np.divide(count * product - total * gold_sum, scale, out=found, where=is_spread)
    return found


def exchange_grouped(
    kind: str, cells: Cells, pairs: Pairs, coins: Coins, units: Units | None = None
) -> Exchanged:
    """PERM-BOTH of a mean over groups of ``pearson``, ``tau-b`` or ``accuracy`` (ties matter)."""
    tossed = coins.of_cells(cells.places, units)
    metrics = _mixable(cells.scores[1:], units)
    tossed = np.concatenate([np.ones_like(tossed[:1]), tossed])  # at first nothing is exchanged
    found = []
    for left, right in pairs:
        values = _core.exchanged(
            kind, cells.gold, metrics[left], metrics[right], cells.starts, tossed
        )
        found.append(values[:, 0] - values[:, 1])
    differences = np.stack(found)
    return Exchanged(differences[:, 0], differences[:, 1:])


def exchange_pair_outcomes(
    cells: Cells, epsilons: Sequence[float], pairs: Pairs, coins: Coins
) -> Exchanged:
    """The ``pairs`` test of acc-eq: metrics exchange the outcomes of pairs, each with its epsilon.

    Whether a pair is judged right is 0 or 1, so a draw is a sum over coins of each metric alone.
    Deutsch et al. (2023), EMNLP; the official test of the WMT metrics tasks from 2023.
    """
    groups = pair_groups(cells)
    weights, scale = pair_weights(groups)
    rows = np.stack(
        [
            _outcomes(groups, metric, epsilon, weights)
            for metric, epsilon in zip(groups.scores[1:], epsilons, strict=True)
        ],
        axis=1,
    )
    tossed = coins.pair_matrix(groups.sizes.tolist()) if coins.compat else None
    heads, totals = coins.sums(rows, tossed), rows.sum(axis=0)
    left, right = np.array(pairs, np.intp).T
    observed = totals[left] - totals[right]
    drawn = 2 * (heads[:, left] - heads[:, right]) - observed
    return Exchanged(observed / scale, drawn.T / scale)


def _outcomes(
    cells: Cells, metric: Vector, epsilon: float, weights: NDArray[np.int64]
) -> NDArray[np.int64]:
    """What every pair (i, j < i) of every group is worth: its weight where it is judged right."""
    parts = []
    for size in np.unique(cells.sizes).tolist():
        chosen = np.flatnonzero(cells.sizes == size)
        places = cells.starts[chosen][:, np.newaxis] + np.arange(size)
        i, j = np.tril_indices(size, -1)
        h = np.sign(cells.gold[places][:, i] - cells.gold[places][:, j])
        difference = metric[places][:, i] - metric[places][:, j]
        m = np.where(np.abs(difference) <= epsilon, 0.0, np.sign(difference))
        parts.append((chosen, (h == m) * weights[chosen][:, np.newaxis]))
    worth: list[NDArray[np.int64]] = [np.empty(0, np.int64)] * len(cells.sizes)
    for chosen, rows in parts:
        for group, row in zip(chosen.tolist(), rows, strict=True):
            worth[group] = row
    return np.concatenate(worth)


def exchange_calibrated(cells: Cells, pairs: Pairs, coins: Coins) -> Exchanged:
    """PERM-BOTH of acc-eq with the threshold of each mixture calibrated anew in every draw.

    The metrics of *cells* are standardised already; there is a coin for every cell of the tables,
    missing or not.
    """
    groups = pair_groups(cells)
    weights, scale = pair_weights(groups)
    kept = coins.matrix(len(cells) + cells.missing)[:, groups.places]
    tossed = np.concatenate([np.ones_like(kept[:1]), kept])
    found = []
    for left, right in pairs:
        one, two = groups.scores[1 + left], groups.scores[1 + right]
        best = _core.exchanged_calibration(groups.gold, one, two, groups.starts, weights, tossed)
        found.append((best[:, 0] - best[:, 1]) / scale)
    differences = np.stack(found)
    return Exchanged(differences[:, 0], differences[:, 1:])


def exchange_any(
    value: Callable[[Table, Table], float],
    gold: Table,
    metrics: Sequence[Table],
    pairs: Pairs,
    coins: Coins,
    units: Units | None = None,
) -> Exchanged:
    """PERM-BOTH of anything that maps two tables to a number: slow, but for every measure."""
    cells = coins.of_cells(np.arange(gold.size), units)
    tossed = cells.reshape(coins.draws, *gold.shape).astype(np.bool_)
    observed, drawn = [], []
    for left, right in pairs:
        one, two = (standard_table(metrics[m], ~np.isnan(gold), units) for m in (left, right))
        observed.append(value(gold, one) - value(gold, two))
        drawn.append(
            [
                value(gold, np.where(coin, one, two)) - value(gold, np.where(coin, two, one))
                for coin in tossed
            ]
        )
    return Exchanged(np.array(observed), np.array(drawn))


def standard_table(table: Table, chosen: NDArray[np.bool_], units: Units | None = None) -> Table:
    """Scores of the *chosen* cells that have one, fit to be mixed; nan elsewhere."""
    present = chosen & ~np.isnan(table)
    standard: Table = np.full(table.shape, np.nan)
    standard[present] = _mixable(table[present], units)
    return standard
