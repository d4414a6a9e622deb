"""Backups: one file for either database, of one moment, verified before it is restored.

A backup is a ZIP file with a member of JSON lines per table and ``manifest.json``, which has the
version of the schema and, for every table, the number of rows and the SHA-256 of its member. It
restores into SQLite and PostgreSQL alike. Sessions are left out: everybody signs in again; so are
failed tries to get in, and when the leases of the old database were looked at.
"""

import hashlib
import itertools
import json
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from sqlalchemy import JSON, Connection, LargeBinary, MetaData, Table, insert, inspect, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from rankwise import __version__
from rankwise.errors import StoreError
from rankwise.server.store.database import schema
from rankwise.server.store.database.backup_rows import line_of, lines_of, rows_of
from rankwise.server.store.database.database import Database, parsed_url
from rankwise.server.store.database.database_tables import metadata
from rankwise.server.store.database.store_errors import DatabaseNotEmpty
from rankwise.server.store.database.whole_files import whole_file

_FORMAT = "rankwise backup 1"
_LEFT_OUT = frozenset({"sessions", "tries", "marks", "alembic_version"})
_BATCH = 1000
#: Rows of bytes are large: fewer of them are in memory at once.
_BATCH_OF_BYTES = 100
_LONGEST_MANIFEST = 1 << 20
#: What reading a ZIP file may end with: damaged, encrypted, packed in a way that is unknown here.
_UNREADABLE = (
    OSError,
    zipfile.BadZipFile,
    KeyError,
    EOFError,
    ValueError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says about itself."""

    schema: str
    rankwise: str
    rows: dict[str, int]
    sha256: dict[str, str]


def backup(database: Database, path: str | Path) -> Manifest:
    """Write a backup of *database* to *path* while others go on writing; what is in it."""
    with whole_file(Path(path)) as part, database.read() as connection:
        version = schema.schema_version(connection)
        if version is None:
            raise StoreError("there is nothing to back up: the database has no schema")
        rows, sums = {}, {}
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for table in _tables(connection):
                with archive.open(f"{table.name}.jsonl", "w", force_zip64=True) as member:
                    rows[table.name], sums[table.name] = _dump(connection, table, member)
            manifest = Manifest(version, __version__, rows, sums)
            archive.writestr("manifest.json", json.dumps(_as_json(manifest), indent=1))
    verify(path)
    return manifest


def verify(path: str | Path) -> Manifest:
    """What is in a backup, every row read and checked; a damaged one is refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive, path)
            for name, expected in manifest.sha256.items():
                found = hashlib.sha256()
                count = 0
                with archive.open(f"{name}.jsonl") as member:
                    for line in lines_of(member, name):
                        found.update(line)
                        count += 1
                if found.hexdigest() != expected or count != manifest.rows[name]:
                    raise StoreError(f"{path} is damaged: table {name} is not what was written")
    except _UNREADABLE as error:
        raise StoreError(f"{path} is no backup that can be read: {error}") from error
    return manifest


def restore(path: str | Path, url: str, *, force: bool = False) -> Manifest:
    """Put a backup into the database at *url*, all of it or nothing; what was in it.

    A database that holds something is refused, unless *force* says to replace it. A backup of an
    older version is brought up to date.
    """
    manifest = verify(path)
    if not schema.is_known(manifest.schema):
        raise StoreError(
            f"{path} was written by a newer Rankwise ({manifest.rankwise}, schema "
            f"{manifest.schema}); install that version"
        )
    with (
        _nothing_left_behind(url),
        closing(Database(parsed_url(url))) as database,
        database.schema_change() as connection,
        zipfile.ZipFile(path) as archive,
    ):
        _make_room(connection, url, force=force)
        schema.upgrade(connection, manifest.schema)
        _load_all(connection, archive, path, manifest)
        schema.upgrade(connection)
    return manifest


@contextmanager
def _nothing_left_behind(url: str) -> Iterator[None]:
    """Where no database was, none is left by a restore that failed."""
    place = parsed_url(url)
    path = Path(place.database or "") if place.get_backend_name() == "sqlite" else None
    was_there = path is None or path.exists()
    try:
        yield
    except BaseException:
        if path is not None and not was_there:
            for left in path.parent.glob(f"{path.name}*"):
                if left.name.removeprefix(path.name) in ("", "-wal", "-shm", "-journal", ".lock"):
                    left.unlink(missing_ok=True)
        raise


