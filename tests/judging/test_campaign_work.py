"""A model works for a campaign over the network, as a person would, and is kept apart there."""

import contextlib
import io
import json
import os
import socket
import threading
import time
from contextlib import contextmanager
from typing import NamedTuple
from unittest.mock import patch

import pytest
import uvicorn

from chat_server import saying, serving, status
from rankwise import DataError, Segment, TestSet
from rankwise.cli import main
from rankwise.errors import StoreError
from rankwise.judging.endpoint.campaign_server import CampaignServer, JudgeLink
from rankwise.judging.questions.answer_values import Answer
from rankwise.judging.questions.campaign_tasks import (
    CampaignRules,
    CampaignTask,
    campaign_spans,
    screen_answer,
)
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from web_world import open_store

SEGMENTS = tuple(
    Segment(f"s{n}", f"Quelle {n}", (f"the good text number {n}",), f"doc{n // 3}")
    for n in range(6)
)
TEXTS = TestSet(
    SEGMENTS,
    {
        "maple": tuple(f"the good text number {n}" for n in range(6)),
        "hazel": tuple(f"the text nummer {n}" for n in range(6)),
        "cedar": tuple(f"a bad thing {n} now" for n in range(6)),
    },
    "texts",
    "de",
    "en",
)
SECRET = "sk-very-secret-0123456789"


@contextmanager
def campaign_of(folder, protocol="ranking", **keys):
    """A campaign on a server of this machine: the store, the campaign, a machine and its link."""
    store = open_store(folder)
    given = {"name": "Test", "source_language": "de", "target_language": "en"}
    given |= {"protocol": protocol, "show_reference": True, "control_share": 0, "repeat_share": 0}
    given |= {"k": 3} if protocol == "ranking" else {}
    made = store.campaigns.add(Plan.from_json({**given, **keys}), TEXTS, actor="test")
    store.campaigns.set_state(made.slug, "open", actor="test")
    made = store.campaigns.by_id(made.id)
    judge, token = store.judges.invite(made.id, name="chrf", kind="machine", actor="test")
    listening = socket.create_server(("127.0.0.1", 0))
    app = create_app(store, Settings(refresher=False))
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, server_header=False))
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        store.queue.top_up(made.id)
        yield store, made, judge, f"{origin}/j/{token}"
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()
        store.database.close()


class Ran(NamedTuple):
    exit_code: int
    output: str


def command(*arguments, **environment):
    """A command of this process: its exit code, and all it says."""
    said = io.StringIO()
    with (
        patch.dict(os.environ, environment),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        pytest.raises(SystemExit) as ended,
    ):
        main(list(arguments))
    return Ran(ended.value.code or 0, said.getvalue())


def run(link, model, *more):
    given = ["judge", "--endpoint", model.url, "--model", "chrf", "--backoff", "0.01"]
    environment = {"RANKWISE_JUDGE_LINK": link, "RANKWISE_JUDGE_KEY": SECRET}
    return command(*given, "--retries", "2", *more, **environment)


@pytest.mark.parametrize("protocol", ["ranking", "pairwise", "direct-assessment", "esa", "mqm"])
def test_every_protocol_from_the_first_screen_to_the_last(tmp_path, protocol):
    with (
        serving() as model,
        campaign_of(tmp_path, protocol) as (store, made, judge, link),
    ):
        done = run(link, model)
        assert done.exit_code == 0, done.output
        stored = list(store.log.stored(made.id))
        assert stored
        assert {one.judge for one in stored} == {judge.pseudonym}
        assert {(one.kind, one.judge_kind) for one in stored} == {("answer", "machine")}
        assert {one.details["model"] for one in stored} == {"chrf"}
        assert int(done.output.split("screens answered")[1].split()[0]) == len(stored)
        asked = json.dumps(model.asked)
        assert not any(name in asked for name in TEXTS.systems), "no system is named"
        for one in stored:
            rules = made.plan.rules
            for part in rules.parts(one):
                values = dict(zip(part.slots, _values(rules, part), strict=True))
                for slot, value in values.items():
                    if "maple" in slot.systems:
                        assert value == max(values.values()), "it prefers by chrF"
        assert link not in done.output
        again = run(link, model)
        assert "everything that people were asked so far is judged" in again.output
        assert len(list(store.log.stored(made.id))) == len(stored)


def _values(rules, part):
    if rules.is_scalar:
        return rules.values(part.answer)
    return [-rank for rank in rules.ranks(part.answer)]


def test_errors_are_marked_where_they_stand(tmp_path):
    with serving() as model, campaign_of(tmp_path, "esa") as (store, made, _, link):
        assert run(link, model).exit_code == 0
        marked = {
            (part.slots[0].systems[0], part.segment): part.answer["spans"][0]
            for one in store.log.stored(made.id)
            for part in made.plan.rules.parts(one)
        }
        words = marked["hazel", "s1"]
        assert [TEXTS.outputs["hazel"][1][w["start"] : w["end"]] for w in words] == ["nummer"]
        assert marked["maple", "s0"] == []


