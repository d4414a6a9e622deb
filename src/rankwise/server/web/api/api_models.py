"""What programs send and get: the models behind ``/api/v1`` and its OpenAPI file."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import Depends, Path
from pydantic import BaseModel, ConfigDict, Field

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.size_limits import MOST_SEGMENTS, MOST_SYSTEMS, check_size
from rankwise.server.campaign.plan.sources.media_files import MOST_WORDS
from rankwise.server.records import Judge, JudgeCounts
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.dependencies import Caller, CurrentStore, api_scope
from rankwise.text.line_limits import LONGEST_TEXT
from rankwise.types import Segment, TestSet

Reader = Annotated[Caller, Depends(api_scope("read"))]
Exporter = Annotated[Caller, Depends(api_scope("export"))]
Manager = Annotated[Caller, Depends(api_scope("manage"))]
Slug = Annotated[str, Path(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Pseudonym = Annotated[str, Path(pattern=r"^[a-z0-9-]+$", max_length=80)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Line = Annotated[str, Field(min_length=1, max_length=500)]
Assets = Annotated[
    dict[Line, str],
    Field(
        default_factory=dict,
        description="By name, the bytes of each picture, sound or video in base64.",
        max_length=10_000,
    ),
]


def find_campaign(store: CurrentStore, slug: Slug) -> Campaign:
    """The campaign of the address, or 404."""
    campaign: Campaign = store.campaigns.get(slug)
    return campaign


OneCampaign = Annotated[Campaign, Depends(find_campaign)]


class Sent(BaseModel):
    """What a program sends: unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")


class Error(BaseModel):
    """What went wrong: a code for programs, a sentence for people, the number of the request."""

    code: str
    message: str
    request: str


class ErrorAnswer(BaseModel):
    """Every answer that is not a success."""

    error: Error


class SegmentIn(Sent):
    """One source segment with its references; without an id its place (from 1) is its name.

    ``asset`` names a picture, sound or video among ``assets``; ``asset_words`` say what is to be
    seen or heard in it.
    """

    source: Text
    id: Line | None = None
    references: list[Text] = []
    document: Line | None = None
    domain: Line | None = None
    asset: Line | None = None
    asset_words: Annotated[str, Field(max_length=MOST_WORDS)] = ""


class CampaignIn(Sent):
    """A campaign with its texts; the keys of ``plan`` are those of the TOML file, without texts."""

    plan: dict[str, Any]
    segments: Annotated[list[SegmentIn], Field(min_length=1, max_length=MOST_SEGMENTS)]
    outputs: Annotated[
        dict[Line, list[Text | None]],
        Field(
            description="By name of the system, one output per segment; null where none is.",
            max_length=MOST_SYSTEMS,
        ),
    ]
    assets: Assets


class CampaignOut(BaseModel):
    """A campaign in short. Times are milliseconds since 1970 in UTC."""

    slug: str
    name: str
    state: Literal["draft", "open", "paused", "closed"]
    protocol: str
    source_language: str
    target_language: str
    created_at: int
    opened_at: int | None
    closed_at: int | None


class CampaignDetails(CampaignOut):
    """A campaign with its plan and the size of its test set."""

    plan: dict[str, Any]
    segments: int
    systems: list[str]


class CloneIn(Sent):
    """The name of the new campaign."""

    name: Line


class EditIn(Sent):
    """Keys of the plan that shall have other values; null is the usual value."""

    plan: dict[str, Any]


class StateIn(Sent):
    """The state a campaign shall be in."""

    state: Literal["open", "paused", "closed"]


class Finding(BaseModel):
    """One finding of the check before launch."""

    level: str
    message: str


class InviteIn(Sent):
    """Whom to invite; who it is stays in a table of its own. The link ends after ``days``.

    What a ``machine`` judges is kept apart in every number.
    """

    name: Line | None = None
    email: Line | None = None
    days: Annotated[float, Field(gt=0, le=3650)] | None = None
    kind: Literal["person", "machine"] = "person"


class JudgeOut(BaseModel):
    """A judge, by pseudonym, and how much the judge did."""

    pseudonym: str
    kind: Literal["person", "machine"]
    created_at: int
    last_seen_at: int | None
    is_revoked: bool
    is_excluded: bool
    excluded_reason: str | None
    answers: int
    skips: int
    active_ms: int


class Invited(BaseModel):
    """A judge and the personal link, which is shown this once."""

    judge: JudgeOut
    link: str


class LinkOut(BaseModel):
    """A link that is shown this once."""

    link: str


class ReasonIn(Sent):
    """Why somebody is left out of the results."""

    reason: Line


class StandingOut(BaseModel):
    """What the background work found last, and over how many judgments."""

    kind: str
    judgments: int
    computed_at: int
    content: dict[str, Any]


class EventOut(BaseModel):
    """One line of the audit trail."""

    id: int
    at: int
    actor: str
    action: str
    object: str | None
    details: dict[str, Any]
    request: str | None


def campaign_out(campaign: Campaign) -> CampaignOut:
    """A campaign in short."""
    return CampaignOut(**_short(campaign))


def testset_of(
    plan: Plan, sent: Sequence[SegmentIn], outputs: Mapping[str, Sequence[str | None]]
) -> TestSet:
    """The test set that was sent."""
    check_size(len(sent), len(outputs))
    segments = tuple(
        Segment(one.id or str(place), one.source, tuple(one.references), one.document, one.domain)
        for place, one in enumerate(sent, 1)
    )
    found = {name: tuple(texts) for name, texts in outputs.items()}
    return TestSet(segments, found, plan.name, *plan.languages)


def campaign_details(store: CampaignStore, campaign: Campaign) -> CampaignDetails:
    """A campaign with everything."""
    testset = store.campaigns.testset(campaign.id)
    plan, systems = campaign.plan.to_json(), list(testset.systems)
    return CampaignDetails(**_short(campaign), plan=plan, segments=len(testset), systems=systems)


def _short(campaign: Campaign) -> dict[str, Any]:
    plan = campaign.plan
    times = {name: getattr(campaign, name) for name in ("created_at", "opened_at", "closed_at")}
    names = {"slug": campaign.slug, "name": campaign.name, "state": campaign.state}
    source, target = plan.languages
    languages = {"source_language": source, "target_language": target}
    return {**names, "protocol": plan.protocol, **languages, **times}


def judge_out(judge: Judge, counts: JudgeCounts) -> JudgeOut:
    """A judge as programs see one."""
    return JudgeOut(
        pseudonym=judge.pseudonym,
        kind=judge.kind,
        created_at=judge.created_at,
        last_seen_at=judge.last_seen_at,
        is_revoked=judge.revoked_at is not None,
        is_excluded=judge.excluded_at is not None,
        excluded_reason=judge.excluded_reason,
        answers=counts.answers,
        skips=counts.skips,
        active_ms=counts.active_ms,
    )
