"""Mails with personal links: who is to get one, and how each stands.

There is no table of mails. A mail is asked for, put off, begun and sent in the audit trail, each in
the transaction that does it, and the last of these events says how it stands. So no address is
stored a second time: it is looked up in the identities when the mail goes out, and the link is made
then, so that only its hash is ever kept.

``LinkMails`` is all of this but who the people are: ``JudgeMails`` are to those of a campaign,
``PersonMails`` (in ``event_mails``) to those of an event.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Select, func, select

from rankwise.server.campaign.launch.link_mail import MailWords, usual_words
from rankwise.server.records import Judge
from rankwise.server.store.access.judges import Judges
from rankwise.server.store.campaigns.campaigns import Campaigns
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed

MailState = Literal["waiting", "sending", "sent", "failed", "unclear"]
Whom = Literal["new", "silent"]

#: What the audit trail calls it when a mail comes into a state.
ASKED, PUT_OFF, BEGUN = "mail.ask", "mail.wait", "mail.begin"
STATES: dict[str, MailState] = {
    ASKED: "waiting",
    PUT_OFF: "waiting",
    BEGUN: "sending",
    "mail.sent": "sent",
    "mail.failed": "failed",
    "mail.unclear": "unclear",
}
#: The states of a campaign in which judges can come.
LIVE = ("open", "paused")
_WORDS = "mail.words"
#: Who acts when a mail goes out.
POSTMAN = "mail"
#: Nobody is reminded sooner after the last mail, however often somebody presses the button.
REST_MS = 24 * 3_600_000
_EVENTS, _JUDGES = tables.events, tables.judges


@dataclass(frozen=True, slots=True)
class LinkMail:
    """How the last mail to somebody stands; ``number`` is that of the event that says so.

    ``recipient`` is the number of a judge, or of a person of an event (then ``campaign`` is
    ``None``); ``label`` names them in the trail. ``name`` is that of the mail itself, which stays
    however often it is tried.
    """

    number: int
    campaign: int | None
    recipient: int
    label: str
    state: MailState
    at: int
    name: str
    words: str
    tries: int = 0
    due: int = 0
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody whom mail can reach now: there are an address and a link that is open."""

    id: int
    label: str
    email: str
    has_come: bool
    has_judged: bool


