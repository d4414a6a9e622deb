"""Backups: of one moment, verified, restored into either database, and refused when damaged."""

import hashlib
import json
import threading
import zipfile
from pathlib import Path

import pytest
from sqlalchemy import text

from rankwise.errors import StoreError
from rankwise.server.store.campaign_store import CampaignStore
from rankwise.server.store.database.backup import backup, restore, verify
from rankwise.server.store.database.database import Database, sqlite_url
from server.store.campaign_data import answer, campaign, do, judges, next_task, skip


def fill(store: CampaignStore):
    here = campaign(store, control_share=0.3, repeat_share=0.2, redundancy=2)
    for judge in judges(store, here, 2):
        for _ in range(8):
            do(store, judge)
        task = next_task(store, judge)
        store.judging.submit(judge, task.token, skip())
        again = store.judging.revise(judge, do(store, judge))
        strange = "</script> \0 \ud800 \x1b \u202e"
        store.judging.submit(judge, again.token, answer(again, comment=strange))
        store.judging.save_draft(judge, next_task(store, judge).token, {"ranks": [1]}, 1)
    store.judges.exclude(judge.id, "asked to", "test")
    store.accounts.create("olga", "owner", "test")
    store.sessions.start("judge", judge.id)
    store.standings.put(here.id, "people", 3, {"n": [1, 2.5, None]})
    return here


def contents(store: CampaignStore, here) -> tuple:
    every = list(store.log.stored(here.id, superseded=True))
    people = store.judges.judges(here.id)
    identities = store.judges.identities(here.id)
    texts = store.campaigns.testset(here.id)
    events = store.events.list(limit=1000)
    return every, people, identities, texts, events, store.standings.get(here.id, "people")


@pytest.fixture(params=["sqlite", "postgresql"])
def other_url(request, tmp_path: Path):
    if request.param == "sqlite":
        yield sqlite_url(tmp_path / "other.db")
        return
    postgres = request.getfixturevalue("postgres")
    address = postgres.new()
    yield address
    postgres.drop(address)


def test_it_restores_into_either_database(store, other_url, tmp_path):
    here = fill(store)
    manifest = backup(store.database, tmp_path / "all.zip")
    assert manifest == verify(tmp_path / "all.zip")
    assert manifest.rows["judgments"] == len(list(store.log.stored(here.id, superseded=True)))
    assert restore(tmp_path / "all.zip", other_url) == manifest
    other = CampaignStore(Database.open(other_url, migrate=False), clock=store.clock)
    assert contents(other, here) == contents(store, here)
    # and the work goes on there: numbers are free, leases and drafts are as they were
    for judge in other.judges.judges(here.id):
        task = next_task(other, judge)
        assert task.draft == {"ranks": [1]}
        other.judging.submit(judge, task.token, answer(task))
        do(other, judge)
    other.judges.invite(here.id, actor="test")
    other.database.close()


def test_the_file_is_private_and_nothing_else_is_left(store, tmp_path):
    fill(store)
    folder = tmp_path / "backups"
    folder.mkdir()
    backup(store.database, folder / "all.zip")
    assert [path.name for path in folder.iterdir()] == ["all.zip"]
    assert (folder / "all.zip").stat().st_mode & 0o777 == 0o600


def test_it_is_of_one_moment_while_judges_work(store, tmp_path):
    here = fill(store)
    judge = judges(store, here, 1)[0]
    stop = threading.Event()

    def work():
        for _ in range(900):  # a sitting has a thousand
            if stop.is_set():
                return
            do(store, judge)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for number in range(3):
            manifest = backup(store.database, tmp_path / f"{number}.zip")
            done = _rows(tmp_path / f"{number}.zip", "leases")
            judged = {row["lease"] for row in _rows(tmp_path / f"{number}.zip", "judgments")}
            assert {row["id"] for row in done if row["state"] == "done"} == judged
            assert len(judged) == manifest.rows["judgments"]
    finally:
        stop.set()
        thread.join()


def _rows(path: Path, table: str) -> list[dict]:
    with zipfile.ZipFile(path) as archive:
        return [json.loads(line) for line in archive.read(f"{table}.jsonl").splitlines()]


def test_what_is_there_is_not_overwritten_without_force(store, url, tmp_path):
    here = fill(store)
    backup(store.database, tmp_path / "all.zip")
    before = contents(store, here)
    do(store, store.judges.judges(here.id)[0])
    store.database.close()
    with pytest.raises(StoreError, match="holds something already"):
        restore(tmp_path / "all.zip", url)
    restore(tmp_path / "all.zip", url, force=True)
    again = CampaignStore(Database.open(url), clock=store.clock)
    assert contents(again, here) == before
    again.database.close()


@pytest.mark.parametrize("damage", ["cut", "changed", "row lost", "no backup", "newer", "absent"])
def test_a_damaged_backup_is_refused_and_nothing_changes(store, url, tmp_path, damage):
    here = fill(store)
    path = tmp_path / "all.zip"
    backup(store.database, path)
    before = contents(store, here)
    store.database.close()
    _damage(path, damage)
    with pytest.raises(StoreError, match=r"damaged|no backup that can be read|newer Rankwise"):
        restore(path, url, force=True)
    again = CampaignStore(Database.open(url), clock=store.clock)
    assert contents(again, here) == before
    again.database.close()


