"""Scores of slow metrics in one SQLite file, so that nothing is computed twice.

A score is kept under all that decides it: the signature of the metric and the hash of its model,
and a hash of the texts. So it is never out of date, and any number of programs may share the file
(each write is a transaction of its own; who finds the file in use waits). A file that grows over
its limit loses the scores that were not used for the longest time.
"""

import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rankwise.errors import DataError, StoreError
from rankwise.io.files import StrPath
from rankwise.io.named_sets.set_places import own_folder

#: How many bytes the file may have unless somebody says otherwise.
USUAL_LIMIT = 1 << 30
#: How long a program waits for another one that writes, in seconds.
PATIENCE = 60.0

_FORMAT = 0x52575343  # "RWSC", which tells the file from other databases
_AT_ONCE = 500  # values in one question; SQLite takes 999 or more
_STAYS = 0.8  # of the limit, what is left after scores were dropped
_TABLES = """
CREATE TABLE IF NOT EXISTS models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS scores (
    model INTEGER NOT NULL, texts BLOB NOT NULL, score REAL NOT NULL, used INTEGER NOT NULL,
    PRIMARY KEY (model, texts)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
"""


class KeptModel(NamedTuple):
    """What is kept of one metric with one model: its name, how many scores, and the last use."""

    name: str
    scores: int
    used: int


@dataclass(frozen=True, slots=True)
class ScoreCache:
    """Scores by metric and texts in the file at *path*; without one, in the user's cache folder."""

    path: StrPath = field(default_factory=lambda: own_folder() / "scores.sqlite")

    @contextmanager
    def opened(self) -> Iterator["OpenScores"]:
        """The same for much work: the file is opened once."""
        with self._connected() as database:
            yield OpenScores(database)

    def found(self, model: str, keys: Sequence[bytes]) -> dict[bytes, float]:
        """The scores that are kept under *keys*, of those that are; they count as used today."""
        with self.opened() as scores:
            return scores.found(model, keys)

    def keep(self, model: str, scores: Mapping[bytes, float]) -> None:
        """Keep scores, each under its key; over the limit, others are dropped."""
        with self.opened() as kept:
            kept.keep(model, scores)

    @property
    def is_there(self) -> bool:
        """Whether anything was ever kept."""
        return Path(self.path).exists()

    def models(self) -> list[KeptModel]:
        """What is kept of every metric, the last used first."""
        if not self.is_there:
            return []
        with self._opened() as database:
            rows = database.execute(
                "SELECT name, count(texts), max(used) FROM models JOIN scores ON model = id "
                "GROUP BY name ORDER BY max(used) DESC, name"
            )
            return [KeptModel(*row) for row in rows]

    @property
    def size(self) -> int:
        """How many bytes the scores take."""
        if not self.is_there:
            return 0
        with self._opened() as database:
            return _size(database)

    @property
    def limit(self) -> int:
        """How many bytes they may take."""
        if not self.is_there:
            return USUAL_LIMIT
        with self._opened() as database:
            return _limit(database)

    def limit_to(self, size: int) -> None:
        """Let them take *size* bytes at most, from now on; what is over that is dropped."""
        if size < 0:
            raise DataError(f"a limit of {size} bytes; expected 0 or more")
        with self._opened() as database:
            database.execute("INSERT OR REPLACE INTO settings VALUES ('limit', ?)", [size])
            if _size(database) > size:
                _drop(database)
        self._shrink()

    def clear(self, model: str | None = None) -> int:
        """Forget all scores, or those of metrics whose name begins with *model*; says how many.

        A file that is no cache of scores is left as it is.
        """
        if not self.is_there:
            return 0
        with self._opened() as database:
            rows = database.execute("SELECT id, name FROM models").fetchall()
            chosen = [number for number, name in rows if model is None or _is_of(name, model)]
            count = 0
            for number in chosen:
                done = database.execute("DELETE FROM scores WHERE model = ?", [number])
                count += done.rowcount
                database.execute("DELETE FROM models WHERE id = ?", [number])
        self._shrink()
        return count

    def _shrink(self) -> None:
        """Give back what the file does not need, unless another program is at it."""
        with self._connected() as database, suppress(sqlite3.OperationalError):
            database.execute("VACUUM")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """The database in a transaction of its own."""
        with self._connected() as database, _transaction(database):
            yield database

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        path = Path(self.path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            database = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
            try:
                _prepare(database, path)
                yield database
            finally:
                database.close()
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"{path}: the kept scores cannot be used: {error}; --no-cache does without them, "
                "and $RANKWISE_CACHE names another folder"
            ) from error


