"""Events of many campaigns and the people who judge in them, on both databases."""

import pytest

from rankwise.errors import DataError
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.backup import backup, restore
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotAllowed, NotFound
from server.store.campaign_data import campaign, do, next_task


@pytest.fixture
def event(store):
    """An event of two campaigns."""
    for name in ("German English", "English Czech"):
        campaign(store, name=name)
    return store.groups.add("WMT 27", ["german-english", "english-czech"], actor="ann")


def where(person):
    return [pair.judge.campaign for pair in person.pairs if pair.judge.revoked_at is None]


def test_a_campaign_belongs_to_one_event(store, event):
    assert (event.slug, event.name) == ("wmt-27", "WMT 27")
    assert store.groups.get("wmt-27") == event
    assert [one.slug for one in store.groups.campaigns(event)] == [
        "german-english", "english-czech",
    ]  # fmt: skip
    assert store.groups.of_campaign(1) == event
    with pytest.raises(NotAllowed, match="'german-english' belongs to the event 'wmt-27'"):
        store.groups.add("Other", ["german-english"], actor="ann")
    assert store.groups.all() == [event]  # nothing of the other one is there
    with pytest.raises(DataError, match="there is an event 'wmt-27' already"):
        store.groups.add("WMT 27", [], actor="ann")
    with pytest.raises(DataError, match="expected a name of 1 to 200 characters"):
        store.groups.add(" ", [], actor="ann")
    with pytest.raises(NotFound):
        store.groups.get("absent")
    third = campaign(store, name="Third")
    store.groups.join(event, ["third"], actor="ann")
    assert store.groups.of_campaign(third.id) == event
    actions = [one.action for one in store.events.list()]
    assert actions.count("event.join") == 3
    assert actions.count("event.add") == 1


def test_one_link_opens_the_campaigns_that_were_chosen(store, event, clock):
    both, token = store.groups.invite(event, name="Ann", email="a@example.org", actor="x")
    one, other = store.groups.invite(event, ["english-czech"], name="Bob", actor="x")
    assert (where(both), where(one)) == ([1, 2], [2])
    assert len({pair.judge.pseudonym for pair in both.pairs}) == 2
    assert store.judges.identity(both.pairs[1].judge.id).name == "Ann"
    assert store.groups.by_link(other).campaign == 2
    assert store.groups.by_link(token + "x") is None
    assert store.judges.by_link(token) is None
    do(store, both.pairs[1].judge)
    found = store.groups.person_of(both.pairs[0].judge.id)
    assert [pair.done for pair in found.pairs] == [0, 1]
    with pytest.raises(DataError, match="has no campaign 'x'; it has english-czech, german"):
        store.groups.invite(event, ["x"], actor="x")
    with pytest.raises(DataError, match="nobody can judge in no campaign"):
        store.groups.invite(event, [], actor="x")
    assert len(store.groups.people(event)) == 2


def test_the_link_leads_where_the_work_was_last(store, event, clock):
    person, token = store.groups.invite(event, actor="x")
    clock.pass_seconds(60)
    second = person.pairs[1].judge
    secret, _ = store.sessions.start("judge", second.id)
    next_task(store, second)
    store.sessions.find_judge(secret)
    if store.judges.judge(second.id).last_seen_at is not None:
        assert store.groups.by_link(token).id == second.id


def test_pairs_are_taken_away_and_given_back(store, event):
    person, token = store.groups.invite(event, name="Ann", actor="x")
    first = person.pairs[0].judge
    receipt = do(store, first)
    secret, _ = store.sessions.start("judge", first.id)
    store.groups.set_pairs(event, person.id, ["english-czech"], actor="x")
    assert where(store.groups.person(event, person.id)) == [2]
    assert store.sessions.find(secret) is None
    assert store.groups.by_link(token).campaign == 2
    assert store.groups.person_of(first.id).pairs[0].judge.campaign == 2
    assert [one.receipt for one in store.log.stored(1)] == [receipt]
    store.groups.set_pairs(event, person.id, ["german-english"], actor="x")
    again = store.groups.person(event, person.id)
    assert where(again) == [1]
    assert again.pairs[0].judge.pseudonym == first.pseudonym
    campaign(store, name="Third")
    store.groups.join(event, ["third"], actor="x")
    store.groups.set_pairs(event, person.id, ["third", "german-english"], actor="x")
    newest = store.groups.person(event, person.id).pairs[-1].judge
    assert (newest.campaign, store.judges.identity(newest.id).name) == (3, "Ann")


def test_a_link_is_renewed_ended_and_forgotten(store, event):
    person, token = store.groups.invite(event, name="Ann", actor="x")
    judge = person.pairs[0].judge
    secret, _ = store.sessions.start("judge", judge.id)
    new = store.groups.renew(event, person.id, actor="x")
    assert store.groups.by_link(token) is None
    assert store.sessions.find(secret) is None
    assert store.groups.by_link(new) is not None
    store.groups.revoke(event, person.id, actor="x")
    assert store.groups.by_link(new) is None
    assert store.groups.person_of(judge.id) is None
    assert where(store.groups.person(event, person.id)) == [1, 2]
    last = store.groups.renew(event, person.id, actor="x")
    assert store.groups.by_link(last) is not None
    store.groups.forget(event, person.id, actor="x")
    assert store.groups.by_link(last) is None
    assert store.judges.identity(judge.id).name is None
    with pytest.raises(NotFound, match="no person 99 in the event 'wmt-27'"):
        store.groups.renew(event, 99, actor="x")


def test_links_of_an_event_are_not_renewed_by_a_campaign(store, event):
    _, token = store.groups.invite(event, actor="x")
    alone, _ = store.judges.invite(1, actor="x")
    renewed = store.judges.reissue_links(1, "x")
    assert [judge.id for judge, _ in renewed] == [alone.id]
    assert store.groups.by_link(token) is not None


def test_a_draft_of_an_event_is_deleted_with_its_judges(store, event):
    person, _ = store.groups.invite(event, actor="x")
    store.changes.delete("german-english", actor="x")
    assert [one.slug for one in store.groups.campaigns(event)] == ["english-czech"]
    assert where(store.groups.person(event, person.id)) == [2]


def test_a_backup_has_events(store, event, url, tmp_path):
    _, token = store.groups.invite(event, actor="x")
    backup(store.database, tmp_path / "all.backup")
    store.database.close()
    restore(tmp_path / "all.backup", url, force=True)
    database = Database.open(url)
    again = CampaignStore(database)
    assert again.groups.get("wmt-27") == event
    assert again.groups.by_link(token) is not None
    database.close()
