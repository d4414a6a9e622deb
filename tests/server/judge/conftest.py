"""A store on SQLite, the application over it, campaigns with a judge."""

from collections.abc import Iterator
from typing import Any

import pytest

from rankwise import example
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.server.web.app import create_app
from server.judge.judge_client import JudgeClient

PLAN = {
    "name": "News",
    "source_language": "de",
    "target_language": "en",
    "k": 3,
    "strategy": "uniform",
    "control_share": 0.0,
    "repeat_share": 0.0,
}


@pytest.fixture
def store(tmp_path) -> Iterator[CampaignStore]:
    database = Database.open(sqlite_url(tmp_path / "rankwise.db"))
    yield CampaignStore(database)
    database.close()


@pytest.fixture
def app(store):
    return create_app(store, Settings(base_url="http://testserver", refresher=False))


@pytest.fixture
def invited(store):
    """``invited(**changes)``: a new open campaign with that plan, and the link of its judge."""

    def make(given: Any = None, **changes: Any) -> tuple[Any, str]:
        plan = Plan.from_json({**PLAN, **changes})
        campaign = store.campaigns.add(plan, example().testset, given=given, actor="test")
        store.campaigns.set_state(campaign.slug, "open", actor="test")
        _, token = store.judges.invite(campaign.id, actor="test")
        return store.campaigns.get(campaign.slug), f"/j/{token}"

    return make


@pytest.fixture
def judge(app, invited) -> JudgeClient:
    return JudgeClient(app, invited()[1])
