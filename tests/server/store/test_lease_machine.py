"""Random walks through the lease machine on SQLite, against a model of a few lines.

The model knows for every lease whether it was answered; the database must agree about receipts,
never hand out a place twice, and keep the balance of every screen.
"""

import functools
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)
from sqlalchemy import text

from rankwise.server.records import Judge, JudgeTask, Nothing
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.server.store.database.store_errors import AlreadyDone, StaleDraft
from server.store.campaign_data import answer, campaign, judges, screen_counts, skip, texts_of

# two screens for three judges: they get into each other's way all the time
LEASE, REDUNDANCY, MOST = 60, 2, 4

_BALANCE = """
SELECT s.id FROM screens s WHERE s.redundancy <> s.remaining
+ (SELECT COUNT(*) FROM leases l
   WHERE l.screen = s.id AND l.state = 'open' AND l.supersedes IS NULL)
+ (SELECT COUNT(*) FROM judgments j WHERE j.screen = s.id AND j.kind = 'answer' AND NOT j.surplus
   AND NOT EXISTS (SELECT 1 FROM judgments n WHERE n.supersedes = j.id))
+ MAX(0, s.skips - 1)
"""


_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@functools.cache
def _prepared() -> Path:
    """An empty database to copy, because making one takes longer than a walk."""
    folder = tempfile.TemporaryDirectory()
    _KEPT.append(folder)
    path = Path(folder.name) / "x.db"
    Database.open(sqlite_url(path)).close()
    return path


_KEPT: list[tempfile.TemporaryDirectory[str]] = []


class LeaseMachine(RuleBasedStateMachine):
    """Judges come, think, answer, skip, send twice, go away, come back, change their minds."""

    tasks = Bundle("tasks")
    answered = Bundle("answered")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=_MEMORY))
        shutil.copy(_prepared(), self.folder / "x.db")
        self.now = 1_800_000_000_000
        self.store = CampaignStore(
            Database.open(sqlite_url(self.folder / "x.db")), clock=lambda: self.now
        )
        self.campaign = campaign(
            self.store,
            texts=texts_of(4, 3),
            lease_seconds=LEASE,
            redundancy=REDUNDANCY,
            stop={"max_judgments": MOST},
        )
        self.judges = judges(self.store, self.campaign, 3)
        self.receipts: dict[str, str] = {}
        self.drafts: dict[str, tuple[int, object]] = {}
        self.is_open = True

    def teardown(self) -> None:
        self.store.database.close()
        shutil.rmtree(self.folder)

    @initialize(target=tasks)
    def all_get_one(self):
        return multiple(*((judge, self.store.judging.next(judge)) for judge in self.judges))

    @rule(target=tasks, number=st.integers(0, 2))
    def get(self, number: int):
        judge = self.judges[number]
        task = self.store.judging.next(judge)
        if isinstance(task, Nothing):
            assert task.reason == ("all-done" if self.is_open else "paused")
            return multiple()
        assert self.is_open
        assert task.token not in self.receipts, "a task that was done came again"
        assert 900 * LEASE <= task.expires_at - self.now <= 1000 * LEASE, "a tenth may be over"
        return judge, task

    @rule(target=answered, pair=tasks, skips=st.booleans(), active=st.integers(-5, 10**9))
    def send(self, pair: tuple[Judge, JudgeTask], skips: bool, active: int):
        judge, task = pair
        sent = skip() if skips else answer(task, active_ms=active)
        receipt = self.store.judging.submit(judge, task.token, sent)
        before = self.receipts.setdefault(task.token, receipt.receipt)
        assert receipt.receipt == before
        return judge, receipt.receipt

    @rule(pair=tasks, version=st.integers(1, 4))
    def draft(self, pair: tuple[Judge, JudgeTask], version: int) -> None:
        judge, task = pair
        stored = self.drafts.get(task.token, (0, None))
        try:
            self.store.judging.save_draft(judge, task.token, {"v": version}, version)
        except StaleDraft as error:
            assert version <= error.version == stored[0]
            assert stored != (version, {"v": version}), "the same draft again is not stale"
        except AlreadyDone:
            assert task.token in self.receipts
        else:
            assert task.token not in self.receipts
            assert version >= stored[0]
            self.drafts[task.token] = (version, {"v": version})
        if task.token not in self.receipts:
            kept = self.store.judging.task(judge, task.token)
            assert (kept.draft_version, kept.draft) == self.drafts[task.token]

    @rule(pair=tasks)
    def renew(self, pair: tuple[Judge, JudgeTask]) -> None:
        judge, task = pair
        self.store.judging.renew(judge, task.token)

    @rule(pair=consumes(tasks))
    def leave(self, pair: tuple[Judge, JudgeTask]) -> None:
        judge, task = pair
        self.store.judging.release(judge, task.token)

    @precondition(lambda self: self.is_open)
    @rule(target=tasks, pair=answered)
    def revise(self, pair: tuple[Judge, str]):
        judge, receipt = pair
        task = self.store.judging.revise(judge, receipt)
        self.drafts[task.token] = (task.draft_version, task.draft)
        return judge, task

    @rule(seconds=st.sampled_from([1, LEASE + 1, LEASE + 1, -LEASE // 2, -10 * LEASE]))
    def wait_and_sweep(self, seconds: int) -> None:
        self.now += seconds * 1000
        self.store.judging.release_expired()
        with self.store.database.read() as connection:
            query = text("SELECT MAX(expires_at), MIN(expires_at) FROM leases WHERE state = 'open'")
            latest, earliest = connection.execute(query).one()
        assert latest is None or self.now < earliest <= latest <= self.now + LEASE * 1000

    @rule(number=st.integers(0, 9))
    def pause_or_open(self, number: int) -> None:
        if number and self.is_open:
            return  # seldom: a paused campaign stops the walk
        self.is_open = not self.is_open
        state = "open" if self.is_open else "paused"
        self.store.campaigns.set_state(self.campaign.slug, state, actor="test")

    @rule(replace=st.booleans())
    def fill(self, replace: bool) -> None:
        self.store.queue.top_up(self.campaign.id, replace_waiting=replace)

    @invariant()
    def every_receipt_is_stored_once(self) -> None:
        every = list(self.store.log.stored(self.campaign.id, superseded=True))
        assert sorted(j.receipt for j in every) == sorted(self.receipts.values())
        assert all(j.active_ms >= 0 and j.received_at >= j.shown_at for j in every)
        replaced = [j.supersedes for j in every if j.supersedes is not None]
        assert len(set(replaced)) == len(replaced)

    @invariant()
    def nothing_is_given_out_too_often(self) -> None:
        assert max(screen_counts(self.store, self.campaign.id).values(), default=0) <= REDUNDANCY
        assert self.store.log.count(self.campaign.id) <= MOST + REDUNDANCY

    @invariant()
    def every_screen_is_in_balance(self) -> None:
        with self.store.database.read() as connection:
            assert connection.execute(text(_BALANCE)).all() == []

    @invariant()
    def a_judge_counts_once_per_screen(self) -> None:
        counted = [
            (j.screen, j.judge) for j in self.store.log.stored(self.campaign.id) if not j.surplus
        ]
        assert len(set(counted)) == len(counted)


TestLeaseMachine = LeaseMachine.TestCase
TestLeaseMachine.settings = settings(max_examples=25, stateful_step_count=35)
