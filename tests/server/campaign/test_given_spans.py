"""Errors that a machine marked: read for a campaign, kept beside the judge's, and exported."""

import json

import pytest

from rankwise import DataError
from rankwise.server.campaign.plan.outputs.given_spans import (
    change_counts,
    changes_of_spans,
    read_given,
)
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_files import load_given
from rankwise.server.campaign.plan.span_rules import ESA_RULES, MQM_RULES
from rankwise.types import Segment, TestSet
from server.campaign.made import make_plan

SEGMENTS = (Segment("1", "Die Katze.", ()), Segment("2", "Der Hund.", ()))
TEXTS = TestSet(SEGMENTS, {"a": ("The cat.", "The dog."), "b": ("A cat.", None)})
MINOR = {"start": 0, "end": 3, "severity": "minor"}


def lines(tmp_path, *rows, name="spans.jsonl"):
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def line(*spans, system="a", segment="1"):
    return {"system": system, "segment": segment, "spans": list(spans)}


def test_json_lines(tmp_path):
    missing = {"start": None, "end": None, "severity": "Major", "category": "[missing]"}
    path = lines(tmp_path, line(missing, MINOR), line(system="b"))
    assert read_given(path, ESA_RULES, TEXTS) == {
        "a": [[MINOR, {"mark": "[missing]", "severity": "major"}], None],
        "b": [[], None],
    }


def test_what_xcomet_writes(tmp_path):
    error = {"text": "cat", "severity": "critical", "confidence": 0.5, "start": 4, "end": 7}
    rows = [{"src": "", "mt": "The cat.", "COMET": 0.5, "errors": [error]}]
    path = tmp_path / "xcomet.json"
    path.write_text(json.dumps({"out/a.txt": rows}), encoding="utf-8")
    found = read_given(path, ESA_RULES, TEXTS)
    assert found == {"a": [[{"start": 4, "end": 7, "severity": "major"}], None]}


def test_what_judges_said_in_pearmut(tmp_path):
    span = {"start_i": 0, "end_i": 2, "severity": "minor", "category": None}
    row = {
        "user_id": "model",
        "item_i": 0,
        "item": [{"item_id": "1", "src": "", "tgt": {"a": "The cat."}}],
        "annotation": [{"a": {"score": 5, "error_spans": [span]}}],
    }
    assert read_given(lines(tmp_path, row), ESA_RULES, TEXTS) == {"a": [[MINOR], None]}


def test_a_category_that_is_not_known_is_left_to_the_judge(tmp_path):
    known = {**MINOR, "category": "style/awkward"}
    odd = {"start": 4, "end": 5, "severity": "major", "category": "Odd"}
    (spans, _) = read_given(lines(tmp_path, line(known, odd)), MQM_RULES, TEXTS)["a"]
    assert [span["category"] for span in spans] == ["Style/Awkward", None]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (line(system="c"), "segment '1', system 'c': not in the campaign"),
        (line(segment="9"), "segment '9', system 'a': not in the campaign"),
        (line(system="b", segment="2"), "the campaign has no such output"),
        (line({**MINOR, "severity": "odd"}), "the severity of an error is 'odd'"),
        (line({**MINOR, "end": 99}), "an error ends at 99; the text has 8 characters"),
        (line(MINOR, MINOR), "within another one"),
    ],
)
def test_what_does_not_fit_the_campaign_is_refused(tmp_path, row, said):
    if row["spans"] and row["spans"][0]["severity"] == "odd":
        row["score"] = 1
    with pytest.raises(DataError, match=said) as error:
        read_given(lines(tmp_path, row), ESA_RULES, TEXTS)
    assert "spans.jsonl" in str(error.value)


def test_two_lists_for_one_output_are_refused(tmp_path):
    with pytest.raises(DataError, match="is there twice"):
        read_given(lines(tmp_path, line(), line()), ESA_RULES, TEXTS)


def test_the_plan_names_the_file_and_must_mark_errors(tmp_path):
    lines(tmp_path, line(MINOR))
    plan = make_plan(protocol="esa", texts={"source": "x", "spans": "spans.jsonl"})
    assert load_given(plan, TEXTS, tmp_path) == {"a": [[MINOR], None]}
    assert Plan.from_json(plan.to_json()) == plan
    assert load_given(make_plan(protocol="esa"), TEXTS, tmp_path) == {}
    other = make_plan(texts={"source": "x", "spans": "spans.jsonl"})
    with pytest.raises(DataError, match="marks errors: esa or mqm"):
        load_given(other, TEXTS, tmp_path)


def test_what_became_of_every_error():
    major = {**MINOR, "severity": "major"}
    moved = {**MINOR, "end": 4}
    mark = {"mark": "[missing]", "severity": "major"}
    assert [what for what, _ in changes_of_spans([MINOR, mark], [major, mark])] == [
        "changed",
        "kept",
    ]
    counts = {"kept": 0, "changed": 0, "removed": 1, "added": 1}
    assert change_counts([MINOR], [moved]) == counts
    assert change_counts([mark, mark], [mark])["removed"] == 1
