"""The lease machine, the same on both databases: exactly once, never too often, nothing lost."""

import threading
from collections import Counter
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, event, select

from rankwise.errors import DataError
from rankwise.server.records import JudgeTask, Nothing, Submission
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.store_errors import (
    AlreadyDone,
    NotAllowed,
    NotFound,
    StaleDraft,
)
from rankwise.server.store.judging import judging
from server.store.campaign_data import (
    answer,
    campaign,
    do,
    judges,
    next_task,
    screen_counts,
    skip,
    texts_of,
)


def screen(store: CampaignStore, task: JudgeTask):
    with store.database.read() as connection:
        query = (
            select(tables.screens).join(tables.leases).where(tables.leases.c.token == task.token)
        )
        return connection.execute(query).one()


def test_a_task_shows_texts_and_no_names(store):
    here = campaign(store, context=1, show_reference=True)
    (judge,) = judges(store, here, 1)
    task = next_task(store, judge)
    texts = texts_of()
    place = next(i for i, s in enumerate(texts.segments) if s.source == task.source)
    assert len(task.outputs) == 3
    assert set(task.outputs) <= {outputs[place] for outputs in texts.outputs.values()}
    assert task.reference == f"reference {place} of it"
    before = (f"Quelle {place - 1}",) if place % 4 else ()
    after = (f"Quelle {place + 1}",) if place % 4 != 3 else ()
    assert (before, after) == (task.before, task.after)
    assert "sys" not in repr(task)


def test_the_same_token_gets_the_same_receipt(store, clock):
    (judge,) = judges(store, campaign(store), 1)
    task = next_task(store, judge)
    first = store.judging.submit(judge, task.token, answer(task))
    clock.pass_seconds(60)
    again = store.judging.submit(judge, task.token, skip())
    assert (again.receipt, again.received_at) == (first.receipt, first.received_at)
    assert (first.is_replay, again.is_replay) == (False, True)
    assert (first.differs, again.differs) == (False, True)
    (stored,) = store.log.stored(judge.campaign)
    assert stored.kind == "answer"


def test_a_resend_says_whether_it_differs_from_what_is_stored(store):
    (judge,) = judges(store, campaign(store), 1)
    task = next_task(store, judge)
    store.judging.submit(judge, task.token, answer(task, comment="good"))
    wrong = Submission("answer", {"ranks": [9]}, active_ms=1)
    other = Submission("answer", {"ranks": [1, 1, 1]}, active_ms=1, comment="good")
    sent = [answer(task, comment="good", active_ms=5), answer(task), other, wrong]
    found = [store.judging.submit(judge, task.token, again).differs for again in sent]
    assert found == [False, True, True, True]


def test_a_draft_for_a_submitted_screen_is_refused(store):
    (judge,) = judges(store, campaign(store), 1)
    task = next_task(store, judge)
    store.judging.submit(judge, task.token, answer(task))
    with pytest.raises(AlreadyDone, match="another window"):
        store.judging.save_draft(judge, task.token, {"ranks": [2, 1, 3]}, 2)


