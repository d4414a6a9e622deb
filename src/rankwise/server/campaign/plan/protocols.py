"""What a judge may answer: one class per protocol, each strict about what it lets into the store.

Answers are JSON objects. On the page they are in the order shown; the store keeps them in the
order of the slots. ``shown[i]`` is the slot at place i.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rankwise.errors import DataError
from rankwise.server.campaign.plan.answer_parts import (
    Answer,
    member,
    numbers,
    only,
    quoted,
    reordered,
)
from rankwise.server.records import Json, StoredJudgment
from rankwise.types import Ranking

#: Why a screen may be skipped.
SKIP_REASONS = ("source-broken", "cannot-judge", "offensive", "technical", "other")


@dataclass(frozen=True)
class Protocol(ABC):
    """A way to judge the texts of a screen; ``least`` to ``most`` of them, usually ``usual``."""

    name: ClassVar[str]
    title: ClassVar[str]
    least: ClassVar[int]
    most: ClassVar[int] = 8
    usual: ClassVar[int]
    #: How long one text takes, in seconds, where the plan does not say.
    pace: ClassVar[float]
    is_scalar: ClassVar[bool] = False

    @abstractmethod
    def validate(self, answer: Json, size: int) -> Answer:
        """*answer* to a screen of *size* texts in its normal form, or a DataError that says why."""

    @abstractmethod
    def reorder(self, answer: Json, shown: Sequence[int], *, back: bool) -> Answer:
        """*answer* in the order shown, from the order of slots; with *back* the other way."""

    def agrees(self, answer: Json, expected: Json) -> bool:
        """Whether an answer to a tutorial item says what the item expects."""
        return dict(answer) == dict(expected)

    def ranking(self, judgment: StoredJudgment, languages: tuple[str, str]) -> Ranking:
        """A judgment as a ranking of systems; scalar protocols have none."""
        del languages
        raise DataError(f"protocol {self.name!r} gives values, not rankings ({judgment.receipt})")

    def rows(self, judgment: StoredJudgment) -> list[tuple[str, str, str, str, float]]:
        """A judgment as rows of assessments; protocols that rank have none."""
        raise DataError(f"protocol {self.name!r} gives rankings, not values ({judgment.receipt})")


class Ordered(Protocol):
    """A protocol whose answers order the texts."""

    @abstractmethod
    def ranks(self, answer: Json) -> tuple[int, ...]:
        """Dense ranks of the slots, 1 is best."""

    def ranking(self, judgment: StoredJudgment, languages: tuple[str, str]) -> Ranking:
        """The ranking of all systems on the screen; those that share a slot share its output.

        Controls are items of their own: ``#ref`` the reference, ``NAME#bad`` a degraded output.
        A skipped screen has no ranks.
        """
        size = len(judgment.slots)
        ranks: Sequence[int | None] = (
            (None,) * size if judgment.kind == "skip" else self.ranks(judgment.answer)
        )
        items = [
            (name, ranks[number], number)
            for number, slot in enumerate(judgment.slots)
            for name in slot_names(slot.systems, slot.role)
        ]
        outputs = tuple(number for _, _, number in items)
        return Ranking(
            judgment.segment or "",
            judgment.judge,
            tuple(name for name, _, _ in items),
            tuple(rank for _, rank, _ in items),
            str(judgment.id),
            None if len(set(outputs)) == len(outputs) else outputs,
            *languages,
            info=self.info(judgment),
        )

    def info(self, judgment: StoredJudgment) -> dict[str, str | float]:
        """What else is known: times, the order shown, how the screen was chosen, its role."""
        found: dict[str, str | float] = {
            "receipt": judgment.receipt,
            "question": float(judgment.screen),
            "role": judgment.role,
            "active_seconds": judgment.active_ms / 1000,
            "shown": " ".join(str(slot) for slot in judgment.shown),
            "strategy": judgment.strategy,
        }
        if judgment.probability is not None:
            found["probability"] = judgment.probability
        if judgment.answer.get("choice") == "both_bad":
            found["both_bad"] = 1.0
        if judgment.details.get("all_equal"):
            found["all_equal"] = 1.0
        if judgment.kind == "skip":
            found["skipped"] = str(judgment.answer.get("reason", ""))
        return found


@dataclass(frozen=True)
class KWay(Ordered):
    """Rank the texts, ties allowed: {"ranks": [1, 2, 2, 3]}, 1 is best.

    Any whole numbers from 1 to the number of texts are taken; the normal form is dense.
    """

    name: ClassVar[str] = "ranking"
    title: ClassVar[str] = "Ranking"
    least: ClassVar[int] = 2
    usual: ClassVar[int] = 5
    pace: ClassVar[float] = 12.0

    def validate(self, answer: Json, size: int) -> Answer:
        """The ranks, dense.

        >>> KWay().validate({"ranks": [3, 1, 3]}, 3)
        {'ranks': [2, 1, 2]}
        """
        ranks = numbers(answer, "ranks", size, 1, size)
        only(answer, "ranks")
        order = {rank: place for place, rank in enumerate(sorted(set(ranks)), 1)}
        return {"ranks": [order[rank] for rank in ranks]}

    def reorder(self, answer: Json, shown: Sequence[int], *, back: bool) -> Answer:
        """The ranks in the other order."""
        return reordered(answer, ("ranks",), shown, back=back)

    def ranks(self, answer: Json) -> tuple[int, ...]:
        """The ranks as stored."""
        return tuple(answer["ranks"])


@dataclass(frozen=True)
class Pairwise(Ordered):
    """Which of two texts is better: {"choice": "left" | "right" | "equal" | "both_bad"}.

    In the order of slots, left is the first slot. Both bad counts as equal in a ranking and is
    told apart in its info.
    """

    name: ClassVar[str] = "pairwise"
    title: ClassVar[str] = "Pairwise"
    least: ClassVar[int] = 2
    most: ClassVar[int] = 2
    usual: ClassVar[int] = 2
    pace: ClassVar[float] = 12.0
    choices: ClassVar[Mapping[str, tuple[int, int]]] = {
        "left": (1, 2),
        "right": (2, 1),
        "equal": (1, 1),
        "both_bad": (1, 1),
    }

    def validate(self, answer: Json, size: int) -> Answer:
        """The choice."""
        if size != 2:
            raise DataError(f"a pairwise screen has {size} texts; expected 2")
        found = member(answer, "choice")
        if not isinstance(found, str) or found not in self.choices:
            expected = ", ".join(self.choices)
            raise DataError(f"the answer's 'choice' is {quoted(found)}; expected one of {expected}")
        only(answer, "choice")
        return {"choice": found}

    def reorder(self, answer: Json, shown: Sequence[int], *, back: bool) -> Answer:
        """Left and right change places where the slots did; both ways are the same.

        >>> Pairwise().reorder({"choice": "left"}, (1, 0), back=True)
        {'choice': 'right'}
        """
        del back
        swapped = {"left": "right", "right": "left"} if tuple(shown) == (1, 0) else {}
        choice = answer.get("choice")
        return {**answer, "choice": swapped.get(choice, choice)} if choice else dict(answer)

    def ranks(self, answer: Json) -> tuple[int, ...]:
        """1 and 2, or twice 1."""
        return self.choices[answer["choice"]]


class Valued(Protocol):
    """A protocol whose answers give every text a value, or several."""

    is_scalar: ClassVar[bool] = True
    scales: ClassVar[tuple[str, ...]]
    lowest: ClassVar[int]
    highest: ClassVar[int]

    def validate(self, answer: Json, size: int) -> Answer:
        """Whole numbers within the scale, one per text and scale."""
        found = {
            scale: numbers(answer, scale, size, self.lowest, self.highest) for scale in self.scales
        }
        only(answer, *self.scales)
        return found

    def reorder(self, answer: Json, shown: Sequence[int], *, back: bool) -> Answer:
        """The values in the other order."""
        return reordered(answer, self.scales, shown, back=back)

    def values(self, answer: Json) -> list[float]:
        """One value per slot: the mean over the scales."""
        columns = [answer[scale] for scale in self.scales]
        return [sum(row) / len(row) for row in zip(*columns, strict=True)]

    def rows(self, judgment: StoredJudgment) -> list[tuple[str, str, str, str, float]]:
        """A row (system, segment, judge, role, value) for every system on the screen.

        The role is TGT, REF or BAD as the slot says, CHK for a repeated screen. A skipped screen
        has no rows. The value is the mean over the scales.
        """
        if judgment.kind == "skip":
            return []
        return [
            (name, judgment.segment or "", judgment.judge, value_role(judgment, slot.role), value)
            for slot, value in zip(judgment.slots, self.values(judgment.answer), strict=True)
            for name in slot_names(slot.systems, slot.role)
        ]


@dataclass(frozen=True)
class AdequacyFluency(Valued):
    """Two values from 1 to 5 for every text: {"fluency": [...], "adequacy": [...]}."""

    name: ClassVar[str] = "adequacy-fluency"
    title: ClassVar[str] = "Adequacy and fluency"
    least: ClassVar[int] = 1
    usual: ClassVar[int] = 5
    pace: ClassVar[float] = 18.0
    scales: ClassVar[tuple[str, ...]] = ("fluency", "adequacy")
    lowest: ClassVar[int] = 1
    highest: ClassVar[int] = 5


@dataclass(frozen=True)
class DirectAssessment(Valued):
    """A value from 0 to 100 for every text: {"scores": [...]}."""

    name: ClassVar[str] = "direct-assessment"
    title: ClassVar[str] = "Direct assessment"
    least: ClassVar[int] = 1
    usual: ClassVar[int] = 1
    pace: ClassVar[float] = 18.0
    scales: ClassVar[tuple[str, ...]] = ("scores",)
    lowest: ClassVar[int] = 0
    highest: ClassVar[int] = 100
    #: How far two scores may lie apart and still say the same.
    near: ClassVar[int] = 10

    def agrees(self, answer: Json, expected: Json) -> bool:
        """Whether every score is near the one expected.

        >>> DirectAssessment().agrees({"scores": [70]}, {"scores": [80]})
        True
        """
        both = zip(answer["scores"], expected["scores"], strict=True)
        return all(abs(one - other) <= self.near for one, other in both)


#: Every protocol by its name.
PROTOCOLS: dict[str, Protocol] = {
    kind.name: kind() for kind in (KWay, Pairwise, AdequacyFluency, DirectAssessment)
}


def validate_skip(answer: Json) -> Answer:
    """The reason of a skip in its normal form.

    >>> validate_skip({"reason": "technical"})
    {'reason': 'technical'}
    """
    found = member(answer, "reason")
    if not isinstance(found, str) or found not in SKIP_REASONS:
        expected = ", ".join(SKIP_REASONS)
        raise DataError(f"the skip's 'reason' is {quoted(found)}; expected one of {expected}")
    only(answer, "reason")
    return {"reason": found}


def slot_names(systems: Sequence[str], role: str) -> tuple[str, ...]:
    """The names under which a slot's systems stand in results: controls are no systems."""
    if role == "TGT":
        return tuple(systems)
    return ("#ref",) if role == "REF" else tuple(f"{name}#bad" for name in systems[:1])


def value_role(judgment: StoredJudgment, role: str) -> str:
    """The role of a row of assessments: CHK marks a system's output on a repeated screen."""
    return "CHK" if judgment.role == "repeat" and role == "TGT" else role
