"""Where a server that is tried keeps what it holds."""

import pytest

from rankwise.server.store.database.database import sqlite_url


@pytest.fixture(params=["sqlite", "postgresql"])
def served(request, tmp_path):
    """A URL, and the options of ``rankwise serve`` for it; PostgreSQL has two workers."""
    if request.param == "sqlite":
        yield sqlite_url(tmp_path / "rankwise.db"), (tmp_path,)
        return
    postgres = request.getfixturevalue("postgres")
    url = postgres.new()
    yield url, (tmp_path, "--database", url, "--workers", "2")
    postgres.drop(url)