def test_twenty_resends_at_once_store_one_judgment(store):
    (judge,) = judges(store, campaign(store), 1)
    task = next_task(store, judge)
    receipts = []
    threads = [
        threading.Thread(
            target=lambda: receipts.append(store.judging.submit(judge, task.token, answer(task)))
        )
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({receipt.receipt for receipt in receipts}) == 1
    assert Counter(receipt.is_replay for receipt in receipts) == {False: 1, True: 19}
    assert len(list(store.log.stored(judge.campaign, superseded=True))) == 1


def test_answers_are_stored_in_slot_order(store):
    (judge,) = judges(store, campaign(store), 1)
    task = next_task(store, judge)
    store.judging.submit(judge, task.token, answer(task))
    (stored,) = store.log.stored(judge.campaign)
    # place i got rank i + 1, and slot shown[i] is at place i
    assert [stored.answer["ranks"][slot] for slot in stored.shown] == [1, 2, 3]


def test_next_again_is_the_same_task(store):
    (judge,) = judges(store, campaign(store), 1)
    first = next_task(store, judge)
    store.judging.save_draft(judge, first.token, {"ranks": [1, None, None]}, 1)
    again = next_task(store, judge)
    assert (again.token, again.outputs) == (first.token, first.outputs)
    assert (again.draft, again.draft_version) == ({"ranks": [1, None, None]}, 1)


def test_judges_at_the_same_time_get_different_screens(store):
    here = campaign(store, redundancy=3)
    tasks = [next_task(store, judge) for judge in judges(store, here, 8)]
    assert len({screen(store, task).id for task in tasks}) == 8


def test_a_screen_goes_to_as_many_judges_as_the_plan_says(store):
    here = campaign(store, redundancy=2, stop={"max_judgments": 20})
    for _ in range(3):
        for judge in judges(store, here, 4):
            for _ in range(20):
                if isinstance(store.judging.next(judge), JudgeTask):
                    do(store, judge)
    counts = screen_counts(store, here.id)
    assert set(counts.values()) == {2}
    assert sum(counts.values()) == 20
    pairs = Counter((j.screen, j.judge) for j in store.log.stored(here.id))
    assert set(pairs.values()) == {1}


def test_all_done_when_the_stop_rule_says_so(store):
    here = campaign(store, stop={"max_judgments": 3})
    (judge,) = judges(store, here, 1)
    for _ in range(3):
        do(store, judge)
    assert store.judging.next(judge) == Nothing("all-done")


def test_excluding_a_judge_frees_the_places(store):
    here = campaign(store, stop={"max_judgments": 5})
    first, second = judges(store, here, 2)
    for _ in range(5):
        do(store, first)
    assert store.judging.next(second) == Nothing("all-done")
    store.judges.exclude(first.id, "too fast", "test")
    for _ in range(5):
        do(store, second)
    assert store.judging.next(second) == Nothing("all-done")


def test_an_expired_lease_gives_its_place_back(store, clock):
    here = campaign(store, lease_seconds=60, stop={"max_judgments": 1})
    first, second = judges(store, here, 2)
    task = next_task(store, first)
    assert store.judging.next(second) == Nothing("all-done")
    clock.pass_seconds(59)
    assert store.judging.release_expired() == 0
    clock.pass_seconds(1)
    assert store.judging.release_expired() == 1
    assert screen(store, next_task(store, second)).id == screen(store, task).id


def test_activity_keeps_a_lease(store, clock):
    (judge,) = judges(store, campaign(store, lease_seconds=60), 1)
    task = next_task(store, judge)
    clock.pass_seconds(50)
    assert store.judging.renew(judge, task.token) == clock.now + 60_000
    clock.pass_seconds(50)
    store.judging.save_draft(judge, task.token, {}, 1)
    clock.pass_seconds(50)
    assert store.judging.release_expired() == 0
    assert next_task(store, judge).token == task.token


def test_late_work_counts_while_the_screen_is_open(store, clock):
    here = campaign(store, lease_seconds=60)
    (judge,) = judges(store, here, 1)
    task = next_task(store, judge)
    clock.pass_seconds(100)
    store.judging.release_expired()
    assert not store.judging.submit(judge, task.token, answer(task)).surplus
    assert screen(store, task).remaining == 0


def test_late_work_is_surplus_when_somebody_else_did_it(store, clock):
    here = campaign(store, lease_seconds=60, stop={"max_judgments": 1})
    first, second = judges(store, here, 2)
    task = next_task(store, first)
    clock.pass_seconds(100)
    store.judging.release_expired()
    do(store, second)
    receipt = store.judging.submit(first, task.token, answer(task))
    assert receipt.surplus
    assert store.judging.submit(first, task.token, answer(task)).receipt == receipt.receipt
    assert [j.surplus for j in store.log.stored(here.id)] == [False, True]
    assert store.log.count(here.id) == 1


def test_a_judge_counts_once_per_screen_however_late(store, clock):
    here = campaign(store, lease_seconds=60, redundancy=2, stop={"max_judgments": 2})
    (judge,) = judges(store, here, 1)
    first = next_task(store, judge)
    clock.pass_seconds(100)
    store.judging.release_expired()
    second = next_task(store, judge)
    assert screen(store, second).id == screen(store, first).id
    assert second.token != first.token
    assert not store.judging.submit(judge, second.token, answer(second)).surplus
    assert store.judging.submit(judge, first.token, answer(first)).surplus
    assert screen(store, first).remaining == 1


def test_a_lease_that_expired_with_a_draft_comes_back(store, clock):
    here = campaign(store, lease_seconds=60)
    (judge,) = judges(store, here, 1)
    task = next_task(store, judge)
    store.judging.save_draft(judge, task.token, {"ranks": [2, 1, None]}, 3)
    clock.pass_seconds(100)
    assert store.judging.release_expired() == 1
    again = next_task(store, judge)
    assert (again.token, again.draft_version) == (task.token, 3)
    assert screen(store, task).remaining == 0


def test_renewing_revives_an_expired_lease_only_while_there_is_a_place(store, clock):
    here = campaign(store, lease_seconds=60, stop={"max_judgments": 1})
    first, second = judges(store, here, 2)
    task = next_task(store, first)
    clock.pass_seconds(100)
    store.judging.release_expired()
    assert store.judging.renew(first, task.token) == clock.now + 60_000
    clock.pass_seconds(100)
    store.judging.release_expired()
    next_task(store, second)
    assert store.judging.renew(first, task.token) < clock.now
    # a draft is kept all the same
    assert store.judging.save_draft(first, task.token, {"ranks": [1]}, 1) == clock.now


def test_closed_campaigns_take_work_in_hand_as_surplus(store):
    here = campaign(store)
    (judge,) = judges(store, here, 1)
    task = next_task(store, judge)
    store.campaigns.set_state(here.slug, "closed", actor="test")
    assert store.judging.submit(judge, task.token, answer(task)).surplus
    assert screen(store, task).remaining == 1


@pytest.mark.parametrize(("state", "reason"), [("paused", "paused"), ("closed", "closed")])
def test_no_new_screens_unless_the_campaign_is_open(store, state, reason):
    here = campaign(store)
    (judge,) = judges(store, here, 1)
    store.campaigns.set_state(here.slug, state, actor="test")
    assert store.judging.next(judge) == Nothing(reason)


def test_a_revoked_judge_gets_nothing(store):
    (judge,) = judges(store, campaign(store), 1)
    store.judges.revoke(judge.id, "test")
    assert store.judging.next(judge) == Nothing("revoked")


def test_nobody_touches_the_task_of_somebody_else(store):
    first, second = judges(store, campaign(store), 2)
    task = next_task(store, first)
    receipt = store.judging.submit(first, task.token, answer(task)).receipt
    with pytest.raises(NotFound):
        store.judging.task(second, task.token)
    with pytest.raises(NotFound):
        store.judging.submit(second, task.token, answer(task))
    with pytest.raises(NotFound):
        store.judging.save_draft(second, task.token, {}, 9)
    with pytest.raises(NotFound):
        store.judging.renew(second, task.token)
    with pytest.raises(NotFound):
        store.judging.revise(second, receipt)


def test_a_wrong_answer_is_refused_and_the_lease_stays(store):
    (judge,) = judges(store, campaign(store), 1)
    task = next_task(store, judge)
    with pytest.raises(DataError, match="expected a list of 3 numbers"):
        store.judging.submit(judge, task.token, Submission("answer", {"ranks": [1]}, 0))
    assert not store.judging.submit(judge, task.token, answer(task)).is_replay


def test_a_skipped_screen_goes_to_somebody_else_but_not_to_everybody(store):
    here = campaign(store, stop={"max_judgments": 1})
    three = judges(store, here, 3)
    tasks = []
    for judge in three[:2]:
        tasks.append(next_task(store, judge))
        store.judging.submit(judge, tasks[-1].token, skip())
        assert screen(store, tasks[0]).id == screen(store, tasks[-1]).id
    # two skipped it: the third gets another one in its place
    third = next_task(store, three[2])
    assert screen(store, third).id != screen(store, tasks[0]).id


def test_released_screens_go_to_somebody_else(store):
    here = campaign(store, stop={"max_judgments": 1})
    first, second = judges(store, here, 2)
    task = next_task(store, first)
    store.judging.release(first, task.token)
    store.judging.release(first, task.token)
    assert screen(store, next_task(store, second)).id == screen(store, task).id


def test_drafts_never_go_back(store, clock):
    (judge,) = judges(store, campaign(store), 1)
    task = next_task(store, judge)
    saved = store.judging.save_draft(judge, task.token, {"ranks": [1, 2, 3]}, 2)
    clock.pass_seconds(1)
    assert store.judging.save_draft(judge, task.token, {"ranks": [1, 2, 3]}, 2) == saved
    for version in (1, 2):
        with pytest.raises(StaleDraft) as caught:
            store.judging.save_draft(judge, task.token, {"ranks": []}, version)
        assert caught.value.version == 2
    assert store.judging.task(judge, task.token).draft == {"ranks": [1, 2, 3]}
    store.judging.submit(judge, task.token, answer(task))
    assert store.judging.task(judge, task.token).draft is None


def test_active_time_is_at_most_what_passed(store, clock):
    (judge,) = judges(store, campaign(store), 1)
    for sent, expected in [(3000, 3000), (99_000, 5000), (-7, 0)]:
        task = next_task(store, judge)
        clock.pass_seconds(5)
        store.judging.submit(judge, task.token, answer(task, active_ms=sent))
        stored = list(store.log.stored(judge.campaign))[-1]
        assert stored.active_ms == expected
        assert stored.details == ({} if sent == expected else {"active_ms_sent": sent})


def test_a_clock_that_goes_back_does_no_harm(store, clock):
    here = campaign(store, lease_seconds=60)
    (judge,) = judges(store, here, 1)
    task = next_task(store, judge)
    clock.pass_seconds(-86_400)
    assert store.judging.release_expired() == 0
    clock.pass_seconds(61)
    assert store.judging.release_expired() == 1, "it must not live for a day"
    store.judging.submit(judge, task.token, answer(task))
    (stored,) = store.log.stored(here.id)
    assert stored.received_at >= stored.shown_at
    assert stored.active_ms >= 0


@contextmanager
def counted_questions(asked):
    """Adds how often a database was asked within the block."""
    seen = []

    def note(*given):
        seen.append(given)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    asked.append(len(seen))


class TestRevision:
    def test_it_appends(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        task = next_task(store, judge)
        first = store.judging.submit(judge, task.token, answer(task, comment="hm"))
        again = store.judging.revise(judge, first.receipt)
        assert again.outputs == task.outputs
        assert again.supersedes == first.receipt
        assert again.draft == {"ranks": [1, 2, 3], "comment": "hm"}
        assert store.judging.revise(judge, first.receipt).token == again.token
        change = Submission("answer", {"ranks": [3, 2, 1]}, 10)
        second = store.judging.submit(judge, again.token, change)
        assert second.receipt != first.receipt
        (stands,) = store.log.stored(here.id)
        every = list(store.log.stored(here.id, superseded=True))
        assert [j.receipt for j in every] == [first.receipt, second.receipt]
        assert stands.supersedes == every[0].id
        assert screen(store, task).remaining == 0

    def test_a_chain_has_one_end(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        first = do(store, judge)
        one = store.judging.revise(judge, first)
        second = store.judging.submit(judge, one.token, answer(one)).receipt
        two = store.judging.revise(judge, first)
        assert two.supersedes == second
        store.judging.submit(judge, two.token, answer(two))
        assert len(list(store.log.stored(here.id))) == 1
        assert len(list(store.log.stored(here.id, superseded=True))) == 3
        (entry,) = store.judging.history(judge)
        assert entry.can_revise

    def test_a_long_chain_is_asked_for_at_once(self, store):
        (judge,) = judges(store, campaign(store), 1)
        first = do(store, judge)
        asked = []
        for _ in range(20):
            with counted_questions(asked):
                task = store.judging.revise(judge, first)
                store.judging.submit(judge, task.token, answer(task))
        assert asked[1] == asked[-1], "others wait meanwhile"
        assert len(list(store.log.stored(judge.campaign, superseded=True))) == 21

    def test_there_is_an_end_to_changing_ones_mind(self, store, monkeypatch):
        monkeypatch.setattr(judging, "MOST_REVISIONS", 3)
        (judge,) = judges(store, campaign(store), 1)
        receipts = [do(store, judge)]
        for _ in range(3):
            task = store.judging.revise(judge, receipts[0])
            receipts.append(store.judging.submit(judge, task.token, answer(task)).receipt)
        for receipt in receipts:
            with pytest.raises(NotAllowed, match="changed 3 times; it stays as it is"):
                store.judging.revise(judge, receipt)
        assert store.judging.revise(judge, do(store, judge)).supersedes is not None

    def test_next_is_not_a_revision(self, store):
        (judge,) = judges(store, campaign(store), 1)
        revision = store.judging.revise(judge, do(store, judge))
        assert next_task(store, judge).supersedes is None
        assert store.judging.task(judge, revision.token).supersedes is not None

    def test_only_while_the_campaign_is_open(self, store):
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        receipt = do(store, judge)
        late = store.judging.revise(judge, receipt)
        store.campaigns.set_state(here.slug, "closed", actor="test")
        with pytest.raises(NotAllowed):
            store.judging.revise(judge, receipt)
        assert store.judging.submit(judge, late.token, answer(late)).surplus
        first, kept = store.log.stored(here.id)
        assert (first.receipt, first.surplus) == (receipt, False)
        assert kept.details["revises"] == receipt

    def test_a_skip_becomes_an_answer_if_nobody_else_gave_it(self, store):
        here = campaign(store, stop={"max_judgments": 1})
        first, second = judges(store, here, 2)
        task = next_task(store, first)
        receipt = store.judging.submit(first, task.token, skip()).receipt
        do(store, second)
        again = store.judging.revise(first, receipt)
        assert store.judging.submit(first, again.token, answer(again)).surplus
        assert screen_counts(store, here.id) == {screen(store, task).id: 1}

    def test_a_skip_that_kept_its_place_becomes_an_answer_there(self, store):
        here = campaign(store, stop={"max_judgments": 1})
        first, second = judges(store, here, 2)
        task = next_task(store, first)
        receipt = store.judging.submit(first, task.token, skip()).receipt
        other = next_task(store, second)
        store.judging.submit(second, other.token, skip())
        assert screen(store, task).remaining == 0
        again = store.judging.revise(first, receipt)
        assert not store.judging.submit(first, again.token, answer(again)).surplus
        assert screen_counts(store, here.id) == {screen(store, task).id: 1}

    def test_a_change_begins_from_the_answer_as_it_stands(self, store):
        (judge,) = judges(store, campaign(store), 1)
        receipt = do(store, judge)
        begun = store.judging.revise(judge, receipt)
        store.judging.save_draft(judge, begun.token, {"ranks": [3, 3, 3]}, 2)
        again = store.judging.revise(judge, receipt)
        assert (again.token, again.draft) == (begun.token, {"ranks": [1, 2, 3]})
        assert again.draft_version == 3

    def test_an_answer_becomes_a_skip_and_somebody_else_is_asked(self, store):
        here = campaign(store, stop={"max_judgments": 1})
        first, second = judges(store, here, 2)
        task = next_task(store, first)
        receipt = store.judging.submit(first, task.token, answer(task)).receipt
        again = store.judging.revise(first, receipt)
        store.judging.submit(first, again.token, skip())
        assert screen(store, next_task(store, second)).id == screen(store, task).id


class TestSitting:
    def test_it_ends_and_goes_on_when_asked(self, store):
        (judge,) = judges(store, campaign(store, sitting=3), 1)
        for done in range(3):
            assert next_task(store, judge).done_before == done
            do(store, judge)
        assert store.judging.next(judge) == Nothing("sitting-done")
        assert store.judging.next(judge, new_sitting=True).done_before == 0

    def test_a_long_pause_begins_a_new_one(self, store, clock):
        (judge,) = judges(store, campaign(store, sitting=2), 1)
        do(store, judge)
        do(store, judge)
        clock.pass_seconds(3601)
        assert next_task(store, judge).done_before == 0

    def test_revisions_do_not_count(self, store):
        (judge,) = judges(store, campaign(store, sitting=2), 1)
        again = store.judging.revise(judge, do(store, judge))
        store.judging.submit(judge, again.token, answer(again))
        assert next_task(store, judge).done_before == 1


def test_tutorial_items_come_first_with_feedback(store):
    item = {"source": "Quelle", "outputs": ["good", "bad"], "feedback": "Because."}
    items = [item | {"answer": {"ranks": ranks}} for ranks in ([1, 2], [2, 1])]
    here = campaign(store, tutorial=items)
    for judge in judges(store, here, 2):
        said = []
        for _ in range(2):
            task = next_task(store, judge)
            assert task.role == "tutorial"
            good = Submission(
                "answer", {"ranks": [1 if o == "good" else 2 for o in task.outputs]}, 1
            )
            said.append(store.judging.submit(judge, task.token, good).feedback)
            assert store.judging.submit(judge, task.token, good).feedback == said[-1]
        assert said == ["That is our answer too. Because.", "We would answer otherwise. Because."]
        assert next_task(store, judge).role == "work"
        assert store.judges.judge(judge.id).tutorial_done_at is not None
    assert store.log.count(here.id) == 0


def test_a_score_near_the_expected_one_is_our_answer_too(store):
    item = {"source": "Quelle", "outputs": ["good"], "answer": {"scores": [80]}, "feedback": "So."}
    here = campaign(store, protocol="direct-assessment", k=1, tutorial=[item])
    for score, begin in [(70, "That is"), (90, "That is"), (69, "We would"), (91, "We would")]:
        (judge,) = judges(store, here, 1)
        sent = Submission("answer", {"scores": [score]}, 1)
        said = store.judging.submit(judge, next_task(store, judge).token, sent).feedback
        assert said is not None and said.startswith(begin)


def test_controls_and_repeats_are_mixed_in_at_their_shares(store):
    here = campaign(store, control_share=0.2, repeat_share=0.2, texts=texts_of(60, 5))
    (judge,) = judges(store, here, 1)
    for _ in range(150):
        do(store, judge)
    every = list(store.log.stored(here.id))
    roles = Counter(j.role for j in every)
    assert 15 <= roles["control"] <= 45
    assert 15 <= roles["repeat"] <= 45
    work = {j.screen: number for number, j in enumerate(every) if j.role == "work"}
    repeats = [(number, j) for number, j in enumerate(every) if j.role == "repeat"]
    assert len({j.repeats for _, j in repeats}) == len(repeats), "each screen once more at most"
    for number, judgment in repeats:
        original = every[work[judgment.repeats]]
        assert judgment.slots == original.slots
        assert number - work[judgment.repeats] >= 10
    assert all(any(s.role == "BAD" for s in j.slots) for j in every if j.role == "control")
    assert all(e.role == "work" for e in store.judging.history(judge))


def test_history_and_pace(store, clock):
    (judge,) = judges(store, campaign(store), 1)
    for reason in ("answer", "skip", "answer"):
        task = next_task(store, judge)
        clock.pass_seconds(2)
        sent = answer(task, comment="why") if reason == "answer" else skip()
        store.judging.submit(judge, task.token, sent)
    newest, skipped, _ = store.judging.history(judge)
    assert (newest.answer, newest.comment, newest.source) == (
        {"ranks": [1, 2, 3]},
        "why",
        task.source,
    )
    assert skipped.kind == "skip"
    assert len(store.judging.history(judge, limit=1)) == 1
    offer = store.judging.offer(judge)
    assert (offer.screens, offer.active_ms) == (2, 2000)
