"""What judges do: get a screen, save a draft, submit, skip, go back and revise."""

import time
from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from rankwise.errors import DataError
from rankwise.server.phrases import Phrase, counted_phrase
from rankwise.server.records import (
    FinishedJudgment,
    HistoryEntry,
    Json,
    Judge,
    JudgeTask,
    Nothing,
    Receipt,
    Retry,
    Submission,
)
from rankwise.server.store.campaigns.campaigns import Campaign, Campaigns
from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import (
    AlreadyDone,
    DatabaseBusy,
    NotAllowed,
    NotFound,
    StaleDraft,
)
from rankwise.server.store.judging import expiry, history, leases, submissions
from rankwise.server.store.judging.imported_judgments import (
    IMPORT,
    add_finished,
    refuse_second_import,
)
from rankwise.server.store.judging.judgment_digest import digest_of
from rankwise.server.store.judging.offers import Offer, Offers
from rankwise.server.store.judging.queue import Queue
from rankwise.server.store.judging.tasks import lease_row

_ATTEMPTS = 50
#: How often a judgment can be changed; nobody needs as many.
MOST_REVISIONS = 100

_JUDGMENTS = tables.judgments.c
_CHANGE_DRAFT = update(tables.drafts).where(tables.drafts.c.lease == bindparam("lease_id"))


