"""Soft pairwise accuracy: whether metric and people are as sure about pairs of systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise.agreement.coins import DRAWS, ROUNDING, SEED, Coins, whole_numbers
from rankwise.agreement.score_cells import Table, score_table
from rankwise.agreement.score_value import Value

#: The seed that mt-metrics-eval always uses for its signs.
MTME_SEED = 4


@dataclass(frozen=True, slots=True)
class Signs:
    """How the random signs of segments are drawn; the same for all systems, people and metrics.

    ``compat="mtme"`` draws those of mt-metrics-eval and counts its one-sided way, by which the
    order of the systems matters where differences tie.
    """

    draws: int = DRAWS
    seed: int = SEED
    compat: str = ""

    def matrix(self, segments: int) -> NDArray[np.uint8] | None:
        """Coins of mt-metrics-eval; None where the stream of :class:`Coins` is meant."""
        if not self.compat:
            return None
        random = np.random.default_rng(self.seed)
        numbers = random.random(size=(self.draws, segments), dtype=np.float32)
        return np.rint(numbers).astype(np.uint8)


def soft_pairwise_accuracies(
    gold: ArrayLike, metrics: Sequence[ArrayLike], signs: Signs | None = None
) -> list[Value]:
    r"""SPA of every metric with the gold scores, tables (systems, segments) with nan for none.

    .. math:: \text{SPA} = 1 - \binom N2^{-1} \sum_{i<j} |p^h_{ij} - p^m_{ij}|

    where :math:`p_{ij}` is the chance that random signs give a total difference of systems i and j
    over that of the data, a tie counting half, so that :math:`p_{ij} + p_{ji} = 1` and the order
    of the systems says nothing. A pair is compared on the segments on which both systems have
    both scores; one without any is left out and counted as undefined. The result is nan for
    fewer than two systems. Sums are exact. Thompson et al. (2024), WMT.

    >>> table = [[0.9, 0.8, 0.7], [0.1, 0.2, 0.9]]
    >>> soft_pairwise_accuracies(table, [table])[0].value
    1.0
    """
    signs = signs or Signs()
    human = score_table(gold)
    scores = [score_table(metric) for metric in metrics]
    found: list[Value | None] = [None] * len(scores)
    for present, members in _by_presence(human, scores).values():
        p_values = pair_p_values([human, *(scores[m] for m in members)], present, signs)
        for member, p in zip(members, p_values[1:], strict=True):
            found[member] = _value(p_values[0], p, human, present)
    return [value for value in found if value is not None]


def pair_p_values(
    tables: Sequence[Table], present: NDArray[np.bool_], signs: Signs
) -> NDArray[np.float64]:
    """``[t, p]``: chance of a difference above that of pair p (i < j, row by row) in table t."""
    systems = present.shape[0]
    left, right = np.triu_indices(systems, 1)
    whole = present.all(axis=0)
    is_aligned = not (present.any(axis=0) & ~whole).any()
    keep = whole if is_aligned else present.any(axis=0)
    columns = []
    for table in tables:
        cells = np.where(present, table, 0.0)[:, keep].T
        if not is_aligned:  # each pair on its own common segments
            common = present[left][:, keep] & present[right][:, keep]
            cells = np.where(common.T, cells[:, left] - cells[:, right], 0.0)
        columns.append(whole_numbers(cells)[0])
    stacked = np.concatenate(columns, axis=1)
    if not len(stacked):
        return np.full((len(tables), len(left)), np.nan)
    heads = Coins(signs.draws, signs.seed).sums(stacked, signs.matrix(len(stacked)))
    # With H the sum over heads and T that over all, signs make 2H - T of a difference of T: they
    # exceed it where H - T is positive, for systems i and j where H_i - T_i > H_j - T_j.
    excess = np.ascontiguousarray((heads - stacked.sum(axis=0)).T)
    excess = excess.reshape(len(tables), -1, signs.draws)
    tails = _system_tails(excess, signs) if is_aligned else _tail(excess, signs)
    lacks = ~(present[left] & present[right]).any(axis=1)
    return np.where(lacks, np.nan, tails)


def _system_tails(excess: NDArray[np.int64], signs: Signs) -> NDArray[np.float64]:
    """Every system against those after it."""
    tails = [
        _tail(excess[:, i : i + 1] - excess[:, i + 1 :], signs) for i in range(excess.shape[1] - 1)
    ]
    return np.concatenate(tails, axis=1) if tails else np.empty((len(excess), 0))


def _tail(excess: NDArray[np.int64], signs: Signs) -> NDArray[np.float64]:
    """The share of draws above the difference of the data; a tie counts half (mtme: whole).

    Totals of 0.1 and 0.2 tie those of 0.3: what is within the rounding of the scores is no
    difference.
    """
    not_below = np.count_nonzero(excess >= -ROUNDING, axis=-1)
    above = not_below if signs.compat else np.count_nonzero(excess > ROUNDING, axis=-1)
    shares: NDArray[np.float64] = (above + not_below) / (2 * signs.draws)
    return shares


def _by_presence(
    human: Table, scores: Sequence[Table]
) -> dict[bytes, tuple[NDArray[np.bool_], list[int]]]:
    """Metrics by the cells that they share with people: those of a kind are drawn together."""
    groups: dict[bytes, tuple[NDArray[np.bool_], list[int]]] = {}
    for number, table in enumerate(scores):
        present = ~(np.isnan(human) | np.isnan(table))
        groups.setdefault(present.tobytes(), (present, []))[1].append(number)
    return groups


def _value(
    human: NDArray[np.float64],
    metric: NDArray[np.float64],
    table: Table,
    present: NDArray[np.bool_],
) -> Value:
    defined = ~np.isnan(human)
    cells = int(present.sum())
    missing = table.size - cells
    if not defined.any():
        reason = "no two systems share a segment"
        return Value(np.nan, 0, len(human), cells, missing, reason)
    error = float(np.abs(human[defined] - metric[defined]).mean())
    used = int(defined.sum())
    return Value(1.0 - error, used, len(human) - used, cells, missing)
