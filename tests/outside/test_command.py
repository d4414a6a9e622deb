"""A command as a metric: what it is told, what it may answer, and what is said if it does not."""

import json
import sys
import time
from pathlib import Path

import pytest

import rankwise as rw
from rankwise.io.kept.score_cache import ScoreCache
from rankwise.metrics.outside.batching import Batching
from rankwise.metrics.outside.command import Command

HEAD = "import json, os, sys, time\nitems = [json.loads(line) for line in sys.stdin]\n"


@pytest.fixture
def script(tmp_path, monkeypatch):
    """``script("print(1)")`` is the name of a command of that program."""
    monkeypatch.chdir(tmp_path)

    def write(code: str, *, head: str = HEAD) -> str:
        Path("score.py").write_text(head + code + "\n", encoding="utf-8")
        return f"command:{sys.executable} score.py"

    return write


def test_it_is_told_what_there_is(script):
    name = script("open('told', 'w').write(json.dumps(items))\nfor it in items: print(1)")
    rw.metric(name).segments(["größer"])
    assert json.loads(Path("told").read_text()) == [{"output": "größer"}]
    rw.metric(name).segments(["a", "b"], [["c", "d"], "e"], sources=["f", "g"])
    assert json.loads(Path("told").read_text()) == [
        {"output": "a", "source": "f", "references": ["c", "d"]},
        {"output": "b", "source": "g", "references": ["e"]},
    ]


def test_a_program_may_read_in_any_encoding(script):
    head = HEAD.replace("sys.stdin", "open(0, encoding='latin-1')")
    name = script("for it in items: print(len(it['output']))", head=head)
    assert rw.metric(name).segments(["größer", "жук", "a"]).tolist() == [6, 3, 1]


def test_numbers_and_objects_are_scores(script):
    name = script('print(0.5)\nprint(\'{"score": -2, "why": "short"}\')\nprint(\' 3e-1 \')')
    assert rw.metric(name).segments(["ccc", "bb", "a"]).tolist() == pytest.approx([0.5, -2, 0.3])


def test_a_shell_script(script, tmp_path):
    place = tmp_path / "score.sh"
    place.write_text('#!/bin/sh\nwhile read -r line; do echo "${#line}"; done\n')
    place.chmod(0o755)
    expected = [float(len(json.dumps({"output": text}))) for text in ("a", "bbb")]
    assert rw.metric("command:./score.sh").segments(["a", "bbb"]).tolist() == expected


def test_batches_of_its_own(script):
    name = script("open('sizes', 'a').write(f'{len(items)} ')\nfor it in items: print(len(items))")
    rw.metric(f"{name}:batch=2").segments(["a", "b", "c"])
    assert Path("sizes").read_text() == "2 1 "


def test_documents_come_whole_where_it_requires_them(script):
    name = script("for place, it in enumerate(items): print(int(it['document'][1:]))")
    metric = rw.metric(f"{name}:requires=document,source:batch=1")
    given = {"sources": ["s"] * 3, "documents": ["d1", "d1", "d2"]}
    assert metric.segments(["x", "y", "z"], **given).tolist() == [1, 1, 2]
    with pytest.raises(rw.DataError, match="command needs documents, and there are none"):
        metric.segments(["x"], sources=["s"])
    with pytest.raises(rw.DataError, match="command needs sources, and there are none"):
        metric.segments(["x"], documents=["d"])


@pytest.mark.parametrize(
    ("code", "options", "sentence"),
    [
        ("print(1)", "", r"answered 1 line to 2; line 2 is missing, for the output 'a'"),
        ("print(1); print(2); print(3)", "", r"to 2; line 3, '3', is one too many"),
        ("print(1); print('good')", "", r"answered 'good' in line 2, for the output 'a'; expected"),
        ("print('nan'); print(1)", "", r"answered 'nan' in line 1, for the output 'bb'; expected"),
        ("print(1); print('{\"score\": null}')", "", "in line 2"),
        ("print(1); print('[1]')", "", "in line 2"),
        ("print(1); print('{\"score\": ' + '9' * 400 + '}')", "", "in line 2"),
        ("print(1); print()", "", "answered 1 line to 2; line 2 is missing"),
        ("print(1); sys.exit('out of ideas')", "", r"ended with exit code 1: out of ideas$"),
        ("os.kill(os.getpid(), 9)", "", r"ended with signal 9$"),
        ("", "", "answered 0 lines to 2; line 1 is missing"),
        (
            "print(1, flush=True); time.sleep(60)",
            ":timeout=1",
            "did not answer within 1 seconds: line 2 of 2 is missing; give it longer",
        ),
        ("while True: print('x' * 99999)", "", "said far more than 2 numbers"),
    ],
)
def test_bad_answers_are_one_sentence(script, code, options, sentence):
    metric = rw.metric(script(code) + options)
    start = time.monotonic()
    with pytest.raises(rw.DataError, match=sentence) as error:
        metric.segments(["a", "bb"])
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(f"command:{metric.run} ")
    assert time.monotonic() - start < 30


