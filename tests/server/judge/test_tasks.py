"""The judge's JSON: tasks, drafts, answers, skips, revisions, and what is refused."""

import pytest
from sqlalchemy import select

from rankwise import example
from rankwise.server.store.database import database_tables as tables
from server.judge.judge_client import JudgeClient

KEYS = {
    "token",
    "role",
    "source",
    "asset",
    "outputs",
    "before",
    "after",
    "reference",
    "draft",
    "draft_version",
    "supersedes",
    "created_at",
    "expires_at",
    "now",
    "told",
}


def test_a_task_says_nothing_but_texts_and_times(judge):
    reply = judge.next()
    assert set(reply) == {"task", "sitting", "pace"}
    assert set(reply["task"]) == KEYS
    assert reply["sitting"] == {"done": 0, "of": 30}
    texts = {text for texts in example().testset.outputs.values() for text in texts}
    assert set(reply["task"]["outputs"]) <= texts


def test_asking_again_gives_the_same_task(judge):
    assert judge.next()["task"]["token"] == judge.next()["task"]["token"]


def test_an_answer_brings_the_next_task(judge):
    token = judge.next()["task"]["token"]
    reply = judge.answer(token, [1, 2, 2], comment="  fine ").json()
    assert reply["kind"] == "answer"
    assert not reply["replay"]
    assert reply["next"]["task"]["token"] != token
    assert reply["next"]["sitting"]["done"] == 1
    assert reply["next"]["pace"]["screens"] == 1


def test_the_same_answer_again_gets_the_same_receipt(judge, store):
    token = judge.next()["task"]["token"]
    first = judge.answer(token, [1, 2, 2]).json()
    again = judge.answer(token, [3, 2, 1]).json()
    assert again["receipt"] == first["receipt"]
    assert again["replay"]
    (stored,) = store.log.stored(1)
    assert [stored.answer["ranks"][slot] for slot in stored.shown] == [1, 2, 2]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"answer": {"ranks": [1, 2]}, "active_ms": 1}, "expected a list of 3 numbers"),
        ({"answer": {"ranks": [1, 2, 4]}, "active_ms": 1}, "expected a whole number from 1 to 3"),
        ({"answer": {"ranks": [1, 2, True]}, "active_ms": 1}, "expected a whole number"),
        ({"answer": {"scores": [1, 2, 3]}, "active_ms": 1}, "has no 'ranks'"),
        ({"answer": {"ranks": [1, 2, 3]}, "active_ms": -1}, "active_ms"),
        ({"answer": {"ranks": [1, 2, 3]}, "active_ms": 1.5}, "active_ms"),
        ({"answer": {"ranks": [1, 2, 3]}}, "active_ms"),
        ({"answer": [1, 2, 3], "active_ms": 1}, "answer"),
        ({"answer": {"ranks": [1, 2, 3]}, "active_ms": 1, "comment": "x" * 4001}, "comment"),
    ],
)
def test_a_wrong_answer_is_refused_with_a_sentence(judge, store, body, said):
    token = judge.next()["task"]["token"]
    response = judge.send("POST", f"/judge/tasks/{token}/answer", body)
    assert response.status_code == 422
    assert said in response.json()["error"]["message"]
    assert list(store.log.stored(1)) == []
    assert judge.answer(token, [1, 2, 3]).status_code == 200  # and the task is still there


def test_only_known_details_are_kept(judge, store):
    token = judge.next()["task"]["token"]
    details = {"differences": 2, "device": "phone", "all_equal": True, "shoe_size": 42}
    assert judge.answer(token, [1, 1, 1], details=details).status_code == 200
    (stored,) = store.log.stored(1)
    kept = {key: stored.details.get(key) for key in details}
    assert kept == {"differences": 2, "device": "phone", "all_equal": True, "shoe_size": None}


def test_a_draft_comes_back(judge):
    token = judge.next()["task"]["token"]
    body = {"version": 3, "content": {"answer": {"ranks": [1, None, None]}}}
    assert judge.send("PUT", f"/judge/tasks/{token}/draft", body).json()["saved_at"]
    task = judge.send("GET", f"/judge/tasks/{token}").json()["task"]
    assert (task["draft"], task["draft_version"]) == (body["content"], 3)


def test_an_older_draft_is_refused(judge):
    path = f"/judge/tasks/{judge.next()['task']['token']}/draft"
    judge.send("PUT", path, {"version": 3, "content": {"a": 1}})
    response = judge.send("PUT", path, {"version": 2, "content": {"a": 2}})
    assert response.status_code == 409


def test_a_draft_has_a_size(judge):
    path = f"/judge/tasks/{judge.next()['task']['token']}/draft"
    body = {"version": 1, "content": {"comment": "x" * 70_000}}
    assert judge.send("PUT", path, body).status_code == 413


def test_a_skip_needs_a_reason(judge, store):
    path = f"/judge/tasks/{judge.next()['task']['token']}/skip"
    wrong = judge.send("POST", path, {"answer": {"reason": "bored"}, "active_ms": 1})
    assert wrong.status_code == 422
    right = judge.send("POST", path, {"answer": {"reason": "offensive"}, "active_ms": 1})
    assert right.json()["kind"] == "skip"
    assert [stored.kind for stored in store.log.stored(1)] == ["skip"]


