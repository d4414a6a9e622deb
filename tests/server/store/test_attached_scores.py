"""Scores of a metric beside people's judgments: kept, computed in the background, taken away."""

from dataclasses import replace

import numpy as np
import pytest

from rankwise import DataError
from rankwise.evaluate.ranking.proxy_ranking import rank_with_proxy
from rankwise.server.background.health import Health
from rankwise.server.background.refresher import Refresher
from rankwise.server.campaign.standings.counted import assessments_of, judgments_of
from rankwise.server.campaign.standings.powered_panel import campaign_scores
from rankwise.server.campaign.standings.standings import compute
from rankwise.server.records import Submission
from rankwise.server.settings import Settings
from rankwise.types import ScoreTable
from server.store.campaign_data import campaign, judges, next_task, texts_of

TEXTS = texts_of(60, 3)


def quality():
    """What the systems are worth on every segment: apart by 8, and segments differ."""
    random = np.random.default_rng(3)
    hard = random.normal(0, 8, 60)
    return 60 + hard + np.array([[8.0], [0.0], [-8.0]]) + random.normal(0, 5, (3, 60))


def metric(noise=2.0, name="chrF"):
    values = quality() / 100 + np.random.default_rng(4).normal(0, noise / 100, (3, 60))
    return ScoreTable(TEXTS.systems, tuple(one.id for one in TEXTS.segments), values, name)


def worth(text):
    """The quality of an output, by its own words: its segment and its system."""
    words = text.split()
    return quality()[int(words[5]), int(words[2])]


def judged(store, *, count=20, **keys):
    made = campaign(store, texts=TEXTS, **keys)
    for number, judge in enumerate(judges(store, made, 2)):
        random = np.random.default_rng(number)
        for _ in range(count):
            task = next_task(store, judge)
            values = [worth(text) + random.normal(0, 4) for text in task.outputs]
            if made.plan.rules.is_scalar:
                said = {"scores": [round(min(100, max(0, v))) for v in values]}
            else:
                said = {"ranks": [1 + sum(bool(o > v) for o in values) for v in values]}
            store.judging.submit(judge, task.token, Submission("answer", said, active_ms=900))
    return made


def panel_of(store, made, scores):
    stored = list(store.log.stored(made.id))
    return compute(made.plan, TEXTS, stored, seed=1, scores=scores).powered


@pytest.mark.parametrize("protocol", ["direct-assessment", "ranking"])
def test_the_numbers_are_those_of_rank_with_proxy(store, protocol):
    keys = {"k": 1} if protocol == "direct-assessment" else {}
    made = judged(store, protocol=protocol, count=20, **keys)
    found = panel_of(store, made, metric())
    stored = list(store.log.stored(made.id))
    of = assessments_of if made.plan.rules.is_scalar else judgments_of
    documents = {one.id: one.document for one in TEXTS.segments}
    wanted = rank_with_proxy(of(stored, made.plan), metric(), documents=documents, seed=1)
    assert found["problem"] is None
    assert [row["system"] for row in found["rows"]] == list(wanted.board.systems)
    assert [row["score"] for row in found["rows"]] == wanted.board.scores.tolist()
    assert [row["alone"] for row in found["rows"]] == wanted.alone.tolist()
    assert [row["low"] for row in found["rows"]] == wanted.found.low.tolist()
    assert found["signature"] == wanted.board.signature
    now = next(row for row in found["plan"] if row["of"] == "means")
    assert now["together"] == found["n"]
    assert now["saved"] == pytest.approx(1 - 1 / wanted.means.worth)
    assert found["scored_segments"] == 60 > found["judged_segments"]


def test_machines_do_not_count_there(store):
    made = judged(store)
    before = panel_of(store, made, metric())
    robot = store.judges.invite(made.id, kind="machine", actor="test")[0]
    for _ in range(10):
        task = next_task(store, robot)
        ranks = list(range(1, len(task.outputs) + 1))
        store.judging.submit(robot, task.token, Submission("answer", {"ranks": ranks}, 5))
    assert panel_of(store, made, metric()) == before


