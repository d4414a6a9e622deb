"""Who is signed in: rows with an opaque secret, so that signing out is certain."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Literal

from sqlalchemy import Row, delete, insert, select, update

from rankwise.errors import StoreError
from rankwise.server.records import Session
from rankwise.server.store import tables
from rankwise.server.store.database import Database
from rankwise.server.store.tokens import new_token, token_hash

_TABLE = tables.sessions
_HOUR = 3_600_000
_MINUTE = 60_000

Kind = Literal["account", "judge", "viewer"]


class Sessions:
    """Sessions end after *hours*, or after *idle_hours* without a request."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock

    def start(self, kind: Kind, subject: int, *, hours: float = 12) -> tuple[str, str]:
        """A new session: its secret for the cookie, and its token against forged requests."""
        secret, csrf, now = new_token(), new_token(), self._clock()
        row = {
            "hash": token_hash(secret),
            "kind": kind,
            "subject": subject,
            "csrf": csrf,
            "created_at": now,
            "seen_at": now,
            "expires_at": now + int(hours * _HOUR),
        }
        with self._database.write() as connection:
            connection.execute(delete(_TABLE).where(_TABLE.c.expires_at < now))
            connection.execute(insert(_TABLE), row)
        return secret, csrf

    def find(self, secret: str, *, idle_hours: float | None = None) -> Session | None:
        """The session of *secret*, or ``None`` when it ended; noted as seen once a minute."""
        now, key = self._clock(), token_hash(secret)
        with self._database.read() as connection:
            row = connection.execute(select(_TABLE).where(_TABLE.c.hash == key)).one_or_none()
        if row is None or row.expires_at <= now:
            return None
        if idle_hours is not None and now - row.seen_at > idle_hours * _HOUR:
            return None
        if abs(now - row.seen_at) >= _MINUTE:
            with suppress(StoreError):  # a full disk must not sign people out
                self._touch(row, now)
        found = {name: value for name, value in row._mapping.items() if name != "hash"}
        return Session(**found)

    def _touch(self, row: Row[Any], now: int) -> None:
        seen = {"seen_at": now}
        if row.created_at > now:  # the clock was set back: it must not live longer for that
            seen |= {"created_at": now, "expires_at": now + row.expires_at - row.created_at}
        with self._database.write() as connection:
            connection.execute(update(_TABLE).where(_TABLE.c.hash == row.hash).values(seen))
            if row.kind == "judge":
                judge = update(tables.judges).where(tables.judges.c.id == row.subject)
                connection.execute(judge.values(last_seen_at=now))

    def end(self, secret: str) -> None:
        """Sign out here."""
        with self._database.write() as connection:
            connection.execute(delete(_TABLE).where(_TABLE.c.hash == token_hash(secret)))

    def end_all(self, kind: Kind, subject: int) -> None:
        """Sign out everywhere."""
        with self._database.write() as connection:
            connection.execute(
                delete(_TABLE).where(_TABLE.c.kind == kind, _TABLE.c.subject == subject)
            )
