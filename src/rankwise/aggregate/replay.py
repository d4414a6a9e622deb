"""Campaigns asked again: what a strategy would have found, and after how many judgments.

The judgments of a finished campaign are hidden; a strategy asks for them, one by one, and every
answer is a real one. What it has found after so many judgments is held against what all of them
say. The model, the rule for clusters and the answers are the same for every strategy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.posterior import Codes, Evidence, Posterior, posterior
from rankwise.aggregate.strategies import STRATEGIES, Mask, Strategy
from rankwise.errors import DataError
from rankwise.types import Judgments, Leaderboard
from rankwise.types.named import parse


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """What was known at some points of a campaign.

    After ``spent[i]`` questions there were ``clusters[i]`` clusters; ``found[i]`` is the share of
    the boundaries of the full data that were among them (1 is all: the clusters of the full data,
    or a refinement of them), ``wrong[i]`` is how many boundaries put a system above one that the
    full data rank higher, and ``distance[i]`` is Kendall's, the share of pairs in another order.
    """

    spent: Codes
    clusters: Codes
    found: NDArray[np.float64]
    wrong: Codes
    distance: NDArray[np.float64]

    @property
    def first(self) -> int | None:
        """The questions after which all boundaries were found for the first time."""
        return next((int(n) for n in self.spent[self.found == 1.0]), None)

    @property
    def kept(self) -> int | None:
        """The questions after which all boundaries were found and never lost again."""
        if len(self.found) == 0 or self.found[-1] < 1.0:
            return None
        lost = np.flatnonzero(self.found < 1.0)
        return int(self.spent[lost[-1] + 1 if len(lost) else 0])


class Answers(Protocol):
    """Where answers come from: a finished campaign, or a simulation."""

    systems: tuple[str, ...]
    allowed: Mask

    def ask(self, chosen: tuple[int, ...], times: int) -> list[int]:
        """Ask for the systems *chosen* so many times; the rows of ``evidence`` this reveals.

        At least one row comes back, and one question is spent for every screen.
        """

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

    A question is a pair of systems, the answer is one of their comparisons, whoever made it on
    whatever segment. A pair without comparisons left is not *allowed* any more; systems with the
    same text on a screen are never asked for. One comparison costs one judgment.
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

    def ask(self, chosen: tuple[int, ...], times: int) -> list[int]:
        """The next comparisons of the pair, as far as they reach."""
        low, high = sorted(chosen)
        pair = low * len(self.systems) + high
        first = self._next[pair]
        self._next[pair] = last = min(first + times, self._end[pair])
        rows = self._rows[first:last]
        self._is_asked[rows] = True
        self.spent += len(rows)
        if last == self._end[pair]:
            self.allowed[[low, high], [high, low]] = False
        return rows.tolist()

    def evidence(self) -> Evidence:
        """The comparisons given out so far."""
        return self._all.select(self._is_asked)


class HiddenScreens:
    """The screens of a campaign, each given out once and whole.

    A question is a set of systems; the answer is the hidden screen with most pairs of them, one of
    those at random, with all its comparisons. So a campaign whose screens were drawn at random
    answers a question about k systems with one about most of them. One screen is one question.
    """

    def __init__(self, judgments: Judgments, *, seed: int) -> None:
        self._all = Evidence.of(judgments)
        self.systems = self._all.systems
        screens = int(self._all.screen.max(initial=-1)) + 1
        self._has = np.zeros((screens, len(self.systems)), np.float32)
        self._has[self._all.screen, self._all.left] = 1
        self._has[self._all.screen, self._all.right] = 1
        self._is_hidden = np.ones(screens, np.bool_)
        self._chance = np.random.default_rng(seed).random(screens).astype(np.float32) / 2
        self.allowed = ~np.eye(len(self.systems), dtype=np.bool_)
        self.spent = 0

    @property
    def size(self) -> int:
        """The screens there are."""
        return len(self._has)

    def ask(self, chosen: tuple[int, ...], times: int) -> list[int]:
        """The hidden screens nearest to the set."""
        nearness = self._has[:, list(chosen)].sum(axis=1) + self._chance
        nearness[~self._is_hidden] = -1.0
        times = min(times, self.size - self.spent)
        screens = np.argpartition(-nearness, times - 1)[:times]
        self._is_hidden[screens] = False
        self.spent += len(screens)
        if not self._is_hidden.any():
            self.allowed[:] = False
        return screens.tolist()

    def evidence(self) -> Evidence:
        """The comparisons of the screens given out so far."""
        return self._all.select(~self._is_hidden[self._all.screen])


def replay(
    judgments: Judgments,
    strategy: str | Strategy = "clusters",
    *,
    k: int = 2,
    seed: int = 1,
    points: int = 40,
    floor: int = 2,
    level: float = 0.95,
) -> Curve:
    """Ask for the judgments of a finished campaign in the order that *strategy* wants.

    ``k=2`` asks for single comparisons; more asks for screens of about *k* systems. Every pair is
    asked for *floor* times at first (every system, with screens); then what is known is worked out
    *points* times, ever more judgments apart, and in between every choice counts those before it
    as expected.
    """
    answers: Answers = (
        HiddenPairs(judgments, seed=seed) if k == 2 else HiddenScreens(judgments, seed=seed)
    )
    if len(answers.systems) < k or k < 2:
        raise DataError(f"screens of {k} systems; there are {len(answers.systems)}")
    full = posterior(Evidence.of(judgments)).leaderboard(level=level)
    chosen = parse(strategy, STRATEGIES) if isinstance(strategy, str) else strategy
    random = np.random.default_rng([seed, 1])
    steps = campaign(answers, chosen, k=k, random=random, points=points, floor=floor)
    return _curve([(spent, known.leaderboard(level=level)) for spent, known in steps], full)


def campaign(
    answers: Answers,
    strategy: Strategy,
    *,
    k: int,
    random: np.random.Generator,
    points: int,
    floor: int,
    most: int | None = None,
) -> Iterator[tuple[int, Posterior]]:
    """Ask until nothing is left (or *most* are asked), telling at some points what is known."""
    _ask_floor(answers, k, floor, random)
    most = answers.size if most is None else most
    start = min(answers.spent + 20, most)
    for goal in np.unique(np.geomspace(start, most, points).astype(np.int64)).tolist():
        known = posterior(answers.evidence())
        yield answers.spent, known
        _ask_until(goal, answers, strategy, known, k, random)
    yield answers.spent, posterior(answers.evidence())


_CHOICES = 16  # between two looks at the answers


def _ask_until(
    goal: int,
    answers: Answers,
    strategy: Strategy,
    known: Posterior,
    k: int,
    random: np.random.Generator,
) -> None:
    times = max(1, (goal - answers.spent) // _CHOICES)
    weight = 3 / (k + 1)  # what a comparison is worth on a screen of k
    while answers.spent < goal and answers.allowed.any():
        chosen = strategy.screen(known, k, answers.allowed, random)
        before = answers.spent
        answers.ask(chosen, min(times, goal - before))
        for place, left in enumerate(chosen):
            for right in chosen[place + 1 :]:
                known = known.expecting(left, right, weight * (answers.spent - before))


def _ask_floor(answers: Answers, k: int, floor: int, random: np.random.Generator) -> None:
    """Every pair, or with screens every system with its next ones, *floor* times."""
    if k == 2:
        for left, right in random.permutation(np.argwhere(np.triu(answers.allowed, 1))).tolist():
            answers.ask((left, right), floor)
        return
    for _ in range(floor):
        order = random.permutation(len(answers.systems))
        for first in range(0, len(order), k):
            answers.ask(tuple(order[np.arange(first, first + k) % len(order)].tolist()), 1)


def boundaries(board: Leaderboard) -> set[frozenset[str]]:
    """The boundaries between clusters: for each, the systems above it.

    >>> one = np.ones(3, np.int64)
    >>> boundaries(Leaderboard(("A", "B", "C"), one * 1.0, one, one, np.array([1, 1, 2])))
    {frozenset({'A', 'B'})}
    """
    places = np.flatnonzero(np.diff(board.clusters)) + 1
    return {frozenset(board.systems[:place]) for place in places.tolist()}


def _curve(steps: list[tuple[int, Leaderboard]], full: Leaderboard) -> Curve:
    wanted, rank = boundaries(full), {name: place for place, name in enumerate(full.systems)}
    found, wrong, distance = [], [], []
    for _, board in steps:
        seen = boundaries(board)
        found.append(len(wanted & seen) / len(wanted) if wanted else 1.0)
        wrong.append(sum(max(rank[name] for name in above) >= len(above) for above in seen))
        order = np.array([rank[name] for name in board.systems])
        distance.append(np.triu(order[:, None] > order[None, :], 1).sum())
    pairs = len(full) * (len(full) - 1) / 2
    return Curve(
        np.array([spent for spent, _ in steps]),
        np.array([board.clusters.max(initial=0) for _, board in steps]),
        np.array(found),
        np.array(wrong),
        np.array(distance) / pairs,
    )
