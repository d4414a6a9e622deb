"""Leases: who has which screen in hand, counted inside the transaction that hands it out.

For every screen of role work or control, ``remaining`` + open leases + current answers that count
+ skips that were not passed on = ``redundancy``. Revisions and the tutorial take no place.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, case, exists, func, insert, select, update

from rankwise.server.campaign.chooser import shown_order
from rankwise.server.store import tables
from rankwise.server.store.tasks import lease_query
from rankwise.server.store.tokens import new_token

_LEASES, _SCREENS, _JUDGMENTS = tables.leases.c, tables.screens.c, tables.judgments.c

#: So many judges may skip a screen before nobody else is asked: then it is the screen.
SKIPS_ENOUGH = 2


def mixed(*parts: int) -> int:
    """A seed below 2^31 from some numbers, the same on every machine.

    >>> mixed(1, 2) == mixed(1, 2), mixed(1, 2) == mixed(2, 1)
    (True, False)
    """
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 33


def lock_judge(connection: Connection, judge_id: int) -> Row[Any] | None:
    """The judge's row; what one judge does happens in one order, on PostgreSQL too."""
    query = select(tables.judges).where(tables.judges.c.id == judge_id)
    return connection.execute(query.with_for_update(key_share=True)).one_or_none()


def open_lease(connection: Connection, judge_id: int) -> Row[Any] | None:
    """The screen that the judge has in hand, revisions apart."""
    mine = (_LEASES.judge == judge_id, _LEASES.state == "open", _LEASES.supersedes.is_(None))
    query = lease_query().where(*mine).order_by(_LEASES.id.desc()).limit(1)
    row: Row[Any] | None = connection.execute(query).one_or_none()
    return row


def abandoned_draft(connection: Connection, judge_id: int) -> Row[Any] | None:
    """The judge's last lease, if it expired with a draft saved."""
    last = select(func.max(_LEASES.id)).where(
        _LEASES.judge == judge_id, _LEASES.supersedes.is_(None)
    )
    has_draft = exists().where(tables.drafts.c.lease == _LEASES.id)
    query = lease_query().where(
        _LEASES.id == last.scalar_subquery(), _LEASES.state == "expired", has_draft
    )
    row: Row[Any] | None = connection.execute(query).one_or_none()
    return row


def free_screen(
    connection: Connection, campaign_id: int, judge_id: int, role: str, *, lock: bool = True
) -> Any:
    """A screen the judge may get: one that nobody has in hand first, else the oldest.

    On PostgreSQL the row is locked, and rows that others are taking just now are passed over.
    """
    mine = exists().where(
        _LEASES.screen == _SCREENS.id,
        _LEASES.judge == judge_id,
        _LEASES.state.in_(("open", "done")),
    )
    busy = exists().where(_LEASES.screen == _SCREENS.id, _LEASES.state == "open")
    query = (
        select(tables.screens)
        .where(
            _SCREENS.campaign == campaign_id,
            _SCREENS.role == role,
            _SCREENS.remaining > 0,
            _SCREENS.withdrawn_at.is_(None),
            _SCREENS.for_judge.is_(None) | (_SCREENS.for_judge == judge_id),
            ~mine,
        )
        .order_by(busy, _SCREENS.id)
        .limit(1)
    )
    if lock:
        query = query.with_for_update(skip_locked=True, key_share=True, of=tables.screens)
    return connection.execute(query).one_or_none()


def tutorial_screen(connection: Connection, campaign_id: int, judge_id: int) -> Any:
    """The first item of the tutorial that the judge has not done."""
    done = exists().where(
        _LEASES.screen == _SCREENS.id, _LEASES.judge == judge_id, _LEASES.state == "done"
    )
    query = select(tables.screens).where(
        _SCREENS.campaign == campaign_id,
        _SCREENS.role == "tutorial",
        _SCREENS.remaining > 0,
        _SCREENS.withdrawn_at.is_(None),
        ~done,
    )
    return connection.execute(query.order_by(_SCREENS.id).limit(1)).one_or_none()


