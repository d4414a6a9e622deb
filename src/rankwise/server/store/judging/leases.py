"""Leases: who has which screen in hand, counted inside the transaction that hands it out.

For every screen of role work or control, ``remaining`` + open leases + current answers that count
+ skips that were not passed on = ``redundancy``. Revisions and the tutorial take no place, nor do
machines: they are asked what people are asked, and nobody is asked less for it.

Statements are built once, here at the top of each part: building one takes longer than running it.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Row,
    and_,
    bindparam,
    case,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from rankwise.server.campaign.ask.chooser import shown_order
from rankwise.server.store.access.tokens import new_token
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.judging.tasks import (
    LEASES_WITH_SCREENS,
    SCREENS_WITH_PLACES,
    tutorial_from,
)

_LEASES, _SCREENS = tables.leases.c, tables.screens.c
_JUDGE, _SCREEN = (
    bindparam("judge_id", type_=BigInteger()),
    bindparam("screen_id", type_=BigInteger()),
)
_LEASE, _EXPIRES = (
    bindparam("lease_id", type_=BigInteger()),
    bindparam("expires", type_=BigInteger()),
)
_NOW = bindparam("now", type_=BigInteger())

#: So many judges may skip a screen before nobody else is asked: then it is the screen.
SKIPS_ENOUGH = 2


def mixed(*parts: int) -> int:
    """A seed below 2^31 from some numbers, the same on every machine.

    >>> mixed(1, 2) == mixed(1, 2), mixed(1, 2) == mixed(2, 1)
    (True, False)
    """
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 33


_LOCK_JUDGE = (
    select(tables.judges).where(tables.judges.c.id == _JUDGE).with_for_update(key_share=True)
)


def lock_judge(connection: Connection, judge_id: int) -> Row[Any] | None:
    """The judge's row; what one judge does happens in one order, on PostgreSQL too."""
    return connection.execute(_LOCK_JUDGE, {"judge_id": judge_id}).one_or_none()


_own = tables.leases.alias("own")
_last = select(func.max(_own.c.id)).where(_own.c.judge == _JUDGE, _own.c.supersedes.is_(None))
_IN_HAND = (
    LEASES_WITH_SCREENS.where(
        _LEASES.judge == _JUDGE,
        _LEASES.supersedes.is_(None),
        or_(
            _LEASES.state == "open",
            and_(
                _LEASES.state == "expired",
                _LEASES.id == _last.scalar_subquery(),
                tables.drafts.c.lease.is_not(None),
            ),
        ),
    )
    .order_by(case((_LEASES.state == "open", 0), else_=1), _LEASES.id.desc())
    .limit(1)
)


def in_hand(connection: Connection, judge_id: int) -> Row[Any] | None:
    """The lease that a judge has, revisions apart; or the last one, expired with a draft."""
    row: Row[Any] | None = connection.execute(_IN_HAND, {"judge_id": judge_id}).one_or_none()
    return row


_mine = exists().where(
    _LEASES.screen == _SCREENS.id, _LEASES.judge == _JUDGE, _LEASES.state.in_(("open", "done"))
)
_busy = exists().where(
    _LEASES.screen == _SCREENS.id,
    _LEASES.state == "open",
    _LEASES.judge == tables.judges.c.id,
    tables.judges.c.kind == "person",
)
_FREE = (
    SCREENS_WITH_PLACES.where(
        _SCREENS.campaign == bindparam("campaign_id"),
        _SCREENS.role == bindparam("role"),
        _SCREENS.remaining > 0,
        _SCREENS.withdrawn_at.is_(None),
        # not an OR, for which SQLite would walk the index on for_judge through every screen
        func.coalesce(_SCREENS.for_judge, _JUDGE) == _JUDGE,
        ~_mine,
    )
    .order_by(_busy, _SCREENS.id)
    .limit(1)
)
_FREE_LOCKED = _FREE.with_for_update(skip_locked=True, key_share=True, of=tables.screens)


def free_screen(
    connection: Connection, campaign_id: int, judge_id: int, role: str, *, lock: bool = True
) -> Row[Any] | None:
    """A screen the judge may get: one that nobody has in hand first, else the oldest.

    On PostgreSQL the row is locked, and rows that others are taking just now are passed over.
    """
    values = {"campaign_id": campaign_id, "judge_id": judge_id, "role": role}
    row: Row[Any] | None
    row = connection.execute(_FREE_LOCKED if lock else _FREE, values).one_or_none()
    return row


_MACHINE_FREE = (
    SCREENS_WITH_PLACES.where(
        _SCREENS.campaign == bindparam("campaign_id"),
        _SCREENS.role == bindparam("role"),
        _SCREENS.withdrawn_at.is_(None),
        func.coalesce(_SCREENS.for_judge, _JUDGE) == _JUDGE,
        ~_mine,
    )
    .order_by(_SCREENS.id)
    .limit(1)
)


def machine_screen(
    connection: Connection, campaign_id: int, judge_id: int, role: str
) -> Row[Any] | None:
    """The oldest screen that a machine did not have yet, however many places it has left."""
    values = {"campaign_id": campaign_id, "judge_id": judge_id, "role": role}
    row: Row[Any] | None = connection.execute(_MACHINE_FREE, values).one_or_none()
    return row


_did = exists().where(
    _LEASES.screen == _SCREENS.id,
    _LEASES.judge == _JUDGE,
    _LEASES.state == "done",
    _LEASES.id > tutorial_from(),
)
_TUTORIAL = (
    SCREENS_WITH_PLACES.where(
        _SCREENS.campaign == bindparam("campaign_id"),
        _SCREENS.role == "tutorial",
        _SCREENS.remaining > 0,
        _SCREENS.withdrawn_at.is_(None),
        ~_did,
    )
    .order_by(_SCREENS.id)
    .limit(1)
)


