"""How often somebody may fail, how much a request may bring, and whom the server believes."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette import formparsers

from rankwise.errors import StoreError
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from rankwise.server.web.bodies import unfit_json
from web_client import BROWSER, browser, csrf_of, post
from web_world import PASSWORD, small_plan, small_testset


@pytest.fixture(autouse=True)
def still(store, monkeypatch):
    """Failures are counted by the minute: whatever a busy machine takes is the same moment."""
    moment = store.clock()
    monkeypatch.setattr(store, "clock", lambda: moment)
    monkeypatch.setattr(store.tries, "_clock", lambda: moment)


@pytest.fixture
def owner_exists(app, store):
    _, token = store.accounts.create("owner", "owner", "test")
    post(browser(app), f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})


def tries(app, names, *, address="10.0.0.1"):
    client = browser(app, client=(address, 50000))
    token = csrf_of(client.get("/login", headers=BROWSER).text)
    fields = {"csrf": token, "password": "wrong"}
    return [client.post("/login", data={**fields, "name": name}) for name in names]


def test_an_account_can_be_tried_five_times_a_minute_from_an_address(app, owner_exists):
    answers = tries(app, ["owner"] * 7)
    assert [answer.status_code for answer in answers] == [403] * 5 + [429] * 2
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 61
    elsewhere = browser(app, client=("10.0.0.2", 50000))
    fields = {"name": "owner", "password": PASSWORD}
    assert post(elsewhere, "/login", fields).status_code == 303


def test_many_tries_at_once_are_no_more_than_one_after_the_other(app, store, monkeypatch):
    looked_at = []
    monkeypatch.setattr(store.accounts, "verify", lambda *given: looked_at.append(given))
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: tries(app, ["owner"])[0].status_code, range(16)))
    assert (len(looked_at), found.count(403), found.count(429)) == (5, 5, 11)


def test_a_right_password_is_no_failed_try(app, owner_exists):
    for _ in range(12):
        fields = {"name": "owner", "password": PASSWORD}
        assert post(browser(app), "/login", fields).status_code == 303


def test_a_network_of_ipv6_is_one_address(app, owner_exists):
    found = [tries(app, ["owner"], address=f"2001:db8::{n}")[0].status_code for n in range(1, 8)]
    assert found == [403] * 5 + [429] * 2
    assert tries(app, ["owner"], address="2001:db8:0:1::1")[0].status_code == 403


def test_an_account_has_a_generous_limit_for_all_addresses(app, owner_exists):
    found = [tries(app, ["owner"], address=f"10.0.1.{n}")[0].status_code for n in range(62)]
    assert found == [403] * 60 + [429] * 2


def test_whoever_is_in_is_not_kept_from_a_new_password(app, store):
    _, token = store.accounts.create("owner", "owner", "test")
    owner = browser(app)
    post(owner, f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})
    for n in range(62):
        tries(app, ["owner"], address=f"10.0.1.{n}")
    tries(app, ["owner"] * 6, address="testclient")
    csrf = csrf_of(owner.get("/account", headers=BROWSER).text)
    new = {"csrf": csrf, "current": PASSWORD, "password": PASSWORD[::-1], "again": PASSWORD[::-1]}
    assert owner.post("/account/password", data=new, headers=BROWSER).status_code == 303


def test_an_address_can_try_ten_accounts_a_minute(app):
    answers = tries(app, [f"name {n}" for n in range(12)])
    assert [answer.status_code for answer in answers] == [403] * 10 + [429] * 2
    assert tries(app, ["other"], address="10.0.0.2")[0].status_code == 403


@pytest.mark.parametrize("path", ["/j/guess", "/v/guess", "/setup/guess"])
def test_links_cannot_be_guessed(app, path):
    client = browser(app)
    found = [client.get(f"{path}{n}").status_code for n in range(12)]
    assert found == [410] * 10 + [429] * 2


def test_dead_links_keep_nobody_from_a_live_one(app, store):
    campaign = store.campaigns.add(small_plan("alive"), small_testset(), actor="test")
    _, token = store.judges.invite(campaign.id, actor="test")
    assert [browser(app).get(f"/j/dead{n}").status_code for n in range(11)][-1] == 429
    assert post(browser(app), f"/j/{token}").status_code == 303


def test_a_room_full_of_judges_gets_in(app, store):
    campaign = store.campaigns.add(small_plan("room"), small_testset(), actor="test")
    for _ in range(15):
        _, token = store.judges.invite(campaign.id, actor="test")
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


def pieces(sent, size, count):
    """A body without a length, which notes how much of it was taken."""
    for _ in range(count):
        sent.append(size)
        yield b"x" * size


@pytest.fixture
def small(store):
    return create_app(store, Settings(refresher=False, body_limit=1000, upload_limit=5000))


def test_uploads_may_be_larger_with_a_token(small, store):
    number, _ = store.accounts.create("owner", "owner", "test")
    bearer = {"authorization": f"Bearer {store.accounts.add_token(number, 'x', ['manage'])}"}
    client = browser(small, headers=bearer)
    assert client.post("/api/v1/campaigns", content=b"x" * 4000).status_code == 422
    assert client.post("/api/v1/campaigns", content=pieces([], 500, 8)).status_code == 422
    assert client.post("/api/v1/campaigns", content=b"x" * 6000).status_code == 413
    assert client.post("/api/v1/campaigns", content=pieces([], 500, 12)).status_code == 413
    assert client.post("/login", content=b"x" * 4000).status_code == 413


def test_uploads_may_be_larger_with_an_account_session(small, store):
    _, token = store.accounts.create("owner", "owner", "test")
    client = browser(small)
    post(client, f"/setup/{token}", {"password": PASSWORD, "again": PASSWORD})
    # it is read, and refused for want of the form's token only
    assert client.post("/campaigns/new", content=b"x" * 4000).status_code == 403


@pytest.mark.parametrize("path", ["/campaigns/new", "/api/v1/campaigns"])
def test_nothing_large_is_read_from_strangers(small, store, path):
    strangers = [{}, {"authorization": "Bearer rw_guess"}, {"cookie": "rankwise_session=guess"}]
    for headers in strangers:
        client = browser(small, headers=headers)
        answer = client.post(path, content=b"x" * 4000)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "signed_out")
        assert client.post(path, content=pieces([], 500, 8)).status_code == 401


def test_a_large_body_while_the_store_fails_is_503(small, store, monkeypatch, caplog):
    def fail(_):
        raise StoreError("gone")

    monkeypatch.setattr(store.accounts, "by_token", fail)
    headers = {"authorization": "Bearer rw_x"}
    answer = browser(small).post("/api/v1/campaigns", content=b"x" * 4000, headers=headers)
    assert answer.status_code == 503


MEBIBYTE = 1 << 20


@pytest.mark.parametrize(
    "body",
    [
        b'"' + b'\\"' * (MEBIBYTE // 2),
        b'"' * MEBIBYTE,
        b'"\\' * (MEBIBYTE // 2),
        b"[]" * (MEBIBYTE // 2),
        b'"a' * (MEBIBYTE // 2),
    ],
)
def test_hostile_json_takes_linear_time(body):
    begun = time.thread_time()
    assert unfit_json(body, depth=32) is None
    assert time.thread_time() - begun < 4  # 0.2 s


def test_brackets_in_strings_do_not_count():
    assert unfit_json(rb'["[[[", "\"[[[", "\\", {"[": "]"}]', depth=2) is None
    assert unfit_json(rb'["\\", [[', depth=2) == (400, "The JSON is nested deeper than 2 levels.")


@pytest.mark.parametrize("body", [b"[" * 50_000, b'{"a":' * 50_000, b'{"a":[' * 40 + b"]}" * 40])
def test_deep_json_is_refused(app, body):
    answer = browser(app).post(
        "/api/v1/campaigns", content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code == 400
    assert "nested deeper" in answer.json()["error"]["message"]


def test_deep_json_is_refused_however_its_type_is_written(app):
    headers = {"content-type": "Application/JSON"}
    answer = browser(app).post("/api/v1/campaigns", content=b"[" * 50_000, headers=headers)
    assert answer.status_code == 400


def test_many_small_values_are_refused_before_they_are_parsed(store):
    app = create_app(store, Settings(refresher=False, json_values=100))
    headers = {"content-type": "application/json"}
    found = browser(app).post("/api/v1/campaigns", content=b"[" + b"0," * 100, headers=headers)
    assert (found.status_code, found.json()["error"]["code"]) == (413, "too_large")
    fine = b'["' + b"," * 1000 + b'"]'
    assert browser(app).post("/api/v1/campaigns", content=fine, headers=headers).status_code == 401


def test_a_form_of_nothing_but_separators_is_refused_before_it_is_parsed(app):
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert browser(app).post("/login", content=b"&" * (1 << 19), headers=headers).status_code == 400


@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("/campaigns/none/systems", {}, 404),  # refused before anybody reads it
        ("/account/password", {}, 422),  # none of its fields is a file
        ("/campaigns/new", {"csrf": "another"}, 403),
    ],
)
def test_files_of_a_form_are_closed_whoever_refuses_it(owner, monkeypatch, path, sent, status):
    kept, opened = formparsers.SpooledTemporaryFile, []
    monkeypatch.setattr(
        formparsers,
        "SpooledTemporaryFile",
        lambda *given, **named: opened.append(kept(*given, **named)) or opened[-1],
    )
    fields = {"csrf": csrf_of(owner.get("/", headers=BROWSER).text), **sent}
    answer = owner.post(path, data=fields, files={"source": b"a"}, headers=BROWSER)
    assert answer.status_code == status
    assert [file.closed for file in opened] == [True]


def test_a_wrong_length_is_no_way_in(app):
    headers = {"content-length": "12a"}
    assert browser(app).post("/login", content=b"x", headers=headers).status_code in (400, 403)


def test_a_flood_of_passwords_takes_two_places_only(app, monkeypatch):
    monkeypatch.setattr("rankwise.server.web.auth.try_limits.HASH_WAIT", 0.01)
    attempts = app.state.attempts
    with attempts.hashing(), attempts.hashing():
        answer = tries(app, ["owner"])[0]
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "busy")
    assert tries(app, ["owner"])[0].status_code == 403
