"""Mails with links over a real connection: once each, at a pace, and what goes wrong is told."""

import shutil
import ssl
import subprocess
import threading
import time

import pytest

from rankwise import DataError, StoreError
from rankwise.server.background import postman as postman_module
from rankwise.server.background.postman import PAUSES, Postman
from rankwise.server.campaign.launch.link_mail import checked_words
from rankwise.server.mail_server import MailServer, mail_server
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from smtp_server import smtp_server

WORDS = checked_words("Your link", "Dear judge,\n\n{link}\n\n.\nBest wishes, Änne\n")
MINUTE = 60_000


@pytest.fixture
def clock(store):
    """A clock that the test sets forward, for the store and for what is due."""
    now = [store.clock()]
    store.clock = lambda: now[0]
    for part in (store.mails, store.events, store.judges):
        part._clock = store.clock
    return now


def server_at(told, **more):
    more = {"security": "none", "per_minute": 6e6, **more}
    return MailServer("127.0.0.1", told.port, "wmt@example.org", "WMT", **more)


def link(path):
    return f"https://rank.example.org{path}"


def invited(store, campaign, *names):
    made = []
    for name in names:
        email = f"{name}@example.org"
        made.append(store.judges.invite(campaign.id, name=name, email=email, actor="test"))
    return made


def ask(store, campaign, judges=None, words=WORDS):
    if judges is None:
        judges = [judge.id for judge in store.mails.whom(campaign.id, "new")]
    return [one.id for one in store.mails.ask(campaign.id, judges, words, "ann")]


def deliver(store, told, **more):
    Postman(store, server_at(told, **more), link).deliver()


def states(store, campaign):
    return [mail.state for _, mail in sorted(store.mails.of(campaign.id).items())]


def token_in(text):
    return text.split("https://rank.example.org/j/")[1].split()[0]


def test_a_mail_brings_a_new_link_and_nothing_else_is_kept(store, campaign, tmp_path):
    (ann, old), (bob, _) = invited(store, campaign, "ann", "bob")
    store.judges.invite(campaign.id, name="No address", actor="test")
    assert ask(store, campaign) == [ann.id, bob.id]
    assert store.judges.by_link(old) is not None  # as long as nothing was sent
    with smtp_server() as told:
        deliver(store, told)
        assert told.to() == ["ann@example.org", "bob@example.org"]
        assert told.connections == 1
        (_, mail, raw), (_, other, _) = told.mails
    assert (mail["From"], mail["To"], mail["Subject"]) == (
        "WMT <wmt@example.org>",
        "ann@example.org",
        "Your link",
    )
    assert mail["Auto-Submitted"] == "auto-generated" and mail["Message-ID"] != other["Message-ID"]
    assert raw.isascii() and mail.get_content_type() == "text/plain"
    text = told.texts()[0]
    token = token_in(text)
    assert text == WORDS.text.replace("{link}", f"https://rank.example.org/j/{token}")
    assert store.judges.by_link(token).id == ann.id
    assert store.judges.by_link(old) is None
    found = store.mails.of(campaign.id)[ann.id]
    assert (found.state, found.why, found.tries) == ("sent", "250 2.0.0 kept as 1", 1)
    trail = store.events.list(campaign.id, 1000)
    assert not any("@example" in str(event) or token in str(event) for event in trail)
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("rankwise.db*"))
    assert token.encode() not in kept and kept.count(b"Dear judge") >= 1


def test_nobody_gets_two(store, campaign, clock):
    invited(store, campaign, "ann")
    asked = [ask(store, campaign), ask(store, campaign)]
    assert [len(one) for one in asked] == [1, 0]
    with smtp_server() as told:
        deliver(store, told)
        deliver(store, told)
        assert ask(store, campaign) == []
        assert store.mails.whom(campaign.id, "silent") == []
        clock[0] += 25 * 60 * MINUTE
        (judge,) = store.mails.whom(campaign.id, "silent")
        assert ask(store, campaign, [judge.id]) == [judge.id]
        deliver(store, told)
        assert told.to() == ["ann@example.org"] * 2
        first, second = map(token_in, told.texts())
    assert [store.judges.by_link(one) is None for one in (first, second)] == [True, False]


