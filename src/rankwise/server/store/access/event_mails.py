"""Mails to people of an event, each with the one link for all campaigns they judge in.

In the audit trail somebody is ``EVENT/NUMBER``, under no campaign.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Select, func, select

from rankwise.server.campaign.launch.link_mail import MailWords, usual_words
from rankwise.server.store.access.campaign_events import CampaignEvents
from rankwise.server.store.access.link_mails import (
    LIVE,
    POSTMAN,
    LinkMail,
    LinkMails,
    Recipient,
    mail_of,
)
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

_EVENTS, _GROUPS = tables.events, tables.campaign_events
_PEOPLE, _MEMBERS, _JUDGES = tables.event_people, tables.event_judges, tables.judges


class PersonMails(LinkMails):
    """Mails to people of events; an owner is the number of an event."""

    def __init__(
        self, database: Database, clock: Callable[[], int], groups: CampaignEvents, events: Events
    ) -> None:
        super().__init__(database, clock, events)
        self._groups = groups

    def why_closed(self, owner: int) -> str | None:
        """No campaign of the event is open or paused."""
        campaigns = self._groups.campaigns(self._groups.by_id(owner))
        if any(campaign.state in LIVE for campaign in campaigns):
            return None
        return "no campaign of the event is open or paused: nobody could judge in it"

    def usual_words(self, owner: int) -> MailWords:
        """An invitation in the language of all campaigns, where they have the same."""
        event = self._groups.by_id(owner)
        return usual_words(event.name, [one.plan for one in self._groups.campaigns(event)])

    def address(self, mail: LinkMail) -> str | None:
        """The person's address."""
        who = tables.identities.c
        mine = select(_MEMBERS.c.judge).where(_MEMBERS.c.person == mail.recipient)
        with self._database.read() as connection:
            query = select(func.min(who.email)).where(who.judge.in_(mine))
            found: str | None = connection.execute(query).scalar()
        return found

    def why_not(self, mail: LinkMail) -> str | None:
        """Nobody is needed where every campaign that the person judges in is closed."""
        state = tables.campaigns.c.state
        query = (
            select(state)
            .join(_JUDGES, _JUDGES.c.campaign == tables.campaigns.c.id)
            .join(_MEMBERS, _MEMBERS.c.judge == _JUDGES.c.id)
            .where(_MEMBERS.c.person == mail.recipient, _JUDGES.c.revoked_at.is_(None))
        )
        with self._database.read() as connection:
            states = set(connection.execute(query).scalars())
        is_over = states and not states & set(LIVE)
        return "the campaigns were closed before it could be sent" if is_over else None

    def _reachable(self, connection: Connection, owner: int) -> list[Recipient]:
        """People with an address and an open link who may judge in a campaign now."""
        judge, who = _JUDGES.c, tables.identities.c
        member = _MEMBERS.join(_JUDGES, judge.id == _MEMBERS.c.judge)
        came = select(_MEMBERS.c.person).select_from(member).where(judge.last_seen_at.is_not(None))
        done = tables.judgments.c.judge == _MEMBERS.c.judge
        busy = select(_MEMBERS.c.person).join(tables.judgments, done)
        person = _PEOPLE.c.id
        query = (
            select(person, func.min(who.email), person.in_(came), person.in_(busy))
            .join(_MEMBERS, _MEMBERS.c.person == person)
            .join(_JUDGES, judge.id == _MEMBERS.c.judge)
            .join(tables.campaigns, tables.campaigns.c.id == judge.campaign)
            .join(tables.identities, who.judge == judge.id)
            .where(
                _PEOPLE.c.event == owner,
                _PEOPLE.c.revoked_at.is_(None),
                judge.revoked_at.is_(None),
                judge.excluded_at.is_(None),
                tables.campaigns.c.state.in_(LIVE),
                who.email.is_not(None),
            )
        )
        rows = connection.execute(query.group_by(person).order_by(person)).all()
        slug = _slug(connection, owner)
        return [Recipient(one, f"{slug}/{one}", *more) for one, *more in rows]

    def _owner(self, connection: Connection, mail: LinkMail) -> int:
        query = select(_PEOPLE.c.event).where(_PEOPLE.c.id == mail.recipient)
        return int(connection.execute(query).scalar_one())

    def _campaign(self, owner: int) -> int | None:
        del owner
        return None

    def _mine(self, connection: Connection, owner: int) -> Any:
        return _EVENTS.c.object.startswith(f"{_slug(connection, owner)}/", autoescape=True)

    def _found(self, connection: Connection, query: Select[Any]) -> list[LinkMail]:
        rows = connection.execute(query.where(_EVENTS.c.campaign.is_(None)))
        return [mail_of(row, int(row.object.rpartition("/")[2])) for row in rows]

    def _lock(
        self, connection: Connection, *, owner: int | None = None, recipient: int = 0
    ) -> None:
        row = _PEOPLE.c.id == recipient if owner is None else _GROUPS.c.id == owner
        connection.execute(select(1).where(row).with_for_update())

    def _new_link(self, connection: Connection, recipient: int) -> str:
        return self._groups.renew_in(connection, recipient, POSTMAN)


def _slug(connection: Connection, owner: int) -> str:
    query = select(_GROUPS.c.slug).where(_GROUPS.c.id == owner)
    return str(connection.execute(query).scalar_one())
