"""Events of many campaigns, and the people who judge in some of them by one link each.

In every campaign such a person is a judge of its own, under a pseudonym of its own: results,
exports and pay know nothing of events. (The audit trail is ``store.events``.)
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from rankwise.errors import DataError
from rankwise.server.campaign.plan.plan import slug_of
from rankwise.server.records import CampaignEvent, EventPair, EventPerson, Judge
from rankwise.server.store.access.judges import JUDGE_COLUMNS, Judges, insert_judge
from rankwise.server.store.access.tokens import new_token, token_hash, token_prefix
from rankwise.server.store.campaigns.campaigns import Campaign, Campaigns
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed, NotFound

_EVENTS, _PEOPLE = tables.campaign_events, tables.event_people
_JUDGES, _MEMBERS = tables.judges, tables.event_judges
_PERSON = tuple(_PEOPLE.c[n] for n in ("id", "event", "link_prefix", "created_at", "revoked_at"))
_LONGEST_NAME = 200


class CampaignEvents:
    """Events by slug; only the hashes of links are kept."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], int],
        campaigns: Campaigns,
        judges: Judges,
        events: Events,
    ) -> None:
        self._database, self._clock = database, clock
        self._campaigns, self._judges, self._events = campaigns, judges, events

    def add(self, name: str, slugs: Iterable[str], *, actor: str) -> CampaignEvent:
        """A new event of the campaigns of these *slugs*."""
        name = name.strip()
        slug = slug_of(name)[:80].strip("-")
        if not name or len(name) > _LONGEST_NAME:
            raise DataError(
                f"an event is called {name!r}; expected a name of 1 to {_LONGEST_NAME} characters"
            )
        found = [self._campaigns.get(one) for one in dict.fromkeys(slugs)]
        now = self._clock()
        row = {"slug": slug, "name": name, "created_at": now}
        try:
            with self._database.write() as connection:
                made = connection.execute(insert(_EVENTS).returning(_EVENTS.c.id), row)
                event = CampaignEvent(int(made.scalar_one()), slug, name, now)
                self._record(connection, actor, "event.add", event)
                self._join(connection, event, found, actor)
        except IntegrityError as error:
            raise DataError(f"there is an event {slug!r} already; choose another name") from error
        return event

    def get(self, slug: str) -> CampaignEvent:
        """The event of that slug."""
        found = self._find(_EVENTS.c.slug == slug)
        if found is None:
            raise NotFound(f"there is no event {slug!r}")
        return found

    def by_id(self, event_id: int) -> CampaignEvent:
        """The event of that number."""
        found = self._find(_EVENTS.c.id == event_id)
        if found is None:
            raise NotFound(f"there is no event {event_id}")
        return found

    def all(self) -> list[CampaignEvent]:
        """Every event, in the order they were made."""
        with self._database.read() as connection:
            rows = connection.execute(select(_EVENTS).order_by(_EVENTS.c.id)).all()
        return [CampaignEvent(**row._mapping) for row in rows]

    def of_campaign(self, campaign_id: int) -> CampaignEvent | None:
        """The event that a campaign belongs to, or ``None``."""
        held = tables.event_campaigns.c
        return self._find(_EVENTS.c.id.in_(select(held.event).where(held.campaign == campaign_id)))

    def _find(self, where: Any) -> CampaignEvent | None:
        with self._database.read() as connection:
            row = connection.execute(select(_EVENTS).where(where)).one_or_none()
        return None if row is None else CampaignEvent(**row._mapping)

    def campaigns(self, event: CampaignEvent) -> list[Campaign]:
        """The campaigns of an event, in the order they were made."""
        held = tables.event_campaigns.c
        query = select(held.campaign).where(held.event == event.id)
        with self._database.read() as connection:
            mine = set(connection.execute(query).scalars())
        return [campaign for campaign in self._campaigns.all() if campaign.id in mine]

    def join(self, event: CampaignEvent, slugs: Iterable[str], *, actor: str) -> None:
        """Further campaigns of an event; nobody judges in them before being let in."""
        found = [self._campaigns.get(one) for one in dict.fromkeys(slugs)]
        with self._database.write() as connection:
            self._join(connection, event, found, actor)

    def _join(
        self,
        connection: Connection,
        event: CampaignEvent,
        campaigns: Sequence[Campaign],
        actor: str,
    ) -> None:
        held = tables.event_campaigns
        for campaign in campaigns:
            query = select(_EVENTS.c.slug).join(held).where(held.c.campaign == campaign.id)
            other = connection.execute(query).scalar_one_or_none()
            if other is not None:
                raise NotAllowed(f"campaign {campaign.slug!r} belongs to the event {other!r}")
            row = {"campaign": campaign.id, "event": event.id}
            connection.execute(insert(held), row)
            self._record(connection, actor, "event.join", event, campaign.id)

    def invite(
        self,
        event: CampaignEvent,
        slugs: Collection[str] | None = None,
        *,
        name: str | None = None,
        email: str | None = None,
        actor: str,
    ) -> tuple[EventPerson, str]:
        """A new person, who judges in the campaigns of these *slugs* (all), and the link's token.

        The link is shown this once.
        """
        chosen = self._chosen(event, slugs)
        token, now = new_token(), self._clock()
        row = {
            "event": event.id,
            "link_hash": token_hash(token),
            "link_prefix": token_prefix(token),
            "created_at": now,
        }
        with self._database.write() as connection:
            made = connection.execute(insert(_PEOPLE).returning(_PEOPLE.c.id), row)
            person_id = int(made.scalar_one())
            for campaign in chosen:
                self._let_in(connection, person_id, campaign, (name, email), actor)
            self._record(connection, actor, "event.invite", event)
        return self.person(event, person_id), token

    def _chosen(self, event: CampaignEvent, slugs: Collection[str] | None) -> list[Campaign]:
        there = self.campaigns(event)
        if slugs is None:
            slugs = [campaign.slug for campaign in there]
        known = {campaign.slug for campaign in there}
        odd = next((slug for slug in slugs if slug not in known), None)
        if odd is not None:
            names = ", ".join(sorted(known)) or "none"
            raise DataError(f"the event {event.slug!r} has no campaign {odd!r}; it has {names}")
        if not slugs:
            raise DataError("nobody can judge in no campaign; choose one or more")
        return [campaign for campaign in there if campaign.slug in slugs]

    def _let_in(
        self,
        connection: Connection,
        person_id: int,
        campaign: Campaign,
        who: tuple[str | None, str | None],
        actor: str,
    ) -> None:
        row = {
            "campaign": campaign.id,
            "link_hash": token_hash(new_token()),  # the link is the person's
            "link_prefix": "",
            "created_at": self._clock(),
            "settings": {},
            "kind": "person",
        }
        judge_id = insert_judge(connection, row)
        identity = {"judge": judge_id, "name": who[0], "email": who[1]}
        connection.execute(insert(tables.identities), identity)
        connection.execute(insert(_MEMBERS), {"judge": judge_id, "person": person_id})
        pseudonym = select(_JUDGES.c.pseudonym).where(_JUDGES.c.id == judge_id)
        what: dict[str, Any] = {"campaign": campaign.id}
        what["object"] = connection.execute(pseudonym).scalar_one()
        self._events.record(connection, actor, "judge.invite", **what)

    def set_pairs(
        self, event: CampaignEvent, person_id: int, slugs: Collection[str], *, actor: str
    ) -> None:
        """Let somebody judge in just these campaigns; what was judged in others stays."""
        chosen = {campaign.id: campaign for campaign in self._chosen(event, slugs)}
        person = self.person(event, person_id)
        now = self._clock()
        with self._database.write() as connection:
            connection.execute(_locked(person_id))
            who = _identity(connection, person)
            for pair in person.pairs:
                wanted = pair.judge.campaign in chosen
                if wanted == (pair.judge.revoked_at is None):
                    continue
                change = update(_JUDGES).where(_JUDGES.c.id == pair.judge.id)
                connection.execute(change.values(revoked_at=None if wanted else now))
                if not wanted:
                    _end_sessions(connection, [pair.judge.id])
                what: dict[str, Any] = {"campaign": pair.judge.campaign}
                action = "judge.return" if wanted else "judge.revoke"
                self._events.record(connection, actor, action, object=pair.judge.pseudonym, **what)
            there = {pair.judge.campaign for pair in person.pairs}
            for campaign in chosen.values():
                if campaign.id not in there:
                    self._let_in(connection, person_id, campaign, who, actor)

    def people(self, event: CampaignEvent) -> list[EventPerson]:
        """Everybody who was invited to an event, with what they are in its campaigns."""
        with self._database.read() as connection:
            return _people(connection, _PEOPLE.c.event == event.id)

    def person(self, event: CampaignEvent, person_id: int) -> EventPerson:
        """One of them."""
        where = (_PEOPLE.c.event == event.id) & (_PEOPLE.c.id == person_id)
        with self._database.read() as connection:
            found = _people(connection, where)
        if not found:
            raise NotFound(f"there is no person {person_id} in the event {event.slug!r}")
        return found[0]

    def person_of(self, judge_id: int) -> EventPerson | None:
        """Who of an event a judge is; ``None`` of who was not invited to one, or whose link ended.

        Only campaigns in which the person may judge are there.
        """
        mine = select(_MEMBERS.c.person).where(_MEMBERS.c.judge == judge_id)
        where = _PEOPLE.c.id.in_(mine) & _PEOPLE.c.revoked_at.is_(None)
        with self._database.read() as connection:
            found = _people(connection, where, _JUDGES.c.revoked_at.is_(None))
        return found[0] if found else None

    def by_link(self, token: str) -> Judge | None:
        """The judge that a link's person was last, or ``None`` where it opens nothing."""
        where = (_PEOPLE.c.link_hash == token_hash(token)) & _PEOPLE.c.revoked_at.is_(None)
        with self._database.read() as connection:
            found = _people(connection, where, _JUDGES.c.revoked_at.is_(None))
        pairs = found[0].pairs if found else ()
        last = max(pairs, key=lambda pair: pair.judge.last_seen_at or 0, default=None)
        return None if last is None else last.judge

    def renew(self, event: CampaignEvent, person_id: int, *, actor: str) -> str:
        """The token of a new link; the old one and all sessions end."""
        token, link = _new_link()
        self._change(event, person_id, {**link, "revoked_at": None}, actor, "event.renew")
        return token

    def renew_in(self, connection: Connection, person_id: int, actor: str) -> str:
        """The same within a transaction; a link that was ended stays so."""
        token, link = _new_link()
        (person,) = _people(connection, _PEOPLE.c.id == person_id)
        row = connection.execute(select(_EVENTS).where(_EVENTS.c.id == person.event)).one()
        event = CampaignEvent(**row._mapping)
        self._change_in(connection, event, person, link, actor, "event.renew")
        return token

    def revoke(self, event: CampaignEvent, person_id: int, *, actor: str) -> None:
        """The link opens nothing any more, and all sessions end."""
        self._change(event, person_id, {"revoked_at": self._clock()}, actor, "event.revoke")

    def forget(self, event: CampaignEvent, person_id: int, *, actor: str) -> None:
        """Erase who somebody is, in every campaign; judgments stay under their pseudonyms."""
        for pair in self.person(event, person_id).pairs:
            self._judges.forget(pair.judge.id, actor)
        gone = {"link_hash": token_hash(new_token()), "revoked_at": self._clock()}
        self._change(event, person_id, gone, actor, "event.forget")

    def _change(
        self,
        event: CampaignEvent,
        person_id: int,
        values: dict[str, Any],
        actor: str,
        action: str,
    ) -> None:
        person = self.person(event, person_id)
        with self._database.write() as connection:
            self._change_in(connection, event, person, values, actor, action)

    def _change_in(
        self,
        connection: Connection,
        event: CampaignEvent,
        person: EventPerson,
        values: dict[str, Any],
        actor: str,
        action: str,
    ) -> None:
        change = update(_PEOPLE).where(_PEOPLE.c.id == person.id)
        connection.execute(change.values(**values))
        _end_sessions(connection, [pair.judge.id for pair in person.pairs])
        self._record(connection, actor, action, event)

    def _record(
        self,
        connection: Connection,
        actor: str,
        action: str,
        event: CampaignEvent,
        campaign: int | None = None,
    ) -> None:
        self._events.record(connection, actor, action, campaign=campaign, object=event.slug)


