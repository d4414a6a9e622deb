"""Screens as rows: what a question is made of, and how many more judges may get it."""

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, exists, insert, select, update

from rankwise.server.campaign.ask.lesson_screens import check_screens, tutorial_screens
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import PlannedScreen, Slot
from rankwise.server.store.campaigns.campaign_assets import assets_by_name
from rankwise.server.store.database import database_tables as tables

_TABLE = tables.screens
_SCREENS, _LEASES = tables.screens.c, tables.leases.c

#: Everybody gets a tutorial; this many is everybody.
_EVERYBODY = 2**30


def insert_screens(
    connection: Connection,
    campaign_id: int,
    planned: Iterable[PlannedScreen],
    *,
    redundancy: int | Sequence[int],
    now: int,
    remaining: int | None = None,
) -> list[int]:
    """Store screens that *redundancy* judges may get each; their numbers, in the given order.

    A list of *redundancy* has a number for every screen. *remaining* is how many more may get
    them: all, where it is not given.
    """
    screens = list(planned)
    judges = [redundancy] * len(screens) if isinstance(redundancy, int) else redundancy
    segments = _segments(connection, campaign_id, {s.segment for s in screens if s.segment})
    rows = [
        {
            "campaign": campaign_id,
            "segment": None if screen.segment is None else segments[screen.segment],
            "slots": [slot_json(slot) for slot in screen.slots],
            "role": screen.role,
            "repeats": screen.repeats,
            "for_judge": screen.for_judge,
            "remaining": times if remaining is None else remaining,
            "redundancy": times,
            "probability": screen.probability,
            "strategy": screen.strategy,
            "seed": screen.seed,
            "payload": None if screen.payload is None else dict(screen.payload),
            "created_at": now,
        }
        for screen, times in zip(screens, judges, strict=True)
    ]
    if not rows:
        return []
    order = insert(_TABLE).returning(_TABLE.c.id, sort_by_parameter_order=True)
    return [int(key) for key in connection.execute(order, rows).scalars()]


def _segments(connection: Connection, campaign_id: int, names: set[str]) -> dict[str, int]:
    columns = tables.segments.c
    query = select(columns.name, columns.id).where(
        columns.campaign == campaign_id, columns.name.in_(names)
    )
    return {row.name: row.id for row in connection.execute(query)}


def insert_tutorial(connection: Connection, campaign_id: int, plan: Plan, now: int) -> None:
    """The screens of a plan's tutorial, and of its organiser's own checks."""
    files = assets_by_name(connection, campaign_id)
    items = [*tutorial_screens(plan, files), *check_screens(plan, files)]
    insert_screens(connection, campaign_id, items, redundancy=_EVERYBODY, now=now)


def open_screens(campaign_id: int, role: str = "work") -> tuple[Any, ...]:
    """The conditions for the screens of a campaign that somebody may still get."""
    return (
        _SCREENS.campaign == campaign_id,
        _SCREENS.role == role,
        _SCREENS.remaining > 0,
        _SCREENS.withdrawn_at.is_(None),
    )


def of_person() -> Any:
    """Whether a lease is a person's: what machines do decides nothing about what is asked."""
    judges = tables.judges.c
    return exists().where(judges.id == _LEASES.judge, judges.kind == "person")


def is_issued() -> Any:
    """Whether somebody got a screen."""
    return exists().where(_LEASES.screen == _SCREENS.id, of_person())


def withdraw(connection: Connection, campaign_id: int, now: int) -> None:
    """Take back the screens of work that nobody got, so that others are chosen."""
    # a lease that is being taken just now is not visible yet, but its place is gone
    untouched = (_SCREENS.remaining == _SCREENS.redundancy, ~is_issued())
    old = update(_TABLE).where(*open_screens(campaign_id), *untouched)
    connection.execute(old.values(withdrawn_at=now))


def slot_json(slot: Slot) -> dict[str, Any]:
    """A slot as it is stored."""
    found = {"systems": list(slot.systems), "role": slot.role, "text": slot.text}
    return found if slot.texts is None else {**found, "texts": list(slot.texts)}


def slots_of(stored: Iterable[Mapping[str, Any]]) -> tuple[Slot, ...]:
    """Slots from their stored form."""
    return tuple(
        _slot(tuple(slot["systems"]), slot["role"], slot["text"], _texts(slot.get("texts")))
        for slot in stored
    )


def _texts(stored: list[str] | None) -> tuple[str, ...] | None:
    return None if stored is None else tuple(stored)


@functools.lru_cache(maxsize=100_000)
def _slot(
    systems: tuple[str, ...], role: Any, text: str | None, texts: tuple[str, ...] | None
) -> Slot:
    # few slots differ but for controls, and a campaign has many screens: share them
    return Slot(systems, role, text, texts)


def slots_from_text(stored: str) -> tuple[Slot, ...]:
    """Slots from the JSON text of their column."""
    return slots_of(json.loads(stored))
