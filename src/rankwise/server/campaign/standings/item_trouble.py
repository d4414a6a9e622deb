"""The items of a campaign: where judges disagree, take long, skip or comment."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from rankwise.server.campaign.shares import plain
from rankwise.server.campaign.standings.contents import ItemRow, ItemsPanel
from rankwise.server.records import StoredJudgment
from rankwise.types import TestSet


def items(
    testset: TestSet,
    current: Sequence[StoredJudgment],
    disagreement: Mapping[str, tuple[float, int]],
    measure: str,
) -> ItemsPanel:
    """Every segment that was judged, by falling disagreement; those without one come last.

    *disagreement* is a number and what it was found on, by segment: the share of pairs of labels
    that differ, or the mean deviation of values.
    """
    groups: dict[str, list[StoredJudgment]] = {}
    for judgment in current:
        if judgment.segment is not None:
            groups.setdefault(judgment.segment, []).append(judgment)
    places = {segment.id: place for place, segment in enumerate(testset.segments)}
    rows = [
        _row(name, places.get(name), found, disagreement.get(name))
        for name, found in groups.items()
    ]
    rows.sort(key=lambda row: (row["disagreement"] is None, -(row["disagreement"] or 0.0)))
    panel: ItemsPanel = {"n": len(current), "measure": measure, "rows": rows}
    return plain(panel)


def _row(
    name: str,
    place: int | None,
    found: Sequence[StoredJudgment],
    disagreement: tuple[float, int] | None,
) -> ItemRow:
    times = [judgment.active_ms for judgment in found if judgment.kind == "answer"]
    skips = Counter(
        str(judgment.answer.get("reason", "")) for judgment in found if judgment.kind == "skip"
    )
    value, n = disagreement if disagreement is not None and disagreement[1] else (None, 0)
    return {
        "segment": name,
        "position": place,
        "n": len(found),
        "judges": len({judgment.judge for judgment in found}),
        "disagreement": value,
        "disagreement_n": n,
        "median_s": median(times) / 1000 if times else None,
        "skips": sum(skips.values()),
        "skip_reasons": dict(skips),
        "comments": sum(1 for judgment in found if judgment.comment),
    }
