"""Whether a control was passed, which place on the page was liked best, and patterns of answers."""

from collections.abc import Mapping, Sequence

from rankwise.server.campaign.plan.protocol_kinds import Ordered, Protocol, Valued
from rankwise.server.records import Slot, StoredJudgment


def slot_values(rules: Protocol, judgment: StoredJudgment) -> list[float]:
    """A number per slot, higher is better: values as they are, ranks with a minus."""
    if isinstance(rules, Valued):
        return rules.values(judgment.answer)
    if isinstance(rules, Ordered):
        return [-float(rank) for rank in rules.ranks(judgment.answer)]
    raise TypeError(rules)


def control_passed(
    rules: Protocol, judgment: StoredJudgment, usual: Mapping[str, float]
) -> bool | None:
    """Whether the judge saw through the control of a screen; ``None`` if it cannot be said.

    A degraded output must be put below the output it was made from. A reference must be put above
    more outputs than it is put below, which all equal is not. Where the control is alone on its
    screen, it is compared with the judge's median value (*usual*, by judge). A skipped control says
    nothing.
    """
    if judgment.kind == "skip":
        return None
    noted = judgment.details.get("check", {})
    if noted.get("tries", 1) > 1 or "own" in noted:
        return bool(noted["passed"])  # a hint was given, or the organiser's rules decided
    values = slot_values(rules, judgment)
    return saw_through(judgment.slots, values, usual.get(judgment.judge))


def saw_through(
    slots: Sequence[Slot], values: Sequence[float], usual: float | None = None
) -> bool | None:
    """The same of values by slot, with the judge's median value where the control is alone.

    >>> slots = (Slot(("a",), "BAD"), Slot(("a",)), Slot(("b",)))
    >>> saw_through(slots, [10, 50, 5]), saw_through(slots, [60, 50, 90])
    (True, False)
    """
    for slot, value in zip(slots, values, strict=True):
        if slot.role == "TGT":
            continue
        others = _against(slots, slot.role, slot.systems, values)
        if not others and usual is not None:
            others = [usual]
        if not others:
            return None
        if slot.role == "BAD":
            return all(value < other for other in others)
        return sum(value > other for other in others) > sum(value < other for other in others)
    return None


def _against(
    slots: Sequence[Slot], role: str, systems: Sequence[str], values: Sequence[float]
) -> list[float]:
    """The values that the control is compared with: its original, or all real outputs."""
    return [
        value
        for slot, value in zip(slots, values, strict=True)
        if slot.role == "TGT" and (role == "REF" or set(systems) & set(slot.systems))
    ]


def best_places(values: Sequence[float]) -> list[float] | None:
    """How the best text's place on the page is shared out; ``None`` if all texts are equal.

    *values* are in the order shown.

    >>> best_places([3.0, 1.0, 3.0])
    [0.5, 0.0, 0.5]
    """
    best = max(values)
    count = sum([value == best for value in values])
    if count == len(values):
        return None
    return [1 / count if value == best else 0.0 for value in values]


def pattern(rules: Protocol, values: Sequence[float]) -> str:
    """Values in the order shown as a person reads them: what straight-lining repeats."""
    return " ".join(f"{value if rules.is_scalar else -value:g}" for value in values)
