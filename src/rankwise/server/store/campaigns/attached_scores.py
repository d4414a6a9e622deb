"""Scores of a metric that an organiser attached to a campaign: one table of them at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sqlalchemy import Connection, delete, insert, select

from rankwise.server.store.campaigns.events import Events
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database
from rankwise.types import ScoreTable

_TABLE = tables.attached_scores


class AttachedScores:
    """The scores beside which people's judgments are surer."""

    def __init__(self, database: Database, clock: Callable[[], int], events: Events) -> None:
        self._database, self._clock, self._events = database, clock, events

    def attach(self, campaign_id: int, scores: ScoreTable, *, actor: str) -> None:
        """Keep *scores* in place of those that were there; see ``campaign_scores``."""
        values = [[None if np.isnan(v) else v for v in row] for row in scores.values.tolist()]
        row = {
            "campaign": campaign_id,
            "name": scores.name,
            "systems": list(scores.systems),
            "segments": list(scores.segments),
            "scores": values,
            "attached_at": self._clock(),
        }
        details = {"name": scores.name, "systems": len(values), "segments": len(scores.segments)}
        with self._database.write() as connection:
            self._take_away(connection, campaign_id)
            connection.execute(insert(_TABLE), row)
            what: dict[str, Any] = {"campaign": campaign_id, "details": details}
            self._events.record(connection, actor, "campaign.scores", **what)

    def remove(self, campaign_id: int, *, actor: str) -> bool:
        """Take them away; whether there were any."""
        with self._database.write() as connection:
            if not self._take_away(connection, campaign_id):
                return False
            self._events.record(connection, actor, "campaign.no-scores", campaign=campaign_id)
        return True

    @staticmethod
    def _take_away(connection: Connection, campaign_id: int) -> bool:
        """Whether there were any; what was computed with them goes too."""
        gone = connection.execute(delete(_TABLE).where(_TABLE.c.campaign == campaign_id))
        kept = tables.standings.c
        old = delete(tables.standings).where(kept.campaign == campaign_id, kept.kind == "powered")
        connection.execute(old)
        return gone.rowcount > 0

    def get(self, campaign_id: int) -> ScoreTable | None:
        """The scores, or ``None``."""
        with self._database.read() as connection:
            row = connection.execute(select(_TABLE).filter_by(campaign=campaign_id)).one_or_none()
        if row is None:
            return None
        values = np.array(row.scores, np.float64).reshape(len(row.systems), len(row.segments))
        return ScoreTable(tuple(row.systems), tuple(row.segments), values, row.name)
