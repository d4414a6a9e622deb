"""What a judge may answer: a class per protocol, each strict about what it lets into the store."""

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
from rankwise.server.campaign.plan.document_protocols import ErrorSpanAnnotation, Mqm
from rankwise.server.campaign.plan.protocol_kinds import Ordered, Protocol, Valued
from rankwise.server.records import Json

#: Why a screen may be skipped.
SKIP_REASONS = ("source-broken", "cannot-judge", "offensive", "technical", "other")


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
    kind.name: kind()
    for kind in (
        KWay,
        Pairwise,
        AdequacyFluency,
        DirectAssessment,
        ErrorSpanAnnotation,
        Mqm,
    )
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