def tutorial_screen(connection: Connection, campaign_id: int, judge_id: int) -> Row[Any] | None:
    """The first item of the tutorial that the judge has not done."""
    values = {"campaign_id": campaign_id, "judge_id": judge_id}
    row: Row[Any] | None = connection.execute(_TUTORIAL, values).one_or_none()
    return row


_TAKE = (
    update(tables.screens)
    .where(_SCREENS.id == _SCREEN, _SCREENS.remaining > 0, _SCREENS.withdrawn_at.is_(None))
    .values(remaining=_SCREENS.remaining - 1)
)
_GIVE_BACK = (
    update(tables.screens)
    .where(_SCREENS.id == _SCREEN)
    .values(remaining=_SCREENS.remaining + bindparam("places"))
)
_PASS_ON = (
    update(tables.screens)
    .where(_SCREENS.id == _SCREEN)
    .values(
        skips=_SCREENS.skips + 1,
        remaining=_SCREENS.remaining + case((_SCREENS.skips + 1 < SKIPS_ENOUGH, 1), else_=0),
    )
)


def take(connection: Connection, screen_id: int) -> bool:
    """Take one of the places of a screen; false when there is none."""
    return connection.execute(_TAKE, {"screen_id": screen_id}).rowcount == 1


def give_back(connection: Connection, screen_id: int, places: int = 1) -> None:
    """Give places of a screen back."""
    connection.execute(_GIVE_BACK, {"screen_id": screen_id, "places": places})


def pass_on(connection: Connection, screen_id: int) -> None:
    """A judge skipped the screen: somebody else may get it, unless too many skipped it."""
    connection.execute(_PASS_ON, {"screen_id": screen_id})


_UNSKIP = (
    update(tables.screens)
    .where(_SCREENS.id == _SCREEN, _SCREENS.skips >= SKIPS_ENOUGH)
    .values(skips=_SCREENS.skips - 1)
)


def unskip(connection: Connection, screen_id: int) -> bool:
    """Take back a skip whose place was not passed on; false when all were."""
    return connection.execute(_UNSKIP, {"screen_id": screen_id}).rowcount == 1


_looks = tables.leases.alias("looks")
_ADD = insert(tables.leases).values(
    replicate=select(func.count())
    .select_from(_looks)
    .where(_looks.c.screen == _SCREEN, _looks.c.judge == _JUDGE)
    .scalar_subquery(),
    state="open",
)


def add_lease(
    connection: Connection,
    screen: Row[Any],
    judge_id: int,
    *,
    now: int,
    expires_at: int,
    shown: Sequence[int] | None = None,
    supersedes: int | None = None,
) -> str:
    """Put a screen into the hands of a judge; the token of the lease."""
    if shown is None:
        shown = shown_order(len(screen.slots), mixed(screen.seed, screen.id, judge_id))
    row = {
        "token": new_token(),
        "screen": screen.id,
        "judge": judge_id,
        "shown": list(shown),
        "supersedes": supersedes,
        "created_at": now,
        "expires_at": expires_at,
        "screen_id": screen.id,
        "judge_id": judge_id,
    }
    connection.execute(_ADD, row)
    return str(row["token"])


_SET_EXPIRY = (
    update(tables.leases)
    .where(_LEASES.id == _LEASE, _LEASES.state == "open")
    .values(expires_at=_EXPIRES)
)
_END = (
    update(tables.leases).where(_LEASES.id == _LEASE).values(state=bindparam("how"), ended_at=_NOW)
)
_REOPEN = (
    update(tables.leases)
    .where(_LEASES.id == _LEASE)
    .values(state="open", ended_at=None, expires_at=_EXPIRES)
)
_OTHER = (
    select(_LEASES.id)
    .where(
        _LEASES.screen == _SCREEN,
        _LEASES.judge == _JUDGE,
        _LEASES.id != _LEASE,
        _LEASES.supersedes.is_(None),
        _LEASES.state.in_(("open", "done")),
    )
    .limit(1)
)


def set_expiry(connection: Connection, lease_id: int, expires_at: int) -> None:
    """Let an open lease live until *expires_at*."""
    connection.execute(_SET_EXPIRY, {"lease_id": lease_id, "expires": expires_at})


def end_lease(connection: Connection, lease_id: int, how: str, now: int) -> None:
    """An end of a lease: done, expired or released."""
    connection.execute(_END, {"lease_id": lease_id, "how": how, "now": now})


def takes_place(lease: Any) -> bool:
    """Whether a lease counts against the redundancy of its screen; that of a machine does not."""
    is_first = lease.supersedes is None and lease.role != "tutorial"
    return is_first and lease.judge_kind == "person"


def reopen(connection: Connection, lease: Row[Any], expires_at: int) -> bool:
    """Bring an expired lease back to life while its screen has a place; true if it lives."""
    if lease.state not in ("expired", "released"):
        return bool(lease.state == "open")
    if takes_place(lease) and (has_other(connection, lease) or not take(connection, lease.screen)):
        return False
    connection.execute(_REOPEN, {"lease_id": lease.id, "expires": expires_at})
    return True


def has_other(connection: Connection, lease: Row[Any]) -> bool:
    """Whether the judge did this screen, or has it in hand, by another lease."""
    values = {"screen_id": lease.screen, "judge_id": lease.judge, "lease_id": lease.id}
    return connection.execute(_OTHER, values).first() is not None
