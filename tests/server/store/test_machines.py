"""Machines as judges: asked what people are asked, in nobody's place, kept apart everywhere."""

import dataclasses

import pytest
from sqlalchemy import text

from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.importing import read_finished
from rankwise.server.campaign.exchange.pay_sheet import pay_sheet
from rankwise.server.campaign.exchange.published_pages import publish
from rankwise.server.campaign.standings.counted import EVERYTHING, WORK, Keep, judgments_of
from rankwise.server.campaign.standings.standings import compute
from rankwise.server.records import JudgeTask, Nothing, Submission
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


def machine(store, of, name="a model"):
    return store.judges.invite(of.id, name=name, kind="machine", actor="test")[0]


def work_through(store, judge, most=1000):
    """Answer until there is nothing more; how many screens."""
    for count in range(most):
        task = store.judging.next(judge)
        if isinstance(task, Nothing):
            return count, task.reason
        store.judging.submit(judge, task.token, answer(task))
    return most, "most"


def places(store, campaign_id):
    query = text("SELECT id, remaining, skips, redundancy FROM screens WHERE campaign = :c")
    with store.database.read() as connection:
        return {row[0]: tuple(row[1:]) for row in connection.execute(query, {"c": campaign_id})}


class TestWork:
    def test_a_machine_is_a_judge_of_another_kind(self, store):
        made = campaign(store)
        (person,) = judges(store, made, 1)
        found = machine(store, made)
        assert (person.kind, found.kind) == ("person", "machine")
        assert store.judges.judges(made.id, kind="machine") == [found]
        assert store.judges.identity(found.id).name == "a model"
        assert store.changes.people(made) == [(None, None)], "a clone invites no machine"

    def test_it_is_asked_what_people_are_asked(self, store):
        made = campaign(store)
        (person,) = judges(store, made, 1)
        for _ in range(5):
            do(store, person)
        robot = machine(store, made)
        count, reason = work_through(store, robot)
        assert (count, reason) == (len(places(store, made.id)), "all-done")
        of_people = {one.screen for one in store.log.stored(made.id) if not one.is_machine}
        of_robot = [one.screen for one in store.log.stored(made.id) if one.is_machine]
        assert of_people < set(of_robot)
        assert len(of_robot) == len(set(of_robot))

    def test_it_takes_nobodys_place(self, store):
        made = campaign(store, redundancy=1)
        (person,) = judges(store, made, 1)
        do(store, person)
        before = places(store, made.id)
        robot = machine(store, made)
        task = next_task(store, robot)
        assert places(store, made.id) == before
        store.judging.submit(robot, task.token, skip())
        work_through(store, robot)
        assert places(store, made.id) == before, "no screen is added, taken or passed on"
        do(store, person)
        own = [one for one in store.log.stored(made.id) if not one.is_machine]
        assert max(screen_counts(store, made.id).values()) == 2, "once each, the machine apart"
        assert len({one.screen for one in own}) == 2

    def test_a_lease_that_ends_gives_no_place_back(self, store, clock):
        made = campaign(store, lease_seconds=60)
        judges(store, made, 1)
        robot = machine(store, made)
        store.queue.top_up(made.id)
        before = places(store, made.id)
        token = next_task(store, robot).token
        clock.pass_seconds(61)
        assert store.judging.release_expired() == 1
        assert places(store, made.id) == before
        task = next_task(store, robot)
        late = store.judging.submit(robot, token, answer(task))
        assert late.surplus, "it has the same screen in hand again"
        store.judging.release(robot, task.token)
        assert places(store, made.id) == before

    def test_it_may_revise_and_resume(self, store):
        made = campaign(store)
        robot = machine(store, made)
        store.queue.top_up(made.id)
        before = places(store, made.id)
        task = next_task(store, robot)
        assert next_task(store, robot).token == task.token
        sent = answer(task)
        receipt = store.judging.submit(robot, task.token, sent)
        assert store.judging.submit(robot, task.token, sent).receipt == receipt.receipt
        for way in (skip(), answer(task)):
            again = store.judging.revise(robot, receipt.receipt)
            store.judging.submit(robot, again.token, way)
        assert places(store, made.id) == before
        assert [one.kind for one in store.log.stored(made.id)] == ["answer"]

    def test_no_practice_no_sitting_no_quota(self, store):
        made = campaign(
            store,
            sitting=3,
            recruiting={"screens_per_judge": 4},
            tutorial=[
                {
                    "source": "Quelle",
                    "outputs": ["a", "b", "c"],
                    "answer": {"ranks": [1, 2, 3]},
                    "feedback": "so",
                }
            ],
        )
        robot = machine(store, made)
        store.queue.top_up(made.id)
        assert next_task(store, robot).role == "work"
        assert work_through(store, robot, 10) == (10, "most")

    def test_controls_and_repeats_come_for_machines_too(self, store):
        made = campaign(store, control_share=0.3, repeat_share=0.3)
        robot = machine(store, made)
        store.queue.top_up(made.id)
        before = places(store, made.id)
        work_through(store, robot, 40)
        roles = {one.role for one in store.log.stored(made.id)}
        assert roles == {"work", "control", "repeat"}
        after = places(store, made.id)
        assert {key: after[key] for key in before} == before

    def test_nothing_is_asked_otherwise_because_of_it(self, store):
        made = campaign(store, strategy="clusters", stop={"max_judgments": 30})
        (person,) = judges(store, made, 1)
        robot = machine(store, made)
        for _ in range(6):
            do(store, person)
        waiting = places(store, made.id)
        work_through(store, robot)
        assert store.log.count(made.id) == 6
        assert store.log.count(made.id, kind="machine") == len(waiting)
        assert store.queue._judgments(made) == judgments_of(
            [one for one in store.log.stored(made.id) if not one.is_machine], made.plan
        )
        store.judges.exclude(robot.id, "why not", "test")
        while not isinstance(store.judging.next(person), Nothing):
            do(store, person)
        assert store.log.count(made.id) == 30, "what a machine said does not count for the limit"

    def test_the_floor_has_them_apart(self, store):
        made = campaign(store)
        (person,) = judges(store, made, 1)
        next_task(store, person)
        next_task(store, machine(store, made))
        floor = store.log.floor(made.id)
        assert (floor.open_leases, floor.machine_leases) == (1, 1)
        assert sorted(one.kind for one in store.log.open_leases(made.id)) == ["machine", "person"]


