"""Campaigns as a whole, on both databases: edited, cloned, or taken away before work."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from rankwise.errors import DataError
from rankwise.server.campaign.plan.recruiting import Recruiting
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.store_errors import NotAllowed, NotFound
from server.store.campaign_data import campaign, do, judges, next_task, plan, texts_of

LESSON = {"source": "a", "outputs": ["b", "c", "d"], "answer": {"ranks": [1, 2, 3]}}
#: What a deleted campaign leaves: its number, the trail, and what belongs to no campaign.
STAYS = ("campaigns", "events", "accounts", "marks")


def rows(store):
    """How many rows every table has."""
    with store.database.read() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in tables.metadata.sorted_tables
        }


class TestEdit:
    def test_a_draft_may_change_in_everything_but_its_texts(self, store):
        store.campaigns.add(plan(tutorial=[LESSON]), texts_of(), actor="test")
        wanted = {
            "slug": "other",
            "k": 2,
            "source_language": "fr",
            "tutorial": [LESSON, LESSON],
            "stop": {"max_judgments": 50},
        }
        done = store.changes.edit("test", wanted, actor="ann")
        here = store.campaigns.get("other")
        assert (here.plan.k, here.plan.stop.max_judgments, len(here.plan.tutorial)) == (2, 50, 2)
        assert store.campaigns.testset(here.id).source_language == "fr"
        assert rows(store)["screens"] == 2
        assert done["k"] == "3 → 2"
        event = store.events.list(here.id)[0]
        assert (event.actor, event.action, event.details) == ("ann", "campaign.edit", done)
        for key in ("texts", "judges"):
            with pytest.raises(DataError):
                store.changes.edit("other", {key: []}, actor="ann")

    def test_screens_that_wait_are_chosen_anew(self, store):
        here = campaign(store)
        judge = judges(store, here, 1)[0]
        assert len(next_task(store, judge).outputs) == 3
        with pytest.raises(NotAllowed, match="is open; pause it to change its 'k'"):
            store.changes.edit("test", {"k": 2}, actor="test")
        store.campaigns.set_state("test", "paused", actor="test")
        store.changes.edit("test", {"k": 2}, actor="test")
        store.campaigns.set_state("test", "open", actor="test")
        assert len(next_task(store, judge).outputs) == 2

    def test_after_a_judgment_only_what_decides_no_answer(self, store):
        here = campaign(store)
        do(store, judges(store, here, 1)[0])
        before = rows(store)
        free = {"name": "New name", "sitting": 5, "recruiting": {"screens_per_judge": 7}}
        assert set(store.changes.edit("test", free, actor="test")) == set(free)
        after = store.campaigns.get("test")
        assert (after.name, after.plan.sitting, after.plan.recruiting.screens_per_judge) == (
            "New name", 5, 7,
        )  # fmt: skip
        assert rows(store) == before | {"events": before["events"] + 1}
        for key, value in {"k": 2, "seed": 9, "consent": "Yes?", "slug": "x"}.items():
            message = f"has judgments, so its '{key}' cannot change; clone it and edit the clone"
            with pytest.raises(NotAllowed, match=message):
                store.changes.edit("test", {"sitting": 9, key: value}, actor="test")
        assert store.campaigns.get("test").plan == after.plan

    def test_the_same_values_are_no_change(self, store):
        here = campaign(store)
        before = rows(store)
        same = here.plan.to_json()
        del same["texts"], same["judges"]
        assert store.changes.edit("test", same, actor="test") == {}
        assert rows(store) == before

    def test_a_wrong_value_or_a_taken_slug_changes_nothing(self, store):
        campaign(store, name="Kept")
        here = store.campaigns.add(plan(), texts_of(), actor="test")
        with pytest.raises(DataError, match="the edit: 'k' is 99; expected a whole number"):
            store.changes.edit("test", {"k": 99}, actor="test")
        with pytest.raises(DataError, match="there is a campaign of that slug already"):
            store.changes.edit("test", {"slug": "kept"}, actor="test")
        assert store.campaigns.get("test").plan == here.plan


class TestClone:
    def test_plan_and_texts_come_along_but_no_judgment(self, store):
        here = campaign(store, tutorial=[LESSON], instructions="Look well.", seed=7)
        before = rows(store)
        made = store.changes.clone("test", "Second round", actor="ann")
        assert (made.slug, made.name, made.state) == ("second-round", "Second round", "draft")
        assert replace(made.plan, name="Test", slug="test") == here.plan
        old, new = (store.campaigns.testset(one.id) for one in (here, made))
        assert (new.segments, new.outputs) == (old.segments, old.outputs)
        after = rows(store)
        for name in ("segments", "systems", "outputs"):
            assert after[name] == 2 * before[name]
        assert after["screens"] == before["screens"] + 1  # the lesson
        assert after["judges"] == after["judgments"] == 0
        event = store.events.list(made.id)[0]
        assert (event.actor, event.action, event.details) == (
            "ann", "campaign.add", {"clone of": "test"},
        )  # fmt: skip

    def test_a_campaign_with_judgments_is_cloned_without_them(self, store):
        here = campaign(store)
        do(store, judges(store, here, 1)[0])
        made = store.changes.clone("test", "Again", actor="test")
        assert (store.changes.judgments(here), store.changes.judgments(made)) == (1, 0)

    def test_the_name_must_be_free(self, store):
        campaign(store)
        with pytest.raises(DataError, match="there is a campaign 'test' already"):
            store.changes.clone("test", "Test", actor="test")
        with pytest.raises(DataError, match="the clone: 'name' is ' '; expected a text"):
            store.changes.clone("test", " ", actor="test")

    def test_people_are_those_who_were_invited_and_may_work(self, store):
        here = campaign(store)
        made = {
            name: store.judges.invite(here.id, name=name, email=f"{name}@a.org", actor="test")[0]
            for name in ("ann", "bob", "eve", "dan")
        }
        store.judges.exclude(made["bob"].id, "careless", "test")
        store.judges.revoke(made["eve"].id, "test")
        store.open_links.make(here.id, actor="test")
        store.open_links.join(store.open_links.of(here.id), {}, Recruiting())
        assert store.changes.people(here) == [("ann", "ann@a.org"), ("dan", "dan@a.org")]


class TestDelete:
    def test_all_of_it_goes_and_nothing_of_another(self, store):
        kept = campaign(store, name="Kept", tutorial=[LESSON])
        judges(store, kept, 2)
        before = rows(store)
        here = campaign(store, tutorial=[LESSON])
        judge, token = store.judges.invite(here.id, name="Ann", actor="test")
        task = next_task(store, judge)
        store.judging.save_draft(judge, task.token, {"ranks": [1, 2, 3]}, 1)
        secret, _ = store.sessions.start("judge", judge.id)
        store.accounts.add_viewer(here.id, actor="test")
        store.open_links.make(here.id, actor="test")
        store.standings.put(here.id, "people", 0, {})
        store.changes.delete(here.slug, actor="ann")
        after = rows(store)
        changed = {name for name in before if before[name] != after[name]}
        assert changed <= set(STAYS)
        assert after["campaigns"] == 2
        assert store.judges.by_link(token) is None
        assert store.sessions.find(secret) is None
        assert [one.slug for one in store.campaigns.all()] == ["kept"]
        for find, key in ((store.campaigns.get, here.slug), (store.campaigns.by_id, here.id)):
            with pytest.raises(NotFound):
                find(key)

    def test_the_trail_says_who_deleted_what(self, store):
        here = campaign(store)
        judges(store, here, 2)
        store.changes.delete("test", actor="ann")
        event = store.events.list()[0]
        assert (event.actor, event.action, event.object) == ("ann", "campaign.delete", "test")
        assert event.details == {"name": "Test", "state": "open", "judges": 2}
        actions = [event.action for event in store.events.list(here.id)]
        assert actions[-2:] == ["campaign.state", "campaign.add"]

    def test_its_number_is_not_given_again(self, store):
        old = store.campaigns.add(plan(), texts_of(), actor="test")
        store.campaigns.testset(old.id)
        store.changes.delete("test", actor="test")
        new = store.campaigns.add(plan(), texts_of(segments=5), actor="test")
        assert new.id != old.id
        assert len(store.campaigns.testset(new.id)) == 5

    def test_one_judgment_keeps_it(self, store):
        here = campaign(store)
        do(store, judges(store, here, 1)[0])
        before = rows(store)
        with pytest.raises(NotAllowed, match="has judgments, which are never deleted; close it"):
            store.changes.delete("test", actor="test")
        assert rows(store) == before
        assert store.changes.judgments(here) == 1
