"""The organiser's pages of a campaign over documents."""

import pytest

from rankwise import example
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Submission
from server.manage.conftest import renew

PLAN = {"name": "Documents", "source_language": "de", "target_language": "en", "tutorial": []}
ERROR = {"start": 0, "end": 3}
KINDS = {
    "esa": ({"spans": [{**ERROR, "severity": "major"}], "score": 40}, "major 0–3"),
    "mqm": (
        {"spans": [{**ERROR, "severity": "minor", "category": "Style/Awkward"}]},
        "minor Style/Awkward 0–3",
    ),
}


@pytest.mark.parametrize("protocol", KINDS)
def test_leaderboard_errors_and_items(organiser, store, protocol):
    plan = Plan.from_json({**PLAN, "protocol": protocol, "k": 2, "window": 3, "control_share": 0.0})
    made = store.campaigns.add(plan, example().testset, actor="test")
    campaign = store.campaigns.set_state(made.slug, "open", actor="test")
    cell, words = KINDS[protocol]
    judge, _ = store.judges.invite(campaign.id, actor="test")
    for _ in range(8):
        task = store.judging.next(judge)
        answer = {"segments": [[cell for _ in row.outputs] for row in task.rows]}
        store.judging.submit(judge, task.token, Submission("answer", answer, 20_000))
    renew(store, campaign)
    page = organiser.get(f"/campaigns/{campaign.slug}").text
    assert "Errors that judges marked" in page
    assert "?model=trueskill" in page and "?model=mixed" in page
    assert "Documents or parts of them" in page
    for other in ("people", "items", "exports", "preview", "floor"):
        assert organiser.get(f"/campaigns/{campaign.slug}/{other}").status_code == 200, other
    stored = next(iter(store.log.stored(campaign.id)))
    ids = [segment.id for segment in store.campaigns.testset(campaign.id).segments]
    last = organiser.get(f"/campaigns/{campaign.slug}/items/{ids.index(stored.segments[-1])}")
    assert words in last.text
    sent = organiser.get(f"/campaigns/{campaign.slug}/exports?format=long")
    assert sent.status_code == 200
