"""Whether the store can write, as a sentence that anybody may read, and the errors of late."""

import logging
import math
import re
import time
from collections import deque
from pathlib import Path

from rankwise.errors import StoreError
from rankwise.server.store.campaign_store import CampaignStore

log = logging.getLogger("rankwise.server")

#: How many errors the live floor can look back on.
KEPT = 50


class Health:
    """What the server knows about its store; ``sentence`` is ``None`` while all is well.

    Anybody may read the sentence, so it does not say where the database is; the log does.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Begin in good health, with the database at *path* if it is a file."""
        self.sentence: str | None = None
        self._path = path
        self._full: str | None = None
        self._checked_at = -math.inf
        self._errors: deque[dict[str, int | str]] = deque(maxlen=KEPT)

    def note(self, sentence: str | None) -> str | None:
        """Keep what was found out last; the sentence for anybody."""
        if sentence is not None and sentence != self._full:
            log.error("the store cannot write: %s", sentence)
        self._full = sentence
        self.sentence = None if sentence is None else for_anybody(sentence, self._path)
        return self.sentence

    def add_error(self, request: str, sentence: str) -> None:
        """Keep that a request failed; the sentence holds no text of a campaign and no secret."""
        at = time.time_ns() // 1_000_000
        self._errors.appendleft({"at": at, "request": request, "sentence": sentence})

    def errors(self) -> list[dict[str, int | str]]:
        """The last errors of this process, newest first."""
        return list(self._errors)

    def check(self, store: CampaignStore, *, within: float = 0.0) -> str | None:
        """Ask the store; the sentence, or ``None``.

        Asking means writing, so good health *within* the last seconds is taken for granted.
        """
        if self.sentence is None and time.monotonic() - self._checked_at < within:
            return None
        self._checked_at = time.monotonic()
        try:
            found = store.database.health()
        except (StoreError, OSError) as error:
            found = str(error)
        self.note(None if found == "ok" else found)
        return self.sentence


def for_anybody(sentence: str, path: Path | None) -> str:
    """*sentence*, written as one, without the file's path and what the database itself said.

    >>> for_anybody("the file /srv/a.db is gone", Path("/srv/a.db"))
    'The file is gone.'
    >>> for_anybody("the database cannot be reached (host 10.0.0.5 refused)", None)
    'The database cannot be reached.'
    """
    said = re.sub(r" \(.*\)$", "", sentence, flags=re.DOTALL)
    for place in () if path is None else (path, path.parent):
        said = said.replace(f" {place}", "")
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."
