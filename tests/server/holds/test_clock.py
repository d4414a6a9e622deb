"""The clock of a serving machine jumps: nothing is lost, nothing is doubled, leases stay sane."""

import time

import httpx
import pytest
from sqlalchemy import text

from browser.campaign_server import campaign_server
from server.holds.test_kill import wait_for
from server.holds.test_trouble import Judge

HOUR, DAY = 3_600_000, 86_400_000


def rate(task):
    return {"ranks": list(range(1, len(task["outputs"]) + 1))}


@pytest.fixture
def served(tmp_path):
    """A server whose clock the test moves, with its background work, and two judges."""
    with campaign_server(tmp_path, refresher=True) as server:
        campaign = server.campaign("ranking", lease_seconds=1800, sitting=1000)
        judges = [Judge(server.invite(campaign), rate) for _ in range(2)]
        for judge in judges:
            judge.sign_in()
        wait_for(lambda: sweeps(server) > 0, seconds=120)
        yield server, campaign, judges
        for judge in judges:
            judge.close()


def sweeps(server):
    """The server's time at which leases were looked at last."""
    with server.store.database.read() as connection:
        return connection.execute(text("SELECT at FROM marks WHERE name = 'sweep'")).scalar()


def jump(server, milliseconds):
    """Set the clock, and let the background work find out."""
    before = sweeps(server)
    server.ahead += milliseconds
    wait_for(lambda: sweeps(server) != before, seconds=120)


def states(server):
    with server.store.database.read() as connection:
        rows = connection.execute(text("SELECT state, expires_at FROM leases ORDER BY id")).all()
    now = server.store.clock()
    assert all(0 < end - now <= 1_800_000 for state, end in rows if state == "open")
    return [state for state, _ in rows]


def test_an_hour_forward_and_a_day_back(served):
    server, campaign, (ann, bob) = served
    tasks = [ann.next(), bob.next()]
    assert tasks[0]["token"] != tasks[1]["token"]
    drafted = {"version": 1, "content": {"answer": {"ranks": [1, None]}}}
    ann.ask(f"/judge/tasks/{tasks[0]['token']}/draft", drafted, "PUT").raise_for_status()

    jump(server, HOUR)  # longer than any lease
    assert states(server) == ["open", "open"], "nobody's screen is given away"
    assert ann.next()["token"] == tasks[0]["token"]
    assert ann.next()["draft"] == drafted["content"]
    first = ann.answer(tasks[0]).json()

    jump(server, -DAY)
    assert states(server)[:2] == ["done", "open"]
    second = bob.answer(tasks[1]).json()
    assert bob.answer(tasks[1]).json()["receipt"] == second["receipt"]
    assert ann.answer(tasks[0]).json()["receipt"] == first["receipt"]
    assert ann.next()["token"] == first["next"]["task"]["token"]

    stored = server.stored(campaign)
    assert [judgment.receipt for judgment in stored] == [first["receipt"], second["receipt"]]
    assert not any(judgment.surplus for judgment in stored)
    assert all(j.received_at >= j.shown_at and j.active_ms >= 0 for j in stored)
    assert len({judgment.screen for judgment in stored}) == 2


def test_sessions_end_when_the_day_is_over_and_work_does_not(served):
    server, campaign, (ann, _) = served
    task = ann.next()
    jump(server, DAY)
    assert ann.answer(task).status_code == 403  # its token went with the session; the page looks
    assert ann.web.get("/judge/session").json()["error"]["code"] == "signed_out"
    ann.sign_in()  # the same link
    assert ann.answer(task).json()["replay"] is False
    assert len(server.stored(campaign)) == 1


def test_a_session_of_a_clock_that_was_wrong_does_not_live_for_years(served):
    server, _, (ann, _) = served
    server.ahead += 3650 * DAY
    ann.sign_in()
    server.ahead -= 3650 * DAY
    assert ann.web.get("/judge/session").status_code == 200, "nobody is thrown out"
    server.ahead += 13 * HOUR
    assert ann.web.get("/judge/session").status_code == 401


def test_nobody_is_locked_out_by_a_clock(served):
    server, _, _ = served
    with httpx.Client(base_url=server.url, timeout=20) as client:
        found = [client.get("/j/guess").status_code for _ in range(11)]
        assert found == [410] * 10 + [429]
        server.ahead -= DAY
        assert client.get("/j/guess").status_code == 410
        server.ahead += DAY
        time.sleep(0.05)
        assert client.get("/j/guess").status_code == 410, "what lay ahead is forgotten"
