"""Is it alive, can it write: two addresses for machines."""

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

router = APIRouter(include_in_schema=False)


@router.api_route("/healthz", methods=["GET", "HEAD"])
def alive() -> Response:
    """200 as long as the process answers."""
    return JSONResponse({"status": "alive"})


@router.api_route("/readyz", methods=["GET", "HEAD"])
def ready(request: Request) -> Response:
    """200 when the store can write, else 503 with a sentence."""
    sentence = request.app.state.health.check(request.app.state.store, within=2.0)
    if sentence is None:
        return JSONResponse({"status": "ready"})
    return JSONResponse({"status": "not ready", "message": sentence}, 503)
