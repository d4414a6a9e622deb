"""``/api/v1`` for programs: campaigns here, judges and results in the modules beside.

A bearer token with the right scope opens each route: ``read`` (no identities), ``export``
(judgments, by pseudonym), ``manage`` (create and change).
"""

from typing import Annotated

from fastapi import APIRouter, Query

from rankwise.errors import DataError
from rankwise.server.campaign.launch.check_list import check
from rankwise.server.campaign.plan.lessons import lesson_files
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.web.api import (
    addition_routes,
    event_routes,
    export_routes,
    judge_routes,
    mail_routes,
    result_routes,
    score_routes,
)
from rankwise.server.web.api.api_models import (
    CampaignDetails,
    CampaignIn,
    CampaignOut,
    CloneIn,
    EditIn,
    ErrorAnswer,
    EventOut,
    Finding,
    LinkOut,
    Manager,
    OneCampaign,
    Reader,
    StateIn,
    campaign_details,
    campaign_out,
    testset_of,
)
from rankwise.server.web.api.sent_assets import sent_media
from rankwise.server.web.campaign_parts import refuse_another, refuse_errors
from rankwise.server.web.dependencies import CurrentSettings, CurrentStore

Confirmed = Annotated[str, Query(max_length=80)]

#: Any route may answer these.
ERRORS = {
    400: "The request could not be read",
    401: "No valid token",
    403: "The token lacks the scope",
    404: "There is no such thing",
    409: "Its state does not allow that",
    413: "Too large",
    422: "A value is missing or wrong",
    503: "The store cannot write now",
}
router = APIRouter(
    prefix="/api/v1",
    responses={
        status: {"model": ErrorAnswer, "description": words} for status, words in ERRORS.items()
    },
)


@router.get("/campaigns", tags=["campaigns"])
def campaigns(store: CurrentStore, caller: Reader) -> list[CampaignOut]:
    """List all campaigns."""
    del caller
    return [campaign_out(campaign) for campaign in store.campaigns.all()]


@router.post("/campaigns", status_code=201, tags=["campaigns"])
def create_campaign(
    store: CurrentStore, settings: CurrentSettings, caller: Manager, sent: CampaignIn
) -> CampaignDetails:
    """Create a campaign, in state draft, from a plan and its texts."""
    if "texts" in sent.plan:
        raise DataError("plan: the key 'texts' names files; here the texts themselves are sent")
    plan = Plan.from_json(sent.plan, where="plan")
    if plan.judges:
        raise DataError("plan: the key 'judges' names people; invite them one by one instead")
    testset, actor = testset_of(plan, sent.segments, sent.outputs), caller.account.name
    lessons = lesson_files(plan.lessons)
    with sent_media(sent.segments, sent.assets, settings, lessons=lessons) as media:
        campaign = store.campaigns.add(plan, testset, media=media, actor=actor)
    return campaign_details(store, campaign)


@router.get("/campaigns/{slug}", tags=["campaigns"])
def campaign(store: CurrentStore, caller: Reader, campaign: OneCampaign) -> CampaignDetails:
    """One campaign with its plan."""
    del caller
    return campaign_details(store, campaign)


@router.patch("/campaigns/{slug}", tags=["campaigns"])
def edit_campaign(
    store: CurrentStore, caller: Manager, campaign: OneCampaign, sent: EditIn
) -> CampaignDetails:
    """Change keys of the plan; once somebody has judged, only those that decide no answer."""
    store.changes.edit(campaign.slug, sent.plan, actor=caller.account.name)
    return campaign_details(store, store.campaigns.by_id(campaign.id))


@router.delete("/campaigns/{slug}", status_code=204, tags=["campaigns"])
def delete_campaign(
    store: CurrentStore, caller: Manager, campaign: OneCampaign, confirm: Confirmed
) -> None:
    """Delete a campaign that has no judgments; `confirm` repeats its slug."""
    refuse_another(campaign, confirm)
    store.changes.delete(campaign.slug, actor=caller.account.name)


@router.post("/campaigns/{slug}/clone", status_code=201, tags=["campaigns"])
def clone_campaign(
    store: CurrentStore, caller: Manager, campaign: OneCampaign, sent: CloneIn
) -> CampaignDetails:
    """Make a draft with the plan and the texts of a campaign, without judges and judgments."""
    cloned = store.changes.clone(campaign.slug, sent.name, actor=caller.account.name)
    return campaign_details(store, cloned)


@router.get("/campaigns/{slug}/check", tags=["campaigns"])
def campaign_check(store: CurrentStore, caller: Reader, campaign: OneCampaign) -> list[Finding]:
    """The check list before launch."""
    del caller
    judges = len(store.judges.judges(campaign.id, kind="person"))
    media = store.campaigns.assets(campaign.id)
    found = check(campaign.plan, store.campaigns.testset(campaign.id), judges=judges, media=media)
    return [Finding(level=finding.level, message=finding.message) for finding in found.findings]


@router.post("/campaigns/{slug}/state", tags=["campaigns"])
def set_state(
    store: CurrentStore, caller: Manager, campaign: OneCampaign, sent: StateIn
) -> CampaignOut:
    """Open, pause or close a campaign; one whose check list has errors cannot be opened."""
    if sent.state == "open" and campaign.opened_at is None:
        refuse_errors(store, campaign)
    actor = caller.account.name
    return campaign_out(store.campaigns.set_state(campaign.slug, sent.state, actor=actor))


@router.post("/campaigns/{slug}/viewers", status_code=201, tags=["campaigns"])
def add_viewer(
    store: CurrentStore, settings: CurrentSettings, caller: Manager, campaign: OneCampaign
) -> LinkOut:
    """Make a link that shows the results without identities."""
    token = store.accounts.add_viewer(campaign.id, actor=caller.account.name)
    return LinkOut(link=settings.link(f"/v/{token}"))


@router.get("/campaigns/{slug}/events", tags=["campaigns"])
def events(store: CurrentStore, caller: Manager, campaign: OneCampaign) -> list[EventOut]:
    """The last thousand lines of the audit trail of a campaign, newest first."""
    del caller
    found = store.events.list(campaign.id, limit=1000)
    return [EventOut.model_validate(event, from_attributes=True) for event in found]


router.include_router(addition_routes.router, tags=["campaigns"])
router.include_router(event_routes.router, tags=["events"])
router.include_router(judge_routes.router, tags=["judges"])
router.include_router(mail_routes.router)
router.include_router(result_routes.router, tags=["results"])
router.include_router(export_routes.router, tags=["results"])
router.include_router(score_routes.router, tags=["results"])
