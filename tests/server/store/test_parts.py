"""Campaigns, people, accounts, sessions, standings and events, the same on both databases."""

import zipfile
from dataclasses import replace

import pytest
from sqlalchemy import insert, select

from rankwise.errors import DataError
from rankwise.server.campaign.plan import size_limits
from rankwise.server.records import FinishedJudgment, PlannedScreen, Slot, Submission
from rankwise.server.store.campaigns import campaigns
from rankwise.server.store.campaigns.judgment_cache import CAMPAIGNS
from rankwise.server.store.campaigns.judgment_log import JudgmentLog
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.backup import backup
from rankwise.server.store.database.store_errors import AlreadyImported, NotAllowed, NotFound
from rankwise.server.store.judging.queue import INLINE_SCREENS
from rankwise.types import Segment, TestSet
from server.store.campaign_data import answer, campaign, do, judges, next_task, plan, skip, texts_of

HOSTILE = [
    "</script><script>alert(1)</script>",
    "a\0b",
    "\ud800 lone",
    "\x1b[31m and \x1b0000",
    "\u202eright to left",
    "{{7*7}}",
    "e" + "\u0301" * 10_000,
    "x" * 300_000,
    "",
]


class TestCampaigns:
    def test_a_test_set_comes_back_as_it_was(self, store):
        texts = TestSet(
            tuple(
                Segment(f"id {i}", text, (text, "b"), None if i else "doc", "d", ("r1", "r2"))
                for i, text in enumerate(HOSTILE)
            ),
            {"A": tuple(HOSTILE), "B\0": (None, *HOSTILE[1:])},
            "Test",
            "de",
            "en",
        )
        here = store.campaigns.add(plan(), texts, actor="test")
        found = store.campaigns.testset(here.id)
        assert found.segments == texts.segments
        assert found.outputs == texts.outputs
        assert store.campaigns.testset(here.id) is found

    def test_the_plan_comes_back_without_names(self, store):
        given = plan(judges=["Ann"], instructions="# Do \0 it")
        here = store.campaigns.add(given, texts_of(), actor="test")
        assert here.plan.judges == ()
        assert here.plan.instructions == given.instructions
        assert (here.state, here.slug) == ("draft", "test")

    def test_a_slug_is_taken_once(self, store):
        campaign(store)
        with pytest.raises(DataError, match="there is a campaign 'test' already"):
            campaign(store)

    def test_states(self, store):
        here = campaign(store)
        assert store.campaigns.set_state(here.slug, "closed", actor="test").closed_at is not None
        with pytest.raises(NotAllowed, match="is closed; it cannot become paused"):
            store.campaigns.set_state(here.slug, "paused", actor="test")
        assert store.campaigns.set_state(here.slug, "open", actor="test").state == "open"
        with pytest.raises(NotFound):
            store.campaigns.get("absent")

    @pytest.mark.parametrize(
        ("limit", "words"),
        [
            ("MOST_SEGMENTS", "12 segments; expected at most 3"),
            ("MOST_SYSTEMS", "4 systems; expected at most 3"),
            ("MOST_CELLS", r"48 outputs \(segments times systems\); expected at most 3"),
            ("LONGEST_TEXT", "a text of 's0' has 8 characters; expected at most 3"),
        ],
    )
    def test_one_that_is_too_large_is_refused(self, store, monkeypatch, limit, words):
        here = campaign(store, name="fits")
        monkeypatch.setattr(size_limits, limit, 3)
        with pytest.raises(DataError, match=words):
            store.campaigns.add(plan(), texts_of(), actor="test")
        assert [one.id for one in store.campaigns.all()] == [here.id]
        if limit in ("MOST_SYSTEMS", "MOST_CELLS"):
            with pytest.raises(DataError, match="expected at most 3"):
                store.additions.system(here.slug, "late", [None] * 12, actor="test")

    @pytest.mark.parametrize("whose", ["a system", "a segment", "a document", "a domain"])
    def test_a_name_without_end_is_refused(self, store, whose):
        """Two megabytes of it were on every page that told of it."""
        found, name = texts_of(), "n" * (size_limits.LONGEST_NAME + 1)
        if whose == "a system":
            found = replace(found, outputs={**found.outputs, name: found.outputs[found.systems[0]]})
        else:
            field = {"a segment": "id"}.get(whose, whose.removeprefix("a "))
            first, *others = found.segments
            found = replace(found, segments=(replace(first, **{field: name}), *others))
        words = rf"the name of {whose}, 'n{{40}}'..., has 1,001 characters; expected at most 1,000"
        with pytest.raises(DataError, match=words):
            store.campaigns.add(plan(), found, actor="test")
        assert store.campaigns.all() == []

    def test_rows_go_in_by_blocks(self, store, monkeypatch):
        monkeypatch.setattr(campaigns, "_BLOCK", 5)
        here = campaign(store)
        assert store.campaigns.testset(here.id) == texts_of()


