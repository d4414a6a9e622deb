"""Who is signed in: rows with an opaque secret, so that signing out is certain."""

from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from sqlalchemy import BigInteger, bindparam, delete, insert, or_, select, update

from rankwise.errors import StoreError
from rankwise.server.records import Judge, Session
from rankwise.server.store.access.judges import JUDGE_COLUMNS
from rankwise.server.store.access.tokens import new_token, token_hash
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

_TABLE = tables.sessions
_SESSION = tuple(_TABLE.c[name] for name in Session.__dataclass_fields__)
_BY_HASH = select(*_SESSION).where(_TABLE.c.hash == bindparam("key"))
_LINK_ENDS = tables.judges.c.link_expires_at
_WITH_JUDGE = (
    select(*_SESSION, *JUDGE_COLUMNS)
    .join(tables.judges, tables.judges.c.id == _TABLE.c.subject)
    .where(_TABLE.c.hash == bindparam("key"), _TABLE.c.kind == "judge")
    .where(or_(_LINK_ENDS.is_(None), bindparam("now", type_=BigInteger()) < _LINK_ENDS))
)
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
        key = token_hash(secret)
        with self._database.read() as connection:
            row = connection.execute(_BY_HASH, {"key": key}).one_or_none()
        return None if row is None else self._live(key, Session(*row), idle_hours)

    def find_judge(
        self, secret: str, *, idle_hours: float | None = None
    ) -> tuple[Session, Judge] | None:
        """The same for a judge, with who it is: what every request of a judge begins with.

        It ends with the judge's link.
        """
        key = token_hash(secret)
        with self._database.read() as connection:
            row = connection.execute(_WITH_JUDGE, {"key": key, "now": self._clock()}).one_or_none()
        if row is None:
            return None
        session = self._live(key, Session(*row[: len(_SESSION)]), idle_hours)
        return None if session is None else (session, Judge(*row[len(_SESSION) :]))

    def _live(self, key: str, session: Session, idle_hours: float | None) -> Session | None:
        now = self._clock()
        if session.expires_at <= now:
            return None
        if idle_hours is not None and now - session.seen_at > idle_hours * _HOUR:
            return None
        if abs(now - session.seen_at) >= _MINUTE:
            with suppress(StoreError):  # a full disk must not sign people out
                self._touch(key, session, now)
        return session

    def _touch(self, key: str, session: Session, now: int) -> None:
        seen = {"seen_at": now}
        if session.created_at > now:  # the clock was set back: it must not live longer for that
            lives = session.expires_at - session.created_at
            seen |= {"created_at": now, "expires_at": now + lives}
        with self._database.write() as connection:
            connection.execute(update(_TABLE).where(_TABLE.c.hash == key).values(seen))
            if session.kind == "judge":
                judge = update(tables.judges).where(tables.judges.c.id == session.subject)
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
