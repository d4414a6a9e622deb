"""What was judged so far: all judgments of a campaign as records, and counts of them."""

import functools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, exists, func, select, text

from rankwise.server.records import Floor, JudgeCounts, JudgeKind, OpenLease, StoredJudgment
from rankwise.server.store.campaigns.judgment_cache import JudgmentCache
from rankwise.server.store.campaigns.screens import slots_from_text
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.any_text import unescaped
from rankwise.server.store.database.database import Database
from rankwise.server.store.database.store_errors import NotFound

_JUDGMENTS, _LEASES, _SCREENS = tables.judgments.c, tables.leases.c, tables.screens.c
_MINUTE, _HOUR = 60_000, 3_600_000

# The columns in the order of StoredJudgment. JSON is read as text, because its values are few and
# parsing them once is what makes 100,000 judgments a matter of a second.
_QUERY = """
SELECT j.id, j.receipt, j.screen, s.role, s.repeats, g.name, {slots}, {shown}, p.pseudonym,
       p.excluded_at, j.kind, {answer}, j.comment, j.surplus, j.supersedes, j.shown_at,
       j.received_at, j.active_ms, s.probability, s.strategy, s.seed, {details}, {payload},
       p.kind
FROM judgments j
JOIN screens s ON s.id = j.screen
JOIN leases l ON l.id = j.lease
JOIN judges p ON p.id = j.judge
LEFT JOIN segments g ON g.id = s.segment
WHERE j.campaign = :campaign AND j.id > :since {conditions}
ORDER BY j.id
"""
_CURRENT = " AND NOT EXISTS (SELECT 1 FROM judgments n WHERE n.supersedes = j.id)"
_SEGMENT = " AND s.segment = :segment"
_BATCH = 5000


