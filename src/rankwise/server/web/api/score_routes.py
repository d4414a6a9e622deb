"""Scores of a metric for programs: attach, look, remove."""

import math
from typing import Annotated

import numpy as np
from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.responses import Response

from rankwise.errors import DataError
from rankwise.server.campaign.plan.size_limits import MOST_SEGMENTS, MOST_SYSTEMS
from rankwise.server.campaign.standings.powered_panel import campaign_scores
from rankwise.server.web.api.api_models import Line, Manager, OneCampaign, Reader, Sent
from rankwise.server.web.dependencies import CurrentStore
from rankwise.server.web.refusals import Refusal
from rankwise.types import ScoreTable

router = APIRouter(prefix="/campaigns/{slug}/scores")


class ScoresIn(Sent):
    """Scores of one metric, by name of the system one for every segment; null where none is."""

    name: Line
    scores: Annotated[
        dict[Line, Annotated[list[float | None], Field(max_length=MOST_SEGMENTS)]],
        Field(min_length=1, max_length=MOST_SYSTEMS),
    ]


class ScoresOut(BaseModel):
    """What is attached, and in sentences what is missing."""

    name: str
    systems: list[str]
    segments: int
    notes: list[str] = []


@router.get("")
def scores(store: CurrentStore, caller: Reader, campaign: OneCampaign) -> ScoresOut:
    """The metric that is attached; the standing ``powered`` has what it does."""
    del caller
    found = store.scores.get(campaign.id)
    if found is None:
        raise Refusal(404, "no_scores", "There are no scores attached to this campaign.")
    return ScoresOut(name=found.name, systems=list(found.systems), segments=len(found.segments))


@router.put("")
def attach(
    store: CurrentStore, caller: Manager, campaign: OneCampaign, sent: ScoresIn
) -> ScoresOut:
    """Attach scores in place of those that were there."""
    segments = [segment.id for segment in store.campaigns.testset(campaign.id).segments]
    for system, values in sent.scores.items():
        if len(values) != len(segments):
            raise DataError(f"{system!r} has {len(values)} scores; expected {len(segments)}")
    cells = [[math.nan if v is None else v for v in row] for row in sent.scores.values()]
    table = ScoreTable(tuple(sent.scores), tuple(segments), np.array(cells), sent.name)
    found, notes = campaign_scores(table, store.campaigns.testset(campaign.id))
    store.scores.attach(campaign.id, found, actor=caller.account.name)
    systems = list(found.systems)
    return ScoresOut(name=found.name, systems=systems, segments=len(segments), notes=notes)


@router.delete("", status_code=204, response_class=Response)
def remove(store: CurrentStore, caller: Manager, campaign: OneCampaign) -> Response:
    """Take the scores away; judgments stay as they are."""
    store.scores.remove(campaign.id, actor=caller.account.name)
    return Response(status_code=204)
