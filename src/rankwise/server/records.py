"""The records that the parts of the server pass to each other: plain values, all frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

State = Literal["draft", "open", "paused", "closed"]
ScreenRole = Literal["work", "control", "repeat", "tutorial"]
SlotRole = Literal["TGT", "REF", "BAD"]
#: A machine is a judge whose judgments are kept apart from those of people.
JudgeKind = Literal["person", "machine"]

#: An answer, a draft, a plan: what goes into a JSON column.
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Slot:
    """One text of a screen, and whose it is: all systems that made this same text.

    A role other than TGT marks a control: REF the reference, BAD a degraded output. ``text`` is
    given where the text is nobody's output; ``texts`` of a document, one for every segment.
    """

    systems: tuple[str, ...]
    role: SlotRole = "TGT"
    text: str | None = None
    texts: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PlannedScreen:
    """A question that was chosen, not yet stored. ``probability`` is that of drawing this screen.

    ``segment`` is ``None`` for a tutorial item, whose texts are in ``payload``. The screen of a
    document has its first segment there, and the names of all in ``payload["segments"]``.
    ``repeats`` and ``for_judge`` name the screen and the judge of a repeated question.
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
    instructions_version: str | None = None
    tutorial_failed_at: int | None = None
    open_link: int | None = None
    kind: JudgeKind = "person"

    @property
    def is_machine(self) -> bool:
        """Whether this judge is a program."""
        return self.kind == "machine"


@dataclass(frozen=True, slots=True)
class Asset:
    """A picture, sound or video of a campaign; ``key`` is all that an address has of it.

    ``name`` is the organiser's, ``kind`` the type that the content says (``image/png``).
    """

    id: int
    key: str
    name: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class SegmentAsset:
    """What a segment has beside its source text, and what is to be seen or heard in it."""

    asset: Asset
    words: str = ""


#: The assets of a campaign without any, by the places of segments.
NO_ASSETS: Mapping[int, SegmentAsset] = {}


@dataclass(frozen=True, slots=True)
class ShownAsset:
    """The same as a judge's page gets it: without the name of the file."""

    key: str
    kind: Literal["image", "audio", "video"]
    words: str


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One segment of a document: its source, and the texts at the places of the page.

    ``given`` are the errors that a machine marked in each text, where it marked some. ``asset`` is
    a picture, sound or video that is part of the source.
    """

    source: str
    outputs: tuple[str, ...]
    reference: str | None = None
    given: tuple[tuple[Json, ...], ...] = ()
    asset: ShownAsset | None = None


@dataclass(frozen=True, slots=True)
class JudgeTask:
    """A leased screen as its judge sees it: texts in the order shown, no name of any system.

    ``outputs[i]`` is the text at place i. ``before`` and ``after`` are the context sentences.
    ``supersedes`` is the receipt of the judgment that this task revises. ``draft`` is what was
    saved last, in the order shown, and ``draft_version`` its number (0: none). A document has its
    segments in ``rows``; ``source``, ``asset`` and ``outputs`` are those of the first. ``told`` is
    the number of the plan's instructions for its domain.
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
    rows: tuple[TaskRow, ...] = ()
    told: int | None = None
    asset: ShownAsset | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """What a judge sends for a task, in the order shown.

    ``answer`` by protocol: ranking {"ranks": [...]}, pairwise {"choice": "left" | "right" |
    "equal" | "both_bad"}, adequacy-fluency {"fluency": [...], "adequacy": [...]}, direct assessment
    {"scores": [...]}, of a document {"segments": [[{"spans": [...], "score": ...}, ...], ...]}; a
    skip is {"reason": ...}. ``details``: differences shown, all equal by one
    key, device class, fluency seen before the source.
    """

    kind: Literal["answer", "skip"]
    answer: Json
    active_ms: int
    comment: str | None = None
    details: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Receipt:
    """The proof that a judgment is stored; the same token always gets the same receipt.

    ``differs``: what was sent again is not what is stored; revise the judgment to change it.
    """

    receipt: str
    received_at: int
    surplus: bool
    is_replay: bool
    feedback: str | None = None
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Retry:
    """An answer that is not right yet: what to think about, and how many tries are left."""

    hints: tuple[str, ...]
    left: int


