"""A store on each database: every test that asks for ``store`` runs on SQLite and PostgreSQL."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.database import Database, sqlite_url
from server.postgres import Postgres, program


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """One PostgreSQL for the whole run."""
    if program("initdb") is None:
        message = "needs PostgreSQL: install it with apt-get install postgresql"
        if os.environ.get("CI") == "true":
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the schema in it, to copy: faster than making it for every test."""
    path = tmp_path_factory.mktemp("prepared") / "rankwise.db"
    Database.open(sqlite_url(path)).close()
    return path


@pytest.fixture(scope="session")
def prepared_postgres(postgres: Postgres) -> str:
    """The name of a PostgreSQL database with the schema in it, to copy."""
    url = postgres.new()
    Database.open(url).close()
    return postgres.name(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """Which database."""
    return str(request.param)


@pytest.fixture
def empty_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database with nothing in it."""
    if kind == "sqlite":
        yield sqlite_url(tmp_path / "empty.db")
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    address = postgres.new()
    yield address
    postgres.drop(address)


@pytest.fixture
def url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database with the schema and no rows."""
    if kind == "sqlite":
        shutil.copy(request.getfixturevalue("prepared"), tmp_path / "rankwise.db")
        yield sqlite_url(tmp_path / "rankwise.db")
        return
    postgres: Postgres = request.getfixturevalue("postgres")
    address = postgres.new(request.getfixturevalue("prepared_postgres"))
    yield address
    postgres.drop(address)


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += int(seconds * 1000)


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still unless the test moves it."""
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[CampaignStore]:
    """A store on a fresh database, with the test's clock."""
    database = Database.open(url)
    yield CampaignStore(database, clock=clock)
    database.close()
