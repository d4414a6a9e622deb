"""``rankwise judge``: what it prints and writes, what it refuses, and that no key gets out."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import chat_server
from chat_server import saying, serving, status
from rankwise import read_assessments, read_judgments
from rankwise.judging.questions.prompt_files import built_in_text

KEY = "sk-do-not-tell-anybody-42"
EXAMPLE = Path(__file__).parents[2] / "src" / "rankwise" / "bundled" / "example"
SYSTEMS = sorted(str(path) for path in (EXAMPLE / "systems").glob("*.txt"))
REFERENCES = ("-r", EXAMPLE / "ref.a.txt", "-r", EXAMPLE / "ref.b.txt")
TEXTS = ("-s", EXAMPLE / "source.txt", *REFERENCES, "-l", "de-en", *SYSTEMS)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty folder to write to, and a key in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKWISE_JUDGE_KEY", KEY)
    monkeypatch.delenv("RANKWISE_JUDGE_ENDPOINT", raising=False)
    return tmp_path


def judged(run, server, *more, output="out.jsonl"):
    where = ("--endpoint", server.url, "--model", "chrf", "--backoff", "0.01", "-o", output)
    return run("judge", *TEXTS, *where, *more)


def numbers(done):
    """The table by its first column."""
    rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    return {row[0]: float(row[1]) for row in rows}


def test_the_model_ranks_the_example_as_its_metric_does(run):
    with serving() as server:
        done = judged(run, server, "--k", "8")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[:6] == [
        "what                value    low   high",
        "questions              60",
        "answered               60",
        "refused                 0",
        "cut short               0",
        "not understood          0",
    ]
    found = run("rank", "out.jsonl", "--format", "json")
    order = [row["system"] for row in json.loads(found.stdout)["rows"]]
    assert order[0] == "rowan" and set(order[-2:]) == {"spruce", "hazel"}
    assert "(0 skipped)" in found.stderr


def test_judgments_say_that_a_machine_made_them(run):
    with serving() as server:
        judged(run, server, "--questions", "3", "--judge", "the-machine")
    for ranking in read_judgments("out.jsonl"):
        assert ranking.judge == "the-machine"
        assert ranking.info["judge_kind"] == "machine" and ranking.info["model"] == "chrf-1"
        assert ranking.info["prompt"].startswith("ranking-1:")
        assert (ranking.source_language, ranking.target_language) == ("de", "en")


@pytest.mark.parametrize(("protocol", "kind"), [("esa", "ESA"), ("mqm", "MQM")])
def test_spans_are_read_back_and_counted(run, protocol, kind):
    documents = ("--documents", EXAMPLE / "documents.tsv")
    with serving() as server:
        arguments = ("--protocol", protocol, "--questions", "40", *documents)
        assert judged(run, server, *arguments, output="out.tsv").exit_code == 0
    found = read_assessments("out.tsv")
    assert found.name == kind and set(found.info["judge_kind"]) == {"machine"}
    spans = [span for cell in found.info["spans"] for span in json.loads(cell)]
    assert spans and all(span["start"] is not None for span in spans)
    done = run("rank", "out.tsv", "--errors")
    assert done.exit_code == 0 and "minor" in done.stdout


def test_direct_assessment_is_the_metric(run):
    with serving() as server:
        done = judged(run, server, "--protocol", "direct-assessment", output="out.tsv")
    assert done.exit_code == 0
    done = run("rank", "out.tsv", "--format", "tsv")
    assert done.stdout.splitlines()[1].endswith("rowan")


def test_values_that_differ_when_repeated_are_told(run):
    scores = [saying(f'{{"score": {50 + number % 2 * 4}}}') for number in range(40)]
    with serving(scores) as server:
        arguments = ("--protocol", "direct-assessment", "--repeats", "2", "--questions", "20")
        one_by_one = ("--concurrency", "1", "--format", "tsv")
        done = judged(run, server, *arguments, *one_by_one, output="out.tsv")
    found = numbers(done)
    assert (found["alike when repeated"], found["apart when repeated"]) == (0, 4)


def test_a_judge_who_prefers_the_first_is_found_out(run):
    with serving() as server:
        server.always = saying('{"better": "A"}')
        arguments = ("--protocol", "pairwise", "--both-orders", "--repeats", "2")
        done = judged(run, server, *arguments, "--questions", "60", "--format", "tsv")
    found = numbers(done)
    assert found["place 1 preferred"] == 1
    assert found["alike in the other order"] == 0
    assert found["alike when repeated"] == 1


def test_a_judge_who_looks_at_the_text_is_consistent(run):
    with serving() as server:
        arguments = ("--protocol", "pairwise", "--both-orders", "--questions", "60")
        done = judged(run, server, *arguments, "--format", "tsv")
    found = numbers(done)
    assert found["place 1 preferred"] == 0.5 and found["alike in the other order"] == 1


def test_what_is_clear_is_asked_less_often_where_asking_is_adaptive(run):
    with serving() as server:
        arguments = ("--protocol", "pairwise", "--questions", "160")
        assert judged(run, server, *arguments, "--adaptive").exit_code == 0
    pairs = Counter(frozenset(ranking.systems) for ranking in read_judgments("out.jsonl"))
    clear = sum(pairs[frozenset(("rowan", name))] for name in ("hazel", "spruce", "maple"))
    close = sum(pairs[frozenset(("maple", name))] for name in ("hazel", "spruce", "alder"))
    assert close > 2 * clear
    best = run("rank", "out.jsonl", "--format", "tsv").stdout.splitlines()[1]
    assert best.endswith("rowan")


def test_the_screens_of_people_are_asked_again(run):
    people = EXAMPLE / "judgments.jsonl"
    with serving() as server:
        judged(run, server, "--screens", people, "--questions", "80")
    done = run("rank", people, "out.jsonl", "--agreement", "--per-judge", "--runs", "10")
    assert done.exit_code == 0 and "\nchrf " in done.stdout
    done = run("agree", "out.jsonl", people, "--measure", "kendall", "--samples", "0")
    assert done.exit_code == 1  # its screens are not taken for theirs, whose numbers they had


def test_a_ranking_of_all_outputs_meets_everything_that_people_said(run):
    people = EXAMPLE / "judgments.jsonl"
    with serving() as server:
        judged(run, server, "--k", "8")
    arguments = ("--measure", "kendall", "--samples", "0", "--format", "tsv")
    done = run("agree", "out.jsonl", people, *arguments)
    value, lists = done.stdout.splitlines()[1].split("\t")[1:3]
    assert done.exit_code == 0 and 0.5 < float(value) < 0.8 and lists == "600"


def test_the_screens_that_next_chose_are_asked(run):
    chosen = run("next", EXAMPLE / "judgments.jsonl", "--count", "4", "--k", "3", "--format", "tsv")
    Path("screens.tsv").write_text(chosen.stdout, encoding="utf-8")
    with serving() as server:
        judged(run, server, "--screens", "screens.tsv")
    wanted = [set(line.split("\t")[2:]) for line in chosen.stdout.splitlines()[1:]]
    assert [set(ranking.systems) for ranking in read_judgments("out.jsonl")] == wanted


def test_a_dry_run_asks_nothing_and_needs_no_endpoint(run):
    arguments = ("--protocol", "pairwise", "--price-in", "2", "--price-out", "8", "--dry-run")
    done = run("judge", *TEXTS, *arguments, "--format", "tsv")
    found = numbers(done)
    assert done.exit_code == 0 and found["to ask"] == found["questions"] > 200
    assert found["cost at most"] > found["cost, about"] > 0
    assert list(Path().iterdir()) == []


def test_a_dry_run_knows_what_was_answered(run):
    with serving() as server:
        judged(run, server, "--questions", "7")
        done = judged(run, server, "--questions", "10", "--dry-run", "--format", "tsv")
        assert len(server.asked) == 7
    assert numbers(done)["to ask"] == 3


def test_a_prompt_of_ones_own(run):
    done = run("judge", "--show-prompt", "--protocol", "pairwise")
    assert done.stdout == built_in_text("pairwise")
    mine = done.stdout.replace("# rankwise prompt: pairwise 1", "# rankwise prompt: mine 7")
    Path("mine.txt").write_text(mine.replace("Which of the two", "Which one"), encoding="utf-8")
    with serving() as server:
        arguments = ("--protocol", "pairwise", "--prompt", "mine.txt", "--questions", "2")
        done = judged(run, server, *arguments)
    assert done.exit_code == 0 and "mine-7:" in done.stderr
    assert "Which one is better?" in server.asked[0]["messages"][1]["content"]


def test_a_prompt_that_is_none_is_told_before_anything_is_asked(run):
    Path("mine.txt").write_text("[user]\nRank {everything}\n", encoding="utf-8")
    with serving() as server:
        done = judged(run, server, "--prompt", "mine.txt")
    assert done.exit_code == 1 and "mine.txt: unknown name {everything}" in done.stderr
    assert server.asked == []


def test_what_is_missing_is_told_before_anything_is_asked(run):
    with serving() as server:
        where = ("--endpoint", server.url, "--model", "chrf")
        cases = {
            "give --endpoint and --model": (*TEXTS, "-o", "out.jsonl"),
            "give -o": (*TEXTS, *where),
            "--max-cost needs": (*TEXTS, *where, "-o", "out.jsonl", "--max-cost", "1"),
            "belong together": (*TEXTS, *where, "-o", "out.jsonl", "--price-in", "1"),
            "-o -": (*TEXTS, *where, "-o", "-"),
            "needs --protocol pairwise": (*TEXTS, *where, "-o", "o.jsonl", "--both-orders"),
            "one file": (*TEXTS, *where, "-o", "o.jsonl", "--state", "o.jsonl"),
            "give --source": (*where, "-o", "out.jsonl"),
            "expected NAME=JSON": (*TEXTS, *where, "-o", "o.jsonl", "--set", "stop=x y"),
            "cannot be set": (*TEXTS, *where, "-o", "o.jsonl", "--set", "stream=true"),
        }
        for told, arguments in cases.items():
            done = run("judge", *arguments)
            assert (done.exit_code, told in done.stderr) == (2, True), (told, done.stderr)
        data = {
            "needs the source texts or a reference": (*SYSTEMS, *where, "-o", "out.jsonl"),
            "the name does not tell the format": (*TEXTS, *where, "-o", "out.html"),
            "NO_SUCH_KEY is not set": (*TEXTS, *where, "-o", "o.jsonl", "--key-env", "NO_SUCH_KEY"),
        }
        for told, arguments in data.items():
            done = run("judge", *arguments)
            assert (done.exit_code, told in done.stderr) == (1, True), (told, done.stderr)
    assert server.asked == []


def test_another_variable_may_hold_the_key(run, monkeypatch):
    monkeypatch.setenv("MY_KEY", "another-secret")
    with serving() as server:
        judged(run, server, "--questions", "1", "--key-env", "MY_KEY")
    assert server.headers[0]["Authorization"] == "Bearer another-secret"


def test_a_run_that_ends_early_says_how_to_go_on_and_does(run):
    with serving([None] * 7) as server:
        server.always = status(402, f"pay for {KEY}")
        done = judged(run, server, "--questions", "20", "--concurrency", "1")
        assert done.exit_code == 1
        assert done.stderr.splitlines()[-1] == (
            f"rankwise: {server.url}: the account is out of quota (402: pay for [key]); 13 "
            "questions have no reply, nothing is lost, and the same command goes on from here"
        )
        assert len(read_judgments("out.jsonl")) == 7
        server.always = None
        done = judged(run, server, "--questions", "20", "--format", "tsv")
    assert done.exit_code == 0 and numbers(done)["kept from before"] == 7
    assert len(read_judgments("out.jsonl")) == 20


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (["--max-requests", "7"], "the limit of 7 requests is reached"),
        (
            ["--max-cost", "0.015", "--price-in", "2", "--price-out", "8"],
            "the next request might cost more than is left of 0.015",
        ),
    ],
)
def test_a_run_that_its_own_limit_ended_asks_for_a_higher_one(run, limits, why):
    with serving() as server:
        for _ in range(2):  # the second run asks nothing and says the same
            done = judged(run, server, "--questions", "40", "--concurrency", "1", *limits)
            assert done.exit_code == 1 and f"rankwise: {server.url}: {why}; " in done.stderr
            assert done.stderr.endswith("the same command with a higher limit goes on from here\n")
        higher = [limits[0], "1000", *limits[2:]]
        done = judged(run, server, "--questions", "40", "--concurrency", "1", *higher)
    assert done.exit_code == 0 and len(read_judgments("out.jsonl")) == 40


def test_nobody_at_the_address_is_one_sentence(run):
    with serving() as server:
        pass
    done = judged(run, server)
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"rankwise: {server.url}: Connection refused; 120 questions have no" in done.stderr
    assert not Path("out.jsonl").exists()


@pytest.mark.parametrize("more", [(), ("--adaptive",)])
def test_one_system_cannot_be_compared(run, more):
    with serving() as server:
        where = ("--endpoint", server.url, "--model", "chrf", "-o", "out.jsonl")
        done = run("judge", "-s", EXAMPLE / "source.txt", SYSTEMS[0], *where, *more)
    assert done.exit_code == 1 and "there is nothing to ask" in done.stderr
    assert server.asked == []


def test_refusals_and_nonsense_are_counted(run):
    tricks = [saying("I cannot help with that."), saying("hm"), saying("{", finish="length")]
    with serving(tricks) as server:
        done = judged(run, server, "--questions", "10", "--format", "tsv")
    found = numbers(done)
    assert [found[name] for name in ("answered", "refused", "cut short", "not understood")] == [
        7,
        1,
        1,
        1,
    ]
    assert done.exit_code == 0
    assert "10 rankings (3 skipped)" in run("rank", "out.jsonl", "--runs", "5").stderr


def test_no_key_is_printed_or_written(folder):
    """In no byte, whatever the endpoint does with it."""
    echo = f"your key is {KEY}"
    tricks = [
        status(500, echo),
        saying(f'{{"better": "A", "why": "{KEY}"}}'),
        chat_server.raw({"error": echo}, 503),
        chat_server.raw(echo.encode(), 500),
        status(429, echo, headers=[("Retry-After", "0")]),
        status(400, echo, code=KEY),
        saying(echo, finish=KEY, message={"refusal": KEY}),
    ]
    with serving(tricks) as server:
        server.always = status(401, echo)
        command = [sys.executable, "-X", "dev", "-W", "ignore", "-m", "rankwise", "judge"]
        where = ["--endpoint", f"{server.url}?note={KEY}", "--model", "m", "--backoff", "0.01"]
        more = ["-o", "out.jsonl", "--protocol", "pairwise", "--concurrency", "1"]
        done = subprocess.run(
            [*command, *map(str, TEXTS), *where, *more],
            cwd=folder,
            env={**os.environ, "RANKWISE_JUDGE_KEY": KEY},
            capture_output=True,
            check=False,
        )
    assert done.returncode == 1 and b"does not accept the key" in done.stderr
    written = b"".join(path.read_bytes() for path in folder.iterdir())
    assert len(list(folder.iterdir())) == 2
    assert KEY.encode() not in done.stdout + done.stderr + written


def test_an_interrupt_ends_it_soon_and_keeps_what_came(folder):
    with serving() as server:
        server.wait = 0.2
        command = [sys.executable, "-m", "rankwise", "judge", *map(str, TEXTS), "-o", "out.jsonl"]
        child = subprocess.Popen(
            [*command, "--endpoint", server.url, "--model", "m", "--timeout", "100"], cwd=folder
        )
        try:
            until = time.monotonic() + 60
            while len(server.asked) < 9 and time.monotonic() < until:
                time.sleep(0.01)
            server.always = chat_server.silence(20)
            time.sleep(0.5)
            start = time.monotonic()
            child.send_signal(signal.SIGINT)
            assert child.wait(15) == 1 and time.monotonic() - start < 5
        finally:
            child.kill()
    lines = (folder / "out.answers.jsonl").read_text().splitlines()
    assert len(lines) >= 5 and all(json.loads(line) for line in lines)
