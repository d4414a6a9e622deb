"""The real server is killed again and again while judges work: no receipt without its judgment."""

import signal
import sqlite3
import threading
import time
from contextlib import closing
from http.client import HTTPException

import pytest
from http_judges import JudgeClient

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
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
    for judge in judges:
        judge.is_over.set()
    for judge in judges:
        judge.thread.join(240)
    receipts = [receipt for judge in judges for receipt in judge.receipts.values()]
    assert len(set(receipts)) == len(receipts) >= 12 * KILLS
    check_store(tmp_path, url, campaign, receipts)


def count_of(judges):
    return sum(len(judge.receipts) for judge in judges)


def wait_for(condition, *, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail("the judges did not get on")
        time.sleep(0.02)


def check_store(folder, url, campaign, receipts):
    """Every receipt has its judgment, no lease has two, and the file is whole."""
    database = Database.open(url)
    try:
        stored = list(CampaignStore(database).log.stored(campaign.id, superseded=True))
    finally:
        database.close()
    kept = [judgment.receipt for judgment in stored]
    assert set(receipts) <= set(kept)
    assert len(set(kept)) == len(kept)
    # what was stored without the answer reaching the judge is at most one for each kill and judge
    assert len(kept) - len(receipts) <= KILLS * JUDGES
    with closing(sqlite3.connect(folder / "rankwise.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        double = "SELECT lease FROM judgments GROUP BY lease HAVING count(*) > 1"
        assert connection.execute(double).fetchall() == []
