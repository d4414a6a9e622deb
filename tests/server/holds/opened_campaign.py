"""A campaign that is open before the server starts."""

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database


def opened_campaign(url, plan, testset, *, judges):
    """The campaign and the tokens of its judges."""
    database = Database.open(url)
    store = CampaignStore(database)
    campaign = store.campaigns.add(plan, testset, actor="test")
    store.campaigns.set_state(campaign.slug, "open", actor="test")
    tokens = [store.judges.invite(campaign.id, actor="test")[1] for _ in range(judges)]
    database.close()
    return campaign, tokens
