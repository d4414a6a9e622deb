"""An application over a store on SQLite, an organiser signed in, and a campaign with judgments."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rankwise.server.campaign.plan.plan_files import example_campaign
from rankwise.server.campaign.standings.standings import compute
from rankwise.server.records import JudgeTask, Submission
from rankwise.server.settings import Settings
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.server.web.app import create_app
from web_client import TestClient, browser, post

PASSWORD = "correct horse battery"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CampaignStore]:
    database = Database.open(sqlite_url(tmp_path / "rankwise.db"))
    yield CampaignStore(database)
    database.close()


@pytest.fixture
def app(store: CampaignStore) -> Any:
    return create_app(store, Settings(base_url="http://testserver", refresher=False))


@pytest.fixture
def organiser(app: Any, store: CampaignStore) -> TestClient:
    """A client with an organiser's session."""
    _, token = store.accounts.create("ann", "owner", "setup")
    store.accounts.use_setup(token, PASSWORD)
    client = browser(app)
    assert post(client, "/login", {"name": "ann", "password": PASSWORD}).status_code == 303
    return client


@pytest.fixture
def campaign(store: CampaignStore) -> Any:
    """The bundled example, open, with two judges per screen and no tutorial."""
    plan, testset = example_campaign()
    plan = replace(plan, tutorial=(), redundancy=2, sitting=1000)
    made = store.campaigns.add(plan, testset, actor="test")
    return store.campaigns.set_state(made.slug, "open", actor="test")


def judge_some(
    store: CampaignStore, campaign: Any, count: int, *, judges: int = 3, seed: int = 1
) -> None:
    """Let *judges* new judges answer *count* screens at random, then compute how it stands."""
    drawn = random.Random(seed)
    people = [store.judges.invite(campaign.id, actor="test")[0] for _ in range(judges)]
    for number in range(count):
        judge = people[number % judges]
        task = store.judging.next(judge)
        assert isinstance(task, JudgeTask)
        ranks = [drawn.randint(1, 3) for _ in task.outputs]
        answer = {"ranks": [sorted(set(ranks)).index(rank) + 1 for rank in ranks]}
        store.judging.submit(judge, task.token, Submission("answer", answer, 20_000))
    renew(store, campaign)


def renew(store: CampaignStore, campaign: Any) -> None:
    """What the background work does."""
    stored = list(store.log.stored(campaign.id))
    testset = store.campaigns.testset(campaign.id)
    found = compute(campaign.plan, testset, stored, seed=1).contents()
    store.standings.put_all(campaign.id, len(stored), found)
