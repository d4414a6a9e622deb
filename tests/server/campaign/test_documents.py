"""Documents: how a test set is cut, what judges may say about them, what results make of it."""

import json

import numpy as np
import pytest

from rankwise import DataError
from rankwise.io import read_assessments, read_judgments
from rankwise.io.value_files import hold_values
from rankwise.server.campaign.ask.chooser import choose_screens, control_screen
from rankwise.server.campaign.ask.document_windows import windows
from rankwise.server.campaign.exchange.export import write
from rankwise.server.campaign.exchange.long_table import long_rows
from rankwise.server.campaign.launch.check_list import check
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.boards import value_board
from rankwise.server.campaign.standings.counted import assessments_of, judgments_of
from rankwise.server.campaign.standings.standings import compute
from rankwise.server.campaign.standings.verdicts import control_passed
from rankwise.server.records import Slot
from rankwise.types import Segment, TestSet
from server.campaign.made import make_plan, make_testset, stored

MINOR = {"start": 0, "end": 4, "severity": "minor"}
MAJOR = {"start": 5, "end": 6, "severity": "major"}
MISSING = {"mark": "[missing]", "severity": "major"}


def cell(score, *spans):
    return {"spans": list(spans), "score": score}


def document(number, systems, rows, *, segments=("1", "2"), **more):
    answer = {"segments": rows}
    return stored(number, systems, answer, segment=segments[0], segments=segments, **more)


def plan(**keys) -> Plan:
    return make_plan(**{"protocol": "esa", "k": 2, "control_share": 0.0, **keys})


def test_a_document_is_a_run_of_segments_cut_into_equal_parts():
    names = ["a"] * 5 + ["b"] + [None, None] + ["a"]
    segments = tuple(Segment(str(i), "x", (), document=name) for i, name in enumerate(names))
    found = windows(TestSet(segments, {"s": ("t",) * 9}), 3)
    assert [list(part) for part in found.places] == [[0, 1, 2], [3, 4], [5], [6], [7], [8]]
    assert [segment.id for segment in found.testset.segments] == ["0", "3", "5", "6", "7", "8"]


def test_a_screen_has_all_segments_of_a_document_and_systems_that_have_them():
    testset = make_testset(3, 6)
    outputs = {**testset.outputs, "s02": ("one", None, *testset.outputs["s02"][2:])}
    testset = TestSet(testset.segments, outputs, "made", "de", "en")
    found = choose_screens(plan(), testset, None, count=6, seed=1)
    sizes = {screen.segment: len(screen.payload["segments"]) for screen in found}
    assert sizes == {"1": 2, "3": 3, "6": 1}  # documents d0, d1 and d2 of the test set
    first = [screen for screen in found if screen.segment == "1"]
    assert all("s02" not in slot.systems for screen in first for slot in screen.slots)
    shown = [(s.segment, name) for s in found for slot in s.slots for name in slot.systems]
    assert {shown.count(("3", f"s0{n}")) for n in range(3)} <= {1, 2}  # as even as can be


def test_judged_documents_are_asked_less():
    testset, chosen = make_testset(2, 6), plan()
    rows = [[cell(50), cell(60)], [cell(50), cell(60)]]
    judged = [document(n, ["s00", "s01"], rows) for n in (1, 2)]
    found = choose_screens(chosen, testset, assessments_of(judged, chosen), count=2, seed=1)
    assert {screen.segment for screen in found} == {"3", "6"}


