"""Whether a control was passed, which place on the page was liked best, and patterns of answers."""

from collections.abc import Mapping, Sequence

from rankwise.server.campaign.protocols import Ordered, Protocol, Valued
from rankwise.server.records import StoredJudgment


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
    at least as many outputs as it is put below. Where the control is alone on its screen, it is
    compared with the judge's median value (*usual*, by judge). A skipped control says nothing.
    """
    if judgment.kind == "skip":
        return None
    values = slot_values(rules, judgment)
    for slot, value in zip(judgment.slots, values, strict=True):
        if slot.role == "TGT":
            continue
        others = _against(judgment, slot.role, slot.systems, values)
        if not others and judgment.judge in usual:
            others = [usual[judgment.judge]]
        if not others:
            return None
        if slot.role == "BAD":
            return all(value < other for other in others)
        return sum(value > other for other in others) >= sum(value < other for other in others)
    return None


def _against(
    judgment: StoredJudgment, role: str, systems: Sequence[str], values: Sequence[float]
) -> list[float]:
    """The values that the control is compared with: its original, or all real outputs."""
    return [
        value
        for slot, value in zip(judgment.slots, values, strict=True)
        if slot.role == "TGT" and (role == "REF" or set(systems) & set(slot.systems))
    ]


def best_places(values: Sequence[float], shown: Sequence[int]) -> list[float] | None:
    """How the place of the best text is shared out over the page; ``None`` if all are equal.

    >>> best_places([1.0, 3.0, 3.0], (2, 0, 1))
    [0.5, 0.0, 0.5]
    """
    best = max(values)
    count = values.count(best) if isinstance(values, list) else list(values).count(best)
    if count == len(values):
        return None
    return [1 / count if values[slot] == best else 0.0 for slot in shown]


def pattern(rules: Protocol, judgment: StoredJudgment) -> str:
    """The answer in the order shown, as text: what straight-lining repeats."""
    answer = rules.reorder(judgment.answer, judgment.shown, back=False)
    cells = [
        " ".join(map(str, value)) if isinstance(value, list) else str(value)
        for value in answer.values()
    ]
    return " / ".join(cells)