def test_a_run_that_is_cut_goes_on_where_it_ended(tmp_path):
    with serving() as model, campaign_of(tmp_path) as (store, made, _, link):
        state = tmp_path / "kept.jsonl"
        assert run(link, model, "--questions", "3", "--state", str(state)).exit_code == 0
        assert len(list(store.log.stored(made.id))) == 3
        model.always = status(500)
        broken = run(link, model, "--state", str(state))
        assert broken.exit_code == 1
        assert "the screen in hand waits" in broken.output
        assert SECRET not in broken.output and link not in broken.output
        assert len(list(store.log.stored(made.id))) == 3
        model.always = None
        assert run(link, model, "--state", str(state)).exit_code == 0
        screens = [one.screen for one in store.log.stored(made.id)]
        assert len(screens) == len(set(screens)) > 3
        floor = store.log.floor(made.id)
        assert (floor.machine_leases, floor.open_leases) == (0, 0)


def test_what_cannot_be_read_is_skipped_and_said(tmp_path):
    with (
        serving([saying("I will not."), saying('{"ranks": {"A": 1}}')]) as model,
        campaign_of(tmp_path) as (store, made, _, link),
    ):
        done = run(link, model, "--questions", "3")
        assert done.exit_code == 0, done.output
        found = list(store.log.stored(made.id))
        assert sorted(one.kind for one in found) == ["answer", "skip", "skip"]
        assert {one.comment for one in found} > {"the model's answer could not be read"}
        assert "screens skipped" in done.output


def test_the_budget_holds(tmp_path):
    with serving() as model, campaign_of(tmp_path) as (store, made, _, link):
        done = run(link, model, "--max-requests", "2")
        assert done.exit_code == 1
        assert len(model.asked) == 2 == len(list(store.log.stored(made.id)))
        assert done.output.endswith("the same command with a higher limit goes on from here\n")


def test_a_persons_link_is_refused_and_a_machine_has_no_page(tmp_path):
    with serving() as model, campaign_of(tmp_path) as (store, made, _, link):
        _, token = store.judges.invite(made.id, actor="test")
        persons = f"{link.rpartition('/')[0]}/{token}"
        done = run(persons, model)
        assert done.exit_code == 1 and "this link is a person's" in done.output
        assert model.asked == []
        server = CampaignServer(JudgeLink.of(link), retries=0)
        server.plan()
        with pytest.raises(StoreError, match="This link is a machine's"):
            server._json("GET", "/judge")


def test_a_machine_reaches_its_own_tasks_alone(tmp_path):
    with campaign_of(tmp_path) as (store, made, _, link):
        (person, _), (other, token) = (
            store.judges.invite(made.id, kind=kind, actor="test") for kind in ("person", "machine")
        )
        theirs = [store.judging.next(one).token for one in (person, other)]
        server = CampaignServer(JudgeLink.of(link), retries=0)
        server.plan()
        for task in theirs:
            with pytest.raises(StoreError, match="no such task for you"):
                server._json("GET", f"/judge/tasks/{task}")
            body = {"answer": {"ranks": [1, 2, 3]}, "active_ms": 1}
            with pytest.raises(StoreError, match="no such task for you"):
                server.send(task, "answer", body)
        for page in ("/", f"/campaigns/{made.slug}", "/api/v1/campaigns", "/view/test"):
            with pytest.raises(StoreError):
                server._json("GET", page)
        assert token not in repr(JudgeLink.of(link)) and "token" not in repr(server.link)
        store.judges.revoke(other.id, "test")
        with pytest.raises(StoreError, match="has ended"):
            CampaignServer(JudgeLink.of(f"{server.link.origin}/j/{token}"), retries=0).plan()


def test_a_session_that_ended_is_begun_again(tmp_path):
    with campaign_of(tmp_path) as (store, _, judge, link):
        server = CampaignServer(JudgeLink.of(link), retries=0)
        first = server.next()["task"]["token"]
        store.sessions.end_all("judge", judge.id)
        assert server.next()["task"]["token"] == first


