"""The judge's pages: consent, the shell, settings, signing out."""

import json
import re

from rankwise import example
from server.judge.judge_client import JudgeClient
from web_client import BROWSER, come_in, csrf_of, read_instructions

CONSENT = "I agree to **this**. <script>alert(1)</script>"


def boot_of(page: str) -> dict:
    return json.loads(re.search(r'id="boot">(.*?)</script>', page, re.DOTALL)[1])


def test_the_page_tells_what_it_needs_and_no_more(app, invited):
    _, link = invited()
    page = come_in(app, link).get("/judge", headers=BROWSER).text
    boot = boot_of(page)
    assert set(boot) == {"csrf", "judge", "campaign", "plan", "settings", "own"}
    assert set(boot["plan"]) == {
        "source_language",
        "target_language",
        "protocol",
        "sitting",
        "single_pass",
        "show_value",
        "assets",
    }
    assert not any(system in page for system in example().testset.systems)


def test_consent_comes_first(app, invited, store):
    campaign, link = invited(consent=CONSENT)
    client = come_in(app, link)
    page = client.get("/judge", headers=BROWSER).text
    assert "<strong>this</strong>" in page
    assert "<script>alert" not in page
    token = csrf_of(page)
    headers = {"x-csrf-token": token, "sec-fetch-site": "same-origin"}
    refused = client.post("/judge/next", json={}, headers=headers)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "consent")
    version = re.search(r'name="version" value="(\w+)"', page)[1]
    form = {"csrf": token, "version": version}
    assert client.post("/judge/consent", data=form, headers=BROWSER).status_code == 303
    read_instructions(client)
    assert "boot" in client.get("/judge", headers=BROWSER).text
    (judge,) = store.judges.judges(campaign.id)
    assert judge.consented_at is not None


def test_a_consent_that_changed_is_shown_again(app, invited, store):
    campaign, link = invited(consent=CONSENT)
    client = come_in(app, link)
    token = csrf_of(client.get("/judge", headers=BROWSER).text)
    client.post("/judge/consent", data={"csrf": token, "version": "older"}, headers=BROWSER)
    (judge,) = store.judges.judges(campaign.id)
    assert judge.consented_at is None


def test_settings_are_kept(judge):
    settings = {
        "size": 4,
        "layout": "shelves",
        "keys": False,
        "hidden": True,
        "keymap": {"skip": "k"},
    }
    assert judge.send("PUT", "/judge/settings", {**settings, "unknown": 1}).status_code == 200
    page = judge.http.get("/judge", headers=BROWSER).text
    assert boot_of(page)["settings"] == settings


def test_wrong_settings_are_refused(judge):
    for wrong in ({"size": 7}, {"layout": "heap"}, {"keymap": {"skip": "kk"}}, {"keys": 1}):
        assert judge.send("PUT", "/judge/settings", wrong).status_code == 422


def test_the_session_is_told_to_a_page_left_open(judge):
    found = judge.send("GET", "/judge/session").json()
    assert found["csrf"] == judge.csrf
    assert found["judge"]


def test_signing_out(judge):
    page = judge.http.post("/judge/sign-out", data={"csrf": judge.csrf}, headers=BROWSER)
    assert "Thank you" in page.text
    assert judge.send("GET", "/judge/session").status_code == 401


def test_without_a_session(app, judge):
    judge.http.cookies.clear()
    assert judge.send("GET", "/judge/session").status_code == 401
    assert judge.http.get("/judge", headers=BROWSER).status_code == 401


def test_two_judges_of_one_browser_are_told_apart(app, invited):
    first, second = invited(), invited(slug="second")
    judge = JudgeClient(app, first[1])
    before = judge.send("GET", "/judge/session").json()["judge"]
    token = csrf_of(judge.http.get(second[1], headers=BROWSER).text)
    judge.http.post(second[1], data={"csrf": token}, headers=BROWSER)
    assert judge.send("GET", "/judge/session").json()["judge"] != before
