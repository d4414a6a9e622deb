"""The organiser's pages that change a campaign as a whole: edit, clone, delete it."""

import json
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan_edits import changes_of
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.campaign_parts import OwnCampaign, back, refuse_another
from rankwise.server.web.dependencies import CurrentAccount, CurrentSettings, CurrentStore, Posted
from rankwise.server.web.manage.create_page import further_keys
from rankwise.server.web.manage.judges_page import invited
from rankwise.server.web.manage.links_page import links_page
from rankwise.server.web.pages import render

router = APIRouter(prefix="/campaigns/{slug}")

#: What may change at any time: its label and its kind of field.
FIELDS = {
    "name": ("Name", "text"),
    "sitting": ("Screens in a sitting", "number"),
    "lease_seconds": ("Seconds that a screen stays reserved", "number"),
    "stop.max_judgments": ("Stop after so many judgments", "number"),
    "stop.boundary_support": ("Stop when every boundary has this support", "number"),
    "recruiting.screens_per_judge": ("Screens per judge (0: no limit)", "number"),
    "recruiting.most_judges": ("Judges by the open link, at most", "number"),
    "recruiting.code_pass": ("Code for who passed", "text"),
    "recruiting.code_fail": ("Code for everybody else", "text"),
    "seconds_per_screen": ("Seconds per screen (for the estimate)", "number"),
    "pay_per_hour": ("Pay per hour", "number"),
    "currency": ("Currency", "text"),
}
TEXTS = ("name", "currency", "recruiting.code_pass", "recruiting.code_fail")


@router.get("/edit")
def edit_page(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """The keys of the plan that may change now."""
    return _edit_page(request, store, campaign, {})


@router.post("/edit")
def edit(
    request: Request,
    store: CurrentStore,
    account: CurrentAccount,
    campaign: OwnCampaign,
    form: Posted,
) -> Response:
    """Change them, then show the check list; or the form again with what is wrong."""
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    plan = campaign.plan.to_json()
    changed = [key for key in FIELDS if given.get(key, _shown(plan, key)) != _shown(plan, key)]
    try:
        wanted = changes_of(f"{key}={_quoted(key, given[key])}" for key in changed)
        store.changes.edit(
            campaign.slug, wanted | further_keys(given.get("further", "")), actor=account.name
        )
    except DataError as error:
        return _edit_page(request, store, campaign, given, problem=str(error), status=422)
    return back(store.campaigns.by_id(campaign.id), "/check")


def _quoted(key: str, text: str) -> str:
    """A field as a value: words are a text, whatever they look like."""
    return json.dumps(text.strip()) if key in TEXTS and text.strip() else text


def _edit_page(
    request: Request,
    store: CampaignStore,
    campaign: Campaign,
    given: dict[str, str],
    *,
    problem: str | None = None,
    status: int = 200,
) -> Response:
    plan = campaign.plan.to_json()
    context = {
        "campaign": campaign,
        "fields": [(key, *words, _shown(plan, key)) for key, words in FIELDS.items()],
        "given": given,
        "problem": problem,
        "judgments": store.changes.judgments(campaign),
    }
    return render(request, "manage/edit.html", context, status=status)


def _shown(plan: dict[str, object], key: str) -> str:
    """The value of a key as the form shows it; that of a table's key by a dot."""
    value: object = plan
    for part in key.split("."):
        value = value[part] if isinstance(value, dict) else None
    return "" if value is None else str(value)


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
    return links_page(request, made, links)


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
