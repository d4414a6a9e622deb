"""Tries that failed, in the database, so that all workers count the same ones."""

from collections.abc import Callable, Iterable

from sqlalchemy import delete, insert, or_, select

from rankwise.server.store.access.tokens import token_hash
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

_TRIES = tables.tries.c
_DAY = 86_400_000
#: Clocks of several machines differ by less; what lies further ahead is of a clock since set back.
_SKEW = 60_000


class Tries:
    """Failures of the last day by key; a key is kept as its hash."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock

    def times(self, keys: Iterable[str], *, most: int) -> dict[str, list[int]]:
        """When each of *keys* failed, newest first, at most so many of each."""
        now = self._clock()
        found = {}
        with self._database.read() as connection:
            for key in keys:
                query = select(_TRIES.at).where(
                    _TRIES.key == token_hash(key), _TRIES.at > now - _DAY, _TRIES.at <= now + _SKEW
                )
                newest = query.order_by(_TRIES.at.desc()).limit(most)
                found[key] = list(connection.execute(newest).scalars())
        return found

    def take(
        self, keys: Iterable[str], *, most: int, look: Callable[[dict[str, list[int]]], None]
    ) -> list[int]:
        """Count a failure under each of *keys*, unless *look* refuses by raising an error.

        *look* gets what ``times`` gives, and nobody counts meanwhile. The numbers of what was
        counted.
        """
        named = list(keys)
        with self._database.exclusive("tries"):
            look(self.times(named, most=most))
            return self.add(named)

    def add(self, keys: Iterable[str]) -> list[int]:
        """Count a failure under each of *keys*, those of before yesterday no more; the numbers."""
        now = self._clock()
        rows = [{"key": token_hash(key), "at": now} for key in keys]
        old = or_(_TRIES.at <= now - _DAY, _TRIES.at > now + _SKEW)
        with self._database.write() as connection:
            connection.execute(delete(tables.tries).where(old))
            made = connection.execute(insert(tables.tries).returning(_TRIES.id), rows)
            return list(made.scalars())

    def forget(self, numbers: Iterable[int]) -> None:
        """Take back failures that were none."""
        with self._database.write() as connection:
            connection.execute(delete(tables.tries).where(_TRIES.id.in_(list(numbers))))