class OpenScores:
    """Kept scores in a file that stays open."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def found(self, model: str, keys: Sequence[bytes]) -> dict[bytes, float]:
        """The scores that are kept under *keys*, of those that are; they count as used today."""
        found: dict[bytes, float] = {}
        with _transaction(self._database) as database:
            number, today = _number(database, model), _today()
            for some in _parts(keys) if number is not None else ():
                marks = ",".join("?" * len(some))
                where = f"model = ? AND texts IN ({marks})"
                rows = database.execute(
                    f"SELECT texts, score, used FROM scores WHERE {where}", [number, *some]
                ).fetchall()
                found |= {key: score for key, score, _ in rows}
                if any(used < today for *_, used in rows):
                    database.execute(
                        f"UPDATE scores SET used = ? WHERE {where}", [today, number, *some]
                    )
        return found

    def keep(self, model: str, scores: Mapping[bytes, float]) -> None:
        """Keep scores, each under its key; over the limit, others are dropped."""
        with _transaction(self._database) as database:
            database.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", [model])
            number, today = _number(database, model), _today()
            database.executemany(
                "INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?)",
                [(number, key, score, today) for key, score in scores.items()],
            )
            if _size(database) > _limit(database):
                _drop(database)

    @contextmanager
    def opened(self) -> Iterator["OpenScores"]:
        """Itself: it is open."""
        yield self


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Work that is done as a whole or not at all."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def size_of(text: str) -> int:
    """A number of bytes as people write it.

    >>> size_of("500MB"), size_of("2 GB"), size_of("0")
    (500000000, 2000000000, 0)
    """
    units = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
    number = text.strip().upper().rstrip("KMGTB ")
    unit = text.strip().upper()[len(number) :].strip()
    try:
        size = float(number) * units[unit]
    except (ValueError, KeyError):
        size = -1.0
    if not 0 <= size < 2**62:
        raise DataError(f"found the size {text!r}; expected a number with B, KB, MB, GB or TB")
    return round(size)


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    """The tables of a new file; a file of something else is an error."""
    database.execute("PRAGMA synchronous = NORMAL")
    if _format(database) == _FORMAT:
        return
    database.execute("BEGIN IMMEDIATE")  # from here on no other program makes them too
    found = _format(database)
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if found != _FORMAT and (found or tables):
        raise StoreError(f"{path}: is a database of something else; expected kept scores")
    for statement in _TABLES.split(";"):
        database.execute(statement)
    database.execute(f"PRAGMA application_id = {_FORMAT}")
    database.execute("COMMIT")
    with suppress(sqlite3.OperationalError):  # then another program has just done it
        database.execute("PRAGMA journal_mode = WAL")


def _format(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA application_id").fetchone()[0])


def _number(database: sqlite3.Connection, model: str) -> int | None:
    row = database.execute("SELECT id FROM models WHERE name = ?", [model]).fetchone()
    return None if row is None else int(row[0])


def _is_of(name: str, wanted: str) -> bool:
    return name == wanted or name.startswith((f"{wanted}:", f"{wanted} "))


def _size(database: sqlite3.Connection) -> int:
    """How many bytes of the file are in use."""
    facts = ("page_count", "freelist_count", "page_size")
    pages, free, size = (int(database.execute(f"PRAGMA {f}").fetchone()[0]) for f in facts)
    return (pages - free) * size


def _limit(database: sqlite3.Connection) -> int:
    row = database.execute("SELECT value FROM settings WHERE name = 'limit'").fetchone()
    return USUAL_LIMIT if row is None else int(row[0])


def _drop(database: sqlite3.Connection) -> None:
    """Drop the scores that were not used for the longest time, some more than need be."""
    (count,) = database.execute("SELECT count(*) FROM scores").fetchone()
    wanted = _limit(database) * _STAYS
    surplus = count if wanted == 0 else int(count * (1 - min(1.0, wanted / _size(database)))) + 1
    database.execute(
        "DELETE FROM scores WHERE (model, texts) IN "
        "(SELECT model, texts FROM scores ORDER BY used, texts LIMIT ?)",
        [surplus],
    )
    database.execute("DELETE FROM models WHERE id NOT IN (SELECT DISTINCT model FROM scores)")


def _today() -> int:
    """Now, to the day: a score that is used often is not written each time."""
    return int(time.time()) // 86_400 * 86_400


def _parts(keys: Sequence[bytes]) -> Iterator[list[bytes]]:
    rest = iter(keys)
    while some := list(islice(rest, _AT_ONCE)):
        yield some
