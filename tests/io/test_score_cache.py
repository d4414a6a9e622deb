"""Kept scores: what is found again, by whom, and what becomes of a file that grows or is odd."""

import multiprocessing
import sqlite3
import time

import pytest

from rankwise.errors import DataError, StoreError
from rankwise.io.kept import score_cache
from rankwise.io.kept.score_cache import ScoreCache, size_of


@pytest.fixture
def cache(tmp_path) -> ScoreCache:
    return ScoreCache(tmp_path / "deep" / "scores.sqlite")


def key(number: int) -> bytes:
    return number.to_bytes(20, "big")


def test_what_is_kept_is_found_by_metric_and_texts(cache):
    cache.keep("comet a", {key(1): 0.1, key(2): 0.2})
    cache.keep("comet b", {key(1): 0.9})
    assert cache.found("comet a", [key(1), key(2), key(3)]) == {key(1): 0.1, key(2): 0.2}
    assert cache.found("comet b", [key(1), key(2)]) == {key(1): 0.9}
    assert cache.found("comet c", [key(1)]) == {}


def test_more_scores_than_fit_one_question(cache):
    scores = {key(number): number / 7 for number in range(2500)}
    cache.keep("m", scores)
    assert cache.found("m", list(scores)) == scores


def test_a_score_may_be_kept_again(cache):
    cache.keep("m", {key(1): 0.1})
    cache.keep("m", {key(1): 0.25})
    assert cache.found("m", [key(1)]) == {key(1): 0.25}


def _write(path, start: int) -> None:
    for number in range(start, start + 50):
        ScoreCache(path).keep("m", {key(number): float(number)})


def test_several_processes_share_the_file(cache):
    context = multiprocessing.get_context("spawn")
    started = [context.Process(target=_write, args=(cache.path, 50 * n)) for n in range(4)]
    for process in started:
        process.start()
    for process in started:
        process.join(60)
    assert [process.exitcode for process in started] == [0] * 4
    found = cache.found("m", [key(number) for number in range(200)])
    assert found == {key(number): float(number) for number in range(200)}


def test_a_list_of_what_is_kept(cache):
    assert (cache.models(), cache.size, cache.limit) == ([], 0, score_cache.USUAL_LIMIT)
    assert not cache.is_there
    cache.keep("m", {key(1): 0.1, key(2): 0.2})
    [found] = cache.models()
    assert found[:2] == ("m", 2)
    assert time.time() - 86_400 <= found.used <= time.time()
    assert 0 < cache.size < 100_000


def test_clearing(cache):
    assert cache.clear() == 0
    cache.keep("comet:model=a 1", {key(1): 0.1})
    cache.keep("comet:model=b 2", {key(1): 0.1, key(2): 0.1})
    cache.keep("comets 3", {key(1): 0.1})
    assert cache.clear("comet") == 3
    assert [name for name, *_ in cache.models()] == ["comets 3"]
    assert cache.clear() == 1
    assert cache.models() == []


def test_over_the_limit_the_oldest_scores_go(cache, monkeypatch):
    day = 86_400
    monkeypatch.setattr(score_cache.time, "time", lambda: 100 * day)
    cache.keep("old", {key(number): 0.5 for number in range(5000)})
    size = cache.size
    monkeypatch.setattr(score_cache.time, "time", lambda: 101 * day)
    used = [key(number) for number in range(100)]
    cache.found("old", used)
    cache.limit_to(size)
    cache.keep("new", {key(number): 0.5 for number in range(1000)})
    assert cache.size <= size
    assert len(cache.found("new", [key(number) for number in range(1000)])) == 1000
    assert len(cache.found("old", used)) == 100
    left = len(cache.found("old", [key(number) for number in range(5000)]))
    assert 2000 < left < 4500


def test_a_lower_limit_drops_scores_and_frees_the_file(cache):
    cache.keep("m", {key(number): 0.5 for number in range(20_000)})
    cache.limit_to(200_000)
    assert cache.size <= 200_000
    assert cache.path.stat().st_size <= 250_000
    cache.limit_to(0)
    assert cache.models() == []
    assert cache.limit == 0


def test_another_database_is_left_alone(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE accounts (name TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is a database of something else"):
        ScoreCache(path).keep("m", {key(1): 0.1})
    assert path.read_bytes() == before


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "scores.sqlite"
    path.write_text("not a database, however long it is" * 100)
    with pytest.raises(StoreError, match="cannot be used: file is not a database; --no-cache"):
        ScoreCache(path).found("m", [key(1)])


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be used: .*; --no-cache does without them"):
        ScoreCache(tmp_path / "file" / "scores.sqlite").found("m", [key(1)])


@pytest.mark.parametrize("text", ["", "MB", "1 XB", "-1MB", "nan", "infGB"])
def test_sizes_that_are_none(text):
    with pytest.raises(DataError, match="expected a number with B, KB, MB, GB or TB"):
        size_of(text)
