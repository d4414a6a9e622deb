"""The disk is full, the database is gone: through the real server, a sentence and no loss."""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

import httpx
import pytest
from http_judges import JudgeClient

from rankwise.server import runner
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.backup import backup, restore
from rankwise.server.store.database.database import Database, sqlite_url
from server.holds.test_crowd import prepare, rate
from server.holds.test_kill import wait_for
from server.postgres import Postgres
from server.web.test_serve import PROGRAM, Running

#: A file system of its own for a server, which nobody but root could mount otherwise.
SMALL = 'mount -t tmpfs -o size=8m tmpfs "$0" && cp "$1"/* "$0" && shift && exec "$@"'
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
ALONE = ["unshare", "--user", "--map-root-user", "--mount"]
#: The same for a PostgreSQL, with a copy of its data; it runs as somebody else whom root becomes.
SMALL_DATA = """
mkdir "$0/small" && mount -t tmpfs -o size=128m tmpfs "$0/small" && cp -a "$0/data/." "$0/small" &&
chown --reference="$0/data" "$0/small" && chmod 700 "$0/small" && exec "$@"
"""


class Judge(JudgeClient):
    """A judge who keeps every answer of the server."""

    def __init__(self, link, rate):
        super().__init__(link, rate)
        self.url = link.rpartition("/j/")[0]
        self.web = httpx.Client(base_url=self.url, timeout=120)

    def sign_in(self):
        super().sign_in()
        self.web.headers.update(self.headers)

    def ask(self, path, body, method="POST"):
        return self.web.request(method, path, json=body)

    def close(self):
        self.web.close()
        super().close()

    def answer(self, task):
        body = {"answer": self.rate(task), "active_ms": 1000}
        return self.ask(f"/judge/tasks/{task['token']}/answer", body)


def signed_in(running, token):
    """A judge who has opened the link."""
    judge = Judge(f"{running.url}/j/{token}", rate)
    judge.sign_in()
    return judge


@pytest.fixture
def at_work():
    """``at_work(running, token)``: a judge, the receipt of one answer, and a task in hand."""
    judges = []

    def begin(running, token):
        running.wait()
        judge = signed_in(running, token)
        judges.append(judge)
        receipt = judge.submit(judge.next())
        return judge, receipt, judge.next()

    yield begin
    for judge in judges:
        judge.close()


def is_ready(url):
    return httpx.get(f"{url}/readyz", timeout=30).status_code == 200


def not_ready(url):
    """What a worker says that found out; one that found all well takes seconds to look again."""
    said = []

    def is_refused():
        said.append(httpx.get(f"{url}/readyz", timeout=30))
        return said[-1].status_code == 503

    wait_for(is_refused, seconds=60)
    return said[-1]


def refusals(judge, task):
    """Everything that needs the store is refused with one sentence, and it is the same for all."""
    drafted = {"version": 1, "content": {"ranks": [1, None]}}
    asked = [
        judge.answer(task),
        judge.answer(task),
        judge.ask(f"/judge/tasks/{task['token']}/draft", drafted, "PUT"),
        judge.ask("/judge/next", {}),
        judge.ask(
            f"/judge/tasks/{task['token']}/skip", {"answer": {"reason": "other"}, "active_ms": 9}
        ),
    ]
    assert [answer.status_code for answer in asked] == [503] * 5
    assert all(answer.headers["retry-after"] == "5" for answer in asked)
    said = {answer.json()["error"]["message"] for answer in asked}
    said.add(not_ready(judge.url).json()["message"])
    assert httpx.get(f"{judge.url}/healthz", timeout=30).status_code == 200
    for sentence in said:
        assert "\n" not in sentence
        assert str(Path("/tmp")) not in sentence
    return said


def stored_once(judge, task):
    """After it goes on: the same request is stored, and sent again it is the same receipt."""
    wait_for(lambda: is_ready(judge.url), seconds=120)
    first, second = judge.answer(task), judge.answer(task)
    assert (first.status_code, second.status_code) == (200, 200)
    assert (first.json()["replay"], second.json()["replay"]) == (False, True)
    assert second.json()["receipt"] == first.json()["receipt"]
    # every worker finds out for itself that it goes on
    wait_for(lambda: judge.ask("/judge/next", {}).status_code == 200, seconds=120)
    return first.json()["receipt"]


def receipts_in(url, campaign):
    database = Database.open(url)
    try:
        return [judgment.receipt for judgment in CampaignStore(database).log.stored(campaign.id)]
    finally:
        database.close()


def fill(folder):
    """Write until nothing more fits."""
    with (folder / "filler").open("wb", buffering=0) as filler:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while filler.write(b"x" * size):
                    pass
            except OSError:
                continue


