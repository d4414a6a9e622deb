"""Strangers who send too much, too slowly or nothing at all hold nobody up."""

import contextlib
import resource
import socket
import subprocess
import sys
import threading
import time

import pytest

from rankwise.server import connections
from rankwise.server.runner import bind, server_of
from rankwise.server.settings import Settings
from rankwise.server.web.app import create_app
from web_world import open_store

QUICK = {"header_seconds": 0.4, "body_seconds": 0.6}
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@contextlib.contextmanager
def served(folder, **limits):
    """The port of a server in a thread of this process."""
    settings = Settings(port=0, refresher=False, **limits)
    store = open_store(folder)
    listening = bind(settings)
    server = server_of(create_app(store, settings), settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    port = listening.getsockname()[1]
    thread.start()
    try:
        for _ in range(1200):
            if server.started:
                break
            time.sleep(0.02)
        yield port
    finally:
        server.should_exit = server.force_exit = True
        thread.join(60)
        store.database.close()
        assert not thread.is_alive()


def listens(port):
    """Wait for a server that said where it will be."""
    for _ in range(1200):
        with contextlib.suppress(ConnectionRefusedError):
            return connected(port).close()
        time.sleep(0.05)
    raise AssertionError("it does not listen")


def connected(port, said=b""):
    found = socket.create_connection(("127.0.0.1", port), timeout=60)
    found.sendall(said)
    return found


def heard(connection):
    """All that the server says until it closes, as far as it can be read."""
    said = b""
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            said += chunk
    return said


def status(said):
    return int(said.split(b" ", 2)[1]) if said else None


def ask(port, request=HEALTH):
    with connected(port, request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)) as one:
        return status(heard(one))


def flood(connection, piece, count):
    """Send as much as is taken; the bytes."""
    sent = 0
    with contextlib.suppress(ConnectionError):
        for _ in range(count):
            connection.sendall(piece)
            sent += len(piece)
    return sent


@pytest.mark.parametrize(
    "begin",
    [
        b"GET / HTTP/1.1\r\nX: ",
        b"GET /",
        b"GET / HTTP/1.1\r\n",
        b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;",
    ],
    ids=["a value", "an address", "many headers", "a trailer", "an extension of a chunk"],
)
def test_a_head_has_a_limit(tmp_path, begin):
    piece = b"A: b\r\n" * 10_000 if begin.endswith(b"1.1\r\n") else b"a" * 60_000
    with served(tmp_path) as port, connected(port, begin) as stranger:
        flood(stranger, piece, 500)  # 30 MB took seconds in which nobody else was answered
        with contextlib.suppress(OSError):
            stranger.shutdown(socket.SHUT_WR)
        assert ask(port) == 200
        # the answer is lost where the stranger still sends while we have closed
        assert status(heard(stranger)) in (None, 431, 400)


def test_the_answer_to_a_long_head_says_why(tmp_path):
    with served(tmp_path, header_limit=1000) as port:
        long = b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 2000
        with connected(port, long) as stranger:
            said = heard(stranger)
        assert status(said) == 431
        assert b"X-Content-Type-Options: nosniff" in said
        assert ask(port, HEALTH[:-2] + b"X: " + b"a" * 500 + b"\r\n\r\n") == 200


def test_large_bodies_are_no_heads(tmp_path):
    body = b"x" * 200_000
    head = b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    with served(tmp_path, header_limit=1000) as port:
        assert ask(port, head + body) == 403  # read, and refused for want of a token


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"", None),
        (b"GET / HT", 408),
        (b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n", 408),
        (b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nab", 408),
    ],
    ids=["nothing", "half a head", "no body", "half a body"],
)
def test_whoever_falls_silent_is_let_go(tmp_path, said, answer):
    with served(tmp_path, **QUICK) as port, connected(port, said) as stranger:
        assert status(heard(stranger)) == answer


def test_a_drop_at_a_time_is_silence_too(tmp_path):
    with served(tmp_path, **QUICK) as port, connected(port) as stranger:
        begun = time.monotonic()
        for _ in range(400):
            if not flood(stranger, b"a", 1):
                break
            time.sleep(0.05)
        assert time.monotonic() - begun < 15


