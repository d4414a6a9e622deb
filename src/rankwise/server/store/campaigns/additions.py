"""Systems and documents that join a campaign under way; nothing that is there changes."""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, select

from rankwise.server.campaign.launch.added_texts import (
    addition_findings,
    only_new,
    with_segments,
    with_system,
)
from rankwise.server.campaign.launch.check_list import CheckFinding
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.size_limits import check_size, check_testset
from rankwise.server.campaign.plan.sources.media_files import NO_MEDIA, MediaFiles
from rankwise.server.store.campaigns.campaign_assets import insert_assets
from rankwise.server.store.campaigns.campaigns import (
    Campaign,
    Campaigns,
    insert_outputs,
    insert_segments,
    insert_systems,
)
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.campaigns.screens import withdraw
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed
from rankwise.types import TestSet


class Additions:
    """Further texts for a campaign that may have judgments.

    Screens that nobody got are withdrawn in the same transaction, so that the next ones are chosen
    with the new texts among them; screens in hand, and judgments, stay as they are.
    """

    def __init__(
        self, database: Database, clock: Callable[[], int], campaigns: Campaigns, events: Events
    ) -> None:
        self._database, self._clock = database, clock
        self._campaigns, self._events = campaigns, events

    def system(
        self,
        slug: str,
        name: str,
        outputs: Sequence[str | None],
        *,
        given: GivenSpans | None = None,
        actor: str,
    ) -> list[CheckFinding]:
        """A further system with an output for each segment; what the check list says of it.

        *given* are errors that judges begin with.
        """
        campaign, testset = self._growing(slug)
        grown = with_system(testset, name, outputs)
        check_size(len(grown), len(grown.systems))
        check_testset(TestSet(grown.segments, {name: grown.outputs[name]}))
        shown = frozenset(self._campaigns.assets(campaign.id))
        findings = addition_findings(campaign.plan, testset, grown, media=shown)
        with self._database.write() as connection:
            self._lock(connection, campaign)
            insert_systems(connection, campaign.id, [name], first=campaign.systems)
            insert_outputs(connection, campaign.id, {name: outputs}, given or {})
            missing = sum(text is None for text in outputs)
            details = {"outputs": len(outputs) - missing, "missing": missing}
            self._done(connection, campaign, actor, "campaign.system", name, details)
        return findings

    def segments(
        self,
        slug: str,
        added: TestSet,
        *,
        given: GivenSpans | None = None,
        media: MediaFiles = NO_MEDIA,
        actor: str,
    ) -> list[CheckFinding]:
        """Further segments in new documents, with outputs of all systems.

        *given* are errors in them that judges begin with, *media* their files.
        """
        campaign, testset = self._growing(slug)
        grown = with_segments(testset, added)
        check_testset(grown)
        old = frozenset(self._campaigns.assets(campaign.id))
        new_places = {place for place, row in enumerate(media.rows, len(testset)) if row}
        findings = addition_findings(campaign.plan, testset, grown, media=old | new_places)
        first = len(testset)
        new = grown.segments[first:]
        with self._database.write() as connection:
            self._lock(connection, campaign)
            insert_segments(connection, campaign.id, new, first=first)
            outputs = only_new(grown.outputs, first)
            insert_outputs(connection, campaign.id, outputs, given or {}, first=first)
            insert_assets(connection, campaign.id, media, first=first)
            documents = {one.document for one in new} - {None}
            details = {"segments": len(new), "documents": len(documents)}
            self._done(connection, campaign, actor, "campaign.segments", None, details)
        return findings

    def _growing(self, slug: str) -> tuple[Campaign, TestSet]:
        campaign = self._campaigns.get(slug)
        if campaign.state == "closed":
            raise NotAllowed(f"campaign {slug!r} is closed; open it again to add texts")
        with self._database.read() as connection:
            campaign = self._campaigns.of(connection, campaign.id)
            return campaign, self._campaigns.testset_of(connection, campaign)

    def _lock(self, connection: Connection, campaign: Campaign) -> None:
        """Let nobody else add texts, or screens of the old ones, before the transaction ends."""
        row = select(tables.campaigns.c.id).filter_by(id=campaign.id)
        connection.execute(row.with_for_update())
        now = self._campaigns.of(connection, campaign.id)
        if now.size != campaign.size or now.state == "closed":
            raise NotAllowed(f"campaign {campaign.slug!r} changed meanwhile; look, then try again")

    def _done(
        self,
        connection: Connection,
        campaign: Campaign,
        actor: str,
        action: str,
        name: str | None,
        details: dict[str, Any],
    ) -> None:
        withdraw(connection, campaign.id, self._clock())
        what: dict[str, Any] = {"campaign": campaign.id, "object": name, "details": details}
        self._events.record(connection, actor, action, **what)