class OnSmallDisk(Running):
    """A server whose folder is a file system of 8 MiB; ``folder`` is how we see it from here."""

    def __init__(self, place, prepared):
        place.mkdir()
        shell = ["sh", "-c", SMALL, str(place), str(prepared)]
        command = [*ALONE, *shell, *PROGRAM, str(place), "--port", "0"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **pipes)
        self.lines = [self.process.stdout.readline()]
        self.url = re.search(r"http://\S+", self.lines[0])[0]
        self.folder = Path(f"/proc/{self.process.pid}/root{place}")

    def fill(self):
        fill(self.folder)

    def empty(self):
        (self.folder / "filler").unlink()


def may_mount(folder):
    probe = ["sh", "-c", 'mount -t tmpfs tmpfs "$0"', str(folder)]
    try:
        return subprocess.run([*ALONE, *probe], capture_output=True, timeout=30).returncode == 0
    except OSError:
        return False


def test_a_full_disk(tmp_path, at_work):
    if not may_mount(tmp_path):
        pytest.skip("needs unshare and namespaces, to have a small file system")
    (tmp_path / "prepared").mkdir()
    _, (token,) = prepare(sqlite_url(tmp_path / "prepared" / "rankwise.db"), judges=1)
    running = OnSmallDisk(tmp_path / "small", tmp_path / "prepared")
    try:
        judge, receipt, task = at_work(running, token)
        running.fill()
        said = refusals(judge, task)
        assert all("room" in sentence for sentence in said), said
        page = judge.web.get("/judge", headers={"accept": "text/html"})
        assert page.status_code == 200
        assert "The server cannot save at the moment." in page.text
        seen = judge.web.get(f"/judge/tasks/{task['token']}").json()["task"]
        assert seen["outputs"] == task["outputs"], "reading goes on"
        running.empty()
        again = stored_once(judge, task)
        # what is on the small disk, as it would be found after a crash
        for name in ("rankwise.db", "rankwise.db-wal"):
            shutil.copy(running.folder / name, tmp_path / name)
    finally:
        _, _, log = running.stop()
    assert "the store cannot write" in log
    assert "Traceback" not in log
    with sqlite3.connect(tmp_path / "rankwise.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found = connection.execute("SELECT receipt FROM judgments ORDER BY id").fetchall()
    connection.close()
    assert [row[0] for row in found] == [receipt, again]


@pytest.fixture
def served(tmp_path):
    """A server on an SQLite file in ``data``, its campaign and the token of its judge."""
    folder = tmp_path / "data"
    folder.mkdir()
    campaign, (token,) = prepare(sqlite_url(folder / "rankwise.db"), judges=1)
    running = Running(folder)
    yield running, campaign, token, folder
    if running.process.poll() is None:
        running.stop()


@pytest.mark.parametrize("what", ["the file", "the folder"])
def test_the_database_is_moved_away_and_back(served, what, at_work):
    running, campaign, token, folder = served
    judge, receipt, task = at_work(running, token)
    there = folder / "rankwise.db" if what == "the file" else folder
    away = there.with_name("elsewhere")
    there.rename(away)
    said = refusals(judge, task)
    assert all("was moved, deleted or replaced" in sentence for sentence in said), said
    assert not there.exists(), "nothing may be made in its place"
    away.rename(there)
    again = stored_once(judge, task)
    assert running.stop()[0] == 0
    assert receipts_in(sqlite_url(folder / "rankwise.db"), campaign) == [receipt, again]


def test_the_database_is_deleted(served, at_work):
    running, _, token, folder = served
    judge, _, task = at_work(running, token)
    (folder / "rankwise.db").unlink()
    said = refusals(judge, task)
    assert all("put it back or restore a backup" in sentence for sentence in said), said
    # many at once need more connections than are open: none of them may make a new file
    with httpx.Client(base_url=running.url, headers=judge.headers, timeout=30) as other:
        assert {other.get("/judge/session").status_code for _ in range(30)} <= {200, 503}
    assert not (folder / "rankwise.db").exists()
    code, _, log = running.stop()
    assert code == 0
    assert not re.search(r"request \w+ failed", log), "every error was expected"


def test_last_nights_database_comes_back_while_judges_work(served, tmp_path, at_work):
    running, campaign, token, folder = served
    url = sqlite_url(folder / "rankwise.db")
    judge, receipt, task = at_work(running, token)
    beside = Database.open(url, read_only=True)
    backup(beside, tmp_path / "night.zip")
    beside.close()
    lost, later = judge.submit(task), judge.next()
    running.stop()
    restore(tmp_path / "night.zip", url, force=True)
    running = Running(folder)
    try:
        running.wait()
        judge.web.base_url = running.url
        # a backup holds no sessions; the page then asks for the link and keeps what waits
        assert judge.web.get("/judge/session").status_code == 401
        judge = signed_in(running, token)
        gone = judge.answer(later), judge.ask(f"/judge/history/{lost}/revise", {})
        assert [answer.status_code for answer in gone] == [404, 404]
        said = [answer.json()["error"]["message"] for answer in gone]
        assert said == [
            "there is no such task for you; ask for the next one",
            "there is no such judgment of yours",
        ]
        seen = judge.web.get("/judge/history").json()["history"]
        assert [entry["receipt"] for entry in seen] == [receipt]
        again = judge.answer(task).json()  # it was in hand last night, and is so again
        assert not again["replay"]
        assert judge.ask("/judge/next", {}).json()["task"]["token"] != task["token"]
    finally:
        judge.close()
        code, _, log = running.stop()
    assert code == 0
    assert "Traceback" not in log
    assert receipts_in(url, campaign) == [receipt, again["receipt"]]


def test_postgresql_goes_and_comes_back(postgres, tmp_path, at_work):
    del postgres  # there is one; this test stops its own
    own = Postgres(fsync=True)
    try:
        url = own.new()
        campaign, (token,) = prepare(url, judges=1)
        running = Running(tmp_path, "--database", url, "--workers", "2")
        try:
            judge, receipt, task = at_work(running, token)
            own.halt()
            said = refusals(judge, task)
            assert all("cannot be reached" in sentence for sentence in said), said
            assert not any(str(own.folder) in sentence for sentence in said)
            time.sleep(4)  # the background work meets it too
            own.start()
            again = stored_once(judge, task)
        finally:
            code, _, log = running.stop()
        assert code == 0
        assert "ended with" not in log, "no worker died of it"
        assert receipts_in(url, campaign) == [receipt, again]
    finally:
        own.stop()


def test_a_worker_begins_when_postgresql_is_back(postgres, monkeypatch, caplog):
    del postgres  # there is one; this test stops its own
    own, opened = Postgres(fsync=True), []
    try:
        url = own.new()
        Database.open(url).close()
        own.halt()
        monkeypatch.setattr(runner, "WAIT_SECONDS", 0.1)
        beginning = threading.Thread(target=lambda: opened.append(runner.opened_at_last(url)))
        beginning.start()
        wait_for(lambda: len(caplog.messages) > 1)
        assert opened == []
        own.start()
        beginning.join(120)
        opened[0].close()
    finally:
        own.stop()
    assert caplog.messages[0].startswith("a worker begins as soon as it can: the database cannot")


def test_a_folder_that_may_only_be_read(tmp_path):
    if not may_mount(tmp_path):
        pytest.skip("needs unshare and namespaces, to mount a folder for reading only")
    _, _ = prepare(sqlite_url(tmp_path / "rankwise.db"), judges=1)
    before = (tmp_path / "rankwise.db").read_bytes()
    shell = ["sh", "-c", READ_ONLY, str(tmp_path), *PROGRAM, str(tmp_path), "--port", "0"]
    ended = subprocess.run([*ALONE, *shell], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.count("\n") == 1
    assert "must be writable" in ended.stderr
    assert (tmp_path / "rankwise.db").read_bytes() == before


@pytest.fixture
def own(postgres):
    """A PostgreSQL that the test may stop; it writes through, as in earnest."""
    del postgres  # there is one
    server = Postgres(fsync=True)
    yield server
    server.stop()


#: Sessions that wait for a lock of the answer's tables; those that stored and wait to be told so.
BEFORE = "SELECT 1 FROM pg_locks WHERE relation = 'leases'::regclass AND NOT granted"
STORED = """
SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE wait_event = 'SyncRep'
AND relation = 'judgments'::regclass AND mode = 'RowExclusiveLock'
"""


def is_found(postgres, url, query):
    with postgres.connect(postgres.name(url)) as connection:
        return connection.execute(query).fetchone() is not None


def locked(connection):
    """Hold what every answer needs, as a dump or a change of the schema does."""
    connection.execute("LOCK TABLE judgments, leases, drafts IN ACCESS EXCLUSIVE MODE")


def test_postgresql_waits_for_a_lock(own, tmp_path, at_work):
    url = own.new()
    campaign, (token,) = prepare(url, judges=1)
    short = f"{url}&options=-c%20lock_timeout%3D700"
    running = Running(tmp_path, "--database", short)
    try:
        judge, receipt, task = at_work(running, token)
        with own.connect(own.name(url)) as other, other.transaction():
            locked(other)
            refused = [judge.answer(task), judge.answer(task)]
            assert [answer.status_code for answer in refused] == [503, 503]
            for answer in refused:
                assert "held by somebody else" in answer.json()["error"]["message"]
                assert answer.headers["retry-after"] == "5"
        again = stored_once(judge, task)
    finally:
        _, _, log = running.stop()
    assert "Traceback" not in log
    assert receipts_in(url, campaign) == [receipt, again]


@pytest.mark.parametrize("moment", ["before the commit", "before it is acknowledged"])
def test_postgresql_is_lost_in_the_middle_of_an_answer(own, tmp_path, at_work, moment):
    url = own.new()
    campaign, (token,) = prepare(url, judges=1)
    running = Running(tmp_path, "--database", url)
    is_stored = moment == "before it is acknowledged"
    try:
        judge, receipt, task = at_work(running, token)
        found = []
        sending = threading.Thread(target=lambda: found.append(judge.answer(task)))
        with own.connect(own.name(url)) as other:
            if is_stored:  # the commit is on the disk, and waits for a second server that is not
                other.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
                other.execute("SELECT pg_reload_conf()")
            else:
                other.autocommit = False
                locked(other)
            sending.start()
            query = STORED if is_stored else BEFORE
            wait_for(lambda: is_found(own, url, query), seconds=60)
            own.halt()
            other.close()
        sending.join(120)
        assert found[0].status_code == 503
        assert "cannot be reached" in found[0].json()["error"]["message"]
        (own.folder / "data" / "postgresql.auto.conf").write_text("")
        own.start()
        wait_for(lambda: is_ready(judge.url), seconds=120)
        first, second = judge.answer(task), judge.answer(task)
        assert [first.json()["replay"], second.json()["replay"]] == [is_stored, True]
        again = {first.json()["receipt"], second.json()["receipt"]}
    finally:
        code, _, log = running.stop()
    assert code == 0
    assert "ended with" not in log, "no worker died of it"
    assert receipts_in(url, campaign) == [receipt, *again]


def wordy(judge, task, seed):
    """An answer with a comment that cannot be packed, so that it needs pages of its own."""
    letters = random.Random(seed).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=3900)
    body = {"answer": judge.rate(task), "active_ms": 1000, "comment": "".join(letters)}
    return judge.ask(f"/judge/tasks/{task['token']}/answer", body)


def until_refused(judge, task):
    """Answer until there is no room: receipts, the refusal, and the task that is still in hand."""
    receipts = []
    for seed in range(100):
        answer = wordy(judge, task, seed)
        if answer.status_code != 200:
            return receipts, answer, task, seed
        receipts.append(answer.json()["receipt"])
        task = answer.json()["next"]["task"]
    raise AssertionError("a hundred long comments went onto a disk that is full")


def test_postgresql_on_a_full_disk(own, tmp_path, at_work):
    if os.getuid() != 0:
        pytest.skip("needs root, who can mount a small file system and become another user")
    url = own.new()
    campaign, (token,) = prepare(url, judges=1)
    own.halt()
    own.start("unshare", "--mount", "sh", "-c", SMALL_DATA, str(own.folder), data="small")
    disk = Path(f"/proc/{own.process_id}/root{own.folder}/small")
    running = Running(tmp_path, "--database", url, "--workers", "2")
    try:
        judge, receipt, task = at_work(running, token)
        fill(disk)
        receipts, refused, task, seed = until_refused(judge, task)
        again = wordy(judge, task, seed)
        for answer in (refused, again):
            assert answer.status_code == 503, answer.text
            assert "no room left" in answer.json()["error"]["message"]
            assert answer.headers["retry-after"] == "5"
            assert "/" not in answer.json()["error"]["message"], "no path of the server's"
        seen = judge.web.get(f"/judge/tasks/{task['token']}").json()["task"]
        assert seen["outputs"] == task["outputs"], "reading goes on"
        assert httpx.get(f"{running.url}/healthz", timeout=30).status_code == 200
        (disk / "filler").unlink()
        first, second = wordy(judge, task, seed), wordy(judge, task, seed)
        assert [first.json()["replay"], second.json()["replay"]] == [False, True]
        assert first.json()["receipt"] == second.json()["receipt"]
    finally:
        code, _, log = running.stop()
    assert code == 0
    assert "Traceback" not in log
    assert "ended with" not in log, "no worker died of it"
    assert receipts_in(url, campaign) == [receipt, *receipts, first.json()["receipt"]]
