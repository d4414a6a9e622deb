"""The organiser's pages about campaigns: the list, the check list, launch and close, the trail."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import Response

from rankwise.server.campaign.launch.check_list import check
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web.campaign_parts import OwnCampaign, back, refuse_errors
from rankwise.server.web.dependencies import (
    CurrentAccount,
    CurrentOwner,
    CurrentSettings,
    CurrentStore,
    Number,
)
from rankwise.server.web.manage import (
    add_page,
    change_pages,
    create_page,
    event_pages,
    export_page,
    item_pages,
    judges_page,
    preview_page,
    scores_page,
)
from rankwise.server.web.manage.links_page import links_page
from rankwise.server.web.manage.preview_screens import preview_screens
from rankwise.server.web.manage.summaries import summary
from rankwise.server.web.pages import render
from rankwise.server.web.refusals import Refusal

router = APIRouter()
for part in (
    create_page, change_pages, add_page, judges_page, item_pages, export_page, preview_page,
    scores_page, event_pages,
):  # fmt: skip
    router.include_router(part.router)

#: How many events a page of the trail shows, and those that a hundred judges bury the rest under.
TRAIL = 300
COMINGS = ("account.sign-in", "judge.sign-in", "judge.consent", "viewer.sign-in")
Before = Annotated[int | None, Query(ge=1, le=2**62)]


@router.get("/")
def campaigns(request: Request, store: CurrentStore, account: CurrentAccount) -> Response:
    """Every campaign with how far it is."""
    del account
    found = [summary(store, campaign) for campaign in store.campaigns.all()]
    events = [(event, store.groups.campaigns(event)) for event in store.groups.all()]
    context = {"campaigns": found[::-1], "events": events[::-1]}
    return render(request, "manage/campaigns.html", context)


@router.get("/campaigns/{slug}/check")
def check_page(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """What to look at before launch."""
    testset = store.campaigns.testset(campaign.id)
    people = len(store.judges.judges(campaign.id, kind="person"))
    media = store.campaigns.assets(campaign.id)
    found = check(campaign.plan, testset, judges=people, media=media)
    shown = len(preview_screens(campaign, testset, files=store.assets.by_name(campaign.id)))
    context = {
        "campaign": campaign,
        "plan": campaign.plan,
        "found": found,
        "previews": shown,
        "numbers": found.numbers,
        "judgments": store.changes.judgments(campaign),
        "people": len(store.changes.people(campaign)),
    }
    return render(request, "manage/check.html", context)


@router.post("/campaigns/{slug}/instructions")
def set_instructions(
    store: CurrentStore,
    account: CurrentAccount,
    campaign: OwnCampaign,
    instructions: Annotated[str, Form(max_length=100_000)] = "",
) -> Response:
    """Other instructions, which every judge reads before the next screen."""
    text = instructions.replace("\r\n", "\n")
    store.campaigns.set_instructions(campaign.slug, text, actor=account.name)
    return back(campaign, "/check#h-instructions")


@router.post("/campaigns/{slug}/state")
def change_state(
    store: CurrentStore,
    account: CurrentAccount,
    campaign: OwnCampaign,
    state: Annotated[str, Form(max_length=20)],
) -> Response:
    """Launch, pause or close; a plan with errors cannot be launched."""
    if state == "open" and campaign.opened_at is None:
        refuse_errors(store, campaign)
    store.campaigns.set_state(campaign.slug, state, actor=account.name)
    if state == "open":
        store.queue.top_up(campaign.id)
    return back(campaign)


@router.post("/campaigns/{slug}/viewers")
def add_viewer(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
) -> Response:
    """A link to the results without identities, shown this once."""
    token = store.accounts.add_viewer(campaign.id, actor=account.name)
    link = settings.link(f"/v/{token}")
    links = [{"name": "Results, for viewers", "link": link, "email": None}]
    return links_page(request, campaign, links)


@router.post("/campaigns/{slug}/viewers/{link}/revoke")
def revoke_viewer(
    store: CurrentStore, account: CurrentAccount, campaign: OwnCampaign, link: Number
) -> Response:
    """End a viewer's link."""
    if link not in {viewer.id for viewer in store.accounts.viewers(campaign.id)}:
        raise Refusal(404, "no_link", "There is no such link.")
    store.accounts.revoke_viewer(link, account.name)
    return back(campaign, "/people")


@router.get("/audit")
def server_audit(
    request: Request,
    store: CurrentStore,
    owner: CurrentOwner,
    before: Before = None,
    brief: bool = False,
) -> Response:
    """The same for the whole server, for its owner."""
    del owner
    trail = _trail(store, None, before, brief=brief)
    return render(request, "manage/server_audit.html", trail)


@router.get("/campaigns/{slug}/audit")
def audit(
    request: Request,
    store: CurrentStore,
    campaign: OwnCampaign,
    before: Before = None,
    brief: bool = False,
) -> Response:
    """Who did what, newest first."""
    trail = _trail(store, campaign.id, before, brief=brief)
    return render(request, "manage/audit.html", {"campaign": campaign, **trail})


def _trail(
    store: CampaignStore, campaign_id: int | None, before: int | None, *, brief: bool
) -> dict[str, object]:
    """A page of the trail: what happened before an event, with people coming in or without."""
    without = COMINGS if brief else ()
    events = store.events.list(campaign_id, TRAIL + 1, before=before, without=without)
    shown = events[:TRAIL]
    older = shown[-1].id if len(events) > TRAIL else None
    return {"events": shown, "older": older, "is_first": before is None, "brief": brief}
