"""Results for programs: standings as they are kept, judgments as they were given."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import StreamingResponse

from rankwise.server.campaign.standings.boards import models_of
from rankwise.server.campaign.standings.contents import WITH_MACHINES
from rankwise.server.records import StoredJudgment
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.web.api.api_models import Exporter, OneCampaign, Reader, StandingOut
from rankwise.server.web.dependencies import CurrentStore
from rankwise.server.web.refusals import Refusal

router = APIRouter(prefix="/campaigns/{slug}")
Kind = Annotated[str, Path(pattern=r"^[a-z]+(:[a-z-]+)?$", max_length=80)]
Model = Annotated[str, Query(pattern=r"^[a-z-]+$", max_length=80)]
LINES = {"content": {"application/x-ndjson": {}}, "description": "One JSON object per line"}


@router.get("/leaderboard")
def leaderboard(
    store: CurrentStore,
    caller: Reader,
    campaign: OneCampaign,
    model: Model = "",
    machines: bool = False,
) -> StandingOut:
    """The leaderboard by a model, or by the one that the page shows first.

    People alone count, unless ``machines`` are to count like them.
    """
    del caller
    kind = f"leaderboard:{model or models_of(campaign.plan)[0]}"
    return _standing(store, campaign, kind, machines=machines)


@router.get("/standings/{kind}")
def standing(
    store: CurrentStore,
    caller: Reader,
    campaign: OneCampaign,
    kind: Kind,
    machines: bool = False,
) -> StandingOut:
    """What the background work found last: done, heat, coverage, people, machines, and so on.

    People alone count, unless ``machines`` are to count like them.
    """
    del caller
    return _standing(store, campaign, kind, machines=machines)


def _standing(
    store: CampaignStore, campaign: Campaign, kind: str, *, machines: bool
) -> StandingOut:
    """What is kept; with *machines* as they change it, where there are any."""
    found = store.standings.get(campaign.id, f"{WITH_MACHINES}{kind}") if machines else None
    found = found or store.standings.get(campaign.id, kind)
    if found is None:
        message = f"There is no standing {kind!r} yet; it comes with the first judgments."
        raise Refusal(404, "no_standing", message)
    return StandingOut.model_validate(found, from_attributes=True)


@router.get("/judgments", response_class=StreamingResponse, responses={200: LINES})
def judgments(
    store: CurrentStore,
    caller: Exporter,
    campaign: OneCampaign,
    since: Annotated[int, Query(ge=0, le=2**62)] = 0,
    superseded: bool = False,
    machines: bool = False,
) -> StreamingResponse:
    """All judgments after number ``since``, one JSON object per line, in slot order.

    With ``superseded`` those that were revised later come too, with ``machines`` those of machines,
    whose ``judge_kind`` says so.
    """
    every = store.log.stored(campaign.id, since=since, superseded=superseded)
    rows = (row for row in every if machines or not row.is_machine)
    details = {"since": since, "superseded": superseded, "format": "json lines"}
    details |= {"machines": machines}
    who = caller.account.name
    store.events.add(who, "campaign.export", campaign=campaign.id, details=details)
    return StreamingResponse(_lines(rows), media_type="application/x-ndjson")


def _lines(rows: Iterator[StoredJudgment]) -> Iterator[bytes]:
    for row in rows:
        yield json.dumps(asdict(row)).encode() + b"\n"
