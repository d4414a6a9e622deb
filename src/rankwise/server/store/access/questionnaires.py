"""What judges answered to the questions before work: a table of its own, by pseudonym."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from rankwise.server.records import Json
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.database import Database

_TABLE = tables.questionnaires


class Questionnaires:
    """Answers of judges; they are erased with who the judge is."""

    def __init__(self, database: Database, clock: Callable[[], int]) -> None:
        self._database, self._clock = database, clock

    def keep(self, judge_id: int, answers: Json) -> None:
        """Keep a judge's answers, in place of earlier ones."""
        row = {"judge": judge_id, "answers": dict(answers), "answered_at": self._clock()}
        with self._database.write() as connection:
            erase_answers(connection, judge_id)
            connection.execute(insert(_TABLE), row)

    def of(self, judge_id: int) -> dict[str, Any] | None:
        """A judge's answers, or ``None``."""
        with self._database.read() as connection:
            found = select(_TABLE.c.answers).where(_TABLE.c.judge == judge_id)
            return connection.execute(found).scalar_one_or_none()

    def all(self, campaign_id: int) -> list[tuple[str, int, dict[str, Any]]]:
        """Pseudonym, time and answers of everybody who answered, in the order of invitation."""
        judges = tables.judges
        query = (
            select(judges.c.pseudonym, _TABLE.c.answered_at, _TABLE.c.answers)
            .select_from(_TABLE.join(judges))
            .where(judges.c.campaign == campaign_id)
            .order_by(judges.c.id)
        )
        with self._database.read() as connection:
            return [tuple(row) for row in connection.execute(query)]


def erase_answers(connection: Connection, judge_id: int) -> None:
    """Delete a judge's answers."""
    connection.execute(delete(_TABLE).where(_TABLE.c.judge == judge_id))
