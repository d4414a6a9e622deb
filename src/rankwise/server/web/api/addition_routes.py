"""Systems and documents for a campaign that may be under way."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from rankwise.errors import DataError
from rankwise.server.campaign.launch.added_texts import outputs_for
from rankwise.server.campaign.launch.check_list import CheckFinding
from rankwise.server.campaign.plan.size_limits import MOST_SEGMENTS, MOST_SYSTEMS
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.api.api_models import (
    Assets,
    Finding,
    Line,
    Manager,
    OneCampaign,
    SegmentIn,
    Sent,
    Text,
    testset_of,
)
from rankwise.server.web.api.sent_assets import sent_media
from rankwise.server.web.dependencies import CurrentSettings, CurrentStore

router = APIRouter(prefix="/campaigns/{slug}")
Outputs = Annotated[list[Text | None], Field(max_length=MOST_SEGMENTS)]


class SystemIn(Sent):
    """A further system: one output per segment, or for each segment of some ``documents`` alone."""

    name: Line
    outputs: Outputs
    documents: Annotated[list[Line], Field(default_factory=list, max_length=MOST_SEGMENTS)]


class SegmentsIn(Sent):
    """Further segments, in documents that are new, with the outputs of all systems."""

    segments: Annotated[list[SegmentIn], Field(min_length=1, max_length=MOST_SEGMENTS)]
    outputs: Annotated[dict[Line, Outputs], Field(max_length=MOST_SYSTEMS)]
    assets: Assets


class GrownOut(BaseModel):
    """How large the campaign is now, and what the check list says that it did not say before."""

    systems: int
    segments: int
    findings: list[Finding]


@router.post("/systems", status_code=201)
def add_system(
    store: CurrentStore, caller: Manager, campaign: OneCampaign, sent: SystemIn
) -> GrownOut:
    """Add a system; judgments and what judges have in hand stay as they are."""
    texts = list(sent.outputs)
    if sent.documents:
        lines = [text for text in texts if text is not None]
        if len(lines) != len(texts):
            raise DataError("outputs: has a null; give the outputs of all segments of 'documents'")
        texts = outputs_for(store.campaigns.testset(campaign.id), lines, sent.documents)
    found = store.additions.system(campaign.slug, sent.name, texts, actor=caller.account.name)
    return _grown(store, campaign, found)


@router.post("/segments", status_code=201)
def add_segments(
    store: CurrentStore,
    settings: CurrentSettings,
    caller: Manager,
    campaign: OneCampaign,
    sent: SegmentsIn,
) -> GrownOut:
    """Add segments; judgments and what judges have in hand stay as they are."""
    added = testset_of(campaign.plan, sent.segments, sent.outputs)
    add, actor = store.additions.segments, caller.account.name
    with sent_media(sent.segments, sent.assets, settings) as media:
        found = add(campaign.slug, added, media=media, actor=actor)
    return _grown(store, campaign, found)


def _grown(store: CampaignStore, campaign: Campaign, found: list[CheckFinding]) -> GrownOut:
    now = store.campaigns.by_id(campaign.id)
    findings = [Finding(level=one.level, message=one.message) for one in found]
    return GrownOut(systems=now.systems, segments=now.segments, findings=findings)
