"""A committing process is killed again and again: what it acknowledged is there, once."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from server.store.campaign_data import campaign, judges, screen_counts, texts_of

KILLS = 12


def test_no_acknowledged_judgment_is_lost(tmp_path: Path):
    path = tmp_path / "rankwise.db"
    store = CampaignStore(Database.open(sqlite_url(path)))
    here = campaign(store, redundancy=2, texts=texts_of(40, 5))
    judges(store, here, 3)
    store.database.close()
    dice = random.Random(1)
    afters = [dice.randint(1, 12) for _ in range(KILLS)]
    receipts = list(_run_and_kill(path, here.id, afters))
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    connection.close()
    store = CampaignStore(Database.open(sqlite_url(path)))
    every = [j.receipt for j in store.log.stored(here.id, superseded=True)]
    assert len(receipts) >= KILLS
    assert set(receipts) <= set(every)
    assert len(set(every)) == len(every)
    # at most the one judgment in flight at each kill is there without a receipt that was seen
    assert len(every) - len(receipts) <= KILLS
    assert max(screen_counts(store, here.id).values()) <= 2
    store.database.close()


def _run_and_kill(path: Path, campaign_id: int, afters: list[int]) -> Iterator[str]:
    """Kill the process while it sends, after so many receipts; the receipts it printed."""
    program = Path(__file__).with_name("committer.py")
    process = subprocess.Popen(
        [sys.executable, str(program), sqlite_url(path), str(campaign_id)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    timer = threading.Timer(600, process.kill)
    timer.start()
    assert process.stdin is not None
    assert process.stdout is not None
    for after in afters:
        process.stdin.write("go\n")
        child = stored = 0
        for line in process.stdout:
            word, value = line.split()
            if word == "child":
                child = int(value)
            elif word == "stored":
                stored += 1
                yield value
            elif word == "died":
                break
            elif stored == after:  # it has sent and has no receipt yet
                os.kill(child, signal.SIGKILL)
    process.stdin.close()
    process.wait()
    process.stdout.close()
    timer.cancel()