def test_attached_computed_and_taken_away(store):
    made = judged(store)
    refresher = Refresher(store, Settings(), Health(None))
    refresher.refresh_campaign(made)
    assert store.standings.get(made.id, "powered") is None
    refresher._rest_until.clear()
    store.scores.attach(made.id, metric(), actor="ann")
    refresher.refresh_campaign(made)
    kept = store.standings.get(made.id, "powered")
    assert kept.content["metric"] == "chrF"
    assert len(kept.content["rows"]) == 3
    assert store.scores.get(made.id) == metric()
    assert store.scores.remove(made.id, actor="ann")
    assert not store.scores.remove(made.id, actor="ann")
    assert store.scores.get(made.id) is None
    assert store.standings.get(made.id, "powered") is None
    refresher._rest_until.clear()
    refresher.refresh_campaign(made)
    assert store.standings.get(made.id, "powered") is None
    actions = [event.action for event in store.events.list(made.id)]
    assert {"campaign.scores", "campaign.no-scores"} <= set(actions)


def test_missing_scores_come_back_missing(store):
    made = campaign(store, texts=TEXTS)
    values = metric().values.copy()
    values[0, 3] = np.nan
    table = ScoreTable(TEXTS.systems, metric().segments, values, "x\ud800 <b>")
    store.scores.attach(made.id, table, actor="ann")
    assert store.scores.get(made.id) == table


def test_why_there_is_no_estimate(store):
    made = campaign(store, texts=TEXTS)
    assert panel_of(store, made, metric())["problem"] == "there are no judgments yet"
    (judge,) = judges(store, made, 1)
    task = next_task(store, judge)
    skip = Submission("skip", {"reason": "other"}, active_ms=5)
    store.judging.submit(judge, task.token, skip)
    assert panel_of(store, made, metric())["problem"]


def test_a_campaign_of_one_document_has_people_alone(store):
    made = judged(store, protocol="direct-assessment", count=6, k=1)
    whole = replace(TEXTS, segments=tuple(replace(one, document="novel") for one in TEXTS.segments))
    stored = list(store.log.stored(made.id))
    found = compute(made.plan, whole, stored, seed=1, scores=metric()).powered
    assert found["problem"] is None
    assert [row["score"] for row in found["rows"]] == [row["alone"] for row in found["rows"]]
    assert any(note.startswith("one document was judged") for note in found["notes"])


def test_a_strategy_that_chooses_documents_is_said(store):
    made = campaign(store, texts=TEXTS, protocol="esa", k=1, strategy="clusters")
    (judge,) = judges(store, made, 1)
    for _ in range(12):
        task = next_task(store, judge)
        cells = [[{"spans": [], "score": int(worth(t))} for t in row.outputs] for row in task.rows]
        sent = Submission("answer", {"segments": cells}, active_ms=5)
        store.judging.submit(judge, task.token, sent)
    found = panel_of(store, made, metric())
    assert found["problem"] is None
    assert any("not by chance alone" in note for note in found["notes"])


def test_a_deleted_campaign_takes_its_scores_along(store):
    made = store.campaigns.set_state(campaign(store, texts=TEXTS).slug, "closed", actor="test")
    store.scores.attach(made.id, metric(), actor="ann")
    store.changes.delete(made.slug, actor="ann")
    assert store.scores.get(made.id) is None


class TestFit:
    def test_by_name_and_by_place(self):
        table = ScoreTable(
            ("sys1", "sys0", "zoo"), tuple(str(n) for n in range(60)), np.ones((3, 60)), "m",
            is_by_line=True,
        )  # fmt: skip
        found, notes = campaign_scores(table, TEXTS)
        assert found.systems == ("sys0", "sys1")
        assert found.segments == metric().segments
        assert any("no scores of sys2" in note for note in notes)

    def test_of_something_else(self):
        other = ScoreTable(("zoo",), ("s0",), np.ones((1, 1)), "m")
        with pytest.raises(DataError, match="the campaign has sys0, sys1, sys2"):
            campaign_scores(other, TEXTS)
        short = ScoreTable(("sys0",), ("1", "2"), np.ones((1, 2)), "m", is_by_line=True)
        with pytest.raises(DataError, match="2 lines"):
            campaign_scores(short, TEXTS)
