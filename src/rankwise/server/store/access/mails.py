"""Mails with personal links: who is to get one, and how each stands.

There is no table of mails. A mail is asked for, put off, begun and sent in the audit trail, each in
the transaction that does it, and the last of these events says how it stands. So no address is
stored a second time: it is looked up in the identities when the mail goes out, and the link is made
then, so that only its hash is ever kept.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, func, select

from rankwise.server.campaign.launch.link_mail import MailWords
from rankwise.server.records import Judge
from rankwise.server.store.access.judges import JUDGE_COLUMNS, Judges
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

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
_WORDS = "mail.words"
#: Who acts when a mail goes out.
POSTMAN = "mail"
#: Nobody is reminded sooner after the last mail, however often somebody presses the button.
REST_MS = 24 * 3_600_000
_EVENTS, _JUDGES = tables.events, tables.judges


@dataclass(frozen=True, slots=True)
class JudgeMail:
    """How the last mail to a judge stands; ``number`` is that of the event that says so.

    ``name`` is that of the mail itself, which stays however often it is tried.
    """

    number: int
    campaign: int
    judge: int
    pseudonym: str
    state: MailState
    at: int
    name: str
    words: str
    tries: int = 0
    due: int = 0
    why: str | None = None


class Mails:
    """Mails by judge; the audit trail has them."""

    def __init__(
        self, database: Database, clock: Callable[[], int], judges: Judges, events: Events
    ) -> None:
        self._database, self._clock = database, clock
        self._judges, self._events = judges, events

    def of(self, campaign_id: int) -> dict[int, JudgeMail]:
        """How the last mail to every judge of a campaign stands, by the judge's number."""
        with self._database.read() as connection:
            found = _last(connection, _EVENTS.c.campaign == campaign_id)
        return {mail.judge: mail for mail in found}

    def due(self) -> list[JudgeMail]:
        """What is to be sent now, of all campaigns, in the order in which it was asked for."""
        with self._database.read() as connection:
            found = _last(connection)
        now = self._clock()
        return [mail for mail in found if mail.state == "waiting" and mail.due <= now]

    def begun(self) -> list[JudgeMail]:
        """Those in the middle of being sent; where nobody sends, something broke off."""
        with self._database.read() as connection:
            return [mail for mail in _last(connection) if mail.state == "sending"]

    def words(self, mail: JudgeMail) -> MailWords:
        """What the mail says."""
        said = _EVENTS.c.campaign == mail.campaign, _EVENTS.c.action == _WORDS
        query = select(_EVENTS.c.details).where(*said, _EVENTS.c.object == mail.words)
        with self._database.read() as connection:
            found = connection.execute(query.limit(1)).scalar_one()
        return MailWords(found["subject"], found["text"])

    def whom(self, campaign_id: int, whom: Whom) -> list[Judge]:
        """The judges who would be written to.

        ``new``: nobody wrote to them, or in vain, and they have not come by another link.
        ``silent``: they were written to a day ago or earlier, and have not judged anything.
        """
        mails, now = self.of(campaign_id), self._clock()
        with self._database.read() as connection:
            judges = self._reachable(connection, campaign_id)
            done = select(tables.judgments.c.judge).where(
                tables.judgments.c.campaign == campaign_id
            )
            busy = set(connection.execute(done.distinct()).scalars())

        def fits(judge: Judge) -> bool:
            mail = mails.get(judge.id)
            if whom == "new":
                is_open = mail is None or mail.state == "failed"
                return is_open and judge.last_seen_at is None
            was = mail is not None and mail.state in ("sent", "unclear")
            return was and judge.id not in busy and mails[judge.id].at <= now - REST_MS

        return [judge for judge in judges if fits(judge)]

    def can_reach(self, judge: Judge) -> bool:
        """Whether a mail to this judge could be asked for: there are an address and a link."""
        with self._database.read() as connection:
            return any(one.id == judge.id for one in self._reachable(connection, judge.campaign))

    def ask(
        self, campaign_id: int, judges: Collection[int], words: MailWords, actor: str
    ) -> list[Judge]:
        """Let a mail go out to each of *judges* whom one can reach; those who will get it.

        Who has one under way gets no second one.
        """
        with self._database.write() as connection:
            _lock_campaign(connection, campaign_id)
            mails = {one.judge: one for one in _last(connection, _of(campaign_id))}
            busy = {judge for judge, one in mails.items() if one.state in ("waiting", "sending")}
            asked = [
                judge
                for judge in self._reachable(connection, campaign_id)
                if judge.id in judges and judge.id not in busy
            ]
            if asked:
                self._keep_words(connection, campaign_id, words, actor)
            for judge in asked:
                details = {"words": words.version}
                what: dict[str, Any] = {"campaign": campaign_id, "object": judge.pseudonym}
                self._events.record(connection, actor, ASKED, details=details, **what)
        return asked

    def _keep_words(
        self, connection: Connection, campaign_id: int, words: MailWords, actor: str
    ) -> None:
        same = _of(campaign_id), _EVENTS.c.action == _WORDS, _EVENTS.c.object == words.version
        if connection.execute(select(_EVENTS.c.id).where(*same).limit(1)).first() is None:
            details = {"subject": words.subject, "text": words.text}
            what: dict[str, Any] = {"campaign": campaign_id, "object": words.version}
            self._events.record(connection, actor, _WORDS, details=details, **what)

    def begin(self, mail: JudgeMail) -> tuple[JudgeMail, str] | None:
        """The mail that is going out now, and the token of its link, which is new.

        ``None`` where it stands otherwise by now, or the judge may not be reached any more. The old
        link and all sessions end.
        """
        with self._database.write() as connection:
            reachable = self._reachable(connection, mail.campaign)
            if not any(one.id == mail.judge for one in reachable):
                return None
            begun = self._move(connection, mail, BEGUN, {"tries": mail.tries + 1})
            if begun is None:
                return None
            return begun, self._judges.renew_in(connection, mail.judge, POSTMAN)

    def settle(self, mail: JudgeMail, state: MailState, why: str) -> JudgeMail | None:
        """Say how it ended; ``None`` where that is no longer how it stood."""
        with self._database.write() as connection:
            return self._move(connection, mail, f"mail.{state}", {"why": why})

    def put_off(self, mail: JudgeMail, why: str, due: int) -> JudgeMail | None:
        """Try it again from *due* on."""
        tries = mail.tries if mail.state == "sending" else mail.tries + 1
        with self._database.write() as connection:
            details = {"why": why, "tries": tries, "due": due}
            return self._move(connection, mail, PUT_OFF, details)

    def _reachable(self, connection: Connection, campaign_id: int) -> list[Judge]:
        """People with an address whose personal link is open; that of an event is renewed there."""
        judge, who = _JUDGES.c, tables.identities.c
        query = (
            select(*JUDGE_COLUMNS)
            .join(tables.identities, who.judge == judge.id)
            .where(
                judge.campaign == campaign_id,
                judge.kind == "person",
                judge.revoked_at.is_(None),
                judge.excluded_at.is_(None),
                judge.open_link.is_(None),
                judge.id.not_in(select(tables.event_judges.c.judge)),
                judge.link_expires_at.is_(None) | (judge.link_expires_at > self._clock()),
                who.email.is_not(None),
            )
        )
        rows = connection.execute(query.order_by(judge.id))
        return [Judge(**row._mapping) for row in rows]

    def _move(
        self, connection: Connection, mail: JudgeMail, action: str, details: dict[str, Any]
    ) -> JudgeMail | None:
        """Bring a mail into another state, unless somebody else has done so."""
        lock = select(_JUDGES.c.id).where(_JUDGES.c.id == mail.judge).with_for_update()
        connection.execute(lock)
        there = _last(connection, _of(mail.campaign), _EVENTS.c.object == mail.pseudonym)
        if [one.number for one in there] != [mail.number]:
            return None
        kept = {"words": mail.words, "name": mail.name, "tries": mail.tries}
        what: dict[str, Any] = {"campaign": mail.campaign, "object": mail.pseudonym}
        self._events.record(connection, POSTMAN, action, details=kept | details, **what)
        (found,) = _last(connection, _of(mail.campaign), _EVENTS.c.object == mail.pseudonym)
        return found


