"""Screens put to a judge twice, to see how far judges agree with themselves."""

from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, exists, select

from rankwise.server.records import PlannedScreen
from rankwise.server.store import tables
from rankwise.server.store.screens import insert_screens, slots_of

_JUDGMENTS, _SCREENS = tables.judgments.c, tables.screens.c

#: How many screens lie between at least, so that nobody answers from memory, and at most.
NEAREST, FARTHEST = 10, 200


def add_repeat(
    connection: Connection, campaign_id: int, judge_id: int, *, seed: int, now: int
) -> Row[Any] | None:
    """A new screen that repeats one the judge answered, each at most once; ``None`` if none can."""
    candidates = connection.execute(_answered(judge_id)).all()[NEAREST:]
    if not candidates:
        return None
    chosen = candidates[int(np.random.default_rng(seed).integers(len(candidates)))]
    planned = PlannedScreen(
        chosen.name,
        slots_of(chosen.slots),
        "repeat",
        strategy="repeat",
        seed=seed,
        repeats=chosen.screen,
        for_judge=judge_id,
    )
    (made,) = insert_screens(connection, campaign_id, [planned], redundancy=1, now=now)
    return connection.execute(select(tables.screens).where(_SCREENS.id == made)).one()


def _answered(judge_id: int) -> Any:
    again, newer = tables.screens.alias("again"), tables.judgments.alias("newer")
    repeated = exists().where(again.c.for_judge == judge_id, again.c.repeats == _SCREENS.id)
    joined = tables.judgments.join(tables.screens, _JUDGMENTS.screen == _SCREENS.id).join(
        tables.segments, _SCREENS.segment == tables.segments.c.id
    )
    return (
        select(_JUDGMENTS.screen, _SCREENS.slots, tables.segments.c.name)
        .select_from(joined)
        .where(
            _JUDGMENTS.judge == judge_id,
            _JUDGMENTS.kind == "answer",
            _SCREENS.role == "work",
            ~exists().where(newer.c.supersedes == _JUDGMENTS.id),
            ~repeated,
        )
        .order_by(_JUDGMENTS.id.desc())
        .limit(FARTHEST)
    )
