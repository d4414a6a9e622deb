"""Links by mail from the organiser's page: whom, in which words, and how every mail stands."""

import re
import time
from dataclasses import replace
from html import unescape

import pytest

from rankwise.server.campaign.launch.link_mail import usual_words
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.mail_server import MailServer
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from smtp_server import smtp_server
from web_client import BROWSER, TestClient, session_csrf

SERVER = MailServer("127.0.0.1", 1, "wmt@example.org", security="none", per_minute=6e6)
TEXT = "Bonjour,\r\n{link}\r\n"


@pytest.fixture
def app(store):
    settings = Settings(base_url="http://testserver", refresher=False, mail=SERVER)
    return create_app(store, settings)


def send(client, path, **fields):
    data = {"csrf": session_csrf(client, "/"), **fields}
    return client.post(path, data=data, headers=BROWSER)


def page(client, campaign):
    answer = client.get(f"/campaigns/{campaign.slug}/people", headers=BROWSER)
    assert answer.status_code == 200
    return answer.text


def field(text, name):
    """What a field of the form holds."""
    found = re.search(rf'name="{name}"[^>]*value="([^"]*)"|name="{name}"[^>]*>([^<]*)<', text)
    return unescape(found[1] or found[2])


def test_without_a_mail_server_nothing_speaks_of_mail(store, organiser, campaign):
    plain = create_app(store, Settings(base_url="http://testserver", refresher=False))
    client = TestClient(plain, cookies=organiser.cookies, follow_redirects=False)
    store.judges.invite(campaign.id, email="ann@example.org", actor="test")
    assert "by mail" not in page(client, campaign)
    answer = send(client, f"/campaigns/{campaign.slug}/mail", whom="new", subject="s", text=TEXT)
    assert answer.status_code == 409 and "no mail server" in answer.text
    given = {"names": "Bob <bob@example.org>", "mail": "true"}
    assert send(client, f"/campaigns/{campaign.slug}/invite", **given).status_code == 409
    assert len(store.judges.judges(campaign.id)) == 1


def test_the_form_has_the_usual_words_and_then_those_of_last_time(store, organiser, campaign):
    store.judges.invite(campaign.id, name="Ann", email="ann@example.org", actor="test")
    text = page(organiser, campaign)
    assert "has not come (1)" in text
    assert field(text, "subject") == campaign.name
    assert "{link}" in field(text, "text")
    path = f"/campaigns/{campaign.slug}/mail"
    answer = send(organiser, path, whom="new", subject="Votre lien", text=TEXT)
    assert answer.status_code == 303
    text = page(organiser, campaign)
    assert field(text, "subject") == "Votre lien" and "Bonjour," in field(text, "text")
    assert "mail waiting" in text and "has not come (0)" in text
    assert "Waiting to be sent: 1." in text
    assert send(organiser, path, whom="new", subject="Votre lien", text=TEXT).status_code == 409


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        ({"text": "no place"}, 422, "0 times; expected once"),
        ({"subject": " "}, 422, "the subject of the mail is empty"),
        ({"whom": "everybody"}, 422, ""),
        ({"whom": "silent"}, 409, "Nobody was written to"),
    ],
)
def test_what_cannot_be_sent(store, organiser, campaign, fields, code, message):
    store.judges.invite(campaign.id, email="ann@example.org", actor="test")
    given = {"whom": "new", "subject": "Your link", "text": TEXT, **fields}
    answer = send(organiser, f"/campaigns/{campaign.slug}/mail", **given)
    assert answer.status_code == code and message in unescape(answer.text)
    assert store.mails.of(campaign.id) == {}


def test_who_is_invited_by_mail_gets_it_and_the_others_links_are_shown(store, organiser, campaign):
    given = {"names": "Ann <ann@example.org>\nBob", "mail": "true"}
    answer = send(organiser, f"/campaigns/{campaign.slug}/invite", **given)
    assert answer.status_code == 200 and answer.text.count("data-link") == 1
    assert "ann@example.org" not in answer.text
    ann, _ = store.judges.judges(campaign.id)
    assert [mail.recipient for mail in store.mails.due()] == [ann.id]
    given = {"names": "Eve <eve@example.org>", "mail": "true"}
    assert send(organiser, f"/campaigns/{campaign.slug}/invite", **given).status_code == 303
    assert len(store.mails.due()) == 2


