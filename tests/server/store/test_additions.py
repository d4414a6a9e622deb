"""Systems and documents that join a campaign under way, on both databases."""

from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import select

from rankwise.errors import DataError
from rankwise.server.background.health import Health
from rankwise.server.background.refresher import Refresher
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.published_pages import publish
from rankwise.server.campaign.standings.contents import BOARD
from rankwise.server.records import JudgeTask, Submission
from rankwise.server.settings import Settings
from rankwise.server.store.campaigns import additions
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.backup import backup, restore
from rankwise.server.store.database.store_errors import NotAllowed
from rankwise.types import Segment, TestSet
from server.store.campaign_data import answer, campaign, do, judges, next_task, plan, texts_of

LATE = [f"what that one made of {n}" for n in range(12)]


def more(first=12, count=4, systems=4):
    """Another document with outputs of all systems."""
    texts = texts_of(first + count, systems)
    outputs = {name: found[first:] for name, found in texts.outputs.items()}
    return replace(texts, segments=texts.segments[first:], outputs=outputs)


def waiting(store, here):
    """The slots of the screens of work that nobody got."""
    columns = tables.screens.c
    query = select(columns.slots, columns.segment).where(
        columns.campaign == here.id, columns.withdrawn_at.is_(None), columns.remaining > 0
    )
    with store.database.read() as connection:
        return connection.execute(query).all()


class TestSystem:
    def test_judgments_and_work_in_hand_stay(self, store):
        here = campaign(store)
        ann, bob = judges(store, here, 2)
        receipt = do(store, ann)
        task = next_task(store, bob)
        store.judging.save_draft(bob, task.token, {"ranks": [1, None, None]}, 1)
        before = list(store.log.stored(here.id))
        assert store.additions.system(here.slug, "late", LATE, actor="ann") == []
        assert list(store.log.stored(here.id)) == before
        again = next_task(store, bob)
        assert (again.token, again.outputs) == (task.token, task.outputs)
        assert again.draft == {"ranks": [1, None, None]}
        store.judging.submit(bob, task.token, answer(task))
        assert {one.receipt for one in store.log.stored(here.id)} > {receipt}
        event = store.events.list(here.id)[0]
        assert (event.action, event.actor) != ("campaign.system", "bob")
        (added,) = [e for e in store.events.list(here.id) if e.action == "campaign.system"]
        assert (added.actor, added.object) == ("ann", "late")
        assert added.details == {"outputs": 12, "missing": 0}

    def test_the_next_screens_have_it(self, store):
        here = campaign(store, strategy="clusters", coverage_floor=3)
        judge = judges(store, here, 1)[0]
        for _ in range(12):
            do(store, judge)
        store.queue.top_up(here.id)
        assert waiting(store, here)
        store.additions.system(here.slug, "late", LATE, actor="test")
        assert waiting(store, here) == []
        tasks = [next_task(store, judge)]
        for _ in range(2):
            store.judging.submit(judge, tasks[-1].token, answer(tasks[-1]))
            tasks.append(next_task(store, judge))
        assert all(set(task.outputs) & set(LATE) for task in tasks)  # nobody was seen less

    def test_screens_that_wait_are_withdrawn_while_it_is_paused_too(self, store):
        here = campaign(store)
        store.queue.top_up(here.id)
        store.campaigns.set_state(here.slug, "paused", actor="test")
        store.additions.system(here.slug, "late", LATE, actor="test")
        assert waiting(store, here) == []

    def test_what_was_chosen_before_is_dropped(self, store):
        here = campaign(store)

        def choose(campaign_id, count, *, withdraw):
            found = store.queue.choose(campaign_id, count, withdraw=withdraw)
            store.additions.system(here.slug, "late", LATE, actor="test")
            return found

        assert store.queue.top_up(here.id, choose=choose) == 0
        assert waiting(store, here) == []
        assert store.queue.top_up(here.id) > 0

    def test_some_documents_alone(self, store):
        here = campaign(store)
        texts = [*LATE[:4], *[None] * 8]
        found = store.additions.system(here.slug, "late", texts, actor="test")
        assert any(one.message.startswith("8 outputs are missing") for one in found)
        judge = judges(store, here, 1)[0]
        shown = Counter()
        for _ in range(12):
            task = next_task(store, judge)
            shown.update(text for text in task.outputs if text in LATE)
            store.judging.submit(judge, task.token, answer(task))
        assert sum(shown.values()) >= 3
        assert set(shown) <= set(LATE[:4])

    def test_what_is_refused(self, store):
        here = campaign(store)
        for name, outputs, words in (
            ("late", ["x"], "'late' has 1 outputs; expected one for each of the 12 segments"),
            ("sys1", LATE, "there is a system 'sys1' already, and what was judged stays as it is"),
            ("a#b", LATE, "System names may not hold '#'"),
            ("late", [None] * 12, "System 'late' has no output at all"),
        ):
            with pytest.raises(DataError, match=words):
                store.additions.system(here.slug, name, outputs, actor="test")
        store.campaigns.set_state(here.slug, "closed", actor="test")
        with pytest.raises(NotAllowed, match="is closed; open it again to add texts"):
            store.additions.system(here.slug, "late", LATE, actor="test")
        assert store.campaigns.testset(here.id).systems == texts_of().systems

    def test_standings_name_it_at_once(self, store):
        here = campaign(store)
        do(store, judges(store, here, 1)[0])
        refresher = Refresher(store, Settings(), Health())
        refresher.refresh()
        store.additions.system(here.slug, "late", LATE, actor="test")
        refresher._rest_until.clear()
        refresher.refresh()
        board = store.standings.get(here.id, f"{BOARD}trueskill")
        assert "late" in board.content["unjudged"]


