"""The kinds of protocols: those that order the texts of a screen, and those that give them values.

Answers are JSON objects. On the page they are in the order shown; the store keeps them in the
order of the slots. ``shown[i]`` is the slot at place i.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rankwise.errors import DataError
from rankwise.server.campaign.plan.answer_parts import Answer, numbers, only, reordered
from rankwise.server.records import Json, StoredJudgment
from rankwise.types import Ranking


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
    #: Whether a screen is a document: segments from top to bottom, the texts in columns.
    is_document: ClassVar[bool] = False

    @abstractmethod
    def validate(self, answer: Json, size: int) -> Answer:
        """*answer* to a screen of *size* texts in its normal form, or a DataError that says why."""

    @abstractmethod
    def reorder(self, answer: Json, shown: Sequence[int], *, back: bool) -> Answer:
        """*answer* in the order shown, from the order of slots; with *back* the other way."""

    def fits(self, answer: Json, texts: Sequence[Sequence[str]]) -> None:
        """Refuse an answer in its normal form that does not fit the texts of its screen.

        ``texts[i]`` are those of segment i. Only answers that point into texts can be wrong here.
        """
        del answer, texts

    def parts(self, judgment: StoredJudgment) -> Sequence[StoredJudgment]:
        """A judgment as judgments of one segment each: itself, unless it is of a document."""
        return (judgment,)

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


def ranking_of_slots(
    judgment: StoredJudgment,
    ranks: Sequence[int | None],
    languages: tuple[str, str],
    info: Mapping[str, str | float],
) -> Ranking:
    """The ranking of all systems on a screen by the *ranks* of its slots.

    Those that share a slot share its output; controls are items of their own.
    """
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
        info=info,
    )


def ranking_of_values(
    judgment: StoredJudgment, values: Sequence[float] | None, languages: tuple[str, str]
) -> Ranking:
    """The order that *values* by slot give all systems of a segment: equal ones tie.

    ``None`` stands for a skipped screen, whose systems have no ranks.
    """
    order = {value: rank for rank, value in enumerate(sorted(set(values or ()), reverse=True), 1)}
    ranks = [None if values is None else order[values[n]] for n in range(len(judgment.slots))]
    info: dict[str, str | float] = {
        "receipt": judgment.receipt,
        "question": float(judgment.screen),
        "role": judgment.role,
        "active_seconds": judgment.active_ms / 1000,
        "strategy": judgment.strategy,
    }
    if judgment.is_machine:
        info["judge_kind"] = judgment.judge_kind
    return ranking_of_slots(judgment, ranks, languages, info)


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
        return ranking_of_slots(judgment, ranks, languages, self.info(judgment))

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
        if judgment.is_machine:
            found["judge_kind"] = judgment.judge_kind
        if judgment.probability is not None:
            found["probability"] = judgment.probability
        if judgment.answer.get("choice") == "both_bad":
            found["both_bad"] = 1.0
        if judgment.details.get("all_equal"):
            found["all_equal"] = 1.0
        if judgment.kind == "skip":
            found["skipped"] = str(judgment.answer.get("reason", ""))
        return found


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
            (name, part.segment or "", part.judge, value_role(part, slot.role), value)
            for part in self.parts(judgment)
            for slot, value in zip(part.slots, self.values(part.answer), strict=True)
            for name in slot_names(slot.systems, slot.role)
        ]


def slot_names(systems: Sequence[str], role: str) -> tuple[str, ...]:
    """The names under which a slot's systems stand in results: controls are no systems."""
    if role == "TGT":
        return tuple(systems)
    return ("#ref",) if role == "REF" else tuple(f"{name}#bad" for name in systems[:1])


def value_role(judgment: StoredJudgment, role: str) -> str:
    """The role of a row of assessments: CHK marks a system's output on a repeated screen."""
    return "CHK" if judgment.role == "repeat" and role == "TGT" else role
