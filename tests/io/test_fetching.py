"""Fetching over HTTP from a server on this machine: cut, wrong, missing, and by two at once."""

import multiprocessing

import pytest

from http_files import CONTENT, serving
from rankwise.errors import DataError, StoreError
from rankwise.io.named_sets import fetching
from rankwise.io.named_sets.fetching import fetch
from rankwise.io.named_sets.set_list import Archive


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def server():
    with serving() as found:
        yield found


@pytest.fixture
def target(tmp_path):
    return tmp_path / "new" / "set.tgz"


def test_a_file_is_fetched_once(server, target):
    told = []
    for _ in range(2):
        path = fetch(server.archive(), target, progress=lambda *said: told.append(said))
        assert path.read_bytes() == CONTENT
    assert len(server.asked) == 1
    assert server.asked[0]["User-Agent"] == "rankwise"
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [p.name for p in target.parent.iterdir() if p.name != "set.tgz.lock"] == ["set.tgz"]


def test_what_is_cut_is_continued(server, target):
    server.cuts = (100_000, 300_000)
    assert fetch(server.archive(), target).read_bytes() == CONTENT
    assert [asked.get("Range") for asked in server.asked] == [
        None,
        "bytes=100000-",
        "bytes=400000-",
    ]
    assert server.asked[1]["If-Range"] == '"one"'


def test_what_is_cut_again_and_again_is_kept_for_later(server, target):
    server.cuts = (1000, 1000, 1000, 1000)
    with pytest.raises(StoreError, match=r"ended after 4000 bytes .* the same command continues"):
        fetch(server.archive(), target)
    assert not target.exists()
    assert fetch(server.archive(), target).read_bytes() == CONTENT
    assert server.asked[-1]["Range"] == "bytes=4000-"


def test_a_connection_that_gives_nothing_is_not_tried_for_ever(server, target):
    server.cuts = (0,) * 10
    with pytest.raises(StoreError, match="ended after 0 bytes"):
        fetch(server.archive(), target)
    assert len(server.asked) == 1


def test_a_server_without_ranges_begins_again(server, target):
    server.takes_ranges = False
    server.cuts = (100_000,)
    assert fetch(server.archive(), target).read_bytes() == CONTENT


def test_a_part_of_another_version_is_not_continued(server, target):
    server.cuts = (1000, 0)
    with pytest.raises(StoreError, match="ended after 1000"):
        fetch(server.archive(), target)
    server.cuts, server.etag, server.content = (), '"two"', CONTENT[::-1]
    assert fetch(server.archive(), target).read_bytes() == CONTENT[::-1]


def test_a_whole_part_is_taken(server, target):
    target.parent.mkdir()
    target.with_name("set.tgz.part").write_bytes(CONTENT)
    assert fetch(server.archive(), target).read_bytes() == CONTENT
    assert server.asked[0]["Range"] == f"bytes={len(CONTENT)}-"


def test_a_part_that_is_too_long_is_thrown_away(server, target):
    target.parent.mkdir()
    target.with_name("set.tgz.part").write_bytes(CONTENT + b"more")
    assert fetch(server.archive(), target).read_bytes() == CONTENT


def test_a_wrong_part_is_found_by_its_digest(server, target):
    target.parent.mkdir()
    part = target.with_name("set.tgz.part")
    part.write_bytes(b"x" * 1000)
    with pytest.raises(DataError, match="the MD5 digest of what came is"):
        fetch(server.archive(), target)
    assert not part.exists()
    assert fetch(server.archive(), target).read_bytes() == CONTENT


def test_a_wrong_digest_leaves_nothing(server, target):
    with pytest.raises(DataError, match=f"expected {'0' * 32}; it was deleted"):
        fetch(server.archive(md5="0" * 32), target)
    assert [path.name for path in target.parent.iterdir()] == ["set.tgz.lock"]


def test_without_a_digest_the_length_decides(server, target):
    server.cuts = (5000,)
    assert fetch(server.archive(md5=""), target).read_bytes() == CONTENT


def test_what_is_not_there_is_said_in_a_sentence(server, target):
    with pytest.raises(StoreError, match=r"/missing: cannot be fetched: 404 Not Found"):
        fetch(server.archive("missing"), target)


def test_no_server_is_said_in_a_sentence(target):
    with serving() as gone:
        archive = gone.archive()
    with pytest.raises(StoreError, match="refused; is this machine offline"):
        fetch(archive, target)


def test_only_addresses_of_the_web_are_fetched(tmp_path, target):
    (tmp_path / "secret").write_text("x")
    with pytest.raises(DataError, match="expected an address that begins with https"):
        fetch(Archive(f"file://{tmp_path}/secret"), target)


def test_a_silent_server_is_left(server, target, monkeypatch):
    server.wait = 1.0
    monkeypatch.setattr(fetching, "SILENCE", 0.2)
    with pytest.raises(StoreError, match="timed out"):
        fetch(server.archive(), target)


def fetch_in_process(archive, target, results):
    results.put(fetch(archive, target).read_bytes() == CONTENT)


def test_two_processes_fetch_once(server, target):
    server.wait = 0.5
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    children = [
        context.Process(target=fetch_in_process, args=(server.archive(), target, results))
        for _ in range(2)
    ]
    for child in children:
        child.start()
    assert [results.get(timeout=60) for _ in children] == [True, True]
    for child in children:
        child.join(30)
        assert child.exitcode == 0
    assert len(server.asked) == 1


def test_who_waits_too_long_is_told(server, target):
    target.parent.mkdir()
    told = pytest.raises(StoreError, match="another process has been fetching it for 0 seconds")
    with fetching.locked(target, 1), told:
        fetch(server.archive(), target, patience=0.2)
