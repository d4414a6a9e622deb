"""The API as a program meets it: from a plan with texts to judgments and a leaderboard."""

import csv
import io
import json
import zipfile

import pytest

from rankwise.server.background.health import Health
from rankwise.server.background.refresher import Refresher
from rankwise.server.settings import Settings
from web_client import BROWSER, browser, come_in, csrf_of
from web_world import SYSTEMS, small_testset

PLAN = {
    "name": "By program",
    "source_language": "de",
    "target_language": "en",
    "k": 3,
    "repeat_share": 0,
    "control_share": 0,
}


def sent_campaign(**plan):
    testset = small_testset()
    segments = [
        {"source": one.source, "references": list(one.references)} for one in testset.segments
    ]
    outputs = {name: list(texts) for name, texts in testset.outputs.items()}
    return {"plan": {**PLAN, **plan}, "segments": segments, "outputs": outputs}


@pytest.fixture
def api(app, store):
    number, _ = store.accounts.create("owner", "owner", "test")
    token = store.accounts.add_token(number, "all", ["read", "export", "manage"])
    return browser(app, headers={"authorization": f"Bearer {token}"})


@pytest.fixture
def campaign(api):
    made = api.post("/api/v1/campaigns", json=sent_campaign())
    assert made.status_code == 201, made.text
    return "/api/v1/campaigns/by-program"


def test_the_page_says_how_often_lines_held(world):
    campaign = world.campaigns["first"]
    judge_some(world.app, world.links["first"], 3)
    Refresher(world.store, Settings(), Health()).refresh()
    (row, *_), unsure = _board_of(world, campaign)
    page = world.clients["organiser"].get(f"/campaigns/{campaign.slug}?part=live").text
    assert "Line below held" in page
    assert f"{100 * row['support_below']:.1f} %" in page
    assert page.count('<span class="badge">unsure</span>') == len(unsure)


def _board_of(world, campaign):
    headers = {"authorization": f"Bearer {world.tokens['read']}"}
    api = browser(world.app, headers=headers)
    found = api.get(f"/api/v1/campaigns/{campaign.slug}/leaderboard").json()["content"]
    return found["rows"], found["unsure"]


def judge_some(app, link, count, store=None):
    client = come_in(app, link.removeprefix("http://127.0.0.1:8000"))
    headers = {"x-csrf-token": csrf_of(client.get("/judge", headers=BROWSER).text)}
    for _ in range(count):
        task = client.post("/judge/next", json={}, headers=headers).json()["task"]
        # output 0… of the test set is best, output 2… is worst
        ranks = [int(text[7]) + 1 for text in task["outputs"]]
        body = {"answer": {"ranks": ranks}, "active_ms": 2000}
        path = f"/judge/tasks/{task['token']}/answer"
        assert client.post(path, json=body, headers=headers).status_code == 200


def test_a_campaign_from_beginning_to_end(app, store, api, campaign):
    assert api.get(campaign).json()["state"] == "draft"
    assert api.get(campaign).json()["systems"] == list(SYSTEMS)
    assert isinstance(api.get(f"{campaign}/check").json(), list)
    assert api.post(f"{campaign}/state", json={"state": "open"}).json()["state"] == "open"
    invited = api.post(f"{campaign}/judges", json={"name": "Ann", "email": "a@b.c"}).json()
    judge_some(app, invited["link"], 6)

    [judge] = api.get(f"{campaign}/judges").json()
    assert (judge["answers"], judge["pseudonym"]) == (6, invited["judge"]["pseudonym"])
    assert "Ann" not in json.dumps(judge)

    assert api.get(f"{campaign}/leaderboard").status_code == 404
    Refresher(store, Settings(), Health()).refresh()
    board = api.get(f"{campaign}/leaderboard").json()
    assert board["judgments"] == 6
    assert board["kind"] == "leaderboard:trueskill"  # what page and command line show first
    assert json.dumps(board["content"]).index("oaktree") < json.dumps(board["content"]).index(
        "larchfield"
    )
    assert api.get(f"{campaign}/standings/people").status_code == 200

    lines = api.get(f"{campaign}/judgments").text.splitlines()
    assert len(lines) == 6
    last = json.loads(lines[-1])
    assert last["judge"] == judge["pseudonym"]
    assert api.get(f"{campaign}/judgments", params={"since": last["id"]}).text == ""
    assert {event["action"] for event in api.get(f"{campaign}/events").json()} >= {
        "campaign.add",
        "campaign.export",
        "judge.invite",
    }


def test_exports_are_files_with_a_side_car(app, api, campaign):
    api.post(f"{campaign}/state", json={"state": "open"})
    judge_some(app, api.post(f"{campaign}/judges", json={}).json()["link"], 4)
    names = {one["name"] for one in api.get(f"{campaign}/exports").json()}
    assert {"long", "wmt-csv", "jsonl"} <= names
    file = api.get(f"{campaign}/exports/long")
    assert "by-program.csv" in file.headers["content-disposition"]
    assert len(list(csv.DictReader(io.StringIO(file.text)))) == 4 * 3
    about = api.get(f"{campaign}/exports/long", params={"part": "about"}).json()
    assert about["judgments"]["exported"] == 4
    assert api.get(f"{campaign}/exports/long", params={"part": "screens"}).status_code == 404
    screens = api.get(f"{campaign}/exports/wmt-csv", params={"part": "screens"})
    assert "screens.csv" in screens.headers["content-disposition"]
    assert api.get(f"{campaign}/exports/nothing").status_code == 404


