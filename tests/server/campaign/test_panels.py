"""Pace, domains, judges in detail and what was said of outputs: values worked out by hand."""

import re

import numpy as np
import pytest

from rankwise.present.charts.column_chart import column_chart
from rankwise.server.campaign.launch.estimate import estimate
from rankwise.server.campaign.standings.boards import ranking_board
from rankwise.server.campaign.standings.counted import judgments_of
from rankwise.server.campaign.standings.judged_columns import JudgedColumns
from rankwise.server.campaign.standings.marked_errors import error_counts
from rankwise.server.campaign.standings.panels.domain_boards import domain_boards
from rankwise.server.campaign.standings.panels.judge_details import judge_details
from rankwise.server.campaign.standings.panels.pace import pace
from rankwise.server.records import Slot
from rankwise.server.web.manage.dashboard_charts import error_strips, win_matrix
from rankwise.server.web.manage.item_pages import output_scores
from rankwise.types import Segment, TestSet
from server.campaign.made import make_plan, make_testset, simulated, stored

DAY = 86_400_000
START = 20_000 * DAY


def at(*days, **more):
    """A judgment at each of these days."""
    times = enumerate(days, 1)
    return [
        stored(n, ["s00"], {"scores": [50]}, received_at=START + int(day * DAY), **more)
        for n, day in times
    ]


PLAIN = {"protocol": "direct-assessment", "k": 1, "repeat_share": 0, "control_share": 0}
DA = make_plan(**PLAIN, stop={"max_judgments": 30})


def test_pace_and_forecast():
    """2 + 0 + 1 screens in three days, the fourth is not over: 1 a day, and 24 left take 24."""
    found = pace(DA, make_testset(), at(0.1, 0.9, 2.5, 3.1, 3.2, 3.3), seed=1)
    assert (found["unit"], found["counts"], found["start"]) == ("day", [2, 0, 1, 3], START)
    assert (found["rate"], found["remaining"], found["recent"]) == (1.0, 24, 3)
    assert found["target"] == 30 == estimate(DA, 4).judgments
    assert found["finish"] == found["last"] + 24 * DAY
    assert found["finish_low"] < found["finish"]
    assert found["finish_high"] is None  # of three days one was idle: it may never end
    assert found["hours_left"] == pytest.approx(24 * 30 / 3600)


def test_after_a_break_there_is_no_forecast():
    """Sixteen days without a judgment: of the last fourteen whole days there is no pace."""
    found = pace(DA, make_testset(), at(0, 1, 2, 18), seed=1)
    assert (found["unit"], found["recent"], found["rate"]) == ("day", 14, 0.0)
    assert (found["finish"], found["finish_low"], found["finish_high"]) == (None, None, None)


def test_what_takes_over_a_century_is_not_foretold():
    plan = make_plan(**PLAIN, stop={"max_judgments": 1_000_000})
    found = pace(plan, make_testset(), at(*range(0, 200, 50)), seed=1)
    assert (found["unit"], found["finish"]) == ("week", None)


def test_pace_leaves_out_tutorials_and_what_was_imported():
    more = [*at(0.1), *at(0.2, role="tutorial"), *at(0.3, strategy="imported")]
    found = pace(DA, make_testset(), more, seed=1)
    assert (found["n"], found["unit"], found["counts"]) == (1, "hour", [1])
    assert found["finish"] is None  # one hour says nothing about the next


def test_nothing_and_everything_is_done():
    nothing = pace(DA, make_testset(), [], seed=1)
    assert (nothing["counts"], nothing["rate"], nothing["hours_left"]) == ([], None, None)
    done = pace(DA, make_testset(), at(*np.linspace(0, 5, 40)), seed=1)
    assert (done["remaining"], done["finish"]) == (0, None)


def test_forecasts_hold_for_judges_who_go_on_as_they_did():
    """Of 200 simulated campaigns the range of 95 % holds the true end of most."""
    random, held = np.random.default_rng(1), 0
    plan = make_plan(**PLAIN, stop={"max_judgments": 240})
    for run in range(200):
        days = np.sort(np.concatenate([d + random.random(random.poisson(6)) for d in range(60)]))
        seen = days[days < 14]
        found = pace(plan, make_testset(), at(*seen), seed=run)
        held += found["finish_low"] <= START + days[239] * DAY <= found["finish_high"]
    assert held > 150  # the rest of the campaign varies too, which the range does not know


def test_boards_of_domains_are_those_of_their_judgments():
    plan, testset = make_plan(k=4), make_testset(5, 12)
    judgments = simulated(testset, 200, k=4, judges=3)
    found = domain_boards(JudgedColumns(plan, judgments), testset, "trueskill", 1)
    assert {one["name"] for one in found["boards"]} == {"news", "talk"}
    places = {segment.id: segment.domain for segment in testset.segments}
    for one in found["boards"]:
        own = [j for j in judgments if places[j.segment] == one["name"]]
        board = ranking_board(judgments_of(own, plan), "trueskill", seed=1)
        assert [row["system"] for row in one["rows"]] == [row["system"] for row in board["rows"]]
        assert one["n"] == len(own)
    single = TestSet((Segment("1", "x", (), domain="news"),), {"s00": ("y",)})
    assert domain_boards(JudgedColumns(plan, []), single, "trueskill", 1)["boards"] == []


