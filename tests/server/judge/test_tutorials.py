"""A tutorial that was passed before may be skipped; one that was failed may begin anew."""

import pytest

from rankwise import example
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Submission
from rankwise.server.store.database.store_errors import NotAllowed
from server.judge.conftest import PLAN
from server.judge.judge_client import JudgeClient
from web_client import BROWSER, come_in, csrf_of

ITEM = {"source": "Hund", "outputs": ["dog", "cat"], "rules": [{"text": 1, "above": 2}]}
LESSON = {"tutorial": [ITEM], "tutorial_pass": 1.0}
SKIP = 'name="skip_tutorial"'


@pytest.fixture
def opened(store):
    """``opened(name, **changes)``: a new open campaign with a tutorial."""

    def make(name, **changes):
        plan = Plan.from_json({**PLAN, **LESSON, **changes, "name": name})
        made = store.campaigns.add(plan, example().testset, actor="test")
        return store.campaigns.set_state(made.slug, "open", actor="test")

    return make


def learned(app, store, campaign, email, ranks):
    """A judge of that address who answers the tutorial."""
    judge, token = store.judges.invite(campaign.id, email=email, actor="test")
    client = JudgeClient(app, f"/j/{token}")
    client.answer(client.next()["task"]["token"], ranks)
    return judge, client


def instructions(app, store, campaign, email):
    _, token = store.judges.invite(campaign.id, email=email, actor="test")
    client = come_in(app, f"/j/{token}", reads=False)
    return client, client.get("/judge", headers=BROWSER).text


def accept(client, page, campaign, **fields):
    sent = {"csrf": csrf_of(page), "version": campaign.plan.instructions_version, **fields}
    return client.post("/judge/instructions", data=sent, headers=BROWSER)


def test_who_passed_the_same_tutorial_may_skip_it(app, opened, store):
    first, copy = opened("First"), opened("Copy")
    learned(app, store, first, "Ann@example.org", [1, 2])
    client, page = instructions(app, store, copy, "ann@example.org")
    assert SKIP in page
    answer = accept(client, page, copy, skip_tutorial="true")
    assert answer.status_code == 303
    judge = store.judges.judges(copy.id)[0]
    assert judge.tutorial_done_at is not None
    assert store.judging.next(judge).role == "work"
    assert store.events.did(judge.pseudonym, "judge.tutorial-skip", copy.id)


def test_the_practice_may_be_done_all_the_same(app, opened, store):
    first = opened("First")
    learned(app, store, first, "ann@example.org", [1, 2])
    client, page = instructions(app, store, first, "ann@example.org")
    assert SKIP in page
    accept(client, page, first)
    assert store.judging.next(store.judges.judges(first.id)[1]).role == "tutorial"


@pytest.mark.parametrize(
    ("email", "ranks", "changes"),
    [
        ("other@example.org", [1, 2], {}),
        ("ann@example.org", [2, 1], {}),
        ("ann@example.org", [1, 2], {"tutorial_tries": 2}),
        ("ann@example.org", [1, 2], {"tutorial": [{**ITEM, "source": "Katze"}]}),
    ],
)
def test_nobody_else_may_skip_it(app, opened, store, email, ranks, changes):
    first, other = opened("First"), opened("Other", **changes)
    learned(app, store, first, email, ranks)
    _, page = instructions(app, store, other, "ann@example.org")
    assert SKIP not in page
    with pytest.raises(NotAllowed, match="not passed this practice"):
        store.tutorials.skip(store.judges.judges(other.id)[0])


def test_a_crowd_is_known_by_the_parameter_that_tells_people_apart(app, opened, store):
    first, copy = (opened(name, recruiting={"person": "PID"}) for name in ("First", "Copy"))
    for one in (first, copy):
        store.open_links.make(one.id, actor="test")
    recruiting = first.plan.recruiting
    old, new = (store.open_links.of(one.id) for one in (first, copy))
    judge = store.open_links.join(old, {"PID": "7", "SESSION": "a"}, recruiting)
    task = store.judging.next(judge)
    store.judging.submit(judge, task.token, Submission("answer", {"ranks": [1, 2]}, 5))
    again = store.open_links.join(new, {"PID": "7", "SESSION": "b"}, recruiting)
    stranger = store.open_links.join(new, {"SESSION": "b"}, recruiting)
    assert store.tutorials.passed_before(again)
    assert not store.tutorials.passed_before(stranger)
    with pytest.raises(NotAllowed, match="began with this link already"):
        store.open_links.join(new, {"PID": "7", "SESSION": "c"}, recruiting)


def test_a_failed_tutorial_begins_anew(app, opened, store):
    campaign = opened("First", tutorial=[ITEM, {**ITEM, "source": "Katze"}])
    judge, client = learned(app, store, campaign, "ann@example.org", [2, 1])
    with pytest.raises(NotAllowed, match="has not failed"):
        store.tutorials.reset(judge, "test")
    client.answer(client.next()["task"]["token"], [1, 2])
    assert client.next()["nothing"]["reason"] == "tutorial-failed"
    store.tutorials.reset(judge, "test")
    for _ in range(2):
        task = client.next()["task"]
        assert task["role"] == "tutorial"
        client.answer(task["token"], [1, 2])
    assert client.next()["task"]["role"] == "work"
    found = store.judges.judge(judge.id)
    assert (found.tutorial_done_at is None, found.tutorial_failed_at) == (False, None)
    assert len(list(store.log.stored(campaign.id))) == 4