@pytest.mark.parametrize("kind", ["degraded", "reference"])
def test_a_control_is_a_column_beside_others(kind):
    testset = make_testset(3, 6)
    screen = control_screen(plan(control_kind=kind), testset, seed=3)
    control, other = screen.slots
    assert control.role == {"degraded": "BAD", "reference": "REF"}[kind]
    assert len(control.texts) == len(screen.payload["segments"])
    if kind == "degraded":
        assert other.systems == control.systems
    rows = [[cell(20), cell(80)] for _ in control.texts]
    names = tuple(screen.payload["segments"])
    judged = document(1, screen.slots, rows, segments=names, role="control")
    assert control_passed(plan().rules, judged, {}) is (kind == "degraded")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"segments": []}, "expected a list of 1 to 100 segments"),
        ({"segments": [[cell(1)]]}, "segment 1 of the answer has 1 entries; expected 2"),
        ({"segments": [[cell(1), cell(None)]]}, "segment 1, text 2: the score is None"),
        ({"segments": [[cell(1), cell(True)]]}, "the score is True"),
        ({"segments": [[cell(1), cell(101)]]}, "the score is 101"),
        ({"segments": [[cell(1), {"score": 1}]]}, "no 'spans'"),
        ({"segments": [[cell(1), cell(1, MINOR, MINOR)]]}, "begins at 0, within another one"),
        ({"segments": [[cell(1), cell(1, {**MINOR, "end": 0})]]}, "from 0 to 0"),
        ({"segments": [[cell(1), cell(1, {**MINOR, "severity": "awful"})]]}, "one of minor, major"),
        ({"segments": [[cell(1), cell(1, {**MINOR, "note": ""})]]}, "unknown key 'note'"),
        ({"segments": [[cell(1), cell(1, {**MINOR, "start": True})]]}, "from True to 4"),
        ({"segments": [[cell(1), cell(1, {**MISSING, "mark": "[x]"})]]}, "one of [missing]"),
        ({"segments": [[cell(1), cell(1, *[MISSING] * 201)]]}, "201 entries"),
        ({"segments": [[cell(1), 7]]}, "text 2: found 7"),
        ({"segments": [[cell(1), cell(1)]], "more": 1}, "unknown key 'more'"),
    ],
)
def test_anything_but_a_whole_document_is_refused(answer, sentence):
    with pytest.raises(DataError) as error:
        plan().rules.validate(answer, 2)
    assert sentence in str(error.value)


def test_spans_stand_by_place_and_may_overlap_where_the_plan_says_so():
    given = {"segments": [[cell(1, MISSING, MAJOR, MINOR)]]}
    (found,) = plan().rules.validate(given, 1)["segments"][0]
    assert found["spans"] == [MINOR, MAJOR, MISSING]
    both = {"segments": [[cell(1, MINOR, {**MAJOR, "start": 2})]]}
    assert plan(spans={"overlap": True}).rules.validate(both, 1)
    with pytest.raises(DataError, match="within another"):
        plan().rules.validate(both, 1)


def test_a_place_beyond_the_text_and_a_segment_too_many_are_refused():
    rules = plan().rules
    answer = rules.validate({"segments": [[cell(1, MINOR)]]}, 1)
    rules.fits(answer, [["four"]])
    with pytest.raises(DataError, match="ends at 4; the text has 3 characters"):
        rules.fits(answer, [["two"]])
    with pytest.raises(DataError, match="1 segments; expected 2"):
        rules.fits(answer, [["four"], ["four"]])


def test_columns_change_places_and_nothing_else_does():
    rules = plan().rules
    answer = {"segments": [[cell(1, MINOR), cell(2)], [cell(3), cell(4)]]}
    there = rules.reorder(answer, (1, 0), back=False)
    assert [[c["score"] for c in row] for row in there["segments"]] == [[2, 1], [4, 3]]
    assert rules.reorder(there, (1, 0), back=True) == answer
    assert rules.reorder({"segments": [None]}, (1, 0), back=True) == {"segments": [None]}


def test_values_and_rankings_of_every_segment():
    chosen = plan()
    rows = [[cell(90, MINOR), cell(40, MAJOR, MISSING)], [cell(70), cell(70)]]
    judged = [document(7, ["A", "B"], rows)]
    values = assessments_of(judged, chosen)
    assert [row[:2] + row[4:] for row in values.rows()] == [
        ("A", "1", 90.0),
        ("B", "1", 40.0),
        ("A", "2", 70.0),
        ("B", "2", 70.0),
    ]
    assert set(values.info["document"]) == {"1"}
    first, second = judgments_of(judged, chosen)
    assert (first.segment, first.ranks, second.segment, second.ranks) == ("1", (1, 2), "2", (1, 1))
    assert first.screen == second.screen == "7"