def test_two_at_once_send_it_once(store, campaign):
    """Two postmen who both think that it is theirs: the trail lets one of them."""
    invited(store, campaign, "ann")
    ask(store, campaign)
    (mail,) = store.mails.due()
    assert store.mails.begin(mail) is not None
    assert store.mails.begin(mail) is None
    assert store.mails.put_off(mail, "why", 0) is None
    assert store.mails.settle(mail, "failed", "why") is None


def test_who_is_refused_is_told_and_the_others_get_theirs(store, campaign):
    (ann, old), (bob, _), (eve, _) = invited(store, campaign, "ann", "bob", "eve")
    ask(store, campaign)
    refused = {
        "ann@example.org": "550 5.1.1 <ann@example.org>: no such user",
        "bob@example.org": "451 4.7.1 come later",
    }
    with smtp_server(refused=refused) as told:
        deliver(store, told)
        assert told.to() == ["eve@example.org"]
    mails = store.mails.of(campaign.id)
    assert (mails[ann.id].state, mails[ann.id].why) == ("failed", "550 5.1.1 … no such user")
    assert (mails[bob.id].state, mails[bob.id].why) == ("waiting", "451 4.7.1 come later")
    assert mails[eve.id].state == "sent"
    # nothing was handed over: the link of before still opens the page
    assert store.judges.by_link(old) is not None
    assert [judge.id for judge in store.mails.whom(campaign.id, "new")] == [ann.id]


def test_refused_for_now_is_tried_again_and_given_up_in_the_end(store, campaign, clock):
    invited(store, campaign, "ann")
    ask(store, campaign)
    with smtp_server(refused={"ann@example.org": "451 come later"}) as told:
        deliver(store, told)
        tried = 1
        for minutes in (*PAUSES, 1000):
            clock[0] += minutes * MINUTE - 1
            deliver(store, told)
            assert sum("RCPT" in line for line in told.commands) == tried
            clock[0] += 1
            deliver(store, told)
            tried = min(tried + 1, len(PAUSES) + 1)
            assert sum("RCPT" in line for line in told.commands) == tried
        assert states(store, campaign) == ["failed"]
    (mail,) = store.mails.of(campaign.id).values()
    assert mail.why == "given up after 6 tries; 451 come later"


@pytest.mark.parametrize("answer", ["554 your link {token} is spam", "451 not now {token}"])
def test_a_mail_that_is_refused_as_a_whole(store, campaign, clock, answer, monkeypatch):
    invited(store, campaign, "ann")
    ask(store, campaign)
    monkeypatch.setattr("rankwise.server.store.access.judges.new_token", lambda: "T0KEN")
    with smtp_server(refused={"content": answer.format(token="/j/T0KEN")}) as told:
        deliver(store, told)
        assert told.mails == []
        (mail,) = store.mails.of(campaign.id).values()
        assert mail.state == ("failed" if answer.startswith("5") else "waiting")
        assert "/j/…" in mail.why and "T0KEN" not in mail.why
        told.refused.clear()
        clock[0] += MINUTE
        monkeypatch.undo()
        deliver(store, told)
        assert len(told.mails) == (0 if answer.startswith("5") else 1)


@pytest.mark.parametrize("where", ["RCPT", "DATA", "half", "after"])
def test_a_connection_that_ends(store, campaign, clock, where):
    (_, old), _ = invited(store, campaign, "ann", "bob")
    ask(store, campaign)
    with smtp_server(hangs_up=where) as told:
        deliver(store, told)
        arrived = len(told.mails)
        told.hangs_up = ""
        clock[0] += 5 * MINUTE
        deliver(store, told)
        if where in ("RCPT", "DATA"):  # nothing was handed over yet: each is tried again
            assert (states(store, campaign), arrived) == (["sent", "sent"], 0)
            assert told.to() == ["ann@example.org", "bob@example.org"]
            return
        # it may have arrived, and that of 'after' did: never twice
        assert states(store, campaign) == ["unclear", "unclear"]
        assert len(told.mails) == arrived == (2 if where == "after" else 0)
    (mail, _) = store.mails.of(campaign.id).values()
    assert mail.why.startswith("it may have arrived")
    assert store.mails.whom(campaign.id, "new") == []
    assert store.judges.by_link(old) is None


