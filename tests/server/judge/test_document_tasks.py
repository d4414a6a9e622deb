"""A document as its judge gets it: drafts, answers, revisions, and what is refused."""

import json

import pytest

from rankwise.server.campaign.exchange.export import write
from rankwise.server.campaign.exchange.importing import read_finished
from server.judge.judge_client import JudgeClient

MINOR = {"start": 0, "end": 2, "severity": "minor"}


@pytest.fixture
def opened(app, invited):
    """The campaign, a judge of it and the judge's first task."""
    campaign, link = invited(protocol="esa", k=2, window=4)
    judge = JudgeClient(app, link)
    return campaign, judge, judge.next()["task"]


def answer_to(task, *spans):
    """Scores that rise from place to place, errors in the first text of all."""
    rows = [
        [{"spans": [], "score": 10 * place + number} for place in range(len(row["outputs"]))]
        for number, row in enumerate(task["rows"])
    ]
    rows[0][0]["spans"] = list(spans)
    return {"segments": rows}


def send(judge, task, answer):
    body = {"answer": answer, "active_ms": 5}
    return judge.send("POST", f"/judge/tasks/{task['token']}/answer", body)


def test_a_task_has_the_texts_of_a_document_and_no_name(opened, store):
    campaign, _, task = opened
    testset = store.campaigns.testset(campaign.id)
    sources = [segment.source for segment in testset.segments]
    first = sources.index(task["rows"][0]["source"])
    size = len(task["rows"])
    assert 1 < size <= 4
    assert [row["source"] for row in task["rows"]] == sources[first : first + size]
    columns = zip(*(row["outputs"] for row in task["rows"]), strict=True)
    known = {texts[first : first + size] for texts in testset.outputs.values()}
    assert set(columns) <= known  # the same system from top to bottom
    assert not any(name in json.dumps(task) for name in testset.systems)


def test_an_answer_is_stored_once_in_the_order_of_the_slots(opened, store):
    campaign, judge, task = opened
    first = send(judge, task, answer_to(task, MINOR)).json()
    again = send(judge, task, answer_to(task)).json()
    assert (again["receipt"], again["replay"], again["differs"]) == (first["receipt"], True, True)
    (stored,) = store.log.stored(campaign.id)
    rows = stored.answer["segments"]
    assert [rows[0][slot]["score"] for slot in stored.shown] == [0, 10]
    assert rows[0][stored.shown[0]]["spans"] == [MINOR]
    assert len(stored.segments) == len(rows) == len(task["rows"])
    assert stored.segments[0] == stored.segment


def test_a_draft_comes_back_in_the_middle_of_a_document(opened, app):
    _, judge, task = opened
    content = {"answer": {"segments": [[{"spans": [MINOR], "score": None}]]}, "comment": ""}
    path = f"/judge/tasks/{task['token']}/draft"
    body = {"version": 1, "content": content}
    first, again = (judge.send("PUT", path, body) for _ in range(2))
    assert (first.status_code, again.json()) == (200, first.json())
    assert judge.next()["task"]["draft"] == content
    large = {"answer": {"segments": "x" * 100_000}}
    assert judge.send("PUT", path, {"version": 2, "content": large}).status_code == 200
    larger = {"answer": {"segments": "x" * (1 << 19)}}
    assert judge.send("PUT", path, {"version": 3, "content": larger}).status_code == 413


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda rows: rows.pop(), "segments; expected"),
        (lambda rows: rows[0].pop(), "has 1 entries; expected 2"),
        (lambda rows: rows[1][1].pop("score"), "segment 2, text 2: the answer has no 'score'"),
        (
            lambda rows: rows[0][0]["spans"].append({**MINOR, "end": 99_999}),
            "an error ends at 99999",
        ),
    ],
)
def test_half_a_document_is_refused_and_the_task_stays(opened, change, said):
    _, judge, task = opened
    answer = answer_to(task)
    change(answer["segments"])
    refused = send(judge, task, answer)
    assert refused.status_code == 422
    assert said in refused.json()["error"]["message"]
    assert judge.next()["task"]["token"] == task["token"]


