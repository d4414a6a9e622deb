"""What judges said goes out as answers of Pearmut and comes back the same."""

import json

import numpy as np
import pytest

from rankwise import DataError
from rankwise.io import read_assessments
from rankwise.server.campaign.exchange import export
from rankwise.server.campaign.exchange.importing import read_finished
from rankwise.server.store.judging.judgment_digest import digest_of
from server.campaign.made import make_plan, make_testset, stored

SPAN = {"start": 0, "end": 4, "severity": "major"}
MARK = {"mark": "[missing]", "severity": "minor"}
CELLS = [
    [{"spans": [SPAN, MARK], "score": 20}, {"spans": [], "score": 90}],
    [{"spans": [], "score": 100}, {"spans": [MARK], "score": 0}],
]


def written(plan, judgments, tmp_path):
    path = tmp_path / export.file_name(plan, "pearmut-answers")
    return export.write(plan, make_testset(), judgments, path, format="pearmut-answers")


def looked_at(number, **changes):
    changes = {"segment": "1", "segments": ("1", "2"), **changes}
    return stored(number, ["s00", "s01"], {"segments": CELLS}, **changes)


def test_the_judgments_are_those_of_the_records(tmp_path):
    plan, testset = make_plan(protocol="esa", k=2), make_testset()
    done = [looked_at(1)]
    path = written(plan, done, tmp_path).path
    assert path.name.endswith(".pearmut.jsonl")
    records = tmp_path / export.file_name(plan, "records")
    export.write(plan, testset, done, records, format="records")
    found, expected = (read_finished(one, plan, testset).finished for one in (path, records))
    assert digest_of(found) == digest_of(expected)
    line = json.loads(path.read_text(encoding="utf-8"))
    assert (line["item_i"], [item["item_id"] for item in line["item"]]) == (0, ["1", "2"])
    text = testset.outputs["s00"][0]
    first, mark = line["annotation"][0]["s00"]["error_spans"]
    assert (first["start_i"], first["end_i"]) == (0, 3)
    assert (mark["start_i"], mark["category"]) == (len(text), "[missing]")


def test_systems_with_one_text_are_both_named_and_others_left_out(tmp_path):
    plan = make_plan(protocol="esa", k=2)
    skip = stored(2, ["s00", "s01"], {"reason": "other"}, kind="skip", segments=("1",), segment="1")
    control = looked_at(3, role="control")
    every = [looked_at(1), skip, control]
    path = tmp_path / "x.jsonl"
    keep = export.Keep(roles=("work", "control"))
    found = export.write(plan, make_testset(), every, path, format="pearmut-answers", keep=keep)
    assert any("(2 left out)" in sentence for sentence in found.losses)
    values = read_assessments(path, keep_judges=True)
    assert values.systems == ("s00", "s01")
    assert np.array_equal(values.value, [20, 90, 100, 0])


def test_sliders_corrections_and_given_errors_are_held(tmp_path):
    slider = {"name": "Fluency", "low": 1, "high": 5, "step": 1}
    plan = make_plan(protocol="esa", k=1, sliders=[slider], post_edits=True)
    cell = {"spans": [], "score": 50, "sliders": {"Fluency": 4}, "edit": "better", "given": [SPAN]}
    one = stored(1, ["s00"], {"segments": [[cell]]}, segment="1", segments=("1",))
    values = read_assessments(written(plan, [one], tmp_path).path)
    assert json.loads(values.info["sliders"][0]) == {"Fluency": 4}
    assert values.info["textfield"] == ("better",)
    assert json.loads(values.info["given"][0])[0]["end"] == 4


def test_rankings_are_no_answers_of_pearmut(tmp_path):
    with pytest.raises(DataError, match="unknown format 'pearmut-answers'"):
        written(make_plan(), [], tmp_path)
