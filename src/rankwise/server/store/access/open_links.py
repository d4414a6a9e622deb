"""Links that anybody may open: each visitor becomes a judge, as long as there is a place."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import func, insert, select, update

from rankwise.server.campaign.plan.recruiting import Recruiting
from rankwise.server.phrases import Phrase
from rankwise.server.records import Judge, OpenLink
from rankwise.server.store.access.judges import Judges, insert_judge
from rankwise.server.store.access.tokens import new_token, token_hash, token_prefix
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed, NotFound

_TABLE, _JUDGES = tables.open_links, tables.judges
_COLUMNS = tuple(_TABLE.c[name] for name in ("id", "campaign", "prefix", "created_at"))


class OpenLinks:
    """Open links of campaigns; only their hashes are kept."""

    def __init__(
        self, database: Database, clock: Callable[[], int], judges: Judges, events: Events
    ) -> None:
        self._database, self._clock, self._judges, self._events = database, clock, judges, events

    def make(self, campaign_id: int, *, actor: str) -> str:
        """The token of a new link; the campaign's earlier ones end."""
        token, now = new_token(), self._clock()
        row = {"campaign": campaign_id, "hash": token_hash(token), "created_at": now}
        with self._database.write() as connection:
            earlier = update(_TABLE).where(_TABLE.c.campaign == campaign_id)
            connection.execute(earlier.values(revoked_at=now))
            connection.execute(insert(_TABLE), {**row, "prefix": token_prefix(token)})
            self._events.record(connection, actor, "open-link.make", campaign=campaign_id)
        return token

    def end(self, campaign_id: int, *, actor: str) -> None:
        """Nobody comes in by the campaign's link any more; judges who came stay."""
        live = (_TABLE.c.campaign == campaign_id, _TABLE.c.revoked_at.is_(None))
        with self._database.write() as connection:
            connection.execute(update(_TABLE).where(*live).values(revoked_at=self._clock()))
            self._events.record(connection, actor, "open-link.end", campaign=campaign_id)

    def of(self, campaign_id: int) -> OpenLink | None:
        """The campaign's link that is open, or ``None``."""
        return self._find(_TABLE.c.campaign == campaign_id)

    def by_token(self, token: str) -> OpenLink | None:
        """The link of a token, or ``None`` where it has ended."""
        return self._find(_TABLE.c.hash == token_hash(token))

    def _find(self, where: Any) -> OpenLink | None:
        query = select(*_COLUMNS).where(where, _TABLE.c.revoked_at.is_(None))
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else OpenLink(**row._mapping)

    def join(self, link: OpenLink, parameters: Mapping[str, str], recruiting: Recruiting) -> Judge:
        """A new judge; parameters that somebody came with before are refused, and so is a crowd."""
        with self._database.write() as connection:
            # one at a time, on PostgreSQL too: places are counted
            lock = select(_TABLE.c.id).where(_TABLE.c.id == link.id).with_for_update()
            connection.execute(lock).one()
            came = (_JUDGES.c.campaign == link.campaign) & _JUDGES.c.open_link.is_not(None)
            count = select(func.count()).select_from(_JUDGES).where(came)
            if connection.execute(count).scalar_one() >= recruiting.most_judges:
                raise NotAllowed(Phrase("all places are taken; thank you for your interest"))
            query = select(tables.identities.c.parameters).join(_JUDGES).where(came)
            known, others = recruiting.person_of(parameters), connection.execute(query).scalars()
            if known and any(known == recruiting.person_of(other or {}) for other in others):
                raise NotAllowed(
                    Phrase(
                        "somebody began with this link already; "
                        "go on in the browser where you began"
                    )
                )
            row = {
                "campaign": link.campaign,
                "link_hash": token_hash(new_token()),
                "link_prefix": link.prefix,
                "created_at": self._clock(),
                "settings": {},
                "open_link": link.id,
            }
            judge_id = insert_judge(connection, row)
            who = {"judge": judge_id, "parameters": dict(parameters) or None}
            connection.execute(insert(tables.identities), who)
        judge = self._judges.judge(judge_id)
        if judge is None:
            raise NotFound(f"there is no judge {judge_id}")
        return judge
