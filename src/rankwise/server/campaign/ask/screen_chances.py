r"""How likely a screen was, given everything asked before it.

The probability is that of the systems drawn times that of the segment drawn for them:

.. math:: P(\text{screen}) = P(\text{systems}) \cdot P(\text{segment} \mid \text{systems})

The first factor comes from the strategy (``Strategy.chance``). ``uniform``: every set of k of the S
systems is equally likely, :math:`1 / \binom{S}{k}`. ``paper``: the first system is certain, the
others are drawn one after the other without repetition in proportion to
:math:`e^{-c|\mu_i - \mu_j|}`, so P is the sum over the orders of drawing them. ``information``
follows from the judgments: its choice has probability 1, every other one 0. ``clusters`` asks at
random with probability :math:`\epsilon` (its option *explore*) and else for what is worth most:
:math:`\epsilon / \binom{S}{k}`, plus :math:`1 - \epsilon` for that one choice. There is none for
``thompson`` (no closed form), for screens of the coverage floor, and for ``clusters`` and
``information`` once all boundaries are found and chance decides between equals: the judgments
received before the screen, its strategy and its seed say how to choose it again.

The segment is one of those shown least that tell the systems apart, each equally likely.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.server.campaign.ask.looks import Looks
from rankwise.server.campaign.plan.plan import Plan
from rankwise.types import Judgments
from rankwise.types.judging.screen import Screen

Counts = NDArray[np.int64]


class Chances:
    """The probabilities of screens, asked for in the order in which they were chosen."""

    def __init__(
        self, plan: Plan, looks: Looks, judgments: Judgments | None, pending: Sequence[Screen]
    ) -> None:
        self._looks, self._floor = looks, plan.coverage_floor
        self._seen = _counts(judgments, "system", looks.number)
        self._shown = _counts(judgments, "segment", looks.place)
        for screen in pending:
            self._count(screen)

    def of(self, screen: Screen) -> tuple[bool, float | None]:
        """Whether the coverage floor chose *screen*, and its probability; then it counts."""
        by_floor = int(self._seen.min(initial=self._floor)) < self._floor
        numbers = [self._looks.number[name] for name in screen.systems]
        found = None if screen.chance is None else screen.chance * self._segment(numbers)
        self._count(screen)
        return by_floor, found

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


def _counts(judgments: Judgments | None, column: str, numbers: dict[str, int]) -> Counts:
    found: Counts = np.zeros(len(numbers), np.int64)
    if judgments is not None and len(judgments):
        names = getattr(judgments, column + "s")
        counts = np.bincount(getattr(judgments, column), minlength=len(names))
        for name, count in zip(names, counts.tolist(), strict=True):
            if name in numbers:
                found[numbers[name]] += count
    return found
