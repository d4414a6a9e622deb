"""Failed tries in the database, sessions and sweeps, on a clock that jumps."""

from sqlalchemy import create_engine, inspect, text

from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database import schema
from rankwise.server.store.database.backup import backup, restore
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.server.store.database.database_tables import metadata
from server.store.campaign_data import answer, campaign, do, judges, next_task

HOUR, DAY = 3600, 86_400


class TestTries:
    def test_newest_first_and_by_key(self, store, clock):
        store.tries.add(["a", "b"])
        clock.pass_seconds(5)
        store.tries.add(["a"])
        now = clock.now
        found = store.tries.times(["a", "b", "c"], most=10)
        assert found == {"a": [now, now - 5000], "b": [now - 5000], "c": []}
        assert store.tries.times(["a"], most=1) == {"a": [now]}

    def test_after_a_day_they_are_forgotten(self, store, clock):
        store.tries.add(["a"])
        clock.pass_seconds(DAY)
        assert store.tries.times(["a"], most=10) == {"a": []}
        store.tries.add(["b"])
        with store.database.read() as connection:
            assert connection.execute(text("SELECT COUNT(*) FROM tries")).scalar() == 1

    def test_a_clock_set_back_locks_nobody_out(self, store, clock):
        store.tries.add(["a"])
        clock.pass_seconds(-DAY)
        assert store.tries.times(["a"], most=10) == {"a": []}
        store.tries.add(["b"])  # and what lay ahead does not come back later
        clock.pass_seconds(DAY)
        assert store.tries.times(["a"], most=10) == {"a": []}

    def test_a_second_machine_may_be_a_little_ahead(self, store, clock):
        store.tries.add(["a"])
        clock.pass_seconds(-30)
        assert len(store.tries.times(["a"], most=10)["a"]) == 1

    def test_neither_addresses_nor_names_are_kept(self, store):
        store.tries.add(["sign-in\npair\n192.0.2.7 ann"])
        with store.database.read() as connection:
            (key,) = connection.execute(text("SELECT key FROM tries")).scalars()
        assert len(key) == 64
        assert set(key) <= set("0123456789abcdef")

    def test_a_backup_leaves_them_out(self, store, tmp_path):
        store.tries.add(["a"])
        assert "tries" not in backup(store.database, tmp_path / "all.zip").rows
        url = sqlite_url(tmp_path / "copy.db")
        restore(tmp_path / "all.zip", url)
        copy = CampaignStore(Database.open(url))
        assert copy.tries.times(["a"], most=10) == {"a": []}
        assert copy.judging.release_expired() == 0
        copy.database.close()


class TestSessions:
    def test_a_clock_set_forward_ends_them(self, store, clock):
        secret, _ = store.sessions.start("account", 1, hours=12)
        clock.pass_seconds(13 * HOUR)
        assert store.sessions.find(secret) is None

    def test_a_clock_set_back_neither_ends_nor_lengthens_them(self, store, clock):
        secret, _ = store.sessions.start("account", 1, hours=12)
        clock.pass_seconds(-1000 * DAY)
        assert store.sessions.find(secret, idle_hours=4) is not None
        clock.pass_seconds(11 * HOUR)
        assert store.sessions.find(secret) is not None
        assert store.sessions.find(secret, idle_hours=4) is not None, "it was seen just now"
        clock.pass_seconds(HOUR + 1)
        assert store.sessions.find(secret) is None


class TestSweeps:
    def test_a_clock_set_forward_ends_no_lease(self, store, clock):
        (one, two) = judges(store, campaign(store, lease_seconds=1800), 2)
        task = next_task(store, one)
        store.judging.release_expired()
        clock.pass_seconds(3 * DAY)
        assert store.judging.release_expired() == 0
        assert next_task(store, one).token == task.token
        assert next_task(store, two).token != task.token
        clock.pass_seconds(100)
        store.judging.submit(one, task.token, answer(task))
        assert not next(iter(store.log.stored(one.campaign))).surplus

    def test_nor_does_it_make_one_immortal(self, store, clock):
        (judge,) = judges(store, campaign(store, lease_seconds=600), 1)
        next_task(store, judge)
        store.judging.release_expired()
        for _ in range(3):  # jumps again and again, each forgiven, none adds up
            clock.pass_seconds(DAY)
            assert store.judging.release_expired() == 0
        for _ in range(2):
            clock.pass_seconds(250)
            assert store.judging.release_expired() == 0
        clock.pass_seconds(250)
        assert store.judging.release_expired() == 1

    def test_time_in_which_the_server_was_down_does_not_count(self, url, clock):
        database = Database.open(url)
        store = CampaignStore(database, clock=clock)
        (judge,) = judges(store, campaign(store, lease_seconds=1800), 1)
        task = next_task(store, judge)
        store.judging.release_expired()
        database.close()
        clock.pass_seconds(5 * HOUR)
        database = Database.open(url)
        store = CampaignStore(database, clock=clock)
        assert store.judging.release_expired() == 0
        assert next_task(store, judge).token == task.token
        database.close()

    def test_the_mark_is_not_written_at_every_look(self, store, clock):
        campaign(store)
        marks = set()
        for _ in range(20):
            store.judging.release_expired()
            with store.database.read() as connection:
                marks.add(connection.execute(text("SELECT at FROM marks")).scalar())
            clock.pass_seconds(3)
        assert len(marks) == 3


def back_to_the_first_version(tmp_path):
    """What takes away every table and column that versions after the first one added."""
    first = create_engine(f"sqlite:///{tmp_path / 'first.db'}")
    with first.begin() as connection:
        schema.upgrade(connection, "0001")
        look = inspect(connection)
        there = {
            table: {column["name"] for column in look.get_columns(table)}
            for table in look.get_table_names()
        }
    first.dispose()
    late = [table.name for table in reversed(metadata.sorted_tables) if table.name not in there]
    columns = [
        (name, column.name)
        for name in metadata.tables
        if name in there
        for column in metadata.tables[name].columns
        if column.name not in there[name]
    ]
    assert "tries" in late and ("judges", "kind") in columns
    return [
        *(f"ALTER TABLE {table} DROP COLUMN {name}" for table, name in columns),
        *(f"DROP TABLE {name}" for name in late),
    ]


def test_a_filled_database_of_the_first_version_comes_along(url, tmp_path):
    store = CampaignStore(Database.open(url))
    here = campaign(store)
    (judge,) = judges(store, here, 1)
    receipts = [do(store, judge) for _ in range(3)]
    with store.database.schema_change() as connection:
        for change in back_to_the_first_version(tmp_path):
            connection.execute(text(change))
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    store.database.close()
    store = CampaignStore(Database.open(url))
    with store.database.read() as connection:
        assert schema.schema_version(connection) == schema.newest() != "0001"
    assert [judgment.receipt for judgment in store.log.stored(here.id)] == receipts
    store.tries.add(["a"])
    assert store.judging.release_expired() == 0
    do(store, judge)
    store.database.close()
