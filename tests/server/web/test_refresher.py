"""The work behind the pages, and what people see while the store cannot write."""

import time

import pytest

from rankwise.errors import StoreError
from rankwise.server.background import refresher as refresher_module
from rankwise.server.background.health import Health
from rankwise.server.background.model_process import ModelProcess, ModelsEnded
from rankwise.server.background.refresher import Refresher
from rankwise.server.campaign.standings import standings
from rankwise.server.campaign.standings.contents import Standings
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from web_client import BROWSER, browser, come_in, csrf_of
from web_world import small_plan, small_testset


@pytest.fixture
def campaign(store):
    made = store.campaigns.add(small_plan("first"), small_testset(), actor="test")
    return store.campaigns.set_state(made.slug, "open", actor="test")


@pytest.fixture
def judge(app, store, campaign):
    _, token = store.judges.invite(campaign.id, actor="test")
    return come_in(app, f"/j/{token}")


@pytest.fixture
def refresher(store):
    return Refresher(store, Settings(), Health())


def answer_one(client):
    headers = {"x-csrf-token": csrf_of(client.get("/judge", headers=BROWSER).text)}
    answer = client.post("/judge/next", json={}, headers=headers)
    assert "task" in answer.json(), answer.text
    task = answer.json()["task"]
    body = {"answer": {"ranks": [1, 2, 3]}, "active_ms": 1000}
    return client.post(f"/judge/tasks/{task['token']}/answer", json=body, headers=headers)


def test_standings_follow_the_judgments(store, campaign, judge, refresher):
    assert answer_one(judge).status_code == 200
    refresher.refresh()
    first = store.standings.get(campaign.id, "people")
    assert first.judgments == 1
    assert store.standings.get(campaign.id, "refresher").content["ok"] is True
    refresher._rest_until.clear()
    refresher.refresh()
    assert store.standings.get(campaign.id, "people").computed_at == first.computed_at
    answer_one(judge)
    refresher._rest_until.clear()
    refresher.refresh()
    assert store.standings.get(campaign.id, "people").judgments == 2


def test_excluding_somebody_makes_new_standings(store, campaign, judge, refresher):
    answer_one(judge)
    refresher.refresh()
    before = store.log.mark(campaign.id)
    store.judges.exclude(store.judges.judges(campaign.id)[0].id, "test", "test")
    assert store.log.mark(campaign.id) != before


def test_the_stop_rule_pauses_a_campaign_once(store, campaign, judge, refresher, monkeypatch):
    def two_are_enough(plan, testset, stored, *, seed, scores):
        return Standings({}, done={"stop": {"is_met": len(stored) >= 2}})

    monkeypatch.setattr(standings, "compute", two_are_enough)
    states = []
    for _ in range(3):
        answer_one(judge)
        refresher._rest_until.clear()
        refresher.refresh()
        states.append(store.campaigns.get(campaign.slug).state)
        if states[-1] == "paused":
            assert store.events.list(campaign.id, limit=1)[0].actor == "stop rule"
            store.campaigns.set_state(campaign.slug, "open", actor="the organiser knows better")
    assert states == ["open", "paused", "open"]


def test_closing_while_the_standings_are_computed_is_no_failure(
    store, campaign, judge, refresher, monkeypatch
):
    def closed_meanwhile(*_, **__):
        store.campaigns.set_state(campaign.slug, "closed", actor="test")
        return Standings({}, done={"stop": {"is_met": True}})

    monkeypatch.setattr(standings, "compute", closed_meanwhile)
    answer_one(judge)
    refresher.refresh()
    assert store.standings.get(campaign.id, "refresher").content["ok"] is True
    assert store.campaigns.get(campaign.slug).state == "closed"


def test_most_judgments_is_a_rule_that_stops(store, app, refresher):
    plan = small_plan("stops", stop={"max_judgments": 1})
    made = store.campaigns.add(plan, small_testset(), actor="test")
    store.campaigns.set_state(made.slug, "open", actor="test")
    answer_one(come_in(app, f"/j/{store.judges.invite(made.id, actor='test')[1]}"))
    refresher.refresh()
    assert store.campaigns.get(made.slug).state == "paused"


