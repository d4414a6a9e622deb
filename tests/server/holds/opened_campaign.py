"""A campaign that is open before the server starts."""

from dataclasses import replace

from rankwise.server.campaign.plan.plan import StopRule
from rankwise.server.campaign.plan.plan_files import example_campaign
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database
from rankwise.types import Segment, TestSet


def opened_campaign(url, plan, testset, *, judges):
    """The campaign and the tokens of its judges."""
    database = Database.open(url)
    store = CampaignStore(database)
    campaign = store.campaigns.add(plan, testset, actor="test")
    store.campaigns.set_state(campaign.slug, "open", actor="test")
    tokens = [store.judges.invite(campaign.id, actor="test")[1] for _ in range(judges)]
    database.close()
    return campaign, tokens


def large_campaign(count):
    """The plan of the example, and so many segments that nobody runs out of work."""
    plan, testset = example_campaign()
    segments = tuple(Segment(f"s{n}", f"source {n}", (f"reference {n}",)) for n in range(count))
    outputs = {
        name: tuple(f"output {place} of {n}" for n in range(count))
        for place, name in enumerate(testset.outputs)
    }
    languages = testset.source_language, testset.target_language
    # the example's rule stops it after 600 judgments, which a minute may bring
    plan = replace(plan, tutorial=(), sitting=100_000, stop=StopRule())
    return plan, TestSet(segments, outputs, "big", *languages)
