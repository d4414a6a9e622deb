"""How far a campaign is, in a few numbers: for the lists of campaigns."""

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.campaigns.campaigns import Campaign


def summary(store: CampaignStore, campaign: Campaign) -> dict[str, object]:
    """Judgments and judges, people and machines apart, and what the standings say of the end."""
    every = store.log.judge_counts(campaign.id)
    judges = store.judges.judges(campaign.id)
    counts = {one.id: every[one.id] for one in judges if not one.is_machine and one.id in every}
    done = store.standings.get(campaign.id, "done")
    return {
        "campaign": campaign,
        "judgments": sum(one.answers for one in counts.values()),
        "judges": sum(not one.is_machine for one in judges),
        "machines": sum(one.is_machine for one in judges),
        "last_at": max((one.last_at for one in counts.values() if one.last_at), default=None),
        "done": None if done is None else done.content,
    }