class JudgmentLog:
    """Judgments as they were stored; nothing here writes."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock
        self._cache = JudgmentCache(self._read)

    def stored(
        self,
        campaign_id: int,
        *,
        since: int = 0,
        superseded: bool = False,
        segment: str | None = None,
    ) -> Iterator[StoredJudgment]:
        """Every judgment that stands, in the order of arrival; with *superseded* also the others.

        *segment* leaves only those of one segment.

        Surplus, tutorials and excluded judges are there too, and marked. Judgments stay in memory,
        so that only new ones are read. *since* leaves out judgments up to that number; on
        PostgreSQL one with a lower number may be committed later, so what must be complete is
        read from 0.
        """
        with self._database.read() as connection:
            if segment is None:
                found = self._cache.judgments(connection, campaign_id, superseded=superseded)
            else:
                values = {"campaign": campaign_id, "since": since}
                values["segment"] = _segment_id(connection, campaign_id, segment)
                conditions = _SEGMENT + ("" if superseded else _CURRENT)
                found = list(self._stored(connection, conditions, values))
        return iter(found if since == 0 else [j for j in found if j.id > since])

    def first(self, campaign_id: int, limit: int) -> list[StoredJudgment]:
        """The first *limit* judgments in the order of arrival, superseded ones too.

        For a look at what there is: nothing else is read, and nothing kept in memory.
        """
        values = {"campaign": campaign_id, "since": 0, "limit": limit}
        with self._database.read() as connection:
            return list(self._stored(connection, "", values, end=" LIMIT :limit"))

    def _read(
        self, connection: Connection, campaign_id: int, since: int
    ) -> Iterator[StoredJudgment]:
        return self._stored(connection, "", {"campaign": campaign_id, "since": since})

    def _stored(
        self, connection: Connection, conditions: str, values: dict[str, int], end: str = ""
    ) -> Iterator[StoredJudgment]:
        as_text = "{}::text" if self._database.kind == "postgresql" else "{}"
        names = {"slots": "s", "shown": "l", "answer": "j", "details": "j", "payload": "s"}
        columns = {name: as_text.format(f"{of}.{name}") for name, of in names.items()}
        query = text(_QUERY.format(conditions=conditions, **columns) + end)
        loads = functools.lru_cache(maxsize=50_000)(json.loads)
        shown_of = functools.lru_cache(maxsize=50_000)(lambda stored: tuple(json.loads(stored)))
        segments_of = functools.lru_cache(maxsize=50_000)(_segments_of)
        options = {"stream_results": True, "yield_per": _BATCH}
        with connection.execute(query, values, execution_options=options) as rows:
            for row in rows:
                yield _judgment(row, slots_from_text, shown_of, loads, segments_of)

    def count(self, campaign_id: int, *, kind: JudgeKind = "person") -> int:
        """How many judgments of that *kind* stand that are answers, count, and are no tutorial."""
        newer = tables.judgments.alias("newer")
        query = (
            select(func.count())
            .select_from(
                tables.judgments.join(tables.screens, _JUDGMENTS.screen == _SCREENS.id).join(
                    tables.judges, _JUDGMENTS.judge == tables.judges.c.id
                )
            )
            .where(
                _JUDGMENTS.campaign == campaign_id,
                tables.judges.c.kind == kind,
                _JUDGMENTS.kind == "answer",
                _JUDGMENTS.surplus.is_(False),
                _SCREENS.role != "tutorial",
                ~exists().where(newer.c.supersedes == _JUDGMENTS.id),
            )
        )
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def last(self, campaign_id: int) -> int:
        """The number of the last judgment, 0 before the first; it changes with every one."""
        query = select(func.coalesce(func.max(_JUDGMENTS.id), 0)).filter_by(campaign=campaign_id)
        with self._database.read() as connection:
            return int(connection.execute(query).scalar_one())

    def judge_counts(self, campaign_id: int) -> dict[int, JudgeCounts]:
        """How much every judge of a campaign did, by the judge's number; tutorials left out."""
        query = text(
            """
            SELECT j.judge, SUM(CASE WHEN j.kind = 'answer' THEN 1 ELSE 0 END),
                   SUM(CASE WHEN j.kind = 'skip' THEN 1 ELSE 0 END),
                   SUM(CASE WHEN j.surplus THEN 1 ELSE 0 END),
                   SUM(j.active_ms), MAX(j.received_at)
            FROM judgments j JOIN screens s ON s.id = j.screen
            WHERE j.campaign = :campaign AND s.role <> 'tutorial' """
            + _CURRENT
            + " GROUP BY j.judge"
        )
        with self._database.read() as connection:
            rows = connection.execute(query, {"campaign": campaign_id}).all()
            opened = dict(self._open_by_judge(connection, campaign_id))
        done = {row[0]: JudgeCounts(*(int(value) for value in row[1:])) for row in rows}
        return {
            judge: replace(done.get(judge, JudgeCounts()), open_leases=opened.get(judge, 0))
            for judge in {*done, *opened}
        }

    @staticmethod
    def _open_by_judge(connection: Connection, campaign_id: int) -> Iterator[tuple[int, int]]:
        query = (
            select(_LEASES.judge, func.count())
            .join(tables.screens, _LEASES.screen == _SCREENS.id)
            .where(_LEASES.state == "open", _SCREENS.campaign == campaign_id)
            .group_by(_LEASES.judge)
        )
        for judge, count in connection.execute(query):
            yield int(judge), int(count)

    def mark(self, campaign_id: int) -> tuple[int, ...]:
        """Something that changes whenever results may: judgments, exclusions, texts, scores.

        On PostgreSQL a judgment with a lower number may be committed last, so they are counted.
        """
        query = text(
            """SELECT (SELECT COALESCE(MAX(id), 0) FROM judgments WHERE campaign = :campaign),
            (SELECT COUNT(*) FROM judgments WHERE campaign = :campaign),
            (SELECT COUNT(*) FROM judges WHERE campaign = :campaign AND excluded_at IS NOT NULL),
            (SELECT COALESCE(MAX(excluded_at), 0) FROM judges WHERE campaign = :campaign),
            (SELECT COUNT(*) FROM systems WHERE campaign = :campaign),
            (SELECT COALESCE(MAX(position), 0) FROM segments WHERE campaign = :campaign),
            (SELECT COALESCE(MAX(attached_at), 0) FROM attached_scores
             WHERE campaign = :campaign)"""
        )
        with self._database.read() as connection:
            row = connection.execute(query, {"campaign": campaign_id}).one()
        return tuple(int(value) for value in row)

    def open_leases(self, campaign_id: int) -> list[OpenLease]:
        """Who has which screen in hand, the one that ends next first."""
        query = (
            select(
                tables.judges.c.pseudonym.label("judge"),
                _LEASES.screen,
                _SCREENS.role,
                _LEASES.created_at,
                _LEASES.expires_at,
                tables.judges.c.kind,
            )
            .select_from(
                tables.leases.join(tables.screens, _LEASES.screen == _SCREENS.id).join(
                    tables.judges, _LEASES.judge == tables.judges.c.id
                )
            )
            .where(_LEASES.state == "open", _SCREENS.campaign == campaign_id)
            .order_by(_LEASES.expires_at)
        )
        with self._database.read() as connection:
            return [OpenLease(**row._mapping) for row in connection.execute(query)]

    def floor(self, campaign_id: int) -> Floor:
        """The campaign at this moment."""
        now = self._clock()
        with self._database.read() as connection:
            values = {"campaign": campaign_id, "now": now}
            found = [
                int(connection.execute(query, values).scalar_one()) for query in _FLOOR.values()
            ]
        return Floor(**dict(zip(_FLOOR, found, strict=True)))


