"""How a campaign stands: the leaderboard and whether it is done, what was asked, the live floor.

Pages show what the background work found last and when; nothing is computed while somebody waits.
"""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from rankwise.server.campaign.standings.boards import models_of
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.campaigns.events import STOP_RULE
from rankwise.server.web.campaign_parts import OwnCampaign, find_campaign
from rankwise.server.web.dependencies import CurrentStore, CurrentViewer
from rankwise.server.web.manage import dashboard_charts as charts
from rankwise.server.web.pages import render
from rankwise.server.web.refusals import Refusal

router = APIRouter()

#: How people call the models of the leaderboard.
MODELS = {
    "trueskill": "TrueSkill",
    "expected-wins": "Expected Wins",
    "bradley-terry": "Bradley–Terry",
    "means-z": "Means, each judge's scale removed",
    "means": "Means",
}
#: What a viewer may read: no person is in these.
OPEN_KINDS = ("done", "heat", "coverage", "agreement")


@router.get("/campaigns/{slug}")
def dashboard(
    request: Request, store: CurrentStore, campaign: OwnCampaign, model: str = "", part: str = ""
) -> Response:
    """The whole page, or with ``part=live`` the part that changes, for the page to renew itself."""
    context = _standing(store, campaign, model) | {"is_viewer": False}
    context["floor"] = store.log.floor(campaign.id)
    name = "manage/live.html" if part == "live" else "manage/dashboard.html"
    return render(request, name, context)


@router.get("/view/{slug}")
def view(
    request: Request, store: CurrentStore, viewer: CurrentViewer, slug: str, model: str = ""
) -> Response:
    """The results for somebody with a viewer's link to this campaign."""
    campaign = find_campaign(store, slug)
    if campaign.id != viewer.campaign:
        raise Refusal(404, "no_campaign", f"There is no campaign {slug!r}.")
    context = _standing(store, campaign, model) | {"is_viewer": True, "floor": None}
    return render(request, "manage/view.html", context)


@router.get("/campaigns/{slug}/floor")
def floor(request: Request, store: CurrentStore, campaign: OwnCampaign) -> Response:
    """Who works on what at this moment."""
    refresher = store.standings.get(campaign.id, "refresher")
    context = {
        "campaign": campaign,
        "floor": store.log.floor(campaign.id),
        "leases": store.log.open_leases(campaign.id),
        "refresher": None if refresher is None else refresher.content,
        "errors": request.app.state.health.errors(),
    }
    return render(request, "manage/floor.html", context)


@router.get("/campaigns/{slug}/data/{kind}.json")
def data(store: CurrentStore, campaign: OwnCampaign, kind: str) -> Response:
    """What stands behind a table or a picture, as JSON."""
    standing = store.standings.get(campaign.id, kind)
    if standing is None:
        raise Refusal(404, "no_data", f"There is no {kind!r} of this campaign (yet).")
    found = {"kind": kind, "judgments": standing.judgments, "computed_at": standing.computed_at}
    return JSONResponse(found | {"content": dict(standing.content)})


def _standing(store: CampaignStore, campaign: Campaign, model: str) -> dict[str, Any]:
    """Everything that the leaderboard page shows, from one snapshot."""
    standings = store.standings.all(campaign.id)
    models = [name for name in models_of(campaign.plan) if f"leaderboard:{name}" in standings]
    chosen = model if model in models else (models[0] if models else "")
    board = standings[f"leaderboard:{chosen}"].content if chosen else None
    found: dict[str, Any] = {
        kind: standings[kind].content if kind in standings else None for kind in OPEN_KINDS
    }
    newest = max((one.computed_at for one in standings.values()), default=None)
    return found | {
        "campaign": campaign,
        "plan": campaign.plan,
        "board": board,
        "model": chosen,
        "models": {name: MODELS[name] for name in models},
        "computed_at": newest,
        "pictures": _pictures(board, found),
        "goes_on": campaign.state == "open"
        and store.events.did(STOP_RULE, "campaign.state", campaign.id),
    }


def _pictures(board: Mapping[str, Any] | None, found: Mapping[str, Any]) -> dict[str, Any]:
    heat, coverage = found["heat"], found["coverage"]
    pictures: dict[str, Any] = {"ranges": None, "scores": None, "heat": [], "coverage": None}
    if board is not None and board["rows"]:
        pictures["ranges"] = charts.rank_ranges(board["rows"])
        pictures["scores"] = charts.score_intervals(board["rows"], board["model"])
    if heat is not None and any(map(any, heat["all"])):
        pictures["heat"] = charts.heat_maps(heat)
    if coverage is not None:
        pictures["coverage"] = charts.bars(
            [(one["name"], one["n"]) for one in coverage["systems"]],
            title="How often each system was shown",
        )
    return pictures