def test_an_answer_can_be_looked_at_and_changed(opened, store):
    campaign, judge, task = opened
    receipt = send(judge, task, answer_to(task, MINOR)).json()["receipt"]
    (entry,) = judge.send("GET", "/judge/history").json()["history"]
    assert entry["answer"] == answer_to(task, MINOR)
    change = judge.send("POST", f"/judge/history/{receipt}/revise").json()["task"]
    assert change["draft"] == answer_to(task, MINOR)
    assert [row["outputs"] for row in change["rows"]] == [row["outputs"] for row in task["rows"]]
    send(judge, change, answer_to(task))
    (stored,) = store.log.stored(campaign.id)
    assert stored.answer["segments"][0][stored.shown[0]]["spans"] == []


def test_controls_and_repeats_are_documents_like_the_others(app, invited, store):
    campaign, link = invited(protocol="esa", k=2, window=2, control_share=0.4, repeat_share=0.4)
    judge = JudgeClient(app, link)
    for _ in range(25):
        task = judge.next()["task"]
        assert {len(row["outputs"]) for row in task["rows"]} == {2}
        assert send(judge, task, answer_to(task)).status_code == 200
    roles = {judgment.role for judgment in store.log.stored(campaign.id)}
    assert roles == {"work", "control", "repeat"}


def test_records_come_back_whole(opened, store, tmp_path):
    campaign, judge, task = opened
    send(judge, task, answer_to(task, MINOR))
    testset, stored = store.campaigns.testset(campaign.id), list(store.log.stored(campaign.id))
    path = tmp_path / "all.jsonl"
    write(campaign.plan, testset, stored, path, format="records")
    (finished,) = read_finished(path, campaign.plan, testset).finished
    assert finished.answer == stored[0].answer
    assert store.judging.add_finished(campaign.id, [finished], actor="test") == 1
    again = list(store.log.stored(campaign.id))[-1]
    assert (again.segments, again.answer) == (stored[0].segments, stored[0].answer)


def test_practice_comes_first_and_says_what_it_thinks(app, invited):
    answer = {"segments": [[{"spans": [MINOR], "score": 90}, {"spans": [], "score": 10}]]}
    item = {"source": "ja", "outputs": ["yes", "no"], "answer": answer, "feedback": "Look again."}
    _, link = invited(protocol="esa", k=2, tutorial=[item])
    judge = JudgeClient(app, link)
    task = judge.next()["task"]
    assert [row["outputs"] for row in task["rows"]] == [["yes", "no"]]
    reply = send(judge, task, answer).json()
    assert reply["feedback"] == "That is our answer too. Look again."
    assert len(reply["next"]["task"]["rows"]) > 1


@pytest.mark.parametrize(
    ("protocol", "right"),
    [
        ("ranking", {"ranks": [1, 2]}),
        ("pairwise", {"choice": "left"}),
        ("adequacy-fluency", {"fluency": [4, 3], "adequacy": [5, 1]}),
        ("direct-assessment", {"scores": [80, 20]}),
    ],
)
def test_other_protocols_judge_documents_segment_by_segment(app, invited, store, protocol, right):
    campaign, link = invited(protocol=protocol, by_document=True, k=2, window=4)
    judge = JudgeClient(app, link)
    assert judge.send("GET", "/judge/plan", None).json()["by_document"] is True
    task = judge.next()["task"]
    count = len(task["rows"])
    assert count > 1
    assert task["source"] is not None  # fluency and adequacy are asked at once
    short = send(judge, task, {"segments": [right] * (count - 1)})
    assert short.status_code == 422
    assert f"expected {count}" in short.text
    path = f"/judge/tasks/{task['token']}/draft"
    draft = {"answer": {"segments": [right]}}
    assert judge.send("PUT", path, {"version": 1, "content": draft}).status_code == 200
    assert judge.next()["task"]["draft"] == draft
    assert send(judge, task, {"segments": [right] * count}).status_code == 200
    (stored,) = store.log.stored(campaign.id)
    turned = campaign.plan.rules.reorder(stored.answer, stored.shown, back=False)
    assert turned == {"segments": [right] * count}
    assert len(stored.segments) == count
