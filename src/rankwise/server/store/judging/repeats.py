"""Screens put to a judge twice, to see how far judges agree with themselves."""

from typing import Any

import numpy as np
from sqlalchemy import BigInteger, Connection, Row, bindparam, exists, select

from rankwise.server.records import PlannedScreen
from rankwise.server.store.campaigns.screens import insert_screens, slots_of
from rankwise.server.store.database import database_tables as tables

_JUDGMENTS, _SCREENS = tables.judgments.c, tables.screens.c

#: How many screens lie between at least, so that nobody answers from memory, and at most.
NEAREST, FARTHEST = 10, 200

_JUDGE = bindparam("judge_id", type_=BigInteger())
_again, _newer = tables.screens.alias("again"), tables.judgments.alias("newer")
_ANSWERED = (
    select(_JUDGMENTS.screen)
    .join(tables.screens, _JUDGMENTS.screen == _SCREENS.id)
    .where(
        _JUDGMENTS.judge == _JUDGE,
        _JUDGMENTS.kind == "answer",
        _SCREENS.role == "work",
        ~exists().where(_newer.c.supersedes == _JUDGMENTS.id),
        ~exists().where(_again.c.for_judge == _JUDGE, _again.c.repeats == _SCREENS.id),
    )
    .order_by(_JUDGMENTS.id.desc())
    .limit(FARTHEST)
)
_SCREEN = (
    select(_SCREENS.id.label("screen"), _SCREENS.slots, _SCREENS.payload, tables.segments.c.name)
    .join(tables.segments, _SCREENS.segment == tables.segments.c.id)
    .where(_SCREENS.id == bindparam("screen_id", type_=BigInteger()))
)


def add_repeat(
    connection: Connection, campaign_id: int, judge_id: int, *, seed: int, now: int
) -> Row[Any] | None:
    """A new screen that repeats one the judge answered, each at most once; ``None`` if none can."""
    found = connection.execute(_ANSWERED, {"judge_id": judge_id}).scalars().all()[NEAREST:]
    if not found:
        return None
    screen = found[int(np.random.default_rng(seed).integers(len(found)))]
    chosen = connection.execute(_SCREEN, {"screen_id": screen}).one()
    planned = PlannedScreen(
        chosen.name,
        slots_of(chosen.slots),
        "repeat",
        strategy="repeat",
        seed=seed,
        repeats=chosen.screen,
        for_judge=judge_id,
        payload=chosen.payload,
    )
    (made,) = insert_screens(connection, campaign_id, [planned], redundancy=1, now=now)
    return connection.execute(select(tables.screens).where(_SCREENS.id == made)).one()
