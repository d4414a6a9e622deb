"""Is it alive, can it write: two addresses for machines, and the banner that people see."""

import threading
import time
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from rankwise.errors import StoreError

router = APIRouter(include_in_schema=False)


class Health:
    """What the server knows about its store; ``sentence`` is ``None`` while all is well."""

    def __init__(self) -> None:
        """Begin in good health."""
        self._lock = threading.Lock()
        self.sentence: str | None = None
        self.checked_at = 0.0

    def note(self, sentence: str | None) -> None:
        """Keep what was found out last."""
        with self._lock:
            self.sentence = sentence
            self.checked_at = time.monotonic()

    def check(self, store: Any) -> str | None:
        """Ask the store now; the sentence, or ``None``."""
        try:
            found = store.database.health()
        except (StoreError, OSError) as error:
            found = str(error)
        self.note(None if found == "ok" else found)
        return self.sentence


@router.get("/healthz")
def alive() -> Response:
    """200 as long as the process answers."""
    return JSONResponse({"status": "alive"})


@router.get("/readyz")
def ready(request: Request) -> Response:
    """200 when the store can write, else 503 with a sentence."""
    sentence = request.app.state.health.check(request.app.state.store)
    if sentence is None:
        return JSONResponse({"status": "ready"})
    return JSONResponse({"status": "not ready", "message": sentence}, 503)
