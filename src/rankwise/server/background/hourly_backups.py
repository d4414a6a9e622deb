"""Backups by the server itself: every hour, in a folder of their own, old ones thinned out."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rankwise.errors import StoreError
from rankwise.server.store.database.backup import backup
from rankwise.server.store.database.database import Database

HOURS, DAYS = 24, 14
_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"rankwise-(\d{8}T\d{6}Z)\.zip")


def back_up(database: Database, folder: Path, now: datetime) -> Path | None:
    """Write a backup of *database* into *folder*, unless there is one of the last hour."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = {path.name for path in folder.iterdir()}
        if any(now - made < timedelta(hours=1) for made in _times(there).values()):
            return None
        path = folder / backup_name(now)
        backup(database, path)
        for name in outdated({*there, path.name}, now):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot write a backup to {folder}: {error.strerror or error}") from error
    return path


def backup_name(now: datetime) -> str:
    """The name of a backup made *now*.

    >>> backup_name(datetime(2026, 11, 15, 14, 2, 11, tzinfo=UTC))
    'rankwise-20261115T140211Z.zip'
    """
    return f"rankwise-{now:{_STAMP}}.zip"


def outdated(names: Iterable[str], now: datetime) -> set[str]:
    """Which backups may go: all but the last of each of 24 hours and of each of 14 days.

    Files with other names are nobody's business here.

    >>> now = datetime(2026, 11, 15, 14, tzinfo=UTC)
    >>> old = [backup_name(now - timedelta(days=days, hours=4)) for days in (2, 2.1, 20)]
    >>> sorted(outdated([*old, "notes.txt"], now))
    ['rankwise-20261026T100000Z.zip', 'rankwise-20261113T073600Z.zip']
    """
    times = _times(names)
    kept: dict[str, str] = {}
    for name, made in sorted(times.items(), key=lambda item: item[1]):
        if now - made <= timedelta(hours=HOURS):
            kept[f"{made:%Y%m%d %H}"] = name
        if now - made <= timedelta(days=DAYS):
            kept[f"{made:%Y%m%d}"] = name
    return set(times) - set(kept.values())


def _times(names: Iterable[str]) -> dict[str, datetime]:
    found = {}
    for name in names:
        match = _NAME.fullmatch(name)
        if match:
            found[name] = datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC)
    return found
