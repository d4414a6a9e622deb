"""Failed sign-ins are counted by all workers together, and by a clock that may jump."""

import httpx

from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from server.conftest import Clock
from server.web.test_limits import tries
from server.web.test_serve import Running
from web_client import browser, csrf_of


def test_two_workers_allow_no_more_tries_than_one(store):
    workers = [create_app(store, Settings(refresher=False)) for _ in range(2)]
    found = [tries(workers[n % 2], ["owner"])[0].status_code for n in range(7)]
    assert found == [403] * 5 + [429] * 2


def test_nor_do_real_workers_on_postgresql(postgres, tmp_path):
    url = postgres.new()
    server = Running(tmp_path, "--database", url, "--workers", "3", "--no-example")
    server.wait()
    found = []
    for _ in range(9):  # a connection each, so that any worker may take it
        with httpx.Client(base_url=server.url, timeout=30) as client:
            token = csrf_of(client.get("/login", headers={"accept": "text/html"}).text)
            fields = {"csrf": token, "name": "owner", "password": "wrong"}
            found.append(client.post("/login", data=fields).status_code)
    server.stop()
    postgres.drop(url)
    assert found == [403] * 5 + [429] * 4


def test_a_restart_forgets_nothing(store):
    before = tries(create_app(store, Settings(refresher=False)), ["owner"] * 5)
    after = tries(create_app(store, Settings(refresher=False)), ["owner"])
    assert [answer.status_code for answer in (*before, *after)] == [403] * 5 + [429]


def test_the_wait_is_the_one_that_is_told(store):
    clock = Clock()
    for part in (store, store.tries):
        setattr(part, "clock" if part is store else "_clock", clock)
    app = create_app(store, Settings(refresher=False))
    tries(app, ["owner"] * 5)
    clock.pass_seconds(20)
    refused = tries(app, ["owner"])[0]
    assert refused.headers["retry-after"] == "40"
    assert "Try again in 40 seconds." in refused.json()["error"]["message"]
    clock.pass_seconds(39)
    assert tries(app, ["owner"])[0].status_code == 429
    clock.pass_seconds(1)
    assert tries(app, ["owner"])[0].status_code == 403
    clock.pass_seconds(-86_400)  # nobody is kept out for a day because a clock was wrong
    assert tries(app, ["owner"])[0].status_code == 403


def test_nothing_can_be_guessed_while_the_counts_cannot_be_kept(store, app, caplog):
    with store.database.write() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
    answer = browser(app).get("/j/guess")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")
