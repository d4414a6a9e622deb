"""A PostgreSQL of its own for the tests: in a folder of its own, over a socket, gone afterwards."""

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

_FOLDERS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def program(name: str) -> str | None:
    """Where a program of PostgreSQL is; Debian keeps the server's outside PATH."""
    found = shutil.which(name)
    return found or next((str(f / name) for f in _FOLDERS if (f / name).exists()), None)


class Postgres:
    """A server that runs until ``stop``; it refuses to run as root, so root becomes another."""

    def __init__(self, *, fsync: bool = False) -> None:
        memory = Path("/dev/shm")  # where there is one, nothing waits for a disk
        place = memory if not fsync and os.access(memory, os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="rankwise-pg-", dir=place))
        self._numbers = itertools.count(1)
        self._as_user: list[str] = []
        if os.getuid() == 0:
            user = "postgres"
            shutil.chown(self.folder, user, user)
            self._as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        data = str(self.folder / "data")
        made = [program("initdb"), "-D", data, "-U", "rankwise", "-A", "trust", "-E", "UTF8"]
        self._run([*made, "--locale=C", "--no-sync"])
        self._settings = ["-c", "listen_addresses=", "-c", "max_connections=100"]
        self._settings += [] if fsync else ["-c", "fsync=off", "-c", "synchronous_commit=off"]
        self.start()

    def _run(self, command: list[str | None]) -> None:
        words = [*self._as_user, *(word for word in command if word)]
        subprocess.run(words, check=True, capture_output=True, cwd=self.folder, timeout=600)

    def start(self, *within: str, data: str = "data") -> None:
        """Start, *within* a program that becomes it, and wait until it answers."""
        command = [*within, *self._as_user, program("postgres"), "-D", str(self.folder / data)]
        command += ["-k", str(self.folder), *self._settings]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [word for word in command if word], stdout=log, stderr=log, cwd=self.folder
            )
        for _ in range(6000):
            try:
                psycopg.connect(self._dsn("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError((self.folder / "log").read_text())

    def _dsn(self, name: str) -> str:
        return f"host={self.folder} user=rankwise dbname={name}"

    def connect(self, name: str = "postgres") -> psycopg.Connection:
        """A session in one of its databases."""
        return psycopg.connect(self._dsn(name), autocommit=True)

    def new(self, template: str = "template1") -> str:
        """The URL of a new database, empty or a copy of *template*."""
        name = f"t{next(self._numbers)}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return f"postgresql://rankwise@/{name}?host={self.folder}"

    def drop(self, url: str) -> None:
        """Remove a database, whoever uses it."""
        with self.connect() as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {self.name(url)} WITH (FORCE)")

    @staticmethod
    def name(url: str) -> str:
        """The name of a database, from its URL."""
        return url.split("/")[3].split("?")[0]

    @property
    def process_id(self) -> int:
        """The number of the server's process."""
        return self._process.pid

    def halt(self) -> None:
        """Stop at once, so that it can be started again."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(timeout=240)

    def stop(self) -> None:
        """Stop for good and remove everything."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait(timeout=240)
        shutil.rmtree(self.folder, ignore_errors=True)
