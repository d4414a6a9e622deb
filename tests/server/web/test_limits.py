"""How often somebody may fail, how much a request may bring, and whom the server believes."""

import pytest

from rankwise.server.web.app import create_app
from rankwise.server.web.settings import Settings
from web_client import BROWSER, browser, csrf_of, post
from web_world import PASSWORD, small_plan, small_testset


@pytest.fixture
def owner_exists(app, store):
    _, token = store.accounts.create("owner", "owner", "test")
    post(browser(app), f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})


def tries(app, names, *, address="10.0.0.1"):
    client = browser(app, client=(address, 50000))
    token = csrf_of(client.get("/login", headers=BROWSER).text)
    fields = {"csrf": token, "password": "wrong"}
    return [client.post("/login", data={**fields, "name": name}) for name in names]


def test_an_account_can_be_tried_five_times_a_minute(app, owner_exists):
    answers = tries(app, ["owner"] * 7)
    assert [answer.status_code for answer in answers] == [403] * 5 + [429] * 2
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 61
    # from anywhere
    assert tries(app, ["owner"], address="10.0.0.2")[0].status_code == 429


def test_an_address_can_try_ten_accounts_a_minute(app):
    answers = tries(app, [f"name {n}" for n in range(12)])
    assert [answer.status_code for answer in answers] == [403] * 10 + [429] * 2
    assert tries(app, ["other"], address="10.0.0.2")[0].status_code == 403


@pytest.mark.parametrize("path", ["/j/guess", "/v/guess", "/setup/guess"])
def test_links_cannot_be_guessed(app, path):
    client = browser(app)
    found = [client.get(f"{path}{n}").status_code for n in range(12)]
    assert found == [410] * 10 + [429] * 2


def test_a_room_full_of_judges_gets_in(app, store):
    campaign = store.campaigns.add(small_plan("room"), small_testset(), actor="test")
    for _ in range(15):
        _, token = store.people.invite(campaign.id, actor="test")
        assert post(browser(app), f"/j/{token}").status_code == 303


def forwarded(settings, store):
    client = browser(create_app(store, settings), client=("10.0.0.9", 1))
    for n in range(11):
        client.get("/j/guess", headers={"x-forwarded-for": f"192.0.2.{n}"})
    return client.get("/j/guess", headers={"x-forwarded-for": "192.0.2.99"}).status_code


def test_forwarded_addresses_count_only_from_a_named_proxy(store):
    assert forwarded(Settings(refresher=False), store) == 429
    assert forwarded(Settings(refresher=False, trusted_proxies=("10.0.0.9",)), store) == 410
    assert forwarded(Settings(refresher=False, trusted_proxies=("10.0.0.8",)), store) == 429


def test_a_large_body_is_refused_in_json(app):
    answer = browser(app).post("/login", content=b"x" * (1 << 20) + b"x")
    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"


def test_a_large_body_without_a_length_is_refused_too(app):
    def chunks():
        for _ in range(40):
            yield b"x" * (1 << 15)

    assert browser(app).post("/login", content=chunks()).status_code == 413


def test_uploads_may_be_larger(store):
    app = create_app(store, Settings(refresher=False, body_limit=1000, upload_limit=5000))
    client = browser(app)
    assert client.post("/api/v1/campaigns", content=b"x" * 4000).status_code == 401
    assert client.post("/api/v1/campaigns", content=b"x" * 6000).status_code == 413
    assert client.post("/login", content=b"x" * 4000).status_code == 413


@pytest.mark.parametrize("body", [b"[" * 50_000, b'{"a":' * 50_000, b'{"a":[' * 40 + b"]}" * 40])
def test_deep_json_is_refused(app, body):
    answer = browser(app).post(
        "/api/v1/campaigns", content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400
    assert "nested deeper" in answer.json()["error"]["message"]


def test_a_wrong_length_is_no_way_in(app):
    headers = {"content-length": "12a"}
    assert browser(app).post("/login", content=b"x", headers=headers).status_code in (400, 403)


def test_a_flood_of_passwords_takes_two_places_only(app, monkeypatch):
    monkeypatch.setattr("rankwise.server.web.limits.HASH_WAIT", 0.01)
    attempts = app.state.attempts
    with attempts.hashing(), attempts.hashing():
        answer = tries(app, ["owner"])[0]
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
    assert tries(app, ["owner"])[0].status_code == 403
