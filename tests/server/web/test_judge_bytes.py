"""Every byte that a judge receives, of every protocol, names no system and no file."""

import pytest

from media import media_of, png, wav
from web_client import BROWSER, come_in, session_csrf
from web_world import SYSTEMS, small_plan, small_testset

#: A name within the name of a file: what the organiser calls a file is nobody's business either.
FILES = (f"{SYSTEMS[0]}-secretname.png", "secretname.wav")
HIDDEN = [name.encode() for name in (*SYSTEMS, "secretname")]
PRACTICE = {
    "tutorial": [{"source": "Hund", "outputs": ["dog", "cat"], "rules": [{"text": 1, "above": 2}]}],
    "tutorial_pass": 0.0,
    "k": 2,
}
CELL = {"spans": [{"start": 0, "end": 3, "severity": "minor"}], "score": 50}
MARKED = {"spans": [{**CELL["spans"][0], "category": "Fluency/Grammar"}]}
#: More of a plan, and an answer to a screen of so many texts.
JUDGED = {
    "ranking": (PRACTICE, lambda k: {"ranks": list(range(1, k + 1))}),
    "adequacy-fluency": ({}, lambda k: {"fluency": [3] * k, "adequacy": [3] * k}),
    "direct-assessment": ({}, lambda k: {"scores": [50] * k}),
    "esa": ({"window": 1}, lambda k: {"segments": [[CELL] * k]}),
    "mqm": ({"window": 1}, lambda k: {"segments": [[MARKED] * k]}),
}


def received(answer):
    head = b"".join(name + b": " + value + b"\n" for name, value in answer.headers.raw)
    return (head + answer.content).lower()


@pytest.fixture
def answers():
    """What the judge got, one after the other."""
    return []


@pytest.fixture
def judge(answers, app, store, tmp_path):
    """``judge(protocol, has_media)``: a signed-in judge all of whose answers are kept."""

    def begin(protocol, has_media):
        rows = [(FILES[0], "A sun."), (FILES[1], "A tone.")] * 3
        files = {FILES[0]: png(9, 9), FILES[1]: wav(0.1)}
        media = {"media": media_of(tmp_path / "files", files, rows)} if has_media else {}
        shares = {"control_share": 0.4, "repeat_share": 0.3, "redundancy": 3, "sitting": 1000}
        plan = small_plan(
            protocol, protocol=protocol, show_reference=True, **{**shares, **JUDGED[protocol][0]}
        )
        made = store.campaigns.add(plan, small_testset(), actor="test", **media)
        store.campaigns.set_state(made.slug, "open", actor="test")
        client = come_in(app, f"/j/{store.judges.invite(made.id, actor='test')[1]}")
        headers = {"x-csrf-token": session_csrf(client, "/judge"), **BROWSER}

        def ask(method, path, body=None, **more):
            answer = client.request(method, path, json=body, headers={**headers, **more})
            answers.append(answer)
            return answer

        return ask

    return begin


@pytest.mark.parametrize("has_media", [True, False], ids=["media", "texts"])
@pytest.mark.parametrize("protocol", JUDGED)
def test_no_byte_names_a_system_or_a_file(judge, answers, protocol, has_media):
    ask = judge(protocol, has_media)
    for path in ("/judge", "/judge/plan", "/judge/session", "/judge/pairs", "/judge/assets/none"):
        ask("GET", path)
    keys = set()
    for _ in range(10):
        task = ask("POST", "/judge/next", {"new_sitting": True}).json().get("task")
        if task is None:
            break
        path = f"/judge/tasks/{task['token']}"
        body = {"answer": JUDGED[protocol][1](len(task["outputs"])), "active_ms": 9}
        # adequacy comes after fluency, and so does the picture
        ask("PUT", f"{path}/draft", {"version": 1, "content": {"answer": body["answer"]}})
        ask("GET", f"{path}/differences?left=0&right=1")
        task = ask("GET", path).json()["task"]
        for shown in (task, *(task.get("rows") or ())):
            asset = shown.get("asset")
            keys |= {asset["key"]} if asset else set()
        assert ask("POST", f"{path}/answer", body).status_code == 200
    for key in keys:
        for method, part in (("GET", "bytes=0-9"), ("GET", "bytes=99999999-"), ("HEAD", "")):
            ask(method, f"/judge/assets/{key}", range=part)
        ask("GET", f"/judge/assets/{key}")
    history = ask("GET", "/judge/history").json()["history"]
    assert len(history) >= 5
    ask("POST", f"/judge/history/{history[0]['receipt']}/revise", {})
    assert bool(keys) == has_media
    told = [
        (answer.request.url.path, name)
        for answer in answers
        for name in HIDDEN
        if name in received(answer)
    ]
    assert told == []
