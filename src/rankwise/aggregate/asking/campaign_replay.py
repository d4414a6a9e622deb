"""Campaigns asked again: what a strategy would have found, and after how many judgments.

The judgments of a finished campaign are hidden; a strategy asks for them, one by one, and every
answer is a real one. What it has found after so many judgments is held against what all of them
say. The model, the rule for clusters and the answers are the same for every strategy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankwise.aggregate.asking.campaign_answers import Answers, HiddenPairs, HiddenScreens
from rankwise.aggregate.asking.posterior import Codes, Evidence, Posterior, posterior
from rankwise.aggregate.asking.strategies import STRATEGIES, Strategy
from rankwise.aggregate.run_batch import Progress
from rankwise.errors import DataError
from rankwise.types import Judgments, Leaderboard
from rankwise.types.named import parse
from rankwise.types.shown import Shown


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
        return self._ever_after(self.found == 1.0)

    @property
    def ordered(self) -> int | None:
        """The questions after which the order was that of the full data, and stayed so."""
        return self._ever_after(self.distance == 0.0)

    def _ever_after(self, holds: NDArray[np.bool_]) -> int | None:
        if len(holds) == 0 or not holds[-1]:
            return None
        broken = np.flatnonzero(~holds)
        return int(self.spent[broken[-1] + 1 if len(broken) else 0])


@dataclass(frozen=True, slots=True, eq=False)
class Replay(Shown):
    """A finished campaign asked again by some strategies, each several times.

    ``board`` is what all judgments say, ``questions`` how many can be asked, and
    ``curves[strategy]`` what was known at some points of every run.
    """

    board: Leaderboard
    questions: int
    curves: dict[str, tuple[Curve, ...]]

    def __repr__(self) -> str:
        """What was asked again, in one line."""
        clusters = int(self.board.clusters.max(initial=0))
        whole = f"{len(self.board)} systems in {clusters} clusters, {self.questions} questions"
        return f"<Replay: {whole}; {', '.join(self.curves)}>"


def replay(
    judgments: Judgments,
    strategies: Sequence[str] = ("uniform", "clusters"),
    *,
    k: int = 2,
    runs: int = 10,
    seed: int = 1,
    points: int = 40,
    floor: int = 2,
    level: float = 0.95,
    progress: Progress | None = None,
) -> Replay:
    """What *strategies* would have found in the finished campaign that *judgments* come from.

    Their judgments are hidden, and a strategy asks for them: see :func:`replay_once`, which is done
    *runs* times, by *seed* and those after it. *progress* is called with 1 after each.
    """
    if runs < 1 or not strategies:
        raise DataError(f"{runs} runs of {len(strategies)} strategies; expected one or more")
    board = posterior(Evidence.of(judgments)).leaderboard(level=level)
    curves: dict[str, tuple[Curve, ...]] = {}
    for strategy in strategies:
        found = []
        for run in range(runs):
            found.append(
                replay_once(
                    judgments,
                    strategy,
                    k=k,
                    seed=seed + run,
                    points=points,
                    floor=floor,
                    level=level,
                )
            )
            if progress is not None:
                progress(1)
        curves[strategy] = tuple(found)
    return Replay(board, int(found[-1].spent[-1]), curves)


def replay_once(
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


_CHOICES, _AT_ONCE = 16, 10  # choices between two looks at the answers, and equal questions


def _ask_until(
    goal: int,
    answers: Answers,
    strategy: Strategy,
    known: Posterior,
    k: int,
    random: np.random.Generator,
) -> None:
    times = min(max(1, (goal - answers.spent) // _CHOICES), _AT_ONCE)
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
    >>> board = Leaderboard(("A", "B", "C"), one * 1.0, one, one, np.array([1, 1, 2]))
    >>> boundaries(board) == {frozenset({"A", "B"})}
    True
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