class TestSegments:
    def test_they_come_at_the_end(self, store):
        here = campaign(store)
        judge = judges(store, here, 1)[0]
        task = next_task(store, judge)
        assert store.additions.segments(here.slug, more(), actor="ann") == []
        found = store.campaigns.testset(here.id)
        assert found.segments == texts_of(16).segments
        assert found.outputs == texts_of(16).outputs
        assert store.campaigns.get(here.slug).size == (4, 16)
        assert next_task(store, judge).outputs == task.outputs
        store.judging.submit(judge, task.token, answer(task))
        (event,) = [e for e in store.events.list(here.id) if e.action == "campaign.segments"]
        assert (event.actor, event.details) == ("ann", {"segments": 4, "documents": 1})

    def test_they_are_asked_about_first(self, store):
        here = campaign(store, protocol="direct-assessment", k=1)
        judge = judges(store, here, 1)[0]
        for _ in range(60):
            task = next_task(store, judge)
            sent = Submission("answer", {"scores": [50]}, active_ms=1000)
            store.judging.submit(judge, task.token, sent)
        store.additions.segments(here.slug, more(), actor="test")
        new = {text for texts in more().outputs.values() for text in texts}
        for _ in range(16):
            task = next_task(store, judge)
            assert set(task.outputs) <= new
            sent = Submission("answer", {"scores": [50]}, active_ms=1000)
            store.judging.submit(judge, task.token, sent)

    def test_numbers_go_on(self, store):
        one = TestSet(
            tuple(Segment(str(n), f"a {n}") for n in (1, 2, 3)),
            {s: tuple(f"{s} {n}" for n in range(3)) for s in "AB"},
        )
        two = TestSet(
            tuple(Segment(str(n), f"b {n}") for n in (1, 2)),
            {s: tuple(f"{s} more {n}" for n in range(2)) for s in "BA"},
        )
        here = campaign(store, texts=one, k=2)
        store.additions.segments(here.slug, two, actor="test")
        found = store.campaigns.testset(here.id)
        assert [segment.id for segment in found.segments] == ["1", "2", "3", "4", "5"]
        assert found.outputs["A"] == ("A 0", "A 1", "A 2", "A more 0", "A more 1")
        with pytest.raises(DataError, match="new segment 1 has the source and the outputs of"):
            store.additions.segments(here.slug, one, actor="test")

    def test_what_is_refused(self, store):
        here = campaign(store, show_reference=True)
        full = more()
        no_reference = replace(
            full, segments=tuple(replace(s, references=()) for s in full.segments)
        )
        old_document = replace(
            full, segments=tuple(replace(s, document="doc2") for s in full.segments)
        )
        for added, words in (
            (more(systems=3), "no outputs of sys3; expected outputs of all 4 systems"),
            (more(systems=5), "no system 'sys4'; add the system first"),
            (more(first=11), "segment 's11' is in the campaign already"),
            (old_document, "document 'doc2' is in the campaign already"),
            (no_reference, "the reference is shown, and 's12' has none"),
            (TestSet((), {}), "there is no segment to add"),
        ):
            with pytest.raises(DataError, match=words):
                store.additions.segments(here.slug, added, actor="test")
        assert store.campaigns.get(here.slug).size == (4, 12)

    def test_somebody_else_was_faster(self, store, monkeypatch):
        here = campaign(store)
        look = additions.addition_findings

        def overtaken(*about, **more):
            monkeypatch.undo()
            store.additions.system(here.slug, "first", LATE, actor="test")
            return look(*about, **more)

        monkeypatch.setattr(additions, "addition_findings", overtaken)
        with pytest.raises(NotAllowed, match="changed meanwhile; look, then try again"):
            store.additions.segments(here.slug, more(), actor="test")
        assert store.campaigns.get(here.slug).size == (5, 12)


