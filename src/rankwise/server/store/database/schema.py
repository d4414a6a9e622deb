"""The schema of a database: made when empty, brought up to date when old, refused when newer."""

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from rankwise.errors import StoreError
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.database_tables import metadata
from rankwise.server.store.database.whole_files import copy_file

_REVISIONS = Path(__file__).parent / "migrations"


def prepare(database: Database, *, migrate: bool) -> None:
    """Make the schema of *database* the one this version of Rankwise works with.

    An SQLite file is backed up beside itself before its schema changes.
    """
    with database.exclusive("schema"):
        with database.read() as connection:
            found, is_new = schema_version(connection), is_empty(connection)
        if found == newest():
            return
        if database.read_only:
            _refuse(database, found, is_new=is_new)
        if not is_new:
            _check(database, found, migrate=migrate)
            _back_up(database)
        with database.schema_change() as connection:
            upgrade(connection)


def newest() -> str:
    """The version of the schema that this Rankwise works with."""
    head = _script().get_current_head()
    if head is None:
        raise StoreError("this installation of Rankwise lacks the revisions of its database")
    return head


def schema_version(connection: Connection) -> str | None:
    """The version of the schema that is there; ``None`` where there is none."""
    return MigrationContext.configure(connection).get_current_revision()


def is_empty(connection: Connection) -> bool:
    """Whether nothing of Rankwise is in the database."""
    tables = set(inspect(connection).get_table_names())
    return not tables & set(metadata.tables) and "alembic_version" not in tables


def _check(database: Database, found: str | None, *, migrate: bool) -> None:
    name = database.url.render_as_string(hide_password=True)
    if found is None:
        raise StoreError(
            f"{name} has tables of the same names that are not Rankwise's; choose another database"
        )
    if not is_known(found):
        raise StoreError(
            f"{name} was written by a newer Rankwise (schema {found}, this one knows {newest()}); "
            "install that version or restore an older backup"
        )
    if not migrate:
        raise StoreError(
            f"{name} has schema {found}, this Rankwise needs {newest()}; 'rankwise serve' brings "
            "it up to date when it starts (in Python: migrate=True)"
        )


def _refuse(database: Database, found: str | None, *, is_new: bool) -> None:
    name = database.url.render_as_string(hide_password=True)
    if is_new:
        raise StoreError(f"{name} holds no campaigns of Rankwise")
    _check(database, found, migrate=False)


def _back_up(database: Database) -> None:
    path = database.path
    if path is not None:
        copy_file(database, path.with_name(f"{path.name}.before-{newest()}"))


def is_known(version: str) -> bool:
    """Whether this Rankwise knows that version of the schema."""
    return version in [script.revision for script in _script().walk_revisions()]


def _script() -> ScriptDirectory:
    return ScriptDirectory(str(_REVISIONS), version_locations=[str(_REVISIONS / "versions")])


def upgrade(connection: Connection, to: str = "head") -> None:
    """Bring the schema to version *to*, from an older one or from nothing."""
    script = _script()

    def steps(current: Any, _: MigrationContext) -> list[RevisionStep]:
        return list(script._upgrade_revs(to, current))

    with EnvironmentContext(Config(), script, fn=steps) as environment:
        environment.configure(connection, target_metadata=metadata, render_as_batch=True, fn=steps)
        environment.run_migrations()
