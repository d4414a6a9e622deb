"""The end of leases whose time is over, by a clock that may jump."""

from sqlalchemy import Connection, select, update

from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.judging.leases import give_back, takes_place

_LEASES, _SCREENS = tables.leases.c, tables.screens.c


def expire(connection: Connection, now: int, *, limit: int = 500) -> int:
    """End the leases whose time is over and give their places back; how many."""
    due = (
        select(
            _LEASES.id,
            _LEASES.screen,
            _LEASES.supersedes,
            _SCREENS.role,
            tables.judges.c.kind.label("judge_kind"),
        )
        .join(tables.screens, _LEASES.screen == _SCREENS.id)
        .join(tables.judges, _LEASES.judge == tables.judges.c.id)
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


#: Leases are looked at every few seconds; when nobody did for so long, that time does not count.
GAP = 300_000
#: The time of the last look is noted once in so long.
NOTED = 20_000


def set_right(connection: Connection, now: int, longest: int) -> None:
    """Set the ends of leases right after the clock jumped, or nobody looked for a while.

    Time in which nobody looked counts against no lease: the clock was set forward, or the server
    was down and nobody could renew. After a clock was set back, no lease ends later than one
    taken now would. *longest* is the longest time any campaign gives, in milliseconds.
    """
    missed = _missed(connection, now)
    if missed > GAP:
        every = update(tables.leases).where(_LEASES.state == "open")
        connection.execute(every.values(expires_at=_LEASES.expires_at + missed))
    late = update(tables.leases).where(_LEASES.state == "open", _LEASES.expires_at > now + longest)
    connection.execute(late.values(expires_at=now + longest))


def _missed(connection: Connection, now: int) -> int:
    """How long ago somebody looked last, in milliseconds, 0 if nobody ever did; now is noted."""
    marks = tables.marks
    is_sweep = marks.c.name == "sweep"
    last = connection.execute(select(marks.c.at).where(is_sweep)).scalar_one()
    if not 0 <= now - last < NOTED:
        connection.execute(update(marks).where(is_sweep).values(at=now))
    return int(now - last) if last else 0
