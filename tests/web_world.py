"""A small test set, a plan for it, and a store on SQLite: what tests of routes begin with."""

from dataclasses import dataclass, field
from typing import Any

from argon2 import PasswordHasher

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.types import Segment, TestSet

PASSWORD = "a long enough password"
SYSTEMS = ("oaktree", "pinewood", "larchfield")


def small_testset() -> TestSet:
    segments = tuple(Segment(f"s{n}", f"Quelle {n}", (f"reference {n}",)) for n in range(6))
    outputs = {
        name: tuple(f"output {place}{n} text" for n in range(6))
        for place, name in enumerate(SYSTEMS)
    }
    return TestSet(segments, outputs, "small", "de", "en")


def small_plan(name: str, **keys: Any) -> Plan:
    table = {"name": name, "source_language": "de", "target_language": "en", "k": 3}
    return Plan.from_json({**table, "repeat_share": 0, "control_share": 0, **keys})


@dataclass
class World:
    """Everything that a test of a route may ask for."""

    store: CampaignStore
    app: Any
    campaigns: dict[str, Any] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    judges: dict[str, Any] = field(default_factory=dict)
    clients: dict[str, Any] = field(default_factory=dict)


def open_store(folder: Any) -> CampaignStore:
    """A store on SQLite in *folder*; passwords are hashed the quick way."""
    store = CampaignStore(Database.open(sqlite_url(folder / "rankwise.db")))
    accounts = store.accounts
    accounts._hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    accounts._nobody = accounts._hasher.hash("nobody")
    return store
