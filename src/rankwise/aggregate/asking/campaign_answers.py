"""Where the answers to a strategy's questions come from: a finished campaign, or a simulation."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.asking.posterior import Evidence, Floats
from rankwise.aggregate.asking.strategies import Mask
from rankwise.types import Judgments


class Answers(Protocol):
    """Where answers come from: a finished campaign, or a simulation."""

    systems: tuple[str, ...]
    allowed: Mask

    def ask(self, chosen: tuple[int, ...], times: int) -> None:
        """Ask for the systems *chosen* so many times, or as often as there are answers."""

    @property
    def spent(self) -> int:
        """The questions so far."""

    @property
    def size(self) -> int:
        """The questions that can be asked at all."""

    def evidence(self) -> Evidence:
        """The comparisons revealed so far."""


class HiddenPairs:
    """The single comparisons of a campaign, in random order, each given out once.

    A question is a pair of systems, the answer is one of their comparisons at random, whoever made
    it on whatever segment. A pair without comparisons left is not *allowed* any more; systems with
    the same text on a screen are never asked for. One comparison costs one judgment.
    """

    def __init__(self, judgments: Judgments, *, seed: int) -> None:
        self._all = Evidence.of(judgments)
        self.systems = self._all.systems
        size = len(self.systems)
        low = np.minimum(self._all.left, self._all.right)
        pair = low * size + np.maximum(self._all.left, self._all.right)
        order = np.random.default_rng(seed).permutation(len(pair))
        self._rows = order[np.argsort(pair[order], kind="stable")]
        counts = np.bincount(pair, minlength=size * size)
        self._next = np.concatenate(([0], np.cumsum(counts)[:-1]))
        self._end = self._next + counts
        self.allowed = (counts > 0).reshape(size, size)
        self.allowed |= self.allowed.T
        self._is_asked = np.zeros(len(pair), np.bool_)
        self.spent = 0

    @property
    def size(self) -> int:
        """The comparisons there are."""
        return len(self._all)

    def ask(self, chosen: tuple[int, ...], times: int) -> None:
        """Give out comparisons of the pair, as far as they reach."""
        low, high = sorted(chosen)
        pair = low * len(self.systems) + high
        first = self._next[pair]
        self._next[pair] = last = min(first + times, self._end[pair])
        self._is_asked[self._rows[first:last]] = True
        self.spent += int(last - first)
        if last == self._end[pair]:
            self.allowed[[low, high], [high, low]] = False

    def evidence(self) -> Evidence:
        """The comparisons given out so far."""
        return self._all.select(self._is_asked)


class HiddenScreens:
    """The screens of a campaign, each given out once and whole.

    A question is a set of systems; the answer is the hidden screen that shows most of them, one of
    those at random, with all its comparisons. So a campaign whose screens were drawn at random
    answers a question about k systems with one about most of them. Where systems shared a text,
    one of them stands for it; otherwise screens with many systems would be preferred, and their
    segments are not like the others. One screen is one question.
    """

    def __init__(self, judgments: Judgments, *, seed: int) -> None:
        self._all = Evidence.of(judgments)
        self.systems = self._all.systems
        random = np.random.default_rng(seed)
        self._has = _shown(judgments, random)
        self._is_hidden = np.ones(len(self._has), np.bool_)
        self._chance = random.random(len(self._has)).astype(np.float32) / 2
        self.allowed = ~np.eye(len(self.systems), dtype=np.bool_)
        self.spent = 0

    @property
    def size(self) -> int:
        """The screens there are."""
        return len(self._has)

    def ask(self, chosen: tuple[int, ...], times: int) -> None:
        """Give out the hidden screens nearest to the set."""
        nearness = self._has[:, list(chosen)].sum(axis=1) + self._chance
        nearness[~self._is_hidden] = -1.0
        times = min(times, self.size - self.spent)
        screens = np.argpartition(-nearness, times - 1)[:times]
        self._is_hidden[screens] = False
        self.spent += len(screens)
        if not self._is_hidden.any():
            self.allowed[:] = False

    def evidence(self) -> Evidence:
        """The comparisons of the screens given out so far."""
        return self._all.select(~self._is_hidden[self._all.screen])


class SimulatedPairs:
    r"""Answers about systems whose strengths are known, as many as are wanted.

    A comparison draws from Davidson's model with these *strengths* and this *tie* parameter. With
    *upset* above 0 the model is wrong on purpose: every pair of systems has its own difference,
    off by a normal number with that deviation.
    """

    def __init__(
        self, strengths: Floats, *, tie: float = 0.5, upset: float = 0.0, seed: int = 1
    ) -> None:
        self._random = np.random.default_rng(seed)
        size = len(strengths)
        off = np.triu(upset * self._random.standard_normal((size, size)), 1)
        half = (strengths[:, None] - strengths[None, :] + off - off.T) / 2
        spread = 2 * np.cosh(half) + tie
        self._win, self._tie = np.exp(half) / spread, tie / spread
        self.systems = tuple(f"system{number}" for number in range(size))
        self.allowed = ~np.eye(size, dtype=np.bool_)
        self._rows: list[np.ndarray[tuple[int, int], np.dtype[np.int64]]] = []
        self.spent = 0

    @property
    def size(self) -> int:
        """As many as one could wish."""
        return 1 << 30

    def ask(self, chosen: tuple[int, ...], times: int) -> None:
        """Simulate comparisons of the pair."""
        left, right = chosen
        number = self._random.random(times)
        win, tie = self._win[left, right], self._tie[left, right]
        sign = np.where(number < win, 1, np.where(number < win + tie, 0, -1))
        screen = self.spent + np.arange(times)
        both = np.full((2, times), [[left], [right]])
        self._rows.append(np.vstack([both, sign, screen]).astype(np.int64))
        self.spent += times

    def evidence(self) -> Evidence:
        """The comparisons simulated so far."""
        rows = np.concatenate(self._rows, axis=1) if self._rows else np.empty((4, 0), np.int64)
        return Evidence(self.systems, rows[0], rows[1], rows[2].astype(np.int8), rows[3])


def _shown(judgments: Judgments, random: np.random.Generator) -> NDArray[np.float32]:
    """Which systems (screens, S) stand for the texts of each screen that holds a comparison."""
    used = np.unique(judgments.screen[judgments.pairs(within_outputs=False).ranking])
    ranking = np.repeat(np.arange(len(judgments)), judgments.sizes)
    mixed = random.permutation(np.flatnonzero(np.isin(judgments.screen[ranking], used)))
    text = (ranking[mixed].astype(np.int64) << 16) + judgments.output[mixed]
    chosen = mixed[np.unique(text, return_index=True)[1]]
    has = np.zeros((len(used), len(judgments.systems)), np.float32)
    has[np.searchsorted(used, judgments.screen[ranking[chosen]]), judgments.system[chosen]] = 1
    return has
