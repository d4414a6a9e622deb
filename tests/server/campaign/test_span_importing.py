"""Scores with error spans from elsewhere: Pearmut's answers, Appraise, WMT24, another campaign."""

import json

import pytest

from rankwise import DataError
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.importing import read_finished
from rankwise.server.store.judging.judgment_digest import digest_of
from server.campaign.made import make_plan, make_testset, stored

TEXT = "text 0 says 00 things of 0 kinds"


def answers(path, span, score=80):
    line = {
        "user_id": "ann",
        "item_i": 0,
        "item": [{"item_id": "1", "src": "s", "tgt": {"s00": TEXT, "s01": "other"}}],
        "annotation": [
            {
                "s00": {"score": score, "error_spans": [span]},
                "s01": {"score": 40, "error_spans": []},
            }
        ],
    }
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return path


def test_answers_of_pearmut_come_in_side_by_side(tmp_path):
    plan, span = make_plan(protocol="esa", k=2), {"start_i": 0, "end_i": 3, "severity": "minor"}
    path = answers(tmp_path / "a.jsonl", span)
    (found,) = read_finished(path, plan, make_testset()).finished
    assert [slot.systems for slot in found.screen.slots] == [("s00",), ("s01",)]
    assert (found.screen.segment, found.screen.payload) == ("1", {"segments": ["1"]})
    marked = [{"start": 0, "end": 4, "severity": "minor"}]
    cells = [{"spans": marked, "score": 80}, {"spans": [], "score": 40}]
    assert found.answer == {"segments": [cells]}


def test_a_mark_behind_the_text_is_the_mark_of_the_plan(tmp_path):
    span = {"start_i": len(TEXT), "end_i": len(TEXT) + 8, "severity": "major"}
    path = answers(tmp_path / "a.jsonl", span)
    (found,) = read_finished(path, make_plan(protocol="esa", k=2), make_testset()).finished
    expected = [{"mark": "[missing]", "severity": "major"}]
    assert found.answer["segments"][0][0]["spans"] == expected


@pytest.mark.parametrize(
    ("span", "score", "message"),
    [
        ({"start_i": 0, "end_i": 3, "severity": "odd"}, 80, "the severity of an error is 'odd'"),
        ({"start_i": 0, "end_i": 3, "severity": "minor"}, 80.5, "the score is 80.5"),
        ({"start_i": 0, "end_i": 3, "severity": "minor"}, 101, "the score is 101"),
    ],
)
def test_what_the_campaign_would_refuse_is_refused(tmp_path, span, score, message):
    path = answers(tmp_path / "a.jsonl", span, score)
    with pytest.raises(DataError, match=message):
        read_finished(path, make_plan(protocol="esa", k=2), make_testset())


@pytest.mark.parametrize("name", ["long", "records"])
def test_the_long_table_of_documents_is_the_same_as_the_records(tmp_path, name):
    plan, testset = make_plan(protocol="mqm", k=2), make_testset()
    span = {"start": 0, "end": 4, "severity": "major", "category": "Fluency/Grammar"}
    mark = {"mark": "[missing]", "severity": "minor", "category": "Accuracy/Omission"}
    rows = [[{"spans": [span]}, {"spans": []}], [{"spans": []}, {"spans": [span, mark]}]]
    one = stored(1, ["s00", "s01"], {"segments": rows}, segment="1", segments=("1", "2"))
    digests = set()
    for format in ("records", name):
        path = tmp_path / export.file_name(plan, format)
        export.write(plan, testset, [one], path, format=format)
        digests.add(digest_of(read_finished(path, plan, testset).finished))
    assert len(digests) == 1