def test_a_judge_is_excluded_and_comes_back(api, campaign):
    invited = api.post(f"{campaign}/judges", json={}).json()
    path = f"{campaign}/judges/{invited['judge']['pseudonym']}"
    assert api.post(f"{path}/exclude", json={}).status_code == 422
    left = api.post(f"{path}/exclude", json={"reason": "clicked at random"}).json()
    assert (left["is_excluded"], left["excluded_reason"]) == (True, "clicked at random")
    assert api.post(f"{path}/include").json()["is_excluded"] is False
    again = api.post(f"{path}/reissue").json()["link"]
    assert again != invited["link"]
    assert api.post(f"{path}/revoke").json()["is_revoked"] is True
    assert api.get(f"{campaign}/judges/judge-nobody").status_code == 404


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"plan": {}}, "name"),
        ({"plan": {**PLAN, "protocl": "ranking"}}, "protocl"),
        ({"plan": {**PLAN, "texts": {"source": "/etc/passwd"}}}, "texts"),
        ({"plan": {**PLAN, "judges": ["Ann"]}}, "judges"),
        ({"outputs": {"one": ["too few"]}}, "6"),
        ({"segments": []}, "segments"),
        ({"segments": [{"source": 3}]}, "source"),
        ({"more": 1}, "more"),
    ],
)
def test_what_is_wrong_is_said(api, change, says):
    answer = api.post("/api/v1/campaigns", json={**sent_campaign(), **change})
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert says in error["message"]
    assert error["request"] == answer.headers["x-request-id"]


def test_a_campaign_with_errors_cannot_be_opened(api):
    sent = sent_campaign(show_reference=True)
    for segment in sent["segments"]:
        segment["references"] = []
    assert api.post("/api/v1/campaigns", json=sent).status_code == 201
    answer = api.post("/api/v1/campaigns/by-program/state", json={"state": "open"})
    assert answer.status_code == 422
    assert "there is none" in answer.json()["error"]["message"]
    assert api.get("/api/v1/campaigns/by-program").json()["state"] == "draft"


def test_states_that_do_not_follow_are_refused(api, campaign):
    assert api.post("/api/v1/campaigns", json=sent_campaign()).status_code == 422
    assert api.post(f"{campaign}/state", json={"state": "paused"}).status_code == 409
    assert api.post(f"{campaign}/state", json={"state": "draft"}).status_code == 422
    assert api.get("/api/v1/campaigns/none").status_code == 404


def test_a_viewer_link_shows_results(app, api, campaign):
    link = api.post(f"{campaign}/viewers").json()["link"]
    viewer = come_in(app, link.removeprefix("http://127.0.0.1:8000"))
    assert viewer.get("/view/by-program", headers=BROWSER).status_code == 200


def test_a_forged_token_opens_nothing(app):
    for header in ("Bearer ", "Bearer rw_x", "Basic b3duZXI6", "Bearer " + "\u00e9" * 5, "rw_x"):
        headers = {"authorization": header.encode("latin-1")}
        answer = browser(app).get("/api/v1/campaigns", headers=headers)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"


def test_the_page_names_every_route(app):
    client = browser(app)
    page = client.get("/api/docs", headers=BROWSER).text
    schema = client.get("/api/openapi.json").json()
    assert schema["paths"]
    for path in schema["paths"]:
        assert path.startswith("/api/v1/")
        assert path in page


def test_a_campaign_without_judgments_is_deleted(api, campaign, store):
    assert api.delete(campaign).status_code == 422
    assert api.delete(campaign, params={"confirm": "another"}).status_code == 422
    assert api.get(campaign).status_code == 200
    assert api.delete(campaign, params={"confirm": "by-program"}).status_code == 204
    assert api.get(campaign).status_code == 404
    assert store.events.list()[0].action == "campaign.delete"


def test_a_campaign_is_cloned(api, campaign):
    made = api.post(f"{campaign}/clone", json={"name": "Twice"})
    assert made.status_code == 201, made.text
    old, new = api.get(campaign).json(), made.json()
    assert (new["slug"], new["state"], new["systems"]) == ("twice", "draft", old["systems"])
    same = {"name": "Twice", "slug": "twice"}
    assert new["plan"] == old["plan"] | same
    assert api.post(f"{campaign}/clone", json={"name": "Twice"}).status_code == 422


