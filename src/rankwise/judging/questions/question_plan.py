"""Which questions are asked: all outputs of a test set in turn, or the screens that others name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rankwise.aggregate.asking.next_screens import WIDEST
from rankwise.errors import DataError
from rankwise.judging.questions.question import Outputs, Question
from rankwise.types import TestSet
from rankwise.types.judging.screen import Screen


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionPlan:
    """What is asked about a test set.

    ``k`` outputs stand in a question (one where each is given a value), every system in
    ``per_segment`` questions of a segment. ``count`` is the most questions, orders and repeats not
    counted; ``both_orders`` asks about every pair in either order; every question is asked
    ``repeats`` times, each time in an order of its own. The same ``seed`` asks the same.
    """

    k: int = 5
    per_segment: int = 1
    count: int | None = None
    both_orders: bool = False
    repeats: int = 1
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.k <= WIDEST:
            raise DataError(f"questions about {self.k} outputs; expected 2 to {WIDEST}")
        if self.both_orders and self.k != 2:
            raise DataError("both orders can be asked of pairs alone")
        if min(self.per_segment, self.repeats, 1 if self.count is None else self.count) < 1:
            raise DataError("per_segment, repeats and count must be 1 or more")

    def questions(self, testset: TestSet) -> list[Question]:
        """Questions about the whole *testset*, segments in random order, systems alike often.

        A question with fewer than two texts, where systems are to be compared, is left out.

        >>> from rankwise.types import Segment
        >>> texts = TestSet((Segment("1", "x"),), {"A": ("a",), "B": ("b",), "C": ("c",)})
        >>> [len(q.texts) for q in QuestionPlan(k=2).questions(texts)]
        [2, 2]
        """
        random = np.random.default_rng(self.seed)
        screens: list[Screen] = []
        for place in random.permutation(len(testset)).tolist():
            name = testset.segments[place].id
            there = [s for s in testset.systems if testset.outputs[s][place] is not None]
            screens += [Screen(chosen, name) for chosen in self._screens(there, random)]
        return self.of_screens(testset, screens)

    def of_screens(
        self, testset: TestSet, screens: Iterable[Screen], first: int = 0
    ) -> list[Question]:
        """Questions about *screens*, numbered from *first*; each in an order drawn for it.

        Screens with the same texts are one question, about all systems that made them.
        """
        outputs = Outputs(testset)
        found: dict[tuple[str, frozenset[str]], Question] = {}
        for screen in screens:
            _must_know(screen, testset, outputs)
            question = outputs.question(screen.segment or "", screen.systems)
            for part in [_in_order(question)] if self.k > 1 else _singles(question):
                content, number = (part.segment, frozenset(part.texts)), first + len(found)
                if content in found:
                    found[content] = found[content].joined(part)
                elif len(part.texts) >= min(self.k, 2) and not self._is_enough(number):
                    found[content] = replace(part, number=number)
        return [asked for question in found.values() for asked in self._asked(question)]

    def _is_enough(self, number: int) -> bool:
        return self.count is not None and number >= self.count

    def _screens(
        self, systems: Sequence[str], random: np.random.Generator
    ) -> list[tuple[str, ...]]:
        """Screens of k of the systems, so that each is on as many; the last is filled up."""
        if not systems:
            return []
        if self.k == 1:
            return [tuple(systems)]
        order = [systems[place] for place in random.permutation(len(systems)).tolist()]
        if self.k == 2:
            return _every_pair(order)[: -(-len(order) * self.per_segment // 2)]
        found = []
        for _ in range(self.per_segment):
            for start in range(0, len(order), self.k):
                chosen = order[start : start + self.k]
                chosen += [s for s in order if s not in chosen][: self.k - len(chosen)]
                found.append(tuple(chosen))
            order = [systems[place] for place in random.permutation(len(systems)).tolist()]
        return found

    def _asked(self, question: Question) -> list[Question]:
        """The question in its orders, as often as it is asked."""
        found = []
        for repeat in range(self.repeats):
            random = np.random.default_rng([self.seed, question.number, repeat])
            order = random.permutation(len(question.texts)).tolist()
            asked = replace(question, repeat=repeat)
            found.append(asked.reordered(order))
            if self.both_orders:
                found.append(asked.reordered(order[::-1]))
        return found


def _every_pair(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Every two names, round by round: each is in one pair of a round, as in a tournament.

    >>> _every_pair(["a", "b", "c", "d"])[:3]
    [('a', 'd'), ('b', 'c'), ('a', 'c')]
    """
    ring: list[str | None] = [*names, *[None] * (len(names) % 2)]
    found = []
    for _ in range(len(ring) - 1):
        pairs = zip(ring[: len(ring) // 2], reversed(ring), strict=False)
        found += [(a, b) for a, b in pairs if a is not None and b is not None]
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return list(found)


def _in_order(question: Question) -> Question:
    """The question with its texts sorted, so that the same texts are drawn into the same order."""
    return question.reordered(sorted(range(len(question.texts)), key=question.texts.__getitem__))


def _singles(question: Question) -> list[Question]:
    """A question for each text."""
    return [question.reordered([place]) for place in range(len(question.texts))]


def _must_know(screen: Screen, testset: TestSet, outputs: Outputs) -> None:
    unknown = next((name for name in screen.systems if name not in testset.outputs), None)
    if unknown is not None:
        raise DataError(f"a screen shows system {unknown!r}, which the test set does not have")
    if screen.segment not in outputs:
        raise DataError(
            f"a screen shows segment {screen.segment!r}, which the test set does not have"
        )