def test_exports_pages_and_backups_have_what_was_added(store, url, tmp_path):
    here = campaign(store)
    people = judges(store, here, 2)
    do(store, people[0])
    store.additions.system(here.slug, "late", LATE, actor="test")
    store.additions.segments(here.slug, _with_late(more()), actor="test")
    for _ in range(30):
        do(store, people[1])
    store.campaigns.set_state(here.slug, "closed", actor="test")
    testset = store.campaigns.testset(here.id)
    stored = list(store.log.stored(here.id, superseded=True))
    assert {name for one in stored for slot in one.slots for name in slot.systems} >= {"late"}
    for name in ("long", "records", "testset", "jsonl"):
        path = tmp_path / name
        made = export.write(here.plan, testset, stored, path, format=name)
        assert (made.judgments, "late" in path.read_text()) == (31, True)
    publish(here.plan, testset, stored, tmp_path / "pages")
    assert any("late" in one.read_text() for one in (tmp_path / "pages").glob("*.html"))
    backup(store.database, tmp_path / "all.backup")
    store.database.close()
    restore(tmp_path / "all.backup", url, force=True)


def _with_late(texts):
    return replace(texts, outputs={**texts.outputs, "late": tuple(LATE[: len(texts)])})


def test_a_document_in_hand_stays_as_it_is(store):
    here = store.campaigns.add(plan(protocol="esa", k=2, window=4), texts_of(), actor="test")
    here = store.campaigns.set_state(here.slug, "open", actor="test")
    judge = judges(store, here, 1)[0]
    task = next_task(store, judge)
    store.additions.system(here.slug, "late", LATE, actor="test")
    store.additions.segments(here.slug, _with_late(more()), actor="test")
    again = store.judging.next(judge)
    assert isinstance(again, JudgeTask)
    assert (again.token, again.rows) == (task.token, task.rows)
    rows = [[{"spans": [], "score": 50} for _ in row.outputs] for row in task.rows]
    sent = Submission("answer", {"segments": rows}, active_ms=1000)
    assert store.judging.submit(judge, task.token, sent).receipt