def test_one_judge_gets_a_new_link(store, organiser, campaign):
    ann, _ = store.judges.invite(campaign.id, email="ann@example.org", actor="test")
    bob, _ = store.judges.invite(campaign.id, name="Bob", actor="test")
    path = f"/campaigns/{campaign.slug}/people"
    assert f"{path}/{ann.id}/mail" in page(organiser, campaign)
    assert f"{path}/{bob.id}/mail" not in page(organiser, campaign)
    assert send(organiser, f"{path}/{ann.id}/mail").status_code == 303
    assert send(organiser, f"{path}/{ann.id}/mail").status_code == 409  # one is under way
    assert send(organiser, f"{path}/{bob.id}/mail").status_code == 409
    assert len(store.mails.due()) == 1


@pytest.mark.parametrize("state", ["draft", "closed"])
def test_nobody_is_called_to_where_nobody_can_judge(store, organiser, campaign, state):
    if state == "closed":
        store.campaigns.set_state(campaign.slug, "closed", actor="test")
    else:
        testset = store.campaigns.testset(campaign.id)
        plan = replace(campaign.plan, slug="other", name="Other")
        campaign = store.campaigns.add(plan, testset, actor="test")
    judge, _ = store.judges.invite(campaign.id, email="ann@example.org", actor="test")
    assert 'name="whom"' not in page(organiser, campaign)
    path = f"/campaigns/{campaign.slug}"
    given = {"whom": "new", "subject": "s", "text": TEXT}
    for where, fields in (("/mail", given), (f"/people/{judge.id}/mail", {})):
        answer = send(organiser, path + where, **fields)
        assert answer.status_code == 409 and f"The campaign is {state}" in answer.text


def test_why_a_mail_failed_is_shown_and_harmless(store, organiser, campaign):
    store.judges.invite(campaign.id, email="ann@example.org", actor="test")
    given = {"whom": "new", "subject": "s", "text": TEXT}
    send(organiser, f"/campaigns/{campaign.slug}/mail", **given)
    store.mails.settle(store.mails.due()[0], "failed", "550 <script>no</script>")
    text = page(organiser, campaign)
    assert "mail failed" in text and "550 &lt;script&gt;no&lt;/script&gt;" in text
    trail = organiser.get(f"/campaigns/{campaign.slug}/audit", headers=BROWSER).text
    assert "mail.failed" in trail and "ann@example.org" not in trail


def test_the_usual_words_are_in_the_campaigns_language():
    keys = {"name": "Versuch", "source_language": "de", "target_language": "en"}
    plain, german = (
        usual_words("Versuch", [Plan.from_json(keys | {"language": code})]) for code in ("", "de")
    )
    assert "You are invited to judge translations." in plain.text
    assert "Sie sind eingeladen, Übersetzungen zu beurteilen." in german.text
    assert plain.subject == german.subject == "Versuch"


def test_the_server_sends_while_it_runs(store, campaign):
    store.judges.invite(campaign.id, email="ann@example.org", actor="test")
    judges = [judge.id for judge in store.mails.whom(campaign.id, "new")]
    store.mails.ask(campaign.id, judges, usual_words(campaign.name, [campaign.plan]), "test")
    with smtp_server() as told:
        mail = replace(SERVER, port=told.port)
        app = create_app(store, Settings(base_url="http://testserver", mail=mail))
        with TestClient(app):
            limit = time.monotonic() + 20
            while not told.mails and time.monotonic() < limit:
                time.sleep(0.02)
        assert told.to() == ["ann@example.org"]
        link = re.search(r"http://testserver(/j/\S+)", told.texts()[0])[1]
    assert store.judges.by_link(link.removeprefix("/j/")) is not None
