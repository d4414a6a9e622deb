"""A leased screen as its judge sees it: texts in the order shown, and nothing about systems."""

from typing import Any, Literal

from sqlalchemy import Connection, Row, func, select

from rankwise.server.records import Json, Slot, Task
from rankwise.server.store import tables
from rankwise.server.store.campaigns import Campaign, Campaigns
from rankwise.server.store.errors import NotFound
from rankwise.server.store.screens import slots_of
from rankwise.types import Segment, TestSet

_LEASES, _SCREENS, _SEGMENTS = tables.leases.c, tables.screens.c, tables.segments.c


def lease_query() -> Any:
    """Leases with what their screens say, one flat row each."""
    joined = tables.leases.join(tables.screens, _LEASES.screen == _SCREENS.id).outerjoin(
        tables.segments, _SCREENS.segment == _SEGMENTS.id
    )
    return select(
        tables.leases,
        _SCREENS.campaign,
        _SCREENS.role,
        _SCREENS.slots,
        _SCREENS.payload,
        _SCREENS.seed,
        _SCREENS.remaining,
        _SCREENS.redundancy,
        _SCREENS.skips,
        _SCREENS.withdrawn_at,
        _SEGMENTS.position,
    ).select_from(joined)


def lease_row(connection: Connection, judge_id: int, token: str, *, lock: bool = False) -> Row[Any]:
    """The lease with that token, if it is the judge's; with *lock*, nobody else changes it."""
    if lock:
        held = select(_LEASES.id).where(_LEASES.token == token).with_for_update()
        connection.execute(held)
    query = lease_query().where(_LEASES.token == token, _LEASES.judge == judge_id)
    row: Row[Any] | None = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("there is no such task for you; ask for the next one")
    return row


def make_task(
    connection: Connection, campaigns: Campaigns, campaign: Campaign, lease: Row[Any]
) -> Task:
    """The task of a lease; its draft is what the judge saved last."""
    testset = campaigns.testset_of(connection, campaign.id)
    place: int | None = lease.position
    draft, version = _draft(connection, lease.id)
    texts = [_text(testset, place, slot) for slot in slots_of(lease.slots)]
    segment = None if place is None else testset.segments[place]
    shows_reference = campaign.plan.show_reference and segment is not None
    before, after = _context(testset, place, campaign.plan.context)
    role: Literal["work", "tutorial"] = "tutorial" if lease.role == "tutorial" else "work"
    return Task(
        token=lease.token,
        role=role,
        source=lease.payload["source"] if segment is None else segment.source,
        outputs=tuple(texts[slot] for slot in lease.shown),
        before=before,
        after=after,
        reference=_reference(segment) if shows_reference else None,
        document=None if segment is None else segment.document,
        draft=draft,
        draft_version=version,
        supersedes=_receipt(connection, lease.supersedes),
        created_at=lease.created_at,
        expires_at=lease.expires_at,
        done_before=done_in_sitting(connection, lease.judge),
    )


def source_text(testset: TestSet, position: int | None, payload: Json | None) -> str:
    """The source of a screen: a segment's, or a tutorial item's."""
    if position is None:
        return str((payload or {}).get("source", ""))
    return testset.segments[position].source


def _text(testset: TestSet, place: int | None, slot: Slot) -> str:
    if slot.text is not None or place is None:
        return slot.text or ""
    if slot.role == "REF":
        return testset.segments[place].references[0]
    return testset.outputs[slot.systems[0]][place] or ""


def _reference(segment: Segment | None) -> str | None:
    return segment.references[0] if segment is not None and segment.references else None


def _context(
    testset: TestSet, place: int | None, size: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sources before and after a segment, as far as its document goes."""
    if place is None or size == 0:
        return (), ()
    document = testset.segments[place].document

    def sources(places: range) -> tuple[str, ...]:
        found = (testset.segments[i] for i in places)
        return tuple(near.source for near in found if near.document == document)

    first, last = max(0, place - size), min(len(testset), place + size + 1)
    return sources(range(first, place)), sources(range(place + 1, last))


def _draft(connection: Connection, lease_id: int) -> tuple[Json | None, int]:
    query = select(tables.drafts.c.content, tables.drafts.c.version).filter_by(lease=lease_id)
    row = connection.execute(query).one_or_none()
    return (None, 0) if row is None else (row.content, row.version)


def _receipt(connection: Connection, judgment_id: int | None) -> str | None:
    if judgment_id is None:
        return None
    query = select(tables.judgments.c.receipt).filter_by(id=judgment_id)
    return str(connection.execute(query).scalar_one())


def done_in_sitting(connection: Connection, judge_id: int) -> int:
    """How many screens a judge did in this sitting; revisions and the tutorial do not count."""
    start = select(tables.judges.c.sitting_from).where(tables.judges.c.id == judge_id)
    found = tables.judgments.c
    query = (
        select(func.count())
        .select_from(tables.judgments.join(tables.screens, found.screen == _SCREENS.id))
        .where(
            found.judge == judge_id,
            found.id > start.scalar_subquery(),
            found.supersedes.is_(None),
            _SCREENS.role != "tutorial",
        )
    )
    return int(connection.execute(query).scalar_one())
