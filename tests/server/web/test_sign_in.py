"""Coming in: links that looking does not use up, passwords, sessions that end when they should."""

import re

import pytest

from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore, now_ms
from rankwise.server.web.app import create_app
from server.conftest import Clock
from web_client import BROWSER, browser, come_in, csrf_of, post
from web_world import PASSWORD, small_plan, small_testset

HOUR = 3_600_000


@pytest.fixture
def campaign(store):
    made = store.campaigns.add(small_plan("first"), small_testset(), actor="test")
    return store.campaigns.set_state(made.slug, "open", actor="test")


@pytest.fixture
def link(store, campaign):
    return f"/j/{store.judges.invite(campaign.id, name='Ann', actor='test')[1]}"


@pytest.fixture
def setup_link(store):
    return f"/setup/{store.accounts.create('owner', 'owner', 'test')[1]}"


def cookies(answer):
    """The cookies that an answer sets: name to attributes."""
    headers = answer.headers.get_list("set-cookie")
    return {header.split("=")[0]: header for header in headers}


def test_looking_at_a_link_changes_nothing(app, store, link):
    client = browser(app)
    for _ in range(3):
        page = client.get(link, headers=BROWSER)
        assert page.status_code == 200
        assert "rankwise_judge" not in cookies(page)
    assert client.get("/judge", headers=BROWSER).status_code == 401
    assert "sign-in" not in {event.action for event in store.events.list()}


