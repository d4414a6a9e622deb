"""Storing a judgment exactly once: the lease is the key, and nothing is ever changed or lost."""

from typing import Any, NamedTuple

from sqlalchemy import (
    CTE,
    BigInteger,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from rankwise.errors import DataError
from rankwise.server.campaign.plan.document_protocols import Documented
from rankwise.server.campaign.plan.lessons import TutorialItem
from rankwise.server.campaign.plan.outputs.given_spans import GivenSpans
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocols import validate_skip
from rankwise.server.phrases import Phrase
from rankwise.server.records import Json, Receipt, Retry, Submission
from rankwise.server.store.access.tokens import new_token
from rankwise.server.store.campaigns.campaigns import Campaign
from rankwise.server.store.database import database_tables as tables
from rankwise.server.store.judging import leases
from rankwise.server.store.judging import lesson_tries as lessons
from rankwise.server.store.judging.tasks import screen_given, screen_texts
from rankwise.types import TestSet

_JUDGMENTS = tables.judgments.c


class _Place(NamedTuple):
    """Where a judgment belongs: late work nobody needs is surplus; a revision names the last."""

    surplus: bool
    supersedes: int | None = None
    revises: str | None = None


_BY_LEASE = select(tables.judgments).where(_JUDGMENTS.lease == bindparam("lease_id"))
_DROP_DRAFT = delete(tables.drafts).where(tables.drafts.c.lease == bindparam("lease_id"))


def _one(name: str) -> CTE:
    """The judgment that is asked about, to begin a chain with."""
    asked = bindparam("judgment_id", type_=BigInteger())
    columns = (_JUDGMENTS.id, _JUDGMENTS.supersedes)
    return select(*columns).where(_JUDGMENTS.id == asked).cte(name, recursive=True)


def _last_of_chain() -> Select[Any]:
    newer, later = _one("newer"), tables.judgments.alias("later").c
    found = newer.union_all(
        select(later.id, later.supersedes).where(later.supersedes == newer.c.id)
    )
    after = tables.judgments.alias("after").c
    is_last = ~exists().where(after.supersedes == _JUDGMENTS.id)
    return select(tables.judgments).where(_JUDGMENTS.id.in_(select(found.c.id)), is_last)


def _length_of_chain() -> Select[Any]:
    older, before = _one("older"), tables.judgments.alias("before").c
    found = older.union_all(
        select(before.id, before.supersedes).where(before.id == older.c.supersedes)
    )
    return select(func.count() - 1).select_from(found)


# one question each, for others wait meanwhile: a chain may be long
_CURRENT, _REVISIONS = _last_of_chain(), _length_of_chain()


def replay(
    connection: Connection, campaign: Campaign, lease: Row[Any], sent: Submission
) -> Receipt:
    """The receipt of a lease that was answered before, and whether something else is sent now."""
    row = connection.execute(_BY_LEASE, {"lease_id": lease.id}).one()
    said = _feedback(campaign.plan, lease, row.kind, row.answer)
    differs = _differs(campaign.plan, sent, lease.shown, row)
    return Receipt(row.receipt, row.received_at, row.surplus, True, said, differs)


def _differs(plan: Plan, sent: Submission, shown: list[int], stored: Row[Any]) -> bool:
    try:
        answer = _normal(plan, sent, shown)
    except DataError:
        return True
    found = (sent.kind, _alone(plan, sent.kind, answer), sent.comment or None)
    kept = _alone(plan, stored.kind, stored.answer)
    return found != (stored.kind, kept, stored.comment)


def _alone(plan: Plan, kind: str, answer: Json) -> Json:
    """What a judge said, without what was given to begin with."""
    rules = plan.rules
    if kind == "answer" and isinstance(rules, Documented):
        return rules.with_given(answer, None)
    return dict(answer)


def store(
    connection: Connection,
    campaign: Campaign,
    testset: TestSet,
    given: GivenSpans,
    lease: Row[Any],
    sent: Submission,
    now: int,
) -> Receipt | Retry:
    """Store what was sent for a lease that has no judgment yet; or say why to try again.

    Errors that were *given* are kept beside those that the judge leaves.
    """
    answer, rules = _normal(campaign.plan, sent, lease.shown), campaign.plan.rules
    if sent.kind == "answer" and rules.is_document:
        rules.fits(answer, screen_texts(testset, lease))
    if sent.kind == "answer" and isinstance(rules, Documented):
        answer = rules.with_given(answer, screen_given(testset, given, lease))
    lesson = lessons.looked_at(connection, campaign.plan, lease, sent, answer, now)
    if isinstance(lesson, Retry):
        return lesson
    is_skip = sent.kind == "skip"
    place = _place(connection, campaign, lease, is_skip=is_skip)
    received = max(now, lease.created_at)  # a clock that was set back makes no negative times
    active = max(0, min(sent.active_ms, received - lease.created_at))
    row = {
        "receipt": new_token(),
        "lease": lease.id,
        "campaign": campaign.id,
        "screen": lease.screen,
        "judge": lease.judge,
        "kind": sent.kind,
        "answer": answer,
        "comment": sent.comment or None,
        "surplus": place.surplus,
        "supersedes": place.supersedes,
        "shown_at": lease.created_at,
        "received_at": received,
        "active_ms": active,
        "details": _details(sent, active, place) | lesson,
    }
    connection.execute(insert(tables.judgments), row)
    leases.end_lease(connection, lease.id, "done", received)
    connection.execute(_DROP_DRAFT, {"lease_id": lease.id})
    if lease.role == "tutorial":
        _finish_tutorial(connection, campaign, lease.judge, received)
    feedback = _feedback(campaign.plan, lease, sent.kind, answer)
    return Receipt(str(row["receipt"]), received, place.surplus, False, feedback)


def current(connection: Connection, judgment_id: int) -> Row[Any]:
    """The last revision of a judgment."""
    return connection.execute(_CURRENT, {"judgment_id": judgment_id}).one()


def revisions(connection: Connection, judgment_id: int) -> int:
    """How many judgments a judgment has replaced, one after the other."""
    return int(connection.execute(_REVISIONS, {"judgment_id": judgment_id}).scalar_one())


def _normal(plan: Plan, sent: Submission, shown: list[int]) -> Json:
    if sent.kind == "skip":
        return validate_skip(sent.answer)
    answer = plan.rules.validate(sent.answer, len(shown))
    return plan.rules.reorder(answer, shown, back=True)


def _details(sent: Submission, active: int, place: _Place) -> dict[str, Any]:
    found = dict(sent.details)
    if active != sent.active_ms:
        found["active_ms_sent"] = sent.active_ms
    if place.revises is not None:
        found["revises"] = place.revises
    return found


def _place(connection: Connection, campaign: Campaign, lease: Row[Any], *, is_skip: bool) -> _Place:
    if lease.judge_kind == "machine":
        return _of_machine(connection, campaign, lease)
    if lease.supersedes is not None:
        return _revision(connection, campaign, lease, is_skip=is_skip)
    if lease.role == "tutorial":
        return _Place(surplus=False)
    if lease.state != "open":
        is_late = campaign.state == "closed" or leases.has_other(connection, lease)
        if is_late or not leases.take(connection, lease.screen):
            return _Place(surplus=True)
    elif campaign.state == "closed":
        leases.give_back(connection, lease.screen)
        return _Place(surplus=True)
    if is_skip:
        leases.pass_on(connection, lease.screen)
    return _Place(surplus=False)


def _of_machine(connection: Connection, campaign: Campaign, lease: Row[Any]) -> _Place:
    """A machine takes no place and gives none back, whatever it says."""
    if lease.supersedes is None:
        is_late = campaign.state == "closed" or leases.has_other(connection, lease)
        return _Place(surplus=is_late)
    last = current(connection, lease.supersedes)
    if campaign.state == "closed":
        return _Place(surplus=True, revises=last.receipt)
    return _Place(surplus=bool(last.surplus), supersedes=last.id)


def _revision(
    connection: Connection, campaign: Campaign, lease: Row[Any], *, is_skip: bool
) -> _Place:
    """A revision replaces the last one; once the campaign is closed it stands beside it."""
    last = current(connection, lease.supersedes)
    if campaign.state == "closed":
        return _Place(surplus=True, revises=last.receipt)
    surplus = bool(last.surplus)
    if last.kind == "skip" and not is_skip:
        has_place = leases.unskip(connection, lease.screen) or leases.take(connection, lease.screen)
        surplus = surplus or not has_place
    elif last.kind == "answer" and is_skip and not surplus:
        leases.pass_on(connection, lease.screen)
    return _Place(surplus=surplus, supersedes=last.id)


def _feedback(plan: Plan, lease: Row[Any], kind: str, answer: Json) -> str | None:
    if lease.role != "tutorial":
        return None
    item: TutorialItem = plan.tutorial[lease.payload["number"]]
    if kind == "skip":
        return item.feedback
    is_right = not item.mistakes(plan.rules, answer)
    if is_right:
        return Phrase("That is our answer too. {why}", why=item.feedback)
    return Phrase("We would answer otherwise. {why}", why=item.feedback)


def _finish_tutorial(connection: Connection, campaign: Campaign, judge_id: int, now: int) -> None:
    """Note that all items are done, and whether too few of them were right in the end."""
    if leases.tutorial_screen(connection, campaign.id, judge_id) is not None:
        return
    right, done = lessons.tutorial_result(connection, judge_id)
    failed = right < campaign.plan.tutorial_pass * done
    values = {"tutorial_done_at": now, "tutorial_failed_at": now if failed else None}
    mine = update(tables.judges).where(tables.judges.c.id == judge_id)
    connection.execute(mine.values(**values))