def test_a_body_that_keeps_coming_has_its_time(tmp_path):
    head = b"POST /login HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 80000\r\n\r\n"
    limits = {"header_seconds": 5, "body_seconds": 1}
    with served(tmp_path, **limits) as port, connected(port, head) as slow:
        for _ in range(20):  # 2 s, at ten times the pace that is asked for
            slow.sendall(b"x" * 4000)
            time.sleep(0.1)
        assert status(heard(slow)) == 403


def test_an_answer_may_take_its_time(tmp_path):
    with served(tmp_path, **QUICK) as port, connected(port, HEALTH) as judge:
        assert status(judge.recv(65536)) == 200
        time.sleep(1.2)  # silence between two requests is no silence before the first
        judge.sendall(HEALTH)
        assert status(judge.recv(65536)) == 200


def test_half_a_form_is_never_taken_for_a_whole_one(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr("rankwise.server.web.bodies._replay", lambda *given: asked.append(given))
    head = b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nname=own"
    with served(tmp_path) as port:
        connected(port, head).close()
        assert ask(port) == 200
        time.sleep(0.2)
    assert asked == []


def test_silent_connections_give_way(tmp_path, caplog):
    with served(tmp_path, connections_per_address=20) as port, contextlib.ExitStack() as held:
        for _ in range(60):
            held.enter_context(connected(port))
        for _ in range(5):
            assert ask(port) == 200
    assert caplog.text.count("20 connections open, as many as allowed") == 1


def busy(port):
    """A connection whose request the server has begun to take in."""
    head = b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"
    found = connected(port, head)
    assert status(found.recv(65536)) == 100
    return found


def test_where_all_are_busy_a_new_one_is_told_so(tmp_path):
    with served(tmp_path, connections_per_address=5) as port, contextlib.ExitStack() as held:
        for _ in range(5):
            held.enter_context(busy(port))
        assert [ask(port) for _ in range(5)] == [503] * 5


@pytest.mark.parametrize("proxy", ["127.0.0.1", "127.0.0.0/8", "*"])
def test_a_trusted_proxy_has_no_limit_of_its_own(tmp_path, proxy):
    limits = {"connections_per_address": 5, "trusted_proxies": (proxy,)}
    with served(tmp_path, **limits) as port, contextlib.ExitStack() as held:
        for _ in range(15):
            held.enter_context(busy(port))
        assert ask(port) == 200


def test_somebody_who_takes_no_answer_is_let_go(tmp_path):
    page = b"GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
    with served(tmp_path, stuck_seconds=1) as port, socket.socket() as stranger:
        stranger.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stranger.settimeout(60)
        stranger.connect(("127.0.0.1", port))
        stranger.sendall(page * 300)  # more than the system keeps for somebody who does not read
        for _ in range(600):
            if not flood(stranger, b"G", 1):
                return
            time.sleep(0.05)
    raise AssertionError("it is held on to")


FEW_FILES = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100))
from rankwise.cli import main
main(["serve", sys.argv[1], "--port", "0", "--no-example", "--connections-per-address", "1000"])
"""


def test_silent_connections_do_not_use_up_the_files_of_the_process(tmp_path):
    command = [sys.executable, "-c", FEW_FILES, str(tmp_path)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        try:
            port = int(process.stdout.readline().rsplit(":", 1)[1])
            listens(port)
            with contextlib.ExitStack() as held:
                for _ in range(120):
                    held.enter_context(connected(port))
                assert [ask(port) for _ in range(5)] == [200] * 5
        finally:
            process.terminate()
            _, said = process.communicate(timeout=120)
    assert "50 connections are open, as many as allowed" in said


def test_room_is_left_for_the_database(monkeypatch):
    limits = {100: 50, 1024: 824, 1 << 20: connections.MOST, resource.RLIM_INFINITY: 10_000}
    for limit, room in limits.items():
        monkeypatch.setattr(resource, "getrlimit", lambda _, limit=limit: (limit, limit))
        assert connections.room_for_connections() == room
