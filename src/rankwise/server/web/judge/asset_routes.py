"""Pictures, sounds and videos of a judge's own campaign."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from rankwise.server.web.asset_answers import asset_answer
from rankwise.server.web.dependencies import CurrentJudge, CurrentStore

router = APIRouter()
Key = Annotated[str, Path(max_length=80)]


@router.head("/judge/assets/{key}")
@router.get("/judge/assets/{key}")
def asset(request: Request, judge: CurrentJudge, store: CurrentStore, key: Key) -> Response:
    """A file of the judge's campaign; 404 for those of others."""
    return asset_answer(request, store.assets, store.assets.get(judge.campaign, key))