def test_a_link_signs_in_and_leads_to_a_clean_address(app, link):
    client = browser(app)
    answer = post(client, link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/judge")
    assert client.get("/judge/session").status_code == 200
    assert link.split("/")[-1] not in client.get("/judge", headers=BROWSER).text


def test_a_link_works_on_a_second_device(app, link):
    first, second = come_in(app, link), come_in(app, link)
    assert first.get("/judge/session").status_code == 200
    assert second.get("/judge/session").status_code == 200


def test_our_own_page_may_open_a_link_again_without_a_token(app, link):
    client = browser(app)
    assert client.post(link).status_code == 403
    assert client.post(link, headers={"origin": "https://evil.example"}).status_code == 403
    assert client.post(link, headers={"origin": "http://testserver"}).status_code == 303


def test_signing_in_again_ends_the_session_before(app, link):
    client = come_in(app, link)
    before = client.cookies["rankwise_judge"]
    post(client, link)
    assert client.cookies["rankwise_judge"] != before
    other = browser(app, cookies={"rankwise_judge": before})
    assert other.get("/judge/session").status_code == 401


def test_a_revoked_judge_is_out_at_once(app, store, campaign, link):
    client = come_in(app, link)
    store.judges.revoke(store.judges.judges(campaign.id)[0].id, "test")
    assert client.get("/judge/session").status_code == 401
    assert client.get(link, headers=BROWSER).status_code == 410


def test_the_cookie_is_hidden_from_scripts_and_other_sites(app, link):
    header = cookies(post(browser(app), link))["rankwise_judge"]
    assert "HttpOnly" in header
    assert "SameSite=lax" in header
    assert "Path=/" in header
    assert "Secure" not in header
    assert "Domain" not in header


def test_over_https_the_cookie_is_secure_and_bound_to_the_host(store, link):
    app = create_app(store, Settings(base_url="https://rank.example", refresher=False))
    client = browser(app, base_url="https://rank.example")
    answer = post(client, link)
    header = cookies(answer)["__Host-rankwise_judge"]
    assert "Secure" in header
    assert answer.headers["strict-transport-security"].startswith("max-age=")
    # a browser that names no origin at all is not believed there
    assert client.post(link).json()["error"]["code"] == "cross_origin"


def test_a_set_up_link_works_once(app, setup_link):
    client = browser(app)
    assert "Welcome, owner" in client.get(setup_link, headers=BROWSER).text
    answer = post(client, setup_link, {"password": PASSWORD, "again": PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert client.get("/account", headers=BROWSER).status_code == 200
    assert browser(app).get(setup_link, headers=BROWSER).status_code == 410


@pytest.mark.parametrize(
    ("password", "again", "says"),
    [
        ("short", "short", "at least 12 characters"),
        ("aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "different characters"),
        ("a   b   c   d   e", "a   b   c   d   e", "spaces in a row count as one"),
        ("a good one " * 12, "a good one " * 12, "128 characters at most"),
        ("passwordPASSWORD", "passwordPASSWORD", "over and over"),
        ("123456789012", "123456789012", "a row of keys"),
        (PASSWORD, PASSWORD + "x", "differ"),
    ],
)
def test_a_weak_password_is_refused_and_the_link_stays(app, setup_link, password, again, says):
    client = browser(app)
    answer = post(client, setup_link, {"password": password, "again": again})
    assert answer.status_code == 422
    assert says in answer.text
    assert client.get(setup_link, headers=BROWSER).status_code == 200


LONG = " ".join(str(number * number) for number in range(12, 37)) + "  wörter und ねこ 🙂."


@pytest.mark.parametrize("chosen", ["wörter mit 🙂  und ねこ", LONG])
def test_a_long_password_of_any_letters_is_taken_as_it_is(app, setup_link, chosen):
    fields = {"password": chosen, "again": chosen}
    assert post(browser(app), setup_link, fields).status_code == 303
    assert log_in(browser(app), password=chosen).status_code == 303
    assert log_in(browser(app), password=chosen[:-1]).status_code == 403
    assert log_in(browser(app), password=chosen.replace("  ", " ")).status_code == 403


@pytest.fixture
def owner(app, setup_link):
    client = browser(app)
    post(client, setup_link, {"password": PASSWORD, "again": PASSWORD})
    return client


def log_in(client, name="owner", password=PASSWORD, **fields):
    return post(client, "/login", {"name": name, "password": password, **fields})


def test_the_password_signs_in(app, owner):
    client = browser(app)
    assert log_in(client, password="wrong password!").status_code == 403
    assert client.get("/account", headers=BROWSER).headers["location"] == "/login?next=/account"
    answer = log_in(client, next="/account")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    assert client.get("/account", headers=BROWSER).status_code == 200


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_signing_in_leads_to_no_other_site(app, owner, to):
    assert log_in(browser(app), next=to).headers["location"] == "/"


def test_an_unknown_name_and_a_wrong_password_look_the_same(app, owner):
    def words(answer):
        return re.sub(r'(?:value|content)="[^"]*"', "", answer.text)

    wrong, unknown = log_in(browser(app), password="x" * 20), log_in(browser(app), name="nobody")
    assert (wrong.status_code, words(wrong)) == (unknown.status_code, words(unknown))


def test_signing_out_ends_the_session_on_the_server(app, owner):
    secret = owner.cookies["rankwise_session"]
    token = csrf_of(owner.get("/account", headers=BROWSER).text)
    assert owner.post("/logout", data={"csrf": token}, headers=BROWSER).status_code == 303
    again = browser(app, cookies={"rankwise_session": secret})
    assert again.get("/account").status_code == 401


def test_signing_out_everywhere_ends_every_session(app, owner):
    other = browser(app)
    log_in(other)
    token = csrf_of(owner.get("/account", headers=BROWSER).text)
    fields = {"csrf": token}
    owner.post("/account/sign-out-everywhere", data=fields, headers=BROWSER)
    assert other.get("/account").status_code == 401
    assert owner.get("/account").status_code == 401


def test_a_new_password_ends_the_other_sessions(app, owner):
    other = browser(app)
    log_in(other)
    token = csrf_of(owner.get("/account", headers=BROWSER).text)
    new = "another good password"
    fields = {"csrf": token, "password": new, "again": new}
    wrong = owner.post("/account/password", data={**fields, "current": "no"}, headers=BROWSER)
    assert "current password is wrong" in wrong.text
    fine = owner.post("/account/password", data={**fields, "current": PASSWORD}, headers=BROWSER)
    assert fine.status_code == 303
    assert other.get("/account").status_code == 401
    assert owner.get("/account").status_code == 200
    assert log_in(browser(app)).status_code == 403
    assert log_in(browser(app), password=new).status_code == 303


def test_a_new_password_asks_for_the_present_one(app, owner):
    csrf = csrf_of(owner.get("/account", headers=BROWSER).text)
    new = {"csrf": csrf, "current": "not the password", "password": PASSWORD[::-1]}
    new["again"] = new["password"]
    answer = owner.post("/account/password", data=new, headers=BROWSER)
    assert answer.status_code != 303
    assert "The current password is wrong." in answer.text
    assert owner.get("/account", headers=BROWSER).status_code == 200


def test_sessions_end_after_hours_and_after_idleness(store, setup_link):
    time = [now_ms()]
    clocked = CampaignStore(store.database, clock=lambda: time[0])
    settings = Settings(session_hours=12, idle_hours=4, refresher=False)
    client = browser(create_app(clocked, settings))
    post(client, setup_link, {"password": PASSWORD, "again": PASSWORD})
    for _ in range(3):
        time[0] += int(3.9 * HOUR)
        assert client.get("/account").status_code == 200
    time[0] += int(0.5 * HOUR)
    assert client.get("/account").status_code == 401
    log_in(client)
    time[0] += int(4.1 * HOUR)
    assert client.get("/account").status_code == 401


def test_a_token_is_shown_once_and_kept_as_a_hash(app, store, owner):
    page = owner.get("/account", headers=BROWSER).text
    fields = {"csrf": csrf_of(page), "name": "nightly", "scopes": ["read"]}
    shown = owner.post("/account/tokens", data=fields, headers=BROWSER).text
    token = re.search(r'id="secret">(rw_[\w-]+)<', shown)[1]
    assert token not in owner.get("/account", headers=BROWSER).text
    bearer = {"authorization": f"Bearer {token}"}
    assert browser(app).get("/api/v1/campaigns", headers=bearer).status_code == 200
    number = store.accounts.tokens(store.accounts.all()[0].id)[0].id
    owner.post(f"/account/tokens/{number}/revoke", data=fields, headers=BROWSER)
    assert browser(app).get("/api/v1/campaigns", headers=bearer).status_code == 401
    assert token.encode() not in store.database.path.read_bytes()


def test_the_owner_adds_and_disables_an_organiser(app, store, owner):
    token = csrf_of(owner.get("/account", headers=BROWSER).text)
    shown = owner.post("/accounts", data={"csrf": token, "name": "Bo"}, headers=BROWSER).text
    link = re.search(r'id="secret">http://127.0.0.1:8000(/setup/[\w-]+)<', shown)[1]
    organiser = browser(app)
    post(organiser, link, {"password": PASSWORD, "again": PASSWORD})
    page = organiser.get("/account", headers=BROWSER).text
    assert "Organisers" not in page
    assert organiser.post("/accounts", data={"csrf": csrf_of(page), "name": "C"}).status_code == 403
    number = next(one.id for one in store.accounts.all() if one.name == "Bo")
    owner.post(f"/accounts/{number}/disable", data={"csrf": token}, headers=BROWSER)
    assert organiser.get("/account").status_code == 401
    assert log_in(browser(app), name="Bo").status_code == 403


def test_an_organiser_may_be_a_judge_in_the_same_browser(owner, link):
    post(owner, link)
    assert owner.get("/judge/session").status_code == 200
    assert owner.get("/account").status_code == 200


def test_a_session_ends_with_the_link_it_came_by(store, campaign):
    clock = Clock()
    store = CampaignStore(store.database, clock=clock)
    app = create_app(store, Settings(refresher=False))
    _, token = store.judges.invite(campaign.id, days=0.1, actor="test")
    client = come_in(app, f"/j/{token}")
    clock.pass_seconds(2 * 3600)
    assert client.get("/judge/session").status_code == 200
    clock.pass_seconds(3600)
    assert client.get("/judge/session").status_code == 401


@pytest.mark.parametrize("name", [" ", "\u2028", "a\nb", "\x07"])
def test_an_account_has_a_name_that_can_be_seen(app, store, owner, name):
    token = csrf_of(owner.get("/account", headers=BROWSER).text)
    answer = owner.post("/accounts", data={"csrf": token, "name": name}, headers=BROWSER)
    assert answer.status_code == 422
    assert [account.name for account in store.accounts.all()] == ["owner"]


def test_with_a_session_the_cookie_of_a_form_proves_nothing(app, store, owner):
    # a host beside ours can set a cookie for us, and then knows what is in it
    owner.cookies.set("rankwise_form", "planted")
    fields = {"csrf": "planted", "name": "Eve"}
    assert owner.post("/accounts", data=fields, headers=BROWSER).status_code == 403
    assert len(store.accounts.all()) == 1
    stranger = browser(app, cookies={"rankwise_form": "planted"})
    tried = {"csrf": "planted", "name": "owner", "password": PASSWORD}
    assert stranger.post("/login", data=tried, headers=BROWSER).status_code == 303


@pytest.mark.parametrize("origin", ["http://[", "http://]", "[", "http://[::1", "http://a b/"])
def test_an_origin_that_is_none_is_another_site(app, owner, origin):
    answer = owner.post("/logout", headers={"origin": origin})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "cross_origin")


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**30, 0])
@pytest.mark.parametrize(
    "path",
    [
        "/accounts/{}/setup",
        "/accounts/{}/disable",
        "/account/tokens/{}/revoke",
        "/campaigns/first/people/{}/exclude",
        "/campaigns/first/viewers/{}/revoke",
    ],
)
def test_a_number_that_no_database_holds_is_a_wrong_one(owner, campaign, path, number):
    token = csrf_of(owner.get("/account", headers=BROWSER).text)
    fields = {"csrf": token, "reason": "x"}
    assert owner.post(path.format(number), data=fields).status_code in (404, 422)
