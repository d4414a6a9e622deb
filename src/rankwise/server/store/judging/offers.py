"""What a judge gets next: the screen in hand, a tutorial item, a control, a repeat, or work."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sqlalchemy import BigInteger, Connection, bindparam, func, select, update

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import JudgeTask, Nothing
from rankwise.server.store.campaigns.campaigns import Campaign, Campaigns
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.judging import leases
from rankwise.server.store.judging.lesson_tries import check_result
from rankwise.server.store.judging.repeats import add_repeat
from rankwise.server.store.judging.tasks import (
    answered,
    done_in_sitting,
    lease_row,
    make_task,
    receipt_of,
)

#: A longer pause begins a new sitting by itself.
SITTING_PAUSE = 3_600_000

_JUDGMENTS, _JUDGE = tables.judgments.c, bindparam("judge_id", type_=BigInteger())
_LAST = (
    select(_JUDGMENTS.id, _JUDGMENTS.received_at)
    .where(_JUDGMENTS.judge == _JUDGE)
    .order_by(_JUDGMENTS.id.desc())
    .limit(1)
)
_START_SITTING = (
    update(tables.judges).where(tables.judges.c.id == _JUDGE).values(sitting_from=bindparam("last"))
)
_PARAMETERS = select(tables.identities.c.parameters).where(tables.identities.c.judge == _JUDGE)
_LEASES_OF = select(func.count()).select_from(tables.leases).where(tables.leases.c.judge == _JUDGE)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a judge gets, the plan it is of, and the screens answered with the time they took."""

    found: JudgeTask | Nothing
    plan: Plan
    screens: int
    active_ms: int


