"""Tutorials of judges: who passed the same one before may skip it; a failed one may begin anew."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, func, select, update

from rankwise.server.campaign.plan.recruiting import Recruiting
from rankwise.server.phrases import Phrase
from rankwise.server.records import Judge
from rankwise.server.store.campaigns.campaigns import Campaigns
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed

_JUDGES, _WHO = tables.judges.c, tables.identities.c
_PEOPLE = select(_JUDGES.id, _JUDGES.campaign, _WHO.email, _WHO.parameters).join_from(
    tables.judges, tables.identities
)
#: Judges who passed a tutorial and can be known again.
_PASSED = _PEOPLE.where(
    _JUDGES.tutorial_done_at.is_not(None),
    _JUDGES.tutorial_failed_at.is_(None),
    _JUDGES.excluded_at.is_(None),
    _WHO.email.is_not(None) | _WHO.parameters.is_not(None),
)


class Tutorials:
    """What happens to a judge's tutorial besides answering it."""

    def __init__(
        self, database: Database, clock: Callable[[], int], campaigns: Campaigns, events: Events
    ) -> None:
        self._database, self._clock = database, clock
        self._campaigns, self._events = campaigns, events

    def passed_before(self, judge: Judge) -> bool:
        """Whether this person, not begun with it here, passed the same tutorial as another judge.

        A person is known by the address for mail, or by the parameters of an open link; the
        tutorial may be that of this campaign or of any other, a copy of it for instance.
        """
        with self._database.read() as connection:
            return self._passed_before(connection, judge.id)

    def skip(self, judge: Judge) -> None:
        """Go on without the tutorial; refused for who did not pass it before."""
        with self._database.write() as connection:
            if not self._passed_before(connection, judge.id):
                raise NotAllowed(Phrase("you have not passed this practice before; it comes first"))
            self._change(connection, judge.id, tutorial_done_at=self._clock())
            what: dict[str, Any] = {"campaign": judge.campaign, "object": judge.pseudonym}
            self._events.record(connection, judge.pseudonym, "judge.tutorial-skip", **what)

    def reset(self, judge: Judge, actor: str) -> None:
        """Let a judge who failed begin anew; what was answered stays and counts no more."""
        with self._database.write() as connection:
            failed = select(_JUDGES.tutorial_failed_at).where(_JUDGES.id == judge.id)
            if connection.execute(failed).scalar_one_or_none() is None:
                raise NotAllowed("this judge has not failed the tutorial; nothing begins anew")
            leases = tables.leases.c
            last = select(func.coalesce(func.max(leases.id), 0)).where(leases.judge == judge.id)
            values = {"tutorial_done_at": None, "tutorial_failed_at": None}
            newest = int(connection.execute(last).scalar_one())
            self._change(connection, judge.id, **values, tutorial_from=newest)
            what: dict[str, Any] = {"campaign": judge.campaign, "object": judge.pseudonym}
            self._events.record(connection, actor, "judge.tutorial-reset", **what)

    @staticmethod
    def _change(connection: Connection, judge_id: int, **values: Any) -> None:
        connection.execute(update(tables.judges).where(_JUDGES.id == judge_id).values(**values))

    def _passed_before(self, connection: Connection, judge_id: int) -> bool:
        begun = select(tables.leases.c.id).where(tables.leases.c.judge == judge_id).limit(1)
        mine = connection.execute(_PEOPLE.where(_JUDGES.id == judge_id)).one_or_none()
        if mine is None or connection.execute(begun).first() is not None:
            return False
        plan = self._campaigns.of(connection, mine.campaign).plan
        if not plan.tutorial:
            return False
        same = [
            row.campaign
            for row in connection.execute(_PASSED.where(_JUDGES.id != judge_id))
            if _is_same_person(plan.recruiting, mine, row)
        ]
        return any(
            self._campaigns.of(connection, campaign).plan.tutorial_version == plan.tutorial_version
            for campaign in dict.fromkeys(same)
        )


def _is_same_person(recruiting: Recruiting, one: Any, other: Any) -> bool:
    if one.email and other.email and one.email.casefold() == other.email.casefold():
        return True
    known = recruiting.person_of(one.parameters or {})
    return bool(known) and known == recruiting.person_of(other.parameters or {})
