"""The real server is killed again and again while judges work: no receipt without its judgment."""

import contextlib
import os
import signal
import sqlite3
import threading
import time
from contextlib import closing
from http.client import HTTPException
from pathlib import Path

import pytest
from http_judges import JudgeClient

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from server.holds.opened_campaign import large_campaign, opened_campaign
from server.holds.test_crowd import prepare, rate
from server.web.test_serve import Running

KILLS, JUDGES = 4, 4
LOST = (OSError, HTTPException, RuntimeError, KeyError, ValueError)


class Stubborn:
    """A judge who sends an answer again until there is a receipt for it."""

    def __init__(self, token):
        self.token, self.url, self.receipts = token, "", {}
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._work)

    def _work(self):
        task, at, judge = None, "", None
        while not self.is_over.is_set():
            try:
                if at != self.url:
                    at = self.url
                    judge = JudgeClient(f"{at}/j/{self.token}", rate, timeout=10)
                    judge.sign_in()
                task = task or judge.next()
                if task is None:
                    break
                self.receipts[task["token"]] = judge.submit(task)
                task = None
            except LOST:
                at = ""
                judge.close()
                time.sleep(0.05)
        if judge is not None:
            judge.close()


def test_every_acknowledged_judgment_survives_a_killed_server(tmp_path):
    url = sqlite_url(tmp_path / "rankwise.db")
    campaign, tokens = prepare(url, judges=JUDGES)
    judges = [Stubborn(token) for token in tokens]
    for number in range(KILLS):
        running = Running(tmp_path)
        running.wait()
        wanted = count_of(judges) + 12
        for judge in judges:
            judge.url = running.url
            if number == 0:
                judge.thread.start()
        wait_for(lambda least=wanted: count_of(judges) >= least)
        running.process.kill()
        running.process.communicate(timeout=240)
        assert running.process.returncode == -signal.SIGKILL
    end(judges)
    receipts = [receipt for judge in judges for receipt in judge.receipts.values()]
    assert len(set(receipts)) == len(receipts) >= 12 * KILLS
    check_store(tmp_path, url, campaign, receipts)


def workers_of(running):
    """The numbers of the processes that serve for a server with ``--workers``."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            is_ours = int(parent) == running.process.pid
            if is_ours and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.add(int(folder.name))
    return found


def kill_workers(running, judges):
    """Kill both workers, one after the other, in the middle of the judges' work.

    The second only when the first has its follower, so that somebody serves at any time.
    """
    for number in sorted(workers_of(running)):
        get_on(judges)
        wait_for(lambda: len(workers_of(running)) == 2)
        os.kill(number, signal.SIGKILL)
    get_on(judges)
    wait_for(lambda: len(workers_of(running)) == 2)
    get_on(judges)


def test_a_worker_that_is_killed_is_replaced(postgres, tmp_path):
    """As the kernel does when memory is short: the others serve on, and nothing is lost."""
    url = postgres.new()
    campaign, tokens = opened_campaign(url, *large_campaign(4000), judges=JUDGES)
    judges = [Stubborn(token) for token in tokens]
    with (tmp_path / "log").open("w+") as file:
        running = Running(tmp_path, "--database", url, "--workers", "2", stderr=file)
        try:
            running.wait()
            for judge in judges:
                judge.url = running.url
                judge.thread.start()
            kill_workers(running, judges)
        finally:
            end(judges)
            code, _, _ = running.stop()
        file.seek(0)
        log = file.read()
    assert code == 0
    assert log.count("ended with -9; starting another") == 2
    assert "Traceback" not in log
    receipts = [receipt for judge in judges for receipt in judge.receipts.values()]
    kept = kept_receipts(url, campaign)
    assert set(receipts) <= set(kept)
    assert len(set(receipts)) == len(receipts)
    assert len(set(kept)) == len(kept)
    postgres.drop(url)


def kept_receipts(url, campaign):
    database = Database.open(url)
    try:
        stored = list(CampaignStore(database).log.stored(campaign.id, superseded=True))
    finally:
        database.close()
    return [judgment.receipt for judgment in stored]


def end(judges):
    """Let the judges finish what they do."""
    for judge in judges:
        judge.is_over.set()
    for judge in judges:
        if judge.thread.ident is not None:
            judge.thread.join(240)


def count_of(judges):
    return sum(len(judge.receipts) for judge in judges)


def get_on(judges):
    """Wait for some more receipts."""
    wanted = count_of(judges) + 12
    wait_for(lambda: count_of(judges) >= wanted)


def wait_for(condition, *, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail("the judges did not get on")
        time.sleep(0.02)


def check_store(folder, url, campaign, receipts):
    """Every receipt has its judgment, no lease has two, and the file is whole."""
    kept = kept_receipts(url, campaign)
    assert set(receipts) <= set(kept)
    assert len(set(kept)) == len(kept)
    # what was stored without the answer reaching the judge is at most one for each kill and judge
    assert len(kept) - len(receipts) <= KILLS * JUDGES
    with closing(sqlite3.connect(folder / "rankwise.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        double = "SELECT lease FROM judgments GROUP BY lease HAVING count(*) > 1"
        assert connection.execute(double).fetchall() == []
