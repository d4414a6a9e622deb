"""A log that nobody takes, as in a terminal held with Ctrl-S or a pager, keeps nobody waiting."""

import logging
import os
import re
import select
import time
from contextlib import closing
from http.client import HTTPConnection

import httpx
import pytest

from rankwise.server import log_lines
from rankwise.server.log_lines import LogLines
from server.web.test_serve import Running

#: A pipe of Linux takes so many bytes before whoever writes has to wait.
PIPE = 1 << 16


def logged(handler, count):
    for number in range(count):
        handler.handle(logging.makeLogRecord({"msg": f"line {number}"}))


def taken(reading):
    """All that comes through a pipe until nothing more does for a second."""
    found = b""
    while select.select([reading], [], [], 1.0)[0]:
        found += os.read(reading, PIPE)
    return found.decode().splitlines()


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def test_lines_come_in_order(pipe):
    reading, writing = pipe
    handler = LogLines(writing)
    logged(handler, 100)
    handler.handle(logging.makeLogRecord({"msg": "ü\udc80"}))
    handler.finish()
    expected = [f"line {number}" for number in range(100)]
    assert taken(reading) == [*expected, "ü\\udc80"]


def test_what_nobody_takes_is_lost_and_counted(pipe, monkeypatch):
    monkeypatch.setattr(log_lines, "MOST_LINES", 500)
    reading, writing = pipe
    handler, count = LogLines(writing), 20_000
    begun = time.monotonic()
    logged(handler, count)
    assert time.monotonic() - begun < 60  # it waited for ever
    found = taken(reading)
    logged(handler, 1)
    handler.finish()
    found += taken(reading)
    lines = [line for line in found if line.startswith("line ")]
    lost = [int(line.split()[0]) for line in found if line.endswith("could not be written")]
    assert found[-1] == "line 0"
    assert len(lines) - 1 + sum(lost) == count
    assert sum(lost) > 0
    numbers = [int(line.split()[1]) for line in lines[:-1]]
    assert numbers == sorted(set(numbers))


def test_lines_that_cannot_be_written_are_counted(pipe):
    reading, writing = pipe
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        handler = LogLines(full)
        logged(handler, 3)
        handler.finish()
        os.dup2(writing, full)  # there is room again
        logged(handler, 1)
        handler.finish()
    finally:
        os.close(full)
    assert taken(reading) == ["3 lines of the log are lost: they could not be written", "line 0"]


def test_a_file_that_does_not_wait_is_waited_for(pipe):
    reading, writing = pipe
    os.set_blocking(writing, False)
    handler, count = LogLines(writing), 9000
    logged(handler, count)
    assert taken(reading) == [f"line {number}" for number in range(count)]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_whose_log_nobody_reads_serves_and_stops(tmp_path, workers, request):
    options = []
    if workers > 1:
        postgres = request.getfixturevalue("postgres")
        options = ["--database", postgres.new(), "--workers", str(workers)]
    running = Running(tmp_path, *options)
    try:
        running.wait()
        for _ in range(120):  # each line has 2 kB: nearly four times what the pipe holds
            with closing(HTTPConnection(running.url.removeprefix("http://"), timeout=60)) as asking:
                asking.request("GET", "/" + 2000 * "x")
                assert asking.getresponse().status == 404
        running.process.terminate()
        # with what is not taken: no last word waits for ever
        assert running.process.wait(timeout=60) == 0
    finally:
        running.process.kill()
    said = running.process.communicate()[1]
    lines = [line for line in said.splitlines() if "rankwise.access" in line]
    assert len(lines) * 2000 < 2 * PIPE
    assert all(re.search("GET /(readyz|x{2000}) ", line) for line in lines[:-1])


def test_the_log_of_a_server_is_whole(tmp_path):
    with (tmp_path / "log").open("w+") as file:
        running = Running(tmp_path, stderr=file)
        running.wait()
        for number in range(20):
            assert httpx.get(f"{running.url}/{number}").status_code == 404
        running.process.terminate()
        assert running.process.wait(timeout=60) == 0
        file.seek(0)
        lines = file.read().splitlines()
    asked = [found[1] for line in lines if (found := re.search(r"GET /(\d+) 404 \d+ms$", line))]
    assert asked == [str(number) for number in range(20)]
    assert lines[-1] == "Stopped."
    running.process.stdout.close()


def test_a_server_without_standard_error_serves(tmp_path):
    program = ["sh", "-c", 'exec "$@" 2>&-', "sh"]
    running = Running(tmp_path, within=program)
    try:
        assert running.wait().status_code == 200
    finally:
        running.process.terminate()
        running.process.communicate(timeout=60)
    assert running.process.returncode == 0
