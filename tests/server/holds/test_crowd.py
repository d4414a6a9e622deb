"""Many judges at the same time through the real server: nothing twice, nothing too often."""

from collections import Counter
from dataclasses import replace

from http_judges import crowd, ranks_of

from rankwise.server.campaign.plan.plan_files import example_campaign
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from server.holds.opened_campaign import opened_campaign
from server.web.test_serve import Running

JUDGES, SCREENS, REDUNDANCY = 20, 6, 3


def rate(task):
    return {"ranks": ranks_of([len(text) for text in task["outputs"]])}


def prepare(url, *, judges=JUDGES, **changes):
    """A campaign and the tokens of its judges, made before the server starts."""
    plan, testset = example_campaign()
    plan = replace(plan, tutorial=(), sitting=1000, **changes)
    return opened_campaign(url, plan, testset, judges=judges)


def test_a_crowd_gets_every_screen_once_and_leaves_every_answer_once(served):
    url, options = served
    shares = {"repeat_share": 0.0, "control_share": 0.0}
    campaign, tokens = prepare(url, redundancy=REDUNDANCY, **shares)
    running = Running(*options)
    try:
        running.wait()
        links = [f"{running.url}/j/{token}" for token in tokens]
        found = crowd(links, rate, screens=SCREENS, resend=0.2, abandon=0.05)
    finally:
        running.stop()
    assert found.errors == {}
    assert found.resent > 0
    assert found.mismatched == 0
    database = Database.open(url)
    try:
        stored = list(CampaignStore(database).log.stored(campaign.id, superseded=True))
    finally:
        database.close()
    assert sorted(judgment.receipt for judgment in stored) == sorted(found.receipts.values())
    assert len(stored) == len(found.receipts) > JUDGES * SCREENS // 2
    assert max(Counter(judgment.screen for judgment in stored).values()) <= REDUNDANCY
    pairs = Counter((judgment.screen, judgment.judge) for judgment in stored)
    assert set(pairs.values()) == {1}
