"""How evenly a campaign is asked: pairs of systems, early against late, and coverage with alarms.

In 2016 a bug in WMT's sampler put only the first third of the test set before judges, and it was
found afterwards. The alarm here would have said so after a few dozen screens.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import plain, uneven
from rankwise.server.campaign.standings.contents import (
    Alarm,
    CoveragePanel,
    CoveredPart,
    Extremes,
    HeatPanel,
    ShownSystem,
)
from rankwise.server.records import StoredJudgment
from rankwise.types import Judgments, TestSet

#: A part alarms when chance is this unlikely to make it so uneven, and it has less than half of
#: its share.
SIGNIFICANT = 0.001
LEAST_SHARE = 0.5
#: The strategy of screens that were asked elsewhere: their order on the page is not known.
IMPORTED = "imported"
_PARTS = 10
_ENOUGH = 5

Codes = NDArray[np.int64]


def heat(judgments: Judgments, order: Sequence[str]) -> HeatPanel:
    """Comparisons of every two systems (S, S): in the first half of the judgments, in the second.

    ``wins[i][j]`` is how often system i was better than j, ``ties[i][j]`` how often they were
    tied. Two systems with one text are no comparison.
    """
    place = {name: number for number, name in enumerate(order)}
    pairs = judgments.pairs(within_outputs=False)
    codes = np.array([place.get(name, -1) for name in judgments.systems], np.int64)
    left, right = codes[pairs.left], codes[pairs.right]
    known = (left >= 0) & (right >= 0)
    left, right, sign = left[known], right[known], pairs.sign[known]
    is_late = pairs.ranking[known] >= len(judgments) // 2
    size = len(order)
    early, late = (_both(left[m], right[m], size) for m in (~is_late, is_late))
    better = np.where(sign > 0, left, right) * size + np.where(sign > 0, right, left)
    wins = np.bincount(better[sign != 0], minlength=size**2).reshape(size, size)
    return {
        "systems": list(order),
        "n_early": len(judgments) // 2,
        "n_late": len(judgments) - len(judgments) // 2,
        "all": (early + late).tolist(),
        "early": early.tolist(),
        "late": late.tolist(),
        "wins": wins.tolist(),
        "ties": _both(left[sign == 0], right[sign == 0], size).tolist(),
    }


def _both(left: Codes, right: Codes, size: int) -> NDArray[np.int64]:
    counts = np.bincount(left * size + right, minlength=size * size).reshape(size, size)
    return np.asarray(counts + counts.T, np.int64)


def coverage(plan: Plan, testset: TestSet, judgments: Sequence[StoredJudgment]) -> CoveragePanel:
    """What was judged how often against an even share, and an alarm where that cannot be chance.

    Segments are taken by tenths of the test set (``position``), documents and domains as they are
    called; systems alarm below the coverage floor once there was room for it, and with uniform
    selection when they are uneven. ``page`` counts how often each system stood at each place of
    the screen: an uneven row would be a fault in the shuffling.
    """
    shown = Counter(judgment.segment for judgment in judgments)
    counts = np.array([shown.get(segment.id, 0) for segment in testset.segments], np.int64)
    parts = {
        "position": _tenths(counts),
        "document": _groups(counts, [segment.document for segment in testset.segments]),
        "domain": _groups(counts, [segment.domain for segment in testset.segments]),
    }
    systems, page = _systems(testset, judgments)
    alarms = [alarm for name, rows in parts.items() for alarm in _alarms(name, rows)]
    alarms += _system_alarms(plan, systems, len(judgments))
    panel: CoveragePanel = {
        "n": len(judgments),
        "alarm": " ".join(alarm["message"] for alarm in alarms) or None,
        "alarms": alarms,
        "p": _p(parts["position"]),
        "segments": _extremes(counts),
        "thirds": [int(part.sum()) for part in np.array_split(counts, 3)],
        "tenths": parts["position"],
        "documents": {
            "total": len(parts["document"]),
            "seen": sum(1 for row in parts["document"] if row["n"]),
        },
        "domains": parts["domain"],
        "systems": systems,
        "positions": [sum(column) for column in zip(*page.values(), strict=True)],
        "page": page,
    }
    return plain(panel)


def _extremes(counts: Codes) -> Extremes:
    return {
        "total": len(counts),
        "seen": int((counts > 0).sum()),
        "least": int(counts.min()) if len(counts) else 0,
        "median": float(np.median(counts)) if len(counts) else 0.0,
        "most": int(counts.max(initial=0)),
    }


def _p(rows: Sequence[CoveredPart]) -> float:
    pooled = _pooled(rows)
    return uneven([row["n"] for row in pooled], [row["segments"] for row in pooled])


def _pooled(rows: Sequence[CoveredPart]) -> list[CoveredPart]:
    """Neighbouring parts put together until an even share is five or more, as the test needs it."""
    found: list[CoveredPart] = []
    for row in rows:
        if found and found[-1]["even_share"] < _ENOUGH:
            found[-1] = _joined(found[-1], row, found[-1]["name"].partition(" to ")[0])
        else:
            found.append(row)
    if len(found) > 1 and found[-1]["even_share"] < _ENOUGH:
        rest = found.pop()
        found[-1] = _joined(found[-1], rest, found[-1]["name"])
    return found


def _joined(one: CoveredPart, other: CoveredPart, first: str) -> CoveredPart:
    """Two neighbouring parts as one, from the part called *first* on."""
    return {
        "name": f"{first} to {other['name']}",
        "n": one["n"] + other["n"],
        "segments": one["segments"] + other["segments"],
        "even_share": one["even_share"] + other["even_share"],
    }


def _tenths(counts: Codes) -> list[CoveredPart]:
    """Judgments of equal parts of the test set, in its order."""
    found = []
    first = 1
    for part in np.array_split(counts, min(_PARTS, max(len(counts), 1))):
        last = first + len(part) - 1
        found.append(_row(f"{first}–{last}", int(part.sum()), len(part), counts))
        first = last + 1
    return found


def _groups(counts: Codes, names: Sequence[str | None]) -> list[CoveredPart]:
    sums: dict[str, list[int]] = {}
    for name, count in zip(names, counts.tolist(), strict=True):
        if name is not None:
            entry = sums.setdefault(name, [0, 0])
            entry[0] += count
            entry[1] += 1
    return [_row(name, judged, size, counts) for name, (judged, size) in sums.items()]


def _row(name: str, judged: int, size: int, counts: Codes) -> CoveredPart:
    share = float(counts.sum()) * size / max(len(counts), 1)
    return {"name": name, "n": judged, "segments": size, "even_share": share}


def _alarms(what: str, rows: Sequence[CoveredPart]) -> list[Alarm]:
    """One alarm for a way to divide the test set, naming the parts with too little."""
    p = _p(rows)
    short = [row for row in _pooled(rows) if row["n"] < LEAST_SHARE * row["even_share"]]
    if p >= SIGNIFICANT or not short:
        return []
    names = ", ".join(str(row["name"]) for row in short[:5])
    more = f" and {len(short) - 5} more" if len(short) > 5 else ""
    sentence = (
        f"Judgments are spread unevenly by {what}: {names}{more} have less than half of an even "
        f"share (p = {p:.1g})."
    )
    return [{"what": what, "p": p, "message": sentence}]


def _systems(
    testset: TestSet, judgments: Sequence[StoredJudgment]
) -> tuple[list[ShownSystem], dict[str, list[int]]]:
    number = {name: code for code, name in enumerate(testset.systems)}
    known = [judgment for judgment in judgments if judgment.strategy != IMPORTED]
    others = [judgment for judgment in judgments if judgment.strategy == IMPORTED]
    page, elsewhere = _places(number, known), _places(number, others).sum(axis=1)
    totals = (page.sum(axis=1) + elsewhere).tolist()
    rows = dict(zip(number, page.tolist(), strict=True))
    share = sum(totals) / max(len(number), 1)
    systems: list[ShownSystem] = [
        {"name": name, "n": total, "even_share": share, "page_p": uneven(row)}
        for (name, row), total in zip(rows.items(), totals, strict=True)
    ]
    return systems, rows


def _places(number: dict[str, int], judgments: Sequence[StoredJudgment]) -> NDArray[np.int64]:
    """How often (systems, places) each system stood at each place of the page."""
    widest = max((len(judgment.slots) for judgment in judgments), default=0)
    cells = [
        number[name] * widest + place
        for judgment in judgments
        for place, slot in enumerate(judgment.shown)
        for name in judgment.slots[slot].systems
        if name in number
    ]
    counts = np.bincount(np.array(cells, np.int64), minlength=len(number) * widest)
    return np.asarray(counts, np.int64).reshape(len(number), widest)


def _system_alarms(plan: Plan, rows: Sequence[ShownSystem], n: int) -> list[Alarm]:
    found: list[Alarm] = []
    missing = [row["name"] for row in rows if row["n"] < plan.coverage_floor]
    # the floor needs so many screens before the strategy may choose
    if missing and not plan.rules.is_scalar and n > 2 * plan.coverage_floor * len(rows):
        names = ", ".join(missing[:5])
        message = f"Below the coverage floor of {plan.coverage_floor}: {names}."
        found.append({"what": "system", "p": None, "message": message})
    p = uneven([row["n"] for row in rows])
    short = [row for row in rows if row["n"] < LEAST_SHARE * row["even_share"]]
    if plan.strategy.startswith("uniform") and p < SIGNIFICANT and short:
        names = ", ".join(row["name"] for row in short[:5])
        message = f"Systems with less than half of an even share: {names} (p = {p:.1g})."
        found.append({"what": "system", "p": p, "message": message})
    worst = min(rows, key=lambda row: row["page_p"], default=None)
    if worst is not None and worst["page_p"] * len(rows) < SIGNIFICANT:
        message = f"{worst['name']} stands unevenly at the places of the page; see the shuffling."
        found.append({"what": "page", "p": worst["page_p"], "message": message})
    return found
