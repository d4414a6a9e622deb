"""Ranking, pairs and values over documents: an answer per segment, and results as of segments."""

from dataclasses import replace

import numpy as np
import pytest

from rankwise import DataError
from rankwise.io import read_assessments, read_judgments
from rankwise.server.campaign.ask.chooser import choose_screens, control_screen
from rankwise.server.campaign.ask.document_windows import windows
from rankwise.server.campaign.ask.order_values import order_values
from rankwise.server.campaign.exchange.export import formats, write
from rankwise.server.campaign.exchange.importing import read_finished
from rankwise.server.campaign.exchange.long_table import long_rows
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.plan_edits import edited
from rankwise.server.campaign.standings.counted import assessments_of, judgments_of
from rankwise.server.campaign.standings.standings import compute
from rankwise.server.campaign.standings.verdicts import control_passed
from rankwise.server.records import Slot
from rankwise.server.store.judging.judgment_digest import digest_of
from server.campaign.made import make_plan, make_testset, stored

#: What may be said about a segment of two columns; the first is better.
ANSWERS = {
    "ranking": {"ranks": [1, 2]},
    "pairwise": {"choice": "left"},
    "adequacy-fluency": {"fluency": [4, 3], "adequacy": [5, 1]},
    "direct-assessment": {"scores": [80, 20]},
}
PROTOCOLS = sorted(ANSWERS)
SAME = {
    "ranking": {"ranks": [1, 1]},
    "pairwise": {"choice": "both_bad"},
    "adequacy-fluency": {"fluency": [3, 3], "adequacy": [3, 3]},
    "direct-assessment": {"scores": [50, 50]},
}


def plan(protocol: str, **keys: object) -> Plan:
    usual = {"protocol": protocol, "by_document": True, "k": 2, "control_share": 0.0}
    return make_plan(**{**usual, **keys})


def document(number, systems, rows, *, segments=("1", "2"), **more):
    answer = {"segments": rows}
    return stored(number, systems, answer, segment=segments[0], segments=segments, **more)


def single(protocol: str) -> Plan:
    return make_plan(protocol=protocol, k=2, control_share=0.0)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_plan_says_that_documents_are_shown(protocol):
    found = plan(protocol)
    assert found.rules.is_document
    assert found.rules.is_scalar == single(protocol).rules.is_scalar
    assert Plan.from_json(found.to_json()) == found
    assert not edited(found, {"by_document": False}).rules.is_document
    assert "pearmut" not in dict(formats(found))


