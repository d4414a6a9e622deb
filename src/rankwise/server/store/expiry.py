"""The end of leases whose time is over."""

from sqlalchemy import Connection, select, update

from rankwise.server.store import tables
from rankwise.server.store.leases import give_back, takes_place

_LEASES, _SCREENS = tables.leases.c, tables.screens.c


def expire(connection: Connection, now: int, *, limit: int = 500) -> int:
    """End the leases whose time is over and give their places back; how many."""
    due = (
        select(_LEASES.id, _LEASES.screen, _LEASES.supersedes, _SCREENS.role)
        .join(tables.screens, _LEASES.screen == _SCREENS.id)
        .where(_LEASES.state == "open", _LEASES.expires_at <= now)
        .order_by(_LEASES.id)
        .limit(limit)
        .with_for_update(skip_locked=True, of=tables.leases)
    )
    rows = connection.execute(due).all()
    if not rows:
        return 0
    change = update(tables.leases).where(_LEASES.id.in_([row.id for row in rows]))
    connection.execute(change.values(state="expired", ended_at=now))
    places: dict[int, int] = {}
    for row in rows:
        if takes_place(row):
            places[row.screen] = places.get(row.screen, 0) + 1
    for screen in sorted(places):  # one order for everybody, so that nobody waits in a circle
        give_back(connection, screen, places[screen])
    return len(rows)


def shorten(connection: Connection, now: int, longest: int) -> None:
    """After a clock was set back, no lease ends later than one taken now would.

    *longest* is the longest time any campaign gives, in milliseconds.
    """
    late = update(tables.leases).where(_LEASES.state == "open", _LEASES.expires_at > now + longest)
    connection.execute(late.values(expires_at=now + longest))