def test_after_a_restart_nothing_is_lost_and_nothing_sent_again(store, campaign, tmp_path):
    """The process ended while one mail was handed over and another one waited."""
    invited(store, campaign, "ann", "bob")
    ask(store, campaign)
    store.mails.begin(store.mails.due()[0])
    store.database.close()
    database = Database.open(sqlite_url(tmp_path / "rankwise.db"))
    again = CampaignStore(database)
    try:
        with smtp_server() as told:
            deliver(again, told)
            deliver(again, told)
            assert told.to() == ["bob@example.org"]
        assert states(again, campaign) == ["unclear", "sent"]
    finally:
        database.close()


def test_no_server_at_all(store, campaign, clock):
    invited(store, campaign, "ann", "bob")
    ask(store, campaign)
    with smtp_server() as told:
        gone = server_at(told)
    Postman(store, gone, link).deliver()
    mails = list(store.mails.of(campaign.id).values())
    assert [mail.state for mail in mails] == ["waiting", "waiting"]
    assert all("Connection refused" in mail.why for mail in mails)
    assert store.mails.due() == []
    clock[0] += MINUTE
    assert len(store.mails.due()) == 2


def test_nothing_goes_out_before_the_connection_is_encrypted(store, campaign):
    invited(store, campaign, "ann")
    ask(store, campaign)
    with smtp_server(login=("ann", "s3cret")) as told:
        deliver(store, told, security="starttls", user="ann", password="s3cret")
        assert [line.split()[0] for line in told.commands] == ["EHLO"]
    (mail,) = store.mails.of(campaign.id).values()
    assert mail.state == "waiting"
    assert mail.why.endswith("it does not offer STARTTLS, which is required")


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """A certificate for 127.0.0.1 that nobody trusts, and the server's half of it."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificate")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    made += ["-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1"]
    made += ["-keyout", str(folder / "key"), "-out", str(folder / "certificate")]
    subprocess.run(made, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate", folder / "key")
    return context, folder / "certificate"


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_an_encrypted_connection_with_a_password(store, campaign, certified, monkeypatch, security):
    context, certificate = certified
    invited(store, campaign, "ann")
    ask(store, campaign)
    given = {"security": security, "user": "ann", "password": "s3cret"}
    is_first = security == "tls"
    with smtp_server(tls=context, login=("ann", "s3cret"), is_tls_first=is_first) as told:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        deliver(store, told, **given)
        assert told.to() == ["ann@example.org"]
        words = [line.split()[0] for line in told.commands]
        before = ["EHLO"] if is_first else ["EHLO", "STARTTLS", "EHLO"]
        assert words[: words.index("AUTH")] == before


def test_a_certificate_that_nobody_vouches_for(store, campaign, certified):
    invited(store, campaign, "ann")
    ask(store, campaign)
    with smtp_server(tls=certified[0], login=("ann", "s3cret")) as told:
        deliver(store, told, security="starttls", user="ann", password="s3cret")
        assert not any(line.startswith(("AUTH", "MAIL")) for line in told.commands)
    (mail,) = store.mails.of(campaign.id).values()
    assert mail.state == "waiting" and "its certificate does not hold" in mail.why


def test_a_password_that_is_refused_is_told_without_it(store, campaign, caplog):
    invited(store, campaign, "ann")
    ask(store, campaign)
    with caplog.at_level("INFO", "rankwise.server"), smtp_server(login=("ann", "right")) as told:
        deliver(store, told, user="ann", password="wr0ng")
        assert told.mails == []
    (mail,) = store.mails.of(campaign.id).values()
    assert "it refused user or password: 535 5.7.8 no, …" in mail.why
    assert "wr0ng" not in caplog.text + str(store.events.list(campaign.id, 100))
    assert "wr0ng" not in repr(server_at(told, user="ann", password="wr0ng"))


def test_mails_go_out_at_a_pace(store, campaign):
    invited(store, campaign, "ann", "bob", "eve")
    ask(store, campaign)
    with smtp_server() as told:
        postman = Postman(store, server_at(told, per_minute=300), link)
        started = time.monotonic()
        postman.deliver()
        assert len(told.mails) == 3 and time.monotonic() - started >= 0.4


def test_it_stops_between_two_mails_and_goes_on_later(store, campaign):
    invited(store, campaign, "ann", "bob")
    ask(store, campaign)
    with smtp_server() as told:
        slow = Postman(store, server_at(told, per_minute=1), link)
        slow.start()
        limit = time.monotonic() + 10
        while not told.mails and time.monotonic() < limit:
            time.sleep(0.01)
        slow.stop(5)
        assert not any(thread.name == "postman" for thread in threading.enumerate())
        assert states(store, campaign) == ["sent", "waiting"]
        deliver(store, told)
        assert told.to() == ["ann@example.org", "bob@example.org"]


def test_the_thread_outlives_rounds_that_fail_and_says_so_once(
    store, campaign, monkeypatch, caplog
):
    invited(store, campaign, "ann")
    ask(store, campaign)
    monkeypatch.setattr(postman_module, "LOOK", 0.01)
    with smtp_server() as told:
        postman = Postman(store, server_at(told), link)
        failing = [StoreError("the disk is full")] * 3
        found = store.mails.due

        def due():
            if failing:
                raise failing.pop()
            return found()

        monkeypatch.setattr(store.mails, "due", due)
        postman.start()
        limit = time.monotonic() + 10
        while states(store, campaign) != ["sent"] and time.monotonic() < limit:
            time.sleep(0.01)
        postman.stop(5)
        assert told.to() == ["ann@example.org"]
    assert caplog.text.count("the disk is full") == 1


def test_who_may_not_be_written_to_any_more(store, campaign):
    """Between asking and sending: forgotten, excluded, and a campaign that is closed."""
    (ann, _), (bob, _), (eve, token) = invited(store, campaign, "ann", "bob", "eve")
    ask(store, campaign)
    store.judges.forget(ann.id, "test")
    store.judges.exclude(bob.id, "why", "test")
    with smtp_server() as told:
        postman = Postman(store, server_at(told), link)
        postman.deliver()
        assert told.to() == ["eve@example.org"]
        assert states(store, campaign) == ["failed", "failed", "sent"]
        ask(store, campaign, [eve.id])
        store.campaigns.set_state(campaign.slug, "closed", actor="test")
        postman.deliver()
        assert len(told.mails) == 1
    assert states(store, campaign) == ["failed", "failed", "failed"]
    assert "closed" in store.mails.of(campaign.id)[eve.id].why
    assert store.judges.by_link(token) is None


def test_only_people_with_an_open_link_of_their_own_are_written_to(store, campaign):
    (ann, _), (gone, _), (came, token) = invited(store, campaign, "ann", "gone", "came")
    store.judges.revoke(gone.id, "test")
    store.judges.invite(campaign.id, name="m", email="m@x.org", kind="machine", actor="test")
    store.judges.invite(campaign.id, email="late@x.org", days=-1, actor="test")
    event = store.groups.add("Event", [campaign.slug], actor="test")
    store.groups.invite(event, name="Eve", email="eve@x.org", actor="test")
    assert [one.id for one in store.mails.whom(campaign.id, "new")] == [ann.id, came.id]
    everybody = [judge.id for judge in store.judges.judges(campaign.id)]
    assert ask(store, campaign, everybody) == [ann.id, came.id]
    assert store.mails.can_reach(ann) and not store.mails.can_reach(gone)
    assert store.judges.by_link(token).id == came.id


def test_a_link_that_ends_goes_on_to_end_then(store, campaign):
    judge, _ = store.judges.invite(campaign.id, email="a@x.org", days=3, actor="test")
    ask(store, campaign)
    with smtp_server() as told:
        deliver(store, told)
        token = token_in(told.texts()[0])
    assert store.judges.by_link(token).id == judge.id
    later = store.clock() + 4 * 24 * 60 * MINUTE
    store.judges._clock = lambda: later
    assert store.judges.by_link(token) is None


@pytest.mark.parametrize(
    "address", ["ann", "ann@", "a b@example.org", "a@example.org\r\nRCPT TO:<b@x.org>", "a@b, c@d"]
)
def test_an_address_that_is_none_reaches_no_server(store, campaign, address):
    store.judges.invite(campaign.id, email=address, actor="test")
    ask(store, campaign)
    with smtp_server() as told:
        deliver(store, told)
        assert not any("RCPT" in line for line in told.commands)
    (mail,) = store.mails.of(campaign.id).values()
    assert (mail.state, mail.why) == ("failed", "there is no address that mail could be sent to")


def test_words_cannot_make_another_head_or_end_the_mail(store, campaign):
    invited(store, campaign, "ann")
    words = checked_words(
        "Hi\r\nBcc: eve@x.org", "{link}\r\n.\r\nMAIL FROM:<e@x.org>\n..\n" + "x" * 2000
    )
    ask(store, campaign, words=words)
    with smtp_server() as told:
        deliver(store, told)
        ((_, mail, raw),) = told.mails
        assert sum("MAIL" in line for line in told.commands) == 1
    assert mail["Subject"] == "Hi Bcc: eve@x.org" and mail["Bcc"] is None
    (text,) = told.texts()
    assert text == words.text.replace("{link}", link(f"/j/{token_in(text)}"))
    assert max(map(len, raw.splitlines())) <= 998


@pytest.mark.parametrize(
    ("subject", "text", "message"),
    [
        ("", "{link}", "subject of the mail is empty"),
        ("s" * 201, "{link}", "201 characters"),
        ("s", "no link", "0 times"),
        ("s", "{link} {link}", "2 times"),
        ("s", "{link}" + "x" * 10_000, "expected 1 to 10,000"),
        ("s\x00", "{link}", "control characters"),
        ("s", "{link}\x1b[2J", "control characters"),
        ("s\ud800", "{link}", "control characters"),
    ],
)
def test_words_that_cannot_be_sent(subject, text, message):
    with pytest.raises(DataError, match=message):
        checked_words(subject, text)


@pytest.mark.parametrize(
    ("url", "more", "message"),
    [
        ("mail.example.org", {}, "expected smtp://"),
        ("http://mail.example.org", {}, "expected smtp://"),
        ("smtp://", {}, "expected smtp://"),
        ("smtp://mail:99999", {}, "expected smtp://"),
        ("smtp://ann:s3cret@mail", {}, "has a password in it"),
        ("smtp://ann@mail", {}, "lacks a password"),
        ("smtp://mail", {"password": "x"}, "lacks a user"),
        ("smtp://mail", {"sender": "nobody"}, "the sender of mail is 'nobody'"),
        ("smtp://mail", {"sender": "a@b.c\r\nBcc: d@e.f"}, "the sender of mail is"),
    ],
)
def test_a_server_that_cannot_be(url, more, message):
    given = {"sender": "wmt@example.org", **more}
    with pytest.raises(DataError, match=message) as refused:
        mail_server(url, given.pop("sender"), **given)
    assert "s3cret" not in str(refused.value)


def test_where_mail_is_encrypted():
    found = [
        mail_server(url, "wmt@example.org")
        for url in ("smtp://mail", "smtps://mail", "smtp://127.0.0.1:2525", "smtp://[::1]")
    ]
    assert [(one.security, one.port) for one in found] == [
        ("starttls", 587),
        ("tls", 465),
        ("none", 2525),
        ("none", 25),
    ]
