"""Links by mail of an event: its page, what arrives, and what the record and the log have."""

import re
from html import unescape

import pytest

from rankwise.server.background.postman import Postman
from rankwise.server.mail_server import MailServer
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from smtp_server import smtp_server
from web_client import BROWSER, TestClient, browser, session_csrf

SERVER = MailServer("127.0.0.1", 1, "wmt@example.org", security="none", per_minute=6e6)
TEXT = "Bonjour,\r\n{link}\r\n"


@pytest.fixture
def app(store):
    settings = Settings(base_url="http://testserver", refresher=False, mail=SERVER)
    return create_app(store, settings)


@pytest.fixture
def event(store, campaign):
    """An event of the example, which is open, and of a draft."""
    store.changes.clone(campaign.slug, "Czech", actor="test")
    return store.groups.add("WMT 27", [campaign.slug, "czech"], actor="test")


def invited(store, event, name):
    email = f"{name}@example.org"
    return store.groups.invite(event, name=name, email=email, actor="test")[0]


def send(client, path, **fields):
    data = {"csrf": session_csrf(client, "/events/new"), **fields}
    return client.post(f"/events/wmt-27{path}", data=data, headers=BROWSER)


def page(client):
    answer = client.get("/events/wmt-27", headers=BROWSER)
    assert answer.status_code == 200
    return answer.text


def test_without_a_mail_server_nothing_speaks_of_mail(store, organiser, event):
    plain = create_app(store, Settings(base_url="http://testserver", refresher=False))
    client = TestClient(plain, cookies=organiser.cookies, follow_redirects=False)
    ann = invited(store, event, "ann")
    assert "by mail" not in page(client)
    given = {"whom": "new", "subject": "s", "text": TEXT}
    answers = [send(client, "/mail", **given), send(client, f"/people/{ann.id}/mail")]
    asked = {"names": "Bob <bob@example.org>", "mail": "true", "campaigns": "example"}
    answers.append(send(client, "/invite", **asked))
    assert [one.status_code for one in answers] == [409, 409, 409]
    assert all("no mail server" in one.text for one in answers)
    assert len(store.groups.people(event)) == 1


def test_a_mail_to_everybody_and_then_to_one(store, organiser, event):
    ann = invited(store, event, "ann")
    assert "has not come (1)" in page(organiser)
    answer = send(organiser, "/mail", whom="new", subject="Votre lien", text=TEXT)
    assert (answer.status_code, answer.headers["location"]) == (303, "/events/wmt-27#people")
    text = page(organiser)
    assert 'value="Votre lien"' in text and "Bonjour," in text
    assert "mail waiting" in text and "Waiting to be sent: 1." in text
    assert send(organiser, "/mail", whom="new", subject="s", text=TEXT).status_code == 409
    assert send(organiser, f"/people/{ann.id}/mail").status_code == 409  # one is under way
    store.event_mails.settle(store.event_mails.due()[0], "failed", "550 <script>no</script>")
    text = page(organiser)
    assert "mail failed" in text and "550 &lt;script&gt;no&lt;/script&gt;" in text
    assert f"/people/{ann.id}/mail" in text
    assert send(organiser, f"/people/{ann.id}/mail").status_code == 303
    assert send(organiser, "/people/99/mail").status_code == 404
    refused = send(organiser, "/mail", whom="new", subject="s", text="no place")
    assert (refused.status_code, "expected once" in unescape(refused.text)) == (422, True)


def test_who_is_invited_by_mail_gets_it_and_the_others_links_are_shown(store, organiser, event):
    given = {"names": "Ann <ann@example.org>\nBob", "mail": "true", "campaigns": ["example"]}
    answer = send(organiser, "/invite", **given)
    assert answer.status_code == 200 and answer.text.count("data-link") == 1
    assert "ann@example.org" not in answer.text
    assert [mail.label for mail in store.event_mails.due()] == ["wmt-27/1"]
    # nobody can judge in the draft yet: the link is shown, for later
    given = {"names": "Eve <eve@example.org>", "mail": "true", "campaigns": ["czech"]}
    assert "eve@example.org" in send(organiser, "/invite", **given).text
    given = {"names": "Uma <uma@example.org>", "mail": "true", "campaigns": ["example", "czech"]}
    assert send(organiser, "/invite", **given).status_code == 303
    assert len(store.event_mails.due()) == 2


def test_the_mail_brings_a_link_that_opens_the_event_and_no_log_has_it(
    store, app, organiser, event, caplog
):
    invited(store, event, "ann")
    _, old = store.groups.invite(event, name="bob", email="bob@example.org", actor="test")
    send(organiser, "/mail", whom="new", subject="Your link", text=TEXT)
    refused = {"ann@example.org": "550 5.1.1 <ann@example.org>: no such user"}
    with caplog.at_level("INFO"), smtp_server(refused=refused) as told:
        here = MailServer("127.0.0.1", told.port, "w@example.org", security="none", per_minute=6e6)
        Postman(store, here, lambda path: f"http://testserver{path}").deliver()
        assert told.to() == ["bob@example.org"]
        link = re.search(r"http://testserver(/j/\S+)", told.texts()[0])[1]
    assert "WMT 27" in browser(app).get(link, headers=BROWSER).text
    assert store.groups.by_link(old) is None
    states = {
        mail.label: (mail.state, mail.why) for mail in store.event_mails.of(event.id).values()
    }
    assert states == {
        "wmt-27/1": ("failed", "550 5.1.1 … no such user"),
        "wmt-27/2": ("sent", "250 2.0.0 kept as 1"),
    }
    token = link.removeprefix("/j/")
    assert "mail to wmt-27/2: sent" in caplog.text
    for said in (caplog.text, str(store.events.list(limit=1000)), page(organiser)):
        assert token not in said
    assert "@example" not in caplog.text + str(store.events.list(limit=1000))
