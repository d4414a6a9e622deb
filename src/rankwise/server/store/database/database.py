"""One database, SQLite or PostgreSQL: opening it, reading a snapshot, writing a transaction."""

import os
import shutil
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from rankwise.errors import StoreError
from rankwise.server.store.database.failures import store_error
from rankwise.server.store.database.locks import FairLock, ProcessLock, refuse_network_file_system
from rankwise.server.store.database.store_errors import DatabaseFull, DatabaseGone, DatabaseReadOnly

Kind = Literal["sqlite", "postgresql"]

#: Written through before a commit returns; NORMAL could lose the last ones when the power fails.
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=10000",
    "PRAGMA temp_store=MEMORY",
)
#: Seconds that PostgreSQL is waited for, until it lets us in and until others let go of a lock.
PATIENCE = 10
#: For a second process beside the server: it reads snapshots and can change nothing.
_READ_ONLY_PRAGMAS = ("PRAGMA query_only=ON", "PRAGMA busy_timeout=10000")
#: With less room than this on its disk, no new work is begun: what is in hand needs the rest.
LEAST_ROOM = 1 << 20
_REFUSED = (
    "this database was opened for reading only, beside the server that holds it; "
    "use the server's pages or its API for changes"
)


class Database:
    """Connections to one database; every transaction of the store begins here.

    SQLite serves one process and one writer at a time, readers see a snapshot meanwhile.
    PostgreSQL serves several processes; what must not happen twice is locked row by row.
    """

    def __init__(self, url: URL, *, read_only: bool = False) -> None:
        self.url, self.read_only = url, read_only
        self.kind: Kind = "sqlite" if url.get_backend_name() == "sqlite" else "postgresql"
        self._named: dict[str, threading.Lock] = {}
        self._guard = threading.Lock()
        self._turn = FairLock()
        self._process: ProcessLock | None = None
        self._readers: Engine
        self._writer: Engine
        self._file: tuple[int, int] | None = None
        if self.kind == "sqlite":
            self._open_sqlite()
        else:
            # no overflow: a connection closed after each use costs PostgreSQL a process each time
            self._writer = create_engine(url, pool_size=20, max_overflow=0, pool_pre_ping=True)
            _prepare_postgresql(self._writer)
            self._readers = self._writer.execution_options(isolation_level="REPEATABLE READ")

    @classmethod
    def open(cls, url: str, *, migrate: bool = True, read_only: bool = False) -> "Database":
        """The database at *url* (``sqlite:///file`` or ``postgresql://...``), its schema current.

        A schema newer than this version of Rankwise is refused. With ``migrate=False`` an older
        one is refused too, else it is brought up to date (after a backup, on SQLite). With
        ``read_only=True`` nothing is changed, and another process may hold the SQLite file.
        """
        from rankwise.server.store.database import schema

        database = cls(parsed_url(url), read_only=read_only)
        try:
            schema.prepare(database, migrate=migrate)
        except BaseException:
            database.close()
            raise
        return database

    @property
    def path(self) -> Path | None:
        """The file of an SQLite database."""
        name = self.url.database
        return Path(name) if self.kind == "sqlite" and name else None

    def _open_sqlite(self) -> None:
        path = self.path
        if path is None or str(path) == ":memory:":
            raise StoreError("a campaign needs a database file; expected sqlite:///FILE")
        if not path.parent.is_dir():
            raise StoreError(f"there is no folder {path.parent} for the database")
        if self.read_only and not path.is_file():
            raise StoreError(f"there is no database {path}")
        refuse_network_file_system(path)
        options: dict[str, Any] = {"creator": self._connect}
        if self.read_only:
            self._readers = self._writer = create_engine(self.url, **options)
            _prepare_sqlite(self._readers, begin="BEGIN", pragmas=_READ_ONLY_PRAGMAS)
            return
        self._process = ProcessLock(path)
        _make_private(path)
        self._readers = create_engine(self.url, pool_size=20, max_overflow=40, **options)
        self._writer = create_engine(self.url, pool_size=1, max_overflow=0, **options)
        _prepare_sqlite(self._readers, begin="BEGIN")
        _prepare_sqlite(self._writer, begin="BEGIN IMMEDIATE")

    def _connect(self) -> sqlite3.Connection:
        """A connection to the file that is there; a new file is never made beside a log of ours."""
        self._check_file()
        where = f"file:{quote(str(self.path))}?mode=rw"
        return sqlite3.connect(where, uri=True, check_same_thread=False, timeout=10)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that reads one snapshot."""
        with _sentences(), self._readers.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write; committed at the end of the block, undone on an error."""
        if self.read_only:
            raise DatabaseReadOnly(_REFUSED)
        if self.kind == "postgresql":
            with _sentences(), self._writer.begin() as connection:
                yield connection
            return
        with self._turn.held(), _sentences():
            self._check_file()
            with self._writer.begin() as connection:
                yield connection
            self._check_file()

    @contextmanager
    def schema_change(self) -> Iterator[Connection]:
        """A transaction that may rebuild tables; references are checked at its end."""
        if self.read_only:
            raise DatabaseReadOnly(_REFUSED)
        if self.kind == "postgresql":
            with self.write() as connection:
                yield connection
            return
        with self._turn.held(), _sentences(), self._writer.connect() as connection:
            raw: Any = connection.connection.dbapi_connection
            raw.execute("PRAGMA foreign_keys=OFF")
            try:
                with connection.begin():
                    yield connection
                    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
                    if broken is not None:
                        raise StoreError(f"the new schema breaks a reference of {broken[0]}")
            finally:
                raw.execute("PRAGMA foreign_keys=ON")

    def _check_file(self) -> None:
        # Linux lets a process write to a file that was deleted: every commit would be lost
        path = self.path
        if path is None:
            return
        try:
            stat = path.stat()
            found = (stat.st_dev, stat.st_ino)
        except OSError:
            found = None
        if self._file is None:
            self._file = found
        elif found != self._file:
            raise DatabaseGone(
                f"the database file {path} was moved, deleted or replaced while in use; "
                "nothing of this was saved, put it back or restore a backup and start again"
            )

    def exclusive(self, name: str) -> AbstractContextManager[None]:
        """Work called *name* is done by one thread of one process at a time; others wait."""
        return self._exclusive(name)

    @contextmanager
    def _exclusive(self, name: str) -> Iterator[None]:
        with self._guard:
            lock = self._named.setdefault(name, threading.Lock())
        with lock:
            if self.kind == "sqlite":
                yield
                return
            with _sentences(), self._readers.connect() as connection, connection.begin():
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _key(name)})
                yield

    @contextmanager
    def try_lock(self, name: str) -> Iterator[bool]:
        """Whether this process may do the work called *name* now; held while the block runs."""
        if self.kind == "sqlite":
            yield True
            return
        with _sentences(), self._readers.connect() as connection, connection.begin():
            query = text("SELECT pg_try_advisory_xact_lock(:key)")
            yield bool(connection.execute(query, {"key": _key(name)}).scalar_one())

    def health(self) -> str:
        """``"ok"`` when a transaction can write, else the sentence that says why not."""
        try:
            with self.write() as connection:
                _write_nothing(connection)
            self._check_room()
        except StoreError as error:
            return str(error)
        return "ok"

    def _check_room(self) -> None:
        # a small write may fit into the log that is there while a judgment does not
        if self.path is not None and shutil.disk_usage(self.path.parent).free < LEAST_ROOM:
            raise DatabaseFull("hardly any room is left on the disk of the database; make some")

    def close(self) -> None:
        """Close every connection and let others have the database."""
        if hasattr(self, "_readers"):
            self._readers.dispose()
            self._writer.dispose()
        if self._process is not None:
            self._process.release()
            self._process = None


