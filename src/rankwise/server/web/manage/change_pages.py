"""The organiser's pages that change a campaign as a whole: clone it, delete it."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from rankwise.server.web.campaign_parts import OwnCampaign, back, refuse_another
from rankwise.server.web.dependencies import CurrentAccount, CurrentSettings, CurrentStore
from rankwise.server.web.manage.judges_page import invited
from rankwise.server.web.pages import render

router = APIRouter(prefix="/campaigns/{slug}")


@router.post("/clone")
def clone(
    request: Request,
    store: CurrentStore,
    settings: CurrentSettings,
    account: CurrentAccount,
    campaign: OwnCampaign,
    name: Annotated[str, Form(max_length=200)],
    judges: Annotated[bool, Form()] = False,
) -> Response:
    """The same campaign once more, as a draft; with *judges* everybody is invited to it."""
    made = store.changes.clone(campaign.slug, name.strip(), actor=account.name)
    people = store.changes.people(campaign) if judges else []
    if not people:
        return back(made, "/check")
    links = invited(store, settings, made, people, actor=account.name)
    return render(request, "manage/links.html", {"campaign": made, "links": links})


@router.get("/delete")
def delete_page(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """Which campaign would be deleted, and what goes with it."""
    context = {
        "campaign": campaign,
        "judgments": store.changes.judgments(campaign),
        "judges": len(store.judges.judges(campaign.id)),
        "segments": len(store.campaigns.testset(campaign.id)),
    }
    return render(request, "manage/delete.html", context)


@router.post("/delete")
def delete(
    store: CurrentStore,
    account: CurrentAccount,
    campaign: OwnCampaign,
    confirm: Annotated[str, Form(max_length=80)],
) -> Response:
    """Delete a campaign that has no judgments, then show the others."""
    refuse_another(campaign, confirm)
    store.changes.delete(campaign.slug, actor=account.name)
    return RedirectResponse("/", 303)
