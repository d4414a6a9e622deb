"""Links by mail for programs, of campaigns and of events."""

import pytest

from rankwise.server.mail_server import MailServer
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.web.app import create_app
from web_client import browser
from web_world import small_plan, small_testset

SERVER = MailServer("127.0.0.1", 1, "wmt@example.org", security="none", per_minute=6e6)
WORDS = {"subject": "Your link", "text": "Here: {link}"}


@pytest.fixture
def filled(store: CampaignStore) -> CampaignStore:
    """A campaign and an event of another one, each with somebody who has an address."""
    for name in ("single", "pair"):
        store.campaigns.add(small_plan(name), small_testset(), actor="test")
        store.campaigns.set_state(name, "open", actor="test")
    event = store.groups.add("WMT 27", ["pair"], actor="test")
    store.groups.invite(event, name="Ann", email="ann@example.org", actor="test")
    campaign = store.campaigns.get("single")
    store.judges.invite(campaign.id, name="Bob", email="bob@example.org", actor="test")
    return store


def program(store, *, mail=SERVER):
    number, _ = store.accounts.create("owner", "owner", "test")
    token = store.accounts.add_token(number, "all", ["read", "manage"])
    app = create_app(store, Settings(base_url="http://testserver", refresher=False, mail=mail))
    return browser(app, headers={"authorization": f"Bearer {token}"})


def one_of(store, kind):
    """The address of a campaign or an event, of somebody in it, and how it is named there."""
    if kind == "events":
        return "/api/v1/events/wmt-27", "people/1", ("person", 1)
    (judge,) = store.judges.judges(store.campaigns.get("single").id)
    return "/api/v1/campaigns/single", f"judges/{judge.pseudonym}", ("judge", judge.pseudonym)


KINDS = pytest.mark.parametrize("kind", ["campaigns", "events"])


@KINDS
def test_everybody_new_is_written_to_once(filled, kind):
    api = program(filled)
    path, _, named = one_of(filled, kind)
    assert api.get(f"{path}/mails").json() == []
    asked = api.post(f"{path}/mails", json=WORDS)
    assert (asked.status_code, asked.json()) == (202, {"asked": 1})
    (mail,) = api.get(f"{path}/mails").json()
    assert (mail[named[0]], mail["state"], mail["tries"]) == (named[1], "waiting", 0)
    again = api.post(f"{path}/mails", json=WORDS)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "no_mail")
    mails = filled.event_mails if kind == "events" else filled.mails
    assert mails.words(mails.due()[0]).text == "Here: {link}\n"
    assert "@example" not in api.get(f"{path}/mails").text


@KINDS
def test_one_is_written_to_in_the_words_of_last_time(filled, kind):
    api = program(filled)
    path, who, _ = one_of(filled, kind)
    asked = api.post(f"{path}/{who}/mail", json={})
    assert (asked.status_code, asked.json()) == (202, {"asked": 1})
    mails = filled.event_mails if kind == "events" else filled.mails
    (mail,) = mails.due()
    assert "You are invited" in mails.words(mail).text
    mails.settle(mail, "failed", "550 no")
    assert api.get(f"{path}/mails").json()[0]["why"] == "550 no"
    assert api.post(f"{path}/{who}/mail", json=WORDS).status_code == 202


@KINDS
@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        ({"subject": "s"}, 422, "give subject and text, or neither"),
        ({"subject": "s", "text": "no place"}, 422, "0 times; expected once"),
        ({"whom": "everybody"}, 422, ""),
        ({"whom": "silent"}, 409, "Nobody was written to"),
        ({"to": ["x@example.org"]}, 422, "to"),
        ({"subject": "s", "text": "x" * 100_001}, 422, "100000"),
    ],
)
def test_what_cannot_be_sent(filled, kind, sent, status, said):
    api = program(filled)
    path, _, _ = one_of(filled, kind)
    answer = api.post(f"{path}/mails", json=sent)
    assert (answer.status_code, said in answer.json()["error"]["message"]) == (status, True)
    assert filled.mails.due() == filled.event_mails.due() == []


@KINDS
def test_nothing_goes_out_without_a_mail_server_or_to_what_is_closed(filled, kind):
    path, who, _ = one_of(filled, kind)
    api = program(filled, mail=None)
    for address in (f"{path}/mails", f"{path}/{who}/mail"):
        refused = api.post(address, json={}).json()["error"]
        assert refused["code"] == "no_mail_server"
    for name in ("single", "pair"):
        filled.campaigns.set_state(name, "closed", actor="test")
    api.app.state.settings = Settings(base_url="http://testserver", refresher=False, mail=SERVER)
    for address in (f"{path}/mails", f"{path}/{who}/mail"):
        refused = api.post(address, json={})
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "not_open")


@pytest.mark.parametrize("name", ["WMT \ue000", "WMT\u202e27", "WMT \U0001fae9", "W\u0378"])
def test_whatever_an_event_is_called_its_people_are_written_to(filled, name):
    event = filled.groups.add(name, ["single"], actor="test")
    filled.groups.invite(event, name="Cy", email="cy@example.org", actor="test")
    asked = program(filled).post(f"/api/v1/events/{event.slug}/mails", json={})
    assert (asked.status_code, asked.json()) == (202, {"asked": 1})
    (mail,) = filled.event_mails.due()
    subject = filled.event_mails.words(mail).subject
    assert subject.isprintable()
    assert subject.startswith("W")
