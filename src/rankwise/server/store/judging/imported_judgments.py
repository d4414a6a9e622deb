"""Judgments that were made elsewhere, as if they had been made here."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, insert, select

from rankwise.server.records import FinishedJudgment, JudgeKind
from rankwise.server.store.access.judges import insert_judge
from rankwise.server.store.access.tokens import new_token, token_hash, token_prefix
from rankwise.server.store.campaigns.screens import insert_screens
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.database.store_errors import AlreadyImported

#: The action of an import in the audit trail.
IMPORT = "campaign.import"


def refuse_second_import(connection: Connection, campaign_id: int, digest: str) -> None:
    """Raise if an earlier import into this campaign said the same, in whatever format."""
    query = select(tables.events.c.details).filter_by(campaign=campaign_id, action=IMPORT)
    for details in connection.execute(query).scalars():
        if details.get("sha256") == digest:
            raise AlreadyImported(
                f"these {details['judgments']} judgments were imported into this campaign already"
            )


def add_finished(
    connection: Connection, campaign_id: int, finished: Iterable[FinishedJudgment], *, now: int
) -> int:
    """Store finished judgments; how many.

    Every name becomes a judge with a random pseudonym whose link is revoked, the name its identity.
    Every judgment gets a screen that nobody else may get, and a lease that is done.
    """
    every = list(finished)
    judges = {
        who: _judge(connection, campaign_id, *who, now)
        for who in dict.fromkeys((one.judge, one.judge_kind) for one in every)
    }
    planned = [one.screen for one in every]
    screens = insert_screens(connection, campaign_id, planned, redundancy=1, remaining=0, now=now)
    if not every:
        return 0
    times = [now if one.received_at is None else one.received_at for one in every]
    rows = [
        _lease(screen, judges[one.judge, one.judge_kind], one, at)
        for screen, one, at in zip(screens, every, times, strict=True)
    ]
    made = insert(tables.leases).returning(tables.leases.c.id, sort_by_parameter_order=True)
    leases = list(connection.execute(made, rows).scalars())
    connection.execute(
        insert(tables.judgments),
        [
            _judgment(campaign_id, row, lease, one, at)
            for row, lease, one, at in zip(rows, leases, every, times, strict=True)
        ],
    )
    return len(every)


def _judge(connection: Connection, campaign_id: int, name: str, kind: JudgeKind, now: int) -> int:
    token = new_token()
    row = {
        "campaign": campaign_id,
        "link_hash": token_hash(token),
        "link_prefix": token_prefix(token),
        "created_at": now,
        "revoked_at": now,
        "settings": {},
        "kind": kind,
    }
    judge = insert_judge(connection, row)
    connection.execute(insert(tables.identities), {"judge": judge, "name": name})
    return judge


def _lease(screen: int, judge: int, one: FinishedJudgment, at: int) -> dict[str, Any]:
    shown = one.details.get("shown")
    return {
        "token": new_token(),
        "screen": screen,
        "judge": judge,
        "replicate": 0,
        "shown": list(range(len(one.screen.slots))) if shown is None else list(shown),
        "state": "done",
        "created_at": at - one.active_ms,
        "expires_at": at,
        "ended_at": at,
    }


def _judgment(
    campaign_id: int, lease: dict[str, Any], lease_id: int, one: FinishedJudgment, at: int
) -> dict[str, Any]:
    details = {key: value for key, value in one.details.items() if key != "shown"}
    return {
        "receipt": new_token(),
        "lease": lease_id,
        "campaign": campaign_id,
        "screen": lease["screen"],
        "judge": lease["judge"],
        "kind": one.kind,
        "answer": dict(one.answer),
        "comment": one.comment,
        "surplus": False,
        "shown_at": at - one.active_ms,
        "received_at": at,
        "active_ms": one.active_ms,
        "details": {**details, "imported": True},
    }
