"""Twenty judges at once: some give up, some send twice; every count is exact afterwards."""

import random
import statistics
import threading
import time
from collections import Counter

import pytest
from sqlalchemy import text

from rankwise.server.records import Judge, JudgeTask
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from server.store.campaign_data import answer, campaign, judges, screen_counts, texts_of

THREADS, SCREENS, REDUNDANCY = 20, 15, 3


class Crowd:
    """Threads that work until each had so many screens, and what they saw."""

    def __init__(self, store: CampaignStore, people: list[Judge]) -> None:
        self.store, self.people = store, people
        self.receipts: list[str] = []
        self.replays = self.abandoned = 0
        self.next_ms: list[float] = []
        self.submit_ms: list[float] = []
        self.errors: list[BaseException] = []
        self._guard = threading.Lock()

    def run(self) -> None:
        threads = [threading.Thread(target=self._try, args=(judge,)) for judge in self.people]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _try(self, judge: Judge) -> None:
        try:
            self._work(judge)
        except BaseException as error:
            self.errors.append(error)

    def _work(self, judge: Judge) -> None:
        dice = random.Random(judge.id)
        for _ in range(SCREENS):
            start = time.perf_counter()
            task = self.store.judging.next(judge)
            self.next_ms.append(1000 * (time.perf_counter() - start))
            if not isinstance(task, JudgeTask):
                return
            if dice.random() < 0.05:
                self.store.judging.release(judge, task.token)
                with self._guard:
                    self.abandoned += 1
                continue
            times = 2 if dice.random() < 0.2 else 1
            self._send(judge, task, times)

    def _send(self, judge: Judge, task: JudgeTask, times: int) -> None:
        found = []

        def send() -> None:
            found.append(self.store.judging.submit(judge, task.token, answer(task)))

        start = time.perf_counter()
        threads = [threading.Thread(target=send) for _ in range(times - 1)]
        for thread in threads:
            thread.start()
        send()
        for thread in threads:
            thread.join()
        self.submit_ms.append(1000 * (time.perf_counter() - start))
        assert len({receipt.receipt for receipt in found}) == 1
        assert sum(not receipt.is_replay for receipt in found) == 1
        with self._guard:
            self.receipts.append(found[0].receipt)
            self.replays += times - 1


def check(store: CampaignStore, campaign_id: int, crowd: Crowd) -> None:
    """What must hold however threads ran."""
    assert crowd.errors == []
    every = list(store.log.stored(campaign_id, superseded=True))
    assert sorted(j.receipt for j in every) == sorted(crowd.receipts)
    assert len(set(crowd.receipts)) == len(crowd.receipts)
    pairs = Counter((j.screen, j.judge) for j in every)
    assert set(pairs.values()) == {1}
    assert max(screen_counts(store, campaign_id).values()) <= REDUNDANCY
    assert not any(j.surplus for j in every)
    with store.database.read() as connection:
        wrong = connection.execute(
            text(
                """SELECT s.id FROM screens s WHERE s.redundancy <> s.remaining
                + (SELECT COUNT(*) FROM leases l WHERE l.screen = s.id AND l.state = 'open')
                + (SELECT COUNT(*) FROM judgments j WHERE j.screen = s.id AND NOT j.surplus)"""
            )
        ).all()
    assert wrong == []


def test_every_count_is_exact(store):
    here = campaign(store, redundancy=REDUNDANCY, texts=texts_of(40, 6))
    crowd = Crowd(store, judges(store, here, THREADS))
    crowd.run()
    check(store, here.id, crowd)
    assert len(crowd.receipts) + crowd.abandoned == THREADS * SCREENS
    assert crowd.replays > 10
    assert crowd.abandoned > 3
    for name, values in (("next", crowd.next_ms), ("submit", crowd.submit_ms)):
        cuts = statistics.quantiles(values, n=100)
        print(f"{store.database.kind} {name}: p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms")


def test_the_last_screens_go_round_exactly(store):
    """More judges than work: nobody gets a place too many."""
    here = campaign(store, redundancy=REDUNDANCY, stop={"max_judgments": 60})
    crowd = Crowd(store, judges(store, here, 12))
    crowd.run()
    crowd.run()  # what was given back goes out again
    check(store, here.id, crowd)
    assert sum(screen_counts(store, here.id).values()) == 60


def test_two_processes_on_postgresql(postgres, prepared_postgres):
    """Two stores with pools of their own are two workers, as far as the database can tell."""
    url = postgres.new(prepared_postgres)
    stores = [CampaignStore(Database.open(url)) for _ in range(2)]
    here = campaign(stores[0], redundancy=REDUNDANCY, texts=texts_of(40, 6))
    people = judges(stores[0], here, 12)
    crowds = [Crowd(store, people[i::2]) for i, store in enumerate(stores)]
    sweeping = threading.Event()

    def sweep() -> None:
        while not sweeping.is_set():
            for store in stores:
                store.judging.release_expired()
                store.queue.top_up(here.id, replace_waiting=True)

    threads = [threading.Thread(target=crowd.run) for crowd in crowds]
    threads.append(threading.Thread(target=sweep))
    for thread in threads:
        thread.start()
    for thread in threads[:-1]:
        thread.join()
    sweeping.set()
    threads[-1].join()
    crowds[0].receipts += crowds[1].receipts
    crowds[0].errors += crowds[1].errors
    check(stores[0], here.id, crowds[0])
    for store in stores:
        store.database.close()
    postgres.drop(url)


@pytest.mark.parametrize("times", [3])
def test_a_second_answer_during_the_sweep_is_stored_once(store, clock, times):
    """Leases expire under the hands of judges who are sending: nothing is lost or doubled."""
    here = campaign(store, lease_seconds=60, redundancy=REDUNDANCY)
    people = judges(store, here, 6)
    for _ in range(times):
        tasks = [(judge, store.judging.next(judge)) for judge in people]
        clock.pass_seconds(61)
        errors: list[BaseException] = []

        def send(judge: Judge, task: JudgeTask, errors: list[BaseException] = errors) -> None:
            try:
                store.judging.submit(judge, task.token, answer(task))
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=send, args=pair) for pair in tasks]
        threads.append(threading.Thread(target=store.judging.release_expired))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
    every = list(store.log.stored(here.id))
    assert len(every) == 6 * times
    assert max(screen_counts(store, here.id).values()) <= REDUNDANCY
