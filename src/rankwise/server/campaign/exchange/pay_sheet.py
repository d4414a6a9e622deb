"""What judges are paid by: their active time, screens and checks, one line each."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from rankwise.server.campaign.exchange.spreadsheets import guarded
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.records import Identity, Judge, StoredJudgment

_MINUTE, _HOUR = 60_000, 3_600_000
COLUMNS = (
    "judge",
    "name",
    "email",
    "parameters",
    "screens",
    "skipped",
    "checks",
    "checks_passed",
    "practice_minutes",
    "work_minutes",
    "minutes",
    "pay",
    "currency",
    "code",
    "excluded",
)


@dataclass(frozen=True, slots=True)
class Worked:
    """How long and how much one judge worked; times are milliseconds."""

    screens: int
    skipped: int
    checks: int
    checks_passed: int
    practice_ms: int
    work_ms: int

    @property
    def total_ms(self) -> int:
        """All active time, practice too."""
        return self.practice_ms + self.work_ms


def worked(judgments: Sequence[StoredJudgment]) -> Worked:
    """What one judge did: all *judgments* of the judge, those that were changed later too.

    Time is active time as it was recorded: the page's clock stands still while the page is hidden
    and after a minute without a sign of life, and the server takes no more than passed. Time spent
    on changing an answer counts, as does that of skips and of late answers nobody needed; two
    windows at once count once.
    """
    replaced = {one.supersedes for one in judgments}
    last = [one for one in judgments if one.id not in replaced and one.role != "tutorial"]
    checks = [one.details["check"] for one in last if "check" in one.details]
    return Worked(
        sum(one.kind == "answer" for one in last),
        sum(one.kind == "skip" for one in last),
        len(checks),
        sum(bool(check["passed"]) for check in checks),
        active_time([one for one in judgments if one.role == "tutorial"]),
        active_time([one for one in judgments if one.role != "tutorial"]),
    )


def active_time(judgments: Iterable[StoredJudgment]) -> int:
    """Active milliseconds, never more than passed while any of the screens was open."""
    spans = sorted((one.shown_at, one.received_at, one.active_ms) for one in judgments)
    passed, until = 0, 0
    for start, end, _ in spans:
        passed += max(0, end - max(start, until))
        until = max(until, end)
    return min(passed, sum(active for _, _, active in spans))


def code_of(plan: Plan, judge: Judge, who: Identity, done: Worked) -> str:
    """The code, or the address, of the judge's last page; empty where work goes on."""
    rules, failed = plan.recruiting, judge.tutorial_failed_at is not None
    quota = rules.screens_per_judge
    if not failed and (not quota or done.screens + done.skipped < quota):
        return ""
    passed = not failed and plan.passes(done.checks_passed, done.checks)
    return rules.redirect(who.parameters or {}, passed=passed) or rules.code(passed=passed)


def pay_sheet(
    plan: Plan,
    judges: Iterable[Judge],
    identities: Mapping[int, Identity],
    judgments: Iterable[StoredJudgment],
) -> str:
    """A CSV table of every person who judges, safe in a spreadsheet; machines are not paid.

    ``pay`` is empty without an hourly pay.

    *judgments* are all there are, those that were changed later too.
    """
    by_judge: dict[str, list[StoredJudgment]] = {}
    for one in judgments:
        by_judge.setdefault(one.judge, []).append(one)
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for judge in (one for one in judges if not one.is_machine):
        done = worked(by_judge.get(judge.pseudonym, []))
        who = identities.get(judge.id, Identity(judge.id))
        writer.writerow([guarded(cell) for cell in _row(plan, judge, who, done)])
    return out.getvalue()


def _row(plan: Plan, judge: Judge, who: Identity, done: Worked) -> list[str]:
    given = "&".join(f"{key}={value}" for key, value in (who.parameters or {}).items())
    pay = plan.pay_per_hour
    return [
        judge.pseudonym,
        who.name or "",
        who.email or "",
        given,
        *map(str, (done.screens, done.skipped, done.checks, done.checks_passed)),
        *(f"{ms / _MINUTE:.2f}" for ms in (done.practice_ms, done.work_ms, done.total_ms)),
        "" if pay is None else f"{pay * done.total_ms / _HOUR:.2f}",
        "" if pay is None else plan.currency,
        code_of(plan, judge, who, done),
        judge.excluded_reason or "",
    ]