def _make_private(path: Path) -> None:
    """Make the file for its owner alone: it holds names, addresses and password hashes.

    SQLite gives the files beside it (``-wal``, ``-shm``) the same mode.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise DatabaseReadOnly(f"cannot write {path}: {error.strerror}") from error


def parsed_url(url: str) -> URL:
    """*url* with the driver we use; other databases are refused."""
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreError(
            f"{url!r} is no database; expected sqlite:///FILE or postgresql://HOST/NAME"
        ) from error
    name = parsed.get_backend_name()
    if name not in ("sqlite", "postgresql"):
        raise StoreError(f"unknown database {name!r}; choose from sqlite, postgresql")
    return parsed.set(drivername="sqlite" if name == "sqlite" else "postgresql+psycopg")


def _prepare_sqlite(engine: Engine, *, begin: str, pragmas: Sequence[str] = _PRAGMAS) -> None:
    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where Python does
        for pragma in pragmas:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)


def _prepare_postgresql(engine: Engine) -> None:
    """Nobody waits for ever: neither for a server that is silent nor for a lock of somebody else.

    What the address itself says (``connect_timeout``, ``options``) stands.
    """

    @event.listens_for(engine, "do_connect")
    def _before(dialect: Any, record: Any, arguments: Any, options: dict[str, Any]) -> None:
        del dialect, record, arguments
        options.setdefault("connect_timeout", PATIENCE)

    @event.listens_for(engine, "connect")
    def _connect(connection: Any, _: Any) -> None:
        if "lock_timeout" not in str(engine.url.query.get("options", "")):
            connection.execute(f"SET lock_timeout = '{PATIENCE}s'")
            connection.commit()


def _write_nothing(connection: Connection) -> None:
    """Write the number of the schema over itself: a commit that changes nothing."""
    connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")


def _key(name: str) -> int:
    return zlib.crc32(f"rankwise {name}".encode())


@contextmanager
def _sentences() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        known = store_error(error)
        if known is None:
            raise
        raise known from error


def sqlite_url(path: str | os.PathLike[str]) -> str:
    """The URL of the SQLite file at *path*.

    >>> sqlite_url("rankwise.db")
    'sqlite:///rankwise.db'
    """
    return URL.create("sqlite", database=os.fspath(path)).render_as_string(hide_password=False)
