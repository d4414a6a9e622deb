"""What went wrong in a database, as a sentence that says whether work is safe and what to do."""

import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from rankwise.errors import StoreError
from rankwise.server.store.database.store_errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseGone,
    DatabaseReadOnly,
)

_FULL = "there is no room left for the database; nothing of this was saved, make room on its disk"
_READ_ONLY = "the database may not be written; nothing of this was saved, check its permissions"
_BUSY = "the database is held by somebody else for too long; nothing of this was saved, try again"
# what was lost between a commit and its acknowledgement may be saved; sent again, it is found
_GONE = "the database cannot be reached; this may not be saved, it is tried again by itself"
_DAMAGED = "the database file is damaged; stop the server and restore the last backup"

#: Primary result codes of SQLite.
_SQLITE: dict[int, tuple[type[StoreError], str]] = {
    sqlite3.SQLITE_FULL: (DatabaseFull, _FULL),
    sqlite3.SQLITE_READONLY: (DatabaseReadOnly, _READ_ONLY),
    sqlite3.SQLITE_PERM: (DatabaseReadOnly, _READ_ONLY),
    sqlite3.SQLITE_BUSY: (DatabaseBusy, _BUSY),
    sqlite3.SQLITE_LOCKED: (DatabaseBusy, _BUSY),
    sqlite3.SQLITE_CANTOPEN: (DatabaseGone, _GONE),
    sqlite3.SQLITE_IOERR: (DatabaseGone, _GONE),
    sqlite3.SQLITE_CORRUPT: (StoreError, _DAMAGED),
    sqlite3.SQLITE_NOTADB: (StoreError, _DAMAGED),
}

#: Classes (two characters) and codes of SQLSTATE.
_POSTGRESQL: dict[str, tuple[type[StoreError], str]] = {
    "53100": (DatabaseFull, _FULL),
    "53": (DatabaseBusy, _BUSY),
    "25006": (DatabaseReadOnly, _READ_ONLY),
    "42501": (DatabaseReadOnly, _READ_ONLY),
    "40": (DatabaseBusy, _BUSY),
    "55P03": (DatabaseBusy, _BUSY),
    "57": (DatabaseGone, _GONE),
    "08": (DatabaseGone, _GONE),
}


def store_error(error: Exception) -> StoreError | None:
    """The ``StoreError`` for what a database raised; ``None`` where our own code is at fault."""
    if isinstance(error, PoolTimeout):
        return DatabaseBusy(_BUSY)
    if not isinstance(error, DBAPIError):
        return None
    found = _of_sqlite(error) or _of_postgresql(error)
    if found is None:
        return None
    kind, sentence = found
    return kind(f"{sentence} ({str(error.orig).strip().splitlines()[0]})")


def _of_sqlite(error: DBAPIError) -> tuple[type[StoreError], str] | None:
    code = getattr(error.orig, "sqlite_errorcode", None)
    return None if code is None else _SQLITE.get(code & 0xFF)


def _of_postgresql(error: DBAPIError) -> tuple[type[StoreError], str] | None:
    state = getattr(error.orig, "sqlstate", None)
    if state is not None:
        return _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2])
    # a connection that was refused or cut has no state
    raised = type(error.orig)
    is_refused = raised.__name__ in ("OperationalError", "ConnectionTimeout")
    is_lost = is_refused or error.connection_invalidated
    return (DatabaseGone, _GONE) if raised.__module__.startswith("psycopg") and is_lost else None