class LinkMails(ABC):
    """Mails by recipient; the audit trail has them.

    An *owner* is the number of what people are invited to.
    """

    def __init__(self, database: Database, clock: Callable[[], int], events: Events) -> None:
        self._database, self._clock, self._events = database, clock, events

    # ---- who the people are

    @abstractmethod
    def why_closed(self, owner: int) -> str | None:
        """Why nobody could judge, or ``None``."""

    @abstractmethod
    def usual_words(self, owner: int) -> MailWords:
        """What is written unless the organiser says it otherwise."""

    @abstractmethod
    def address(self, mail: LinkMail) -> str | None:
        """Where the mail goes, unless that was erased."""

    @abstractmethod
    def why_not(self, mail: LinkMail) -> str | None:
        """Why it need not go out any more, or ``None``."""

    @abstractmethod
    def _reachable(self, connection: Connection, owner: int) -> list[Recipient]: ...

    @abstractmethod
    def _owner(self, connection: Connection, mail: LinkMail) -> int: ...

    @abstractmethod
    def _campaign(self, owner: int) -> int | None:
        """The campaign under which the trail has the mails."""

    @abstractmethod
    def _mine(self, connection: Connection, owner: int) -> Any:
        """The events of an owner's mails."""

    @abstractmethod
    def _found(self, connection: Connection, query: Select[Any]) -> list[LinkMail]:
        """The mails of *query*, which selects events."""

    @abstractmethod
    def _lock(
        self, connection: Connection, *, owner: int | None = None, recipient: int = 0
    ) -> None:
        """Let nobody else ask (with *owner*), or move a mail to a recipient, meanwhile."""

    @abstractmethod
    def _new_link(self, connection: Connection, recipient: int) -> str:
        """The token of a new link; the old one and all sessions end."""

    # ---- how mails stand

    def of(self, owner: int) -> dict[int, LinkMail]:
        """How the last mail to everybody stands, by the recipient's number."""
        with self._database.read() as connection:
            found = self._last(connection, self._mine(connection, owner))
        return {mail.recipient: mail for mail in found}

    def due(self) -> list[LinkMail]:
        """What is to be sent now, in the order in which it was asked for."""
        with self._database.read() as connection:
            found = self._last(connection)
        now = self._clock()
        return [mail for mail in found if mail.state == "waiting" and mail.due <= now]

    def begun(self) -> list[LinkMail]:
        """Those in the middle of being sent; where nobody sends, something broke off."""
        with self._database.read() as connection:
            return [mail for mail in self._last(connection) if mail.state == "sending"]

    def words(self, mail: LinkMail) -> MailWords:
        """What the mail says."""
        said = _in(mail.campaign), _EVENTS.c.action == _WORDS, _EVENTS.c.object == mail.words
        query = select(_EVENTS.c.details).where(*said)
        with self._database.read() as connection:
            found = connection.execute(query.limit(1)).scalar_one()
        return MailWords(found["subject"], found["text"])

    def last_words(self, owner: int) -> MailWords:
        """What was written last, or else the usual."""
        last = max(self.of(owner).values(), key=lambda mail: mail.number, default=None)
        return self.usual_words(owner) if last is None else self.words(last)

    def whom(self, owner: int, whom: Whom) -> list[Recipient]:
        """Those who would be written to.

        ``new``: nobody wrote to them, or in vain, and they have not come by another link.
        ``silent``: they were written to a day ago or earlier, and have not judged anything.
        """
        mails, now = self.of(owner), self._clock()

        def fits(one: Recipient) -> bool:
            mail = mails.get(one.id)
            if whom == "new":
                return (mail is None or mail.state == "failed") and not one.has_come
            was = mail is not None and mail.state in ("sent", "unclear")
            return was and not one.has_judged and mails[one.id].at <= now - REST_MS

        return [one for one in self.reachable(owner) if fits(one)]

    def reachable(self, owner: int) -> list[Recipient]:
        """Everybody to whom a mail could be asked for: there are an address and a link."""
        with self._database.read() as connection:
            return self._reachable(connection, owner)

    # ---- what moves them

    def ask(
        self, owner: int, recipients: Collection[int], words: MailWords, actor: str
    ) -> list[Recipient]:
        """Let a mail go out to each of *recipients* whom one can reach; those who will get it.

        Who has one under way gets no second one. NotAllowed where nobody could judge.
        """
        closed = self.why_closed(owner)
        if closed is not None:
            raise NotAllowed(closed)
        with self._database.write() as connection:
            self._lock(connection, owner=owner)
            mails = self._last(connection, self._mine(connection, owner))
            busy = {one.recipient for one in mails if one.state in ("waiting", "sending")}
            asked = [
                one
                for one in self._reachable(connection, owner)
                if one.id in recipients and one.id not in busy
            ]
            campaign = self._campaign(owner)
            if asked:
                self._keep_words(connection, campaign, words, actor)
            for one in asked:
                details = {"words": words.version}
                what: dict[str, Any] = {"campaign": campaign, "object": one.label}
                self._events.record(connection, actor, ASKED, details=details, **what)
        return asked

    def _keep_words(
        self, connection: Connection, campaign: int | None, words: MailWords, actor: str
    ) -> None:
        same = _in(campaign), _EVENTS.c.action == _WORDS, _EVENTS.c.object == words.version
        if connection.execute(select(_EVENTS.c.id).where(*same).limit(1)).first() is None:
            details = {"subject": words.subject, "text": words.text}
            what: dict[str, Any] = {"campaign": campaign, "object": words.version}
            self._events.record(connection, actor, _WORDS, details=details, **what)

    def begin(self, mail: LinkMail) -> tuple[LinkMail, str] | None:
        """The mail that is going out now, and the token of its link, which is new.

        ``None`` where it stands otherwise by now, or nobody may be reached any more. The old link
        and all sessions end.
        """
        with self._database.write() as connection:
            reachable = self._reachable(connection, self._owner(connection, mail))
            if not any(one.id == mail.recipient for one in reachable):
                return None
            begun = self._move(connection, mail, BEGUN, {"tries": mail.tries + 1})
            if begun is None:
                return None
            return begun, self._new_link(connection, mail.recipient)

    def settle(self, mail: LinkMail, state: MailState, why: str) -> LinkMail | None:
        """Say how it ended; ``None`` where that is no longer how it stood."""
        with self._database.write() as connection:
            return self._move(connection, mail, f"mail.{state}", {"why": why})

    def put_off(self, mail: LinkMail, why: str, due: int) -> LinkMail | None:
        """Try it again from *due* on."""
        tries = mail.tries if mail.state == "sending" else mail.tries + 1
        with self._database.write() as connection:
            details = {"why": why, "tries": tries, "due": due}
            return self._move(connection, mail, PUT_OFF, details)

    def _move(
        self, connection: Connection, mail: LinkMail, action: str, details: dict[str, Any]
    ) -> LinkMail | None:
        """Bring a mail into another state, unless somebody else has done so."""
        self._lock(connection, recipient=mail.recipient)
        same = _in(mail.campaign), _EVENTS.c.object == mail.label
        there = self._last(connection, *same)
        if [one.number for one in there] != [mail.number]:
            return None
        kept = {"words": mail.words, "name": mail.name, "tries": mail.tries}
        what: dict[str, Any] = {"campaign": mail.campaign, "object": mail.label}
        self._events.record(connection, POSTMAN, action, details=kept | details, **what)
        (found,) = self._last(connection, *same)
        return found

    def _last(self, connection: Connection, *where: Any) -> list[LinkMail]:
        """The last event of every mail, in the order in which they came to pass."""
        columns = _EVENTS.c
        last = (
            select(func.max(columns.id))
            .where(columns.action.in_(STATES), *where)
            .group_by(columns.campaign, columns.object)
        )
        query = select(_EVENTS).where(columns.id.in_(last)).order_by(columns.id)
        return self._found(connection, query)


