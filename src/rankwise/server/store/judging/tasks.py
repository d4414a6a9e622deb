"""A leased screen as its judge sees it: texts in the order shown, and nothing about systems."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import BigInteger, Connection, Row, ScalarSelect, bindparam, func, select

from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans, still_there
from rankwise.server.phrases import Phrase
from rankwise.server.records import (
    NO_ASSETS,
    Json,
    JudgeTask,
    SegmentAsset,
    ShownAsset,
    Slot,
    TaskRow,
)
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.campaigns.screens import slots_of
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.store_errors import NotFound
from rankwise.types import Segment, TestSet

_LEASES, _SCREENS, _SEGMENTS = tables.leases.c, tables.screens.c, tables.segments.c
_JUDGMENTS, _JUDGE = tables.judgments.c, bindparam("judge_id", type_=BigInteger())

#: Screens with the place of their segment in the test set.
SCREENS_WITH_PLACES = select(tables.screens, _SEGMENTS.position).select_from(
    tables.screens.outerjoin(tables.segments, _SCREENS.segment == _SEGMENTS.id)
)

#: Leases with what their screens say, one flat row each, and the draft.
LEASES_WITH_SCREENS = select(
    tables.leases,
    _SCREENS.campaign,
    _SCREENS.role,
    _SCREENS.slots,
    _SCREENS.payload,
    _SEGMENTS.position,
    tables.judges.c.kind.label("judge_kind"),
    tables.drafts.c.content.label("draft"),
    tables.drafts.c.version.label("draft_version"),
    tables.drafts.c.saved_at.label("draft_saved_at"),
).select_from(
    tables.leases.join(tables.screens, _LEASES.screen == _SCREENS.id)
    .join(tables.judges, _LEASES.judge == tables.judges.c.id)
    .outerjoin(tables.segments, _SCREENS.segment == _SEGMENTS.id)
    .outerjoin(tables.drafts, tables.drafts.c.lease == _LEASES.id)
)

_BY_TOKEN = LEASES_WITH_SCREENS.where(
    _LEASES.token == bindparam("lease_token"), _LEASES.judge == _JUDGE
)
_BY_TOKEN_LOCKED = _BY_TOKEN.with_for_update(of=tables.leases)


def tutorial_from() -> ScalarSelect[Any]:
    """The lease after which items of the tutorial count, of the judge ``judge_id``."""
    judges = tables.judges.c
    return select(judges.tutorial_from).where(judges.id == _JUDGE).scalar_subquery()


def lease_row(connection: Connection, judge_id: int, token: str, *, lock: bool = False) -> Row[Any]:
    """The lease with that token, if it is the judge's; with *lock*, nobody else changes it."""
    values = {"judge_id": judge_id, "lease_token": token}
    query = _BY_TOKEN_LOCKED if lock else _BY_TOKEN
    row: Row[Any] | None = connection.execute(query, values).one_or_none()
    if row is None:
        raise NotFound(Phrase("there is no such task for you; ask for the next one"))
    return row


def make_task(
    testset: TestSet,
    campaign: Campaign,
    lease: Row[Any],
    *,
    done: int,
    revises: str | None,
    given: GivenSpans | None = None,
    assets: Mapping[int, SegmentAsset] = NO_ASSETS,
) -> JudgeTask:
    """The task of a lease; *done* is the number of screens in this sitting.

    *given* are the errors that a machine marked in the campaign's outputs, *assets* the pictures,
    sounds and videos of its segments.
    """
    place: int | None = lease.position
    segment = None if place is None else testset.segments[place]
    texts = screen_texts(testset, lease)
    before, after = _context(testset, place, campaign.plan.context, len(texts), assets)
    shown = _shown_assets(lease, assets, len(texts))
    sources = [source_text(testset, place, lease.payload)]
    if place is None:
        sources = list((lease.payload or {}).get("sources", sources))
    elif len(texts) > 1:
        sources = [near.source for near in testset.segments[place : place + len(texts)]]
    role: Literal["work", "tutorial"] = "tutorial" if lease.role == "tutorial" else "work"
    return JudgeTask(
        token=lease.token,
        role=role,
        source=sources[0],
        outputs=tuple(texts[0][slot] for slot in lease.shown),
        before=before,
        after=after,
        reference=_reference(segment) if campaign.plan.show_reference else None,
        document=None if segment is None else segment.document,
        draft=lease.draft,
        draft_version=lease.draft_version or 0,
        supersedes=revises,
        created_at=lease.created_at,
        expires_at=lease.expires_at,
        done_before=done,
        rows=_rows(testset, campaign, lease, sources, texts, given or {}, shown),
        told=None if segment is None else _told(campaign, segment.domain),
        asset=shown[0],
    )


def _shown_assets(
    lease: Row[Any], assets: Mapping[int, SegmentAsset], count: int
) -> list[ShownAsset | None]:
    """What a judge gets of the files of a screen: not what they are called."""
    place = lease.position
    if place is None:
        return lesson_assets(lease.payload) or [None] * count
    return [_shown_asset(assets.get(place + number)) for number in range(count)]


def lesson_assets(payload: Json | None) -> list[ShownAsset | None]:
    """Those of the screen of a lesson, one for each segment; empty where it has none."""
    return [one and ShownAsset(**one) for one in (payload or {}).get("assets", ())]


def _shown_asset(found: SegmentAsset | None) -> ShownAsset | None:
    if found is None:
        return None
    kind: Any = found.asset.kind.partition("/")[0]
    return ShownAsset(found.asset.key, kind, found.words)