@pytest.fixture
def judged(store):
    """A campaign that two people and two machines judged; the machines say the opposite."""
    made = campaign(store, redundancy=2, pay_per_hour=12)
    people = judges(store, made, 2)
    robots = [machine(store, made, name) for name in ("one", "two")]
    texts = texts_of()

    def order(task, *, down):
        return Submission("answer", {"ranks": _ranks(task, texts, down=down)}, active_ms=400)

    for judge in (*people, *robots):
        for _ in range(30):
            task = store.judging.next(judge)
            assert isinstance(task, JudgeTask)
            store.judging.submit(judge, task.token, order(task, down=judge in robots))
    return made, people, robots


def _ranks(task, texts, *, down):
    best = sorted(task.outputs, reverse=down)  # systems are numbered in their texts
    return [best.index(one) + 1 for one in task.outputs]


class TestNumbers:
    def test_every_number_is_that_of_people(self, store, judged):
        made, people, _ = judged
        every = list(store.log.stored(made.id))
        texts = store.campaigns.testset(made.id)
        of_people = [one for one in every if not one.is_machine]
        found = compute(made.plan, texts, every, seed=1)
        alone = compute(made.plan, texts, of_people, seed=1)
        assert len(of_people) == 60
        for board in found.boards.values():
            assert board["left_out"] == {"machines": 60}
        emptied = {name: {**one, "left_out": {}} for name, one in found.boards.items()}
        assert (
            dataclasses.replace(found, boards=emptied, machines=None, with_machines=None) == alone
        )
        assert {row["judge"] for row in found.people["rows"]} == {one.pseudonym for one in people}

    def test_with_machines_they_count(self, store, judged):
        made, _, robots = judged
        every = list(store.log.stored(made.id))
        found = compute(made.plan, store.campaigns.testset(made.id), every, seed=1)
        assert found.with_machines.done["n"] == 120
        assert found.boards["trueskill"]["rows"][0]["system"] == "sys0"
        assert len(found.with_machines.people["rows"]) == 4
        again = type(found).of(found.contents())
        assert again == found, "what is kept comes back"
        assert [row["judge"] for row in found.machines["rows"]] == sorted(
            one.pseudonym for one in robots
        )

    def test_a_machine_is_compared_with_people_alone(self, store, judged):
        made, _, _ = judged
        every = list(store.log.stored(made.id))
        found = compute(made.plan, store.campaigns.testset(made.id), every, seed=1)
        assert found.agreement["inter"]["kappa"] == 1.0
        assert found.machines["people_median"] == 1.0
        for row in found.machines["rows"]:
            assert row["kappa_others"] < 0, "the two machines agree, but that does not help them"
            assert row["kappa_others_n"] > 0
            assert not any("fast" in flag for flag in row["flags"])

    def test_nobody_pays_a_machine(self, store, judged):
        made, people, _ = judged
        every, stored = store.judges.judges(made.id), store.log.stored(made.id, superseded=True)
        sheet = pay_sheet(made.plan, every, store.judges.identities(made.id), stored)
        named = [line.split(",")[0] for line in sheet.splitlines()[1:]]
        assert named == [one.pseudonym for one in people]

    def test_exports_are_of_people_unless_asked(self, store, judged, tmp_path):
        made, _, robots = judged
        stored = list(store.log.stored(made.id, superseded=True))
        texts = store.campaigns.testset(made.id)
        given = {"plan": made.plan, "testset": texts, "stored": stored}
        for name in ("long", "records", "jsonl"):
            path = tmp_path / f"{name}.x"
            done = export.write(**given, path=path, format=name)
            assert (done.judgments, done.left_out) == (60, {"machines": 60})
            assert "judgments of machines are left out" in done.about["filters_in_words"]
            with_them = export.write(**given, path=path, format=name, keep=Keep(machines=True))
            assert with_them.judgments == 120
            assert path.read_text().count("machine") >= 60, "each is marked"
            assert robots[0].pseudonym in path.read_text()

    def test_what_is_imported_stays_what_it_was(self, store, judged, tmp_path):
        made, _, _ = judged
        stored = list(store.log.stored(made.id, superseded=True))
        texts = store.campaigns.testset(made.id)
        other = campaign(store, texts=texts_of(), name="Other")
        for name, suffix in (("records", ".campaign.jsonl"), ("jsonl", ".jsonl")):
            path = tmp_path / f"all{suffix}"
            export.write(made.plan, texts, stored, path, format=name, keep=EVERYTHING)
            found = read_finished(path, other.plan, texts)
            assert sum(one.judge_kind == "machine" for one in found.finished) == 60
            if name == "records":
                store.judging.add_finished(other.id, found.finished, actor="test")
        assert (store.log.count(other.id), store.log.count(other.id, kind="machine")) == (60, 60)
        assert len(store.judges.judges(other.id, kind="machine")) == 2

    def test_the_static_copy_has_people_and_machines_if_asked(self, store, judged, tmp_path):
        made, _, _ = judged
        stored = list(store.log.stored(made.id, superseded=True))
        texts = store.campaigns.testset(made.id)
        alone = publish(made.plan, texts, stored, tmp_path / "a")
        both = publish(made.plan, texts, stored, tmp_path / "b", machines=True)
        assert (alone.judgments, both.judgments) == (60, 120)
        assert "machine" not in alone.first.read_text()
        shown = both.first.read_text()
        assert "60 judgments by 2 judges and 60 by machines" in shown
        assert "machines counted like people" in shown
        screen = (tmp_path / "b/screens/1.html").read_text()
        assert "Judge 3 (machine)" in screen

    def test_left_out_by_default_and_by_name(self):
        assert not WORK.machines
        assert EVERYTHING.machines
        assert "judgments of machines are left out" in WORK.words()
