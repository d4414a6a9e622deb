"""The server is killed a hundred times under eight judges: every receipt has its judgment."""

import os
import signal
import subprocess

import pytest
from sqlalchemy import text

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from server.holds.opened_campaign import large_campaign, opened_campaign
from server.holds.test_kill import Stubborn, count_of, wait_for
from server.web.test_serve import Running

KILLS, JUDGES, BETWEEN = int(os.environ.get("RANKWISE_KILLS", "100")), 8, 10
#: A server that was killed leaves workers, who finish what they do in 20 seconds at most.
PATIENCE = 60
pytestmark = pytest.mark.slow


def rounds(options, judges):
    """Serve and kill, again and again, each time after some more receipts."""
    for number in range(KILLS):
        running = Running(*options, start_new_session=True)
        try:
            running.wait()
            wanted = count_of(judges) + BETWEEN
            for judge in judges:
                judge.url = running.url
                if number == 0:
                    judge.thread.start()
            wait_for(lambda least=wanted: count_of(judges) >= least)
        finally:
            killed(running)


def killed(running):
    """Kill the server, and wait until all that it started has let go of its output, and so ended.

    A busy machine takes half a minute for a round; a worker that stays is named, not waited for.
    """
    running.process.kill()
    try:
        running.process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        group = str(running.process.pid)
        left = subprocess.run(["ps", "-o", "pid,stat,args", "-s", group], capture_output=True)
        os.killpg(running.process.pid, signal.SIGKILL)
        pytest.fail(f"they outlive the server by {PATIENCE} s: {left.stdout.decode()}")
    assert running.process.returncode == -signal.SIGKILL


def test_a_hundred_kills_lose_and_double_nothing(served, capsys):
    url, options = served
    campaign, tokens = opened_campaign(url, *large_campaign(40 * KILLS), judges=JUDGES)
    judges = [Stubborn(token) for token in tokens]
    try:
        rounds(options, judges)
    finally:
        for judge in judges:
            judge.is_over.set()
    for judge in judges:
        judge.thread.join(240)
    receipts = [receipt for judge in judges for receipt in judge.receipts.values()]
    database = Database.open(url)
    try:
        stored = list(CampaignStore(database).log.stored(campaign.id, superseded=True))
        double = "SELECT lease FROM judgments GROUP BY lease HAVING count(*) > 1"
        with database.read() as connection:
            assert connection.execute(text(double)).fetchall() == []
    finally:
        database.close()
    kept = [judgment.receipt for judgment in stored]
    lost = set(receipts) - set(kept)
    with capsys.disabled():
        said = f"{len(receipts):,} receipts, {len(kept):,} judgments, {len(lost)} lost"
        print(f"\n{url.split(':')[0]}: {KILLS} kills, {JUDGES} judges, {said}")
    assert len(set(receipts)) == len(receipts) >= BETWEEN * KILLS
    assert lost == set()
    assert len(set(kept)) == len(kept)
    # what was stored without the answer reaching the judge is at most one for each kill and judge
    assert len(kept) - len(receipts) <= KILLS * JUDGES
