"""The audit trail: who did what, in the transaction that did it."""

from collections.abc import Callable, Collection

from sqlalchemy import Connection, insert, select

from rankwise.server.records import Event, Json
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

#: Who pauses a campaign that has all that its plan asked for.
STOP_RULE = "stop rule"


class Events:
    """Events are added and read, never changed."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock

    def add(
        self,
        actor: str,
        action: str,
        *,
        campaign: int | None = None,
        object: str | None = None,
        details: Json | None = None,
        request: str | None = None,
    ) -> None:
        """Write down that *actor* did *action*, in a transaction of its own."""
        with self._database.write() as connection:
            self.record(
                connection,
                actor,
                action,
                campaign=campaign,
                object=object,
                details=details,
                request=request,
            )

    def record(
        self,
        connection: Connection,
        actor: str,
        action: str,
        *,
        campaign: int | None = None,
        object: str | None = None,
        details: Json | None = None,
        request: str | None = None,
    ) -> None:
        """The same within a transaction, so that the deed and its trace stand or fall together."""
        row = {
            "at": self._clock(),
            "actor": actor,
            "action": action,
            "campaign": campaign,
            "object": object,
            "details": dict(details or {}),
            "request": request,
        }
        connection.execute(insert(tables.events), row)

    def did(self, actor: str, action: str, campaign: int) -> bool:
        """Whether *actor* ever did *action* to a campaign."""
        with self._database.read() as connection:
            return did(connection, actor, action, campaign)

    def list(
        self,
        campaign: int | None = None,
        limit: int = 100,
        *,
        before: int | None = None,
        without: Collection[str] = (),
    ) -> list[Event]:
        """The last *limit* events, newest first; of one campaign, or of everything.

        With *before*, those that came before the event of that number; *without* some actions.
        """
        columns = tables.events.c
        query = select(tables.events).order_by(columns.id.desc()).limit(limit)
        query = query.where(columns.action.not_in(without))
        if campaign is not None:
            query = query.where(columns.campaign == campaign)
        if before is not None:
            query = query.where(columns.id < before)
        with self._database.read() as connection:
            return [Event(**row._mapping) for row in connection.execute(query)]


def did(connection: Connection, actor: str, action: str, campaign: int) -> bool:
    """The same within a transaction."""
    same = {"actor": actor, "action": action, "campaign": campaign}
    query = select(tables.events.c.id).filter_by(**same).limit(1)
    return connection.execute(query).first() is not None
