"""Campaigns and their test sets."""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, get_args

from sqlalchemy import Connection, Row, Table, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from rankwise.errors import DataError
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import INSTRUCTIONS, Plan
from rankwise.server.campaign.plan.size_limits import check_testset
from rankwise.server.campaign.plan.sources.media_files import NO_MEDIA, MediaFiles
from rankwise.server.records import Json, SegmentAsset, State
from rankwise.server.store.campaigns.campaign_assets import (
    assets_by_place,
    copy_assets,
    insert_assets,
)
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.campaigns.screens import insert_tutorial
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed, NotFound
from rankwise.types import Segment, TestSet

_TABLE = tables.campaigns
#: How the slug of a deleted campaign begins; no campaign can choose it.
_DELETED = "deleted/"
_CAMPAIGNS = select(
    _TABLE,
    select(func.count())
    .select_from(tables.systems)
    .where(tables.systems.c.campaign == _TABLE.c.id)
    .scalar_subquery()
    .label("systems"),
    # by the last place, which an index has at hand
    select(func.coalesce(func.max(tables.segments.c.position) + 1, 0))
    .where(tables.segments.c.campaign == _TABLE.c.id)
    .scalar_subquery()
    .label("segments"),
).where(_TABLE.c.slug.not_like(f"{_DELETED}%"))
_BY_ID = _CAMPAIGNS.where(_TABLE.c.id == bindparam("campaign_id"))
_BY_SLUG = _CAMPAIGNS.where(_TABLE.c.slug == bindparam("campaign_slug"))

#: From which state to which; a closed campaign may be opened again.
_MOVES: dict[State, tuple[State, ...]] = {
    "draft": ("open", "closed"),
    "open": ("paused", "closed"),
    "paused": ("open", "closed"),
    "closed": ("open",),
}

#: How many rows are inserted at once.
_BLOCK = 1000


@dataclass(frozen=True, slots=True)
class Campaign:
    """A stored campaign."""

    id: int
    slug: str
    name: str
    plan: Plan
    state: State
    created_at: int
    opened_at: int | None
    closed_at: int | None
    systems: int
    segments: int

    @property
    def size(self) -> tuple[int, int]:
        """How many systems and segments it has: texts are added, and never change."""
        return self.systems, self.segments