def take(connection: Connection, screen_id: int) -> bool:
    """Take one of the places of a screen; false when there is none."""
    change = update(tables.screens).where(
        _SCREENS.id == screen_id, _SCREENS.remaining > 0, _SCREENS.withdrawn_at.is_(None)
    )
    return connection.execute(change.values(remaining=_SCREENS.remaining - 1)).rowcount == 1


def give_back(connection: Connection, screen_id: int, places: int = 1) -> None:
    """Give places of a screen back."""
    change = update(tables.screens).where(_SCREENS.id == screen_id)
    connection.execute(change.values(remaining=_SCREENS.remaining + places))


def pass_on(connection: Connection, screen_id: int) -> None:
    """A judge skipped the screen: somebody else may get it, unless too many skipped it."""
    more = case((_SCREENS.skips + 1 < SKIPS_ENOUGH, 1), else_=0)
    change = update(tables.screens).where(_SCREENS.id == screen_id)
    connection.execute(change.values(skips=_SCREENS.skips + 1, remaining=_SCREENS.remaining + more))


def add_lease(
    connection: Connection,
    screen: Any,
    judge_id: int,
    *,
    now: int,
    expires_at: int,
    shown: Sequence[int] | None = None,
    supersedes: int | None = None,
) -> str:
    """Put a screen into the hands of a judge; the token of the lease."""
    same = (_LEASES.screen == screen.id, _LEASES.judge == judge_id)
    looks = select(func.count()).select_from(tables.leases).where(*same)
    replicate = int(connection.execute(looks).scalar_one())
    if shown is None:
        shown = shown_order(len(screen.slots), mixed(screen.seed, screen.id, judge_id, replicate))
    row = {
        "token": new_token(),
        "screen": screen.id,
        "judge": judge_id,
        "replicate": replicate,
        "shown": list(shown),
        "state": "open",
        "supersedes": supersedes,
        "created_at": now,
        "expires_at": expires_at,
    }
    connection.execute(insert(tables.leases), row)
    return str(row["token"])


def set_expiry(connection: Connection, lease_id: int, expires_at: int) -> None:
    """Let an open lease live until *expires_at*."""
    change = update(tables.leases).where(_LEASES.id == lease_id, _LEASES.state == "open")
    connection.execute(change.values(expires_at=expires_at))


def end_lease(connection: Connection, lease_id: int, state: str, now: int) -> None:
    """An end of a lease: done, expired or released."""
    change = update(tables.leases).where(_LEASES.id == lease_id)
    connection.execute(change.values(state=state, ended_at=now))


def takes_place(lease: Any) -> bool:
    """Whether a lease counts against the redundancy of its screen."""
    return lease.supersedes is None and lease.role != "tutorial"


def reopen(connection: Connection, lease: Row[Any], expires_at: int) -> bool:
    """Bring an expired lease back to life while its screen has a place; true if it lives."""
    if lease.state not in ("expired", "released"):
        return bool(lease.state == "open")
    if takes_place(lease) and (has_other(connection, lease) or not take(connection, lease.screen)):
        return False
    change = update(tables.leases).where(_LEASES.id == lease.id)
    connection.execute(change.values(state="open", ended_at=None, expires_at=expires_at))
    return True


def has_other(connection: Connection, lease: Row[Any]) -> bool:
    """Whether the judge did this screen, or has it in hand, by another lease."""
    other = select(_LEASES.id).where(
        _LEASES.screen == lease.screen,
        _LEASES.judge == lease.judge,
        _LEASES.id != lease.id,
        _LEASES.supersedes.is_(None),
        _LEASES.state.in_(("open", "done")),
    )
    return connection.execute(other.limit(1)).first() is not None


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
    late = and_(_LEASES.state == "open", _LEASES.expires_at > now + longest)
    connection.execute(update(tables.leases).where(late).values(expires_at=now + longest))