def _new_link() -> tuple[str, dict[str, Any]]:
    """A token, and what is kept of it."""
    token = new_token()
    return token, {"link_hash": token_hash(token), "link_prefix": token_prefix(token)}


def _locked(person_id: int) -> Any:
    return select(_PEOPLE.c.id).where(_PEOPLE.c.id == person_id).with_for_update()


def _identity(connection: Connection, person: EventPerson) -> tuple[str | None, str | None]:
    """Name and address of somebody, as far as they were not erased."""
    known = tables.identities.c
    query = select(known.name, known.email).where(
        known.judge.in_([pair.judge.id for pair in person.pairs])
    )
    row = connection.execute(query.order_by(known.judge).limit(1)).first()
    return (None, None) if row is None else (row.name, row.email)


def _people(connection: Connection, where: Any, *only: Any) -> list[EventPerson]:
    rows = connection.execute(select(*_PERSON).where(where).order_by(_PEOPLE.c.id)).all()
    query = select(_MEMBERS.c.person, *JUDGE_COLUMNS).join(
        _JUDGES, _JUDGES.c.id == _MEMBERS.c.judge
    )
    query = query.join(_PEOPLE, _PEOPLE.c.id == _MEMBERS.c.person).where(where, *only)
    judges = connection.execute(query.order_by(_JUDGES.c.campaign)).all()
    done = _done(connection, [row.id for row in judges])
    pairs: dict[int, list[EventPair]] = {}
    for person, *columns in judges:
        judge = Judge(*columns)
        pairs.setdefault(person, []).append(EventPair(judge, done.get(judge.id, 0)))
    return [EventPerson(**row._mapping, pairs=tuple(pairs.get(row.id, ()))) for row in rows]


def _done(connection: Connection, judges: Sequence[int]) -> dict[int, int]:
    """How many screens each judge did; revisions and the tutorial do not count."""
    judgments, screens = tables.judgments, tables.screens.c
    query = (
        select(judgments.c.judge, func.count())
        .join(tables.screens, screens.id == judgments.c.screen)
        .where(
            judgments.c.judge.in_(judges),
            func.coalesce(judgments.c.supersedes, 0) == 0,
            screens.role != "tutorial",
        )
        .group_by(judgments.c.judge)
    )
    return {judge: int(count) for judge, count in connection.execute(query)}


def _end_sessions(connection: Connection, judges: Sequence[int]) -> None:
    found = tables.sessions.c
    mine = (found.kind == "judge", found.subject.in_(judges))
    connection.execute(delete(tables.sessions).where(*mine))