class Campaigns:
    """Campaigns by slug or number; their test sets are read once and then kept in memory."""

    def __init__(self, database: Database, clock: Callable[[], int], events: Events) -> None:
        self._database, self._clock, self._events = database, clock, events
        self._testsets: dict[int, tuple[object, TestSet]] = {}
        self._given: dict[int, tuple[tuple[int, int], GivenSpans]] = {}
        self._assets: dict[int, tuple[tuple[int, int], Mapping[int, SegmentAsset]]] = {}
        self._plans: dict[int, tuple[Any, Plan]] = {}
        self._guard = threading.Lock()

    def add(
        self,
        plan: Plan,
        testset: TestSet,
        *,
        actor: str,
        given: GivenSpans | None = None,
        media: MediaFiles = NO_MEDIA,
        clone_of: Campaign | None = None,
    ) -> Campaign:
        """A new campaign in state draft. The names of judges are not kept: invite them.

        *given* are errors that judges begin with, *media* the files of segments. A clone has those
        of the other campaign, and the trail says which it is.
        """
        check_testset(testset)
        plan = replace(plan, judges=())
        row = {
            "slug": plan.slug,
            "name": plan.name,
            "plan": plan.to_json(),
            "state": "draft",
            "created_at": self._clock(),
        }
        try:
            with self._database.write() as connection:
                made = connection.execute(insert(_TABLE).returning(_TABLE.c.id), row)
                campaign_id = int(made.scalar_one())
                _insert_texts(connection, campaign_id, testset, given or {})
                insert_assets(connection, campaign_id, media)
                if clone_of is not None:
                    copy_assets(connection, clone_of.id, campaign_id)
                insert_tutorial(connection, campaign_id, plan, self._clock())
                details = None if clone_of is None else {"clone of": clone_of.slug}
                what: dict[str, Any] = {"campaign": campaign_id, "details": details}
                self._events.record(connection, actor, "campaign.add", **what)
        except IntegrityError as error:
            self.refuse_taken(plan.slug, error)
            raise
        return self.by_id(campaign_id)

    def refuse_taken(self, slug: str, cause: Exception | None = None) -> None:
        """Say so if there is a campaign of that slug."""
        with self._database.read() as connection:
            found = connection.execute(select(_TABLE.c.id).filter_by(slug=slug)).first()
        if found is not None:
            message = f"there is a campaign {slug!r} already; choose another slug"
            raise DataError(message) from cause

    def get(self, slug: str) -> Campaign:
        """The campaign of that slug."""
        with self._database.read() as connection:
            row = connection.execute(_BY_SLUG, {"campaign_slug": slug}).one_or_none()
        if row is None:
            raise NotFound(f"there is no campaign {slug!r}")
        return self._campaign(row)

    def by_id(self, campaign_id: int) -> Campaign:
        """The campaign of that number."""
        with self._database.read() as connection:
            return self.of(connection, campaign_id)

    def of(self, connection: Connection, campaign_id: int) -> Campaign:
        """The same, as a transaction sees it."""
        row = connection.execute(_BY_ID, {"campaign_id": campaign_id}).one_or_none()
        if row is None:
            raise NotFound(f"there is no campaign {campaign_id}")
        return self._campaign(row)

    def all(self) -> list[Campaign]:
        """Every campaign, in the order they were made."""
        with self._database.read() as connection:
            rows = connection.execute(_CAMPAIGNS.order_by(_TABLE.c.id)).all()
        return [self._campaign(row) for row in rows]

    def _campaign(self, row: Row[Any]) -> Campaign:
        kept = self._plans.get(row.id)  # reading a plan checks every key: once is enough
        if kept is None or kept[0] != row.plan:
            kept = (row.plan, Plan.from_json(row.plan, where=f"the plan of {row.slug}"))
            self._plans[row.id] = kept
        times, sizes = (row.created_at, row.opened_at, row.closed_at), (row.systems, row.segments)
        return Campaign(row.id, row.slug, row.name, kept[1], row.state, *times, *sizes)

    def set_state(self, slug: str, state: str, *, actor: str) -> Campaign:
        """Open, pause or close a campaign."""
        if state not in get_args(State):
            raise DataError(f"unknown state {state!r}; choose from {', '.join(get_args(State))}")
        times = {"open": "opened_at", "closed": "closed_at"}
        campaign = self.get(slug)
        if state != campaign.state and state not in _MOVES[campaign.state]:
            raise NotAllowed(f"campaign {slug!r} is {campaign.state}; it cannot become {state}")
        values: dict[str, Any] = {"state": state}
        if state in times:
            values[times[state]] = self._clock()
        with self._database.write() as connection:
            connection.execute(update(_TABLE).where(_TABLE.c.slug == slug).values(**values))
            what: dict[str, Any] = {
                "campaign": campaign.id,
                "details": {"from": campaign.state, "to": state},
            }
            self._events.record(connection, actor, "campaign.state", **what)
        return self.get(slug)

    def set_instructions(self, slug: str, text: str, *, actor: str) -> Campaign:
        """Other instructions; whoever works on reads them before the next screen."""
        campaign = self.get(slug)
        changed = replace(
            campaign.plan, instructions=text.strip() or INSTRUCTIONS[campaign.plan.protocol]
        )
        with self._database.write() as connection:
            change = update(_TABLE).where(_TABLE.c.slug == slug)
            connection.execute(change.values(plan=changed.to_json()))
            details = {
                "from": campaign.plan.instructions_version,
                "to": changed.instructions_version,
            }
            what: dict[str, Any] = {"campaign": campaign.id, "details": details}
            self._events.record(connection, actor, "campaign.instructions", **what)
        return self.get(slug)

    def testset(self, campaign_id: int) -> TestSet:
        """The test set of a campaign, from memory unless it has changed."""
        with self._database.read() as connection:
            return self.testset_of(connection, self.of(connection, campaign_id))

    def testset_of(self, connection: Connection, campaign: Campaign) -> TestSet:
        """The same, as a transaction sees it."""
        version = (campaign.size, campaign.name, campaign.plan.languages)
        with self._guard:
            kept = self._testsets.get(campaign.id)
        if kept is None or kept[0] != version:
            kept = (version, _testset(connection, campaign))
            with self._guard:
                self._testsets[campaign.id] = kept
        return kept[1]

    def given(self, campaign_id: int) -> GivenSpans:
        """The errors that a machine marked in the outputs of a campaign, from memory."""
        with self._database.read() as connection:
            return self.given_of(connection, self.of(connection, campaign_id))

    def given_of(self, connection: Connection, campaign: Campaign) -> GivenSpans:
        """The same, as a transaction sees it."""
        with self._guard:
            kept = self._given.get(campaign.id)
        if kept is None or kept[0] != campaign.size:
            kept = (campaign.size, _given(connection, campaign.id, campaign.segments))
            with self._guard:
                self._given[campaign.id] = kept
        return kept[1]

    def assets(self, campaign_id: int) -> Mapping[int, SegmentAsset]:
        """The pictures, sounds and videos of segments, by their places, from memory."""
        with self._database.read() as connection:
            return self.assets_of(connection, self.of(connection, campaign_id))

    def assets_of(self, connection: Connection, campaign: Campaign) -> Mapping[int, SegmentAsset]:
        """The same, as a transaction sees it."""
        with self._guard:
            kept = self._assets.get(campaign.id)
        if kept is None or kept[0] != campaign.size:
            kept = (campaign.size, assets_by_place(connection, campaign.id))
            with self._guard:
                self._assets[campaign.id] = kept
        return kept[1]