def test_the_long_table_has_a_row_for_every_segment_and_system():
    rows = [[cell(90, MINOR), cell(40, MISSING)], [cell(70), cell(60)]]
    found = list(long_rows(plan(), [document(7, ["A", "B"], rows, active_ms=4000)]))
    assert [(row["segment"], row["system"], row["score"]) for row in found] == [
        ("1", "A", 90),
        ("1", "B", 40),
        ("2", "A", 70),
        ("2", "B", 60),
    ]
    assert json.loads(found[0]["spans"]) == [{**MINOR, "category": None}]
    assert json.loads(found[1]["spans"])[0] == {
        "start": None,
        "end": None,
        "severity": "major",
        "category": "[missing]",
    }
    assert {row["active_seconds"] for row in found} == {2.0}


def test_mqm_counts_weights_and_needs_a_category():
    chosen = plan(protocol="mqm", k=1)
    comma = {"start": 3, "end": 4, "severity": "minor", "category": "Fluency/Punctuation"}
    wrong = {"start": 0, "end": 3, "severity": "major", "category": "Accuracy/Mistranslation"}
    answer = chosen.rules.validate({"segments": [[{"spans": [wrong, comma]}]]}, 1)
    assert chosen.rules.values(answer) == [-5.1]
    with pytest.raises(DataError, match="the category of an error is None"):
        chosen.rules.validate({"segments": [[{"spans": [MINOR]}]]}, 1)
    own = plan(
        protocol="mqm",
        spans={
            "severities": ["small", "large"],
            "weights": {"small": 2, "large": 7},
            "categories": {"Meaning": ["lost", "added"], "Form": []},
        },
    )
    span = {"start": 0, "end": 3, "severity": "large", "category": "Form"}
    assert own.rules.values(own.rules.validate({"segments": [[{"spans": [span]}]]}, 1)) == [-7.0]
    assert Plan.from_json(own.to_json()) == own


@pytest.mark.parametrize(
    ("spans", "sentence"),
    [
        ({"severities": ["small"]}, "a weight for the severity 'small'"),
        ({"weights": {"minor": -1}}, "numbers from 0"),
        ({"categories": ["Form"]}, "a table of categories"),
        ({"categories": {"Form": ["a/b"]}}, "names without '/'"),
        ({"marks": ["x", "x"]}, "different names"),
        ({"unit": "letter"}, "one of auto, word, character"),
        ({"colour": "red"}, "unknown key 'spans.colour'"),
    ],
)
def test_a_table_of_spans_that_cannot_be_is_refused(spans, sentence):
    with pytest.raises(DataError) as error:
        plan(spans=spans)
    assert sentence in str(error.value)


def test_other_protocols_have_no_table_of_spans():
    with pytest.raises(DataError, match="unknown key 'spans'"):
        make_plan(spans={"overlap": True})


def test_standings_by_values_and_by_order_and_the_errors_of_every_system():
    testset, chosen = make_testset(2, 6), plan()
    rows = [[cell(90, MINOR), cell(40, MAJOR, MISSING)], [cell(80), cell(70)]]
    judged = [document(n, ["s00", "s01"], rows, judge=f"j{n % 3}") for n in range(1, 9)]
    found = compute(chosen, testset, judged, seed=1)
    for model in ("means", "trueskill"):
        board = found.boards[model]
        assert [row["system"] for row in board["rows"]] == ["s00", "s01"], board["problem"]
    assert found.boards["means"]["rows"][0]["score"] == 85.0
    best, worst = found.errors["rows"]
    assert (best["errors"], best["n"], best["by_severity"]) == (8, 16, {"minor": 8})
    assert (worst["by_severity"], worst["penalty"]) == ({"major": 16}, 5.0)
    assert worst["by_category"] == {"[missing]": 8}
    assert found.coverage["segments"] == {
        "total": 3,
        "seen": 1,
        "least": 0,
        "median": 0.0,
        "most": 8,
    }
    assert {row["segment"]: row["n"] for row in found.items["rows"]} == {"1": 8, "2": 8}