class Judging:
    """The lease machine. Every method is one transaction (``next`` may fill the queue between)."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], int],
        campaigns: Campaigns,
        queue: Queue,
        events: Events,
    ) -> None:
        self._database, self._clock = database, clock
        self._campaigns, self._queue, self._events = campaigns, queue, events
        self._offers = Offers(clock, campaigns)

    def next(self, judge: Judge, *, new_sitting: bool = False) -> JudgeTask | Nothing:
        """The screen the judge has in hand, or a new one, or why there is none."""
        return self.offer(judge, new_sitting=new_sitting).found

    def offer(self, judge: Judge, *, new_sitting: bool = False) -> Offer:
        """The same, with what the page shows beside it.

        *new_sitting* goes on after the end of a sitting.
        """
        for attempt in range(_ATTEMPTS):
            with self._database.write() as connection:
                row = leases.lock_judge(connection, judge.id)
                campaign = self._campaigns.of(connection, judge.campaign)
                found = self._offers.next(connection, campaign, row, new_sitting=new_sitting)
                pace = history.pace(connection, judge.id)
            if found is None and not self._queue.fill_for(judge.campaign, judge.id):
                found = Nothing("all-done")
            if found is not None:
                return Offer(found, campaign.plan, *pace)
            time.sleep(0.002 * attempt)  # others were taking every screen there was just now
        raise DatabaseBusy(Phrase("too many judges ask for a screen at the same moment; ask again"))

    def task(self, judge: Judge, token: str) -> JudgeTask:
        """The task with that token; looking changes nothing."""
        with self._database.read() as connection:
            campaign = self._campaigns.of(connection, judge.campaign)
            return self._offers.task(connection, campaign, judge.id, token)

    def around(self, judge: Judge, task: JudgeTask) -> Offer:
        """A task that the judge asked for by name, with what the page shows beside it."""
        with self._database.read() as connection:
            plan = self._campaigns.of(connection, judge.campaign).plan
            return Offer(task, plan, *history.pace(connection, judge.id))

    def renew(self, judge: Judge, token: str) -> int:
        """Until when the lease lives now; an expired one lives again if its screen has a place.

        A lease that cannot live any more keeps the end it had; work for it is still taken.
        """
        with self._database.write() as connection:
            leases.lock_judge(connection, judge.id)
            lease = lease_row(connection, judge.id, token, lock=True)
            return self._renew(connection, lease)

    def _renew(self, connection: Connection, lease: Row[Any]) -> int:
        campaign = self._campaigns.of(connection, lease.campaign)
        expires_at = self._offers.expiry(campaign)
        if campaign.state == "closed" or not leases.reopen(connection, lease, expires_at):
            return int(lease.expires_at)
        leases.set_expiry(connection, lease.id, expires_at)
        return expires_at

    def release(self, judge: Judge, token: str) -> None:
        """Give a screen back unanswered, for somebody else."""
        with self._database.write() as connection:
            leases.lock_judge(connection, judge.id)
            lease = lease_row(connection, judge.id, token, lock=True)
            if lease.state != "open":
                return
            leases.end_lease(connection, lease.id, "released", self._clock())
            if leases.takes_place(lease):
                leases.give_back(connection, lease.screen)

    def save_draft(self, judge: Judge, token: str, content: Json, version: int) -> int:
        """Keep a draft, and the lease alive; when it was saved.

        A version that is not newer than the stored one raises ``StaleDraft``, unless it is the very
        same draft sent again; a draft for a task that was submitted raises ``AlreadyDone``.
        """
        now, drafts = self._clock(), tables.drafts
        with self._database.write() as connection:
            leases.lock_judge(connection, judge.id)
            lease = lease_row(connection, judge.id, token, lock=True)
            if lease.state == "done":
                raise AlreadyDone(
                    Phrase("this screen was submitted already, perhaps in another window")
                )
            self._renew(connection, lease)
            stored, values = lease.draft_version, {"version": version, "saved_at": now}
            if stored is None:
                row = {"lease": lease.id, "content": dict(content), **values}
                connection.execute(insert(drafts), row)
            elif version > stored:
                change = {"lease_id": lease.id, "content": dict(content), **values}
                connection.execute(_CHANGE_DRAFT, change)
            elif (stored, lease.draft) == (version, dict(content)):
                return int(lease.draft_saved_at)
            else:
                raise StaleDraft(
                    Phrase(
                        "draft {version} is not newer than the stored draft {stored}, "
                        "which may come from another window; that one was kept",
                        version=version,
                        stored=stored,
                    ),
                    version=stored,
                )
        return now

    def submit(self, judge: Judge, token: str, submission: Submission) -> Receipt | Retry:
        """Store what a judge sent, once: the same token again gets the same receipt.

        ``Receipt.differs`` says that what was sent again is not what is stored. An answer to learn
        from that is not right yet gets hints instead, as long as there are tries left.
        """
        if submission.kind not in ("answer", "skip"):
            raise DataError(f"a submission is {submission.kind!r}; expected answer or skip")
        with self._database.write() as connection:
            leases.lock_judge(connection, judge.id)
            lease = lease_row(connection, judge.id, token, lock=True)
            campaign = self._campaigns.of(connection, lease.campaign)
            if lease.state == "done":
                return submissions.replay(connection, campaign, lease, submission)
            texts = self._campaigns.testset_of(connection, campaign)
            given = self._campaigns.given_of(connection, campaign)
            now = self._clock()
            return submissions.store(connection, campaign, texts, given, lease, submission, now)

    def revise(self, judge: Judge, receipt: str) -> JudgeTask:
        """A task to revise a judgment (or its last revision), shown in the same order as before.

        Its draft is the answer as it stands. Asked twice, it is the same task. A judgment can be
        changed ``MOST_REVISIONS`` times.
        """
        with self._database.write() as connection:
            leases.lock_judge(connection, judge.id)
            mine = select(_JUDGMENTS.id).where(
                _JUDGMENTS.receipt == receipt, _JUDGMENTS.judge == judge.id
            )
            found = connection.execute(mine).scalar_one_or_none()
            if found is None:
                raise NotFound(Phrase("there is no such judgment of yours"))
            campaign = self._campaigns.of(connection, judge.campaign)
            if campaign.state != "open":
                raise NotAllowed(_unchangeable(campaign))
            last = submissions.current(connection, found)
            if submissions.revisions(connection, last.id) >= MOST_REVISIONS:
                raise NotAllowed(
                    counted_phrase(
                        MOST_REVISIONS,
                        "this judgment was changed once; it stays as it is",
                        "this judgment was changed {n} times; it stays as it is",
                    )
                )
            times = (self._clock(), self._offers.expiry(campaign))
            token = history.revision(connection, campaign, last, *times)
            return self._offers.task(connection, campaign, judge.id, token)

    def history(self, judge: Judge, limit: int = 20) -> list[HistoryEntry]:
        """The judge's last judgments as they stand, newest first."""
        with self._database.read() as connection:
            campaign = self._campaigns.of(connection, judge.campaign)
            testset = self._campaigns.testset_of(connection, campaign)
            assets = self._campaigns.assets_of(connection, campaign)
            return history.entries(connection, campaign, testset, judge.id, limit, assets)

    def release_expired(self) -> int:
        """End the leases whose time is over, and those a clock set back would keep for ever."""
        now, total = self._clock(), 0
        seconds = [campaign.plan.lease_seconds for campaign in self._campaigns.all()]
        while True:
            with self._database.write() as connection:
                if total == 0:
                    expiry.set_right(connection, now, 1000 * max(seconds, default=0))
                count = expiry.expire(connection, now)
            total += count
            if count == 0:
                return total

    def add_finished(
        self,
        campaign_id: int,
        finished: Iterable[FinishedJudgment],
        *,
        actor: str,
        again: bool = False,
    ) -> int:
        """Store judgments that were made elsewhere; see ``finished.add_finished``.

        The same judgments a second time, in whatever format, raise ``AlreadyImported``, unless
        *again*.
        """
        now, every = self._clock(), list(finished)
        digest = digest_of(every)
        with self._database.write() as connection:
            if every and not again:
                refuse_second_import(connection, campaign_id, digest)
            count = add_finished(connection, campaign_id, every, now=now)
            details = {"judgments": count, "sha256": digest}
            what: dict[str, Any] = {"campaign": campaign_id, "details": details}
            self._events.record(connection, actor, IMPORT, **what)
        return count


def _unchangeable(campaign: Campaign) -> Phrase:
    """Why no answer changes now."""
    sentences = {
        "paused": Phrase("campaign {name!r} is paused; nothing changes", name=campaign.name),
        "closed": Phrase("campaign {name!r} is closed; nothing changes", name=campaign.name),
    }
    draft = Phrase("campaign {name!r} is a draft; nothing changes", name=campaign.name)
    return sentences.get(campaign.state, draft)