@dataclass(frozen=True, slots=True)
class StoredJudgment:
    """A judgment with its screen, as results and exports need it; answers in slot order.

    ``segments`` are those of a document, whose first is ``segment``; empty on other screens.
    """

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
    segments: tuple[str, ...] = ()
    judge_kind: JudgeKind = "person"

    @property
    def is_machine(self) -> bool:
        """Whether a machine judged."""
        return self.judge_kind == "machine"


@dataclass(frozen=True, slots=True)
class Nothing:
    """Why there is no task for a judge now; at the end of the work perhaps with a code.

    ``redirect`` is an address to go on to, in place of a code.
    """

    reason: Literal[
        "paused", "closed", "all-done", "sitting-done", "revoked", "tutorial-failed", "quota-done"
    ]
    code: str = ""
    redirect: str = ""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One of a judge's own judgments as it stands now; the answer in the order shown."""

    receipt: str
    kind: Literal["answer", "skip"]
    role: Literal["work", "tutorial"]
    source: str
    answer: Json
    comment: str | None
    received_at: int
    active_ms: int
    can_revise: bool


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a judge is; every field is empty once the judge was forgotten."""

    judge: int
    name: str | None = None
    email: str | None = None
    note: str | None = None
    parameters: Json | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who organises campaigns. ``is_set_up``: a password was chosen."""

    id: int
    name: str
    role: Literal["owner", "organiser"]
    created_at: int
    is_set_up: bool


@dataclass(frozen=True, slots=True)
class Viewer:
    """A link to the results of one campaign; ``id`` is that of the link."""

    id: int
    campaign: int
    created_at: int
    prefix: str


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link by which anybody becomes a judge of one campaign, without its secret."""

    id: int
    campaign: int
    prefix: str
    created_at: int


@dataclass(frozen=True, slots=True)
class CampaignEvent:
    """Many campaigns that belong together, such as one for each language pair."""

    id: int
    slug: str
    name: str
    created_at: int


@dataclass(frozen=True, slots=True)
class EventPair:
    """What somebody is in one campaign of an event, and how many screens are done there."""

    judge: Judge
    done: int = 0


@dataclass(frozen=True, slots=True)
class EventPerson:
    """Somebody who judges in some campaigns of an event, by one link."""

    id: int
    event: int
    link_prefix: str
    created_at: int
    revoked_at: int | None
    pairs: tuple[EventPair, ...] = ()


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token of an account, without its secret."""

    id: int
    name: str
    prefix: str
    scopes: tuple[str, ...]
    created_at: int
    used_at: int | None


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who signed in; ``subject`` is the id of an account, a judge or a viewer's link."""

    kind: Literal["account", "judge", "viewer"]
    subject: int
    csrf: str
    created_at: int
    seen_at: int
    expires_at: int


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the audit trail."""

    id: int
    at: int
    actor: str
    action: str
    campaign: int | None
    object: str | None
    details: Json
    request: str | None


@dataclass(frozen=True, slots=True)
class KeptStanding:
    """What the background work found last, and over how many judgments."""

    kind: str
    judgments: int
    content: Json
    computed_at: int


@dataclass(frozen=True, slots=True)
class JudgeCounts:
    """How much a judge did: current answers and skips, late work, time, and work in hand."""

    answers: int = 0
    skips: int = 0
    surplus: int = 0
    active_ms: int = 0
    last_at: int | None = None
    open_leases: int = 0


@dataclass(frozen=True, slots=True)
class Floor:
    """The campaign at this moment: what people have in hand, ``machine_leases`` apart.

    ``expiring``: open leases that end within five minutes.
    """

    open_leases: int
    expiring: int
    expired_last_hour: int
    saves_last_minute: int
    queued_screens: int
    machine_leases: int = 0


@dataclass(frozen=True, slots=True)
class OpenLease:
    """A screen in the hands of a judge."""

    judge: str
    screen: int
    role: ScreenRole
    created_at: int
    expires_at: int
    kind: JudgeKind = "person"


@dataclass(frozen=True, slots=True)
class FinishedJudgment:
    """A judgment made elsewhere; the answer in slot order, the judge by the name used there.

    ``details["shown"]`` is the order of the slots on the page, where it is known.
    """

    judge: str
    screen: PlannedScreen
    kind: Literal["answer", "skip"]
    answer: Json
    active_ms: int = 0
    received_at: int | None = None
    details: Json = field(default_factory=dict)
    comment: str | None = None
    judge_kind: JudgeKind = "person"
