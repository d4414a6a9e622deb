"""A leaderboard for every domain of the test set."""

from rankwise.server.campaign.standings.contents import DomainBoard, DomainsPanel
from rankwise.server.campaign.standings.judged_columns import JudgedColumns
from rankwise.types import TestSet

#: So many domains, those with most judgments; more would take long to compute, and to read.
MOST = 12


def domain_boards(work: JudgedColumns, testset: TestSet, model: str, seed: int) -> DomainsPanel:
    """The leaderboards by one model, the domain with most judgments first.

    None where there are fewer than two domains.
    """
    segments: dict[str, set[str]] = {}
    for segment in testset.segments:
        if segment.domain:
            segments.setdefault(segment.domain, set()).add(segment.id)
    if len(segments) < 2 or not len(work):
        return {"model": model, "left_out": [], "boards": []}
    counts = {name: _judged(work, own) for name, own in segments.items()}
    order = sorted(segments, key=lambda name: -counts[name])
    return {
        "model": model,
        "left_out": order[MOST:],
        "boards": [_board(work, model, seed, name, segments[name]) for name in order[:MOST]],
    }


def _judged(work: JudgedColumns, segments: set[str]) -> int:
    """How many rankings or values there are of some segments."""
    held = work.rankings if work.plan.compares else work.values
    names = [held.segments[code] in segments for code in held.segment.tolist()]
    return sum(names)


def _board(
    work: JudgedColumns, model: str, seed: int, name: str, segments: set[str]
) -> DomainBoard:
    found = work.board(model, seed, segments)
    return {
        "name": name,
        "n": found["n_judgments"],
        "problem": found["problem"],
        "rows": found["rows"],
    }