def _load_all(
    connection: Connection, archive: zipfile.ZipFile, path: str | Path, manifest: Manifest
) -> None:
    """Every table of the schema that is there, from its member."""
    try:
        for table in _tables(connection):
            if table.name not in manifest.rows:
                raise StoreError(f"table {table.name} is missing")
            with archive.open(f"{table.name}.jsonl") as member:
                _load(connection, table, member)
    except StoreError as error:
        raise StoreError(f"{path} is damaged: {error}") from error
    except DBAPIError as error:
        if isinstance(error, OperationalError):
            raise  # the database, not the backup
        raise StoreError(f"{path} is damaged: its rows contradict each other") from error


def _tables(connection: Connection) -> list[Table]:
    """The tables as they are in the database, which may be older than this code."""
    found = MetaData()
    ours = set(metadata.tables)
    found.reflect(connection, only=lambda name, _: name in ours and name not in _LEFT_OUT)
    for table in found.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, JSON):
                column.type.none_as_null = True
    return list(found.sorted_tables)


def _dump(connection: Connection, table: Table, member: IO[bytes]) -> tuple[int, str]:
    order = list(table.primary_key.columns) or list(table.columns)[:2]
    query = select(table).order_by(*order)
    digest, count = hashlib.sha256(), 0
    options = {"stream_results": True, "yield_per": _batch_of(table)}
    for row in connection.execute(query, execution_options=options):
        line = line_of(dict(row._mapping))
        digest.update(line)
        member.write(line)
        count += 1
    return count, digest.hexdigest()


def _load(connection: Connection, table: Table, member: IO[bytes]) -> None:
    for batch in _batches(rows_of(member, table), _batch_of(table)):
        connection.execute(insert(table), batch)
    if connection.dialect.name == "postgresql" and "id" in table.columns:
        connection.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.name}), false)"
            )
        )


def _batches(rows: Iterator[Any], size: int) -> Iterator[list[dict[str, Any]]]:
    while batch := list(itertools.islice(rows, size)):
        yield batch


def _batch_of(table: Table) -> int:
    has_bytes = any(isinstance(column.type, LargeBinary) for column in table.columns)
    return _BATCH_OF_BYTES if has_bytes else _BATCH


def _make_room(connection: Connection, url: str, *, force: bool) -> None:
    if schema.is_empty(connection):
        return
    if not force:
        raise DatabaseNotEmpty(f"{url} holds something already")
    there = set(inspect(connection).get_table_names())
    old = MetaData()
    old.reflect(connection, only=sorted(there & {*metadata.tables, "alembic_version"}))
    old.drop_all(connection)


def _manifest(archive: zipfile.ZipFile, path: str | Path) -> Manifest:
    try:
        with archive.open("manifest.json") as member:
            found = json.loads(member.read(_LONGEST_MANIFEST))
        if found["format"] != _FORMAT:
            raise StoreError(f"{path} is {found['format']!r}; expected {_FORMAT!r}")
        manifest = Manifest(found["schema"], found["rankwise"], found["rows"], found["sha256"])
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(f"{path} is no backup that can be read: {error}") from error
    if not _is_well_formed(manifest):
        raise StoreError(f"{path} is no backup that can be read: its manifest is not ours")
    return manifest


def _is_well_formed(manifest: Manifest) -> bool:
    rows, sums = manifest.rows, manifest.sha256
    return (
        isinstance(manifest.schema, str)
        and isinstance(manifest.rankwise, str)
        and isinstance(rows, dict)
        and isinstance(sums, dict)
        and set(rows) == set(sums) <= set(metadata.tables)
        and all(isinstance(count, int) for count in rows.values())
        and all(isinstance(found, str) for found in sums.values())
    )


def _as_json(manifest: Manifest) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "schema": manifest.schema,
        "rankwise": manifest.rankwise,
        "rows": manifest.rows,
        "sha256": manifest.sha256,
    }