def slug_when_deleted(campaign_id: int) -> str:
    """Under which slug the row of a deleted campaign stays, which nobody finds.

    >>> slug_when_deleted(7)
    'deleted/7'
    """
    return f"{_DELETED}{campaign_id}"


def _insert_texts(
    connection: Connection, campaign_id: int, testset: TestSet, given: GivenSpans
) -> None:
    insert_segments(connection, campaign_id, testset.segments)
    insert_systems(connection, campaign_id, testset.systems)
    insert_outputs(connection, campaign_id, testset.outputs, given)


def insert_segments(
    connection: Connection, campaign_id: int, segments: Sequence[Segment], *, first: int = 0
) -> None:
    """Store segments at the places from *first* on."""
    rows = (
        {
            "campaign": campaign_id,
            "position": position,
            "name": segment.id,
            "source": segment.source,
            "refs": {"texts": segment.references, "names": segment.reference_names},
            "document": segment.document,
            "domain": segment.domain,
        }
        for position, segment in enumerate(segments, first)
    )
    _insert(connection, tables.segments, rows)


def insert_systems(
    connection: Connection, campaign_id: int, names: Sequence[str], *, first: int = 0
) -> None:
    """Store the names of systems, at the places from *first* on."""
    named = enumerate(names, first)
    rows = ({"campaign": campaign_id, "position": n, "name": name} for n, name in named)
    _insert(connection, tables.systems, rows)


def insert_outputs(
    connection: Connection,
    campaign_id: int,
    outputs: Mapping[str, Sequence[str | None]],
    given: GivenSpans,
    *,
    first: int = 0,
) -> None:
    """Store outputs, and the errors *given* in them, for the segments from place *first* on."""
    of_campaign = {"campaign": campaign_id}
    made = select(tables.systems.c.name, tables.systems.c.id).filter_by(**of_campaign)
    systems = {row.name: row.id for row in connection.execute(made)}
    columns = tables.segments.c
    found = select(columns.id).filter_by(**of_campaign).where(columns.position >= first)
    segments = connection.execute(found.order_by(columns.position)).scalars().all()
    unmarked = [None] * len(segments)
    texts = (
        {"system": systems[name], "segment": segment, "text": text, "spans": spans}
        for name, of_system in outputs.items()
        for segment, text, spans in zip(segments, of_system, given.get(name, unmarked), strict=True)
        if text is not None
    )
    _insert(connection, tables.outputs, texts)


def _insert(connection: Connection, table: Table, rows: Iterator[dict[str, Any]]) -> None:
    """Insert *rows* in blocks, so that the texts are not in memory once more."""
    while block := list(islice(rows, _BLOCK)):
        connection.execute(insert(table), block)


def _testset(connection: Connection, campaign: Campaign) -> TestSet:
    segments, places = [], {}
    query = select(tables.segments).filter_by(campaign=campaign.id)
    for place, row in enumerate(connection.execute(query.order_by(tables.segments.c.position))):
        texts, names = tuple(row.refs["texts"]), tuple(row.refs["names"])
        segments.append(Segment(row.name, row.source, texts, row.document, row.domain, names))
        places[row.id] = place
    outputs = dict(_outputs(connection, campaign.id, places))
    plan = campaign.plan
    return TestSet(
        tuple(segments), outputs, campaign.name, plan.source_language, plan.target_language
    )


def _outputs(
    connection: Connection, campaign_id: int, places: dict[int, int]
) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    systems = select(tables.systems).filter_by(campaign=campaign_id)
    for system in connection.execute(systems.order_by(tables.systems.c.position)).all():
        texts: list[str | None] = [None] * len(places)
        query = select(tables.outputs.c.segment, tables.outputs.c.text)
        for row in connection.execute(query.filter_by(system=system.id)):
            texts[places[row.segment]] = row.text
        yield system.name, tuple(texts)


def _given(connection: Connection, campaign_id: int, size: int) -> GivenSpans:
    segments, systems, outputs = tables.segments, tables.systems, tables.outputs
    query = (
        select(systems.c.name, segments.c.position, outputs.c.spans)
        .join(systems, systems.c.id == outputs.c.system)
        .join(segments, segments.c.id == outputs.c.segment)
        .where(systems.c.campaign == campaign_id, outputs.c.spans.is_not(None))
    )
    found: dict[str, list[Sequence[Json] | None]] = {}
    for name, position, spans in connection.execute(query):
        found.setdefault(name, [None] * size)[position] = spans
    return found