def test_whoever_opens_a_campaign_again_gets_more_than_the_most(store, app, refresher):
    plan = small_plan("goes-on", stop={"max_judgments": 1})
    made = store.campaigns.add(plan, small_testset(), actor="test")
    store.campaigns.set_state(made.slug, "open", actor="test")
    judge = come_in(app, f"/j/{store.judges.invite(made.id, actor='test')[1]}")
    assert answer_one(judge).json()["next"]["nothing"]["reason"] == "all-done"
    refresher.refresh()
    store.campaigns.set_state(made.slug, "open", actor="ann")
    assert answer_one(judge).status_code == 200
    refresher.refresh()
    assert store.campaigns.get(made.slug).state == "open"
    assert answer_one(judge).status_code == 200


def test_a_failing_leaderboard_stops_nobody(store, campaign, judge, refresher, monkeypatch, caplog):
    def fail(*_, **__):
        raise ArithmeticError("no finite estimate")

    monkeypatch.setattr(standings, "compute", fail)
    assert answer_one(judge).status_code == 200
    refresher.refresh()
    content = store.standings.get(campaign.id, "refresher").content
    assert content["ok"] is False
    assert "no finite estimate" in content["error"]
    assert answer_one(judge).status_code == 200


def test_a_campaign_that_took_long_rests(store, campaign, judge, refresher, monkeypatch):
    answer_one(judge)
    found = standings.compute

    def slow(*arguments, **options):
        time.sleep(0.2)
        return found(*arguments, **options)

    monkeypatch.setattr(standings, "compute", slow)
    begun = time.monotonic()
    refresher.refresh()
    assert refresher._rest_until[campaign.id] > begun + 0.99  # 0.2 s, and four times as long


def test_the_thread_starts_and_stops_with_the_application(store, campaign):
    app = create_app(store, Settings(refresh_seconds=0.05))
    with browser(app) as client:
        end = time.monotonic() + 120
        while not store.standings.get(campaign.id, "refresher"):
            assert time.monotonic() < end
            time.sleep(0.05)
        assert client.get("/readyz").status_code == 200
        thread = app.state.refresher._thread
        assert thread.is_alive()
    assert not thread.is_alive()
    assert store.standings.get(campaign.id, "refresher").content["ok"] is True


FULL = "The disk is full; nothing of this was saved."


@pytest.fixture
def full(store, monkeypatch):
    """The store on a full disk: reading works, writing does not."""

    def write():
        raise StoreError(FULL)

    def fill():
        monkeypatch.setattr(store.database, "write", write)
        monkeypatch.setattr(store.database, "health", lambda: FULL)

    return fill


def test_a_full_disk_is_said_and_no_work_is_handed_out(app, store, judge, refresher, full, caplog):
    headers = {"x-csrf-token": csrf_of(judge.get("/judge", headers=BROWSER).text)}
    task = judge.post("/judge/next", json={}, headers=headers).json()["task"]
    full()
    path = f"/judge/tasks/{task['token']}/answer"
    body = {"answer": {"ranks": [1, 2, 3]}, "active_ms": 1000}
    answer = judge.post(path, json=body, headers=headers)
    assert (answer.status_code, answer.json()["error"]["message"]) == (503, FULL)
    assert answer.headers["retry-after"]
    ready = judge.get("/readyz")
    assert (ready.status_code, ready.json()["message"]) == (503, FULL)
    assert judge.get("/healthz").status_code == 200
    refused = judge.post("/judge/next", json={}, headers=headers)
    assert refused.json()["error"]["code"] == "not_ready"
    page = judge.get("/judge", headers=BROWSER)
    assert page.status_code == 200
    assert FULL in page.text
    assert "stays in your browser" in page.text


def test_it_goes_on_when_there_is_room_again(app, store, judge, full, monkeypatch, caplog):
    full()
    assert judge.get("/readyz").status_code == 503
    monkeypatch.undo()
    assert judge.get("/readyz").status_code == 200
    assert answer_one(judge).status_code == 200
    assert FULL not in judge.get("/judge", headers=BROWSER).text


def test_nobody_is_told_where_the_database_was(app, store, judge, caplog):
    path = store.database.path
    path.rename(path.with_suffix(".moved"))
    try:
        ready = browser(app).get("/readyz")
        page = browser(app).get("/login", headers=BROWSER)
        answer = judge.get("/judge", headers=BROWSER)
    finally:
        path.with_suffix(".moved").rename(path)
    assert ready.status_code == 503
    assert "The database file was moved" in ready.json()["message"]
    for text in (ready.text, page.text, answer.text):
        assert str(path.parent) not in text
    assert "moved" in page.text
    assert str(path) in caplog.text


def test_an_error_of_the_health_check_itself_is_a_state(store, monkeypatch):
    def gone():
        raise OSError("no such device")

    monkeypatch.setattr(store.database, "health", gone)
    health = Health()
    assert health.check(store) == "No such device."