def _of(campaign_id: int) -> Any:
    return _EVENTS.c.campaign == campaign_id


def _last(connection: Connection, *where: Any) -> list[JudgeMail]:
    """The last event of every mail, in the order in which they came to pass."""
    columns = _EVENTS.c
    last = (
        select(func.max(columns.id))
        .where(columns.action.in_(STATES), *where)
        .group_by(columns.campaign, columns.object)
    )
    query = (
        select(_EVENTS, _JUDGES.c.id.label("judge"))
        .join(
            _JUDGES,
            (_JUDGES.c.campaign == columns.campaign) & (_JUDGES.c.pseudonym == columns.object),
        )
        .where(columns.id.in_(last))
        .order_by(columns.id)
    )
    return [_mail(row) for row in connection.execute(query)]


def _mail(row: Any) -> JudgeMail:
    details = row.details
    return JudgeMail(
        row.id,
        row.campaign,
        row.judge,
        row.object,
        STATES[row.action],
        row.at,
        details.get("name", f"{row.id}.{row.at}"),
        details["words"],
        details.get("tries", 0),
        details.get("due", 0),
        details.get("why"),
    )


def _lock_campaign(connection: Connection, campaign_id: int) -> None:
    """One asks after the other, so that nobody gets two mails of two clicks."""
    query = select(tables.campaigns.c.id).where(tables.campaigns.c.id == campaign_id)
    connection.execute(query.with_for_update())
