"""The people of a campaign, by pseudonym: how much, how fast, how well, and flags with evidence.

A flag is a reason to look, never a verdict; excluding somebody stays a person's decision.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.plan.protocol_kinds import Protocol
from rankwise.server.campaign.shares import Share, plain, share, uneven
from rankwise.server.campaign.standings.campaign_agreement import AgreementByJudge
from rankwise.server.campaign.standings.contents import JudgeRow, JudgesPanel
from rankwise.server.campaign.standings.evenness import IMPORTED
from rankwise.server.campaign.standings.verdicts import (
    best_places,
    control_passed,
    pattern,
    slot_values,
)
from rankwise.server.records import StoredJudgment

#: A screen is too fast below this share of the campaign's median time, and below two seconds.
FAST_SHARE, FASTEST_MS = 0.25, 2000
#: How many screens or controls a flag needs before it says anything.
ENOUGH, ENOUGH_CONTROLS = 10, 4
_STRAIGHT_ENOUGH = 20


@dataclass(slots=True)
class _WorkTally:
    """What one judge did."""

    judge: str
    is_excluded: bool = False
    screens: Counter[str] = field(default_factory=Counter)
    skips: int = 0
    surplus: int = 0
    comments: int = 0
    active: list[int] = field(default_factory=list)
    last_at: int = 0
    tied: int = 0
    pairs: int = 0
    all_equal: int = 0
    places: dict[int, list[float]] = field(default_factory=dict)
    patterns: Counter[tuple[float, ...]] = field(default_factory=Counter)
    controls: list[bool] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


def people(
    plan: Plan,
    current: Sequence[StoredJudgment],
    agreement: AgreementByJudge,
    *,
    is_paced: bool = True,
) -> JudgesPanel:
    """Every judge with counts, times, controls, agreement, ties, position bias and flags.

    Nobody is flagged for being fast unless *is_paced*.
    """
    tallies = _tallies(plan.rules, current)
    _count_controls(plan.rules, current, tallies)
    times = [time for tally in tallies.values() for time in tally.active]
    usual = median(times) if times else 0.0
    limit = usual if is_paced else None
    rows = [_row(plan, tally, agreement, limit) for _, tally in sorted(tallies.items())]
    panel: JudgesPanel = {
        "n": len(current),
        "median_s": usual / 1000 if times else None,
        "control_kind": plan.control_kind,
        "rows": rows,
        "flagged": sum(1 for row in rows if row["flags"]),
        "excluded": sum(1 for row in rows if row["is_excluded"]),
    }
    return plain(panel)


def _tallies(rules: Protocol, current: Sequence[StoredJudgment]) -> dict[str, _WorkTally]:
    groups: dict[str, list[StoredJudgment]] = {}
    for judgment in current:
        if judgment.role != "tutorial":
            groups.setdefault(judgment.judge, []).append(judgment)
    return {judge: _tally(rules, judge, own) for judge, own in groups.items()}


def _tally(rules: Protocol, judge: str, own: Sequence[StoredJudgment]) -> _WorkTally:
    answers = [judgment for judgment in own if judgment.kind == "answer"]
    usual = [judgment for judgment in answers if judgment.role != "control"]
    found = _WorkTally(
        judge,
        is_excluded=any(judgment.is_excluded for judgment in own),
        screens=Counter([judgment.role for judgment in own]),
        skips=len(own) - len(answers),
        surplus=sum([judgment.surplus for judgment in own]),
        comments=sum([bool(judgment.comment) for judgment in own]),
        active=[judgment.active_ms for judgment in answers],
        last_at=max(judgment.received_at for judgment in own),
        patterns=_patterns(rules, [one for one in usual if one.strategy != IMPORTED]),
    )
    _count_patterns(found, found.patterns, order_is_known=True)
    imported = _patterns(rules, [one for one in usual if one.strategy == IMPORTED])
    _count_patterns(found, imported, order_is_known=False)
    return found


def _patterns(rules: Protocol, judgments: Sequence[StoredJudgment]) -> Counter[tuple[float, ...]]:
    return Counter([_values_shown(rules, judgment) for judgment in judgments])


def _values_shown(rules: Protocol, judgment: StoredJudgment) -> tuple[float, ...]:
    """The values in the order shown."""
    found = slot_values(rules, judgment)
    return tuple([found[slot] for slot in judgment.shown])


def _count_patterns(
    tally: _WorkTally, patterns: Counter[tuple[float, ...]], *, order_is_known: bool
) -> None:
    """Ties, best places and values follow from how often each pattern occurred."""
    for values, times in patterns.items():
        size, kinds = len(values), set(values)
        tally.values += values * times
        counts = [values.count(value) for value in kinds]
        tally.tied += times * sum(n * (n - 1) // 2 for n in counts)
        tally.pairs += times * (size * (size - 1) // 2)
        tally.all_equal += times * (size > 1 and len(kinds) == 1)
        shares = best_places(values) if size > 1 and order_is_known else None
        if shares is not None:
            sums = tally.places.setdefault(size, [0.0] * size)
            for place, part in enumerate(shares):
                sums[place] += times * part


def _count_controls(
    rules: Protocol, current: Sequence[StoredJudgment], tallies: dict[str, _WorkTally]
) -> None:
    usual = {name: median(tally.values) for name, tally in tallies.items() if tally.values}
    for judgment in current:
        if judgment.role == "control":
            passed = control_passed(rules, judgment, usual)
            if passed is not None:
                tallies[judgment.judge].controls.append(passed)


def _row(
    plan: Plan, tally: _WorkTally, agreement: AgreementByJudge, usual: float | None
) -> JudgeRow:
    rules = plan.rules
    places = max(tally.places.values(), key=sum, default=[])
    bias = uneven(places)
    controls = share(sum(tally.controls), len(tally.controls))
    tied = share(tally.tied, tally.pairs)
    others, own = agreement.with_others(tally.judge), agreement.with_self(tally.judge)
    return {
        "judge": tally.judge,
        "is_excluded": tally.is_excluded,
        "excluded_reason": None,
        "screens": dict(tally.screens),
        "n": sum(tally.screens.values()),
        "skips": tally.skips,
        "surplus": tally.surplus,
        "comments": tally.comments,
        "active_ms": sum(tally.active),
        "median_s": median(tally.active) / 1000 if tally.active else None,
        "last_at": tally.last_at,
        "controls_passed": sum(tally.controls),
        "controls": len(tally.controls),
        "controls_low": controls["low"],
        "controls_high": controls["high"],
        "kappa_others": others.value,
        "kappa_others_low": others.low,
        "kappa_others_high": others.high,
        "kappa_others_n": others.n,
        "kappa_self": own.value,
        "kappa_self_low": own.low,
        "kappa_self_high": own.high,
        "kappa_self_n": own.n,
        "agreement_measure": others.measure or own.measure,
        "tie_rate": tied["value"],
        "tie_rate_low": tied["low"],
        "tie_rate_high": tied["high"],
        "tie_rate_n": tied["n"],
        "all_equal": tally.all_equal,
        "position_p": bias if places else None,
        "position_best": places,
        "flags": [
            *([] if usual is None else _pace_flags(tally, usual)),
            *_pattern_flags(rules, tally),
            *_control_flags(controls, plan.check_pass),
            *_position_flags(places, bias),
        ],
    }


def _pace_flags(tally: _WorkTally, usual: float) -> list[str]:
    limit = max(FASTEST_MS, FAST_SHARE * usual)
    fast = sum(time < limit for time in tally.active)
    if len(tally.active) < ENOUGH or fast <= 0.2 * len(tally.active):
        return []
    return [f"Too fast: {fast} of {len(tally.active)} screens took less than {limit / 1000:.1f} s"]


def _pattern_flags(rules: Protocol, tally: _WorkTally) -> list[str]:
    answers = sum(tally.patterns.values())
    said, often = tally.patterns.most_common(1)[0] if answers else ((), 0)
    if answers < _STRAIGHT_ENOUGH or often <= 0.5 * answers:
        return []
    shown = pattern(rules, said)
    return [f"Straight-lining: {often} of {answers} answers are {shown} in the order shown"]


def _control_flags(controls: Share, mark: float) -> list[str]:
    if controls["n"] and controls["part"] < mark * controls["n"]:
        passed = f"{controls['part']} of {controls['n']} controls passed"
        return [f"Below the pass mark of {mark:.0%}: {passed}"]
    high = controls["high"]
    if high is None or controls["n"] < ENOUGH_CONTROLS or high >= 0.8:
        return []
    return [f"Failed controls: {controls['part']} of {controls['n']} controls passed"]


def _position_flags(places: list[float], bias: float) -> list[str]:
    if sum(places) < ENOUGH or bias >= 0.001:
        return []
    shares = ", ".join(f"{part / sum(places):.0%}" for part in places)
    return [f"Position bias: the best text stood at the places in {shares} (p = {bias:.1g})"]
