"""The schema of a database: made when empty."""

from rankwise.server.store.database import Database
from rankwise.server.store.tables import metadata


def prepare(database: Database, *, migrate: bool) -> None:
    """Make the schema of *database* the one this version of Rankwise works with."""
    with database.write() as connection:
        metadata.create_all(connection)
        connection.exec_driver_sql("CREATE TABLE IF NOT EXISTS alembic_version (version_num TEXT)")
