"""The schema: revisions equal the tables, old databases come along, newer ones are refused."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from rankwise.errors import StoreError
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database import schema
from rankwise.server.store.database.database import Database, parsed_url, sqlite_url
from rankwise.server.store.database.database_tables import metadata
from server.store.campaign_data import campaign, do, judges


def test_the_revisions_make_the_tables(empty_url):
    database = Database.open(empty_url)
    with database.read() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, metadata) == []
        assert schema.schema_version(connection) == schema.newest()
    database.close()


def test_the_checks_are_there(store):
    # Alembic does not compare CHECK constraints
    here = campaign(store)
    store.queue.top_up(here.id)
    for change in ("remaining = -1", "remaining = redundancy + 1"):
        with pytest.raises(Exception, match="ck_screens_remaining"), store.database.write() as c:
            c.execute(text(f"UPDATE screens SET {change}"))


def test_opening_again_changes_nothing(url):
    for _ in range(2):
        database = Database.open(url, migrate=False)
        assert database.health() == "ok"
        database.close()


def test_a_newer_schema_is_refused(url):
    database = Database.open(url)
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(StoreError, match=r"newer Rankwise \(schema 9999"):
        Database.open(url)


def test_tables_of_somebody_else_are_refused(empty_url):
    database = Database.open(empty_url)
    with database.write() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    database.close()
    with pytest.raises(StoreError, match="not Rankwise's"):
        Database.open(empty_url)


class TestUpgrade:
    """A revision that does not exist yet, over a database that is filled."""

    REVISION = '''
"""Adds a column, rebuilding a table."""

import sqlalchemy as sa
from alembic import op

revision = "test2"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade():
    with op.batch_alter_table("judgments") as table:
        table.add_column(sa.Column("weight", sa.Integer(), nullable=False, server_default="1"))
        table.create_check_constraint("weight", "weight > 0")
'''

    @pytest.fixture
    def later(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
        """From here on there is one more revision."""

        def begin(revision: str = self.REVISION) -> None:
            folder = tmp_path / "later"
            (folder / "versions").mkdir(parents=True)
            for there in (Path(schema.__file__).parent / "migrations" / "versions").glob("v*.py"):
                (folder / "versions" / there.name).write_text(there.read_text())
            (folder / "versions" / "next.py").write_text(revision)
            monkeypatch.setattr(schema, "_REVISIONS", folder)

        return begin

    @staticmethod
    def filled(url: str) -> list:
        store = CampaignStore(Database.open(url))
        here = campaign(store)
        for judge in judges(store, here, 3):
            for _ in range(4):
                do(store, judge)
        every = list(store.log.stored(here.id))
        store.database.close()
        return every

    def test_a_filled_database_comes_along(self, url, later):
        before = self.filled(url)
        later()
        with pytest.raises(
            StoreError, match="has schema 0009, this Rankwise needs test2; 'rankwise serve'"
        ):
            Database.open(url, migrate=False)
        store = CampaignStore(Database.open(url))
        assert list(store.log.stored(1)) == before
        with store.database.read() as connection:
            weights = connection.execute(text("SELECT weight FROM judgments")).scalars().all()
            assert weights == [1] * 12
            assert schema.schema_version(connection) == "test2"
        do(store, store.judges.judges(1)[0])
        path = store.database.path
        store.database.close()
        if path is not None:
            old = path.with_name(path.name + ".before-test2")
            assert (old.stat().st_mode & 0o777) == 0o600
            database = Database(parsed_url(sqlite_url(old)))
            with database.read() as connection:
                assert connection.execute(text("SELECT COUNT(*) FROM judgments")).scalar() == 12
            database.close()

    def test_a_revision_that_fails_changes_nothing(self, url, later):
        before = self.filled(url)
        later(self.REVISION + "    raise RuntimeError('halfway')\n")
        with pytest.raises(RuntimeError, match="halfway"):
            Database.open(url)
        database = Database(parsed_url(url))
        with database.read() as connection:
            assert schema.schema_version(connection) == "0009"
            columns = connection.execute(text("SELECT * FROM judgments")).keys()
            assert "weight" not in columns
        assert list(CampaignStore(database).log.stored(1)) == before
        database.close()
