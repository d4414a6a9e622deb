"""People's judgments of a sample beside a metric's scores of everything: surer, and still people's.

What is computed is that of ``rankwise rank --proxy``: prediction-powered inference, whose intervals
hold however wrong the metric is, as long as chance decides which segments people see.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from rankwise.aggregate.asking.strategies import STRATEGIES
from rankwise.errors import DataError, RankwiseError
from rankwise.evaluate.outside_tables import aligned_scores
from rankwise.evaluate.ranking.proxy_ranking import ProxyRanking, rank_with_proxy
from rankwise.server.campaign.plan.plan import Plan
from rankwise.server.campaign.shares import LEVEL, plain
from rankwise.server.campaign.standings.panels.powered_contents import (
    PoweredPanel,
    PoweredPlan,
    PoweredRow,
)
from rankwise.types import Assessments, Judgments, ScoreTable, TestSet
from rankwise.types.named import parse

#: Shares of the present width that the plan is made for.
SHARES = (1.0, 0.75, 0.5)


def campaign_scores(table: ScoreTable, testset: TestSet) -> tuple[ScoreTable, list[str]]:
    """*table* over the systems and segments of a campaign, and in sentences what is missing.

    Systems and segments are known by their names, or segments by their place where the file says
    nothing else. Systems without a score are left to people alone; it is an error if all are.

    >>> from rankwise.types import Segment
    >>> import numpy as np
    >>> texts = TestSet((Segment("s1", "x"),), {"A": ("a",), "B": ("b",)})
    >>> campaign_scores(ScoreTable(("A", "C"), ("s1",), np.ones((2, 1)), "chrF"), texts)[1]
    ['chrF: 1 system is nowhere else, and left out: C', 'chrF: no scores of B']
    """
    scored = table.scored
    there = [name for name in testset.systems if name in scored]
    if not there:
        raise DataError(
            f"the scores are of {', '.join(table.systems[:8])}; the campaign has "
            f"{', '.join(testset.systems[:8])}"
        )
    names = [segment.id for segment in testset.segments]
    found, notes = aligned_scores(table.name, table, there, names)
    others = [name for name in testset.systems if name not in scored]
    if others:
        notes = [*notes, f"{table.name}: no scores of {', '.join(others)}"]
    return replace(found, is_by_line=False, notes=()), notes


def powered_panel(
    plan: Plan,
    testset: TestSet,
    people: Assessments | Judgments,
    scores: ScoreTable,
    *,
    seed: int,
) -> PoweredPanel:
    """What *people* said, helped by *scores*; why it cannot be told is in ``problem``."""
    documents = {one.id: one.document for one in testset.segments if one.document is not None}
    panel: PoweredPanel = {
        "metric": scores.name,
        "measure": "share of wins" if isinstance(people, Judgments) else "mean",
        "level": LEVEL,
        "problem": None,
        "signature": "",
        "rows": [],
        "correlations": {},
        "plan": [],
        "n": 0,
        "counted": "comparisons" if isinstance(people, Judgments) else "judgments",
        "judged_segments": 0,
        "scored_segments": 0,
        "notes": [],
    }
    if not len(people):
        return {**panel, "problem": "there are no judgments yet"}
    try:
        found = rank_with_proxy(people, scores, documents=documents or None, seed=seed, level=LEVEL)
    except RankwiseError as error:
        return {**panel, "problem": str(error)}
    totals = found.totals
    told: PoweredPanel = {
        **panel,
        "signature": found.board.signature,
        "rows": _rows(found),
        "correlations": dict(found.correlations),
        "plan": _plan(found),
        "n": totals[panel["counted"]],
        "judged_segments": totals["segments"],
        "scored_segments": totals["scored segments"],
        "notes": [*found.notes, *_chance(plan)],
    }
    return plain(told)


def _rows(found: ProxyRanking) -> list[PoweredRow]:
    board = found.board
    return [
        {
            "system": name,
            "score": float(board.scores[place]),
            "low": float(found.found.low[place]),
            "high": float(found.found.high[place]),
            "rank_low": int(board.rank_low[place]),
            "rank_high": int(board.rank_high[place]),
            "cluster": int(board.clusters[place]),
            "alone": float(found.alone[place]),
            "alone_low": float(found.alone_low[place]),
            "alone_high": float(found.alone_high[place]),
            "n": int(found.judgments[place]),
        }
        for place, name in enumerate(board.systems)
    ]


def _plan(found: ProxyRanking) -> list[PoweredPlan]:
    """Judgments for intervals of some widths, with the metric and without."""
    count = next(iter(found.totals.values()))
    most = found.totals["scored segments"] / found.totals["segments"]
    rows: list[PoweredPlan] = []
    for of, help_ in (("means", found.means), ("differences", found.differences)):
        if of == "differences" and len(found.board) < 2:
            continue
        for share in SHARES:
            together, alone = help_.needed(share)
            together = together if together <= most else math.inf
            rows.append(
                {
                    "of": of,
                    "half_width": share * found.half_widths[of][1],
                    "together": _whole(count * together),
                    "alone": _whole(count * alone),
                    "saved": 1 - together / alone if math.isfinite(together / alone) else None,
                }
            )
    return rows


def _whole(number: float) -> int | None:
    return math.ceil(number - 1e-6) if math.isfinite(number) else None


def _chance(plan: Plan) -> Sequence[str]:
    """What intervals rest on, where a strategy chooses with an eye on the answers."""
    if parse(plan.strategy, STRATEGIES).name == "uniform" or not plan.rules.is_document:
        return ()
    return (
        f"documents are chosen by the strategy {plan.strategy}, not by chance alone: intervals may "
        "hold less often than they say; strategy uniform leaves it to chance",
    )