def _told(campaign: Campaign, domain: str | None) -> int | None:
    """The number of the instructions for a domain."""
    domains = [name for name, _ in campaign.plan.domain_instructions]
    return domains.index(domain) if domain in domains else None


def screen_texts(testset: TestSet, lease: Any) -> list[list[str]]:
    """The texts of a screen in the order of its slots, for every segment that it shows."""
    slots, place = slots_of(lease.slots), lease.position
    size = len((lease.payload or {}).get("segments", ("",)))
    return [[_text(testset, place, slot, number) for slot in slots] for number in range(size)]


def screen_given(testset: TestSet, given: GivenSpans, lease: Any) -> list[list[list[Json]]] | None:
    """The errors given for the texts of a screen, in the order of its slots; ``None``: for none.

    In a spoilt text are those whose words are still there; a reference has none.
    """
    place = lease.position
    if not given or place is None:
        return None
    slots, texts = slots_of(lease.slots), screen_texts(testset, lease)
    return [
        [
            _marked(testset, given, slot, place + number, text)
            for slot, text in zip(slots, row, strict=True)
        ]
        for number, row in enumerate(texts)
    ]


def _marked(testset: TestSet, given: GivenSpans, slot: Slot, place: int, text: str) -> list[Json]:
    for system in slot.systems:
        spans = given[system][place] if system in given else None
        if spans:
            return still_there(spans, testset.outputs[system][place] or "", text)
    return []


def _rows(
    testset: TestSet,
    campaign: Campaign,
    lease: Row[Any],
    sources: Sequence[str],
    texts: Sequence[Sequence[str]],
    given: GivenSpans,
    assets: Sequence[ShownAsset | None],
) -> tuple[TaskRow, ...]:
    """The segments of a document; none where a screen is no document."""
    plan, place = campaign.plan, lease.position
    if not plan.rules.is_document:
        return ()
    references = [
        _reference(testset.segments[place + number])
        if plan.show_reference and place is not None
        else None
        for number in range(len(texts))
    ]
    marked = screen_given(testset, given, lease) or [[]] * len(texts)
    return tuple(
        TaskRow(
            source,
            tuple(row[slot] for slot in lease.shown),
            reference,
            tuple(tuple(spans[slot]) for slot in lease.shown) if spans else (),
            asset,
        )
        for source, row, reference, spans, asset in zip(
            sources, texts, references, marked, assets, strict=True
        )
    )


def source_text(testset: TestSet, place: int | None, payload: Json | None) -> str:
    """The source of a screen: a segment's, or a tutorial item's."""
    if place is None:
        return str((payload or {}).get("source", ""))
    return testset.segments[place].source


def _text(testset: TestSet, place: int | None, slot: Slot, number: int) -> str:
    """The text of a slot in segment *number* of its screen."""
    if slot.texts is not None:
        return slot.texts[number]
    if slot.text is not None or place is None:
        return slot.text or ""
    if slot.role == "REF":
        return testset.segments[place + number].references[0]
    return testset.outputs[slot.systems[0]][place + number] or ""


def _reference(segment: Segment | None) -> str | None:
    return segment.references[0] if segment is not None and segment.references else None


def _context(
    testset: TestSet,
    place: int | None,
    size: int,
    shown: int,
    assets: Mapping[int, SegmentAsset],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sources before and after the segments *shown*, as far as their document goes.

    Of a picture, sound or video that is the whole source, what is to be seen or heard.
    """
    if place is None or size == 0:
        return (), ()
    document = testset.segments[place].document

    def sources(places: range) -> tuple[str, ...]:
        found = ((i, testset.segments[i]) for i in places)
        near = ((i, one.source) for i, one in found if one.document == document)
        return tuple(text or (assets[i].words if i in assets else "") for i, text in near)

    end = place + shown
    first, last = max(0, place - size), min(len(testset), end + size)
    return sources(range(first, place)), sources(range(end, last))


_RECEIPT = select(_JUDGMENTS.receipt).where(_JUDGMENTS.id == bindparam("judgment_id"))
_DONE = (
    select(func.count())
    .select_from(tables.judgments.join(tables.screens, _JUDGMENTS.screen == _SCREENS.id))
    .where(
        _JUDGMENTS.judge == _JUDGE,
        _JUDGMENTS.id
        > select(tables.judges.c.sitting_from)
        .where(tables.judges.c.id == _JUDGE)
        .scalar_subquery(),
        # not IS NULL, for which SQLite would walk the index on supersedes through every judgment
        func.coalesce(_JUDGMENTS.supersedes, 0) == 0,
        _SCREENS.role != "tutorial",
    )
)


_ANSWERED = (
    select(func.count())
    .select_from(tables.judgments.join(tables.screens, _JUDGMENTS.screen == _SCREENS.id))
    .where(
        _JUDGMENTS.judge == _JUDGE,
        func.coalesce(_JUDGMENTS.supersedes, 0) == 0,
        _SCREENS.role != "tutorial",
    )
)


def answered(connection: Connection, judge_id: int) -> int:
    """How many screens a judge did in all; revisions and the tutorial do not count."""
    return int(connection.execute(_ANSWERED, {"judge_id": judge_id}).scalar_one())


def receipt_of(connection: Connection, judgment_id: int | None) -> str | None:
    """The receipt of a judgment, if there is one."""
    if judgment_id is None:
        return None
    return str(connection.execute(_RECEIPT, {"judgment_id": judgment_id}).scalar_one())


def done_in_sitting(connection: Connection, judge_id: int) -> int:
    """How many screens a judge did in this sitting; revisions and the tutorial do not count."""
    return int(connection.execute(_DONE, {"judge_id": judge_id}).scalar_one())