class TestPeople:
    def test_a_link_opens_until_it_is_revoked(self, store, clock):
        here = campaign(store)
        judge, token = store.judges.invite(here.id, name="Ann", days=1, actor="test")
        assert store.judges.by_link(token) == judge
        assert store.judges.by_link(token + "x") is None
        clock.pass_seconds(86_401)
        assert store.judges.by_link(token) is None
        new = store.judges.reissue_link(judge.id, "test")
        assert store.judges.by_link(new).id == judge.id
        secret, _ = store.sessions.start("judge", judge.id)
        store.judges.revoke(judge.id, "test")
        assert store.judges.by_link(new) is None
        assert store.sessions.find(secret) is None

    def test_the_secret_is_not_stored(self, store, tmp_path):
        _, token = store.judges.invite(campaign(store).id, actor="test")
        backup(store.database, tmp_path / "all.zip")
        with zipfile.ZipFile(tmp_path / "all.zip") as archive:
            everything = b"".join(archive.read(name) for name in archive.namelist())
        assert token.encode() not in everything

    def test_forgetting_keeps_the_judgments(self, store):
        here = campaign(store)
        judge, token = store.judges.invite(here.id, name="Ann", email="a@b.example", actor="test")
        do(store, judge)
        assert store.judges.identity(judge.id).name == "Ann"
        store.judges.forget(judge.id, "test")
        assert store.judges.identity(judge.id).name is None
        assert store.judges.identities(here.id) == {}
        assert store.judges.by_link(token) is None
        (stored,) = store.log.stored(here.id)
        assert stored.judge == judge.pseudonym
        assert "Ann" not in repr(store.events.list(limit=100))

    def test_exclusion_is_a_mark_that_can_be_taken_back(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        do(store, judge)
        mark = store.log.mark(here.id)
        store.judges.exclude(judge.id, "too fast", "olga")
        assert next(store.log.stored(here.id)).is_excluded
        assert store.judges.judge(judge.id).excluded_reason == "too fast"
        assert store.log.mark(here.id) != mark
        store.judges.include(judge.id, "olga")
        assert not next(store.log.stored(here.id)).is_excluded
        assert store.log.mark(here.id) == mark

    def test_small_things(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        store.judges.set_settings(judge.id, {"font": 3})
        store.judges.consent(judge.id, "v1")
        found = store.judges.judge(judge.id)
        assert found.settings == {"font": 3}
        assert found.consented_at is not None
        assert store.judges.by_pseudonym(here.id, judge.pseudonym).id == judge.id
        assert store.judges.judge(999) is None
        with pytest.raises(NotFound):
            store.judges.revoke(999, "test")
        with pytest.raises(NotFound):
            store.judges.invite(999, actor="test")


class TestAccounts:
    def test_a_password_is_chosen_once_per_link(self, store, clock):
        number, token = store.accounts.create("olga", "owner", "test")
        assert store.accounts.verify("olga", "correct horse battery") is None
        assert store.accounts.setup(token).name == "olga"
        with pytest.raises(DataError, match="expected 12 or more"):
            store.accounts.use_setup(token, "short")
        store.accounts.use_setup(token, "correct horse battery")
        with pytest.raises(DataError, match="used or has expired"):
            store.accounts.use_setup(token, "another password")
        assert store.accounts.verify("olga", "correct horse battery").id == number
        assert store.accounts.verify("olga", "another password") is None
        assert store.accounts.verify("nobody", "correct horse battery") is None
        late = store.accounts.new_setup(number, "test")
        clock.pass_seconds(8 * 86_400)
        assert store.accounts.setup(late) is None
        store.accounts.disable(number, "test")
        assert store.accounts.verify("olga", "correct horse battery") is None
        assert store.accounts.by_id(number) is None
        assert store.accounts.count() == 1
        with pytest.raises(DataError, match="already"):
            store.accounts.create("olga", "owner", "test")

    def test_tokens_open_what_their_scopes_say(self, store):
        number, _ = store.accounts.create("olga", "owner", "test")
        token = store.accounts.add_token(number, "laptop", ["read", "export"])
        account, scopes = store.accounts.by_token(token)
        assert (account.id, scopes) == (number, ("read", "export"))
        (listed,) = store.accounts.tokens(number)
        assert token.startswith(listed.prefix)
        assert listed.used_at is not None
        store.accounts.revoke_token(listed.id, "test")
        assert store.accounts.by_token(token) is None
        with pytest.raises(DataError, match="expected some of read, export, manage"):
            store.accounts.add_token(number, "x", ["everything"])

    def test_viewers(self, store):
        here = campaign(store)
        token = store.accounts.add_viewer(here.id)
        viewer = store.accounts.viewer(token)
        assert viewer.campaign == here.id
        assert store.accounts.viewer_by_id(viewer.id) == viewer
        assert store.accounts.viewers(here.id) == [viewer]
        store.accounts.revoke_viewer(viewer.id, "test")
        assert store.accounts.viewer(token) is None
        assert store.accounts.viewer_by_id(viewer.id) is None


class TestSessions:
    def test_they_end(self, store, clock):
        secret, csrf = store.sessions.start("account", 7, hours=2)
        found = store.sessions.find(secret)
        assert (found.kind, found.subject, found.csrf) == ("account", 7, csrf)
        assert store.sessions.find("other") is None
        clock.pass_seconds(5400)
        assert store.sessions.find(secret, idle_hours=1) is None
        assert store.sessions.find(secret) is not None
        assert store.sessions.find(secret, idle_hours=1) is not None, "it was seen just now"
        clock.pass_seconds(1800)
        assert store.sessions.find(secret) is None

    def test_signing_out_here_and_everywhere(self, store):
        secrets = [store.sessions.start("judge", 1)[0] for _ in range(3)]
        other, _ = store.sessions.start("account", 1)
        store.sessions.end(secrets[0])
        assert store.sessions.find(secrets[0]) is None
        assert store.sessions.find(secrets[1]) is not None
        store.sessions.end_all("judge", 1)
        assert store.sessions.find(secrets[2]) is None
        assert store.sessions.find(other) is not None

    def test_a_judges_session_says_who_it_is(self, store, clock):
        (judge,) = judges(store, campaign(store), 1)
        secret, csrf = store.sessions.start("judge", judge.id, hours=2)
        other, _ = store.sessions.start("account", judge.id)
        session, found = store.sessions.find_judge(secret)
        assert (session, found) == (store.sessions.find(secret), judge)
        assert session.csrf == csrf
        assert store.sessions.find_judge(other) is None
        assert store.sessions.find_judge("unknown") is None
        clock.pass_seconds(3601)
        assert store.sessions.find_judge(secret, idle_hours=1) is None
        clock.pass_seconds(3600)
        assert store.sessions.find_judge(secret) is None


class TestQueue:
    def test_it_is_filled_once_and_withdrawn_when_ratings_change(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        assert store.queue.top_up(here.id) == 40
        assert store.queue.top_up(here.id) == 0
        task = next_task(store, judge)
        assert store.log.floor(here.id).queued_screens == 39
        assert store.queue.top_up(here.id, replace_waiting=True) == 40
        assert store.log.floor(here.id).queued_screens == 40
        assert not store.judging.submit(judge, task.token, answer(task)).surplus

    def test_all_who_were_invited_may_come_at_once(self, store):
        here = campaign(store)
        judges(store, here, 60)
        assert store.queue.top_up(here.id) == 60
        judges(store, here, 60)
        assert store.queue.top_up(here.id) == 40, "a hundred wait at most for those not at work"

    def test_a_judge_does_not_wait_for_the_background(self, store):
        here = campaign(store, stop={"max_judgments": 30})
        (judge,) = judges(store, here, 1)
        got = []

        def slowly(campaign_id, count, *, withdraw):
            found = store.queue.choose(campaign_id, count, withdraw=withdraw)
            got.append(next_task(store, judge))  # while the background is choosing
            return found

        added = store.queue.top_up(here.id, choose=slowly)
        assert len(got) == 1
        assert added == 30 - INLINE_SCREENS, "the stop rule holds for both together"

    def test_nothing_for_a_closed_campaign(self, store):
        here = campaign(store)
        store.campaigns.set_state(here.slug, "closed", actor="test")
        assert store.queue.top_up(here.id) == 0

    @pytest.mark.parametrize(
        ("protocol", "given"),
        [
            ("pairwise", {"choice": "left"}),
            ("adequacy-fluency", {"fluency": [1, 2, 3], "adequacy": [5, 4, 3]}),
            ("direct-assessment", {"scores": [0, 50, 100]}),
        ],
    )
    def test_every_protocol_goes_round(self, store, protocol, given):
        k = 2 if protocol == "pairwise" else 3
        here = campaign(store, protocol=protocol, k=k)
        (judge,) = judges(store, here, 1)
        for _ in range(25):  # more than one filling of the queue
            task = next_task(store, judge)
            store.judging.submit(judge, task.token, Submission("answer", given, 5))
        (entry,) = store.judging.history(judge, 1)
        assert entry.answer == given
        stored = list(store.log.stored(here.id))[-1]
        back = here.plan.rules.reorder(stored.answer, stored.shown, back=False)
        assert back == given


class TestLog:
    def test_counts(self, store, clock):
        here = campaign(store, lease_seconds=600)
        first, second = judges(store, here, 2)
        do(store, first)
        task = next_task(store, first)
        clock.pass_seconds(3)
        store.judging.submit(first, task.token, skip())
        next_task(store, second)
        counts = store.log.judge_counts(here.id)
        assert (counts[first.id].answers, counts[first.id].skips) == (1, 1)
        assert counts[first.id].active_ms == 500
        assert counts[first.id].last_at == clock.now
        assert (counts[second.id].answers, counts[second.id].open_leases) == (0, 1)
        assert store.log.count(here.id) == 1
        floor = store.log.floor(here.id)
        assert (floor.open_leases, floor.expiring, floor.saves_last_minute) == (1, 0, 2)
        (lease,) = store.log.open_leases(here.id)
        assert (lease.judge, lease.role) == (second.pseudonym, "work")
        clock.pass_seconds(400)
        assert store.log.floor(here.id).expiring == 1
        clock.pass_seconds(400)
        store.judging.release_expired()
        floor = store.log.floor(here.id)
        assert (floor.open_leases, floor.expired_last_hour, floor.saves_last_minute) == (0, 1, 0)

    def test_the_first_few_are_read_alone(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        receipts = [do(store, judge) for _ in range(4)]
        again = store.judging.revise(judge, receipts[0])
        store.judging.submit(judge, again.token, answer(again))
        log = JudgmentLog(store.database, store.clock)
        found = log.first(here.id, 3)
        assert log._cache._kept == {}
        assert found == list(store.log.stored(here.id, superseded=True))[:3]
        assert [j.receipt for j in found] == receipts[:3]

    def test_a_lower_number_that_comes_last_changes_the_mark(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        do(store, judge)
        (judgment,) = store.log.stored(here.id)
        before = store.log.mark(here.id)
        with store.database.write() as connection:
            row = dict(connection.execute(select(tables.judgments)).one()._mapping)
            lease = dict(connection.execute(select(tables.leases)).one()._mapping)
            lease |= {"id": lease["id"] + 1000, "token": "late", "replicate": 1}
            connection.execute(insert(tables.leases), lease)
            row |= {"id": judgment.id - 1, "receipt": "late", "lease": lease["id"]}
            connection.execute(insert(tables.judgments), row)
        assert store.log.mark(here.id) != before

    def test_few_campaigns_stay_in_memory(self, store):
        made = [campaign(store, name=f"Test {n}") for n in range(CAMPAIGNS + 2)]
        for here in [*made, made[-2]]:
            list(store.log.stored(here.id))
        kept = [made[n].id for n in (-4, -3, -1, -2)]
        assert list(store.log._cache._kept) == kept

    def test_since_and_segment(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        for _ in range(6):
            do(store, judge)
        every = list(store.log.stored(here.id))
        assert list(store.log.stored(here.id, since=every[3].id)) == every[4:]
        segment = every[0].segment
        same = [j for j in every if j.segment == segment]
        assert list(store.log.stored(here.id, segment=segment)) == same
        assert store.log.last(here.id) == every[-1].id
        with pytest.raises(NotFound):
            list(store.log.stored(here.id, segment="absent"))

    def test_what_is_remembered_is_what_is_stored(self, store, url):
        here = campaign(store)
        first, second = judges(store, here, 2)
        receipt = do(store, first)
        for step in range(4):
            do(store, second)
            if step == 1:
                again = store.judging.revise(first, receipt)
                store.judging.submit(first, again.token, answer(again))
                store.judges.exclude(second.id, "too fast", "test")
            if step == 2:
                # as on PostgreSQL, where a lower number may be committed after a higher one
                del store.log._cache._kept[here.id].judgments[0]
            if step == 3:
                store.judges.include(second.id, "test")
            for superseded in (False, True):
                fresh = JudgmentLog(store.database, store.clock)
                expected = list(fresh.stored(here.id, superseded=superseded))
                assert list(store.log.stored(here.id, superseded=superseded)) == expected
                assert len(expected) == step + 2 + (superseded and step > 0)

    def test_judgments_from_elsewhere(self, store):
        here = campaign(store)
        slots = (Slot(("sys0",)), Slot(("sys1", "sys2")))
        finished = [
            FinishedJudgment(
                name,
                PlannedScreen("s1", slots),
                "answer",
                {"ranks": [1, 2]},
                active_ms=1500,
                received_at=5000,
                details={"shown": [1, 0], "batch": "b"},
            )
            for name in ("Ann", "Bob", "Ann")
        ]
        assert store.judging.add_finished(here.id, finished, actor="test") == 3
        every = list(store.log.stored(here.id))
        assert len({j.judge for j in every}) == 2
        assert len({j.screen for j in every}) == 3
        assert every[0].slots == slots
        assert every[0].shown == (1, 0)
        assert (every[0].shown_at, every[0].received_at) == (3500, 5000)
        names = {identity.name for identity in store.judges.identities(here.id).values()}
        assert names == {"Ann", "Bob"}
        assert all(judge.revoked_at for judge in store.judges.judges(here.id))
        with pytest.raises(AlreadyImported, match="3 judgments were imported"):
            store.judging.add_finished(here.id, reversed(finished), actor="test")
        assert store.judging.add_finished(here.id, finished[:2], actor="test") == 2
        assert store.judging.add_finished(here.id, finished, actor="test", again=True) == 3
        assert store.log.count(here.id) == 8
        other = campaign(store, name="Other")
        assert store.judging.add_finished(other.id, finished, actor="test") == 3


def test_standings_replace_each_other(store, clock):
    here = campaign(store)
    assert store.standings.get(here.id, "people") is None
    store.standings.put(here.id, "people", 3, {"n": 3})
    store.standings.put_all(here.id, 4, {"people": {"n": 4}, "heat": {"h": []}})
    found = store.standings.get(here.id, "people")
    assert (found.judgments, found.content, found.computed_at) == (4, {"n": 4}, clock.now)
    assert set(store.standings.all(here.id)) == {"people", "heat"}


def test_events_are_listed_newest_first(store):
    here = campaign(store)
    store.events.add("olga\0", "export", campaign=here.id, details={"rows": 3}, request="r1")
    newest, *_ = store.events.list(here.id)
    assert (newest.actor, newest.action, newest.details) == ("olga\0", "export", {"rows": 3})
    assert [e.action for e in store.events.list(here.id, limit=2)] == ["export", "campaign.state"]
    assert {"campaign.add"} <= {e.action for e in store.events.list()}