class JudgeMails(LinkMails):
    """Mails to judges of single campaigns; an owner is the number of a campaign."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], int],
        campaigns: Campaigns,
        judges: Judges,
        events: Events,
    ) -> None:
        super().__init__(database, clock, events)
        self._campaigns, self._judges = campaigns, judges

    def why_closed(self, owner: int) -> str | None:
        """The campaign is neither open nor paused."""
        state = self._campaigns.by_id(owner).state
        return None if state in LIVE else f"the campaign is {state}: nobody could judge in it"

    def usual_words(self, owner: int) -> MailWords:
        """An invitation in the campaign's language."""
        plan = self._campaigns.by_id(owner).plan
        return usual_words(plan.name, [plan])

    def address(self, mail: LinkMail) -> str | None:
        """The judge's address."""
        return self._judges.identity(mail.recipient).email

    def why_not(self, mail: LinkMail) -> str | None:
        """A campaign that is closed needs nobody."""
        is_closed = self._campaigns.by_id(mail.campaign or 0).state == "closed"
        return "the campaign was closed before it could be sent" if is_closed else None

    def can_reach(self, judge: Judge) -> bool:
        """Whether a mail to this judge could be asked for."""
        return any(one.id == judge.id for one in self.reachable(judge.campaign))

    def _reachable(self, connection: Connection, owner: int) -> list[Recipient]:
        """People with an address whose personal link is open; that of an event is renewed there."""
        judge, who, done = _JUDGES.c, tables.identities.c, tables.judgments.c
        busy = judge.id.in_(select(done.judge).where(done.campaign == owner))
        columns = (judge.id, judge.pseudonym, who.email, judge.last_seen_at.is_not(None), busy)
        query = (
            select(*columns)
            .join(tables.identities, who.judge == judge.id)
            .where(
                judge.campaign == owner,
                judge.kind == "person",
                judge.revoked_at.is_(None),
                judge.excluded_at.is_(None),
                judge.open_link.is_(None),
                judge.id.not_in(select(tables.event_judges.c.judge)),
                judge.link_expires_at.is_(None) | (judge.link_expires_at > self._clock()),
                who.email.is_not(None),
            )
        )
        return [Recipient(*row) for row in connection.execute(query.order_by(judge.id))]

    def _owner(self, connection: Connection, mail: LinkMail) -> int:
        del connection
        return mail.campaign or 0

    def _campaign(self, owner: int) -> int | None:
        return owner

    def _mine(self, connection: Connection, owner: int) -> Any:
        del connection
        return _EVENTS.c.campaign == owner

    def _found(self, connection: Connection, query: Select[Any]) -> list[LinkMail]:
        same = _JUDGES.c.campaign == _EVENTS.c.campaign, _JUDGES.c.pseudonym == _EVENTS.c.object
        query = query.add_columns(_JUDGES.c.id.label("judge")).join(_JUDGES, same[0] & same[1])
        return [mail_of(row, row.judge) for row in connection.execute(query)]

    def _lock(
        self, connection: Connection, *, owner: int | None = None, recipient: int = 0
    ) -> None:
        row = _JUDGES.c.id == recipient if owner is None else tables.campaigns.c.id == owner
        connection.execute(select(1).where(row).with_for_update())

    def _new_link(self, connection: Connection, recipient: int) -> str:
        return self._judges.renew_in(connection, recipient, POSTMAN)


def _in(campaign: int | None) -> Any:
    return _EVENTS.c.campaign.is_(None) if campaign is None else _EVENTS.c.campaign == campaign


def mail_of(row: Any, recipient: int) -> LinkMail:
    """The mail that an event of the trail is about."""
    details = row.details
    return LinkMail(
        row.id,
        row.campaign,
        recipient,
        row.object,
        STATES[row.action],
        row.at,
        details.get("name", f"{row.id}.{row.at}"),
        details["words"],
        details.get("tries", 0),
        details.get("due", 0),
        details.get("why"),
    )
