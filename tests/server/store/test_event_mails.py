"""Mails to people of an event: who gets one, and how they stand, on both databases."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from rankwise.server.campaign.launch.link_mail import checked_words
from rankwise.server.store.database.store_errors import NotAllowed
from server.store.campaign_data import campaign, do

WORDS = checked_words("Your link", "{link}")
DAY = 24 * 3_600_000


@pytest.fixture
def event(store):
    """An event of two open campaigns."""
    for name in ("German English", "English Czech"):
        campaign(store, name=name)
    return store.groups.add("WMT 27", ["german-english", "english-czech"], actor="ann")


def invited(store, event, *names, slugs=None):
    return [
        store.groups.invite(event, slugs, name=name, email=f"{name}@example.org", actor="x")[0]
        for name in names
    ]


def ask(store, event, *people):
    found = store.event_mails.ask(event.id, [one.id for one in people], WORDS, "ann")
    return [one.label for one in found]


def new(store, event):
    return [one.email for one in store.event_mails.whom(event.id, "new")]


def send_all(store):
    for mail in store.event_mails.due():
        begun, _ = store.event_mails.begin(mail)
        store.event_mails.settle(begun, "sent", "250 ok")


def test_one_mail_brings_one_link_for_all_campaigns(store, event):
    ann, bob = invited(store, event, "ann", "bob")
    store.groups.invite(event, name="No address", actor="x")
    assert new(store, event) == ["ann@example.org", "bob@example.org"]
    assert ask(store, event, ann, bob) == [f"wmt-27/{ann.id}", f"wmt-27/{bob.id}"]
    assert ask(store, event, ann, bob) == []  # one is under way
    first, _ = store.event_mails.due()
    assert (first.recipient, first.campaign) == (ann.id, None)
    assert store.event_mails.address(first) == "ann@example.org"
    assert store.event_mails.words(first) == WORDS
    begun, token = store.event_mails.begin(first)
    assert store.event_mails.begin(first) is None
    assert store.groups.by_link(token).id in [pair.judge.id for pair in ann.pairs]
    store.event_mails.settle(begun, "sent", "250 ok")
    assert store.event_mails.of(event.id)[ann.id].state == "sent"
    assert store.event_mails.last_words(event.id) == WORDS
    assert new(store, event) == []
    trail = str(store.events.list(limit=1000))
    assert "@example" not in trail and token not in trail


def test_mails_of_judges_and_of_people_know_nothing_of_each_other(store, event):
    first = store.groups.campaigns(event)[0]
    judge, _ = store.judges.invite(first.id, email="judge@example.org", actor="x")
    (ann,) = invited(store, event, "ann")
    store.mails.ask(first.id, [judge.id, *(pair.judge.id for pair in ann.pairs)], WORDS, "ann")
    ask(store, event, ann)
    assert [mail.recipient for mail in store.mails.due()] == [judge.id]
    assert [mail.recipient for mail in store.event_mails.due()] == [ann.id]
    assert list(store.mails.of(first.id)) == [judge.id]


def test_two_events_whose_names_begin_alike(store, event):
    campaign(store, name="Third")
    other = store.groups.add("WMT 27 b", ["third"], actor="ann")
    (ann,), (eve,) = invited(store, event, "ann"), invited(store, other, "eve")
    ask(store, event, ann)
    ask(store, other, eve)
    assert list(store.event_mails.of(event.id)) == [ann.id]
    assert list(store.event_mails.of(other.id)) == [eve.id]


def test_many_clicks_ask_once(store, event):
    people = invited(store, event, *(f"j{n}" for n in range(5)))
    begin = threading.Barrier(6)

    def click(_):
        begin.wait()
        return ask(store, event, *people)

    with ThreadPoolExecutor(6) as pool:
        assert sorted(map(len, pool.map(click, range(6)))) == [0, 0, 0, 0, 0, 5]
    actions = [one.action for one in store.events.list(limit=1000)]
    assert (actions.count("mail.ask"), actions.count("mail.words")) == (5, 1)


def test_who_judged_in_any_campaign_is_not_reminded(store, event, clock):
    busy, silent = invited(store, event, "busy", "silent")
    ask(store, event, busy, silent)
    send_all(store)
    do(store, busy.pairs[1].judge)
    clock.now += DAY - 1
    assert store.event_mails.whom(event.id, "silent") == []
    clock.now += 1
    assert [one.id for one in store.event_mails.whom(event.id, "silent")] == [silent.id]


def test_who_may_not_judge_now_is_not_written_to(store, event):
    ended, out, czech, forgotten, excluded = invited(store, event, "a", "b", "c", "d", "e")
    store.groups.set_pairs(event, czech.id, ["english-czech"], actor="x")
    asked = ask(store, event, ended, out, czech, forgotten, excluded)
    assert len(asked) == 5
    mails = {mail.recipient: mail for mail in store.event_mails.due()}
    store.groups.revoke(event, ended.id, actor="x")
    for pair in out.pairs:
        store.judges.revoke(pair.judge.id, "x")
    for pair in excluded.pairs:
        store.judges.exclude(pair.judge.id, "spam", "x")
    store.groups.forget(event, forgotten.id, actor="x")
    store.campaigns.set_state("english-czech", "closed", actor="x")
    assert new(store, event) == []
    assert all(store.event_mails.begin(mail) is None for mail in mails.values())
    assert store.event_mails.address(mails[forgotten.id]) is None
    assert store.event_mails.why_not(mails[czech.id]) == (
        "the campaigns were closed before it could be sent"
    )
    assert store.event_mails.why_not(mails[ended.id]) is None


def test_nobody_is_called_to_where_nobody_can_judge(store, event):
    (ann,) = invited(store, event, "ann")
    store.campaigns.set_state("german-english", "closed", actor="x")
    assert store.event_mails.why_closed(event.id) is None
    store.campaigns.set_state("english-czech", "closed", actor="x")
    with pytest.raises(NotAllowed, match="no campaign of the event is open or paused"):
        ask(store, event, ann)
    assert store.event_mails.due() == []


def test_the_usual_words_are_in_the_language_of_all_campaigns(store, event):
    assert store.event_mails.usual_words(event.id).subject == "WMT 27"
    assert "You are invited" in store.event_mails.usual_words(event.id).text
    made = [campaign(store, name=name, language="de").slug for name in ("one", "two")]
    other = store.groups.add("Wettbewerb", made, actor="x")
    assert "Sie sind eingeladen" in store.event_mails.usual_words(other.id).text
    store.groups.join(other, [campaign(store, name="drei", language="fr").slug], actor="x")
    assert "You are invited" in store.event_mails.usual_words(other.id).text
