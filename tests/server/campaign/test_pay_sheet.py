"""The pay sheet: honest time, screens, checks and codes, a line for every judge."""

import csv

from rankwise.server.campaign.exchange.pay_sheet import active_time, pay_sheet, worked
from rankwise.server.records import Identity, Judge
from server.campaign.made import make_plan, stored

ANSWER = {"ranks": [1, 2]}


def done(number, *, shown_at, minutes, active, **more):
    ends = shown_at + minutes * 60_000
    times = {"shown_at": shown_at, "received_at": ends, "active_ms": active * 60_000}
    return stored(number, ["a", "b"], ANSWER, **times, **more)


def check(passed):
    return {"check": {"passed": passed, "tries": 1, "right": passed}}


def sheet(plan, judges, who, judgments):
    return list(csv.DictReader(pay_sheet(plan, judges, who, judgments).splitlines()))


def test_time_is_active_time_and_two_windows_count_once():
    one = done(1, shown_at=0, minutes=10, active=4)
    assert active_time([one, done(2, shown_at=600_000, minutes=10, active=9)]) == 13 * 60_000
    both = [done(n, shown_at=0, minutes=10, active=9) for n in (1, 2)]
    assert active_time(both) == 10 * 60_000
    assert active_time([]) == 0


def test_changes_are_paid_and_counted_as_one_screen():
    found = worked(
        [
            done(1, shown_at=0, minutes=5, active=2, role="tutorial"),
            done(2, shown_at=300_000, minutes=5, active=3),
            done(3, shown_at=600_000, minutes=5, active=1, supersedes=2),
            done(4, shown_at=900_000, minutes=5, active=4, kind="skip"),
            done(5, shown_at=1_200_000, minutes=5, active=4, role="control", details=check(True)),
        ]
    )
    assert (found.screens, found.skipped, found.checks, found.checks_passed) == (2, 1, 1, 1)
    assert (found.practice_ms, found.work_ms) == (2 * 60_000, 12 * 60_000)


def test_a_line_for_everybody_with_pay_and_code():
    plan = make_plan(
        pay_per_hour=15.0,
        check_pass=0.5,
        recruiting={"screens_per_judge": 1, "code_pass": "=GOOD", "code_fail": "BAD"},
    )
    names = ("ann", "bob", "cat", "dan")
    judges = [Judge(n, 1, name, "x", 0) for n, name in enumerate(names, 1)]
    judges.append(Judge(5, 1, "eve", "x", 0, tutorial_failed_at=1, excluded_reason="+fast"))
    who = {1: Identity(1, "=1+1", "a@example.org"), 2: Identity(2, parameters={"PID": "7"})}
    rows = sheet(
        plan,
        judges,
        who,
        [
            done(1, shown_at=0, minutes=20, active=10, judge="ann"),
            done(
                2,
                shown_at=0,
                minutes=20,
                active=4,
                judge="bob",
                role="control",
                details=check(False),
            ),
            done(3, shown_at=0, minutes=2, active=2, judge="cat", role="tutorial"),
        ],
    )
    assert [row["code"] for row in rows] == ["'=GOOD", "BAD", "", "", "BAD"]
    assert [row["pay"] for row in rows] == ["2.50", "1.00", "0.50", "0.00", "0.00"]
    assert [row["minutes"] for row in rows] == ["10.00", "4.00", "2.00", "0.00", "0.00"]
    assert (rows[0]["name"], rows[1]["parameters"]) == ("'=1+1", "PID=7")
    assert (rows[4]["excluded"], rows[0]["currency"]) == ("'+fast", "EUR")


def test_an_address_stands_in_place_of_the_code():
    there = {"redirect_fail": "https://example.org/?who={PID}", "code_fail": "BAD"}
    judge, who = (
        Judge(1, 1, "ann", "x", 0, tutorial_failed_at=1),
        Identity(1, parameters={"PID": "7"}),
    )
    (row,) = sheet(make_plan(recruiting=there), [judge], {1: who}, [])
    assert row["code"] == "https://example.org/?who=7"


def test_without_an_hourly_pay_there_is_none():
    (row,) = sheet(make_plan(), [Judge(1, 1, "ann", "x", 0)], {}, [])
    assert (row["pay"], row["currency"], row["minutes"]) == ("", "", "0.00")
