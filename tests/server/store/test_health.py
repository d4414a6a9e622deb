"""A disk, a folder, a file or a server fails: a clear sentence, and nothing is damaged."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import text

from rankwise.errors import StoreError
from rankwise.server.records import JudgeTask
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database import database as database_module
from rankwise.server.store.database.backup import backup, restore, verify
from rankwise.server.store.database.database import Database, sqlite_url
from rankwise.server.store.database.failures import store_error
from rankwise.server.store.database.locks import refuse_network_file_system
from rankwise.server.store.database.store_errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseGone,
    DatabaseReadOnly,
)
from server.postgres import Postgres
from server.store.campaign_data import answer, campaign, do, judges, next_task


@pytest.fixture
def file_store(tmp_path: Path):
    store = CampaignStore(Database.open(sqlite_url(tmp_path / "rankwise.db")))
    yield store
    store.database.close()


def is_whole(path: Path) -> bool:
    with sqlite3.connect(path) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    connection.close()
    return found == [("ok",)] and not broken


def test_the_settings_that_keep_work_safe(file_store):
    for way in (file_store.database.read, file_store.database.write):
        with way() as connection:
            found = {
                name: connection.execute(text(f"PRAGMA {name}")).scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            }
        assert found == {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "busy_timeout": 10000,
        }


def test_only_the_owner_may_read_the_files(file_store, tmp_path):
    campaign(file_store)
    found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("*.db*")}
    assert len(found) == 4  # with -wal, -shm and .lock
    assert set(found.values()) == {0o600}
    backup(file_store.database, tmp_path / "all.zip")
    restore(tmp_path / "all.zip", sqlite_url(tmp_path / "copy.db"))
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600


def test_a_second_process_is_refused(file_store, tmp_path):
    program = (
        "from rankwise.server.store.database.database import Database\n"
        "import sys\n"
        "try: Database.open(sys.argv[1])\n"
        "except Exception as error: print(type(error).__name__, error)\n"
    )
    url = sqlite_url(tmp_path / "rankwise.db")
    command = [sys.executable, "-c", program, url]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=240).stdout
    assert said.startswith("DatabaseBusy")
    assert f"in use by another process (number {os.getpid()})" in said
    # the same within one process: two stores would not share the lock of writers
    with pytest.raises(DatabaseBusy, match="in use"):
        Database.open(url)
    file_store.database.close()
    Database.open(url).close()


def test_the_lock_goes_with_the_process(tmp_path):
    url = sqlite_url(tmp_path / "rankwise.db")
    program = (
        "import os, sys, signal\n"
        "from rankwise.server.store.database.database import Database\n"
        "database = Database.open(sys.argv[1])\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    died = subprocess.run([sys.executable, "-c", program, url], check=False, timeout=240)
    assert died.returncode == -9
    Database.open(url).close()


def test_a_second_process_may_read(file_store, tmp_path):
    """Status, export and backup work beside a server, and change nothing."""
    here = campaign(file_store)
    (judge,) = judges(file_store, here, 1)
    receipts = [do(file_store, judge) for _ in range(3)]
    program = (
        "import sys\n"
        "from rankwise.server.store.database.backup import backup\n"
        "from rankwise.server.store.database.database import Database\n"
        "from rankwise.server.store.campaign_store import CampaignStore\n"
        "store = CampaignStore(Database.open(sys.argv[1], read_only=True))\n"
        "print(*(j.receipt for j in store.log.stored(1)))\n"
        "backup(store.database, sys.argv[2])\n"
        "try: store.judges.invite(1, actor='other')\n"
        "except Exception as error: print(type(error).__name__, error)\n"
        "store.database.close()\n"
    )
    url = sqlite_url(tmp_path / "rankwise.db")
    command = [sys.executable, "-c", program, url, str(tmp_path / "all.zip")]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=240).stdout
    listed, refused = said.splitlines()
    assert listed.split() == receipts
    assert refused.startswith("DatabaseReadOnly")
    assert "use the server's pages or its API for changes" in refused
    assert verify(tmp_path / "all.zip").rows["judgments"] == 3
    # the server goes on as before
    receipts.append(do(file_store, judge))
    assert [j.receipt for j in file_store.log.stored(here.id)] == receipts
    assert is_whole(tmp_path / "rankwise.db")


def test_reading_only_needs_something_to_read(url, empty_url, kind, tmp_path):
    with pytest.raises(StoreError, match=r"holds no campaigns|there is no database"):
        Database.open(empty_url, read_only=True)
    assert not (tmp_path / "empty.db").exists()
    database = Database.open(url)
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer Rankwise"):
        Database.open(url, read_only=True)
    database.close()


def test_a_full_disk(file_store):
    here = campaign(file_store)
    (judge,) = judges(file_store, here, 1)
    task = next_task(file_store, judge)
    receipt = file_store.judging.submit(judge, task.token, answer(task)).receipt
    task = next_task(file_store, judge)
    with file_store.database.write() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()
        connection.execute(text(f"PRAGMA max_page_count={pages}"))
    with pytest.raises(DatabaseFull, match="nothing of this was saved, make room"):
        for _ in range(200):
            file_store.events.add("test", "fill", details={"x": "y" * 3000})
    long = answer(task, comment="z" * 9000)
    with pytest.raises(DatabaseFull):
        file_store.judging.submit(judge, task.token, long)
    with file_store.database.write() as connection:
        connection.execute(text("PRAGMA max_page_count=1000000"))
    # room again: the very same request works, and what was acknowledged is there
    again = file_store.judging.submit(judge, task.token, long)
    assert not again.is_replay
    assert [j.receipt for j in file_store.log.stored(here.id)] == [receipt, again.receipt]
    assert is_whole(file_store.database.path)


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to mount a small file system")
def test_a_disk_that_is_really_full(tmp_path):
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a file system here")
    try:
        store = CampaignStore(Database.open(sqlite_url(place / "rankwise.db")))
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        receipts = [do(store, judge) for _ in range(3)]
        with pytest.raises(DatabaseFull):
            for _ in range(2000):
                store.events.add("test", "fill", details={"x": "y" * 3000})
        assert "room" in store.database.health()  # hardly any, or none for the few bytes of a trial
        # reading goes on
        assert [j.receipt for j in store.log.stored(here.id)] == receipts
        store.database.close()
        assert is_whole(place / "rankwise.db")
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)


def test_a_database_that_may_only_be_read(file_store):
    here = campaign(file_store)
    with file_store.database.write() as connection:
        connection.execute(text("PRAGMA query_only=ON"))
    with pytest.raises(DatabaseReadOnly, match="may not be written"):
        judges(file_store, here, 1)
    assert "may not be written" in file_store.database.health()
    assert file_store.campaigns.get("test").id == here.id


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_only_be_read(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(DatabaseReadOnly, match="folder of the database must be writable"):
            Database.open(sqlite_url(tmp_path / "rankwise.db"))
    finally:
        tmp_path.chmod(0o700)


def test_a_lock_file_that_cannot_be_made(tmp_path):
    # what a folder that may only be read looks like, for root too
    (tmp_path / "rankwise.db.lock").mkdir()
    with pytest.raises(DatabaseReadOnly, match="folder of the database must be writable"):
        Database.open(sqlite_url(tmp_path / "rankwise.db"))


@pytest.mark.parametrize("how", ["deleted", "replaced", "moved"])
def test_a_file_that_is_gone(file_store, tmp_path, how):
    here = campaign(file_store)
    (judge,) = judges(file_store, here, 1)
    task = next_task(file_store, judge)
    path = tmp_path / "rankwise.db"
    if how == "moved":
        path.rename(tmp_path / "elsewhere.db")
    else:
        path.unlink()
    if how == "replaced":
        path.touch()
    with pytest.raises(DatabaseGone, match="moved, deleted or replaced"):
        file_store.judging.submit(judge, task.token, answer(task))
    assert "moved, deleted or replaced" in file_store.database.health()
    if how == "moved":
        (tmp_path / "elsewhere.db").rename(path)
        assert file_store.database.health() == "ok"
        assert not file_store.judging.submit(judge, task.token, answer(task)).is_replay


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "rankwise.db").write_bytes(b"this is a letter to my aunt" * 500)
    with pytest.raises(StoreError, match="damaged"):
        Database.open(sqlite_url(tmp_path / "rankwise.db"))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "is no database"),
        ("mysql://here/there", "choose from sqlite, postgresql"),
        ("sqlite://", "needs a database file"),
        ("sqlite:////absent/folder/x.db", "there is no folder"),
    ],
)
def test_addresses_that_are_wrong(url, sentence):
    with pytest.raises(StoreError, match=sentence):
        Database.open(url)


def test_network_file_systems_are_refused(tmp_path):
    mounts = f"/dev/sda / ext4 rw 0 0\nserver:/home {tmp_path} nfs4 rw 0 0\n"
    with pytest.raises(StoreError, match=r"network file system \(nfs4\)"):
        refuse_network_file_system(tmp_path / "rankwise.db", mounts)
    refuse_network_file_system(tmp_path / "rankwise.db", "/dev/sda / ext4 rw 0 0\n")


class TestServerGone:
    """A PostgreSQL of their own, because they stop it."""

    @pytest.fixture
    def server(self, postgres):
        own = Postgres(fsync=True)
        yield own
        own.stop()

    def test_it_goes_and_comes_back(self, server):
        store = CampaignStore(Database.open(server.new()))
        here = campaign(store)
        (judge,) = judges(store, here, 1)
        task = next_task(store, judge)
        receipt = store.judging.submit(judge, task.token, answer(task)).receipt
        task = next_task(store, judge)
        server.halt()
        for _ in range(2):
            with pytest.raises(DatabaseGone, match="cannot be reached"):
                store.judging.submit(judge, task.token, answer(task))
        with pytest.raises(DatabaseGone):
            store.judging.next(judge)
        assert "cannot be reached" in store.database.health()
        server.start()
        assert store.database.health() == "ok"
        again = store.judging.submit(judge, task.token, answer(task))
        assert [j.receipt for j in store.log.stored(here.id)] == [receipt, again.receipt]
        store.database.close()

    def test_nobody_is_there(self, server, tmp_path):
        url = server.new()
        server.halt()
        with pytest.raises(DatabaseGone, match="cannot be reached"):
            Database.open(url)


def test_nobody_waits_for_ever_for_a_lock(postgres, prepared_postgres, monkeypatch):
    url = postgres.new(prepared_postgres)
    monkeypatch.setattr(database_module, "PATIENCE", 3)
    database = Database.open(url)
    asks = {"own": url, "named": f"{url}&options=-c%20lock_timeout%3D5s&connect_timeout=3"}
    with postgres.connect(postgres.name(url)) as other:
        other.execute("BEGIN")
        other.execute("LOCK TABLE alembic_version")
        letting_go = threading.Timer(20, other.execute, ("ROLLBACK",))  # or a fault would hang
        letting_go.start()
        with pytest.raises(DatabaseBusy, match="held by somebody else"), database.write() as sent:
            sent.execute(text("UPDATE alembic_version SET version_num = version_num"))
        letting_go.cancel()
    assert database.health() == "ok"
    database.close()
    waits = {}
    for name, address in asks.items():
        database = Database.open(address)
        with database.read() as connection:
            waits[name] = connection.execute(text("SHOW lock_timeout")).scalar_one()
        with database.exclusive("work"), database.read() as connection:
            assert connection.execute(text("SHOW lock_timeout")).scalar_one() == waits[name]
        database.close()
    assert waits == {"own": "3s", "named": "5s"}
    postgres.drop(url)


def test_read_only_postgresql(postgres, prepared_postgres):
    url = postgres.new(prepared_postgres)
    store = CampaignStore(Database.open(url))
    here = campaign(store)
    with store.database.write() as connection:
        name = postgres.name(url)
        connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
    store.database.close()
    store = CampaignStore(Database.open(url))
    with pytest.raises(DatabaseReadOnly, match="may not be written"):
        judges(store, here, 1)
    assert "may not be written" in store.database.health()
    store.database.close()
    postgres.drop(url)


def test_our_own_mistakes_are_not_dressed_up(store):
    with pytest.raises(Exception, match="absent") as caught, store.database.read() as connection:
        connection.execute(text("SELECT * FROM absent"))
    assert not isinstance(caught.value, StoreError)
    assert store_error(ValueError("x")) is None


def test_an_error_undoes_the_whole_transaction(store):
    here = campaign(store)
    with pytest.raises(RuntimeError), store.database.write() as connection:
        connection.execute(text("DELETE FROM outputs"))
        raise RuntimeError
    (judge,) = judges(store, here, 1)
    assert isinstance(store.judging.next(judge), JudgeTask)
