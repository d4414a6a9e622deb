"""The queue of screens that wait for a judge: filled in the background, inline only when empty."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from sqlalchemy import Connection, exists, func, select

from rankwise.aggregate.asking.next_screens import MOST_SYSTEMS
from rankwise.server.campaign.ask.chooser import choose_screens, control_screen
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.counted import assessments_of, judgments_of
from rankwise.server.records import PlannedScreen
from rankwise.server.store.campaigns.campaigns import Campaign, Campaigns
from rankwise.server.store.campaigns.events import STOP_RULE, did
from rankwise.server.store.campaigns.judgment_log import JudgmentLog
from rankwise.server.store.campaigns.screens import (
    insert_screens,
    is_issued,
    of_person,
    open_screens,
    slots_of,
)
from rankwise.server.store.campaigns.screens import withdraw as withdraw_waiting
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.judging.leases import SKIPS_ENOUGH, free_screen, mixed
from rankwise.types import Assessments, Judgments

_LEASES, _SCREENS = tables.leases.c, tables.screens.c

#: How many screens wait: at least, for each judge invited (up to so many), for each at work.
WAITING, WAITING_MOST, WAITING_PER_JUDGE = 40, 100, 2
#: How many are chosen while a judge waits, and up to how many judgments and systems a model is
#: fitted for that: what a model costs grows with the cube of the systems.
INLINE_SCREENS, INLINE_JUDGMENTS, INLINE_SYSTEMS = 20, 2000, 40


@dataclass(frozen=True, slots=True)
class Choice:
    """Screens to add to the queue: of work, and the controls to mix in."""

    work: list[PlannedScreen]
    controls: list[PlannedScreen]


class Choose(Protocol):
    """``Queue.choose`` of this process or of another one."""

    def __call__(self, campaign_id: int, count: int, *, withdraw: bool) -> Choice: ...


class Queue:
    """Screens ahead of the judges; choosing them happens outside every transaction.

    Two locks: ``filling`` is held by who fills the queue in the background, for as long as choosing
    takes, and ``queue`` by who adds screens. So a judge who finds none waits for nobody but for
    other such judges.
    """

    def __init__(
        self, database: Database, clock: Callable[[], int], campaigns: Campaigns, log: JudgmentLog
    ) -> None:
        self._database, self._clock = database, clock
        self._campaigns, self._log = campaigns, log

    def top_up(
        self, campaign_id: int, *, replace_waiting: bool = False, choose: Choose | None = None
    ) -> int:
        """Fill the queue of an open campaign; how many screens of work were added.

        With *replace_waiting* the screens that nobody got yet are withdrawn, because the ratings
        they were chosen by have changed. *choose* is where to choose, by default here.
        """
        campaign = self._campaigns.by_id(campaign_id)
        if campaign.state != "open":
            return 0
        with self._database.exclusive(f"filling {campaign_id}"):
            with self._database.read() as connection:
                campaign = self._campaigns.of(connection, campaign_id)
                wanted = self._target(connection, campaign_id)
                waiting = _waiting(connection, campaign_id, issued_only=replace_waiting)
            count = wanted - waiting
            if count <= 0 or (not replace_waiting and count < wanted // 4):
                return 0
            found = (choose or self.choose)(campaign_id, count, withdraw=replace_waiting)
            with self._database.exclusive(f"queue {campaign_id}"):
                return self._add(campaign, found, withdraw=replace_waiting)

    def fill_for(self, campaign_id: int, judge_id: int) -> bool:
        """Add some screens because this judge finds none; whether there is one now.

        While a judge waits, a model is fitted only over few judgments of few systems; otherwise
        these screens are drawn uniformly, and their strategy says so.
        """
        with self._database.exclusive(f"queue {campaign_id}"):
            with self._database.read() as connection:
                campaign = self._campaigns.of(connection, campaign_id)
                if campaign.state != "open":
                    return False
                if free_screen(connection, campaign_id, judge_id, "work", lock=False) is not None:
                    return True  # somebody else filled it while we waited for our turn
            if self._fill_at_once(campaign):
                return True
            grown = self._campaigns.by_id(campaign_id)  # perhaps by texts that were just added
            return grown.size != campaign.size and self._fill_at_once(grown)

    def _fill_at_once(self, campaign: Campaign) -> bool:
        """Add some screens while a judge waits; whether there are any."""
        plan, judgments = campaign.plan, None
        if self._log.last(campaign.id) and self._log.count(campaign.id) > INLINE_JUDGMENTS:
            plan = replace(plan, strategy="uniform", coverage_floor=0)
        else:
            judgments = self._judgments(campaign)
        if campaign.systems > INLINE_SYSTEMS:
            plan = replace(plan, strategy="uniform")
        found = self._choice(replace(campaign, plan=plan), INLINE_SCREENS, judgments)
        return self._add(campaign, found) > 0

    def choose(self, campaign_id: int, count: int, *, withdraw: bool) -> Choice:
        """Up to *count* screens by the plan's strategy and all judgments; nothing is written.

        Of more systems than a strategy takes, screens are drawn uniformly.
        """
        campaign = self._campaigns.by_id(campaign_id)
        if campaign.systems > MOST_SYSTEMS:
            campaign = replace(campaign, plan=replace(campaign.plan, strategy="uniform"))
        return self._choice(campaign, count, self._judgments(campaign), withdraw=withdraw)

    def _judgments(self, campaign: Campaign) -> Judgments | Assessments | None:
        stored = list(self._log.stored(campaign.id))
        if not stored:
            return None
        of = assessments_of if campaign.plan.rules.is_scalar else judgments_of
        found: Judgments | Assessments = of(stored, campaign.plan)
        return found if len(found) else None

    def _target(self, connection: Connection, campaign_id: int) -> int:
        """How many screens should wait: for those at work, and for all who may come at once."""
        judges = tables.judges.c
        invited = (
            select(func.count())
            .select_from(tables.judges)
            .where(
                judges.campaign == campaign_id,
                judges.revoked_at.is_(None),
                judges.kind == "person",
            )
        )
        recent = invited.where(judges.last_seen_at > self._clock() - 600_000)
        opened = (
            select(func.count())
            .select_from(tables.leases.join(tables.screens, _LEASES.screen == _SCREENS.id))
            .where(_LEASES.state == "open", _SCREENS.campaign == campaign_id, of_person())
        )
        come, *at_work = (
            int(connection.execute(each).scalar_one()) for each in (invited, recent, opened)
        )
        return max(WAITING, min(come, WAITING_MOST), WAITING_PER_JUDGE * max(at_work))

    def _choice(
        self,
        campaign: Campaign,
        count: int,
        judgments: Judgments | Assessments | None,
        *,
        withdraw: bool = False,
    ) -> Choice:
        plan = campaign.plan
        with self._database.read() as connection:
            testset = self._campaigns.testset_of(connection, campaign)
            count = min(count, _screens_left(connection, campaign, withdraw=withdraw))
            pending = _pending(connection, campaign.id, issued_only=withdraw)
            controls = _missing_controls(connection, campaign, count)
            last = select(func.coalesce(func.max(_SCREENS.id), 0))
            seed = mixed(plan.seed, campaign.id, int(connection.execute(last).scalar_one()), count)
        if count <= 0:
            return Choice([], [])
        chosen = choose_screens(plan, testset, judgments, pending=pending, count=count, seed=seed)
        spoilt = [control_screen(plan, testset, seed=mixed(seed, i)) for i in range(controls)]
        return Choice(chosen, [screen for screen in spoilt if screen is not None])

    def _add(self, campaign: Campaign, found: Choice, *, withdraw: bool = False) -> int:
        """Store what was chosen, as far as the stop rule still allows; how much of it is work.

        What was chosen before texts were added is dropped: it knows nothing of them.
        """
        now = self._clock()
        with self._database.write() as connection:
            row = select(tables.campaigns.c.id).filter_by(id=campaign.id)
            connection.execute(row.with_for_update(read=True, key_share=True))  # nothing is added
            if self._campaigns.of(connection, campaign.id).size != campaign.size:
                return 0
            if withdraw:
                withdraw_waiting(connection, campaign.id, now)
            work = found.work[: _screens_left(connection, campaign, withdraw=False)]
            insert_screens(
                connection, campaign.id, work, redundancy=judges_of(campaign.plan, work), now=now
            )
            insert_screens(connection, campaign.id, found.controls, redundancy=1, now=now)
        return len(work)


def _waiting(connection: Connection, campaign_id: int, *, issued_only: bool) -> int:
    query = select(func.count()).select_from(tables.screens).where(*open_screens(campaign_id))
    if issued_only:
        query = query.where(is_issued())
    return int(connection.execute(query).scalar_one())


def _pending(connection: Connection, campaign_id: int, *, issued_only: bool) -> list[PlannedScreen]:
    """The screens that are asked or waiting: their answers will come."""
    columns = (_SCREENS.id, _SCREENS.slots, tables.segments.c.name)
    joined = tables.screens.join(tables.segments, _SCREENS.segment == tables.segments.c.id)
    waiting = select(*columns).select_from(joined).where(*open_screens(campaign_id))
    if issued_only:
        waiting = waiting.where(is_issued())
    in_hand = (
        select(*columns)
        .select_from(joined.join(tables.leases, _LEASES.screen == _SCREENS.id))
        .where(_LEASES.state == "open", _SCREENS.campaign == campaign_id, _SCREENS.role == "work")
        .where(of_person())
    )
    rows = {row.id: row for query in (waiting, in_hand) for row in connection.execute(query)}
    return [PlannedScreen(row.name, slots_of(row.slots)) for row in rows.values()]


def _screens_left(connection: Connection, campaign: Campaign, *, withdraw: bool) -> int:
    """How many more screens the stop rule allows; it stops a campaign once."""
    most = campaign.plan.stop.max_judgments
    if most is None:
        return 2**31
    query = select(_SCREENS.redundancy, _SCREENS.skips, func.count()).where(
        _SCREENS.campaign == campaign.id,
        _SCREENS.role == "work",
        _SCREENS.withdrawn_at.is_(None),
    )
    if withdraw:
        query = query.where(is_issued())
    # a skip that was not passed on left a place empty
    planned = sum(
        count * (redundancy - max(0, skips - SKIPS_ENOUGH + 1))
        for redundancy, skips, count in connection.execute(
            query.group_by(_SCREENS.redundancy, _SCREENS.skips)
        )
    )
    planned -= _left_out(connection, campaign.id)
    if planned >= most and did(connection, STOP_RULE, "campaign.state", campaign.id):
        return 2**31
    return int(-(-max(0, most - planned) // campaign.plan.redundancy))


def judges_of(plan: Plan, screens: Sequence[PlannedScreen]) -> list[int]:
    """How many judges get each screen: of ``redundancy = 1.1`` one, and a tenth of them two.

    Which ones is drawn by the seed of the screens, whatever they show.
    """
    whole = int(plan.redundancy)
    share = plan.redundancy - whole
    random = np.random.default_rng((screens[0].seed if screens else 0, 8))
    return [whole + int(drawn < share) for drawn in random.random(len(screens)).tolist()]


def _left_out(connection: Connection, campaign_id: int) -> int:
    """How many answers to screens of work do not count, because their judge is excluded."""
    newer, judgments = tables.judgments.alias("newer"), tables.judgments.c
    joined = tables.judgments.join(tables.screens, judgments.screen == _SCREENS.id).join(
        tables.judges, judgments.judge == tables.judges.c.id
    )
    query = (
        select(func.count())
        .select_from(joined)
        .where(
            judgments.campaign == campaign_id,
            judgments.kind == "answer",
            judgments.surplus.is_(False),
            _SCREENS.role == "work",
            tables.judges.c.excluded_at.is_not(None),
            tables.judges.c.kind == "person",
            ~exists().where(newer.c.supersedes == judgments.id),
        )
    )
    return int(connection.execute(query).scalar_one())


def _missing_controls(connection: Connection, campaign: Campaign, count: int) -> int:
    plan: Plan = campaign.plan
    query = select(func.count()).select_from(tables.screens)
    waiting = int(
        connection.execute(query.where(*open_screens(campaign.id, "control"))).scalar_one()
    )
    wanted = -(-count * plan.control_share // 1) if plan.control_share else 0
    return max(0, int(wanted) + (2 if plan.control_share else 0) - waiting)
