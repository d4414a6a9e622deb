"""The file of answers: each written once, none lost, none asked twice, one writer."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chat_server import serving, status
from rankwise import DataError, Endpoint, Segment, StoreError, TestSet, judge
from rankwise.judging.endpoint.answer_log import open_log

SEGMENTS = tuple(Segment(str(n), f"Quelle {n}", (f"the text number {n}",)) for n in range(1, 61))
TEXTS = TestSet(
    SEGMENTS,
    {
        "maple": tuple(f"the text number {s.id}" for s in SEGMENTS),
        "hazel": tuple(f"text the nummer {s.id}" for s in SEGMENTS),
    },
)


def ask(server, state, **more):
    endpoint = Endpoint(url=server.url, model="chrf", backoff=0.01)
    return judge(TEXTS, endpoint, "pairwise", state=state, **more)


def test_a_second_run_asks_nothing_and_says_the_same(tmp_path):
    state = tmp_path / "state.jsonl"
    with serving() as server:
        first = ask(server, state)
        content = state.read_bytes()
        second = ask(server, state)
    assert len(server.asked) == 60 == second.kept_before
    assert first.judgments == second.judgments and state.read_bytes() == content


def test_another_question_is_another_answer(tmp_path):
    state = tmp_path / "state.jsonl"
    with serving() as server:
        ask(server, state, questions=5)
        for changed in ({"temperature": 1.0}, {"max_tokens": 9}, {"seed": 77}, {"repeats": 2}):
            before = len(server.asked)
            ask(server, state, questions=5, **changed)
            assert len(server.asked) > before


def test_the_order_shown_is_in_the_file_and_in_the_judgments(tmp_path):
    state = tmp_path / "state.jsonl"
    with serving() as server:
        found = ask(server, state)
    shown = {}
    for line in state.read_text().splitlines()[1:]:
        about = json.loads(line)["about"]
        shown[about["segment"]] = tuple(name for names in about["systems"] for name in names)
    assert {ranking.segment: ranking.systems for ranking in found.judgments} == shown
    assert len(set(shown.values())) == 2


def test_a_line_that_is_not_whole_is_asked_again(tmp_path):
    state = tmp_path / "state.jsonl"
    with serving() as server:
        ask(server, state)
        lines = state.read_bytes().splitlines(keepends=True)
        for cut in (1, len(lines[-1]) // 2, len(lines[-1]) - 1):
            state.write_bytes(b"".join(lines[:-1]) + lines[-1][:cut])
            before = len(server.asked)
            assert ask(server, state).statuses["answered"] == 60
            assert len(server.asked) == before + 1
            assert all(json.loads(line) for line in state.read_text().splitlines())


@pytest.mark.parametrize(
    "head", [b"", b'{"format": "rank', b'{"format": "rankwise-answers", "version": 1}']
)
def test_a_file_that_was_hardly_begun_is_begun_again(tmp_path, head):
    state = tmp_path / "state.jsonl"
    state.write_bytes(head)
    with serving() as server:
        assert ask(server, state, questions=2).statuses["answered"] == 2
    assert json.loads(state.read_text().splitlines()[0])["version"] == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"my dissertation", "state.jsonl:1: expected a file of answers"),
        (b'{"segment": "1"}\n', ":1: expected a file of answers"),
        (b'{"format": "rankwise-answers", "version": 2}\n', ":1: found version 2; expected 1"),
        (b'{"format": "rankwise-answers", "version": 1}\nx\n', ":2: expected a JSON object"),
        (b'{"format": "rankwise-answers", "version": 1}\n[]\n', ":2: expected a JSON object"),
        (b'{"format": "rankwise-answers", "version": 1}\n{"key": 1}\n', ":2: expected an answer"),
    ],
)
def test_another_file_is_left_as_it_is(tmp_path, content, told):
    state = tmp_path / "state.jsonl"
    state.write_bytes(content)
    with serving() as server, pytest.raises(DataError, match=told):
        ask(server, state)
    assert state.read_bytes() == content and server.asked == []


def test_one_process_writes_at_a_time(tmp_path):
    state = tmp_path / "state.jsonl"
    imported = "from rankwise.judging.endpoint.answer_log import open_log"
    code = f"{imported}\nwith open_log({str(state)!r}): print(1)"
    with open_log(state):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "another process is writing answers to it" in done.stderr
    assert subprocess.run([sys.executable, "-c", code], check=True).returncode == 0


def test_a_folder_that_is_not_there_is_told_before_anything_is_asked(tmp_path):
    with serving() as server, pytest.raises(StoreError, match="cannot be written: No such file"):
        ask(server, tmp_path / "none" / "state.jsonl")
    assert server.asked == []


def test_equal_texts_are_asked_about_once():
    same = TestSet(
        (Segment("1", "ja", ("yes",)), Segment("2", "ja", ("yes",))),
        {"A": ("yes", "yes"), "B": ("no", "no")},
    )
    with serving() as server:
        endpoint = Endpoint(url=server.url, model="chrf")
        found = judge(same, endpoint, "direct-assessment")
    assert len(server.asked) == 2 == found.spent.requests
    assert len(found.assessments) == 4


CHILD = """
import sys
sys.path.insert(0, {tests!r})
from judging.test_answer_file import TEXTS
from rankwise import Endpoint, judge
endpoint = Endpoint(url={url!r}, model="chrf", concurrency={concurrency}, backoff=0.01)
judge(TEXTS, endpoint, "pairwise", state={state!r})
"""


@pytest.mark.parametrize("after", [3, 17, 40])
def test_what_was_answered_outlives_a_kill(tmp_path, after):
    state, concurrency = tmp_path / "state.jsonl", 4
    with serving() as server:
        server.wait = 0.03
        tests = str(Path(__file__).parents[1])
        code = CHILD.format(tests=tests, url=server.url, state=str(state), concurrency=concurrency)
        child = subprocess.Popen([sys.executable, "-c", code])
        try:
            until = time.monotonic() + 60
            while len(server.asked) < after and time.monotonic() < until:
                time.sleep(0.002)
        finally:
            child.send_signal(signal.SIGKILL)
            child.wait(30)
        time.sleep(0.3)
        asked = [json.dumps(body) for body in server.asked]
        assert after <= len(asked) < 60
        kept = [line for line in state.read_bytes().splitlines(keepends=True) if line[-1:] == b"\n"]
        kept_before = len(kept) - 1
        assert kept_before >= len(asked) - concurrency
        server.wait = 0
        found = ask(server, state)
        again = [json.dumps(body) for body in server.asked[len(asked) :]]
    assert found.statuses["answered"] == 60 and found.kept_before == kept_before
    assert len(again) == 60 - kept_before
    assert len(set(asked) & set(again)) <= concurrency
    lines = [json.loads(line) for line in state.read_text().splitlines()[1:]]
    assert len({line["key"] for line in lines}) == len(lines) == 60


def test_answers_of_another_endpoint_are_told(tmp_path):
    with serving() as server:
        ask(server, tmp_path / "s.jsonl", questions=3)
    with serving() as other:
        found = ask(other, tmp_path / "s.jsonl", questions=3)
    assert found.notes == ("3 answers in the file came from another endpoint",)


def test_what_is_asked_adaptively_goes_on_the_same_way(tmp_path):
    state = tmp_path / "state.jsonl"
    with serving() as server:
        endpoint = Endpoint(url=server.url, model="chrf", backoff=0.01, retries=0)
        whole = judge(TEXTS, endpoint, "pairwise", adaptive=True, questions=60)
        count = len(server.asked)
        server.tricks = [None] * 12 + [status(401)] * 8
        part = judge(TEXTS, endpoint, "pairwise", adaptive=True, questions=60, state=state)
        assert part.stopped and 0 < part.statuses["answered"] < whole.statuses["answered"]
        server.tricks = []
        rest = judge(TEXTS, endpoint, "pairwise", adaptive=True, questions=60, state=state)
    assert rest.judgments == whole.judgments and rest.kept_before == part.statuses["answered"]
    assert count < 60  # two systems that differ everywhere are soon told apart
