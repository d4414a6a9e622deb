"""``rankwise campaign mail``: what it shows, what it sends, and what it refuses."""

import re

import pytest

from rankwise.cli import main
from rankwise.server.mail_server import MailServer
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from smtp_server import smtp_server
from web_world import small_plan, small_testset

BASE = ("--base-url", "https://rank.example.org/", "--mail-from", "WMT <wmt@example.org>")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with an open campaign, which two people with an address are invited to."""
    monkeypatch.chdir(tmp_path)
    for name in ("SERVER", "FROM", "PASSWORD"):
        monkeypatch.delenv(f"RANKWISE_MAIL_{name}", raising=False)
    with_store(lambda store: store.campaigns.add(small_plan("spring"), small_testset(), actor="t"))
    return tmp_path


def with_store(work):
    store = CampaignStore(Database.open(sqlite_url("rankwise.db")))
    try:
        return work(store)
    finally:
        store.database.close()


@pytest.fixture
def opened(here, run):
    assert run("campaign", "open", "spring").exit_code == 0
    names = ("Ann <ann@example.org>", "Bob <bob@example.org>", "Eve")
    assert run("campaign", "invite", "spring", *names).exit_code == 0
    return here


def at(told):
    return ("--mail-server", f"smtp://127.0.0.1:{told.port}", "--mails-per-minute", "6000")


def test_a_dry_run_shows_every_mail_and_sends_none(opened, run):
    (opened / "words").write_text("Your link\nDear judge,\n\n{link}\n", encoding="utf-8")
    done = run("campaign", "mail", "spring", "--dry-run", "--words", "words")
    assert (done.exit_code, done.stderr) == (0, "2 would be sent, each with a link of its own\n")
    assert done.stdout == (
        "To: ann@example.org\nSubject: Your link\n\nDear judge,\n\n{link}\n\n"
        "---\nTo: bob@example.org\nSubject: Your link\n\nDear judge,\n\n{link}\n\n"
    )
    usual = run("campaign", "mail", "spring", "--dry-run").stdout
    assert "Subject: spring\n\nYou are invited to judge translations." in usual
    assert run("campaign", "mail", "spring", "--format", "tsv").stdout.splitlines() == [
        "judge\tmail\tsince\ttries\tanswer"
    ]


def test_it_sends_once_and_says_how_it_went(opened, run):
    refused = {"bob@example.org": "550 5.1.1 no such user"}
    with smtp_server(refused=refused) as told:
        done = run("campaign", "mail", "spring", "--send", *BASE, *at(told), "--format", "tsv")
        assert done.exit_code == 1 and done.stderr.startswith("2 asked for\n")
        rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
        assert [(row[1], row[3], row[4]) for row in rows] == [
            ("sent", "1", "250 2.0.0 kept as 1"),
            ("failed", "0", "550 5.1.1 no such user"),
        ]
        told.refused.clear()
        done = run("campaign", "mail", "spring", "--send", *BASE, *at(told))
        assert (done.exit_code, told.to()) == (0, ["ann@example.org", "bob@example.org"])
        done = run("campaign", "mail", "spring", "--send", *BASE, *at(told))
        assert (done.exit_code, len(told.mails)) == (0, 2)
        link = re.search(r"https://rank\.example\.org/j/(\S+)", told.texts()[0])[1]
    assert with_store(lambda store: store.judges.by_link(link)) is not None


def test_a_password_comes_from_a_file_or_from_the_environment(opened, run, monkeypatch):
    (opened / "password").write_text("s3cret\nsecond line\n", encoding="utf-8")
    with smtp_server(login=("ann", "s3cret")) as told:
        server = ("--mail-server", f"smtp://ann@127.0.0.1:{told.port}")
        given = ("--mail-password-file", "password", "--mails-per-minute", "6000")
        done = run("campaign", "mail", "spring", "--send", *BASE, *server, *given)
        assert (done.exit_code, len(told.mails)) == (0, 2)
        assert "s3cret" not in done.stdout + done.stderr
        monkeypatch.setenv("RANKWISE_MAIL_PASSWORD", "wr0ng")
        run("campaign", "invite", "spring", "Uma <uma@example.org>")
        done = run("campaign", "mail", "spring", "--send", *BASE, *server)
        assert done.exit_code == 1 and len(told.mails) == 2
        assert "refused user or password" in done.stdout
        assert "wr0ng" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--send",), 2, "--send needs --mail-server"),
        (("--send", "--dry-run"), 2, "not both"),
        (("--send", "--mail-server", "smtp://here"), 2, "needs --mail-from"),
        (("--send", "--mail-from", "a@b.c"), 2, "need --mail-server"),
        (
            ("--send", "--mail-server", "smtp://here", "--mail-from", "a@b.c"),
            2,
            "needs --base-url",
        ),
        (("--send", *BASE, "--mail-server", "smtp://a:pw@here"), 1, "has a password in it"),
        (("--send", *BASE, "--mail-server", "smtp://localhost"), 1, "the campaign is draft"),
        (
            ("--send", *BASE, "--mail-server", "smtp://a@h", "--mail-password-file", "none"),
            1,
            "none: cannot be read: No such file or directory",
        ),
        (("--dry-run", "--words", "words"), 1, "words: the text of the mail has {link} 0 times"),
    ],
)
def test_what_is_refused(here, run, options, code, message):
    (here / "words").write_text("Subject\nno place\n", encoding="utf-8")
    done = run("campaign", "mail", "spring", *options)
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr and ":pw@" not in done.stderr


def test_the_server_is_told_by_options_or_by_the_environment(tmp_path, monkeypatch):
    """What ``serve`` would run with; it is stopped before it listens."""
    from rankwise.server import runner

    class StoppedError(Exception):
        pass

    def bind(settings):
        found.append(settings)
        raise StoppedError

    found = []
    monkeypatch.setattr(runner, "bind", bind)
    monkeypatch.setenv("RANKWISE_MAIL_SERVER", "smtps://ann@mail.example.org")
    monkeypatch.setenv("RANKWISE_MAIL_FROM", "wmt@example.org")
    monkeypatch.setenv("RANKWISE_MAIL_PASSWORD", "s3cret")
    with pytest.raises(StoppedError):
        main(["serve", str(tmp_path), "--base-url", "https://rank.example.org"])
    (settings,) = found
    assert settings.mail == MailServer(
        "mail.example.org", 465, "wmt@example.org", "", "tls", "ann", "s3cret", 30
    )
    assert "s3cret" not in repr(settings)


def test_serve_refuses_mail_without_an_address_for_links(tmp_path, run):
    given = ("--mail-server", "smtp://localhost", "--mail-from", "a@b.c")
    done = run("serve", str(tmp_path / "made"), *given)
    assert (done.exit_code, "--mail-server needs --base-url" in done.stderr) == (2, True)
    assert not (tmp_path / "made").exists()


@pytest.fixture
def event(here, run):
    """An event of the campaign, which is open, with two people who have an address."""
    with_store(lambda store: store.groups.add("WMT 27", ["spring"], actor="t"))
    assert run("campaign", "open", "spring").exit_code == 0
    names = ("Ann <ann@example.org>", "Bob <bob@example.org>", "Eve")
    assert run("campaign", "invite", "wmt-27", "--event", *names).exit_code == 0
    return here


def test_people_of_an_event_get_theirs(event, run):
    dry = run("campaign", "mail", "wmt-27", "--event", "--dry-run")
    assert (dry.exit_code, dry.stderr) == (0, "2 would be sent, each with a link of its own\n")
    assert dry.stdout.startswith("To: ann@example.org\nSubject: WMT 27\n\nYou are invited")
    with smtp_server() as told:
        given = ("mail", "wmt-27", "--event", "--send", *BASE, *at(told), "--format", "tsv")
        done = run("campaign", *given)
        assert (done.exit_code, done.stderr.splitlines()[0]) == (0, "2 asked for")
        again = run("campaign", *given)
        assert (again.exit_code, told.to()) == (0, ["ann@example.org", "bob@example.org"])
        link = re.search(r"https://rank\.example\.org/j/(\S+)", told.texts()[0])[1]
    assert [line.split("\t")[:2] for line in done.stdout.splitlines()] == [
        ["person", "mail"],
        ["wmt-27/1", "sent"],
        ["wmt-27/2", "sent"],
    ]
    assert with_store(lambda store: store.groups.by_link(link)) is not None
    absent = run("campaign", "mail", "spring", "--event")
    assert (absent.exit_code, "there is no event 'spring'" in absent.stderr) == (1, True)


def test_nobody_of_an_event_is_called_to_a_draft(here, run):
    with_store(lambda store: store.groups.add("WMT 27", ["spring"], actor="t"))
    done = run("campaign", "mail", "wmt-27", "--event", "--send", *BASE, "--mail-server",
               "smtp://localhost")  # fmt: skip
    assert (done.exit_code, done.stdout) == (1, "")
    assert "no campaign of the event is open or paused" in done.stderr