def test_a_judge_in_detail():
    said = [
        stored(1, ["s00"], {"scores": [10]}, judge="ann", active_ms=4_000),
        stored(2, ["s01"], {"scores": [30]}, judge="ann", active_ms=15_000),
        stored(3, ["s01"], {"scores": [30]}, judge="bob", active_ms=2_000_000),
        stored(4, ["s01"], {"scores": [99]}, judge="bob", role="control"),
    ]
    found = judge_details(DA, make_testset(), said)
    assert found["value_bins"] == ["10", "30"] and found["everybody"]["n"] == 3
    ann = found["judges"]["ann"]
    assert (ann["values"], ann["mean"], ann["screens"]) == ([0.5, 0.5], 20.0, 2)
    times = dict(zip(found["time_bins"], ann["times"], strict=True))
    assert (times["< 5 s"], times["10–20 s"]) == (0.5, 0.5)
    assert found["judges"]["bob"]["times"][-1] == 1.0


def test_many_values_are_binned_and_none_is_lost():
    said = [stored(n, ["s00"], {"scores": [n]}) for n in range(1, 101)]
    found = judge_details(DA, make_testset(), said)
    assert found["value_bins"][0] == "0–10" and found["value_bins"][-1] == "90–100"
    shares = found["judges"]["ann"]["values"]
    assert sum(shares) == pytest.approx(1) and shares[0] == 0.09 and shares[-1] == 0.11


ESA = make_plan(protocol="esa", k=1, control_share=0.0)
TEXTS = TestSet(
    (Segment("1", "x", (), document="d"), Segment("2", "x", (), document="d")),
    {"s00": ("one two three four", "five six seven"), "s01": ("one two", "five")},
)


def marked(number, judge, *spans, system="s00"):
    """A judgment of the document: the spans of its first segment, nothing in the second."""
    cells = [[{"spans": list(spans), "score": 60}], [{"spans": [], "score": 90}]]
    more = {"segments": ("1", "2"), "judge": judge}
    return stored(number, [Slot((system,))], {"segments": cells}, **more)


MINOR = {"start": 0, "end": 4, "severity": "minor"}
GONE = {"mark": "[missing]", "severity": "major"}


def test_errors_in_a_hundred_words():
    said = [marked(1, "ann", MINOR, GONE), marked(2, "bob", MINOR)]
    found = judge_details(ESA, TEXTS, said)
    ann = found["judges"]["ann"]
    assert (found["unit"], ann["units"], ann["errors"]) == ("word", 7, {"minor": 1, "major": 1})
    assert found["everybody"]["units"] == 14
    japanese = make_plan(protocol="esa", k=1, control_share=0.0, target_language="ja")
    assert judge_details(japanese, TEXTS, said)["judges"]["bob"]["units"] == 18 + 14


def test_agreement_on_errors_and_where_they_lie_are_on_the_panel():
    said = [marked(1, "ann", MINOR, GONE), marked(2, "bob", {**MINOR, "severity": "major"})]
    found = error_counts(ESA, TEXTS, said, JudgedColumns(ESA, said).values, seed=1)
    agreed = found["agreement"]
    assert (agreed["pairs"], agreed["errors"]) == (2, 3)
    values = {one["name"]: one for one in agreed["measures"]}
    assert values["characters"]["value"] == 0.5 and values["characters-any"]["value"] == 1.0
    assert values["characters-any"]["chance"] == pytest.approx(4 / 18)
    assert agreed["by_judge"]["ann"][-1] == 2
    segment, document = found["places"]
    assert (segment["unit"], document["unit"]) == ("segment", "document")
    assert segment["shares"]["minor"][0][0] == pytest.approx(2 / 8)  # of 2 (2 + 2) characters 2
    strips = error_strips(found["places"], found["severities"], ["s00"])
    assert [(one.severity, one.unit) for one in strips][:2] == [
        ("minor", "segment"),
        ("major", "segment"),
    ]


def test_scores_beside_outputs():
    plan = make_plan(k=3)
    ranked = [
        stored(1, ["A", "B", "C"], {"ranks": [1, 2, 2]}),
        stored(2, ["A", "B"], {"ranks": [2, 1]}, judge="bob"),
        stored(3, ["A", "B"], {"ranks": [1, 2]}, judge="eve", is_excluded=True),
        stored(4, ["A", "B"], {"reason": "bad"}, judge="bob"),
    ]
    found = output_scores(plan, ranked)
    assert (found["A"].won, found["A"].tied, found["A"].lost) == (2, 0, 1)
    assert (found["C"].won, found["C"].tied, found["C"].lost) == (0, 1, 1)
    assert found["B"].share == pytest.approx(1.5 / 3)
    scored = [part for one in (marked(1, "ann", MINOR),) for part in ESA.rules.parts(one)]
    found = output_scores(ESA, [scored[0]])["s00"]
    assert (found.values, found.mean, found.errors) == ([("ann", 60.0)], 60.0, 1)


def test_the_win_matrix_counts_a_tie_half():
    heat = {"systems": ["A", "B"], "wins": [[0, 2], [1, 0]], "ties": [[0, 1], [1, 0]]}
    drawn = win_matrix(heat)
    assert "A against B: 2 won, 1 tied, 1 lost" in drawn and ">62</text>" in drawn
    assert ">38</text>" in drawn and 'class="below"' in drawn


def test_the_name_of_an_axis_fits_beside_a_single_column():
    drawn = column_chart(["19 Nov 12:00"], [3], title="Over time", axis="screens of one hour (UTC)")
    width = float(re.search(r'viewBox="0 0 (\S+) ', drawn)[1])
    middle = float(re.search(r'class="axis" x="(\S+)"', drawn)[1])
    place = float(re.search(r"translate\((\S+) ", drawn)[1])
    assert place >= 0.82 * 7.2 * len("19 Nov 12:00")  # the name is slanted by 35 degrees
    half = 7.2 * len("screens of one hour (UTC)") / 2
    assert half <= middle <= width - half
