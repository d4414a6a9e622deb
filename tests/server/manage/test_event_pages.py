"""The pages of an event: made, its people, its table, its export; and what a judge sees of it."""

import csv
import io
import re
import zipfile
from dataclasses import replace

import pytest

from server.manage.conftest import judge_some
from web_client import BROWSER, browser, csrf_of, post, session_csrf


@pytest.fixture
def event(organiser, store, campaign):
    """An event of the example and a clone of it, made on the page."""
    made = store.changes.clone("example", "Czech", actor="test")
    store.changes.edit(made.slug, {"target_language": "cs"}, actor="test")
    form = {"name": "WMT 27", "campaigns": ["example", "czech"]}
    done = post(organiser, "/events/new", form)
    assert (done.status_code, done.headers["location"]) == (303, "/events/wmt-27")
    return store.groups.get("wmt-27")


def send(organiser, path, fields):
    """Send a form that stands on another page."""
    form = {"csrf": session_csrf(organiser, "/events/new"), **fields}
    return organiser.post(path, data=form, headers=BROWSER)


def links_of(answer):
    return re.findall(r"http://testserver(/j/[\w-]+)", answer.text)


def test_one_page_has_all_campaigns(organiser, store, event):
    page = organiser.get("/events/wmt-27", headers=BROWSER).text
    assert page.count("Check and launch") == 1
    assert "de → cs" in page
    assert "de → en, de → cs" in organiser.get("/", headers=BROWSER).text
    again = send(organiser, "/events/new", {"name": "WMT 27"})
    assert (again.status_code, "there is an event" in again.text) == (422, True)
    assert organiser.get("/events/absent", headers=BROWSER).status_code == 404
    third = store.changes.clone("example", "Third", actor="test")
    assert send(organiser, "/events/wmt-27/campaigns", {"campaigns": "third"}).status_code == 303
    assert store.groups.of_campaign(third.id) == event


def test_all_campaigns_are_opened_paused_and_closed(organiser, store, event):
    for state in ("open", "paused", "closed"):
        assert send(organiser, "/events/wmt-27/state", {"state": state}).status_code == 303
        assert {one.state for one in store.groups.campaigns(event)} == {state}
    refused = send(organiser, "/events/wmt-27/state", {"state": "paused"})
    assert refused.status_code == 422
    assert "it cannot become paused" in refused.text


def test_one_link_for_all_pairs_of_a_judge(app, organiser, store, event):
    store.campaigns.set_state("czech", "open", actor="test")
    form = {"names": "Bea <bea@example.org>", "campaigns": ["example", "czech"]}
    (link,) = links_of(send(organiser, "/events/wmt-27/invite", form))
    judge = browser(app)
    landing = judge.get(link, headers=BROWSER)
    assert "WMT 27" in landing.text
    done = judge.post(link, data={"csrf": csrf_of(landing.text)}, headers=BROWSER)
    assert done.headers["location"] == "/judge/pairs"
    page = judge.get("/judge/pairs", headers=BROWSER).text
    assert page.count("0 screens done") == 2
    for name in store.campaigns.testset(1).systems:
        assert name not in page
    numbers = re.findall(r'action="/judge/pairs/(\d+)"', page)
    assert len(numbers) == 2
    seen = []
    for number in numbers:
        token = session_csrf(judge, "/judge/pairs")
        went = judge.post(f"/judge/pairs/{number}", data={"csrf": token}, headers=BROWSER)
        assert went.headers["location"] == "/judge"
        token = session_csrf(judge, "/judge")
        judge.post(
            "/judge/instructions",
            data={"csrf": token, "version": store.campaigns.by_id(1).plan.instructions_version},
            headers=BROWSER,
        )
        work = judge.get("/judge", headers=BROWSER).text
        assert 'href="/judge/pairs"' in work
        seen.append(store.judges.judge(int(number)).campaign)
        headers = {"x-csrf-token": session_csrf(judge, "/judge")}
        task = judge.post("/judge/next", json={}, headers=headers).json()["task"]
        body = {"answer": {"ranks": [1] * len(task["outputs"])}, "active_ms": 9}
        sent = judge.post(f"/judge/tasks/{task['token']}/answer", json=body, headers=headers)
        assert sent.status_code == 200
    assert sorted(seen) == [1, 2]
    assert judge.get("/judge/pairs", headers=BROWSER).text.count("1 screen done") == 2
    assert "bea@example.org" not in page
    token = session_csrf(judge, "/judge/pairs")
    wrong = judge.post("/judge/pairs/999", data={"csrf": token}, headers=BROWSER)
    assert wrong.status_code == 404