def test_good_health_is_asked_for_now_and_then_only(store, monkeypatch):
    asked = []
    monkeypatch.setattr(store.database, "health", lambda: asked.append(1) or "ok")
    health = Health()
    for _ in range(5):
        assert health.check(store, within=60) is None
    assert len(asked) == 1
    health.note("the disk is full")
    assert health.check(store, within=60) is None  # a failure is looked into at once
    assert len(asked) == 2


def test_screens_are_chosen_by_another_process(store, campaign, judge):
    models = ModelProcess(str(store.database.url))
    refresher = Refresher(store, Settings(), Health(), models)
    try:
        answer_one(judge)
        here = store.queue.choose(campaign.id, 5, withdraw=False)
        assert models.choose(campaign.id, 5, withdraw=False) == here
        assert len(here.work) == 5
        before = store.log.floor(campaign.id).queued_screens
        refresher.refresh()
        assert store.log.floor(campaign.id).queued_screens > before
    finally:
        models.close()


def test_screens_are_chosen_while_standings_rest(store, campaign, judge, refresher, monkeypatch):
    refresher._rest_until[campaign.id] = time.monotonic() + 1000
    monkeypatch.setattr(standings, "compute", lambda *_, **__: pytest.fail("no rest"))
    answer_one(judge)
    before = store.log.floor(campaign.id).queued_screens
    refresher.refresh()
    assert store.log.floor(campaign.id).queued_screens > before


def test_a_database_that_is_gone_is_one_line_of_the_log(store, campaign, judge, caplog, capfd):
    answer_one(judge)
    models = ModelProcess(str(store.database.url))
    refresher = Refresher(store, Settings(), Health(), models)
    path = store.database.path
    path.rename(path.with_suffix(".moved"))
    caplog.clear()
    try:
        refresher.refresh_campaign(campaign)
        [record] = [one for one in caplog.records if one.levelname == "ERROR"]
        said = f"the standings of {campaign.slug} failed: there is no database {path}"
        assert (record.getMessage(), record.exc_info) == (said, None)
        path.with_suffix(".moved").rename(path)
        refresher._rest_until.clear()
        refresher.refresh_campaign(campaign)
    finally:
        models.close()
    assert store.standings.get(campaign.id, "people").judgments == 1
    assert "Traceback" not in capfd.readouterr().err


def test_standings_are_computed_by_another_process(store, campaign, judge):
    models = ModelProcess(str(store.database.url))
    refresher = Refresher(store, Settings(), Health(), models)
    try:
        answer_one(judge)
        refresher.refresh()
        assert store.standings.get(campaign.id, "people").judgments == 1
        process, _ = models._running
        process.kill()
        process.join()
        answer_one(judge)
        for _ in range(2):  # the first finds it dead, the second has a new one
            refresher._rest_until.clear()
            refresher.refresh()
        assert store.standings.get(campaign.id, "people").judgments == 2
    finally:
        models.close()


class KilledModels:
    """A process that is killed whenever it is asked."""

    asked = 0

    def choose(self, campaign_id, count, *, withdraw):
        self.asked += 1
        raise ModelsEnded("the process that fits the models ended")

    def close(self):
        """Nothing runs."""


def test_models_that_are_killed_are_said_once_and_rest(store, campaign, judge, monkeypatch, caplog):
    now = [1000.0]
    monkeypatch.setattr(refresher_module.time, "monotonic", lambda: now[0])
    models = KilledModels()
    monkeypatch.setattr(
        store.queue, "top_up", lambda number, choose: choose(number, 5, withdraw=True)
    )
    background = Refresher(store, Settings(), Health(), models)
    asked = []
    for _ in range(40):
        background.refresh_campaign(campaign)
        asked.append(models.asked)
        now[0] += 5
    # after 0, 5, 20, 50 and 110 seconds
    assert [asked.count(times) for times in (1, 2, 3, 4)] == [1, 3, 6, 12]
    assert models.asked == 5
    said = [record for record in caplog.records if "ended" in record.getMessage()]
    assert len(said) == 1


def test_a_killed_process_is_told_from_other_troubles(store, campaign):
    models = ModelProcess(store.database.url.render_as_string(hide_password=False))
    try:
        models.standings(campaign.id)
        models._running[0].kill()
        with pytest.raises(ModelsEnded, match="want of memory"):
            models.standings(campaign.id)
        assert models.standings(campaign.id)[0] == 0
    finally:
        models.close()
