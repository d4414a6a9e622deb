r"""How likely a screen was, given everything asked before it.

The probability is that of the systems drawn times that of the segment drawn for them:

.. math:: P(\text{screen}) = P(\text{systems}) \cdot P(\text{segment} \mid \text{systems})

``uniform``: every set of k of the S systems is equally likely, :math:`1 / \binom{S}{k}`. ``paper``:
the first system is certain, the others are drawn one after the other without repetition in
proportion to :math:`e^{-c|\mu_i - \mu_j|}`, so P is the sum over the orders of drawing them.
``clusters``, ``information`` and ``thompson`` follow from the judgments, not from a draw of sets,
and screens of the coverage floor from what was shown least: those have no probability; the
judgments received before the screen, its strategy and its seed say how to choose it again.

The segment is one of those shown least that tell the systems apart, each equally likely.
"""

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.posterior import Evidence, Posterior, posterior
from rankwise.aggregate.select import Screen
from rankwise.aggregate.strategies import STRATEGIES, Paper, Uniform
from rankwise.server.campaign.plan import Plan
from rankwise.server.campaign.texts import Looks
from rankwise.types import Judgments
from rankwise.types.named import parse

Counts = NDArray[np.int64]


class Chances:
    """The probabilities of screens, asked for in the order in which they were chosen."""

    def __init__(
        self, plan: Plan, looks: Looks, judgments: Judgments | None, pending: Sequence[Screen]
    ) -> None:
        self._looks, self._floor = looks, plan.coverage_floor
        self._strategy = parse(plan.strategy, STRATEGIES)
        self._seen = _counts(judgments, "system", looks.number)
        self._shown = _counts(judgments, "segment", looks.place)
        self._known: Posterior | None = None
        if isinstance(self._strategy, Paper):
            self._known = posterior(Evidence.of(judgments, looks.systems))
        for screen in pending:
            self._count(screen)

    def of(self, screen: Screen) -> tuple[bool, float | None]:
        """Whether the coverage floor chose *screen*, and its probability; then it counts."""
        by_floor = int(self._seen.min(initial=self._floor)) < self._floor
        numbers = [self._looks.number[name] for name in screen.systems]
        chance = None if by_floor else self._systems(numbers)
        found = None if chance is None else chance * self._segment(numbers)
        self._count(screen)
        return by_floor, found

    def _systems(self, numbers: Sequence[int]) -> float | None:
        size = len(self._looks.systems)
        if isinstance(self._strategy, Uniform):
            return 1 / comb(size, len(numbers))
        if isinstance(self._strategy, Paper) and self._known is not None:
            first = _known_least(self._known)
            if first not in numbers:
                return None
            gaps = np.abs(self._known.mean - self._known.mean[first])
            weights = np.exp(-self._strategy.scale * gaps)
            weights[first] = 0.0
            return drawn([n for n in numbers if n != first], weights)
        return None

    def _segment(self, numbers: list[int]) -> float:
        """One of those shown least among the segments that tell most of the systems apart."""
        distinct = self._looks.distinct(numbers)
        usable = distinct == distinct.max()
        least = self._shown[usable].min()
        return float(1 / np.count_nonzero(usable & (self._shown == least)))

    def _count(self, screen: Screen) -> None:
        numbers = [self._looks.number[name] for name in screen.systems]
        self._seen[numbers] += 1
        if screen.segment in self._looks.place:
            self._shown[self._looks.place[screen.segment]] += 1
        if self._known is not None:
            self._known = self._known.expecting_screens([numbers])


def drawn(numbers: Sequence[int], weights: NDArray[np.float64]) -> float:
    r"""The probability of drawing a set without repetition, in any order, by *weights*.

    .. math:: P(A) = \sum_{i \in A} P(A \setminus i) \frac{w_i}{W - \sum_{j \in A \setminus i} w_j}

    >>> round(drawn([0, 1], np.array([1.0, 1.0, 2.0])), 4)  # 1/4 * 1/3 + 1/4 * 1/3
    0.1667
    """
    chosen, total = [float(weights[n]) for n in numbers], float(weights.sum())
    chance, taken = [1.0] + [0.0] * (2 ** len(chosen) - 1), [0.0] * 2 ** len(chosen)
    for subset in range(1, 2 ** len(chosen)):
        for place, weight in enumerate(chosen):
            before = subset & ~(1 << place)
            if before != subset:
                taken[subset] = taken[before] + weight
                chance[subset] += chance[before] * weight / (total - taken[before])
    return chance[-1]


def _known_least(known: Posterior) -> int:
    """The first system of the paper's rule: the largest variance, the last by name of equals."""
    variance = np.diag(known.covariance).round(12).tolist()
    return max(range(len(known)), key=lambda s: (variance[s], known.systems[s]))


def _counts(judgments: Judgments | None, column: str, numbers: dict[str, int]) -> Counts:
    found: Counts = np.zeros(len(numbers), np.int64)
    if judgments is not None and len(judgments):
        names = getattr(judgments, column + "s")
        counts = np.bincount(getattr(judgments, column), minlength=len(names))
        for name, count in zip(names, counts.tolist(), strict=True):
            if name in numbers:
                found[numbers[name]] += count
    return found