def test_somebody_elses_pair_is_not_opened(app, organiser, store, event):
    other, _ = store.groups.invite(event, actor="test")
    _, token = store.groups.invite(event, actor="test")
    judge = browser(app)
    landing = judge.get(f"/j/{token}", headers=BROWSER)
    judge.post(f"/j/{token}", data={"csrf": csrf_of(landing.text)}, headers=BROWSER)
    number = other.pairs[0].judge.id
    form = {"csrf": session_csrf(judge, "/judge/pairs")}
    answer = judge.post(f"/judge/pairs/{number}", data=form, headers=BROWSER)
    assert answer.status_code == 404


def test_who_judges_in_one_campaign_alone_goes_straight_to_work(app, organiser, store, campaign):
    _, token = store.judges.invite(campaign.id, actor="test")
    judge = browser(app)
    landing = judge.get(f"/j/{token}", headers=BROWSER)
    done = judge.post(f"/j/{token}", data={"csrf": csrf_of(landing.text)}, headers=BROWSER)
    assert done.headers["location"] == "/judge"
    assert judge.get("/judge/pairs", headers=BROWSER).headers["location"] == "/judge"


def test_pairs_links_and_names_of_people(organiser, store, event):
    form = {"names": "Bea", "campaigns": ["example", "czech"]}
    (first,) = links_of(send(organiser, "/events/wmt-27/invite", form))
    (person,) = store.groups.people(event)
    path = f"/events/wmt-27/people/{person.id}"
    assert send(organiser, f"{path}/pairs", {"campaigns": "czech"}).status_code == 303
    assert store.groups.by_link(first.removeprefix("/j/")).campaign == 2
    none = send(organiser, f"{path}/pairs", {})
    assert (none.status_code, "nobody can judge in no campaign" in none.text) == (422, True)
    (second,) = links_of(send(organiser, f"{path}/reissue", {}))
    assert store.groups.by_link(first.removeprefix("/j/")) is None
    send(organiser, f"{path}/revoke", {})
    assert store.groups.by_link(second.removeprefix("/j/")) is None
    send(organiser, f"{path}/forget", {})
    assert ">Bea<" not in organiser.get("/events/wmt-27", headers=BROWSER).text
    few = send(organiser, "/events/wmt-27/invite", {"names": "", "campaigns": "czech"})
    assert (few.status_code, "0 people are named" in few.text) == (422, True)


def test_one_export_and_one_table_of_all(organiser, store, event, campaign):
    empty = organiser.get("/events/wmt-27/board", headers=BROWSER).text
    assert "There are no leaderboards yet" in empty
    judge_some(store, campaign, 12)
    other = store.campaigns.set_state("czech", "open", actor="test")
    judge_some(store, replace(other), 6)
    page = organiser.get("/events/wmt-27/board", headers=BROWSER).text
    assert "Scores are not averaged: ratings of rankings have no common scale" in page
    assert page.count('<th scope="row">') == 8
    done = send(organiser, "/events/wmt-27/export", {})
    with zipfile.ZipFile(io.BytesIO(done.content)) as archive:
        names = set(archive.namelist())
        rows = list(csv.DictReader(io.StringIO(archive.read("wmt-27.csv").decode())))
    assert {"wmt-27.csv", "example/example.csv", "czech/czech.campaign.jsonl"} <= names
    judgments = {(row["campaign"], row["target_language"], row["judgment"]) for row in rows}
    assert [sum(1 for one in judgments if one[0] == name) for name in ("example", "czech")] == [
        12, 6,
    ]  # fmt: skip
    assert {one[:2] for one in judgments} == {("example", "en"), ("czech", "cs")}
    (taken,) = [e for e in store.events.list(campaign.id) if e.action == "campaign.export"]
    assert taken.details["event"] == "wmt-27"
    done = send(organiser, "/events/wmt-27/export", {"spreadsheet": "true"})
    with zipfile.ZipFile(io.BytesIO(done.content)) as archive:
        names = set(archive.namelist())
    assert {"wmt-27.spreadsheet.csv", "example/example.spreadsheet.csv"} <= names