def test_a_plan_is_edited(api, campaign):
    done = api.patch(campaign, json={"plan": {"k": 2, "stop": {"max_judgments": 9}}})
    assert done.status_code == 200, done.text
    plan = done.json()["plan"]
    assert (plan["k"], plan["stop"]["max_judgments"]) == (2, 9)
    wrong = api.patch(campaign, json={"plan": {"nonsense": 1}})
    assert (wrong.status_code, "unknown key 'nonsense'" in wrong.text) == (422, True)
    api.post(f"{campaign}/state", json={"state": "open"})
    assert api.patch(campaign, json={"plan": {"k": 3}}).status_code == 409
    assert api.patch(campaign, json={"plan": {"sitting": 3}}).status_code == 200


def test_a_system_and_segments_are_added_while_it_runs(app, store, api, campaign):
    api.post(f"{campaign}/state", json={"state": "open"})
    link = api.post(f"{campaign}/judges", json={}).json()["link"]
    judge_some(app, link, 2)
    late = {"name": "late", "outputs": [f"output 9{n} text" for n in range(6)]}
    made = api.post(f"{campaign}/systems", json=late)
    assert (made.status_code, made.json()["systems"], made.json()["segments"]) == (201, 4, 6)
    again = api.post(f"{campaign}/systems", json=late)
    assert again.status_code == 422
    assert "there is a system 'late' already" in again.json()["error"]["message"]
    outputs = {name: [f"{name} new"] for name in (*SYSTEMS, "late")}
    sent = {"segments": [{"source": "Neu", "id": "n1", "document": "d9"}], "outputs": outputs}
    made = api.post(f"{campaign}/segments", json=sent)
    assert (made.status_code, made.json()["segments"]) == (201, 7)
    part = {"name": "part", "outputs": ["only here"], "documents": ["d9"]}
    assert api.post(f"{campaign}/systems", json=part).status_code == 201
    odd = {**part, "name": "odd", "documents": ["d8"]}
    assert "no document 'd8'" in api.post(f"{campaign}/systems", json=odd).text
    holes = {**part, "name": "odd", "outputs": [None]}
    assert "outputs: has a null" in api.post(f"{campaign}/systems", json=holes).text
    assert api.get(campaign).json()["systems"] == [*SYSTEMS, "late", "part"]
    assert len(api.get(f"{campaign}/judgments").text.splitlines()) == 2
    actions = [one["action"] for one in api.get(f"{campaign}/events").json()]
    assert actions.count("campaign.system") == 2
    api.post(f"{campaign}/state", json={"state": "closed"})
    assert api.post(f"{campaign}/segments", json=sent).status_code == 409


def test_an_event_of_two_campaigns(app, store, api, campaign):
    second = sent_campaign(name="Second", target_language="cs")
    assert api.post("/api/v1/campaigns", json=second).status_code == 201
    both = ["by-program", "second"]
    made = api.post("/api/v1/events", json={"name": "WMT 27", "campaigns": both})
    assert (made.status_code, made.json()["slug"]) == (201, "wmt-27")
    assert [one["slug"] for one in made.json()["campaigns"]] == both
    event = "/api/v1/events/wmt-27"
    taken = api.post("/api/v1/events", json={"name": "Other", "campaigns": both})
    assert (taken.status_code, "belongs to the event" in taken.text) == (409, True)
    assert api.post(f"{event}/state", json={"state": "open"}).json()["left"] == []
    invited = api.post(f"{event}/people", json={"name": "Ann", "campaigns": both}).json()
    number = invited["person"]["id"]
    assert set(invited["person"]["judges"]) == set(both)
    judge_some_of_event(app, store, invited["link"])
    assert sum(api.get(f"{event}/people").json()[0]["done"].values()) == 1
    fewer = api.put(f"{event}/people/{number}", json={"campaigns": ["second"]}).json()
    assert set(fewer["judges"]) == {"second"}
    assert api.put(f"{event}/people/999", json={"campaigns": both}).status_code == 404
    found = api.get(f"{event}/leaderboard").json()
    assert (found["campaigns"], found["scores_averaged"]) == (both, False)
    with zipfile.ZipFile(io.BytesIO(api.get(f"{event}/export").content)) as archive:
        assert "wmt-27.csv" in archive.namelist()
    assert [one["slug"] for one in api.get("/api/v1/events").json()] == ["wmt-27"]
    third = sent_campaign(name="Third")
    api.post("/api/v1/campaigns", json=third)
    grown = api.post(f"{event}/campaigns", json={"campaigns": ["third"]}).json()
    assert len(grown["campaigns"]) == 3
    assert api.get("/api/v1/events/absent").status_code == 404


def judge_some_of_event(app, store, link):
    client = come_in(app, link.removeprefix("http://127.0.0.1:8000"))
    judge = store.groups.by_link(link.rpartition("/")[2])
    version = store.campaigns.by_id(judge.campaign).plan.instructions_version
    store.judges.accept_instructions(judge.id, version)
    headers = {"x-csrf-token": csrf_of(client.get("/judge", headers=BROWSER).text)}
    task = client.post("/judge/next", json={}, headers=headers).json()["task"]
    body = {"answer": {"ranks": [1] * len(task["outputs"])}, "active_ms": 2000}
    path = f"/judge/tasks/{task['token']}/answer"
    assert client.post(path, json=body, headers=headers).status_code == 200
