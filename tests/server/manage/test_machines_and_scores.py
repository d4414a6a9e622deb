"""Pages and API of machines and of attached scores: invited, marked, switched on, attached."""

import csv
import io
import json
import re
import zipfile

import numpy as np
import pytest

from rankwise.server.campaign.standings.standings import compute
from rankwise.server.records import JudgeTask, Submission
from server.manage.conftest import judge_some
from web_client import BROWSER, browser, come_in, csrf_of


def act(client, path, fields=None, page=None, **more):
    """Send a form; the token comes from a page of the organiser's."""
    token = csrf_of(client.get(page or "/", headers=BROWSER).text)
    return client.post(path, data={"csrf": token, **(fields or {})}, headers=BROWSER, **more)


@pytest.fixture
def path(campaign):
    return f"/campaigns/{campaign.slug}"


@pytest.fixture
def machine(store, campaign):
    judge_some(store, campaign, 30, judges=3)
    found, _ = store.judges.invite(campaign.id, name="a-model", kind="machine", actor="test")
    for _ in range(20):
        task = store.judging.next(found)
        assert isinstance(task, JudgeTask)
        ranks = list(range(1, len(task.outputs) + 1))
        store.judging.submit(found, task.token, Submission("answer", {"ranks": ranks}, 100))
    store.judging.next(found)
    renew(store, campaign)
    return found


def renew(store, campaign):
    stored = list(store.log.stored(campaign.id))
    testset = store.campaigns.testset(campaign.id)
    scores = store.scores.get(campaign.id)
    found = compute(campaign.plan, testset, stored, seed=1, scores=scores)
    store.standings.put_all(campaign.id, len(stored), found.contents())


def test_a_machine_is_invited_by_its_name(organiser, store, campaign, path):
    shown = act(organiser, f"{path}/invite-machine", {"machine": "big-model <7B>"})
    assert shown.status_code == 200
    assert "big-model &lt;7B&gt;" in shown.text
    assert "rankwise judge --endpoint" in shown.text
    (made,) = store.judges.judges(campaign.id)
    assert (made.kind, store.judges.identity(made.id).name) == ("machine", "big-model <7B>")
    assert act(organiser, f"{path}/invite-machine", {"machine": " "}).status_code == 422
    people = organiser.get(f"{path}/people", headers=BROWSER).text
    assert '<span class="badge accent">machine</span>' in people


def test_it_is_marked_wherever_a_judge_is_named(organiser, path, machine):
    mark = re.compile(f'{machine.pseudonym}(</a>)? <span class="badge accent">machine</span>')
    for page in ("", "/people", "/floor"):
        assert mark.search(organiser.get(path + page, headers=BROWSER).text), page
    items = [organiser.get(f"{path}/items/{n}", headers=BROWSER).text for n in range(60)]
    assert any(mark.search(item) for item in items)
    assert all(mark.search(item) for item in items if machine.pseudonym in item)


def counted(store, campaign):
    """How many judgments make the leaderboard of people, and how many are machines'."""
    work = [one for one in store.log.stored(campaign.id) if one.role == "work"]
    return sum(not one.is_machine for one in work), sum(one.is_machine for one in work)


def test_numbers_are_of_people_until_machines_are_asked_for(
    organiser, store, campaign, path, machine
):
    people, machines = counted(store, campaign)
    page = organiser.get(path, headers=BROWSER).text
    assert f"over {people} judgments" in page
    both = organiser.get(f"{path}?machines=true", headers=BROWSER).text
    assert f"over {people + machines} judgments" in both
    assert "20 judgments of machines count like those of people" in both
    assert "machines=true" in organiser.get(f"{path}?machines=1&part=live", headers=BROWSER).text
    assert "people" in page.lower() and "κ with people" in page
    listed = organiser.get("/", headers=BROWSER).text
    assert "<dt>Judges</dt><dd>3 and 1 machine</dd>" in listed
    assert "<dt>Judgments</dt><dd>30;" in listed
    floor = organiser.get(f"{path}/floor", headers=BROWSER).text
    assert "<b>0</b> screens in judges" in floor.replace("&#39;", "'")
    assert "<b>1</b> in the hands of machines" in floor


def test_a_viewer_sees_the_same_without_names(app, organiser, store, campaign, path, machine):
    client = come_in(app, f"/v/{store.accounts.add_viewer(campaign.id)}")
    page = client.get(f"/view/{campaign.slug}", headers=BROWSER).text
    assert f"over {counted(store, campaign)[0]} judgments" in page
    assert "a-model" not in page


def test_exports_and_pay_sheet(organiser, path, machine):
    def rows(**fields):
        found = act(organiser, f"{path}/exports", {"format": "long", **fields})
        archive = zipfile.ZipFile(io.BytesIO(found.content))
        name = next(n for n in archive.namelist() if n.endswith(".csv"))
        return list(csv.DictReader(archive.read(name).decode().splitlines()))

    assert {row["judge_kind"] for row in rows()} == {"person"}
    assert {row["judge_kind"] for row in rows(machines="on")} == {"person", "machine"}
    page = organiser.get(f"{path}/exports", headers=BROWSER).text
    assert "30 judgments of people are stored, and 20 of machines" in page
    pay = organiser.get(f"{path}/people/pay.csv", headers=BROWSER).text
    assert machine.pseudonym not in pay


