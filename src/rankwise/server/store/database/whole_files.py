"""Files that are there whole or not at all."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rankwise.errors import StoreError
from rankwise.server.store.database.database import Database


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A temporary name beside *path* to write to; at the end of the block it becomes *path*.

    The file is on the disk before it gets its name, so that a crash leaves the old one or the new
    one. Only its owner may read it: it holds names and password hashes.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        yield part
        _sync(part)
        part.replace(path)
        _sync(path.parent)
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def copy_file(database: Database, path: Path) -> None:
    """A copy of an SQLite database at *path*, as of one moment, while others go on writing."""
    source = database.path
    if source is None:
        raise StoreError("only an SQLite database is a file")
    try:
        with (
            whole_file(path) as part,
            closing(sqlite3.connect(source)) as old,
            closing(sqlite3.connect(part)) as new,
        ):
            old.backup(new, pages=1000)
    except sqlite3.Error as error:
        raise StoreError(f"cannot copy {source} to {path}: {error}") from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
