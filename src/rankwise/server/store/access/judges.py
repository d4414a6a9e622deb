"""The judges of a campaign: links, pseudonyms, consent, exclusion; and who they are, apart."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from rankwise.errors import StoreError
from rankwise.server.records import Identity, Json, Judge, JudgeKind
from rankwise.server.store.access.questionnaires import erase_answers
from rankwise.server.store.access.tokens import new_pseudonym, new_token, token_hash, token_prefix
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotFound

_TABLE = tables.judges
#: A judge's columns, in the order of the record.
JUDGE_COLUMNS = tuple(_TABLE.c[name] for name in Judge.__dataclass_fields__)


class Judges:
    """Judges, by pseudonym everywhere but in ``identity`` and ``identities``."""

    def __init__(self, database: Database, clock: Callable[[], int], events: Events) -> None:
        self._database, self._clock, self._events = database, clock, events

    def invite(
        self,
        campaign_id: int,
        *,
        name: str | None = None,
        email: str | None = None,
        note: str | None = None,
        days: float | None = None,
        kind: JudgeKind = "person",
        actor: str,
    ) -> tuple[Judge, str]:
        """A new judge and the token of the personal link, which is shown this once.

        The link ends after *days*, or not by itself. A judge stays of the *kind* it was invited as.
        """
        token, now = new_token(), self._clock()
        row = {
            "campaign": campaign_id,
            "link_hash": token_hash(token),
            "link_prefix": token_prefix(token),
            "created_at": now,
            "link_expires_at": None if days is None else now + int(days * 86_400_000),
            "settings": {},
            "kind": kind,
        }
        with self._database.write() as connection:
            judge_id = insert_judge(connection, row)
            who = {"judge": judge_id, "name": name, "email": email, "note": note}
            connection.execute(insert(tables.identities), who)
            judge = _required(connection, judge_id)
            what: dict[str, Any] = {"campaign": campaign_id, "object": judge.pseudonym}
            what["details"] = {"kind": kind} if judge.is_machine else None
            self._events.record(connection, actor, "judge.invite", **what)
        return judge, token

    def judge(self, judge_id: int) -> Judge | None:
        """A judge, or ``None``."""
        with self._database.read() as connection:
            return _judge(connection, _TABLE.c.id == judge_id)

    def by_pseudonym(self, campaign_id: int, pseudonym: str) -> Judge | None:
        """The judge of that name in a campaign, or ``None``."""
        same = (_TABLE.c.campaign == campaign_id) & (_TABLE.c.pseudonym == pseudonym)
        with self._database.read() as connection:
            return _judge(connection, same)

    def by_link(self, token: str) -> Judge | None:
        """Whose link this is; ``None`` when it is unknown, revoked or has expired."""
        expires = _TABLE.c.link_expires_at
        live = expires.is_(None) | (expires > self._clock())
        with self._database.read() as connection:
            judge = _judge(connection, (_TABLE.c.link_hash == token_hash(token)) & live)
        return None if judge is None or judge.revoked_at is not None else judge

    def judges(self, campaign_id: int, *, kind: JudgeKind | None = None) -> list[Judge]:
        """All judges of a campaign, or those of one *kind*, in the order of their invitation."""
        query = select(*JUDGE_COLUMNS).where(_TABLE.c.campaign == campaign_id).order_by(_TABLE.c.id)
        if kind is not None:
            query = query.where(_TABLE.c.kind == kind)
        with self._database.read() as connection:
            return [Judge(**row._mapping) for row in connection.execute(query)]

    def identity(self, judge_id: int) -> Identity:
        """Who a judge is; empty after ``forget``."""
        query = select(tables.identities).where(tables.identities.c.judge == judge_id)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return Identity(judge_id) if row is None else Identity(**row._mapping)

    def identities(self, campaign_id: int) -> dict[int, Identity]:
        """Who the judges of a campaign are, by the judge's number."""
        query = select(tables.identities).join(_TABLE).where(_TABLE.c.campaign == campaign_id)
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return {row.judge: Identity(**row._mapping) for row in rows}

    def forget(self, judge_id: int, actor: str) -> None:
        """Erase who a judge is, answers and link; the judgments stay under the pseudonym."""
        now = self._clock()
        with self._database.write() as connection:
            judge = _required(connection, judge_id)
            who = tables.identities.c.judge == judge_id
            connection.execute(delete(tables.identities).where(who))
            erase_answers(connection, judge_id)
            gone = {"revoked_at": now, "link_hash": token_hash(new_token()), "settings": {}}
            self._change(connection, judge, gone, actor, "judge.forget")
            _end_sessions(connection, judge_id)

    def reissue_link(self, judge_id: int, actor: str) -> str:
        """The token of a new link; the old one and all sessions end, a revocation is lifted."""
        with self._database.write() as connection:
            return self._reissue(connection, _required(connection, judge_id), actor)

    def reissue_links(self, campaign_id: int, actor: str) -> list[tuple[Judge, str]]:
        """New links in place of all that are open, with their judges; all or none.

        Links that were ended or have expired stay so, those of excluded judges stay as they are,
        who came by an open link has none, and that of an event is renewed there.
        """
        expires = _TABLE.c.link_expires_at
        query = select(*JUDGE_COLUMNS).where(
            _TABLE.c.campaign == campaign_id,
            _TABLE.c.revoked_at.is_(None),
            _TABLE.c.excluded_at.is_(None),
            _TABLE.c.open_link.is_(None),
            _TABLE.c.id.not_in(select(tables.event_judges.c.judge)),
            expires.is_(None) | (expires > self._clock()),
        )
        with self._database.write() as connection:
            rows = connection.execute(query.order_by(_TABLE.c.id)).all()
            judges = [Judge(**row._mapping) for row in rows]
            return [(judge, self._reissue(connection, judge, actor)) for judge in judges]

    def _reissue(self, connection: Connection, judge: Judge, actor: str) -> str:
        for_ever = {"link_expires_at": None, "revoked_at": None}
        return self._new_link(connection, judge, for_ever, actor)

    def renew_in(self, connection: Connection, judge_id: int, actor: str) -> str:
        """The token of a new link within a transaction; it ends when the old one would have."""
        return self._new_link(connection, _required(connection, judge_id), {}, actor)

    def _new_link(
        self, connection: Connection, judge: Judge, values: Mapping[str, Any], actor: str
    ) -> str:
        token = new_token()
        link = {"link_hash": token_hash(token), "link_prefix": token_prefix(token)}
        self._change(connection, judge, {**link, **values}, actor, "judge.reissue")
        _end_sessions(connection, judge.id)
        return token

    def revoke(self, judge_id: int, actor: str) -> None:
        """The link opens nothing any more, and all sessions end."""
        with self._database.write() as connection:
            judge = _required(connection, judge_id)
            gone = {"revoked_at": self._clock()}
            self._change(connection, judge, gone, actor, "judge.revoke")
            _end_sessions(connection, judge_id)

    def exclude(self, judge_id: int, reason: str, actor: str) -> None:
        """Leave a judge out of results; nothing is deleted and ``include`` undoes it."""
        values = {"excluded_at": self._clock(), "excluded_reason": reason}
        with self._database.write() as connection:
            judge = _required(connection, judge_id)
            self._change(connection, judge, values, actor, "judge.exclude", {"reason": reason})

    def include(self, judge_id: int, actor: str) -> None:
        """Count a judge again."""
        values = {"excluded_at": None, "excluded_reason": None}
        with self._database.write() as connection:
            judge = _required(connection, judge_id)
            self._change(connection, judge, values, actor, "judge.include")

    def consent(self, judge_id: int, version: str = "") -> None:
        """The judge agreed to that version of the campaign's text."""
        values = {"consented_at": self._clock(), "consent_version": version}
        with self._database.write() as connection:
            judge = _required(connection, judge_id)
            details = {"version": version}
            self._change(connection, judge, values, judge.pseudonym, "judge.consent", details)

    def accept_instructions(self, judge_id: int, version: str) -> None:
        """The judge read that version of the campaign's instructions."""
        with self._database.write() as connection:
            judge = _required(connection, judge_id)
            values, details = {"instructions_version": version}, {"version": version}
            self._change(connection, judge, values, judge.pseudonym, "judge.instructions", details)

    def set_settings(self, judge_id: int, settings: Json) -> None:
        """How the judge likes the page."""
        with self._database.write() as connection:
            change = update(_TABLE).where(_TABLE.c.id == judge_id)
            connection.execute(change.values(settings=dict(settings)))

    def _change(
        self,
        connection: Connection,
        judge: Judge,
        values: dict[str, Any],
        actor: str,
        action: str,
        details: Json | None = None,
    ) -> None:
        connection.execute(update(_TABLE).where(_TABLE.c.id == judge.id).values(**values))
        what: dict[str, Any] = {
            "campaign": judge.campaign,
            "object": judge.pseudonym,
            "details": details,
        }
        self._events.record(connection, actor, action, **what)


def insert_judge(connection: Connection, row: dict[str, Any]) -> int:
    """Store a judge under a pseudonym that is free; the judge's number."""
    for _ in range(20):
        try:
            with connection.begin_nested():
                made = connection.execute(
                    insert(_TABLE).returning(_TABLE.c.id), row | {"pseudonym": new_pseudonym()}
                )
                return int(made.scalar_one())
        except IntegrityError as error:
            if "pseudonym" not in str(error.orig):
                raise NotFound(f"there is no campaign {row['campaign']}") from error
    raise StoreError("found no free pseudonym in 20 tries")


def _judge(connection: Connection, where: Any) -> Judge | None:
    row = connection.execute(select(*JUDGE_COLUMNS).where(where)).one_or_none()
    return None if row is None else Judge(**row._mapping)


def _required(connection: Connection, judge_id: int) -> Judge:
    judge = _judge(connection, _TABLE.c.id == judge_id)
    if judge is None:
        raise NotFound(f"there is no judge {judge_id}")
    return judge


def _end_sessions(connection: Connection, judge_id: int) -> None:
    found = tables.sessions.c
    mine = (found.kind == "judge", found.subject == judge_id)
    connection.execute(delete(tables.sessions).where(*mine))