def test_what_programs_get(app, organiser, store, campaign, machine):
    account = store.accounts.all()[0]
    token = store.accounts.add_token(account.id, "all", ["read", "export", "manage"])
    client = browser(app, headers={"authorization": f"Bearer {token}"})
    api = f"/api/v1/campaigns/{campaign.slug}"
    people, machines = counted(store, campaign)
    board = client.get(f"{api}/leaderboard").json()["content"]
    assert board["n_judgments"] == people
    both = client.get(f"{api}/leaderboard?machines=true").json()["content"]
    assert both["n_judgments"] == people + machines
    rows = client.get(f"{api}/standings/machines").json()["content"]["rows"]
    assert [row["judge"] for row in rows] == [machine.pseudonym]
    lines = [json.loads(line) for line in client.get(f"{api}/judgments").text.splitlines()]
    assert {line["judge_kind"] for line in lines} == {"person"}
    every = client.get(f"{api}/judgments?machines=true").text.splitlines()
    assert len(every) == len(lines) + 20
    kinds = {row["pseudonym"]: row["kind"] for row in client.get(f"{api}/judges").json()}
    assert kinds[machine.pseudonym] == "machine"
    made = client.post(f"{api}/judges", json={"name": "m", "kind": "machine"}).json()
    assert made["judge"]["kind"] == "machine"
    assert client.post(f"{api}/judges", json={"kind": "robot"}).status_code == 422


def numbers(testset):
    """A file of numbers for every system."""
    random = np.random.default_rng(1)
    return [
        ("files", (f"{name}.txt", "".join(f"{v:.3f}\n" for v in random.random(len(testset)))))
        for name in testset.systems
    ]


def test_scores_are_attached_shown_and_removed(organiser, store, campaign, path):
    judge_some(store, campaign, 60, judges=3)
    testset = store.campaigns.testset(campaign.id)
    page = organiser.get(f"{path}/scores", headers=BROWSER).text
    assert "Attached:" not in page
    found = act(organiser, f"{path}/scores", files=numbers(testset))
    assert found.status_code == 200, found.text
    assert "Attached:" in found.text
    assert store.scores.get(campaign.id).systems == testset.systems
    assert "together</h2>" not in organiser.get(path, headers=BROWSER).text
    renew(store, campaign)
    for shown in (path, f"{path}/scores", f"{path}?machines=true"):
        text = organiser.get(shown, headers=BROWSER).text
        assert "What it saves" in text
        assert "Share of wins, together" in text
        assert "win-shares:" in text
    assert act(organiser, f"{path}/scores/remove").status_code == 303
    for shown in (path, f"{path}/scores"):
        assert "What it saves" not in organiser.get(shown, headers=BROWSER).text


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([], "0 files were chosen"),
        ([("files", ("zoo.txt", "1.0\n2.0\n"))], "the scores are of zoo"),
        ([("files", ("a.txt", "x")), ("files", ("a.txt", "x"))], "different names"),
        ([("files", ("../../etc/passwd", "<b>nonsense</b>"))], "passwd"),
    ],
)
def test_files_that_are_no_scores(organiser, store, campaign, path, files, words):
    found = act(organiser, f"{path}/scores", files=files or None)
    assert found.status_code == 422
    assert words in found.text
    assert "/tmp" not in found.text
    assert "<b>nonsense" not in found.text
    assert store.scores.get(campaign.id) is None


def test_programs_attach_scores_too(app, organiser, store, campaign):
    token = store.accounts.add_token(store.accounts.all()[0].id, "all", ["read", "manage"])
    client = browser(app, headers={"authorization": f"Bearer {token}"})
    api = f"/api/v1/campaigns/{campaign.slug}/scores"
    assert client.get(api).status_code == 404
    testset = store.campaigns.testset(campaign.id)
    scores = {name: [0.5] * len(testset) for name in testset.systems[1:]}
    scores[testset.systems[1]][0] = None
    made = client.put(api, json={"name": "comet", "scores": scores})
    assert made.status_code == 200, made.text
    assert any(testset.systems[0] in note for note in made.json()["notes"])
    assert client.get(api).json()["systems"] == list(testset.systems[1:])
    short = client.put(api, json={"name": "comet", "scores": {testset.systems[0]: [1.0]}})
    assert short.status_code == 422
    assert client.delete(api).status_code == 204
    assert client.get(api).status_code == 404


def test_a_large_file_is_taken_from_organisers_alone(app, campaign, path):
    large = [("files", ("big.txt", b"1.0\n" * 600_000))]
    found = browser(app).post(f"{path}/scores", files=large, headers=BROWSER)
    assert found.status_code == 401