def _damage(path: Path, how: str) -> None:
    if how == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    elif how == "no backup":
        path.write_text("hello")
    elif how == "absent":
        path.unlink()
    else:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        if how == "changed":
            members["judgments.jsonl"] = members["judgments.jsonl"].replace(b"1", b"2", 1)
        elif how == "row lost":
            members["judgments.jsonl"] = b"\n".join(members["judgments.jsonl"].split(b"\n")[1:])
        else:
            manifest = json.loads(members["manifest.json"])
            members["manifest.json"] = json.dumps({**manifest, "schema": "9999"}).encode()
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)


def test_a_restore_that_fails_halfway_leaves_the_old_database(store, url, tmp_path, monkeypatch):
    here = fill(store)
    backup(store.database, tmp_path / "all.zip")
    before = contents(store, here)
    store.database.close()

    def fail(*_):
        raise RuntimeError("halfway")

    monkeypatch.setattr("rankwise.server.store.database.backup._load", fail)
    with pytest.raises(RuntimeError, match="halfway"):
        restore(tmp_path / "all.zip", url, force=True)
    again = CampaignStore(Database.open(url), clock=store.clock)
    assert contents(again, here) == before
    with again.database.read() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM leases")).scalar_one() > 0
    again.database.close()


def test_a_folder_that_cannot_be_written_is_a_sentence(store, tmp_path):
    with pytest.raises(StoreError, match="cannot write"):
        backup(store.database, tmp_path / "absent" / "all.zip")


def first_row(table, **changes):
    """A change of a backup: the first row of *table* is another."""

    def change(members):
        lines = members[f"{table}.jsonl"].splitlines(keepends=True)
        row = {**json.loads(lines[0]), **changes}
        row = {key: value for key, value in row.items() if value is not ...}
        members[f"{table}.jsonl"] = json.dumps(row).encode() + b"\n" + b"".join(lines[1:])

    return change


def line(table, text):
    def change(members):
        members[f"{table}.jsonl"] += text

    return change


def manifest(**changes):
    def change(members):
        found = {**json.loads(members["manifest.json"]), **changes}
        found = {key: value for key, value in found.items() if value is not ...}
        members["manifest.json"] = json.dumps(found).encode()

    return change


CRAFTED = {
    "no JSON": line("events", b"hello\n"),
    "no table": line("events", b"[1, 2]\n"),
    "a number alone": line("events", b"7\n"),
    "deep": line("events", b"[" * 100_000 + b"\n"),
    "a column more": first_row("campaigns", other=1),
    "a column less": first_row("campaigns", slug=...),
    "words for a number": first_row("campaigns", created_at="yesterday"),
    "a list for a text": first_row("campaigns", slug=["a"]),
    "true for a number": first_row("campaigns", created_at=True),
    "a number of 2^63": first_row("campaigns", created_at=1 << 63),
    "nothing where something must be": first_row("campaigns", slug=None),
    "an unknown state": first_row("campaigns", state="wild"),
    "a reference to nothing": first_row("segments", campaign=999),
    "one key twice": first_row("segments", id=2),
    "no manifest at all": lambda members: members.update({"manifest.json": b"[]"}),
    "an empty manifest": lambda members: members.update({"manifest.json": b"{}"}),
    "a deep manifest": lambda members: members.update({"manifest.json": b"[" * 100_000}),
    "rows that are a list": manifest(rows=[]),
    "sums that are none": manifest(sha256=None),
    "a schema that is a list": manifest(schema=["0001"]),
    "a schema that is no version": manifest(schema="head"),
    "a format of another": manifest(format="other"),
    "no tables": manifest(rows={}, sha256={}),
    "another's table": manifest(rows={"../x": 0}, sha256={"../x": "0"}),
}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The members of a backup that is fine."""
    folder = tmp_path_factory.mktemp("good")
    store = CampaignStore(Database.open(sqlite_url(folder / "old.db")))
    fill(store)
    backup(store.database, folder / "all.zip")
    store.database.close()
    with zipfile.ZipFile(folder / "all.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("how", CRAFTED)
def test_a_crafted_backup_is_a_sentence_and_leaves_nothing(good, tmp_path, how):
    path, folder, members = tmp_path / "all.zip", tmp_path / "new", dict(good)
    CRAFTED[how](members)
    if members["manifest.json"] == good["manifest.json"]:  # whoever crafts one signs it too
        signed = json.loads(members["manifest.json"])
        for name in signed["rows"]:
            content = members[f"{name}.jsonl"]
            signed["rows"][name] = content.count(b"\n")
            signed["sha256"][name] = hashlib.sha256(content).hexdigest()
        members["manifest.json"] = json.dumps(signed).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    folder.mkdir()
    with pytest.raises(StoreError) as refused:
        restore(path, sqlite_url(folder / "rankwise.db"))
    assert "\n" not in str(refused.value)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("flag", ["encrypted", "packed in an unknown way"])
def test_an_archive_that_cannot_be_unpacked_is_a_sentence(tmp_path, flag):
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", "{}")
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        begin = content.index(mark) + place
        content[begin if flag == "encrypted" else begin + 2] = 1 if flag == "encrypted" else 99
    path.write_bytes(content)
    with pytest.raises(StoreError, match="no backup that can be read"):
        verify(path)


def test_a_row_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("rankwise.server.store.database.backup_rows.LONGEST", 1000)
    store = CampaignStore(Database.open(sqlite_url(tmp_path / "old.db")))
    store.events.add("x" * 2000, "long")
    with pytest.raises(StoreError, match="a row of more than 1,000 bytes"):
        backup(store.database, tmp_path / "all.zip")
    store.database.close()
