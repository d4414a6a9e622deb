"""Judgments that were read before: rows never change, so only new ones are read again."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from sqlalchemy import BigInteger, Connection, bindparam, func, select

from rankwise.server.records import StoredJudgment
from rankwise.server.store.database import database_tables as tables

_CAMPAIGN = bindparam("campaign_id", type_=BigInteger())
_COUNT = (
    select(func.count())
    .select_from(tables.judgments)
    .where(tables.judgments.c.campaign == _CAMPAIGN)
)
_EXCLUDED = select(tables.judges.c.pseudonym).where(
    tables.judges.c.campaign == _CAMPAIGN, tables.judges.c.excluded_at.is_not(None)
)

#: Reads the judgments of a campaign with numbers above one that is given.
Read = Callable[[Connection, int, int], Iterable[StoredJudgment]]


@dataclass(slots=True)
class _Kept:
    """All judgments of a campaign so far, which of them were replaced, and who is excluded."""

    judgments: list[StoredJudgment] = field(default_factory=list)
    replaced: set[int] = field(default_factory=set)
    excluded: frozenset[str] = frozenset()

    def add(self, judgments: Iterable[StoredJudgment]) -> None:
        new = list(judgments)
        self.judgments += new
        self.replaced.update(j.supersedes for j in new if j.supersedes is not None)


#: The judgments of so many campaigns stay in memory, those that were asked for last.
CAMPAIGNS = 4


class JudgmentCache:
    """The judgments of a few campaigns, as of the transaction that asks.

    On PostgreSQL a judgment with a lower number may be committed after one with a higher number.
    The count shows it, and then everything is read again.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._kept: dict[int, _Kept] = {}
        self._guard = threading.Lock()

    def judgments(
        self, connection: Connection, campaign_id: int, *, superseded: bool
    ) -> list[StoredJudgment]:
        """Every judgment of a campaign in order; those that were replaced only if *superseded*."""
        values = {"campaign_id": campaign_id}
        with self._guard:
            count = int(connection.execute(_COUNT, values).scalar_one())
            excluded = frozenset(connection.execute(_EXCLUDED, values).scalars())
            kept = self._kept.pop(campaign_id, _Kept())
            if len(kept.judgments) != count:
                last = kept.judgments[-1].id if kept.judgments else 0
                kept.add(self._read(connection, campaign_id, last))
            if len(kept.judgments) != count:
                kept = _Kept()
                kept.add(self._read(connection, campaign_id, 0))
            self._keep(campaign_id, kept)
            _mark(kept, excluded)
            if superseded:
                return list(kept.judgments)
            return [j for j in kept.judgments if j.id not in kept.replaced]

    def _keep(self, campaign_id: int, kept: _Kept) -> None:
        """Keep it as the newest, and the oldest no longer."""
        self._kept[campaign_id] = kept
        while len(self._kept) > CAMPAIGNS:
            del self._kept[next(iter(self._kept))]


def _mark(kept: _Kept, excluded: frozenset[str]) -> None:
    """Judgments say whether their judge is excluded; that may have changed since."""
    changed = kept.excluded ^ excluded
    if changed:
        kept.judgments = [
            replace(j, is_excluded=j.judge in excluded) if j.judge in changed else j
            for j in kept.judgments
        ]
    kept.excluded = excluded
