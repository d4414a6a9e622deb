"""How mails stand, the same on both databases, and with several at it at once."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from rankwise.server.background.postman import Postman
from rankwise.server.campaign.launch.link_mail import checked_words
from rankwise.server.mail_server import MailServer
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from server.store.campaign_data import campaign, do
from smtp_server import smtp_server

WORDS = checked_words("Your link", "{link}")
DAY = 24 * 3_600_000
COUNT = 12


@pytest.fixture
def opened(store):
    return campaign(store)


def invited(store, opened, count=COUNT):
    return [
        store.judges.invite(opened.id, email=f"j{n}@example.org", actor="test")[0]
        for n in range(count)
    ]


def at_once(work, count=6):
    """What *work* gives in so many threads that begin together."""
    begin = threading.Barrier(count)

    def run(_):
        begin.wait()
        return work()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_many_clicks_ask_once(store, opened):
    judges = [judge.id for judge in invited(store, opened)]
    found = at_once(lambda: store.mails.ask(opened.id, judges, WORDS, "ann"))
    assert sorted(map(len, found)) == [0, 0, 0, 0, 0, COUNT]
    actions = [event.action for event in store.events.list(opened.id, 1000)]
    assert (actions.count("mail.ask"), actions.count("mail.words")) == (COUNT, 1)


def test_one_of_many_begins_a_mail(store, opened):
    (judge,) = invited(store, opened, 1)
    store.mails.ask(opened.id, [judge.id], WORDS, "ann")
    (mail,) = store.mails.due()
    found = [one for one in at_once(lambda: store.mails.begin(mail)) if one is not None]
    ((begun, token),) = found
    assert begun.state == "sending" and store.judges.by_link(token).id == judge.id


def test_postmen_of_several_processes_send_each_mail_once(store, opened, url):
    """On SQLite there is one process; on PostgreSQL every worker has a postman."""
    judges = [judge.id for judge in invited(store, opened)]
    store.mails.ask(opened.id, judges, WORDS, "ann")
    is_sqlite = store.database.kind == "sqlite"
    databases = [] if is_sqlite else [Database.open(url, migrate=False) for _ in range(3)]
    stores = [store, *map(CampaignStore, databases)]
    for other in stores:
        other.clock = store.clock
    with smtp_server() as told:
        server = MailServer(
            "127.0.0.1", told.port, "wmt@example.org", security="none", per_minute=6e6
        )
        postmen = [Postman(one, server, lambda path: f"https://x.org{path}") for one in stores]
        waiting = iter(postmen)
        at_once(lambda: next(waiting).deliver(), len(postmen))
        assert sorted(told.to()) == sorted(f"j{n}@example.org" for n in range(COUNT))
    for database in databases:
        database.close()
    assert {mail.state for mail in store.mails.of(opened.id).values()} == {"sent"}


def test_who_judged_is_not_reminded(store, opened, clock):
    busy, silent = invited(store, opened, 2)
    store.mails.ask(opened.id, [busy.id, silent.id], WORDS, "ann")
    for mail in store.mails.due():
        begun, _ = store.mails.begin(mail)
        store.mails.settle(begun, "sent", "250 ok")
    do(store, busy)
    clock.now += DAY - 1
    assert store.mails.whom(opened.id, "silent") == []
    clock.now += 1
    assert [judge.id for judge in store.mails.whom(opened.id, "silent")] == [silent.id]
    assert store.mails.whom(opened.id, "new") == []


def test_what_is_put_off_keeps_its_name_and_counts(store, opened, clock):
    (judge,) = invited(store, opened, 1)
    store.mails.ask(opened.id, [judge.id], WORDS, "ann")
    (asked,) = store.mails.due()
    waiting = store.mails.put_off(asked, "451 later", clock.now + 5)
    assert store.mails.due() == []
    clock.now += 5
    assert store.mails.due() == [waiting]
    assert (waiting.name, waiting.tries, waiting.why) == (asked.name, 1, "451 later")
    begun, _ = store.mails.begin(waiting)
    assert (begun.name, begun.tries, store.mails.words(begun)) == (asked.name, 2, WORDS)
    assert store.mails.begun() == [begun]
    store.mails.settle(begun, "sent", "250 ok")
    assert store.mails.begun() == store.mails.due() == []
