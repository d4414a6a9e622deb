"""How a campaign stands: the leaderboard and whether it is done, what was asked, the live floor.

Pages show what the background work found last and when; nothing is computed while somebody waits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from rankwise.server.campaign.standings.boards import LiveRanking, models_of
from rankwise.server.campaign.standings.contents import DomainsPanel, LiveBoard, Standings
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
    "mixed": "Means, strict judges and hard segments removed",
    "means-z": "Means, each judge's scale removed",
    "means": "Means",
}


@router.get("/campaigns/{slug}")
def dashboard(
    request: Request,
    store: CurrentStore,
    campaign: OwnCampaign,
    model: str = "",
    part: str = "",
    machines: bool = False,
) -> Response:
    """The whole page, or with ``part=live`` the part that changes, for the page to renew itself.

    Numbers are of people, unless *machines* are to count like them.
    """
    context = _standing(store, campaign, model, machines=machines) | {"is_viewer": False}
    context["floor"] = store.log.floor(campaign.id)
    name = "manage/live.html" if part == "live" else "manage/dashboard.html"
    return render(request, name, context)


@router.get("/view/{slug}")
def view(
    request: Request,
    store: CurrentStore,
    viewer: CurrentViewer,
    slug: str,
    model: str = "",
    machines: bool = False,
) -> Response:
    """The results for somebody with a viewer's link to this campaign."""
    campaign = find_campaign(store, slug)
    if campaign.id != viewer.campaign:
        raise Refusal(404, "no_campaign", f"There is no campaign {slug!r}.")
    shown = _standing(store, campaign, model, machines=machines)
    context = shown | {"is_viewer": True, "floor": None}
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


def _standing(
    store: CampaignStore, campaign: Campaign, model: str, *, machines: bool
) -> dict[str, object]:
    """Everything that the leaderboard page shows, from one snapshot; viewers see it: no person."""
    kept = store.standings.all(campaign.id)
    people = Standings.of({kind: one.content for kind, one in kept.items()})
    found = people.with_machines if machines and people.with_machines else people
    models = [name for name in models_of(campaign.plan) if name in found.boards]
    chosen = model if model in models else (models[0] if models else "")
    board = found.boards[chosen] if chosen else None
    return {
        "campaign": campaign,
        "plan": campaign.plan,
        "board": board,
        "done": found.done,
        "coverage": found.coverage,
        "errors": found.errors,
        "pace": found.pace,
        "domains": _by_system(found.domains, board),
        "agreement": found.agreement,
        "machines": people.machines,
        "powered": people.powered,
        "with_machines": found is not people,
        "model": chosen,
        "models": {name: MODELS[name] for name in models},
        "computed_at": max((one.computed_at for one in kept.values()), default=None),
        "pictures": _pictures(board, found),
        "goes_on": campaign.state == "open"
        and store.events.did(STOP_RULE, "campaign.state", campaign.id),
    }


def _by_system(domains: DomainsPanel | None, board: LiveBoard | None) -> object:
    """The boards of domains as a table: a row for every system, in the order of the board."""
    if domains is None or not domains["boards"]:
        return None
    rows = {one["name"]: {row["system"]: row for row in one["rows"]} for one in domains["boards"]}
    order = [] if board is None else [row["system"] for row in board["rows"]]
    order += [name for own in rows.values() for name in own]
    return {
        "model": MODELS[domains["model"]],
        "left_out": domains["left_out"],
        "boards": domains["boards"],
        "systems": list(dict.fromkeys(order)),
        "rows": rows,
    }


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of the page, as far as there is something to draw."""

    ranges: str | None = None
    scores: str | None = None
    heat: Sequence[charts.HeatMap] = ()
    coverage: str | None = None
    wins: str | None = None
    strips: Sequence[charts.Strips] = ()
    over_time: str | None = None


def _pictures(board: LiveBoard | None, found: Standings) -> Pictures:
    pictures = Pictures()
    if board is not None and board["rows"]:
        ranking = LiveRanking.of(board)
        pictures = replace(
            pictures,
            ranges=charts.rank_ranges(ranking),
            scores=charts.score_intervals(ranking, board["model"]),
        )
    if found.heat is not None and any(map(any, found.heat["all"])):
        wins = charts.win_matrix(found.heat)
        pictures = replace(pictures, heat=charts.heat_maps(found.heat), wins=wins)
    if found.errors is not None:
        order = [] if board is None else [row["system"] for row in board["rows"]]
        places = found.errors.get("places", [])
        strips = charts.error_strips(places, found.errors["severities"], order)
        pictures = replace(pictures, strips=strips)
    if found.pace is not None and found.pace["counts"]:
        pictures = replace(pictures, over_time=charts.screens_over_time(found.pace))
    if found.coverage is not None:
        shown = [(one["name"], one["n"]) for one in found.coverage["systems"]]
        title = "How often each system was shown"
        pictures = replace(pictures, coverage=charts.bars(shown, title=title))
    return pictures