def test_protocols_that_mark_errors_are_about_documents_anyhow():
    assert make_plan(protocol="esa", by_document=True) == make_plan(protocol="esa")
    with pytest.raises(DataError, match="'by_document' is False; expected true: mqm is about"):
        make_plan(protocol="mqm", by_document=False)
    with pytest.raises(DataError, match="unknown key 'spans'"):
        plan("ranking", spans={"severities": []})


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_is_as_strict_as_on_a_screen_of_one_segment(protocol):
    rules, right = plan(protocol).rules, ANSWERS[protocol]
    assert rules.validate({"segments": [right, right]}, 2) == {"segments": [right, right]}
    for wrong in ({}, [], None, {**right, "more": 1}):
        with pytest.raises(DataError, match="segment 2: "):
            rules.validate({"segments": [right, wrong]}, 2)
    for whole in ({"segments": []}, {"segments": right}, right, {"segments": [right], "x": 1}):
        with pytest.raises(DataError):
            rules.validate(whole, 2)
    with pytest.raises(DataError, match="has 1 segments; expected 2"):
        rules.fits({"segments": [right]}, [["a", "b"], ["c", "d"]])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_columns_change_places_in_every_segment(protocol):
    rules, right = plan(protocol).rules, ANSWERS[protocol]
    whole = {"segments": [right, SAME[protocol]]}
    turned = rules.reorder(whole, (1, 0), back=False)
    assert turned["segments"][0] == single(protocol).rules.reorder(right, (1, 0), back=False)
    assert rules.reorder(turned, (1, 0), back=True) == whole
    assert rules.reorder({"segments": "half"}, (1, 0), back=True) == {"segments": "half"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_results_are_those_of_single_segments(protocol):
    """The same said on screens of a segment each gives the same values, rankings and boards."""
    rows = [ANSWERS[protocol], SAME[protocol]]
    judged = [document(n, ["s00", "s01"], rows, judge=f"j{n}") for n in (1, 2)]
    alone = [
        stored(n, ["s00", "s01"], row, segment=name, judge=f"j{n}")
        for n in (1, 2)
        for name, row in zip(("1", "2"), rows, strict=True)
    ]
    whole, segments = plan(protocol), single(protocol)
    if whole.rules.is_scalar:
        one, other = assessments_of(judged, whole), assessments_of(alone, segments)
        assert list(one.rows()) == list(other.rows())
        assert list(one.info["document"]) == ["1"] * 8
    else:
        one, other = judgments_of(judged, whole), judgments_of(alone, segments)
        assert one.pair_count == other.pair_count == 4
        for left, right in zip(one, other, strict=True):
            assert (left.segment, left.judge, left.ranks) == (
                right.segment,
                right.judge,
                right.ranks,
            )
        informed = judgments_of(judged, whole, info=True)
        assert [r.ranks for r in informed] == [r.ranks for r in one]


def test_values_side_by_side_are_rankings_too():
    chosen = plan("direct-assessment")
    judged = [document(1, ["s00", "s01"], [{"scores": [80, 20]}, {"scores": [50, 50]}])]
    assert chosen.compares
    assert [r.ranks for r in judgments_of(judged, chosen)] == [(1, 2), (1, 1)]
    assert not plan("direct-assessment", k=1).compares


def test_the_long_table_has_a_row_for_every_segment_and_system():
    found = list(
        long_rows(
            plan("pairwise"), [document(1, ["s00", "s01"], [ANSWERS["pairwise"]] * 2, shown=(1, 0))]
        )
    )
    assert [(row["segment"], row["system"], row["rank"]) for row in found] == [
        ("1", "s00", 1),
        ("1", "s01", 2),
        ("2", "s00", 1),
        ("2", "s01", 2),
    ]
    assert {row["choice"] for row in found} == {"right"}  # as the page showed it
    assert {row["document"] for row in found} == {"1"}
    assert {row["active_seconds"] for row in found} == {15.0}
    assert {row["spans"] for row in found} == {""}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_export_is_read_again_as_the_campaign_counts(protocol, tmp_path):
    chosen, testset = plan(protocol), make_testset(3, 6)
    pairs = (("s00", "s01"), ("s01", "s02"), ("s00", "s02"))
    judged = [
        document(n, pair, [ANSWERS[protocol], SAME[protocol]], judge=f"j{n}")
        for n, pair in enumerate(pairs, 1)
    ]
    judged.append(document(9, ["s00", "s01"], [], judge="j9"))
    judged[-1] = replace(judged[-1], kind="skip", answer={"reason": "other"})
    texts = ("testset", "appraise-batches")
    own = (*texts, "mt-metrics-eval", "long", "records")
    for format in ("long", "records", *(name for name, _ in formats(chosen) if name not in own)):
        path = tmp_path / f"{format}.out"
        write(chosen, testset, judged, path, format=format)
        known = None if format in ("long", "records") else format
        read = read_assessments if chosen.rules.is_scalar else read_judgments
        if chosen.rules.is_scalar and format in dict(formats(plan("ranking"))) and known:
            continue  # the ranking formats are read as rankings, below
        found = read(path, format=known)
        assert {"s00", "s01", "s02"} <= set(found.systems)
        if format == "fastchat":  # it has no names of segments, and says so
            assert found.pair_count == 6
            continue
        keeps_ties = format != "pwcmp"  # that format has none, and says so
        assert set(found.segments) == ({"1", "2"} if keeps_ties else {"1"}), format
        if not chosen.rules.is_scalar:
            assert found.pair_count == (6 if keeps_ties else 3)
        elif format in ("long", "records"):
            ours = assessments_of(judged, chosen)
            assert sorted(map(str, found.rows())) == sorted(map(str, ours.rows()))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_records_come_back_and_say_the_same(protocol, tmp_path):
    chosen, testset = plan(protocol), make_testset(3, 6)
    judged = [document(1, ["s00", "s01"], [ANSWERS[protocol], SAME[protocol]])]
    path = tmp_path / "records.jsonl"
    write(chosen, testset, judged, path, format="records")
    (found,) = read_finished(path, chosen, testset).finished
    assert found.answer == judged[0].answer
    assert found.screen.payload == {"segments": ["1", "2"]}
    with pytest.raises(DataError, match="judgments of documents; expected single segments"):
        read_finished(path, single(protocol), testset)
    if protocol == "ranking":  # a table of the same is known to say the same
        table = tmp_path / "table.jsonl"
        write(chosen, testset, judged, table, format="jsonl")
        again = read_finished(table, chosen, testset).finished
        assert [one.screen.payload for one in again] == [{"segments": ["1"]}, {"segments": ["2"]}]
        assert digest_of(again) == digest_of([found])


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("strategy", ["clusters", "uniform"])
def test_documents_are_chosen_for_every_protocol(protocol, strategy):
    chosen = plan(protocol, strategy=strategy, cold_start=1, coverage_floor=1)
    testset = make_testset(4, 9)
    rows = [ANSWERS[protocol]] * 2
    judged = [document(n, ["s00", "s01"], rows) for n in range(1, 4)]
    of = assessments_of if chosen.rules.is_scalar else judgments_of
    first = choose_screens(chosen, testset, None, count=4, seed=1)
    assert first == choose_screens(chosen, testset, None, count=4, seed=1)
    found = choose_screens(chosen, testset, of(judged, chosen), count=6, seed=1)
    for screen in (*first, *found):
        assert len(screen.slots) == 2
        assert len(screen.payload["segments"]) == {"1": 2}.get(
            screen.segment, 3 if screen.segment != "9" else 1
        )
    # what was judged three times is asked less than what nobody saw
    assert ("1", {"s00", "s01"}) not in [
        (s.segment, {n for x in s.slots for n in x.systems}) for s in found[:2]
    ]


def test_rankings_are_values_that_know_whom_a_system_met():
    testset = make_testset(3, 6)
    judged = [document(1, ["s00", "s01", "s02"], [{"ranks": [1, 2, 2]}, {"ranks": [3, 1, 2]}])]
    skipped = replace(judged[0], id=2, kind="skip", answer={"reason": "other"})
    chosen = plan("ranking", k=3)
    rankings = judgments_of([*judged, skipped], chosen)
    values = order_values(rankings, windows(testset, chosen.window), testset)
    assert [row[-1] for row in values.rows()] == [1.0, 0.25, 0.25, 0.0, 1.0, 0.5]
    assert set(values.info["document"]) == {"1"}
    assert len(order_values(judgments_of([skipped], chosen), windows(testset, 10), testset)) == 0


def test_the_best_and_the_worst_system_need_fewer_documents_than_neighbours():
    """Chosen by rankings: the pair that is hard to tell apart is asked about more often."""
    testset, random = make_testset(4, 60), np.random.default_rng(3)
    chosen = plan("pairwise", cold_start=2, coverage_floor=2, window=3)
    strength = {"s00": 3.0, "s01": 0.05, "s02": 0.0, "s03": -3.0}
    judged, asked = [], []
    for number in range(1, 90):
        known = judgments_of(judged, chosen) if judged else None
        (screen,) = choose_screens(chosen, testset, known, count=1, seed=number)
        names = [slot.systems[0] for slot in screen.slots]
        gap = strength[names[0]] - strength[names[1]]
        wins = random.normal(gap, 1, len(screen.payload["segments"])) > 0
        rows = [{"choice": "left" if win else "right"} for win in wins]
        asked.append(frozenset(names))
        segments = tuple(screen.payload["segments"])
        judged.append(document(number, names, rows, segments=segments, judge=f"j{number % 5}"))
    late = asked[30:]
    assert late.count(frozenset({"s01", "s02"})) > 0.4 * len(late)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_standings_have_boards_people_and_agreement(protocol):
    chosen, testset = plan(protocol), make_testset(2, 6)
    rows = [ANSWERS[protocol], SAME[protocol], ANSWERS[protocol]]
    judged = [
        document(n, systems, rows, segments=("3", "4", "5"), judge=f"j{n}")
        for n, systems in enumerate((["s00", "s01"],) * 4 + (["s01", "s00"],), 1)
    ]
    found = compute(chosen, testset, judged, seed=1)
    for model, board in found.boards.items():
        assert board["problem"] is None, (model, board["problem"])
        assert [row["system"] for row in board["rows"]] == ["s00", "s01"], model
    assert found.errors is None
    assert found.coverage["segments"]["seen"] == 1  # documents, not segments
    assert {row["segment"] for row in found.items["rows"]} >= {"3", "4", "5"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_control_is_passed_by_what_was_said_about_the_whole_column(protocol):
    chosen = plan(protocol)
    screen = control_screen(chosen, make_testset(3, 6), seed=3)
    assert screen is not None and screen.slots[0].role == "BAD"
    texts = ("x", "y")
    slots = [Slot(("s00",), "BAD", texts=texts), Slot(("s00",))]
    wrong = document(1, slots, [ANSWERS[protocol], SAME[protocol]], role="control")
    turned = chosen.rules.reorder(wrong.answer, (1, 0), back=False)
    right = replace(wrong, answer=turned)
    assert control_passed(chosen.rules, wrong, {}) is False
    assert control_passed(chosen.rules, right, {}) is True


def test_a_tutorial_item_is_a_document_with_rules():
    item = {
        "source": "eins",
        "outputs": ["one", "two"],
        "more": [{"source": "zwei", "outputs": ["two", "one"]}],
        "rules": [{"segment": 2, "text": 1, "above": 2, "hint": "Look at the second segment."}],
    }
    chosen = plan("ranking", tutorial=[item])
    (lesson,) = chosen.tutorial
    wrong = {"segments": [{"ranks": [1, 2]}, {"ranks": [1, 1]}]}
    right = {"segments": [{"ranks": [2, 1]}, {"ranks": [1, 2]}]}
    assert lesson.mistakes(chosen.rules, wrong) == ("Look at the second segment.",)
    assert lesson.mistakes(chosen.rules, right) == ()
    with pytest.raises(DataError, match="nothing is marked in ranking"):
        plan("ranking", tutorial=[{**item, "rules": [{"text": 1, "span": [0, 1]}]}])
