"""What a judge did before: the list of it, the pace, and a lease to revise one of it."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import BigInteger, Connection, Row, bindparam, exists, func, insert, select, update

from rankwise.server.phrases import Phrase
from rankwise.server.records import NO_ASSETS, HistoryEntry, Json, SegmentAsset
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.store_errors import NotAllowed
from rankwise.server.store.judging import leases
from rankwise.server.store.judging.tasks import lesson_assets, source_text
from rankwise.types import TestSet

_JUDGMENTS, _LEASES, _SCREENS = tables.judgments.c, tables.leases.c, tables.screens.c


def entries(
    connection: Connection,
    campaign: Campaign,
    testset: TestSet,
    judge_id: int,
    limit: int,
    assets: Mapping[int, SegmentAsset] = NO_ASSETS,
) -> list[HistoryEntry]:
    """The last judgments of a judge as they stand, newest first."""
    return [
        HistoryEntry(
            receipt=row.receipt,
            kind=row.kind,
            role="tutorial" if row.role == "tutorial" else "work",
            source=source_text(testset, row.position, row.payload) or _words(row, assets),
            answer=_as_shown(campaign, row.kind, row.answer, row.shown),
            comment=row.comment,
            received_at=row.received_at,
            active_ms=row.active_ms,
            can_revise=campaign.state == "open" and row.role != "tutorial",
        )
        for row in connection.execute(_query(judge_id, limit))
    ]


def _words(row: Row[Any], assets: Mapping[int, SegmentAsset]) -> str:
    """What is to be seen or heard in a source that is no text."""
    if row.position in assets:
        return assets[row.position].words
    found = lesson_assets(row.payload)
    return found[0].words if found and found[0] is not None else ""


_newer = tables.judgments.alias("newer")
_PACE = (
    select(func.count(), func.coalesce(func.sum(_JUDGMENTS.active_ms), 0))
    .select_from(tables.judgments.join(tables.screens, _JUDGMENTS.screen == _SCREENS.id))
    .where(
        _JUDGMENTS.judge == bindparam("judge_id", type_=BigInteger()),
        _JUDGMENTS.kind == "answer",
        _SCREENS.role != "tutorial",
        ~exists().where(_newer.c.supersedes == _JUDGMENTS.id),
    )
)


def pace(connection: Connection, judge_id: int) -> tuple[int, int]:
    """How many screens a judge answered, and the active milliseconds they took."""
    count, active = connection.execute(_PACE, {"judge_id": judge_id}).one()
    return int(count), int(active)


def revision(
    connection: Connection, campaign: Campaign, last: Row[Any], now: int, expires_at: int
) -> str:
    """The token of the lease to revise judgment *last*; the open one, if there is one.

    The screen is shown in the same order as before, and its draft is the answer as it stands, also
    where an earlier change was begun and given up.
    """
    opened = select(_LEASES.id, _LEASES.token, _LEASES.shown).where(
        _LEASES.judge == last.judge, _LEASES.supersedes == last.id, _LEASES.state == "open"
    )
    lease = connection.execute(opened).first()
    if lease is not None:
        leases.set_expiry(connection, lease.id, expires_at)
        _begin_again(connection, lease.id, _content(campaign, last, lease.shown), now)
        return str(lease.token)
    screen = connection.execute(select(tables.screens).filter_by(id=last.screen)).one()
    if screen.role == "tutorial":
        raise NotAllowed(Phrase("an item of the tutorial is not revised"))
    shown = connection.execute(select(_LEASES.shown).where(_LEASES.id == last.lease)).scalar_one()
    token = leases.add_lease(
        connection,
        screen,
        last.judge,
        now=now,
        expires_at=expires_at,
        shown=shown,
        supersedes=last.id,
    )
    content = _content(campaign, last, shown)
    made = select(_LEASES.id).where(_LEASES.token == token).scalar_subquery()
    draft = {"lease": made, "version": 1, "content": content, "saved_at": now}
    connection.execute(insert(tables.drafts).values(**draft))
    return token


def _begin_again(connection: Connection, lease_id: int, content: Json, now: int) -> None:
    drafts = tables.drafts
    row = connection.execute(select(drafts).filter_by(lease=lease_id)).one()
    if dict(row.content) != dict(content):
        change = {"content": content, "version": row.version + 1, "saved_at": now}
        connection.execute(update(drafts).where(drafts.c.lease == lease_id).values(**change))


def _content(campaign: Campaign, last: Row[Any], shown: list[int]) -> Json:
    """A judgment as the draft of its revision."""
    answer = {} if last.kind == "skip" else _as_shown(campaign, last.kind, last.answer, shown)
    return dict(answer) if last.comment is None else {**answer, "comment": last.comment}


def _as_shown(campaign: Campaign, kind: str, answer: Json, shown: list[int]) -> Json:
    return answer if kind == "skip" else campaign.plan.rules.reorder(answer, shown, back=False)


def _query(judge_id: int, limit: int) -> Any:
    newer = tables.judgments.alias("newer")
    joined = (
        tables.judgments.join(tables.leases, _JUDGMENTS.lease == _LEASES.id)
        .join(tables.screens, _JUDGMENTS.screen == _SCREENS.id)
        .outerjoin(tables.segments, _SCREENS.segment == tables.segments.c.id)
    )
    return (
        select(
            tables.judgments,
            _LEASES.shown,
            _SCREENS.role,
            _SCREENS.payload,
            tables.segments.c.position,
        )
        .select_from(joined)
        .where(_JUDGMENTS.judge == judge_id, ~exists().where(newer.c.supersedes == _JUDGMENTS.id))
        .order_by(_JUDGMENTS.id.desc())
        .limit(limit)
    )