def test_a_server_that_is_down_is_said_in_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    waits = []
    link = JudgeLink.of(f"http://127.0.0.1:{port}/j/some-secret-token")
    server = CampaignServer(link, retries=2, sleep=waits.append)
    with pytest.raises(StoreError, match="nothing is lost") as caught:
        server.plan()
    assert len(waits) == 2
    assert "some-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("http://example.org/j/a-secret-token", "in clear"),
        ("https://example.org/v/a-secret-token", "no judge's link"),
        ("https://name:word@example.org/j/a-secret-token", "no judge's link"),
        ("nonsense", "no judge's link"),
    ],
)
def test_links_that_are_none(link, words):
    with pytest.raises(DataError, match=words) as caught:
        JudgeLink.of(link)
    assert "a-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--k", "4"), "--k"),
        (("--protocol", "esa"), "--protocol"),
        (("--protocol", "ranking"), "--protocol"),
        (("--repeats", "1"), "--repeats"),
        (("--seed", "2"), "--seed"),
        (("-o", "out.jsonl"), "--output"),
        (("-r", "ref.txt"), "--reference"),
        (("-s", "source.txt"), "--source"),
        (("a.txt", "b.txt"), "outputs"),
    ],
)
def test_options_that_the_campaign_decides(more, named):
    link = "https://host/j/12345678"
    asked = ["judge", "--campaign", link, "--endpoint", "http://127.0.0.1:1/v1", "--model", "m"]
    done = command(*asked, *more)
    assert done.exit_code == 2
    assert f"leave out {named}\n" in done.output


def test_a_link_of_the_environment_is_for_commands_without_texts(monkeypatch, tmp_path):
    monkeypatch.setenv("RANKWISE_JUDGE_LINK", "https://host/j/12345678")
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{name}\n")
    done = command(
        "judge", "--protocol", "pairwise", "--dry-run", "--no-reference", "a.txt", "b.txt"
    )
    assert "a judge needs the source texts or a reference" in done.output
    done = command("judge", "--protocol", "pairwise", "--dry-run")
    assert done.exit_code == 2 and "leave out --protocol" in done.output


RULES = {
    "severities": ["neutral", "minor", "major"],
    "categories": [["Accuracy", ["Addition", "Untranslated text"]], ["Style", ["Awkward"]]],
    "marks": ["[missing]"],
    "overlap": False,
}


class TestAnswers:
    def spans(self, *said, **rules):
        return campaign_spans(said, {**RULES, **rules})

    @staticmethod
    def error(start, end, severity="minor", category="accuracy/addition"):
        return {"start": start, "end": end, "severity": severity, "category": category}

    def test_categories_by_name_or_by_their_only_beginning(self):
        found, lost = self.spans(
            self.error(0, 2), self.error(3, 4, category="accuracy/untranslated"),
            self.error(5, 6, category="style"),
        )  # fmt: skip
        names = [one["category"] for one in found]
        assert names == ["Accuracy/Addition", "Accuracy/Untranslated text", "Style/Awkward"]
        assert lost == 0

    def test_others_are_other_or_nothing(self):
        table = [*RULES["categories"], ["Other", []]]
        found, _ = self.spans(self.error(0, 1, category="accuracy"), categories=table)
        assert found[0]["category"] == "Other"
        with pytest.raises(DataError, match="none of this campaign"):
            self.spans(self.error(0, 1, category="accuracy"))
        with pytest.raises(DataError, match="severity"):
            self.spans(self.error(0, 1, severity="trivial"))

    def test_of_overlapping_ones_the_more_severe_stays(self):
        found, lost = self.spans(
            self.error(0, 5), self.error(3, 8, "critical"), self.error(8, 9), self.error(7, 9)
        )
        assert [(one["start"], one["severity"]) for one in found] == [(3, "major"), (8, "minor")]
        assert lost == 2
        assert self.spans(self.error(0, 5), self.error(3, 8), overlap=True)[1] == 0

    def test_without_a_mark_what_has_no_place_is_counted(self):
        assert self.spans(self.error(None, None), marks=[]) == ([], 1)

    def test_a_document_with_one_bad_answer_is_skipped_whole(self):
        rules = CampaignRules("esa", ("de", "en"), {"severities": ["minor", "major"]})
        sent = {"token": "t", "rows": [{"source": "a", "outputs": ["x", "y"]}] * 2}
        task = CampaignTask.of(sent, rules)
        assert [one.texts for one in task.questions] == [("x",), ("y",)] * 2
        fine = Answer("answered", value=70.4, spans="[]")
        said = screen_answer(task, [fine] * 4, rules)
        assert said.content == {"segments": [[{"spans": [], "score": 70}] * 2] * 2}
        assert screen_answer(task, [fine, Answer("refused"), fine, fine], rules).kind == "skip"

    def test_a_screen_that_is_shown_again_is_asked_again(self):
        rules = CampaignRules("pairwise", ("de", "en"), {})
        sent = {"source": "a", "outputs": ["x", "y"]}
        one, other = (CampaignTask.of({**sent, "token": token}, rules) for token in "ab")
        assert one.questions[0].repeat != other.questions[0].repeat

    def test_what_is_no_task_or_no_protocol_is_said(self):
        with pytest.raises(DataError, match="is its server newer"):
            CampaignTask.of({"token": "t"}, CampaignRules("pairwise", ("de", "en"), {}))
        with pytest.raises(DataError, match="adequacy-fluency"):
            CampaignRules.of({"protocol": "adequacy-fluency"})