class Offers:
    """Choosing for one judge, inside the transaction that is given."""

    def __init__(self, clock: Callable[[], int], campaigns: Campaigns) -> None:
        self._clock, self._campaigns = clock, campaigns

    def next(
        self, connection: Connection, campaign: Campaign, judge: Any, *, new_sitting: bool
    ) -> JudgeTask | Nothing | None:
        """The screen in hand, a new one, why there is none; ``None`` when the queue is empty."""
        if judge is None or judge.revoked_at is not None:
            return Nothing("revoked")
        if campaign.state != "open":
            return Nothing("closed" if campaign.state == "closed" else "paused")
        token = self._in_hand(connection, campaign, judge.id)
        if judge.kind == "machine":
            return self._for_machine(connection, campaign, judge.id, token)
        if token is None and judge.tutorial_done_at is None and campaign.plan.tutorial:
            token = self._tutorial(connection, campaign, judge.id)
        if token is not None:
            return self.task(connection, campaign, judge.id, token)
        if judge.tutorial_failed_at is not None:
            return self._end(connection, campaign, judge.id, "tutorial-failed", passed=False)
        quota = campaign.plan.recruiting.screens_per_judge
        if quota and answered(connection, judge.id) >= quota:
            enough = campaign.plan.passes(*check_result(connection, judge.id))
            return self._end(connection, campaign, judge.id, "quota-done", passed=enough)
        done = self._done(connection, judge.id, new_sitting=new_sitting)
        if done >= campaign.plan.sitting:
            return Nothing("sitting-done")
        token = self._new(connection, campaign, judge.id)
        if token is None:
            return None
        return self.task(connection, campaign, judge.id, token, done=done)

    def _for_machine(
        self, connection: Connection, campaign: Campaign, judge_id: int, token: str | None
    ) -> JudgeTask | Nothing:
        """The screen in hand, or one that people are asked too.

        No practice, no sittings, no quota: those are for people.
        """
        if token is None:
            screen = leases.machine_screen(connection, campaign.id, judge_id, "work")
            if screen is None:
                return Nothing("all-done")
            of = leases.machine_screen
            screen = self._control_or_repeat(connection, campaign, judge_id, of) or screen
            token = self._lease_of(connection, campaign, screen, judge_id)
        return self.task(connection, campaign, judge_id, token, done=0)

    @staticmethod
    def _end(
        connection: Connection,
        campaign: Campaign,
        judge_id: int,
        reason: Literal["tutorial-failed", "quota-done"],
        *,
        passed: bool,
    ) -> Nothing:
        """The end of a judge's work: an address to go on to, else a code, else neither."""
        recruiting = campaign.plan.recruiting
        came = connection.execute(_PARAMETERS, {"judge_id": judge_id}).scalar_one_or_none()
        there = recruiting.redirect(came or {}, passed=passed)
        return Nothing(reason, "" if there else recruiting.code(passed=passed), there)

    def task(
        self,
        connection: Connection,
        campaign: Campaign,
        judge_id: int,
        token: str,
        *,
        done: int | None = None,
    ) -> JudgeTask:
        """The task of a lease; *done* screens of the sitting are counted here if not given."""
        lease = lease_row(connection, judge_id, token)
        return make_task(
            self._campaigns.testset_of(connection, campaign),
            campaign,
            lease,
            done=done_in_sitting(connection, judge_id) if done is None else done,
            revises=receipt_of(connection, lease.supersedes),
            given=self._campaigns.given_of(connection, campaign),
            assets=self._campaigns.assets_of(connection, campaign),
        )

    def expiry(self, campaign: Campaign) -> int:
        """When a lease that is taken or renewed now ends."""
        return self._clock() + campaign.plan.lease_seconds * 1000

    def _in_hand(self, connection: Connection, campaign: Campaign, judge_id: int) -> str | None:
        lease, expires_at = leases.in_hand(connection, judge_id), self.expiry(campaign)
        if lease is None or not leases.reopen(connection, lease, expires_at):
            return None
        if abs(expires_at - lease.expires_at) > campaign.plan.lease_seconds * 100:  # a tenth
            leases.set_expiry(connection, lease.id, expires_at)
        return str(lease.token)

    def _tutorial(self, connection: Connection, campaign: Campaign, judge_id: int) -> str | None:
        screen = leases.tutorial_screen(connection, campaign.id, judge_id)
        if screen is None:
            return None
        order = range(len(screen.slots))  # its feedback speaks of the first, the second
        return self._lease(connection, campaign, screen, judge_id, order)

    def _lease(
        self,
        connection: Connection,
        campaign: Campaign,
        screen: Any,
        judge_id: int,
        shown: Sequence[int] | None = None,
    ) -> str:
        now, expires_at = self._clock(), self.expiry(campaign)
        return leases.add_lease(
            connection, screen, judge_id, now=now, expires_at=expires_at, shown=shown
        )

    def _done(self, connection: Connection, judge_id: int, *, new_sitting: bool = False) -> int:
        """How many screens of this sitting are done; it begins anew if asked, or after a pause."""
        last = connection.execute(_LAST, {"judge_id": judge_id}).one_or_none()
        if last is None:
            return 0
        if new_sitting or self._clock() - last.received_at > SITTING_PAUSE:
            connection.execute(_START_SITTING, {"judge_id": judge_id, "last": last.id})
            return 0
        return done_in_sitting(connection, judge_id)

    def _new(self, connection: Connection, campaign: Campaign, judge_id: int) -> str | None:
        """A fresh lease: a control or a repeated screen now and then, else work."""
        screen = leases.free_screen(connection, campaign.id, judge_id, "work")
        if screen is None:
            return None  # controls and repeats come between work, never alone
        other = self._control_or_repeat(connection, campaign, judge_id, leases.free_screen)
        screen = screen if other is None else other
        leases.take(connection, screen.id)
        return self._lease_of(connection, campaign, screen, judge_id)

    def _lease_of(
        self, connection: Connection, campaign: Campaign, screen: Any, judge_id: int
    ) -> str:
        # hints of an organiser's own check speak of text A and text B
        order = range(len(screen.slots)) if "number" in (screen.payload or {}) else None
        return self._lease(connection, campaign, screen, judge_id, order)

    def _control_or_repeat(
        self, connection: Connection, campaign: Campaign, judge_id: int, of: Callable[..., Any]
    ) -> Any:
        """A control or a repeat if it is time for one; *of* finds a screen of a role."""
        plan = campaign.plan
        if not plan.control_share and not plan.repeat_share:
            return None
        number = int(connection.execute(_LEASES_OF, {"judge_id": judge_id}).scalar_one())
        seed = leases.mixed(plan.seed, campaign.id, judge_id, number)
        draw, now = np.random.default_rng(seed).random(), self._clock()
        if draw < plan.control_share:
            return of(connection, campaign.id, judge_id, "control")
        if draw < plan.control_share + plan.repeat_share:
            left = of(connection, campaign.id, judge_id, "repeat")
            return left or add_repeat(connection, campaign.id, judge_id, seed=seed, now=now)
        return None