def test_a_skipped_document_counts_nowhere_but_as_a_skip():
    chosen = plan()
    skipped = stored(1, ["A", "B"], {"reason": "offensive"}, segment="1", segments=("1", "2"))
    assert len(assessments_of([skipped], chosen)) == 0
    (row, _) = long_rows(chosen, [skipped])
    assert (row["skip_reason"], row["score"]) == ("offensive", "")


def test_a_shared_column_is_one_text_of_two_systems():
    testset = make_testset(2, 3)
    same = TestSet(testset.segments, {**testset.outputs, "copy": testset.outputs["s00"]}, "made")
    (screen,) = choose_screens(plan(k=3), same, None, count=1, seed=1)
    assert sorted(slot.systems for slot in screen.slots) == [("s00", "copy"), ("s01",)]
    assert all(isinstance(slot, Slot) for slot in screen.slots)


def test_rank_reads_the_default_export_as_the_board_ranks(tmp_path):
    testset, chosen = make_testset(3, 6), plan(k=3)
    random, better = np.random.default_rng(1), np.array([40, 20, 0])
    judged = [
        document(
            number,
            testset.systems,
            [[cell(int(s)) for s in random.integers(0, 60, 3) + better] for _ in range(2)],
            judge=f"j{number % 3}",
        )
        for number in range(1, 13)
    ]
    path = tmp_path / "long.csv"
    write(chosen, testset, judged, path, format="long")
    assert hold_values([path])
    values = read_assessments(path)
    assert list(values.rows()) == list(assessments_of(judged, chosen).rows())
    board = compute(chosen, testset, judged, seed=1).boards["mixed"]
    again = value_board(values, "mixed", seed=1)
    assert [row["score"] for row in again["rows"]] == [row["score"] for row in board["rows"]]
    assert [row["low"] for row in again["rows"]] == [row["low"] for row in board["rows"]]
    ranked = tmp_path / "order.jsonl"
    write(chosen, testset, judged, ranked, format="jsonl")
    assert len(read_judgments(ranked)) == 24


def test_the_check_list_speaks_of_documents():
    testset = make_testset(2, 6)
    found = {finding.code: finding.message for finding in check(plan(window=2), testset).findings}
    assert found["parts"].endswith("3 documents make 4 screens.")
    alone = TestSet(tuple(Segment(s.id, s.source) for s in testset.segments), testset.outputs, "x")
    assert "no-documents" in {finding.code for finding in check(plan(), alone).findings}
    many, one = (check(plan(window=size), testset).estimate.judgments for size in (1, 6))
    assert many in (2 * one - 1, 2 * one)  # six segments are six screens, or three documents


def test_a_tutorial_item_is_a_document_of_one_segment():
    answer = {"segments": [[cell(80, MINOR), cell(20)]]}
    item = {"source": "q", "outputs": ["good text", "bad"], "answer": answer, "feedback": "So."}
    rules = plan(tutorial=[item]).rules
    assert rules.agrees({"segments": [[cell(75, {**MINOR, "end": 2}), cell(29)]]}, answer)
    assert not rules.agrees({"segments": [[cell(75), cell(29)]]}, answer)
    assert not rules.agrees({"segments": [[cell(75, MINOR), cell(31)]]}, answer)


@pytest.mark.parametrize(("protocol", "count"), [("direct-assessment", 15), ("esa", 15)])
def test_no_system_waits_while_others_are_shown_again(protocol, count):
    chosen = make_plan(protocol=protocol, k=1, control_share=0.0)
    found = choose_screens(chosen, make_testset(6, 60), None, count=count, seed=1)
    shown = [name for screen in found for slot in screen.slots for name in slot.systems]
    assert {shown.count(f"s0{n}") for n in range(6)} == {2, 3}