_OF_EVERYBODY = """SELECT COUNT(*) FROM leases l JOIN screens s ON s.id = l.screen
    JOIN judges p ON p.id = l.judge WHERE s.campaign = :campaign AND """
_OF_CAMPAIGN = _OF_EVERYBODY + "p.kind = 'person' AND "
_FLOOR = {
    "open_leases": text(_OF_CAMPAIGN + "l.state = 'open' AND l.expires_at > :now"),
    "expiring": text(
        _OF_CAMPAIGN
        + f"l.state = 'open' AND l.expires_at > :now AND l.expires_at <= :now + {5 * _MINUTE}"
    ),
    # the index is on expires_at, and a lease ends after that
    "expired_last_hour": text(
        _OF_CAMPAIGN + f"l.state = 'expired' AND l.expires_at > :now - {_HOUR} - 600000"
        f" AND l.ended_at > :now - {_HOUR}"
    ),
    "saves_last_minute": text(
        f"""SELECT (SELECT COUNT(*) FROM (SELECT received_at, judge FROM judgments
            WHERE campaign = :campaign ORDER BY id DESC LIMIT 5000) recent
            JOIN judges p ON p.id = recent.judge
            WHERE p.kind = 'person' AND received_at > :now - {_MINUTE})
        + (SELECT COUNT(*) FROM drafts d JOIN leases l ON l.id = d.lease
            JOIN screens s ON s.id = l.screen
            WHERE s.campaign = :campaign AND d.saved_at > :now - {_MINUTE})"""
    ),
    "queued_screens": text(
        """SELECT COUNT(*) FROM screens WHERE campaign = :campaign AND role = 'work'
        AND remaining > 0 AND withdrawn_at IS NULL"""
    ),
    "machine_leases": text(
        _OF_EVERYBODY + "p.kind = 'machine' AND l.state = 'open' AND l.expires_at > :now"
    ),
}


def _segment_id(connection: Connection, campaign_id: int, name: str) -> int:
    same = {"campaign": campaign_id, "name": name}
    query = select(tables.segments.c.id).filter_by(**same)
    found = connection.execute(query).scalar_one_or_none()
    if found is None:
        raise NotFound(f"there is no segment {name!r}")
    return int(found)


def _segments_of(payload: str | None) -> tuple[str, ...]:
    """The segments of a document's screen; other screens have none there."""
    return () if payload is None else tuple((json.loads(payload) or {}).get("segments", ()))


def _judgment(
    row: Any, slots_of: Any, shown_of: Any, loads: Any, segments_of: Any
) -> StoredJudgment:
    values = list(row)
    values[5] = None if values[5] is None else unescaped(values[5])
    values[6] = slots_of(values[6])
    values[7] = shown_of(values[7])
    values[9] = values[9] is not None
    values[11] = loads(values[11])
    values[12] = None if values[12] is None else unescaped(values[12])
    values[13] = bool(values[13])
    values[21] = loads(values[21])
    values[22] = segments_of(values[22])
    return StoredJudgment(*values)
