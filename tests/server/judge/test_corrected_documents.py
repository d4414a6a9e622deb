"""Documents with errors that a machine marked, with sliders, comments and corrections."""

import csv
import json

import pytest

from rankwise import example
from rankwise.io import read_assessments
from rankwise.server.campaign.exchange.export import write
from rankwise.server.campaign.exchange.importing import read_finished
from server.judge.judge_client import JudgeClient

GIVEN = {"start": 0, "end": 2, "severity": "minor"}
ADDED = {"mark": "[missing]", "severity": "major"}
SLIDERS = [{"name": "Fluency", "low": 1, "high": 5}]


def marked(spans=(GIVEN,)):
    """Every output begins with the same errors."""
    testset = example().testset
    return {name: [list(spans)] * len(testset) for name in testset.systems}


def answered(judge, task, cell):
    rows = [[cell for _ in row["outputs"]] for row in task["rows"]]
    body = {"answer": {"segments": rows}, "active_ms": 5}
    return judge.send("POST", f"/judge/tasks/{task['token']}/answer", body)


@pytest.fixture
def opened(app, invited):
    def make(**changes):
        campaign, link = invited(marked(), protocol="esa", k=2, window=2, **changes)
        judge = JudgeClient(app, link)
        return campaign, judge, judge.next()["task"]

    return make


def test_errors_come_with_the_task_and_are_kept_beside_the_judges(opened, store):
    campaign, judge, task = opened()
    assert all(row["given"] == [[GIVEN], [GIVEN]] for row in task["rows"])
    cell = {"spans": [ADDED], "score": 3, "given": []}  # nobody is asked what was given
    first = answered(judge, task, cell).json()
    again = answered(judge, task, cell).json()
    assert (again["receipt"], again["differs"]) == (first["receipt"], False)
    (stored,) = store.log.stored(campaign.id)
    expected = {"spans": [ADDED], "score": 3, "given": [GIVEN]}
    assert stored.answer["segments"][0] == [expected, expected]
    change = judge.send("POST", f"/judge/history/{first['receipt']}/revise").json()["task"]
    assert [row["given"] for row in change["rows"]] == [row["given"] for row in task["rows"]]


def test_a_clone_and_a_preview_have_them_too(opened, store):
    campaign, _, _ = opened()
    clone = store.changes.clone(campaign.slug, "Once more", actor="test")
    assert store.campaigns.given(clone.id) == store.campaigns.given(campaign.id) == marked()


def test_spoilt_texts_keep_what_is_still_there_and_references_have_none(app, invited, store):
    keys = {"protocol": "esa", "k": 2, "window": 2, "control_share": 0.5}
    for kind in ("rotated", "reference"):
        campaign, link = invited(marked(), name=kind, control_kind=kind, **keys)
        judge = JudgeClient(app, link)
        for _ in range(12):
            answered(judge, judge.next()["task"], {"spans": [], "score": 3})
        found = [one for one in store.log.stored(campaign.id) if one.role == "control"]
        cells = [
            (slot, text, cell["given"])
            for one in found
            for place, row in enumerate(one.answer["segments"])
            for slot, cell in zip(one.slots, row, strict=True)
            for text in [(slot.texts or [""] * 9)[place]]
            if slot.role != "TGT"
        ]
        assert cells
        testset = example().testset
        for slot, text, given in cells:
            was = {texts[:2] for texts in testset.outputs[slot.systems[0]]} if slot.systems else ()
            assert given in ([], [GIVEN])
            assert given == [] or text[:2] in was


def test_exports_say_what_was_given_and_changed_and_come_back(opened, store, tmp_path):
    keys = {"sliders": SLIDERS, "output_comments": True, "post_edits": True}
    campaign, judge, task = opened(**keys)
    major = {**GIVEN, "severity": "major"}
    cell = {"spans": [major, ADDED], "score": 3, "sliders": {"Fluency": 4}}
    cell |= {"comment": "too short", "edit": "שלום, world"}
    assert answered(judge, task, cell).status_code == 200
    testset, stored = store.campaigns.testset(campaign.id), list(store.log.stored(campaign.id))
    for format in ("long", "records"):
        path = tmp_path / f"{format}.csv"
        write(campaign.plan, testset, stored, path, format=format)
        finished = read_finished(path, campaign.plan, testset).finished
        cells = [c for one in finished for row in one.answer["segments"] for c in row]
        assert cells == [{**cell, "given": [GIVEN]}] * 2 * len(task["rows"])
        assert set(read_assessments(path).info["edit"]) == {"שלום, world"}
    with (tmp_path / "long.csv").open(encoding="utf-8", newline="") as stream:
        row = next(csv.DictReader(stream))
    assert json.loads(row["span_changes"]) == {"kept": 0, "changed": 1, "removed": 0, "added": 1}
    assert json.loads(row["given_spans"])[0]["severity"] == "minor"
    assert (row["sliders"], row["output_comment"]) == ('{"Fluency": 4}', "too short")


def test_the_page_knows_the_sliders_and_the_instructions_of_a_domain(app, invited):
    domain = example().testset.segments[0].domain or "news"
    _, link = invited(
        protocol="esa",
        k=1,
        sliders=SLIDERS,
        domain_instructions={"other": "No.", domain: "**Names** stay."},
    )
    judge = JudgeClient(app, link)
    page = judge.send("GET", "/judge").text
    assert '<template data-told="1"><p><strong>Names</strong> stay.</p>' in page
    told = {judge.next()["task"]["told"]}
    assert told <= {1, None}
    refused = answered(judge, judge.next()["task"], {"spans": [], "score": 1})
    assert refused.status_code == 422
    assert "Fluency" in refused.json()["error"]["message"]
