"""``rankwise serve`` as a process: what it prints, whom it refuses, how it stops."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from rankwise.cli import main
from rankwise.server.store.database.database import Database, sqlite_url
from web_client import csrf_of

PROGRAM = [sys.executable, "-c", "from rankwise.cli import main; main()", "serve"]


class Running:
    """A server process; ``url`` is where it said it is."""

    def __init__(self, folder, *options, within=(), **how):
        command = [*within, *PROGRAM, str(folder), "--port", "0", *options]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **{**pipes, **how})
        self.lines = [self.process.stdout.readline()]
        found = re.search(r"http://\S+", self.lines[0])
        assert found, self.lines[0] + self.process.stderr.read()
        self.url = found[0]

    def link(self, words):
        """The link on the line that begins so."""
        while not self.lines[-1].startswith(words):
            self.lines.append(self.process.stdout.readline())
            assert self.lines[-1], self.lines
        return re.search(r"http://\S+", self.lines[-1])[0]

    def wait(self):
        for _ in range(1200):
            try:
                return httpx.get(f"{self.url}/readyz", timeout=120).raise_for_status()
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("it does not answer")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=240)
        return self.process.returncode, "".join(self.lines) + out, err


@pytest.fixture
def refused(capsys):
    """What the command says before it ends with 1; in this process, which is quicker."""

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(["serve", *map(str, arguments)])
        assert ended.value.code == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        return err

    return run


def come_in(client, link, fields=None):
    token = csrf_of(client.get(link, headers={"accept": "text/html"}).text)
    headers = {"sec-fetch-site": "same-origin"}
    return client.post(link, data={"csrf": token, **(fields or {})}, headers=headers)


@pytest.fixture
def running(tmp_path):
    server = Running(tmp_path / "new" / "folder")
    yield server
    if server.process.poll() is None:
        server.stop()


def test_an_empty_folder_becomes_a_server_with_an_example(running, tmp_path, refused):
    setup, judge = running.link("Set the owner's password"), running.link("Judge the example")
    running.wait()
    with httpx.Client(timeout=120) as client:
        assert come_in(client, judge).headers["location"] == "/judge"
        headers = {"x-csrf-token": client.get(f"{running.url}/judge/session").json()["csrf"]}
        answer = client.post(f"{running.url}/judge/next", json={}, headers=headers)
        assert len(answer.json()["task"]["outputs"]) >= 2
        password = {"password": "a long enough password", "again": "a long enough password"}
        assert come_in(client, setup, password).headers["location"] == "/"
        assert "Example" in client.get(running.url, headers={"accept": "text/html"}).text
        assert "server" not in answer.headers
    folder = tmp_path / "new" / "folder"
    assert "in use by another process" in refused(folder, "--port", 0)
    port = running.url.rsplit(":", 1)[1]
    assert f"127.0.0.1:{port} is in use" in refused(tmp_path, "--port", port)

    code, out, err = running.stop()
    assert code == 0
    assert err.endswith("Stopped.\n")
    assert "ERROR" not in err
    assert re.search(r"POST /j/\.\.\. 303", err)
    for secret in (setup, judge):
        assert out.count(secret.rsplit("/", 1)[1]) == 1
        assert secret.rsplit("/", 1)[1] not in err

    again = Running(folder)
    again.wait()
    code, out, _ = again.stop(signal.SIGINT)
    assert code == 0
    assert "/setup/" not in out
    assert "/j/" not in out


def children(process):
    """The numbers of the processes that *process* started for work."""
    found = Path(f"/proc/{process.pid}/task").glob("*/children")
    numbers = [number for listed in found for number in listed.read_text().split()]
    return [n for n in numbers if b"spawn_main" in Path(f"/proc/{n}/cmdline").read_bytes()]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [0, 0.5])
def test_a_signal_to_all_its_processes_is_no_failure(tmp_path, number, seconds):
    # Ctrl-C, `timeout` and service managers send it to every one; the first fit has just begun
    server = Running(tmp_path, start_new_session=True)
    end = time.monotonic() + 120
    while not children(server.process):
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(seconds)
    os.killpg(server.process.pid, number)
    _, err = server.process.communicate(timeout=240)
    assert (server.process.returncode, err) == (0, "Stop with Ctrl-C.\nStopped.\n")


def test_until_the_password_is_set_every_start_prints_a_new_link(tmp_path):
    links = set()
    for _ in range(2):
        server = Running(tmp_path, "--no-example")
        links.add(server.link("Set the owner's password"))
        server.wait()
        assert "Judge the example" not in server.stop()[1]
    assert len(links) == 2


def test_links_carry_the_base_url(tmp_path):
    command = [*PROGRAM, str(tmp_path), "--port", "0", "--base-url", "https://rank.example"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    lines = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=240)
    assert lines[0] == "Rankwise is at https://rank.example\n"
    assert "https://rank.example/setup/" in lines[1]
    assert "https://rank.example/j/" in lines[2]


def test_what_cannot_work_is_one_sentence(tmp_path, refused):
    file = tmp_path / "file"
    file.write_text("")
    assert "cannot use the folder" in refused(file)
    assert "--workers needs PostgreSQL" in refused(tmp_path, "--workers", 2)
    assert "expected it to begin with http" in refused(tmp_path, "--base-url", "rank.example")
    assert "cannot listen on" in refused(tmp_path, "--host", "256.1.1.1")
    assert "choose from sqlite, postgresql" in refused("--database", "mysql://x/y")


def test_a_newer_schema_is_refused(tmp_path, refused):
    Database.open(sqlite_url(tmp_path / "rankwise.db")).close()
    database = sqlite3.connect(tmp_path / "rankwise.db")
    database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.commit()
    database.close()
    assert "newer" in refused(tmp_path, "--port", 0)


def test_several_workers_share_a_port_on_postgresql(postgres, tmp_path):
    url = postgres.new()
    server = Running(tmp_path, "--database", url, "--workers", "2")
    judge = server.link("Judge the example")
    server.wait()
    with httpx.Client(timeout=120) as client:
        assert come_in(client, judge).status_code == 303
        for _ in range(8):  # a session is known to every worker
            with httpx.Client(cookies=client.cookies, timeout=120) as other:
                assert other.get(f"{server.url}/judge/session").status_code == 200
    code, _, err = server.stop()
    assert code == 0
    assert "Traceback" not in err
    postgres.drop(url)