def test_messages_show_the_command_as_it_was_typed_and_the_start_of_a_long_text():
    metric = rw.metric("command:sh -c 'cat >&2; echo no'")
    with pytest.raises(rw.DataError) as error:
        metric.segments(["x" * 100])
    assert str(error.value) == (
        "command:sh -c 'cat >&2; echo no' answered 'no' in line 1, "
        f"for the output '{'x' * 60}'...; "
        "expected a number, or an object with a score"
    )


def test_what_it_started_ends_with_it(script):
    code = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('child', 'w').write(str(child.pid))\ntime.sleep(60)"
    )
    with pytest.raises(rw.DataError, match="did not answer within 2 seconds"):
        rw.metric(f"{script(code)}:timeout=2").segments(["a"])
    child = int(Path("child").read_text())
    for _ in range(100):
        status = Path(f"/proc/{child}/stat")
        if not status.exists() or status.read_text().split()[2] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("the child is still there")


def test_a_program_that_reads_nothing(script):
    name = script("for _ in range(3000): print(1)", head="")
    texts = [f"{number} " + "x" * 1000 for number in range(3000)]
    assert rw.metric(f"{name}:batch=3000").corpus(texts) == 1.0


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("command", "command: no program is named; expected command:./score.sh"),
        ("command:", "command: no program is named"),
        ("command:./a 'b", "cannot be parted: No closing quotation"),
        ("command:./a:requires=colour", "command: requires 'colour'; expected some of source"),
        ("command:./a:batch=0", "batch is 0; expected a whole number of at least 1"),
        ("command:./a:timeout=soon", "option 'timeout' is 'soon'; expected a number"),
    ],
)
def test_bad_options(name, sentence):
    with pytest.raises(rw.DataError, match=sentence):
        rw.metric(name)


def test_a_program_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(rw.DataError, match=r"command:./none cannot be run: No such file"):
        rw.metric("command:./none").segments(["a"])


@pytest.mark.parametrize(
    "text",
    [
        "command:./score.sh",
        "command:./score.sh --model=x:latest:timeout=5",
        "command:docker run a:b:requires=source,references:lower_is_better=true",
        "command:echo 100% 'größer':keep=false",
    ],
)
def test_it_prints_as_what_parses_back(text):
    metric = rw.metric(text)
    assert rw.metric(str(metric)) == metric == rw.metric(metric.signature)


def test_what_is_typed_is_the_command():
    metric = rw.metric("command:docker run a:b:timeout=5")
    assert isinstance(metric, Command)
    assert (metric.run, metric.timeout) == ("docker run a:b", 5.0)


def test_it_may_count_errors():
    assert rw.metric("command:./a").higher_is_better
    assert not rw.metric("command:./a:lower_is_better=true").higher_is_better


def test_answers_are_kept_until_the_program_changes(script, tmp_path):
    name = script("open('runs', 'a').write('x')\nfor it in items: print(1)")
    batching = Batching(kept=ScoreCache(tmp_path / "kept.sqlite"))

    def scores(name: str) -> list[float]:
        return rw.metric(name).computed_by(batching).segments(["a", "b"]).tolist()

    assert scores(name) == scores(f"{name}:timeout=9") == [1.0, 1.0]
    assert Path("runs").read_text() == "x"
    assert scores(f"{name}:keep=false") == [1.0, 1.0]
    assert Path("runs").read_text() == "xx"
    assert scores(script("for it in items: print(2)")) == [2.0, 2.0]