def test_history_and_revision(judge, store):
    task = judge.next()["task"]
    receipt = judge.answer(task["token"], [2, 1, 3]).json()["receipt"]
    (entry,) = judge.send("GET", "/judge/history").json()["history"]
    assert (entry["receipt"], entry["answer"]) == (receipt, {"ranks": [2, 1, 3]})
    assert entry["source"] == task["source"][:300]
    revised = judge.send("POST", f"/judge/history/{receipt}/revise").json()["task"]
    assert revised["outputs"] == task["outputs"]
    assert revised["draft"]["ranks"] == [2, 1, 3]
    assert revised["supersedes"] == receipt
    assert judge.answer(revised["token"], [1, 2, 3]).status_code == 200
    assert len(list(store.log.stored(1))) == 1
    assert len(list(store.log.stored(1, superseded=True))) == 2


def test_a_change_that_is_given_up_is_reserved_no_more(judge, store):
    receipt = judge.answer(judge.next()["task"]["token"], [2, 1, 3]).json()["receipt"]
    revised = judge.send("POST", f"/judge/history/{receipt}/revise").json()["task"]["token"]
    assert judge.send("POST", f"/judge/tasks/{revised}/leave").status_code == 204
    with store.database.read() as connection:
        query = select(tables.leases.c.state).where(tables.leases.c.token == revised)
        assert connection.execute(query).scalar_one() == "released"
    (stored,) = store.log.stored(1, superseded=True)
    assert stored.receipt == receipt
    again = judge.send("POST", f"/judge/history/{receipt}/revise").json()["task"]
    assert again["token"] != revised
    assert again["draft"]["ranks"] == [2, 1, 3]


def test_a_screen_without_an_answer_is_skipped_and_not_left(judge):
    token = judge.next()["task"]["token"]
    refused = judge.send("POST", f"/judge/tasks/{token}/leave")
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "no_change")
    assert judge.next()["task"]["token"] == token


def test_differences_between_two_places(judge):
    task = judge.next()["task"]
    path = f"/judge/tasks/{task['token']}/differences"
    found = judge.send("GET", f"{path}?left=0&right=1").json()
    assert "".join(part["text"] for part in found["left"]) == task["outputs"][0]
    assert "".join(part["text"] for part in found["right"]) == task["outputs"][1]
    for query in ("left=0&right=3", "left=-1&right=0", "left=0", "left=a&right=b"):
        assert judge.send("GET", f"{path}?{query}").status_code == 422


def test_another_judges_task_is_not_there(app, judge, invited):
    token = judge.next()["task"]["token"]
    other = JudgeClient(app, invited(slug="other")[1])
    for method, path, body in (
        ("GET", "", None),
        ("PUT", "/draft", {"version": 1, "content": {}}),
        ("POST", "/renew", None),
        ("POST", "/leave", None),
        ("GET", "/differences?left=0&right=1", None),
        ("POST", "/answer", {"answer": {"ranks": [1, 2, 3]}, "active_ms": 1}),
    ):
        assert other.send(method, f"/judge/tasks/{token}{path}", body).status_code == 404


def test_the_end_of_a_sitting(app, invited):
    judge = JudgeClient(app, invited(sitting=1)[1])
    reply = judge.answer(judge.next()["task"]["token"], [1, 2, 3]).json()
    assert reply["next"]["nothing"]["reason"] == "sitting-done"
    assert judge.next()["nothing"]["reason"] == "sitting-done"
    assert judge.next(new_sitting=True)["sitting"] == {"done": 0, "of": 1}


def test_a_full_disk_does_not_take_the_receipt(app, judge, store):
    token = judge.next()["task"]["token"]
    app.state.health.note("The disk is full.")
    reply = judge.answer(token, [1, 2, 3])
    assert reply.status_code == 200
    assert reply.json()["next"] is None
    assert judge.send("POST", "/judge/next", {}).status_code == 503
    assert len(list(store.log.stored(1))) == 1


def test_the_source_comes_after_the_fluency(app, invited):
    judge = JudgeClient(app, invited(protocol="adequacy-fluency", context=1)[1])
    task = judge.next()["task"]
    path = f"/judge/tasks/{task['token']}"
    hidden = {"source": None, "reference": None, "before": [], "after": []}

    def shown(version, fluency):
        content = {"answer": {"fluency": fluency, "adequacy": [None] * 3}}
        judge.send("PUT", f"{path}/draft", {"version": version, "content": content})
        found = judge.send("GET", path).json()["task"]
        return {key: found[key] for key in hidden}

    assert {key: task[key] for key in hidden} == hidden
    assert shown(1, [5, None, 4]) == hidden
    assert shown(2, [5, 4]) == hidden
    assert shown(3, [5, 1, 4])["source"]
    assert judge.next()["task"]["source"]


def test_in_a_single_pass_the_source_is_there(app, invited):
    judge = JudgeClient(app, invited(protocol="adequacy-fluency", single_pass=True)[1])
    assert judge.next()["task"]["source"]
