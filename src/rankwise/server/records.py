"""The records that the parts of the server pass to each other: plain values, all frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["draft", "open", "paused", "closed"]
ScreenRole = Literal["work", "control", "repeat", "tutorial"]
SlotRole = Literal["TGT", "REF", "BAD"]

#: An answer, a draft, a plan: what goes into a JSON column.
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Slot:
    """One text of a screen, and whose it is: all systems that made this same text.

    A role other than TGT marks a control: REF the reference, BAD a degraded output. ``text`` is
    given where the text is nobody's output.
    """

    systems: tuple[str, ...]
    role: SlotRole = "TGT"
    text: str | None = None


@dataclass(frozen=True, slots=True)
class PlannedScreen:
    """A question that was chosen, not yet stored. ``probability`` is that of drawing this screen.

    ``segment`` is ``None`` for a tutorial item, whose texts are in ``payload``. ``repeats`` and
    ``for_judge`` name the screen and the judge of a repeated question.
    """

    segment: str | None
    slots: tuple[Slot, ...]
    role: ScreenRole = "work"
    probability: float | None = None
    strategy: str = "uniform"
    seed: int = 0
    repeats: int | None = None
    for_judge: int | None = None
    payload: Json | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge of one campaign, by pseudonym."""

    id: int
    campaign: int
    pseudonym: str
    link_prefix: str
    created_at: int
    revoked_at: int | None = None
    consented_at: int | None = None
    tutorial_done_at: int | None = None
    last_seen_at: int | None = None
    excluded_at: int | None = None
    excluded_reason: str | None = None
    settings: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A leased screen as its judge sees it: texts in the order shown, no name of any system.

    ``outputs[i]`` is the text at place i. ``before`` and ``after`` are the context sentences.
    ``supersedes`` is the receipt of the judgment that this task revises. ``draft`` is what was
    saved last, in the order shown, and ``draft_version`` its number (0: none).
    """

    token: str
    role: Literal["work", "tutorial"]
    source: str
    outputs: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    reference: str | None
    document: str | None
    draft: Json | None
    draft_version: int
    supersedes: str | None
    created_at: int
    expires_at: int
    done_before: int


@dataclass(frozen=True, slots=True)
class Submission:
    """What a judge sends for a task, in the order shown.

    ``answer`` by protocol: ranking {"ranks": [...]}, pairwise {"choice": "left" | "right" |
    "equal" | "both_bad"}, adequacy-fluency {"fluency": [...], "adequacy": [...]}, direct assessment
    {"scores": [...]}; a skip is {"reason": ...}. ``details``: differences shown, all equal by one
    key, device class, fluency seen before the source.
    """

    kind: Literal["answer", "skip"]
    answer: Json
    active_ms: int
    comment: str | None = None
    details: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The proof that a judgment is stored; the same token always gets the same receipt."""

    receipt: str
    received_at: int
    surplus: bool
    is_replay: bool
    feedback: str | None = None


@dataclass(frozen=True, slots=True)
class StoredJudgment:
    """A judgment with its screen, as results and exports need it; answers in slot order."""

    id: int
    receipt: str
    screen: int
    role: ScreenRole
    repeats: int | None
    segment: str | None
    slots: tuple[Slot, ...]
    shown: tuple[int, ...]
    judge: str
    is_excluded: bool
    kind: Literal["answer", "skip"]
    answer: Json
    comment: str | None
    surplus: bool
    supersedes: int | None
    shown_at: int
    received_at: int
    active_ms: int
    probability: float | None
    strategy: str
    seed: int
    details: Json
