"""What the background work found last: one JSON value per campaign and kind."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import delete, insert, select

from rankwise.server.records import Json, KeptStanding
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

_TABLE = tables.standings


class KeptStandings:
    """A cache that outlives the process; losing it costs a recomputation and nothing else."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock

    def put(self, campaign_id: int, kind: str, judgments: int, content: Json) -> None:
        """Keep *content*, found over *judgments* judgments, in place of what stood there."""
        self.put_all(campaign_id, judgments, {kind: content})

    def put_all(self, campaign_id: int, judgments: int, contents: Mapping[str, Json]) -> None:
        """Keep several kinds at once, so that a reader never sees two snapshots mixed."""
        now = self._clock()
        rows: list[dict[str, Any]] = [
            {
                "campaign": campaign_id,
                "kind": kind,
                "judgments": judgments,
                "content": dict(content),
                "computed_at": now,
            }
            for kind, content in contents.items()
        ]
        if not rows:
            return
        old = delete(_TABLE).where(
            _TABLE.c.campaign == campaign_id, _TABLE.c.kind.in_(list(contents))
        )
        with self._database.write() as connection:
            connection.execute(old)
            connection.execute(insert(_TABLE), rows)

    def get(self, campaign_id: int, kind: str) -> KeptStanding | None:
        """What was kept last, or ``None`` before the first time."""
        query = self._query(campaign_id).where(_TABLE.c.kind == kind)
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else KeptStanding(**row._mapping)

    def all(self, campaign_id: int) -> dict[str, KeptStanding]:
        """Every kind of one campaign, as of one moment."""
        with self._database.read() as connection:
            rows = connection.execute(self._query(campaign_id)).all()
        return {row.kind: KeptStanding(**row._mapping) for row in rows}

    @staticmethod
    def _query(campaign_id: int) -> Any:
        columns = (_TABLE.c.kind, _TABLE.c.judgments, _TABLE.c.content, _TABLE.c.computed_at)
        return select(*columns).where(_TABLE.c.campaign == campaign_id)
