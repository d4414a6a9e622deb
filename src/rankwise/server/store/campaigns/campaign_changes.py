"""A campaign as a whole: edited, made once more, or taken away while nobody has judged."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Select, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_edits import ALWAYS, changed_keys, edited
from rankwise.server.store.campaigns.campaign_assets import delete_assets
from rankwise.server.store.campaigns.campaigns import Campaign, Campaigns, slug_when_deleted
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.campaigns.screens import insert_tutorial
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed


class CampaignChanges:
    """What an organiser does to a campaign beside opening and closing it."""

    def __init__(
        self, database: Database, clock: Callable[[], int], campaigns: Campaigns, events: Events
    ) -> None:
        self._database, self._clock = database, clock
        self._campaigns, self._events = campaigns, events

    def judgments(self, campaign: Campaign) -> int:
        """How many judgments a campaign has, those of its tutorial and by way of trial too."""
        with self._database.read() as connection:
            return int(connection.execute(_count(campaign)).scalar_one())

    def edit(self, slug: str, changes: Mapping[str, object], *, actor: str) -> dict[str, str]:
        """Other values for keys of the plan; what changed, by key, from what to what.

        Once somebody has judged, only what decides no answer may change (``ALWAYS``). Anything else
        needs a campaign that is not open, and the screens that wait are chosen anew.
        """
        campaign = self._campaigns.get(slug)
        try:
            with self._database.write() as connection:
                return self._edit(connection, campaign, changes, actor)
        except IntegrityError as error:
            raise DataError("there is a campaign of that slug already; choose another") from error

    def _edit(
        self, connection: Connection, found: Campaign, changes: Mapping[str, object], actor: str
    ) -> dict[str, str]:
        has_judgments = judgments_of(connection, found) > 0
        campaign = self._campaigns.of(connection, found.id)  # nobody else edits it from here on
        plan = edited(campaign.plan, changes)
        changed = changed_keys(campaign.plan, plan)
        decisive = next((key for key in changed if key not in ALWAYS), None)
        if decisive is not None:
            _refuse_decisive(campaign, decisive, has_judgments=has_judgments)
            delete_screens(connection, campaign.id)
            insert_tutorial(connection, campaign.id, plan, self._clock())
        if changed:
            change = update(tables.campaigns).where(tables.campaigns.c.id == campaign.id)
            values = {"name": plan.name, "slug": plan.slug, "plan": plan.to_json()}
            connection.execute(change.values(**values))
            what: dict[str, Any] = {"campaign": campaign.id, "details": changed}
            self._events.record(connection, actor, "campaign.edit", **what)
        return changed

    def clone(self, slug: str, name: str, *, actor: str) -> Campaign:
        """A new draft under another name, with the plan, the texts and the files of a campaign.

        Instructions, tutorial and checks are part of the plan; judges and judgments stay where
        they are.
        """
        campaign = self._campaigns.get(slug)
        keys = campaign.plan.to_json() | {"name": name, "slug": None}
        plan = Plan.from_json(keys, where="the clone")
        testset = self._campaigns.testset(campaign.id)
        given = self._campaigns.given(campaign.id)
        return self._campaigns.add(plan, testset, given=given, actor=actor, clone_of=campaign)

    def people(self, campaign: Campaign) -> list[tuple[str | None, str | None]]:
        """Name and address of everybody who was invited and may work, to be invited elsewhere.

        Not of machines, nor of those who are excluded, whose link was ended, who came by an open
        link, or who were forgotten.
        """
        judges, who = tables.judges, tables.identities
        query = select(who.c.name, who.c.email).join(judges, judges.c.id == who.c.judge)
        query = query.where(
            judges.c.campaign == campaign.id,
            judges.c.excluded_at.is_(None),
            judges.c.revoked_at.is_(None),
            judges.c.open_link.is_(None),
            judges.c.kind == "person",
        ).order_by(judges.c.id)
        with self._database.read() as connection:
            return [(row.name, row.email) for row in connection.execute(query)]

    def delete(self, slug: str, *, actor: str) -> None:
        """Take away a campaign that has no judgments: texts, judges, links.

        Its row stays under a slug that no campaign can have, so that its number is never given to
        another one, and the audit trail stays whole.
        """
        campaign = self._campaigns.get(slug)
        with self._database.write() as connection:
            if judgments_of(connection, campaign):
                raise NotAllowed(
                    f"campaign {slug!r} has judgments, which are never deleted; close it instead"
                )
            judges = _delete_rows(connection, campaign.id)
            gone = {"slug": slug_when_deleted(campaign.id), "name": "", "plan": {}}
            change = update(tables.campaigns).where(tables.campaigns.c.id == campaign.id)
            connection.execute(change.values(state="closed", closed_at=self._clock(), **gone))
            details = {"name": campaign.name, "state": campaign.state, "judges": judges}
            what: dict[str, Any] = {"campaign": campaign.id, "object": slug, "details": details}
            self._events.record(connection, actor, "campaign.delete", **what)


def _refuse_decisive(campaign: Campaign, key: str, *, has_judgments: bool) -> None:
    if has_judgments:
        raise NotAllowed(
            f"campaign {campaign.slug!r} has judgments, so its {key!r} cannot change; "
            "clone it and edit the clone"
        )
    if campaign.state == "open":
        raise NotAllowed(f"campaign {campaign.slug!r} is open; pause it to change its {key!r}")


def judgments_of(connection: Connection, campaign: Campaign) -> int:
    """How many judgments a campaign has, of any kind; none is added before the transaction ends."""
    row = select(tables.campaigns.c.id).where(tables.campaigns.c.id == campaign.id)
    connection.execute(row.with_for_update())  # a judgment names its campaign, so it has to wait
    return int(connection.execute(_count(campaign)).scalar_one())


def _count(campaign: Campaign) -> Select[Any]:
    return select(func.count()).select_from(tables.judgments).filter_by(campaign=campaign.id)


def delete_screens(connection: Connection, campaign_id: int) -> None:
    """Take away all screens, with what judges had in hand of them."""
    screens = select(tables.screens.c.id).filter_by(campaign=campaign_id)
    leases = select(tables.leases.c.id).where(tables.leases.c.screen.in_(screens))
    for table in (tables.attempts, tables.drafts):
        connection.execute(delete(table).where(table.c.lease.in_(leases)))
    connection.execute(delete(tables.leases).where(tables.leases.c.screen.in_(screens)))
    connection.execute(delete(tables.screens).where(tables.screens.c.campaign == campaign_id))


def _delete_rows(connection: Connection, campaign_id: int) -> int:
    """Delete all rows of a campaign but its own and the trail; how many judges it had."""
    delete_screens(connection, campaign_id)
    delete_assets(connection, campaign_id)
    systems = select(tables.systems.c.id).filter_by(campaign=campaign_id)
    connection.execute(delete(tables.outputs).where(tables.outputs.c.system.in_(systems)))
    judges = select(tables.judges.c.id).filter_by(campaign=campaign_id)
    for table in (tables.identities, tables.questionnaires, tables.event_judges):
        connection.execute(delete(table).where(table.c.judge.in_(judges)))
    viewers = select(tables.links.c.id).filter_by(campaign=campaign_id)
    _end_sessions(connection, "judge", judges)
    _end_sessions(connection, "viewer", viewers)
    judges_gone = connection.execute(
        delete(tables.judges).where(tables.judges.c.campaign == campaign_id)
    )
    for table in (
        tables.systems, tables.segments, tables.open_links, tables.links, tables.standings,
        tables.attached_scores, tables.event_campaigns,
    ):  # fmt: skip
        connection.execute(delete(table).where(table.c.campaign == campaign_id))
    return int(judges_gone.rowcount)


def _end_sessions(connection: Connection, kind: str, subjects: Select[Any]) -> None:
    # numbers of rows may be given again: nobody may be signed in as whoever gets them next
    sessions = tables.sessions
    same = (sessions.c.kind == kind) & sessions.c.subject.in_(subjects)
    connection.execute(delete(sessions).where(same))
