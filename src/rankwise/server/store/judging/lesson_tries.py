"""Tutorial items and checks: an answer that is not right may be tried again, and it is noted."""

from typing import Any

from sqlalchemy import BigInteger, Connection, Row, bindparam, exists, insert, select

from rankwise.server.campaign.plan.lesson_rules import text_values
from rankwise.server.campaign.plan.lessons import TutorialItem
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.standings.verdicts import saw_through
from rankwise.server.records import Json, Retry, Submission
from rankwise.server.store.campaigns.screens import slots_of
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.judging.tasks import tutorial_from

_HINT = "One of these texts was spoilt on purpose. Read them again, slowly."
_ATTEMPTS = (
    select(tables.attempts)
    .where(tables.attempts.c.lease == bindparam("lease_id", type_=BigInteger()))
    .order_by(tables.attempts.c.id)
)
_newer = tables.judgments.alias("newer")
_RESULTS = (
    select(tables.judgments.c.details)
    .select_from(
        tables.judgments.join(tables.screens, tables.judgments.c.screen == tables.screens.c.id)
    )
    .where(
        tables.judgments.c.judge == bindparam("judge_id", type_=BigInteger()),
        tables.screens.c.role == bindparam("role"),
        ~exists().where(_newer.c.supersedes == tables.judgments.c.id),  # a change counts once
    )
)
_TUTORIAL_RESULTS = _RESULTS.where(tables.judgments.c.lease > tutorial_from())


def looked_at(
    connection: Connection, plan: Plan, lease: Row[Any], sent: Submission, answer: Json, now: int
) -> Retry | dict[str, Any]:
    """What to note with an answer, by its key in the details; or hints, while tries are left.

    ``lesson`` or ``check``: whether the first answer was right (``passed``), how many tries it
    took, whether the last one is right. The same answer sent once more, because no reply came,
    costs no try; the time it took tells it from one that was given again.
    """
    if lease.role not in ("tutorial", "control") or sent.kind == "skip":
        return {}
    if lease.supersedes is not None:
        return _noted_before(connection, lease.supersedes)
    hints = _mistakes(plan, lease, answer)
    if hints is None:
        return {}
    before = connection.execute(_ATTEMPTS, {"lease_id": lease.id}).all()
    tries = plan.tutorial_tries if lease.role == "tutorial" else plan.check_tries
    if before and _is_resent(before[-1], sent, answer):
        return Retry((before[-1].hint,), tries - len(before))
    if hints and len(before) + 1 < tries:
        row: dict[str, Any] = {
            "lease": lease.id,
            "answer": dict(answer),
            "hint": " ".join(hints),
            "at": now,
        }
        row["active_ms"] = sent.active_ms
        connection.execute(insert(tables.attempts), row)
        return Retry((row["hint"],), tries - len(before) - 1)
    noted = {"passed": not hints and not before, "tries": len(before) + 1, "right": not hints}
    if _item(plan, lease) is not None and lease.role == "control":
        noted["own"] = True
    return {"lesson" if lease.role == "tutorial" else "check": noted}


def _is_resent(last: Row[Any], sent: Submission, answer: Json) -> bool:
    return last.active_ms == sent.active_ms and dict(last.answer) == dict(answer)


def _noted_before(connection: Connection, judgment_id: int) -> dict[str, Any]:
    """A change keeps what was noted about the first answer."""
    found = select(tables.judgments.c.details).where(tables.judgments.c.id == judgment_id)
    details = connection.execute(found).scalar_one()
    return {key: details[key] for key in ("lesson", "check") if key in details}


def tutorial_result(connection: Connection, judge_id: int) -> tuple[int, int]:
    """How many items of the tutorial a judge got right in the end, and how many were answered."""
    return _result(connection, judge_id, "tutorial", "lesson", "right")


def check_result(connection: Connection, judge_id: int) -> tuple[int, int]:
    """How many checks a judge passed at the first try, and how many there were."""
    return _result(connection, judge_id, "control", "check", "passed")


def _result(
    connection: Connection, judge_id: int, role: str, key: str, what: str
) -> tuple[int, int]:
    query = _TUTORIAL_RESULTS if role == "tutorial" else _RESULTS
    rows = connection.execute(query, {"judge_id": judge_id, "role": role}).scalars().all()
    noted = [row.get(key) for row in rows if key in row or role == "tutorial"]
    return sum(bool(one and one[what]) for one in noted), len(noted)


def _item(plan: Plan, lease: Row[Any]) -> TutorialItem | None:
    number = (lease.payload or {}).get("number")
    items = plan.tutorial if lease.role == "tutorial" else plan.checks
    return None if number is None else items[number]


def _mistakes(plan: Plan, lease: Row[Any], answer: Json) -> tuple[str, ...] | None:
    """Hints about an answer, none if it is right; ``None`` where nobody can say."""
    item = _item(plan, lease)
    if item is not None:
        return item.mistakes(plan.rules, answer)
    values = _values(plan, answer)
    found = saw_through(slots_of(lease.slots), values)
    return None if found is None else (() if found else (_HINT,))


def _values(plan: Plan, answer: Json) -> list[float]:
    if not plan.rules.is_document:
        return text_values(plan.rules, answer)
    rows = range(1, len(answer["segments"]) + 1)
    every = [text_values(plan.rules, answer, row) for row in rows]
    return [sum(column) / len(column) for column in zip(*every, strict=True)]
