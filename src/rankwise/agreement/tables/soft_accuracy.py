"""Soft pairwise accuracy: whether metric and people are as sure about pairs of systems."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankwise import _core
from rankwise.agreement.tables.exchange_coins import DRAWS, ROUNDING, SEED, Coins, whole_numbers
from rankwise.agreement.tables.score_cells import Table, score_table
from rankwise.agreement.tables.score_value import Value

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
    """``[t, p]``: chance of a difference above that of pair p (i < j, row by row) in table t.

    Totals of 0.1 and 0.2 tie those of 0.3: what is within the rounding of the scores is no
    difference. A tie counts half (mtme: whole).
    """
    left, right = np.triu_indices(len(present), 1)
    whole = np.asarray(present.all(axis=0))
    is_aligned = not (present.any(axis=0) & ~whole).any()
    columns = _aligned(tables, whole) if is_aligned else _paired(tables, present)
    if not len(columns) or not len(left):
        return np.full((len(tables), len(left)), np.nan)
    heads = Coins(signs.draws, signs.seed).sums(columns, signs.matrix(len(columns)))
    # With H the sum over heads and T that over all, signs make 2H - T of a difference of T: they
    # exceed it where H - T is positive, for systems i and j where H_i - T_i > H_j - T_j.
    excess = heads - columns.sum(axis=0)
    width = len(present) if is_aligned else 2
    counts = _core.lifted_counts(excess.reshape(signs.draws, -1, width), ROUNDING)
    above, not_below = counts.reshape(len(tables), -1, 2).transpose(2, 0, 1)
    tails = ((not_below if signs.compat else above) + not_below) / (2 * signs.draws)
    lacks = ~(present[left] & present[right]).any(axis=1)
    return np.where(lacks, np.nan, tails)


def _aligned(tables: Sequence[Table], kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Columns of all systems of all tables, on the segments where nothing is missing."""
    columns = [whole_numbers(table[:, kept])[0] for table in tables]
    return np.ascontiguousarray(np.concatenate(columns).T)


def _paired(tables: Sequence[Table], present: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Columns of both systems of every pair, with zeros where either has no score."""
    pairs = np.stack(np.triu_indices(len(present), 1), axis=1)
    common = (present[pairs[:, 0]] & present[pairs[:, 1]])[:, np.newaxis]
    columns = [
        whole_numbers(np.where(common, np.nan_to_num(table)[pairs], 0.0))[0] for table in tables
    ]
    flat = np.concatenate(columns).reshape(-1, present.shape[1])
    return np.ascontiguousarray(flat[:, present.any(axis=0)].T)


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
